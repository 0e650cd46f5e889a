"""Operators on tuples, lists and numbers, which MindSpore's compiler puts in where a graph computes with them: Python does here.

One row each: the face, and what it means.
"""

import functools
import inspect
import re

from ...core.operators.record import composite
from ...core.operators.rows import Prim, args
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor


def _replaced(sequence, items):
    return type(sequence)(items) if isinstance(sequence, (list, tuple)) else items


def _inserted(data, index, target):
    made = list(data)
    made.insert(index, target)
    return made


def _assigned(sequence, target, start, stop, step):
    made = list(sequence)
    made[start:stop:step] = target
    return _replaced(sequence, made)


def _total(sequence):
    return functools.reduce(lambda a, b: a + b, sequence)


def _stacked(sequence, axis):
    from ... import ops

    return ops.stack(list(sequence), axis)


def _number(tensor):
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'TensorToScalar', the input must be a Tensor, but got {type(tensor).__name__}.")
    if tensor.jax_array.size != 1:
        raise ValueError(f"For 'TensorToScalar', the Tensor must have one element, but its shape is {tensor.shape}.")
    return tensor.item()


def _offsets(sequences):
    lengths = [len(s) for s in sequences]
    return tuple(sum(lengths[:i]) for i in range(len(lengths)))


def _at(sequence, target, start, end):
    if target not in sequence[start:end]:
        raise ValueError(f"{target} is not in the sequence")
    return sequence.index(target, start, len(sequence) if end is None else end)


ROWS = {
    Prim("ListAppend", call=args("data", "target")): lambda data, target: [*data, target],
    Prim("ListInsert", call=args("data", "index", "target")): _inserted,
    Prim("ListToTensor", call=args("input_list", "dtype")): lambda data, dtype: Tensor(data, dtype),
    Prim("ListToTuple", call=args("input")): tuple,
    Prim("TupleToList", call=args("input")): list,
    Prim("TupleToTensor", call=args("input_tuple", dtype=None)): lambda data, dtype: Tensor(list(data), dtype),
    Prim("TensorToList", call=args("input_tensor")): lambda tensor: tensor.asnumpy().tolist(),
    Prim("TensorToScalar", call=args("input_tensor")): _number,
    Prim("InSequence", call=args("element", "sequence")): lambda element, sequence: element in sequence,
    Prim("SequenceAdd", call=args("input_0", "input_1")): lambda a, b: a + b,
    Prim("SequenceAddN", call=args("sequence")): _total,
    Prim("SequenceAddOffset", call=args("shape_0", "shape_1")): lambda a, b: _offsets((a, b)),
    Prim("SequenceConcat", init=args(axis=0), call=args("sequence")): lambda sequence, axis: _concatenated(
        sequence, axis
    ),
    Prim("SequenceCount", call=args("sequence", "target")): lambda sequence, target: sequence.count(target),
    Prim("SequenceIndex", call=args("sequence", "target", start=0, end=None)): _at,
    Prim("SequenceMax", call=args("sequence")): max,
    Prim("SequenceMin", call=args("sequence")): min,
    Prim("SequenceMul", call=args("sequence", "scalar")): lambda sequence, scalar: sequence * scalar,
    Prim("SequenceSlice", call=args("sequence", "start", "stop", "step")): lambda sequence, a, b, step: sequence[
        a:b:step
    ],
    Prim("SequenceSliceGrad", call=args("dy", "x", "start", "stop", "step")): lambda dy, x, a, b, step: _assigned(
        _replaced(x, [e * 0 for e in x]), dy, a, b, step
    ),
    Prim("SequenceSliceSetItem", call=args("sequence", "target", "start", "stop", step=1)): _assigned,
    Prim("SequenceStack", init=args(axis=0), call=args("sequence")): _stacked,
    Prim("SequenceUnstack", init=args(axis=0), call=args("sequence")): lambda tensor, axis: _unstacked(tensor, axis),
    Prim("SequenceZerosLike", call=args("sequence")): lambda sequence: _replaced(sequence, [e * 0 for e in sequence]),
    Prim("ShapeMulGrad", call=args("shape", "dout")): lambda shape, dout: tuple(
        dout * _product(shape) // n for n in shape
    ),
    Prim("sequence_len", call=args("sequence")): len,
    **{
        Prim(f"{kind}_{name}", call=args("x", "y")): compare
        for kind in ("tuple", "list")
        for name, compare in {
            "greater_than": lambda x, y: x > y,
            "greater_equal": lambda x, y: x >= y,
            "lt": lambda x, y: x < y,
            "le": lambda x, y: x <= y,
        }.items()
    },
    Prim("bit_and", call=args("x", "y")): lambda x, y: x & y,
    Prim("bit_or", call=args("x", "y")): lambda x, y: x | y,
    Prim("IsInstance", call=args("inst", "type_")): lambda value, kind: isinstance(value, kind),
    Prim("SameTypeShape", call=args("x", "y")): lambda x, y: _same(x, y),
    Prim("IsSubClass", call=args("sub_type", "type_")): lambda sub, kind: mstype.issubclass_(sub, kind),
    Prim("IsConstant", call=args("x")): lambda x: True,
    Prim("IsParameter", call=args("x")): lambda x: getattr(x, "_through_frames", False),
    Prim("MixedPrecisionCast", call=args("dst_dtype", "x")): lambda dtype, x: x.astype(dtype),
    Prim("Load", call=args("variable", u_monad=None)): lambda variable, monad: variable.value(),
}


def _concatenated(sequence, axis):
    from ... import ops

    return ops.concat(list(sequence), axis)


def _unstacked(tensor, axis):
    from ... import ops

    return ops.unbind(tensor, axis)


def _product(shape):
    return functools.reduce(lambda a, b: a * b, shape, 1)


def _same(x, y):
    if x.dtype != y.dtype or x.shape != y.shape:
        raise TypeError(f"The Tensors must be alike, but got {x.dtype}{x.shape} and {y.dtype}{y.shape}.")
    return x


def _register(face, meaning):
    call = face.call.listed()

    def operator(*args, **kwargs):
        return meaning(*args, *kwargs.values())

    operator.__signature__ = inspect.Signature([*call, *face.settings(call)])
    operator.__doc__ = f"{face.name} on Python values: {', '.join(p.name for p in call)}."
    operator.__name__ = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", face.name).lower()
    composite(operator, name=f"python_{operator.__name__}", ops=False, prim=face)


for _face, _meaning in ROWS.items():
    _register(_face, _meaning)
