"""Settings of MindSpore's compiler and of its cost models, which nothing here depends on: kept, and given back when asked for.

Programs set them, read them and put the old value back; what they would change is XLA's choice.
"""

# --- mindspore.parallel._cost_model_context
_cost_model = {}


def set_cost_model_context(**kwargs):
    """Keep settings of MindSpore's cost model."""
    _cost_model.update(kwargs)


def get_cost_model_context(attr_key: str):
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


def _reset_op_id():
    """MindSpore numbers the operators of its graphs: there are no numbers here."""
