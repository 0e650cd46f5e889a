"""Embedding tables."""

from typing import Annotated, Literal

import numpy as np

from ... import ops
from ...core.keywords import Only, old_keywords
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, NonNegativeInt, PositiveFloat, PositiveInt, That
from ...core.values import dtype as mstype
from ...core.values.initializer import Initializer, Normal, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import DType, Init
from ..cell.cell import Cell
from .basic import ClipByNorm


class _RowOfZeros(Initializer):
    """The values of another initializer, with one row set to 0."""

    def __init__(self, init, row):
        super().__init__(init=init, row=row)
        self.init, self.row = init, row
        self.can_wait, self.draws = getattr(init, "can_wait", False), getattr(init, "draws", True)

    can_wait = draws = False

    def check(self, shape):
        """The check of the other rows' initializer."""
        self.init.check(shape)

    def _initialize(self, arr):
        self.init(arr)
        arr[self.row] = 0


def _zeroed(table, row):
    """The content of a table with one row set to 0."""
    if table.has_init and not isinstance(table, Parameter):
        return Tensor(shape=table.shape, dtype=table.dtype, init=_RowOfZeros(table.init, row))
    values = table.asnumpy()
    values[row] = 0
    return Tensor(values, table.dtype)


class Embedding(Cell):
    """Rows of a trained table: ids of any shape give (*ids.shape, embedding_size); an id out of range gives zeros.

    Args:
        vocab_size, embedding_size: shape of the table.
        use_one_hot: look up by a matrix product with one-hot vectors.
        embedding_table: initializer, or a Tensor of shape (vocab_size, embedding_size).
        dtype: recorded; dtype of the one-hot vectors.
        padding_idx: this row starts as zeros.

    Raises:
        TypeError, ValueError: an argument of the wrong kind, or `padding_idx` out of range.

    Example:
        >>> nn.Embedding(10, 4)(Tensor([[1, 2]], mindspore.int32)).shape
        (1, 2, 4)
    """

    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        use_one_hot: bool = False,
        embedding_table: Init = "normal",
        dtype: DType = mstype.float32,
        padding_idx: int | np.integer | None = None,
    ):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding_size = embedding_size
        self.use_one_hot = use_one_hot
        self.dtype = check.check_subclass("dtype", dtype, mstype.number, self.cls_name)
        table = initializer(embedding_table, [vocab_size, embedding_size])
        self.padding_idx = padding_idx
        if padding_idx is not None:
            self.padding_idx = check.check_int_range(
                padding_idx, 0, vocab_size, check.INC_LEFT, "padding_idx", self.cls_name
            )
            table = _zeroed(table, padding_idx)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Tensor:
        if not self.use_one_hot:
            return ops.gather(self.embedding_table, ids, 0)
        table = self.embedding_table
        one_hot = ops.one_hot(ids.reshape(-1), self.vocab_size, Tensor(1.0, table.dtype), Tensor(0.0, table.dtype))
        return ops.matmul(one_hot, table).reshape(*ids.shape, self.embedding_size)

    def extend_repr(self):
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    """`mint.nn.Embedding`: rows of a trained table.

    Args:
        num_embeddings, embedding_dim: shape of the table.
        padding_idx: this row starts as zeros and gets no gradient.
        max_norm, norm_type: rows that are looked up are scaled down to this norm, in the table.
        scale_grad_by_freq: divide gradients by how often the id occurs.
        sparse: must be False.
        _weight, _freeze: an own table; whether it stays fixed.

    Raises:
        TypeError, ValueError: an argument of the wrong kind, a table of another shape, or `sparse`.

    Example:
        >>> mint.nn.Embedding(10, 4)(Tensor([1, 2])).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        num_embeddings: NonNegativeInt,
        embedding_dim: NonNegativeInt,
        padding_idx: int | np.integer | None = None,
        max_norm: float | None = None,
        norm_type: float | None = 2.0,
        scale_grad_by_freq: bool | None = False,
        sparse: Annotated[bool, That("False", lambda value: not value)] = False,
        _weight: Like[Tensor | None] = None,
        _freeze: Like[bool] = False,
        dtype: DType = None,
    ):
        super().__init__()
        name = self.cls_name
        self.sparse = sparse
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.dtype = check.check_subclass("dtype", mstype.float32 if dtype is None else dtype, mstype.number, name)
        self.padding_idx = padding_idx
        if _weight is None:
            table = Tensor(shape=[num_embeddings, embedding_dim], dtype=self.dtype, init=Normal(1, 0))
            if padding_idx is not None:
                table = _zeroed(table, padding_idx)
        elif _weight.shape != (num_embeddings, embedding_dim):
            raise ValueError(
                f"For '{name}', the shape of '_weight' must be ({num_embeddings}, {embedding_dim}), but "
                f"got {_weight.shape}."
            )
        else:
            table = _weight
        self.weight = Parameter(table, name="weight", requires_grad=not _freeze)
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq

    def construct(self, input: Tensor) -> Tensor:
        return ops.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq
        )

    def extend_repr(self):
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, "
            f"norm_type={self.norm_type}, scale_grad_by_freq={self.scale_grad_by_freq}, dtype={self.dtype}"
        )


class EmbeddingLookup(Cell):
    """Rows of a trained table; the arguments that place the table on a parameter server are recorded.

    Args:
        vocab_size, embedding_size: shape of the table.
        param_init: initializer of the table.
        target: "CPU" or "DEVICE".
        slice_mode, manual_shapes: how the table is cut over devices.
        max_norm: rows are scaled down to this L2 norm in the result.
        sparse: must be True with target "CPU".
        dtype: dtype of the table.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or value.

    Example:
        >>> nn.EmbeddingLookup(10, 4)(Tensor([1, 2], mindspore.int32)).shape
        (2, 4)
    """

    BATCH_SLICE, FIELD_SLICE = "batch_slice", "field_slice"
    TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = "table_row_slice", "table_column_slice"

    @old_keywords(vocab_cache_size=Only(0))
    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        param_init: Init = "normal",
        target: AsValue[Literal["CPU", "DEVICE"]] = "CPU",
        slice_mode: Like[str] = "batch_slice",
        manual_shapes: Like[tuple | None] = None,
        max_norm: PositiveFloat | None = None,
        sparse: bool = True,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding_size = embedding_size
        self.target = target
        if not sparse and target == "CPU":
            raise ValueError(
                f"For '{self.cls_name}', the 'sparse' must be True when 'target' is \"CPU\", but got "
                f"'sparse': {sparse}."
            )
        self.sparse, self.slice_mode, self.manual_shapes = sparse, slice_mode, manual_shapes
        self.embedding_table = Parameter(
            initializer(param_init, [vocab_size, embedding_size], dtype=dtype), name="embedding_table"
        )
        self.max_norm = None
        if max_norm is not None:
            self.max_norm = Tensor(max_norm, dtype=mstype.float32)

    def construct(self, indices: Tensor):
        out = self._looked_up(indices)
        return out if self.max_norm is None else ClipByNorm(out.ndim - 1)(out, self.max_norm)

    def _looked_up(self, indices):
        return ops.EmbeddingLookup()(self.embedding_table, indices, 0)  # zeros for ids outside


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a table times values, merged per field: indices, values and field ids (N, k) give (N, field_size,
    embedding_size).

    Args: as for EmbeddingLookup; field_size: number of fields; operator: "SUM", "MEAN" or "MAX" merges the rows of
    one field.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind.

    Example:
        >>> lookup = nn.MultiFieldEmbeddingLookup(10, 4, 2)
        >>> lookup(Tensor([[1, 2]], mindspore.int32), Tensor([[1.0, 0.5]]), Tensor([[0, 1]], mindspore.int32)).shape
        (1, 2, 4)
    """

    OPERATOR_SUM, OPERATOR_MEAN, OPERATOR_MAX = "SUM", "MEAN", "MAX"

    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        field_size: PositiveInt,
        param_init: Init = "normal",
        target: AsValue[Literal["CPU", "DEVICE"]] = "CPU",
        slice_mode: Like[str] = "batch_slice",
        feature_num_list: Like[tuple | None] = None,
        max_norm: PositiveFloat | None = None,
        sparse: bool = True,
        operator: AsValue[Literal["SUM", "MEAN", "MAX"]] = "SUM",
        dtype: DType = mstype.float32,
    ):
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse, dtype
        )
        self.field_size = field_size
        self.operator = operator

    def construct(self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor):
        for what, value, dtypes in (
            ("input_indices", input_indices, (mstype.int32, mstype.int64)),
            ("input_values", input_values, (mstype.float32,)),
            ("field_ids", field_ids, (mstype.int32,)),
        ):
            if value.ndim != 2:
                raise ValueError(f"For '{self.cls_name}', the dimension of '{what}' must be 2d, but got {value.ndim}")
            check.check_type_name(what, value.dtype, dtypes, self.cls_name)
        batch, count = input_indices.shape
        segments = batch * self.field_size
        ids = (field_ids + ops.arange(0, segments, self.field_size).astype(mstype.int32).reshape(batch, 1)).reshape(-1)
        rows = (super().construct(input_indices) * input_values.expand_dims(2)).reshape(batch * count, -1)
        weights = input_values.reshape(-1)
        sizes = ops.unsorted_segment_sum(ops.abs(weights), ids, segments).expand_dims(1)
        if self.operator == "MAX":
            rows = ops.where((weights == 0).expand_dims(1), ops.full_like(rows, -3.402823466e38), rows)
            merged = ops.unsorted_segment_max(rows, ids, segments)
            merged = ops.where(sizes != 0, merged, ops.zeros_like(merged))
        else:
            merged = ops.unsorted_segment_sum(rows, ids, segments)
            if self.operator == "MEAN":
                merged = ops.DivNoNan()(merged, sizes)
        return merged.reshape(batch, self.field_size, -1)


__all__ = ["Embedding", "EmbeddingExt", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]
