"""Building blocks of MindSpore 1.x's Transformers: checks of arguments and inputs, matrix product, normalization."""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

from ... import ops
from ...core.operators import check
from ...core.operators.primitive import Primitive
from ...core.values import dtype as mstype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...parallel.shardings import placed
from ..cell.cell import Cell
from ..layer.activation import get_activation
from ..lazy_operator import Served
from .op_parallel_config import OpParallelConfig, default_dpmp_config

__all__ = ["FixedSparseAttention"]

FLOATS = (mstype.float32, mstype.float16)


# --- checks of arguments
def _args_type_validator_check(*type_args, **type_kwargs):
    """Decorator that passes arguments to checks: `@_args_type_validator_check(size=Validator.check_positive_int)`.

    A check takes the value and the argument's name; defaults are not checked.
    """

    def wrap(fn):
        signature = inspect.signature(fn)
        checks = signature.bind_partial(*type_args, **type_kwargs).arguments
        checks = checks.get("kwargs", checks)

        @functools.wraps(fn)
        def checked(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.get("kwargs", given).items():
                if name in checks:
                    checks[name](value, name)
            return fn(*args, **kwargs)

        return checked

    return wrap


def _valid_type_checks(types, class_name):
    """A check for values of these types."""

    def checked(value, name):
        if not isinstance(value, tuple(types)):
            raise TypeError(
                f"For '{class_name}', the type of '{name}' must be one of "
                f"{[kind.__name__ for kind in types]}, but got {type(value).__name__}."
            )
        return value

    return checked


def _valid_value_checks(types, class_name):
    """A check for these dtypes."""

    def checked(value, name):
        return check.check_type_name(name, value, types, class_name)

    return checked


def _activation_check(class_name):
    def checked(value, name):
        if not (isinstance(value, (str, Cell)) or (isinstance(value, type) and issubclass(value, Cell))):
            raise TypeError(
                f"For '{class_name}', the '{name}' must be the name of an activation, a Cell or a class of "
                f"Cells, but got {value!r}."
            )
        return value

    return checked


def checked_arguments(class_name: str, *configs):
    """Decorator of the `__init__` of a layer of this package. All of them name their arguments alike; configs: the
    types that `parallel_config` may have.
    """
    sizes = (
        "batch_size src_seq_length tgt_seq_length seq_length hidden_size ffn_hidden_size num_heads num_layers "
        "encoder_layers vocab_size embedding_size size_per_head block_size num_different_global_patterns "
        "expert_num"
    )
    rates = "hidden_dropout_rate attention_dropout_rate dropout_rate"
    dtypes = "compute_dtype softmax_compute_type layernorm_compute_type param_init_type"
    kinds = (
        (check.check_positive_int, sizes),
        (check.check_non_negative_int, "offset decoder_layers"),
        (check.check_non_negative_float, rates),
        (check.check_bool, "use_past post_layernorm_residual"),
    )
    table = {name: functools.partial(test, prim_name=class_name) for test, names in kinds for name in names.split()}
    table.update(dict.fromkeys(dtypes.split(), _valid_value_checks(FLOATS, class_name)))
    table["hidden_act"] = _activation_check(class_name)
    if configs:
        table["parallel_config"] = _valid_type_checks(configs, class_name)

    def wrap(fn):
        known = inspect.signature(fn).parameters
        return _args_type_validator_check(**{name: test for name, test in table.items() if name in known})(fn)

    return wrap


def check_rate(class_name: str, **rates):
    """ValueError unless the probabilities of dropout lie in [0, 1)."""
    for name, rate in rates.items():
        if not 0 <= rate < 1:
            raise ValueError(f"For '{class_name}', the '{name}' must be in range [0, 1.0), but got {rate}.")


def check_divides(class_name: str, parts: Sequence, what: str, **sizes):
    """ValueError unless `parts` divides the sizes."""
    for name, size in sizes.items():
        if size % parts:
            raise ValueError(
                f"For '{class_name}', the '{name}' must be a multiple of {what}, but got {size} and {parts}."
            )


# --- checks of inputs
class _LayerInputCheck:
    """ValueError for inputs of other shapes than a layer was made for."""

    @staticmethod
    def check_shape_length(input_shape, param_name, func_name, target_len):
        """The number of axes is `target_len`, or one of a list."""
        lengths = target_len if isinstance(target_len, list) else [target_len]
        if len(input_shape) not in lengths:
            raise ValueError(
                f"For '{func_name}', the '{param_name}' must have {' or '.join(map(str, lengths))} "
                f"dimensions, but got shape {tuple(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_equal(input_shape, param_name, func_name, target_shape):
        """The shape is `target_shape`, or one of a list of shapes."""
        shapes = [list(s) for s in (target_shape if isinstance(target_shape[0], (list, tuple)) else [target_shape])]
        if list(input_shape) not in shapes:
            raise ValueError(
                f"For '{func_name}', the shape of '{param_name}' must be {' or '.join(str(tuple(s)) for s in shapes)}, "
                f"but got {tuple(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_value_on_axis(input_shape, dim, param_name, cls_name, target_value):
        """The length of the axis `dim` is `target_value`."""
        if input_shape[dim] != target_value:
            raise ValueError(
                f"For '{cls_name}', the axis {dim} of '{param_name}' must have length {target_value}, but "
                f"got shape {tuple(input_shape)}."
            )
        return True


def _check_past_none_input_none(use_past, param_name, func_name, default_value, is_tensor, is_default):
    """TypeError unless an input of incremental prediction is a Tensor with `use_past`, and left out without."""
    if use_past and not is_tensor:
        raise TypeError(f"For '{func_name}', the '{param_name}' must be a Tensor, because use_past is True.")
    if not use_past and (is_tensor or not is_default):
        raise TypeError(
            f"For '{func_name}', the '{param_name}' must be {default_value}, because use_past is False; "
            "make the layer with use_past=True for incremental prediction."
        )
    return True


def _check_input_dtype(input_dtype, param_name, allow_dtypes, cls_name):
    check.check_type_name(param_name, input_dtype, allow_dtypes, cls_name)


def _check_input_shape(input_shape, param_name, func_name, target_len):
    _LayerInputCheck.check_shape_length(input_shape, param_name, func_name, target_len)


def _check_shape_equal(input_shape, param_name, func_name, target_shape):
    _LayerInputCheck.check_shape_equal(input_shape, param_name, func_name, target_shape)


def _check_input_shape_value(input_shape, dim, param_name, cls_name, target_value):
    _LayerInputCheck.check_shape_value_on_axis(input_shape, dim, param_name, cls_name, target_value)


def check_rows(cell: Cell, name: str, tensor: Tensor, batch: Any, length: int):
    """A float Tensor of shape (batch, length, hidden_size) or (batch * length, hidden_size)."""
    shapes = [[batch, length, cell.hidden_size], [batch * length, cell.hidden_size]]
    _check_shape_equal(tensor.shape, name, cell.cls_name, shapes)
    _check_input_dtype(tensor.dtype, name, FLOATS, cell.cls_name)


def check_mask(cell: Cell, name: str, mask: Tensor, shape: tuple):
    """A float Tensor of this shape."""
    _check_shape_equal(mask.shape, name, cell.cls_name, shape)
    _check_input_dtype(mask.dtype, name, FLOATS, cell.cls_name)


def check_past(cell: Cell, init_reset: bool, batch_valid_length: Tensor | None):
    """The two inputs of incremental prediction: a bool Tensor (1,) and an int32 Tensor (batch_size,)."""
    _check_past_none_input_none(
        cell.use_past, "init_reset", cell.cls_name, True, isinstance(init_reset, Tensor), init_reset is True
    )
    check_valid_length(cell, batch_valid_length)
    if cell.use_past:
        _check_shape_equal(init_reset.shape, "init_reset", cell.cls_name, [1])
        _check_input_dtype(init_reset.dtype, "init_reset", [mstype.bool_], cell.cls_name)


def check_valid_length(cell: Cell, batch_valid_length: Tensor | None):
    """An int32 Tensor (batch_size,) with `use_past`, None without."""
    _check_past_none_input_none(
        cell.use_past,
        "batch_valid_length",
        cell.cls_name,
        None,
        isinstance(batch_valid_length, Tensor),
        batch_valid_length is None,
    )
    if cell.use_past:
        _check_shape_equal(batch_valid_length.shape, "batch_valid_length", cell.cls_name, [cell.batch_size])
        _check_input_dtype(batch_valid_length.dtype, "batch_valid_length", [mstype.int32], cell.cls_name)


# --- layers
def _checked_strategy(name, strategy):
    """The strategy, after the checks that the operator of this name has for it."""
    return Primitive(name).shard(strategy).in_strategy


class _LayerNorm(Cell):
    """(x - mean) / sqrt(variance + eps) * gamma + beta over the last axis.

    Args:
        normalized_shape: (features,). eps: added to the variance. param_init_type: dtype of the Parameters.

    Raises:
        TypeError: `param_init_type` is neither float32 nor float16.

    Example:
        >>> _LayerNorm((4,))(Tensor(np.ones((2, 4), np.float32))).shape
        (2, 4)
    """

    mean, square, sqrt = (
        Served(make)
        for make in (lambda self: ops.ReduceMean(keep_dims=True), lambda self: ops.Square(), lambda self: ops.Sqrt())
    )
    add, add2, sub1, sub2 = (
        Served(lambda self: ops.Add()),
        Served(lambda self: ops.Add()),
        Served(lambda self: ops.Sub()),
        Served(lambda self: ops.Sub()),
    )
    mul, real_div = Served(lambda self: ops.Mul()), Served(lambda self: ops.RealDiv())
    layer_norm = Served(lambda self: ops.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1, epsilon=self.eps))

    def __init__(self, normalized_shape, eps=1e-5, param_init_type=mstype.float32):
        super().__init__()
        check.check_type_name("param_init_type", param_init_type, FLOATS, self.cls_name)
        self.gamma = Parameter(
            initializer("ones", normalized_shape, param_init_type), name="gamma", parallel_optimizer=False
        )
        self.beta = Parameter(
            initializer("zeros", normalized_shape, param_init_type), name="beta", parallel_optimizer=False
        )
        self.eps, self._strategy = eps, None
        self.is_self_defined = normalized_shape[0] > 1024

    def construct(self, x):
        (x,) = placed("LayerNorm", (x,), self._strategy)
        return ops.layer_norm(x, self.gamma.shape, self.gamma.astype(x.dtype), self.beta.astype(x.dtype), self.eps)

    def shard(self, strategy):
        """Cut the input over the devices, ((rows, 1),); returns the layer."""
        self._strategy = _checked_strategy("LayerNorm", strategy)
        return self


class _Linear(Cell):
    """activation(x W + b), computed in `compute_dtype` and returned in the dtype of x.

    Args:
        in_channels, out_channels: features of x and of the result.
        weight_init, bias_init: see `initializer`.
        has_bias: whether there is a b.
        activation: name of an activation, or a Cell or its class; None for none.
        transpose_b: W is stored as (out_channels, in_channels), else as (in_channels, out_channels).
        expert_num: if greater than 1, there are as many W and b, and the rows of x are cut into so many equal parts.
        outer_batch: how often the experts repeat over the rows.
        expert_group_size: accepted; the rows of an expert are counted here.
        param_init_type, compute_dtype: float32 or float16.

    Inputs: x (..., in_channels). Outputs: (..., out_channels).

    Raises:
        TypeError, ValueError: arguments of the wrong kind, initial Tensors of other shapes.

    Example:
        >>> _Linear(4, 3)(Tensor(np.ones((2, 5, 4), np.float32))).shape
        (2, 5, 3)
    """

    cast, bias_add = Served(lambda self: ops.Cast()), Served(lambda self: ops.Add())
    matmul = Served(lambda self: (ops.BatchMatMul if self.expert_flag else ops.MatMul)(transpose_b=self.transpose_b))

    @_args_type_validator_check(
        in_channels=check.check_positive_int,
        out_channels=check.check_positive_int,
        has_bias=check.check_bool,
        transpose_b=check.check_bool,
        expert_num=check.check_positive_int,
        outer_batch=check.check_positive_int,
        param_init_type=_valid_value_checks(FLOATS, "Linear"),
        compute_dtype=_valid_value_checks(FLOATS, "Linear"),
    )
    def __init__(
        self,
        in_channels,
        out_channels,
        weight_init="normal",
        bias_init="zeros",
        has_bias=True,
        activation=None,
        transpose_b=True,
        expert_num=1,
        outer_batch=1,
        expert_group_size=None,
        param_init_type=mstype.float32,
        compute_dtype=mstype.float16,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.transpose_b = in_channels, out_channels, transpose_b
        self.expert_num, self.outer_batch, self.expert_flag = expert_num, outer_batch, expert_num > 1
        self.expert_group_size = expert_group_size
        self.has_bias, self.dtype = has_bias, compute_dtype
        shape = [out_channels, in_channels] if transpose_b else [in_channels, out_channels]
        bias_shape = [out_channels]
        if self.expert_flag:
            shape, bias_shape = [expert_num, *shape], [outer_batch, expert_num, 1, out_channels]
        for name, value, wanted in (("weight_init", weight_init, shape), ("bias_init", bias_init, bias_shape)):
            if isinstance(value, Tensor) and list(value.shape) != wanted:
                raise ValueError(f"For 'Linear', the shape of '{name}' must be {tuple(wanted)}, but got {value.shape}.")
        self.weight = Parameter(initializer(weight_init, shape, param_init_type), name="weight")
        self.bias = Parameter(initializer(bias_init, bias_shape, param_init_type), name="bias") if has_bias else None
        self.act_name = activation
        if isinstance(activation, str):
            activation = get_activation(activation)
        elif activation is not None:
            activation = _activation_check("Linear")(activation, "activation")
            activation = activation() if isinstance(activation, type) else activation
        self.activation = activation
        self.activation_flag = activation is not None
        self._strategies_of_parts = None, None, None

    def construct(self, x):
        out_shape, dtype = (*x.shape[:-1], self.out_channels), x.dtype
        x = x.reshape(-1, self.in_channels).astype(self.dtype)
        if self.expert_flag:
            x = x.reshape(self.outer_batch, self.expert_num, -1, self.in_channels)
        product, addition, activation = self._strategies_of_parts
        name = "BatchMatMul" if self.expert_flag else "MatMul"
        x, weight = placed(name, (x, self.weight), product, (False, self.transpose_b))
        weight = weight.astype(self.dtype)
        x = ops.matmul(x, weight.swapaxes(-1, -2) if self.transpose_b else weight)
        if self.has_bias:
            x, bias = placed("Add", (x, self.bias), addition)
            x = x + bias.astype(self.dtype)
        if self.activation_flag:
            (x,) = placed("Activation", (x,), activation)
            x = self.activation(x)
        return x.astype(dtype).reshape(out_shape)

    def shard(self, strategy_matmul, strategy_bias=None, strategy_activation=None):
        """Cut the inputs of product, addition and activation over the devices; returns the layer."""
        named = zip(
            ("MatMul", "BiasAdd", "Activation"), (strategy_matmul, strategy_bias, strategy_activation), strict=True
        )
        self._strategies_of_parts = tuple(_checked_strategy(name, strategy) for name, strategy in named)
        return self


class FixedSparseAttention(Cell):
    """The "fixed" attention of Sparse Transformers (Child et al., 2019), whose kernels exist on Ascend only.

    Raises:
        RuntimeError: always: its block products (MatmulDDS, DSDMatmul) are compiled for Ascend and documented nowhere.
            `MultiHeadAttention` with a mask of the same pattern computes attention that leaves the same places out.
    """

    @checked_arguments("FixedSparseAttention", OpParallelConfig)
    def __init__(
        self,
        batch_size: int,
        num_heads: int,
        size_per_head: Any,
        block_size: Any,
        seq_length: int = 1024,
        num_different_global_patterns: int = 4,
        parallel_config: Any = default_dpmp_config,
    ):
        super().__init__()
        raise RuntimeError(
            "'FixedSparseAttention' is not served: its kernels MatmulDDS and DSDMatmul exist for Ascend "
            "only, and MindSpore dropped them after 1.9. Use nn.transformer.MultiHeadAttention with an "
            "'attention_mask' that is 1 where the sparse pattern attends."
        )
