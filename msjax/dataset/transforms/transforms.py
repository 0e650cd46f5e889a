"""Transforms of any data: `mindspore.dataset.transforms`."""

import enum
import os
from types import EllipsisType
from typing import Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import PositiveInt, Raises, That, Within
from ...core.values import dtype as mstype
from ..check import check
from ..engine.batch import pad_to
from ..engine.block import type_text
from ..operation import Operation
from ..rules import Probability
from .compose import Compose, RandomApply, RandomChoice, RandomOrder, not_random
from .user_operations import PyTensorOperation as PyTensorOperation  # MindSpore's module has them
from .user_operations import TensorOperation as TensorOperation

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
    "not_random",
]
Scalar = str | float | bool | int | bytes
Row = Annotated[np.ndarray, That("of one axis", lambda array: array.ndim == 1)]
Size = Annotated[int, Within("[1, 9223372036854775807]")]


def _only_one(columns):
    check(len(columns) == 1, "The op is OneToOne, can only accept one tensor as input.", RuntimeError)
    return columns[0]


def _text(array):
    return array.dtype.kind in "US"


class Concatenate(Operation):
    """Joins the columns, one-dimensional arrays of one type, into one.

    Args:
        axis (int): 0 or -1.
        prepend (numpy.ndarray, optional): goes first.
        append (numpy.ndarray, optional): goes last.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: `axis` or the rank of an array is not as it must be.
    """

    @checked
    def __init__(self, axis: Literal[0, -1] = 0, prepend: Row | None = None, append: Row | None = None):
        self.axis, self.prepend, self.append = axis, prepend, append

    def apply(self, *columns):
        first = columns[0]
        for side, value in (("prepend", self.prepend), ("append", self.append)):
            check(
                value is None or type_text(value) == type_text(first),
                f"Concatenate: input datatype does not match the {side} datatype, got input datatype: "
                f"{type_text(first)}, {side} datatype:{'' if value is None else type_text(value)}",
                RuntimeError,
            )
        for column in columns:
            check(
                column.ndim == 1,
                f"Concatenate: only 1D input supported, got rank of input: {column.ndim}",
                RuntimeError,
            )
            check(type_text(column) == type_text(first), "Concatenate: inconsistent datatype of input.", RuntimeError)
        parts = [value for value in (self.prepend, *columns, self.append) if value is not None]
        return np.concatenate(parts)


class Duplicate(Operation):
    """Gives its column twice."""

    def apply(self, *columns):
        check(
            len(columns) == 1,
            "Duplicate: only supports transform one column each time, got column num: "
            f"{len(columns)}, check 'input_columns' when call this operator.",
            RuntimeError,
        )
        return columns[0], columns[0].copy()


class Fill(Operation):
    """An array like the column, with one value everywhere.

    Args:
        fill_value (Union[str, bytes, int, float, bool]): the value; cast to the column's type.
    """

    elementwise = True

    @checked
    def __init__(self, fill_value: Scalar):
        self.fill_value = fill_value

    def apply(self, *columns):
        column = _only_one(columns)
        value = np.array(self.fill_value)
        if _text(column) or _text(value):
            check(
                type_text(value) == type_text(column),
                "Fill: fill_value and the input tensor must be of the same data type when involving strings or "
                f"bytes, but got fill_value data type {type_text(value)} and input tensor data type "
                f"{type_text(column)}",
                RuntimeError,
            )
            return np.full(column.shape, self.fill_value)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.full(column.shape, value.astype(column.dtype))


class Relational(enum.IntEnum):
    """Comparisons for Mask."""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


class Mask(Operation):
    """Compares the column with a value.

    Args:
        operator (Relational): the comparison.
        constant (Union[str, int, float, bool]): what is compared with.
        dtype (mindspore.dtype): type of the result, numeric or bool.

    Raises:
        TypeError: an argument is of the wrong type.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms import Mask, Relational
        >>> Mask(Relational.GT, 2)(np.array([1, 2, 3]))
        array([False, False,  True])
    """

    elementwise = True

    @checked
    def __init__(
        self,
        operator: Relational,
        constant: Scalar,
        dtype: Annotated[
            mstype.Type, That("of numbers or bool", lambda kind: kind != mstype.string), Raises(value=RuntimeError)
        ] = mstype.bool_,
    ):
        self.operator, self.constant, self.dtype = operator, constant, dtype

    def apply(self, *columns):
        column = _only_one(columns)
        check(
            _text(column) == isinstance(self.constant, (str, bytes)),
            "Mask: input datatype does not match the value datatype, both should be numeric or non-numerical in the "
            "same time.",
            RuntimeError,
        )
        constant = self.constant
        if not _text(column):  # a number is taken in the column's type, as in MindSpore: 3 equals 3.5
            with np.errstate(invalid="ignore", over="ignore"):
                constant = np.array(constant).astype(column.dtype)
        return _COMPARE[self.operator](column, constant).astype(mstype.to_numpy(self.dtype))


class OneHot(Operation):
    """Labels as one-hot vectors.

    Args:
        num_classes (int): length of the vectors; more than the largest label.
        smoothing_rate (float): from 0 to 1; with more than 0 the result is float64, `(1 - rate) * one_hot + rate /
            num_classes`.

    Raises:
        RuntimeError: a label is not an integer, or out of range.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms import OneHot
        >>> OneHot(num_classes=3)(np.array(1))
        array([0, 1, 0])
    """

    elementwise = True

    @checked
    def __init__(self, num_classes: PositiveInt, smoothing_rate: Probability = 0.0):
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate
        self.random = False

    def _vectors(self, labels):
        check(
            labels.dtype.kind in "iu",
            f"OneHot: Only support input of int type, but got: {type_text(labels)}",
            RuntimeError,
        )
        for bad in labels[(labels < 0) | (labels >= self.num_classes)].ravel()[:1]:
            raise RuntimeError(
                f"OneHot: index values should not bigger than num classes: {self.num_classes}, but got: {bad}"
                if bad >= 0
                else f"OneHot: index values should not be negative, but got: {bad}"
            )
        hot = labels[..., None] == np.arange(self.num_classes)
        if self.num_classes == 1:  # of the result, too, axes of length 1 vanish
            hot = hot[..., 0]
        if not self.smoothing_rate:
            return hot.astype(labels.dtype)
        return (1 - self.smoothing_rate) * hot + self.smoothing_rate / self.num_classes

    def apply(self, *columns):
        (vectors,) = self.apply_block(_only_one(columns)[None])
        return vectors

    def apply_block(self, *columns):
        labels = _only_one(columns)
        labels = labels.reshape(len(labels), *(n for n in labels.shape[1:] if n != 1))  # as in MindSpore
        check(
            labels.ndim < 3,
            f"OneHot: the labels should have at most one axis longer than 1, but got the shape {labels.shape[1:]}.",
            RuntimeError,
        )
        return self._vectors(labels)


class PadEnd(Operation):
    """Pads the column at the end of its axes, or cuts it there.

    Args:
        pad_shape (list[Union[int, None]]): the shape to reach; None leaves an axis as it is.
        pad_value (Union[str, bytes, int, float, bool], optional): what to pad with; None: 0, False or an empty string.
    """

    @checked
    def __init__(self, pad_shape: list[Size | None], pad_value: Scalar | None = None):
        self.pad_shape, self.pad_value = pad_shape, pad_value

    def apply(self, *columns):
        column = _only_one(columns)
        if not column.ndim:  # a single value stays as it is
            return column
        check(
            len(self.pad_shape) == column.ndim,
            f"PadEnd: invalid pad shape, as rank of input is: {column.ndim}, and "
            f"rank of pad value: {len(self.pad_shape)}",
            RuntimeError,
        )
        shape = [have if want is None else want for have, want in zip(column.shape, self.pad_shape, strict=True)]
        out = pad_to(column, shape, self.pad_value)
        return out.copy() if out is column else out


class Slice(Operation):
    """Parts of the column, one selection for each of its first axes; no axis vanishes.

    Args:
        slices (Union[int, list[int], slice, None, Ellipsis]): an index, a list of them, a slice; None and Ellipsis:
            everything.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms import Slice
        >>> Slice(slice(0, 2), [0, -1])(np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))
        array([[1, 3],
               [4, 6]])
    """

    @checked
    def __init__(self, *slices: int | bool | list[int] | slice | EllipsisType | None):
        self.slices = list(slices)

    def apply(self, *columns):
        column = _only_one(columns)
        check(len(self.slices) <= column.ndim, "Invalid shape, should be greater than slices index.", RuntimeError)
        for axis, item in enumerate(self.slices):
            if item is None or item is Ellipsis or item is True:
                continue
            check(item is not False and item != [], "Both indices and slices can not be empty.", RuntimeError)
            if isinstance(item, slice):
                check(item.step is None or item.step != 0, "Wrong slice object", RuntimeError)
                check(item.step is None or item.step > 0 or item.start is not None, "Wrong slice object", RuntimeError)
                column = column[(slice(None),) * axis + (item,)]
                continue
            indices = np.array([item] if isinstance(item, int) else item)
            size = column.shape[axis]
            for index in indices[(indices < -size) | (indices >= size)][:1]:
                raise RuntimeError(f"Index {index} is out of bounds.")
            column = np.take(column, indices, axis)
        return column if column.flags.c_contiguous else np.ascontiguousarray(column)


def column_type(data_type: Any):
    """The NumPy type of a MindSpore or NumPy type that a column may have.

    Raises:
        TypeError: it is not a type, or columns cannot have it.
    """
    dtype = mstype.to_numpy(data_type) if isinstance(data_type, mstype.Type) else np.dtype(data_type)
    check(
        dtype.kind in "biufU" and (dtype.kind != "f" or dtype.itemsize <= 8) and dtype.name != "bfloat16",
        f"The type {data_type} is not a type that columns of a dataset can have.",
        TypeError,
    )
    return dtype


A_TYPE = That("a dtype or a NumPy dtype", lambda value: value is not None, is_type=True)  # None is NumPy's float64


class TypeCast(Operation):
    """Casts the column.

    Args:
        data_type (Union[mindspore.dtype, numpy.dtype]): the type to cast to.

    Raises:
        TypeError: columns cannot have that type.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms import TypeCast
        >>> TypeCast(np.int32)(np.array([1.7, -1.7]))
        array([ 1, -1], dtype=int32)
    """

    elementwise = True

    @checked
    def __init__(self, data_type: Annotated[Any, A_TYPE]):
        self.data_type = data_type
        self._dtype = column_type(data_type)

    def apply(self, *columns):
        column = _only_one(columns)
        dtype = self._dtype
        if column.dtype == dtype:
            return column
        if _text(column) or dtype.kind == "U":
            names = type_text(column), "string" if dtype.kind == "U" else str(dtype)
            check(
                names[0] == names[1],
                f"TypeCast: TypeCast does not support cast from {names[0]} to {names[1]}",
                RuntimeError,
            )
            return column
        with np.errstate(invalid="ignore", over="ignore"):
            return column.astype(dtype)


class Unique(Operation):
    """The distinct values of the column (of two axes or more), in order of appearance.

    Gives three columns: the values, for each element the place of its value (int32), and how often each occurs (int32).

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms import Unique
        >>> [column.tolist() for column in Unique()(np.array([[3, 1], [3, 2]]))]
        [[3, 1, 2], [0, 1, 0, 2], [2, 1, 1]]
    """

    def apply(self, *columns):
        column = _only_one(columns)
        check(
            not _text(column), f"Unique: only support numeric datatype of input, got {type_text(column)}.", RuntimeError
        )
        check(
            column.ndim >= 2,
            f"Unique: input must be at least 2-D in order to do unique op, got rank:{column.ndim}",
            RuntimeError,
        )
        found, first, places, counts = np.unique(
            column.ravel(), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return found[order], rank[places.ravel()].astype(np.int32), counts[order].astype(np.int32)


class Plugin(Operation):
    """An operation from a library compiled against MindSpore's C++ headers; such a library cannot run without
    MindSpore.

    Args:
        lib_path (str): path of the library.
        func_name (str): name of the function in it.
        user_args (str, optional): handed to it.

    Raises:
        RuntimeError: when it is run; write the operation as a Python function instead.
    """

    @checked
    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None):
        self.lib_path, self.func_name, self.user_args = lib_path, func_name, user_args or ""

    def apply(self, *columns):
        missing = "" if os.path.exists(self.lib_path) else f" (the file {self.lib_path} does not exist either)"
        raise RuntimeError(
            f"Plugin: '{self.func_name}' is compiled against MindSpore's C++ headers and cannot run "
            f"here{missing}. Write it as a Python function over NumPy arrays and give that to map."
        )
