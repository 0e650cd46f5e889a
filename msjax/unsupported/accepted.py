"""Settings of MindSpore's compiler and of its cost models, which nothing here depends on: kept, and given back when asked for.

Programs set them, read them and put the old value back; what they would change is XLA's choice.
"""

from ..core.settings import context

# --- mindspore.parallel._cost_model_context
_cost_model = {}


def set_cost_model_context(**kwargs):
    """Keep settings of MindSpore's cost model."""
    _cost_model.update(kwargs)


def get_cost_model_context(attr_key):
    """A setting that was made, or None."""
    return _cost_model.get(attr_key)


def reset_cost_model_context():
    """Forget the settings."""
    _cost_model.clear()


def _pair(key, default):
    def put(value=True):
        _cost_model[key] = value

    def take():
        return _cost_model.get(key, default)

    put.__doc__, take.__doc__ = f"Keep the setting '{key}' of MindSpore's cost model.", f"The setting '{key}'."
    return put, take


_set_multi_subgraphs, _get_multi_subgraphs = _pair("multi_subgraphs", False)
_set_algo_single_loop, _get_algo_single_loop = _pair("single_loop", True)
_set_rp_matmul_mem_coef, _get_rp_matmul_mem_coef = _pair("rp_matmul_mem_coef", 0.1)


# --- mindspore.parallel._auto_parallel_context
class _AutoParallelContext:
    """`set_x(v)` and `get_x()` for each setting x: those of `set_auto_parallel_context` are its, others are kept."""

    def __init__(self):
        self._kept = {}

    def __getattr__(self, name):
        verb, _, key = name.partition("_")
        if verb not in ("set", "get") or not key:
            raise AttributeError(f"The context of parallel training has no '{name}'.", name=name)
        known = key in context.auto_parallel_settings()
        if verb == "get":
            return (
                (lambda *args: context.get_auto_parallel_context(key)) if known else lambda *args: self._kept.get(key)
            )

        def put(*args, **kwargs):
            value = [*args, *kwargs.values()][0]
            if known:
                context.set_auto_parallel_context(**{key: value})
            else:
                self._kept[key] = value

        return put


_auto_parallel_context = _AutoParallelContext()


def auto_parallel_context():
    """The one object of these settings."""
    return _auto_parallel_context


def _reset_op_id():
    """MindSpore numbers the operators of its graphs: there are no numbers here."""
