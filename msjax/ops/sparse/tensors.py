"""Tensors that hold few elements and their positions: COOTensor, CSRTensor, RowTensor.

They are plain classes around Tensors, so gradients flow through `values`, and compiled functions take and return them.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ...core.keywords import old_keywords
from ...core.operators.arguments import plain
from ...core.operators.faces import foreign_operands
from ...core.operators.record import records
from ...core.settings.execution_state import here
from ...core.values import dtype as mstype
from ...core.values.printing import _value_text, traced_text
from ...core.values.tensor import Tensor, host_array, is_tracing

__all__ = ["COOTensor", "CSRTensor", "RowTensor", "RowTensorInner", "SparseTensor"]

_INDEX_TYPES = (mstype.int16, mstype.int32, mstype.int64)


def _shown(tensor):
    if is_tracing(tensor):
        return traced_text(tensor)
    text = _value_text(host_array(tensor.jax_array)).replace(",", "").lstrip(" ")
    return f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value={text})"


def _check_tensors(kind, **named):
    for name, value in named.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{kind}', the '{name}' must be Tensor, but got {type(value)}.")


def _check_shape(kind, shape):
    if not isinstance(shape, tuple):
        raise TypeError(f"For '{kind}', the 'shape' must be a tuple, but got {type(shape).__name__}.")
    shape = tuple(plain(s) for s in shape)
    if any(isinstance(s, bool) or not isinstance(s, int) for s in shape):
        raise TypeError(f"For '{kind}', the elements of 'shape' must be int, but got {shape}.")
    if any(s <= 0 for s in shape):
        raise ValueError(f"For '{kind}', the elements of 'shape' must be positive, but got {shape}.")
    return shape


def _positions(tensor):
    """Positions have no gradient, not even those of the same Tensor in another use."""
    recorder = here().recorder
    follows = recorder is not None and (not recorder.is_frame or is_tracing(tensor))  # constants of a graph stay known
    return records["stop_gradient_array"](tensor) if follows else tensor


def _of_parts(kind, form, parts):
    """A sparse Tensor of Tensors, or of the results of a function applied to its Tensors."""
    made = object.__new__(kind)
    names, shape = form
    vars(made).update(zip(names, parts), _shape=shape)
    return made


class _Sparse:
    """Base class of the sparse formats: a shape, and the Tensor `values`."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        jax.tree_util.register_pytree_node(cls, cls._flat, functools.partial(_of_parts, cls))

    def _flat(self):
        names = [name for name in vars(self) if name != "_shape"]  # whatever JAX puts in the places of its Tensors
        return [getattr(self, name) for name in names], (tuple(names), self._shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes of the whole Tensor."""
        return self._shape

    @property
    def dtype(self) -> mstype.Type:
        """MindSpore dtype of the values."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """Number of stored values."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        """Bytes of one value."""
        return self.values.itemsize

    @property
    def ndim(self):
        """Number of axes of the whole Tensor."""
        return len(self._shape)

    def __str__(self):
        return repr(self)

    def __neg__(self):
        return self._with(-self.values)

    def abs(self):
        """The absolute values at the same positions."""
        return self._with(self.values.abs())

    def astype(self, dtype):
        """The values as another dtype."""
        return self._with(self.values.astype(dtype))

    def __truediv__(self, other):
        return self.__div__(other)

    def _same_shape(self, other):
        if self.shape != tuple(getattr(other, "shape", ())):
            raise ValueError(
                f"Input tensors should have the same shape, but got {self.shape} and {getattr(other, 'shape', other)}."
            )


class COOTensor(_Sparse):
    """A Tensor given by the positions and values of some elements; all others are 0, and values at the same position
    are added.

    Args:
        indices: Tensor (n, axes) of int16, int32 or int64: one position a row.
        values: Tensor (n,) of their values.
        shape: sizes of the axes.
        coo_tensor: instead of the others: a COOTensor to copy.

    Raises:
        TypeError, ValueError: arguments of other kinds, or shapes that do not fit.

    Example:
        >>> from mindspore import COOTensor
        >>> COOTensor(Tensor([[0, 1], [1, 2]]), Tensor([1.0, 2.0]), (3, 4)).to_dense().shape
        (3, 4)
    """

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: Sequence[int] | None = None,
        coo_tensor: Any = None,
    ):
        if coo_tensor is not None:
            if not isinstance(coo_tensor, COOTensor):
                raise TypeError(f"Expect input `coo_tensor` to be a COOTensor, but got {type(coo_tensor)}")
            if not (indices is None and values is None and shape is None):
                raise TypeError("If input `coo_tensor` is provided, `indices`, `values`, `shapes` should all be `None`")
            indices, values, shape = coo_tensor.to_tuple()
        _check_tensors("COOTensor", indices=indices, values=values)
        shape = _check_shape("COOTensor", shape)
        if indices.ndim != 2 or values.ndim != 1:
            raise ValueError(
                f"For 'COOTensor', 'indices' must have 2 axes and 'values' 1, but got shapes {indices.shape} "
                f"and {values.shape}."
            )
        if indices.shape[0] != values.shape[0]:
            raise ValueError(
                f"For 'COOTensor', 'indices' must have a row for each value, but got shapes {indices.shape} "
                f"and {values.shape}."
            )
        if indices.shape[1] != len(shape):
            raise ValueError(
                f"For 'COOTensor', the rows of 'indices' must be as long as 'shape', but got {indices.shape} "
                f"and {shape}."
            )
        if indices.dtype not in _INDEX_TYPES:
            raise TypeError(
                f"For 'COOTensor', the dtype of 'indices' must be int16, int32 or int64, but got {indices.dtype}."
            )
        self.indices, self.values, self._shape = _positions(indices), values, shape

    def _tensor_parts(self):
        return (self.indices, self.values, self._shape), type(self)

    def _with(self, values):
        return COOTensor(self.indices, values, self._shape)

    def __repr__(self):
        head = f"COOTensor(shape={list(self._shape)}, dtype={self.dtype}"
        return f"{head}, indices={_shown(self.indices)}, values={_shown(self.values)})"

    def to_tuple(self):
        """(indices, values, shape)"""
        return self.indices, self.values, self._shape

    def to_dense(self) -> Tensor:
        """The whole Tensor."""
        return records["sparse_to_dense"](self.indices, self.values, self._shape)

    def to_csr(self):
        """The same content as a CSRTensor; two axes only (ValueError)."""
        if self.ndim != 2:
            raise ValueError(
                f"Currently only support 2-D COOTensor when converting to CSRTensor, but got shape {self._shape}."
            )
        rows = self.indices[:, 0]
        order = rows.argsort()
        return CSRTensor(
            records["coo2csr"](rows[order], self._shape[0]), self.indices[:, 1][order], self.values[order], self._shape
        )

    def coalesce(self):
        """The values of equal positions added up, in the order of positions."""
        indices = np.asarray(self.indices.jax_array)
        distinct, place = np.unique(indices, axis=0, return_inverse=True)
        return COOTensor(
            Tensor(distinct), records["sparse_sums"](self.values, Tensor(place.reshape(-1)), len(distinct)), self._shape
        )

    def add(self, other: Any, thresh: Any):
        """Sum of two COOTensors; values of a magnitude below `thresh` are left out."""
        return records["coo_add"](self, other, thresh)

    def _added(self, other, sign, word):
        self._same_shape(other)
        if isinstance(other, Tensor):
            return records["sparse_to_dense"](self.indices, self.values, self._shape) + (other if sign > 0 else -other)
        if isinstance(other, COOTensor):
            return records["coo_add"](self, other if sign > 0 else -other, 0)
        raise TypeError(f"COOTensor {word} with {type(other)} is not supported.")

    def __add__(self, other):
        return self._added(other, 1, "add")

    def __sub__(self, other):
        return self._added(other, -1, "subtract")

    def _scaled(self, other, combine, word):
        self._same_shape(other)
        if not isinstance(other, Tensor):
            raise TypeError(f"COOTensor {word} with {type(other)} is not supported.")
        return self._with(combine(self.values, other.gather_nd(self.indices)))

    def __mul__(self, other):
        return self._scaled(other, lambda a, b: a * b, "multiply")

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        self._same_shape(other)
        return other - self.to_dense()

    def __div__(self, other):
        return self._scaled(other, lambda a, b: a / b, "divide")


class SparseTensor(COOTensor):
    """The name of COOTensor in MindSpore 1.x.

    Example:
        >>> from mindspore import SparseTensor
        >>> SparseTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2)).shape
        (2, 2)
    """

    @old_keywords(dense_shape="shape")
    def __init__(self, indices: Tensor, values: Tensor, shape: Sequence[int]):
        super().__init__(indices, values, shape)


class CSRTensor(_Sparse):
    """A Tensor given row by row: columns and values of the stored elements; all others are 0.

    Args:
        indptr: Tensor (rows + 1,) of ints: where in `indices` and `values` each row begins and the last one ends.
        indices: Tensor (n,) of ints: the column of each value.
        values: Tensor (n, ...) of the values.
        shape: sizes of the axes.
        csr_tensor: instead of the others: a CSRTensor to copy.

    Raises:
        TypeError, ValueError: arguments of other kinds, or shapes that do not fit.

    Example:
        >>> from mindspore import CSRTensor
        >>> CSRTensor(Tensor([0, 1, 2]), Tensor([0, 1]), Tensor([1.0, 2.0]), (2, 4)).to_dense().shape
        (2, 4)
    """

    def __init__(
        self,
        indptr: Tensor | None = None,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: Sequence[int] | None = None,
        csr_tensor: Any = None,
    ):
        if csr_tensor is not None:
            if not isinstance(csr_tensor, CSRTensor):
                raise TypeError(f"Expect input `csr_tensor` to be a CSRTensor, but got {type(csr_tensor)}")
            if not (indptr is None and indices is None and values is None and shape is None):
                raise TypeError(
                    "If input `csr_tensor` is provided, `indptr`, `indices`, `values`, `shapes` should all be `None`"
                )
            indptr, indices, values, shape = csr_tensor.to_tuple()
        _check_tensors("CSRTensor", indptr=indptr, indices=indices, values=values)
        shape = _check_shape("CSRTensor", shape)
        if indptr.ndim != 1 or indices.ndim != 1 or values.ndim < 1:
            raise ValueError(
                f"For 'CSRTensor', 'indptr' and 'indices' must have one axis, but got shapes {indptr.shape} "
                f"and {indices.shape}."
            )
        if values.ndim + 1 != len(shape) or values.shape[1:] != shape[2:]:
            raise ValueError(
                f"For 'CSRTensor', the axes of 'values' after the first must be those of 'shape' after the second, "
                f"but got {values.shape} and {shape}."
            )
        if indptr.shape[0] != shape[0] + 1:
            raise ValueError(
                f"For 'CSRTensor', 'indptr' must have an element for each row and one more, {shape[0] + 1}, "
                f"but got {indptr.shape[0]}."
            )
        if indices.shape[0] != values.shape[0]:
            raise ValueError(
                f"For 'CSRTensor', 'indices' must have an element for each value, but got {indices.shape[0]} "
                f"and {values.shape[0]}."
            )
        for name, index in (("indptr", indptr), ("indices", indices)):
            if index.dtype not in _INDEX_TYPES:
                raise TypeError(
                    f"For 'CSRTensor', the dtype of '{name}' must be int16, int32 or int64, but got {index.dtype}."
                )
        self.indptr, self.indices, self.values, self._shape = _positions(indptr), _positions(indices), values, shape

    def _tensor_parts(self):
        return (self.indptr, self.indices, self.values, self._shape), type(self)

    def _with(self, values):
        return CSRTensor(self.indptr, self.indices, values, self._shape)

    def __repr__(self):
        return (
            f"CSRTensor(shape={list(self._shape)}, dtype={self.dtype}, indptr={_shown(self.indptr)}, "
            f"indices={_shown(self.indices)}, values={_shown(self.values)})"
        )

    def to_tuple(self):
        """(indptr, indices, values, shape)"""
        return self.indptr, self.indices, self.values, self._shape

    def to_coo(self):
        """The same content as a COOTensor; two axes only (ValueError)."""
        if self.ndim != 2:
            raise ValueError("Currently only support 2-D CSRTensor when converting to COOTensor.")
        rows = records["csr2coo"](self.indptr, self.values.shape[0])
        return COOTensor(records["stack_pair"](rows, self.indices), self.values, self._shape)

    def to_dense(self) -> Tensor:
        """The whole Tensor."""
        return records["csr_dense"](self.indptr, self.indices, self.values, self._shape)

    def mv(self, dense_vector: Tensor):
        """Product with a column vector (columns, 1)."""
        return records["csr_mv"](self, dense_vector)

    def mm(self, matrix: Tensor):
        """Product with a matrix, dense or sparse."""
        return records["csr_mm"](self, matrix)

    def sum(self, axis: Any):
        """Sums of the rows (axis 1) or of the columns (axis 0); the axis stays, with length 1."""
        return records["csr_reduce_sum"](self, axis)

    def add(self, b: Any, alpha: Tensor | float, beta: Tensor | float):
        """alpha * self + beta * b."""
        return records["csr_add"](self, b, alpha, beta)

    def _added(self, other, sign, word):
        self._same_shape(other)
        if not isinstance(other, CSRTensor):
            raise TypeError(f"CSRTensor {word} with {type(other)} is not supported.")
        return records["csr_add"](self, other, 1, sign)

    def __add__(self, other):
        return self._added(other, 1, "add")

    def __sub__(self, other):
        return self._added(other, -1, "subtract")

    def __mul__(self, other):
        return records["csr_mul"](self, other)

    __rmul__ = __mul__

    def __div__(self, other):
        return records["csr_div"](self, other)


class RowTensor(_Sparse):
    """Some rows of a Tensor and their numbers; the form of an embedding's gradient.

    Args:
        indices: Tensor (n,) of ints: the numbers of the rows.
        values: Tensor (n, ...) of the rows.
        shape: sizes of the axes of the whole Tensor.
        row_tensor: instead of the others: a RowTensor to copy.

    Raises:
        TypeError, ValueError: arguments of other kinds, or shapes that do not fit.

    Example:
        >>> from mindspore import RowTensor
        >>> RowTensor(Tensor([0]), Tensor([[1.0, 2.0]]), (3, 2)).dense_shape
        (3, 2)
    """

    @old_keywords(dense_shape="shape")
    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: Sequence[int] | None = None,
        row_tensor: Any = None,
    ):
        if row_tensor is not None:
            if not isinstance(row_tensor, RowTensor):
                raise TypeError(f"Expect input `row_tensor` to be a RowTensor, but got {type(row_tensor)}")
            if not (indices is None and values is None and shape is None):
                raise TypeError("If input `row_tensor` is provided, `indices`, `values`, `shapes` should all be `None`")
            indices, values, shape = row_tensor.indices, row_tensor.values, row_tensor.dense_shape
        _check_tensors("RowTensor", indices=indices, values=values)
        shape = _check_shape("RowTensor", shape)
        if indices.ndim != 1 or indices.shape[0] != values.shape[0]:
            raise ValueError(
                f"For 'RowTensor', 'indices' must have an element for each row, but got shapes {indices.shape} "
                f"and {values.shape}."
            )
        if values.shape[1:] != shape[1:]:
            raise ValueError(
                f"For 'RowTensor', the rows of 'values' must have the shape {shape[1:]}, but got {values.shape[1:]}."
            )
        self.indices, self.values, self._shape = _positions(indices), values, shape

    def _tensor_parts(self):
        return (self.indices, self.values, self._shape), type(self)

    def _with(self, values):
        return RowTensor(self.indices, values, self._shape)

    @property
    def dense_shape(self):
        """Sizes of the axes of the whole Tensor."""
        return self._shape

    def to_dense(self) -> Tensor:
        """The whole Tensor."""
        return records["sparse_to_dense"](self.indices.expand_dims(-1), self.values, self._shape)

    def __repr__(self):
        head = f"RowTensor(shape={list(self._shape)}, dtype={self.dtype}"
        return f"{head}, indices={_shown(self.indices)}, values={_shown(self.values)})"


RowTensorInner = RowTensor


foreign_operands.update((COOTensor, CSRTensor, SparseTensor))
