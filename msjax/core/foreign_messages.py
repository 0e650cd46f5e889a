"""The only place that reads the English text of JAX's and Python's exceptions, for facts that no exception class tells.

A check before the call, or the class of the exception, comes first. A row stands here where neither can tell: JAX raises TypeError for shapes
that do not fit as well as for an object that is not an array, and only the sentence tells which. `tests/core/test_foreign_messages.py`
provokes the message of each row with the JAX and the Python that are installed, so a message that changes fails there and nowhere else.
"""

import functools
import re
import typing
from typing import Any

import jax

NO_OPERAND = "the operands must be Tensors or numbers, but"
_OPERANDS = f"{NO_OPERAND} got"
_JAX_VERSION = tuple(int(part) for part in jax.__version__.split(".")[:2])


class Row(typing.NamedTuple):
    """A message of JAX's or of Python's.

    kinds: the classes that come with it. pattern: what it says, a regular expression that is compiled at the first error. words: what is said
    instead, with its groups; None: it stays. raises: what MindSpore raises for it; None: that is decided elsewhere. since, until: the first
    version of JAX that says so, and the first that does
    not any more.
    """

    kinds: tuple
    pattern: str
    words: str | None = None
    raises: type | None = None
    since: tuple = (0, 8)
    until: tuple | None = None

    def found_in(self, text: str):
        """The first place of a text that says so, or None."""
        return _compiled(self.pattern).search(text)

    def is_of(self, version: Any):
        """Whether the message belongs to this JAX version, such as (0, 10)."""
        return self.since <= version and (self.until is None or version < self.until)


def _row(kinds, pattern, words=None, raises=None, **versions):
    return Row(kinds if isinstance(kinds, tuple) else (kinds,), pattern, words, raises, **versions)


@functools.cache
def _compiled(pattern):
    return re.compile(pattern, re.DOTALL)


# Whole sentences first, then what is left of JAX's own names: the words of a row are put in before the next row looks.
MESSAGES = {
    "contracting lengths": _row(
        TypeError,
        r"dot_general requires contracting dimensions to have the same shape, got \((\d+),?\) and \((\d+),?\)\.?",
        r"the axes that are multiplied must have one length, but they have \1 and \2.",
        ValueError,
    ),
    "shapes of an elementwise operator": _row(
        TypeError,
        r"\w+ got incompatible shapes for broadcasting: (\(.*\))\.?",
        r"the shapes \1 cannot be broadcast to one.",
        ValueError,
    ),
    "shapes of several": _row(
        ValueError,
        r"Incompatible shapes for broadcasting: (?:shapes=)?\[?(\(.*\))\]?\.?",
        r"the shapes \1 cannot be broadcast to one.",
    ),
    "shape that is asked for": _row(
        ValueError,
        r"Incompatible types for broadcasting: input type=\w+\[([\d,]*)\] and requested type=\w+\[([\d,]*)\]",
        r"the shape (\1) cannot be broadcast to (\2).",
        since=(0, 9),
    ),
    "argument of a compiled function": _row(
        TypeError,
        r"Error interpreting argument to .*? (?:of type|is of type) <class '(?:\w+\.)*(\w+)'>.*",
        rf"{_OPERANDS} \1.",
        TypeError,
    ),
    "argument of a function of jnp": _row(
        TypeError,
        r"\S+ requires ndarray or scalar arguments, got <class '(?:\w+\.)*(\w+)'> at position \d+\.?",
        rf"{_OPERANDS} \1.",
        TypeError,
    ),
    "argument of a transform": _row(
        TypeError,
        r"Argument .{0,80}? of type <class '(?:\w+\.)*(\w+)'> is not a valid JAX type.*",
        rf"{_OPERANDS} \1.",
        TypeError,
    ),
    "value of no number": _row(
        TypeError,
        r"Value .{0,80}? with dtype \S+ is not a valid JAX array type.*",
        "the operands must be Tensors or numbers.",
        TypeError,
    ),
    "array of no numbers": _row(
        TypeError,
        r"Dtype \S+ is not a valid JAX array type.*",
        "the operands must be Tensors or numbers.",
        TypeError,
        until=(0, 9),
    ),
    "type that the linear algebra library has not": _row(
        NotImplementedError,
        r"(?:\(KeyError\(.*\), ['\"])?Unsupported dtype (\w+)\.?(?:['\"]\))?",
        r"the type must be float32, float64, complex64 or complex128, but got \1.",
        TypeError,
        until=(0, 11),
    ),
    "type that a matrix may not have": _row(
        TypeError,
        r"(?:svd|eigh|eig|cholesky|lu|qr|geqrf|householder_product|triangular_solve|schur|hessenberg|tridiagonal) "
        r"does not accept dtype (\w+) at position \d+\..*",
        r"the type must be float32, float64, complex64 or complex128, but got \1.",
        since=(0, 11),
    ),
    "None": _row(ValueError, r"None is not a valid value for jnp\.array", f"{_OPERANDS} None.", TypeError),
    "result that is no array": _row(
        TypeError,
        r"function .* returned a value of type <class '(?:\w+\.)*(\w+)'>.*, which is not a valid JAX type.*",
        rf"{_OPERANDS} \1.",
        TypeError,
    ),
    "static argument that cannot be hashed": _row(
        ValueError,
        r"Non-hashable static arguments are not supported.*",
        "a Tensor stands where a Python value is needed.",
    ),
    "key that is traced": _row(
        TypeError,
        r"unhashable type: '(?:Dynamic\w+|\w*Tracer|Number)'",
        "a Tensor stands where a Python value is needed.",
    ),
    "axis that is not mapped": _row(NameError, r"(?:Found an )?unbound axis name: (\w+).*", r"'\1' is not an axis.", TypeError),
    "shape of no whole numbers": _row(
        TypeError,
        r"Shapes must be 1D sequences of concrete values of integer type, got (?P<what>[^\n]*?)\.?(?:\n.*)?$",
        r"a shape must be of whole numbers, but got \g<what>.",
        TypeError,
    ),
    "memory": _row(
        RuntimeError,
        r"RESOURCE_EXHAUSTED: Out of memory(?: while trying to allocate| allocating) (\d+) bytes\.?.*",
        r"out of memory: \1 bytes are needed at once.",
    ),
    "advice for users of JAX": _row(
        Exception,
        r"\n(?:The error occurred while tracing|This typically means|If using `jit`|See https://docs\.jax|This concrete value was not).*",
        "",
    ),
    "traced value": _row(
        Exception, r"\b(?:Jit|DynamicJaxpr|JVP|Batch)\w*Tracer\w*[(<]~?(\w+)\[([\d,]*)\][)>]", r"Tensor(shape=(\2), dtype=\1)"
    ),
    "class of a traced value": _row(Exception, r"\b(?:Jit|DynamicJaxpr|JVP|Batch)\w*Tracer\b", "Tensor"),
    "module of JAX": _row(Exception, r"\b(?:jax\.numpy|jax\.lax|jnp|jax)\.(?=\w)|\blax\.(?=\w)", ""),
    # --- what decides a type, or what is done next, and is said as it is
    "shapes": _row(TypeError, r"shape|broadcast|dimension", raises=ValueError),
    "shapes that do not meet": _row(ValueError, r"broadcast"),
    "list as an index": _row(TypeError, r"non-tuple sequence for multidimensional indexing", raises=TypeError),
    "loop without reverse mode": _row(
        ValueError, r"Reverse-mode differentiation does not work for lax\.(?:while_loop|fori_loop)"
    ),
    "mapped result without an axis": _row(ValueError, r"vmap (?:at )?out_axes.*axis spec None but output was batched"),
    "connection of processes": _row(Exception, r"(?i)Gloo|NCCL|Connection (?:closed|reset)|coordination service"),
    "too few elements": _row(IndexError, r"^(?:tuple|list) index out of range$", raises=ValueError),
    "operands of Python": _row(TypeError, r"^unsupported operand type"),
}  # fmt: skip

# What Python says in a function that is compiled -> what MindSpore's graph compiler raises, and says.
PYTHON_IN_GRAPHS = {
    "arguments of range": _row(
        TypeError,
        r"^range expected at (?:least|most) \d arguments?, got (\d+)",
        r"For 'make_range', the input size should within [1, 3] but got\1",
        RuntimeError,
    ),
    "step of range": _row(
        ValueError, r"^range\(\) arg 3 must not be zero", "For 'range', the argument 'step' could not be 0.", RuntimeError
    ),
    "ends of a slice": _row(
        TypeError, r"^slice indices must be integers.*", "Slice indices must be integers or bool.", TypeError
    ),
    "step of a slice": _row(ValueError, r"^slice step cannot be zero", "Slice step cannot be zero.", ValueError),
    "index of a tuple": _row(
        TypeError,
        r"^tuple indices must be integers or slices, not (.*)",
        r"TupleGetItem evaluator index should be an int64 number, but got \1.",
        IndexError,
    ),
    "place in a tuple": _row(
        IndexError, r"^tuple index out of range", "TupleGetItem evaluator index should be in range.", IndexError
    ),
    "length of what has none": _row(
        TypeError, r"^object of type '(.*)' has no len.*", r"'\1' object has no attribute '__len__'", AttributeError
    ),
    "keyword that a function does not take": _row(
        TypeError,
        r"^(.*)\(\) got an unexpected keyword argument '(\w+)'.*",
        r"Got an unexpected keyword argument '\2' in a call of \1().",
        RuntimeError,
    ),
    "argument that is missing": _row(
        TypeError,
        r"^(.*)\(\) missing \d+ required .*?argument.*?: '(\w+)'.*",
        r"Miss argument input for parameter:\2 in a call of \1().",
        RuntimeError,
    ),
    "too many arguments for a function without defaults": _row(
        TypeError,
        r"^(.*)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given",
        r"The parameters number of the function \1 is \2, but the number of provided arguments is \3.",
        TypeError,
    ),
    "too many arguments": _row(
        TypeError,
        r"^(.*)\(\) takes from \d+ to (\d+) positional arguments but (\d+) (?:was|were) given",
        r"Function:\1 takes \2 positional arguments, but \3 were given.",
        RuntimeError,
    ),
    "argument that is given twice": _row(
        TypeError,
        r"^(.*)\(\) got multiple values for argument '(\w+)'",
        r"Multiply values for specific argument: \2 in a call of \1().",
        TypeError,
    ),
    "call of what is no function": _row(
        TypeError, r"^'.*' object is not callable", "The object is not callable. Please check code.", ValueError
    ),
    "pop": _row(IndexError, r"^pop (?:index out of range|from empty list)", "The pop index out of range.", IndexError),
    "isinstance": _row(
        TypeError, r"^isinstance\(\) arg 2 must be .*", "isinstance() arg 2 must be a type or tuple of types.", TypeError
    ),
    "count of a shift": _row(
        ValueError,
        r"^negative shift count",
        "For shift operator, shift count must be a non-negative integer.",
        ValueError,
    ),
    "shift of a float": _row(
        TypeError,
        r"^unsupported operand type\(s\) for (<<|>>)=?: '(int|float|bool)' and '(int|float|bool)'",
        r"Unsupported input type. For \1, only integer types are supported, but got \2 and \3.",
        TypeError,
    ),
}  # fmt: skip

_TWICE = "argument that is given twice"
_MISFITS = (
    "argument that is missing",
    "too many arguments for a function without defaults",
    "too many arguments",
    _TWICE,
)
_SAID_OTHERWISE = [(r.pattern, r.words) for r in MESSAGES.values() if r.words is not None and r.is_of(_JAX_VERSION)]
_DECIDED = [name for name, r in MESSAGES.items() if r.raises is not None]
_PLAIN_OBJECTS = (bool, int, float, complex, str, list, tuple, dict, type(None))


def says(name: str, error: BaseException):
    """Whether an exception has the message of a row of `MESSAGES`.

    Example:
        >>> from msjax.core.foreign_messages import says
        >>> says("too few elements", IndexError("list index out of range"))
        True
    """
    row = MESSAGES[name]
    return isinstance(error, row.kinds) and row.found_in(str(error)) is not None


def decided_type(error: BaseException):
    """The class that MindSpore raises for an exception whose message decides it; None for all others."""
    return next((MESSAGES[name].raises for name in _DECIDED if says(name, error)), None)


@functools.lru_cache(256)
def in_plain_words(text: str):
    """An error of JAX, reworded for a user of operators."""
    for pattern, words in _SAID_OTHERWISE:
        text = _compiled(pattern).sub(words, text)
    return text


def _in_graphs(error):
    """(name of the row of `PYTHON_IN_GRAPHS`, the row, its match) that an exception has the message of, or None."""
    for name, row in PYTHON_IN_GRAPHS.items():
        if type(error) in row.kinds and (found := _compiled(row.pattern).match(str(error))):
            return name, row, found
    return None


def in_graph_words(error: BaseException):
    """(class, text) of the exception of MindSpore's graph compiler for a Python error; None if MindSpore has no special
    message.
    """
    said = _in_graphs(error)
    return said and (said[1].raises, said[2].expand(said[1].words))


def called_wrongly(error: BaseException):
    """(qualified name of the function, whether an argument is given twice) of a call whose arguments do not fit; None for another error.

    Example:
        >>> from msjax.core.foreign_messages import called_wrongly
        >>> called_wrongly(TypeError("f() got multiple values for argument 'x'"))
        ('f', True)
    """
    name, _, found = _in_graphs(error) or (None, None, None)
    return (found[1], name == _TWICE) if name in _MISFITS else None


def is_of_plain_object(error: BaseException):
    """Whether an AttributeError is of an object that is a number, a text, None or a list of Python's, where a Tensor was expected."""
    return isinstance(error, AttributeError) and error.name is not None and type(error.obj) in _PLAIN_OBJECTS
