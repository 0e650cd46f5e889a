"""Each message of JAX's and of Python's that is read is what the installed versions say, and nothing else reads messages."""

import ast
import pathlib
import socket
import struct

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from jax import lax
from mindspore import Tensor, ops

import msjax
from msjax.core import foreign_messages
from msjax.core.foreign_messages import MESSAGES, PYTHON_IN_GRAPHS, decided_type, in_plain_words, says

A, B = np.ones((2, 3), np.float32), np.ones((4, 5), np.float32)


def traced(fn):
    return lambda: jax.jit(fn)(2)


def show_tracer(x):
    raise TypeError(f"got {x}")


def hang_up():
    """A connection that the other end breaks off."""
    listener = socket.create_server(("127.0.0.1", 0))
    mine = socket.create_connection(listener.getsockname())
    other, _ = listener.accept()
    other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # which resets it
    other.close()
    listener.close()
    with mine:
        mine.recv(1)


# name of the row -> what provokes its message, and what is then said of it (None: the message is not shown)
PROVOKED = {
    "contracting lengths": (lambda: jnp.matmul(A, B), "the axes that are multiplied must have one length, but they have 3 and 4."),
    "shapes of an elementwise operator": (lambda: lax.add(A, B), "the shapes (2, 3), (4, 5) cannot be broadcast to one."),
    "shapes of several": (lambda: jnp.broadcast_shapes(A.shape, B.shape), "the shapes (2, 3), (4, 5) cannot be broadcast to one."),
    "shape that is asked for": (lambda: jnp.broadcast_to(A, B.shape), "the shape (2,3) cannot be broadcast to (4,5)."),
    "argument of a compiled function": (traced(lambda x: jnp.add(x, "s")), "the operands must be Tensors or numbers, but got str."),
    "argument of a function of jnp": (lambda: jnp.abs([1]), "the operands must be Tensors or numbers, but got list."),
    "argument of a transform": (lambda: jax.grad(lambda x: x)("s"), "the operands must be Tensors or numbers, but got str."),
    "value of no number": (lambda: jnp.asarray(object()), "the operands must be Tensors or numbers."),
    "array of no numbers": (lambda: jnp.asarray(np.array(["a"])), "the operands must be Tensors or numbers."),
    "type that the linear algebra library has not": (
        lambda: jnp.linalg.svd(np.ones((2, 2), np.float16)),
        "the type must be float32, float64, complex64 or complex128, but got float16.",
    ),
    "type that a matrix may not have": (
        lambda: jnp.linalg.svd(np.ones((2, 2), np.float16)),
        "the type must be float32, float64, complex64 or complex128, but got float16.",
    ),
    "None": (lambda: jnp.array(None), "the operands must be Tensors or numbers, but got None."),
    "result that is no array": (traced(lambda x: object()), "the operands must be Tensors or numbers, but got object."),
    "static argument that cannot be hashed": (
        lambda: jax.jit(lambda x: x, static_argnums=0)([1]),
        "a Tensor stands where a Python value is needed.",
    ),
    "key that is traced": (traced(lambda x: {1: 2}[x]), "a Tensor stands where a Python value is needed."),
    "axis that is not mapped": (lambda: lax.psum(A, "rows"), "'rows' is not an axis."),
    "shape of no whole numbers": (lambda: jnp.zeros((2.5,)), "a shape must be of whole numbers, but got (2.5,)."),
    "memory": (lambda: jnp.zeros((1 << 50,), jnp.int8).block_until_ready(), "out of memory: 1125899906842624 bytes are needed at once."),
    "advice for users of JAX": (traced(lambda n: jnp.zeros((n,))), "a shape must be of whole numbers, but got (Tensor(shape=(), dtype=int64),)."),
    "traced value": (traced(show_tracer), "got Tensor(shape=(), dtype=int64)"),
    "class of a traced value": (traced(lambda x: x + {}), "unsupported operand type(s) for +: 'Tensor' and 'dict'"),
    "module of JAX": (traced(lambda n: jnp.nonzero(n + jnp.ones(3))), "The size argument of nonzero must be statically specified to use nonzero within"),
    "shapes": (lambda: jnp.concatenate([A, B]), None),
    "shapes that do not meet": (lambda: jnp.where(A > 0, A, B), None),
    "list as an index": (lambda: jnp.ones((3, 3))[[0, 1]], None),
    "loop without reverse mode": (lambda: jax.grad(lambda x: lax.while_loop(lambda c: c < 9, lambda c: c * 2, x))(1.0), None),
    "mapped result without an axis": (lambda: jax.vmap(lambda x: x, out_axes=None)(A), None),
    "connection of processes": (hang_up, None),
    "too few elements": (lambda: ()[1], None),
    "operands of Python": (lambda: 1 + {}, None),
}  # fmt: skip
VERSION = tuple(map(int, jax.__version__.split(".")[:2]))


def raised(provoke):
    with pytest.raises(Exception) as found:
        provoke()
    return found.value


def test_each_row_is_provoked():
    assert list(PROVOKED) == list(MESSAGES)


@pytest.mark.parametrize("name", PROVOKED)
def test_a_message_is_what_the_installed_version_says(name):
    row = MESSAGES[name]
    error = raised(PROVOKED[name][0])
    if not row.is_of(VERSION):
        assert not says(name, error)  # else the row's versions are wrong
        return
    assert says(name, error), (type(error), str(error))
    expected = PROVOKED[name][1]
    assert expected is None or expected in in_plain_words(str(error))


# the same for Python's own
A_TUPLE = (1,)
PYTHON = {
    "arguments of range": lambda: range(),
    "step of range": lambda: range(1, 2, 0),
    "ends of a slice": lambda: A_TUPLE["a":],
    "step of a slice": lambda: ()[::0],
    "index of a tuple": lambda: A_TUPLE[1.0],
    "place in a tuple": lambda: ()[1],
    "length of what has none": lambda: len(5),
    "keyword that a function does not take": lambda: (lambda: None)(a=1),
    "argument that is missing": lambda: (lambda a: None)(),
    "too many arguments for a function without defaults": lambda: (lambda: None)(1),
    "too many arguments": lambda: (lambda a=1: None)(1, 2),
    "argument that is given twice": lambda: (lambda a: None)(1, a=1),
    "call of what is no function": lambda: A_TUPLE[0](),
    "pop": lambda: [].pop(),
    "isinstance": lambda: isinstance(1, [int]),
    "count of a shift": lambda: 1 << -1,
    "shift of a float": lambda: 1.0 >> 2,
}


@pytest.mark.parametrize("name", PYTHON)
def test_a_message_of_python(name):
    error = raised(PYTHON[name])
    found, row = foreign_messages.in_graph_words(error), PYTHON_IN_GRAPHS[name]
    assert found is not None and found[0] is row.raises and "\\" not in found[1], (type(error), str(error))
    assert list(PYTHON) == list(PYTHON_IN_GRAPHS)


def test_what_decides_nothing_keeps_its_type():
    assert decided_type(TypeError("no such thing")) is None and decided_type(ValueError("shape")) is None
    assert decided_type(raised(PROVOKED["argument of a transform"][0])) is TypeError
    assert decided_type(raised(PROVOKED["shapes"][0])) is ValueError


# operators whose JAX functions say these things in one mode or another: the type is MindSpore's in all
X, Y = Tensor(A), Tensor(B)
USED = {
    "shapes": (lambda: ops.add(X, Y), ValueError),
    "lengths": (lambda: ops.tensor_dot(X, Y, 1), ValueError),
    "concatenated": (lambda: ops.cat((X, Y)), ValueError),
    "asked for": (lambda: ops.broadcast_to(X, (4, 5)), ValueError),
    "no operand": (lambda: ops.mish("s"), TypeError),
    "none": (lambda: ops.matmul(X, None), TypeError),
    "a list": (lambda: ops.relu([1.0]), TypeError),
    "memory": (lambda: ops.zeros((1 << 50,)), RuntimeError),
}


@pytest.mark.parametrize("name", USED)
def test_operators_raise_mindspores_type(name):
    call, kind = USED[name]
    for run in (call, ms.jit(call)):
        assert type(raised(run)) is kind


# --- nothing else reads messages
PACKAGE = pathlib.Path(msjax.__file__).parent
READERS = {"search", "match", "fullmatch", "startswith", "endswith", "count", "find", "index", "findall"}
# these look for what msjax or the user's own function said
OWN_TEXTS = {
    "core/errors.py: type(own).__name__ in said",
    "core/errors.py: str(own) in said",
    'core/operators/explained.py: said.startswith("For \'")',
    'core/operators/arguments.py: str(error).startswith("For \'")',
}


def names_of_errors(tree):
    caught = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name}
    return caught | {"error", "err", "exc", "exception"}


def is_text_of(node, errors, texts):
    """Whether an expression is the text of an exception, or a name that holds one."""
    if isinstance(node, ast.Name):
        return node.id in texts
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr") and node.args:
        return isinstance(node.args[0], ast.Name) and node.args[0].id in errors
    if isinstance(node, ast.Subscript):
        node = node.value
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "args"
        and isinstance(node.value, ast.Name)
        and node.value.id in errors
    )


def reads(tree):
    """Lines in which the text of an exception is compared or searched."""
    errors = names_of_errors(tree)
    for function in [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]:
        texts = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and is_text_of(node.value, errors, ())
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READERS:
                sides = [node.func.value, *node.args]
            else:
                continue
            if any(is_text_of(side, errors, texts) for side in sides):
                yield node


def test_nothing_else_reads_messages():
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {ast.unparse(node)}"
        for path in PACKAGE.rglob("*.py")
        if path.name != "foreign_messages.py"
        for node in reads(ast.parse(path.read_text()))
    }
    assert found == OWN_TEXTS


def test_the_search_finds_what_reads():
    tree = ast.parse(
        "def f():\n try: g()\n except Exception as e:\n  said = str(e)\n  if 'shape' in said or str(e).startswith('a') or re.search('b', e.args[0]): pass"
    )
    assert len(list(reads(tree))) == 3
