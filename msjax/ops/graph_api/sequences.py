"""Operators on tuples, lists and numbers, which MindSpore's compiler puts in where a graph computes with them: Python does here.

One row each: the face, and what it means.
"""

import functools
import inspect
import re

from ...core.operators import faces
from ...core.operators.record import composite
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
    "ListAppend()(data, target)": lambda data, target: [*data, target],
    "ListInsert()(data, index, target)": _inserted,
    "ListToTensor()(input_list, dtype)": lambda data, dtype: Tensor(data, dtype),
    "ListToTuple()(input)": tuple,
    "TupleToList()(input)": list,
    "TupleToTensor()(input_tuple, dtype=None)": lambda data, dtype: Tensor(list(data), dtype),
    "TensorToList()(input_tensor)": lambda tensor: tensor.asnumpy().tolist(),
    "TensorToScalar()(input_tensor)": _number,
    "InSequence()(element, sequence)": lambda element, sequence: element in sequence,
    "SequenceAdd()(input_0, input_1)": lambda a, b: a + b,
    "SequenceAddN()(sequence)": _total,
    "SequenceAddOffset()(shape_0, shape_1)": lambda a, b: _offsets((a, b)),
    "SequenceConcat(axis=0)(sequence)": lambda sequence, axis: _concatenated(sequence, axis),
    "SequenceCount()(sequence, target)": lambda sequence, target: sequence.count(target),
    "SequenceIndex()(sequence, target, start=0, end=None)": _at,
    "SequenceMax()(sequence)": max,
    "SequenceMin()(sequence)": min,
    "SequenceMul()(sequence, scalar)": lambda sequence, scalar: sequence * scalar,
    "SequenceSlice()(sequence, start, stop, step)": lambda sequence, a, b, step: sequence[a:b:step],
    "SequenceSliceGrad()(dy, x, start, stop, step)": lambda dy, x, a, b, step: _assigned(
        _replaced(x, [e * 0 for e in x]), dy, a, b, step
    ),
    "SequenceSliceSetItem()(sequence, target, start, stop, step=1)": _assigned,
    "SequenceStack(axis=0)(sequence)": _stacked,
    "SequenceUnstack(axis=0)(sequence)": lambda tensor, axis: _unstacked(tensor, axis),
    "SequenceZerosLike()(sequence)": lambda sequence: _replaced(sequence, [e * 0 for e in sequence]),
    "ShapeMulGrad()(shape, dout)": lambda shape, dout: tuple(dout * _product(shape) // n for n in shape),
    "sequence_len()(sequence)": len,
    **{
        f"{kind}_{name}()(x, y)": compare
        for kind in ("tuple", "list")
        for name, compare in {
            "greater_than": lambda x, y: x > y,
            "greater_equal": lambda x, y: x >= y,
            "lt": lambda x, y: x < y,
            "le": lambda x, y: x <= y,
        }.items()
    },
    "bit_and()(x, y)": lambda x, y: x & y,
    "bit_or()(x, y)": lambda x, y: x | y,
    "IsInstance()(inst, type_)": lambda value, kind: isinstance(value, kind),
    "SameTypeShape()(x, y)": lambda x, y: _same(x, y),
    "IsSubClass()(sub_type, type_)": lambda sub, kind: mstype.issubclass_(sub, kind),
    "IsConstant()(x)": lambda x: True,
    "IsParameter()(x)": lambda x: getattr(x, "_through_frames", False),
    "MixedPrecisionCast()(dst_dtype, x)": lambda dtype, x: x.astype(dtype),
    "Load()(variable, u_monad=None)": lambda variable, monad: variable.value(),
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


def _register(spec, meaning):
    face = faces.Face(spec)
    *settings, call = face.groups
    given = [*call, *(settings[0] if settings else ())]

    def operator(*args, **kwargs):
        return meaning(*args, *kwargs.values())

    operator.__signature__ = inspect.Signature(given)
    operator.__doc__ = f"{face.name} on Python values: {', '.join(p.name for p in call)}."
    operator.__name__ = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", face.name).lower()
    composite(operator, name=f"python_{operator.__name__}", ops=False, prim=spec)


for _spec, _meaning in ROWS.items():
    _register(_spec, _meaning)
