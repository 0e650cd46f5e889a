"""Products of matrices and vectors. There is no implicit type conversion: both factors have one dtype."""

import math
import string
from typing import Annotated, Any, Literal

import jax.numpy as jnp

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, Reflected, args
from ...core.program.halves import in_float32
from ...core.settings.context import written_for
from ...core.spec import Array, Ints, Nested, Number, Static, Tensors
from ...core.spec.rules import AnyCase, AsValue, Rank
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..elementwise.arithmetic import mul
from ..shape.shaping import axis_of
from ..shapes import channels_last, number_of_axes, same_shape


def same_type(name: str, x: Any, y: Any, names: Any = ("x1", "x2")):
    """TypeError if two Tensors differ in dtype."""
    if x.dtype != y.dtype:
        a, b = mstype.from_numpy(x.dtype), mstype.from_numpy(y.dtype)
        raise TypeError(
            f"For '{name}', the type of '{names[1]}' should be same as '{names[0]}', but got '{names[0]}' with type "
            f"Tensor[{a}] and '{names[1]}' with type Tensor[{b}]."
        )


def _swapped(x):
    return jnp.swapaxes(x, -1, -2)


def _inner(name, a, b, error=ValueError):
    if a != b:
        raise error(
            f"For '{name}', the columns of the first factor must be as many as the rows of the second, but got {a} and {b}."
        )


def factors_fit(name: str, first: tuple[int, ...], second: tuple[int, ...]):
    """Raise RuntimeError for shapes of which `matmul` makes no product, ValueError if the second is a vector or one has no axes."""
    if not first or not second:
        raise ValueError(f"For '{name}', both factors must have at least one axis, but got a Tensor without axes.")
    vector = len(second) == 1
    _inner(name, first[-1], second[0 if vector else -2], ValueError if vector else RuntimeError)
    if any(a != b and 1 not in (a, b) for a, b in zip(first[-3::-1], second[-3::-1])):
        raise RuntimeError(
            f"For '{name}', the axes before the last two must be equal or 1, but got shapes {first} and {second}."
        )


@op(
    ops=True,
    tensor=(
        Method("matmul", args("tensor2"), to={"tensor2": "other"}),
        Method("__matmul__", args("tensor2"), to={"tensor2": "other"}),
        Reflected("__rmatmul__"),
        Method("__imatmul__", args("tensor2"), to={"tensor2": "other"}),
    ),
    mint="matmul",
    residuals=True,
)
def matmul(input: Array, other: Array) -> Array:
    """Matrix product, batched over leading axes with broadcasting; Tensors of one axis are vectors.

    Raises:
        TypeError: different dtypes. RuntimeError: shapes that do not fit, ValueError if the second is a vector.

    Example:
        >>> ops.matmul(ops.ones((2, 3)), ops.ones((3, 4))).shape
        (2, 4)
    """
    same_type("MatMul", input, other)
    factors_fit("matmul", input.shape, other.shape)
    return jnp.matmul(input, other)


@op(
    prim=Prim(
        "MatMul", init=args(transpose_a=False, transpose_b=False), call=args("x", "y"), to={"x": "input", "y": "mat2"}
    ),
    ops=Face("mm", args("input", "mat2")),
    tensor=Method("mm", args("mat2")),
    mint=Face("mm", args("input", "mat2")),
    residuals=True,
)
def mm(input: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Product of two matrices, either of them transposed first.

    Example:
        >>> ops.mm(ops.ones((2, 3)), ops.ones((3, 4))).shape
        (2, 4)
    """
    same_type("MatMul", input, mat2)
    if input.ndim != 2 or mat2.ndim != 2:
        raise ValueError(
            f"For 'MatMul', the inputs must be matrices (2 axes), but got shapes {input.shape} and {mat2.shape}."
        )
    a, b = _swapped(input) if transpose_a else input, _swapped(mat2) if transpose_b else mat2
    _inner("MatMul", a.shape[1], b.shape[0])
    return jnp.matmul(a, b)


@op(
    prim=Prim(
        "BatchMatMul",
        init=args(transpose_a=False, transpose_b=False),
        call=args("x", "y"),
        to={"x": "input", "y": "mat2"},
    ),
    ops=Face("bmm", args("input_x", "mat2"), to={"input_x": "input"}),
    tensor=Method("bmm", args("mat2")),
    mint=Face("bmm", args("input", "mat2"), fixed={"plain": True}),
    residuals=True,
)
def bmm(input: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False, plain: bool = False) -> Array:
    """Products of the matrices of two batches, either of them transposed first. plain: whether batches have one axis, as in mint.

    Example:
        >>> ops.bmm(ops.ones((5, 2, 3)), ops.ones((5, 3, 4))).shape
        (5, 2, 4)
    """
    if plain:
        number_of_axes("bmm", 3, input=input.shape, mat2=mat2.shape)
    same_type("BatchMatMul", input, mat2)
    if input.ndim < 2 or mat2.ndim < 2:
        raise ValueError(
            f"For 'BatchMatMul', the inputs must have at least 2 axes, but got shapes {input.shape} and {mat2.shape}."
        )
    a, b = _swapped(input) if transpose_a else input, _swapped(mat2) if transpose_b else mat2
    _inner("BatchMatMul", a.shape[-1], b.shape[-2])
    if written_for() in ("CPU", "GPU"):  # on other devices MindSpore broadcasts the batches
        same_shape("BatchMatMul", batch=a.shape[:-2], batch_of_mat2=b.shape[:-2])
    return jnp.matmul(a, b)


@op(
    ops=Face("mv", fixed={"vector": False}),
    mint=Face("mv", args("input", "vec"), to={"input": "mat"}, fixed={"vector": True}),
    residuals=True,
)
def mv(mat: Array, vec: Array, vector: bool = False) -> Array:
    """Product of a matrix and a vector, which in `ops` may have axes of length 1.

    Example:
        >>> print(ops.mv(ops.ones((2, 3)), ops.ones((3,))))
        [3. 3.]
    """
    same_type("mv", mat, vec, ("mat", "vec"))
    number_of_axes("Mv", 2, RuntimeError if vector else ValueError, mat=mat.shape)
    if vector:
        number_of_axes("Mv", 1, RuntimeError, vec=vec.shape)
    _inner("mv", mat.shape[1], vec.size)
    return jnp.matmul(mat, vec.reshape(-1))


@op(ops=True, tensor="dot", residuals=True)
def dot(input: Array, other: Array) -> Array:
    """Sum of products over the last axis of input and the last but one (or only) axis of other.

    Example:
        >>> print(ops.dot(ops.ones((2, 3)), ops.ones((3, 2))))
        [[3. 3.]
         [3. 3.]]
    """
    same_type("dot", input, other)
    if input.ndim < 2 or other.ndim < 2:
        raise ValueError(
            f"For 'dot', the inputs must have at least 2 axes, but got shapes {input.shape} and {other.shape}; mint.dot is for vectors."
        )
    return jnp.dot(input, other)


@op(ops=False, mint=("dot", "vdot"), name="vector_dot", residuals=True)
def vector_dot(input: Array, other: Array) -> Array:
    """Sum of the products of two vectors."""
    same_type("Dot", input, other)
    return jnp.dot(input, other)


@op(ops=True, tensor="inner", residuals=True)
def inner(input: Array, other: Array) -> Array:
    """Sum of products over the last axis of both.

    Example:
        >>> print(ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    return mul(input, other) if input.ndim == 0 or other.ndim == 0 else jnp.inner(input, other)


@op(
    prim=Prim("Ger", call=args("x1", "x2"), to={"x1": "input", "x2": "vec2"}, fixed={"vectors": True}),
    ops=(Face("outer", fixed={"vectors": False}), Face("ger", fixed={"vectors": True})),
    tensor=(Method("outer", fixed={"vectors": False}), Method("ger", fixed={"vectors": True})),
    mint=Face("outer", fixed={"vectors": True}),
)
def outer(input: Array, vec2: Array, vectors: bool = False) -> Array:
    """All products of the elements of two vectors, as a matrix.

    Example:
        >>> print(ops.outer(Tensor([1, 2]), Tensor([3, 4])))
        [[3 4]
         [6 8]]
    """
    if vectors:
        number_of_axes("Ger", 1, x1=input.shape, x2=vec2.shape)
    return mul(input.reshape(-1, 1), vec2)


def summed_over(x1: Array, x2: Array, axes):
    """`tensor_dot` of two arrays.

    Axes whose lengths fit only in the opposite order are taken, too, and then in the order in which they are given: the elements of both are
    multiplied as they lie.
    """
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise ValueError(
                f"For 'tensor_dot', the 'axes' must be from 0 to the axes of the inputs, {x1.ndim} and {x2.ndim}, but got {axes}."
            )
        axes = tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    first, second = ((a,) if isinstance(a, int) else tuple(a) for a in axes)
    if all(-x1.ndim <= i < x1.ndim for i in first) and all(-x2.ndim <= i < x2.ndim for i in second):
        lengths, others = [x1.shape[i] for i in first], [x2.shape[i] for i in second]
        if lengths != others and lengths == others[::-1]:
            count = len(first)
            x1 = jnp.moveaxis(x1, first, range(-count, 0))
            x2 = jnp.moveaxis(x2, second, range(count))
            x1, x2 = x1.reshape(*x1.shape[:-count], -1), x2.reshape(-1, *x2.shape[count:])
            return jnp.tensordot(x1, x2, 1)
    return jnp.tensordot(x1, x2, (first, second))


@op(ops=True, residuals=True)
def tensor_dot(x1: Array, x2: Array, axes: Static[Nested]) -> Array:
    """Sum of products over the given axes: a number (last axes of x1 with first of x2), or the axes of each.

    Example:
        >>> ops.tensor_dot(ops.ones((1, 2, 3)), ops.ones((3, 1, 2)), ((0, 1), (1, 2))).shape
        (3, 3)
    """
    same_type("tensor_dot", x1, x2)
    return summed_over(x1, x2, axes)


@op(ops=False, name="einsum_list", residuals=True, prim=Prim("Einsum", inputs=("x",)))
def einsum_list(x: Tensors, equation: Any) -> Array:
    """Sum of products as an equation of index letters says."""
    if len({a.dtype for a in x}) == 1 and _sums_operands(equation, len(x)):
        return in_float32(lambda *x: jnp.einsum(equation, *x), *x)
    return jnp.einsum(equation, *x)


def _sums_operands(equation, count):
    """Whether a letter is summed within one operand, which JAX does in its dtype; products have wider sums."""
    inputs, _, result = equation.partition("->")
    return count == 1 or any(
        c.isalpha() and inputs.count(c) == 1 and c not in result for c in inputs if "->" in equation
    )


def _in_letters(interleaved):
    """(equation of letters, operands) of operands that are each followed by the numbers of their axes."""
    letters = string.ascii_uppercase + string.ascii_lowercase

    def term(axes):
        if not isinstance(axes, tuple | list):
            raise TypeError(
                f"For 'einsum', each operand must be followed by the list of its axes, but got {type(axes).__name__} there."
            )
        if any(axis is not ... and not 0 <= axis < len(letters) for axis in axes):
            raise ValueError(f"For 'einsum', the axes must have numbers from 0 to {len(letters) - 1}, but got {axes}.")
        return "".join("..." if axis is ... else letters[axis] for axis in axes)

    pairs = len(interleaved) // 2
    inputs = ",".join(term(axes) for axes in interleaved[1 : 2 * pairs : 2])
    result = "->" + term(interleaved[-1]) if len(interleaved) % 2 else ""
    return inputs + result, interleaved[: 2 * pairs : 2]


@composite(ops=("einsum", "einsum_ext"), mint="einsum")
def einsum(equation: Any, *operands: Any) -> Array:
    """Sum of products by an equation of index letters, as in NumPy; or each operand followed by the numbers of its axes
    (0 to 51, or ... for axes without a number), and finally the numbers of the result's axes.

    Example:
        >>> ops.einsum("ij,jk->ik", ops.ones((2, 3)), ops.ones((3, 4))).shape
        (2, 4)
        >>> ops.einsum(ops.ones((2, 3)), [0, 1], ops.ones((3, 4)), [1, 2], [0, 2]).shape
        (2, 4)
    """
    if isinstance(equation, Tensor):
        equation, operands = _in_letters((equation, *operands))
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    return records["einsum_list"](list(operands), equation)


def _affine(input, product, beta, alpha):
    return mul(input, beta) + mul(product, alpha)


@op(
    ops=Face("addmm", args("input", "mat1", "mat2").only(beta=1, alpha=1)),
    tensor=Method("addmm", args("mat1", "mat2").only(beta=1, alpha=1)),
    mint=Face("addmm", args("input", "mat1", "mat2").only(beta=1, alpha=1)),
    residuals=True,
)
def addmm(input: Array, mat1: Array, mat2: Array, beta: Number = 1, alpha: Number = 1) -> Array:
    """beta * input + alpha * (mat1 @ mat2).

    Example:
        >>> print(ops.addmm(ops.ones((2, 2)), ops.ones((2, 3)), ops.ones((3, 2))))
        [[4. 4.]
         [4. 4.]]
    """
    return _affine(input, mm(mat1, mat2), beta, alpha)


@op(
    ops=("baddbmm", Face("baddbmm_ext", args("input", "batch1", "batch2").only(beta=1, alpha=1))),
    tensor=Method("baddbmm", args("batch1", "batch2").only(beta=1, alpha=1)),
    mint=Face("baddbmm", args("input", "batch1", "batch2").only(beta=1, alpha=1)),
    residuals=True,
)
def baddbmm(input: Array, batch1: Array, batch2: Array, beta: Number = 1, alpha: Number = 1) -> Array:
    """beta * input + alpha * (batch1 @ batch2), for batches of matrices.

    Example:
        >>> ops.baddbmm(ops.ones((5, 2, 2)), ops.ones((5, 2, 3)), ops.ones((5, 3, 2))).shape
        (5, 2, 2)
    """
    return _affine(input, bmm(batch1, batch2), beta, alpha)


@op(
    ops=Face("addbmm", args("input", "batch1", "batch2").only(beta=1, alpha=1)),
    tensor=Method("addbmm", args("batch1", "batch2").only(beta=1, alpha=1)),
    mint=Face("addbmm", args("input", "batch1", "batch2").only(beta=1, alpha=1)),
    residuals=True,
)
def addbmm(input: Array, batch1: Array, batch2: Array, beta: Number = 1, alpha: Number = 1) -> Array:
    """beta * input + alpha * (sum over the batch of batch1 @ batch2).

    Example:
        >>> print(ops.addbmm(ops.ones((2, 2)), ops.ones((5, 2, 3)), ops.ones((5, 3, 2))))
        [[16. 16.]
         [16. 16.]]
    """
    return _affine(input, jnp.sum(bmm(batch1, batch2), 0), beta, alpha)


@op(
    ops=Face("addmv", args("input", "mat", "vec").only(beta=1, alpha=1)),
    tensor=Method("addmv", args("mat", "vec").only(beta=1, alpha=1)),
    mint=Face("addmv", args("input", "mat", "vec").only(beta=1, alpha=1)),
    residuals=True,
)
def addmv(input: Array, mat: Array, vec: Array, beta: Number = 1, alpha: Number = 1) -> Array:
    """beta * input + alpha * (mat @ vec).

    Example:
        >>> print(ops.addmv(ops.ones((2,)), ops.ones((2, 3)), ops.ones((3,))))
        [4. 4.]
    """
    return _affine(input, mv(mat, vec), beta, alpha)


@op(ops=Face("addr", args("x", "vec1", "vec2").only(beta=1, alpha=1), to={"x": "input"}), tensor="addr")
def addr(input: Array, vec1: Array, vec2: Array, beta: Number = 1, alpha: Number = 1) -> Array:
    """beta * input + alpha * outer(vec1, vec2).

    Example:
        >>> print(ops.addr(ops.ones((2, 2)), ops.ones((2,)), ops.ones((2,))))
        [[2. 2.]
         [2. 2.]]
    """
    return _affine(input, outer(vec1, vec2.reshape(1, -1)), beta, alpha)


@op(prim=Prim("Dense"), ops=True, mint="nn.functional.linear", residuals=True)
def dense(input: Array, weight: Array, bias: Annotated[Array, Rank(at_most=1)] | None = None) -> Array:
    """input @ weight.T + bias, as in a fully connected layer.

    Example:
        >>> ops.dense(ops.ones((2, 3)), ops.ones((4, 3))).shape
        (2, 4)
    """
    same_type("Dense", input, weight, ("x", "w"))
    if input.shape[-1] != weight.shape[-1]:
        raise ValueError(
            f"For 'Dense', the input must have {weight.shape[-1]} elements on its last axis, as the weight has on its, but got "
            f"{input.shape[-1]}."
        )
    number_of_axes("Dense", (1, 2), weight=weight.shape)
    out = jnp.matmul(input, _swapped(weight) if weight.ndim > 1 else weight)
    if bias is None:
        return out
    return out + bias


@op(ops=True, residuals=True)
def bidense(input1: Array, input2: Array, weight: Array, bias: Array | None = None) -> Array:
    """input1 @ weight[k] @ input2 for each k, plus bias.

    Example:
        >>> ops.bidense(ops.ones((2, 3)), ops.ones((2, 4)), ops.ones((5, 3, 4))).shape
        (2, 5)
    """
    same_shape("bidense", batch=input1.shape[:-1], batch_of_input2=input2.shape[:-1])
    out = jnp.einsum("...i,kij,...j->...k", input1, weight, input2)
    if bias is None:
        return out
    same_shape("bidense", outputs=weight.shape[:1], bias=bias.shape)
    return out + bias


@op(
    prim=Prim("BiasAdd", init=args(data_format="NCHW"), call=args("input_x", "bias"), to={"input_x": "input"}),
    ops=Face("bias_add", args("input_x", "bias"), to={"input_x": "input"}),
)
def bias_add(
    input: Array, bias: Array, data_format: AsValue[AnyCase[Literal["nchw", "nhwc", "ncdhw"]]] = "NCHW"
) -> Array:
    """A bias added along the channel axis: the second ("NCHW", "NCDHW"), or the last ("NHWC").

    Example:
        >>> print(ops.bias_add(ops.ones((2, 3)), Tensor([1.0, 2.0, 3.0])))
        [[2. 3. 4.]
         [2. 3. 4.]]
    """
    axis = input.ndim - 1 if channels_last(data_format) else 1
    if bias.ndim != 1 or input.ndim < 2 or bias.shape[0] != input.shape[axis]:
        raise ValueError(
            f"For 'BiasAdd', the 'bias' must have one element for each of the channels (axis {axis}) of input_x, but "
            f"got shapes {bias.shape} and {input.shape}."
        )
    return input + bias.reshape([-1 if i == axis else 1 for i in range(input.ndim)])


@op(ops=True, residuals=True)
def batch_dot(x1: Array, x2: Array, axes: Ints | None = None) -> Array:
    """Sum of products over one axis of each, for every element of a batch (the first axis).

    Example:
        >>> ops.batch_dot(ops.ones((2, 2, 3)), ops.ones((2, 3, 2)), (-1, -2)).shape
        (2, 2, 2)
    """
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[0] != x2.shape[0]:
        raise ValueError(
            "For 'batch_dot', the inputs must have the same batch size and at least 2 axes, but got shapes "
            f"{x1.shape} and {x2.shape}."
        )
    if axes is None:
        axes = (x1.ndim - 1, 1 if x2.ndim == 2 else x2.ndim - 2)
    elif isinstance(axes, int):
        axes = (axes, axes)
    a, b = axis_of("batch_dot", axes[0], x1.ndim), axis_of("batch_dot", axes[1], x2.ndim)
    if a == 0 or b == 0:
        raise ValueError("For 'batch_dot', the 'axes' must not hold the batch axis 0.")
    x, y = jnp.moveaxis(x1, a, -1), jnp.moveaxis(x2, b, 1)
    count, inner_size = x.shape[0], x.shape[-1]
    _inner("batch_dot", inner_size, y.shape[1])
    out = jnp.matmul(x.reshape(count, -1, inner_size), y.reshape(count, inner_size, -1))
    shape = (count, *x.shape[1:-1], *y.shape[2:])
    return out.reshape(shape if len(shape) > 1 else (count, 1)) if math.prod(shape) else jnp.zeros(shape, out.dtype)
