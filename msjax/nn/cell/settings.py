"""Settings that scripts make on a Cell: for graphs, parallel training and debugging. Most are recorded only, XLA has
its own.
"""

import time
from collections.abc import Callable
from typing import Any

from ...core.grad.recompute import offloading
from ...core.operators import check
from ...core.settings import context
from ...core.trace.declared import Declared, check_count
from ...core.values.parameter import Parameter
from ...core.values.tensor_state import Absent
from ...core.values.tensor_trees import map_tensors, tensor_leaves
from ...parallel.pipeline import own_stage
from ...parallel.sharded_calls import shard


def _recorded(name, kind, default, doc):
    """Property that takes one type and is read back; no more."""
    slot = f"_recorded_{name}"

    def read(self):
        return self.__dict__.setdefault(slot, default() if callable(default) else default)

    def write(self, value):
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(
                f"For 'Cell', the property '{name}' must be {kind.__name__} type, but got type {type(value)}."
            )
        if kind is int and value < 0:
            raise ValueError(f"For 'Cell', the property '{name}' can not be less than 0, but got {value}.")
        self.__dict__[slot] = value
        self._note_change()

    return property(read, write, doc=doc)


class CellSettings:
    """Mixin of Cell."""

    bprop_debug = _recorded("bprop_debug", bool, False, "Whether a `bprop` is to be debugged; recorded.")
    cell_init_args = _recorded("cell_init_args", str, "", "Arguments of the constructor as text; recorded.")
    compile_phase = _recorded("compile_phase", str, "", "Phase of the compiled graph; recorded.")
    pipeline_stage = _recorded(
        "pipeline_stage",
        int,
        -1,
        "Stage of a pipeline that the Cell belongs to, with the Cells below it that say nothing else.",
    )
    pipeline_segment = _recorded("pipeline_segment", int, -1, "Segment of a pipeline that it belongs to; recorded.")
    parameter_layout_dict = _recorded("parameter_layout_dict", dict, dict, "Layouts of Parameters; recorded.")
    parallel_parameter_name_list = _recorded(
        "parallel_parameter_name_list", list, tuple, "Names of parallel Parameters; recorded."
    )
    parallel_parameter_merge_net_dict = _recorded(
        "parallel_parameter_merge_net_dict", dict, dict, "Parallel nets to merge; recorded."
    )
    enable_backward_hook = property(
        lambda self: self._held_hooks is not None and bool(self._held_hooks.backward),
        doc="Whether a backward hook is registered.",
    )
    compiled = property(
        lambda self: bool(self._compiled is not None and self._compiled.entries), doc="Whether the Cell was compiled."
    )
    # What MindSpore's `__call__` asks and does first: libraries that write their own ask and do it, too. Here a call does it all.
    _init_flag = _is_check_and_refresh = has_bprop = False
    _dynamic_shape_inputs = mixed_precision_type = _shard_fn = _recompute_cell = None
    _backward_hook = ()

    def _without_effect(self, *args, **kwargs):
        """Nothing is to be done before or after a call."""

    _init_check = _self_check = _check_construct_args = _call_pre_process = _call_post_process = _without_effect

    def _predict(self, *args, **kwargs):
        """(whether a loaded program has computed the result, the result): there is none."""
        return False, None

    def _hook_fn_registered(self):
        """False: hooks are called in compiled code, too."""
        return False

    param_prefix = property(
        lambda self: self._param_prefix, doc="Path to the Cell, as `update_cell_prefix` last noted it."
    )
    jit_config_dict = property(
        lambda self: getattr(self.__dict__.get("_jit_config"), "jit_config_dict", {}),
        doc="Dict of the recorded JitConfig.",
    )

    def _get_attr_from_cell(self, network):
        """Take over the recorded settings of a Cell that this one is built around."""
        for name in ("_jit_config", "_amp_level"):
            if name in getattr(network, "__dict__", {}):
                self.__dict__[name] = network.__dict__[name]

    @property
    def create_time(self):
        """A number that says when the Cell was first asked for it."""
        return self.__dict__.setdefault("_create_time", int(time.time() * 1e9))

    @property
    def compile_cache(self):
        """Set of compiled signatures that a script may clear; compilation here looks for itself whether it must be
        done again.
        """
        return self.__dict__.setdefault("_compile_cache", set())

    @property
    def phase_cache(self):
        """Dict of phases, empty: compilation here has no named phases."""
        return self.__dict__.setdefault("_phase_cache", {})

    @property
    def amp_strategy(self):
        """The mixed precision that the Cell runs in, as `_c_expression.amp.create_amp_strategy` makes it."""
        if "_amp_strategy" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute 'amp_strategy'")
        return self.__dict__["_amp_strategy"]

    @amp_strategy.setter
    def amp_strategy(self, strategy: Any):
        strategy.apply_to(self)
        self.__dict__["_amp_strategy"] = strategy

    @property
    def exist_names(self):
        """Set of names that a script may note; recorded."""
        return self.__dict__.setdefault("_exist_names", set())

    @property
    def exist_objs(self):
        """Set of objects that a script may note; recorded."""
        return self.__dict__.setdefault("_exist_objs", set())

    # --- names
    def update_cell_prefix(self):
        """Note on each Cell below the path to it."""
        for name, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = name

    def update_cell_type(self, cell_type: str):
        """Record the kind of this Cell."""
        self.cell_type = cell_type

    def check_names_and_refresh_name(self):
        """Rename the Parameters to their paths if two have one name; ValueError if two still have."""
        names = [param.name for _, param in self.parameters_and_names()]
        if len(set(names)) < len(names):
            self.update_parameters_name()
            self.check_names()

    def get_scope(self):
        """Scope that `generate_scope` gave, or None."""
        return self._scope

    def generate_scope(self):
        """Give each Cell below a scope: the path of class names to it."""
        for path, child in self._children_scope_recursive():
            child.__dict__["_scope"] = path

    def _children_scope_recursive(self, parent_prefix="Default"):
        """(scope, Cell) for all Cells below: the children, then the Cells below each child."""
        children = [(f"{parent_prefix}/{name}-{type(cell).__name__}", cell) for name, cell in self.name_cells().items()]
        yield from children
        for path, cell in children:
            yield from cell._children_scope_recursive(path)

    # --- compiling
    def compile(self, *args, **kwargs):
        """Trace and compile the Cell for these arguments, without running it.

        For Tensors that only describe an input (`Tensor(shape=[None, 3], dtype=...)`) it is compiled when the first real one comes.
        """
        if any(isinstance(box.jax_array, Absent) for box in tensor_leaves((args, kwargs))):
            return
        self._compiled_form().entry_for(*args, **kwargs)

    def compile_and_run(self, *args, **kwargs):
        """Compile the Cell for these arguments and run it, in any mode."""
        return self._compiled_form()(*args, **kwargs)

    def run_construct(self, cast_inputs: Any, kwargs: dict):
        """`construct(*cast_inputs, **kwargs)`."""
        return self.construct(*cast_inputs, **kwargs)

    def cast_inputs(self, inputs: Any, dst_type: Any):
        """The inputs with their Tensors in another dtype."""
        return map_tensors(lambda box: box.astype(dst_type), inputs)

    def set_inputs(self, *inputs, **kwargs) -> None:
        """Declare the inputs of a compiled Cell: a Tensor with open lengths, or the value of a constant.

        In GRAPH_MODE the Cell then refuses inputs that do not fit. Lengths up to the next power of two share a program, by padding, where
        that can be shown to be exact; where not, a warning says why, and each length is a program of its own.

        Args:
            inputs: one for each argument of `construct`.
            kwargs: for some of them, by name.

        Raises:
            ValueError: both positional and keyword inputs; a name that `construct` does not have.
            TypeError: in GRAPH_MODE, too few or too many positional inputs.

        Example:
            >>> net = nn.Dense(3, 2)
            >>> net.set_inputs(Tensor(shape=[None, 3], dtype=mindspore.float32))
            >>> net.get_inputs()[0].shape
            (-1, 3)
        """
        if inputs and kwargs:
            raise ValueError(
                f"For Cell, set_inputs should only set inputs or kwargs, but got both: {inputs} and {kwargs}."
            )
        if not kwargs and context.is_graph_mode():
            check_count(self.construct, inputs)
        self.__dict__["_declared"] = Declared(self.construct, kwargs or inputs, "set_inputs")
        self.__dict__["_compiled"] = None  # programs of before were made for whole shapes

    def get_inputs(self):
        """The inputs declared by `set_inputs`, or None."""
        declared = self.__dict__.get("_declared")
        return None if declared is None else declared.inputs

    def get_func_graph_proto(self):
        """RuntimeError: a Cell has no MindSpore graph; the message names the alternative."""
        raise RuntimeError(
            f"For '{type(self).__name__}', there is no graph in MindSpore's format: the Cell is compiled by XLA. "
            "msjax.explain(cell) shows what was traced and compiled."
        )

    # --- parallel training and memory
    def offload(self, backward_prefetch: str | int = "Auto"):
        """Let the intermediate values of the Cell wait for the backward in the host's memory, in compiled code.

        Args:
            backward_prefetch: accepted; XLA chooses when to fetch them.

        Raises:
            ValueError, TypeError: `backward_prefetch` is neither "Auto" nor a non-negative int.
        """
        if isinstance(backward_prefetch, str):
            check.check_string(backward_prefetch, ["Auto"], "backward_prefetch", self.cls_name)
        else:
            check.check_non_negative_int(backward_prefetch, "backward_prefetch", self.cls_name)
        if self._residual_policy is None:  # what is computed again needs no place
            self.__dict__["_residual_policy"] = offloading
            self._note_change()

    def shard(
        self,
        in_strategy: tuple | None,
        out_strategy: tuple | None = None,
        parameter_plan: Any = None,
        device: Any = "Ascend",
        level: int = 0,
    ):
        """Split inputs, outputs and Parameters over the devices from now on; see `mindspore.shard`.

        Returned is the Cell as a function, as MindSpore 2.0 had it (later ones return None).
        """
        made = shard(self, in_strategy, out_strategy, parameter_plan)
        self.__dict__["_strategies"] = in_strategy, out_strategy
        self._note_change()
        return made

    def place(self, role: Any, rank_id: int):
        """Record the process that the Cell is to run in."""
        self.__dict__["_placed"] = role, rank_id

    def set_boost(self, boost_type: Any):
        """Record the boost "less_bn"; returns the Cell. ValueError for another."""
        if boost_type != "less_bn":
            raise ValueError(f"For 'set_boost', the argument 'boost_type' must be 'less_bn', but got {boost_type}.")
        return self.add_flags_recursive(less_bn=True)

    def parameters_broadcast_dict(self, recurse: bool = True):
        """OrderedDict of the Parameters that are broadcast (those not `layerwise_parallel`), or None if there are
        none.
        """
        return {name: p for name, p in self.parameters_dict(recurse).items() if not p.layerwise_parallel} or None

    def infer_param_pipeline_stage(self):
        """List of the trainable Parameters of the pipeline stage of this process; one process has all stages."""
        own = own_stage()
        if own is None:
            return list(self.trainable_params())
        stages = {}

        def look(cell, stage):
            stage = cell.pipeline_stage if cell.pipeline_stage >= 0 else stage
            for parameter in cell.get_parameters(expand=False):
                stages.setdefault(id(parameter), set()).add(stage)
            for child in cell.cells():
                look(child, stage)

        look(self, -1)
        return [p for p in self.trainable_params() if stages[id(p)] & {own, -1}]

    def load_parameter_slice(self, params: Any):
        """Nothing to take: Parameters are whole on each process. TypeError unless `params` is a dict or None."""
        if params is not None and not isinstance(params, dict):
            raise TypeError(
                f"For 'load_parameter_slice', the argument 'params' must be dict type, but got {type(params)}."
            )

    def set_parallel_input_with_inputs(self, *inputs):
        """Record the inputs of a parallel graph."""
        self.__dict__["_parallel_inputs"] = inputs

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False):
        """Record that a parameter server would keep the trainable Parameters; see `set_ps_context`."""
        for param in self.trainable_params(recurse):
            param.set_param_ps(init_in_server)

    def set_param_fl(self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True):
        """Record the federated-learning flags on all Parameters."""
        for param in self.parameters_and_names():
            param[1].set_param_fl(push_to_server, pull_from_server, requires_aggr)

    def flatten_weights(self, fusion_size: int = 0):
        """Accepted: compiled steps update all Parameters at once anyway. ValueError for a negative size."""
        check.check_non_negative_int(fusion_size, "fusion_size", self.cls_name)

    def remove_redundant_parameters(self):
        """Accepted: nothing is kept twice."""

    def register_parameter_forward_hook(self, hook: Callable | list[dict]):
        """In compiled code, let `hook(param)` take the place of Parameters where `construct` reads them.

        Args:
            hook: a function for all Parameters of this Cell and those below it, or a list of dicts
                {"params": [Parameter, ...], "hook": function}.

        Raises:
            TypeError, ValueError: `hook` has another form.
        """
        groups = hook if isinstance(hook, list) else [{"params": list(self.get_parameters()), "hook": hook}]
        table = {}
        for group in groups:
            if not isinstance(group, dict) or set(group) != {"params", "hook"}:
                raise ValueError(
                    "For 'register_parameter_forward_hook', each dict of the list 'hook' must have the keys 'params' "
                    f"and 'hook', but got {group!r}."
                )
            if not callable(group["hook"]):
                raise TypeError(
                    f"For 'register_parameter_forward_hook', the 'hook' must be callable, but got "
                    f"{type(group['hook'])}."
                )
            for param in group["params"]:
                if not isinstance(param, Parameter):
                    raise TypeError(
                        f"For 'register_parameter_forward_hook', the 'params' must be Parameters, but got "
                        f"{type(param)}."
                    )
                table[id(param)] = group["hook"]
        for _, cell in self.cells_and_names():
            own = {name: table[id(p)] for name, p in cell._params.items() if id(p) in table}
            if own:
                cell.__dict__["_parameter_hooks"] = own
                cell._note_change()

    def register_saved_tensors_hooks(self, pack_hook: Callable, unpack_hook: Callable):
        """RuntimeError: XLA keeps the values for the backward, where hooks cannot reach them; `recompute` saves memory
        instead.
        """
        raise RuntimeError(
            f"For '{type(self).__name__}', hooks on saved tensors are not possible: XLA keeps the values for the backward. "
            "Use cell.recompute() to save memory."
        )
