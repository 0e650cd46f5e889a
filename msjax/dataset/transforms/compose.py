"""Transforms that hold transforms, and how one is run on the columns of a row."""

import json
import types
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, That
from ..engine.named_classes import refuse
from ..engine.serialize import describe, restore
from ..operation import Implementation, Operation, as_array, draws, inside, python_draws
from ..rules import Probability


def not_random(function: Callable):
    """Marks a function as giving the same for the same input (a decorator)."""
    function.random = False
    return function


Transforms = Annotated[
    list[Callable],
    Length(at_least=1),
    That("of operations and functions, not of classes", lambda held: not any(isinstance(each, type) for each in held)),
]


def _result(transform, columns):
    if isinstance(transform, Operation) and all(isinstance(column, np.ndarray) for column in columns):
        return transform.apply(*columns)
    return transform(*columns)


def run_one(transform: Callable, columns: str | Sequence[str]):
    """A transform or function on the columns of a row; a tuple of columns."""
    result = _result(transform, columns)
    return result if isinstance(result, tuple) else (result,)


def run_all(transforms: Sequence[Callable], columns: Sequence, eagerly: bool = False, arrays: bool = False):
    """Apply transforms in turn; returns the last result, without its tuple if it is one column.

    A tuple that a Compose gives as the last one stays (see there). eagerly: each is called, as MindSpore's Python layer does: a random one
    draws anew. arrays: an image of Pillow that one gives goes on as an array.
    """
    result = columns
    for i, transform in enumerate(transforms):
        if eagerly:
            result = transform(*columns)
        else:
            with inside(i):
                result = _result(transform, columns)
                if arrays and hasattr(result, "getbands"):
                    result = as_array(result)
        columns = result if isinstance(result, tuple) else (result,)
    stays = isinstance(result, tuple) and isinstance(transforms[-1], CompoundOperation)
    return columns[0] if len(columns) == 1 and not stays else columns


class CompoundOperation(Operation):
    """Base class of operations that contain others; the contained ones may take anything, so nothing is converted
    first.

    Args:
        transforms (list): operations and functions.
    """

    deterministic = False

    @checked
    def __init__(self, transforms: Transforms):
        self.transforms = list(transforms)

    @property
    def implementation(self):
        """The library of the transforms that are bound to one, if it is the same; functions count as bound to arrays where all are bound."""
        kinds = [
            getattr(each, "implementation", None if isinstance(each, Operation) else Implementation.C)
            for each in self.transforms
        ]
        if None not in kinds:
            return Implementation.PY if set(kinds) == {Implementation.PY} else Implementation.C
        bound = set(kinds) - {None}
        return bound.pop() if len(bound) == 1 else None

    def parse_transforms(self):
        """`parse()` of each operation held; functions stay as they are."""
        return [transform.parse() if hasattr(transform, "parse") else transform for transform in self.transforms]

    def to_json(self):
        """This operation as JSON text; functions in it are only named."""
        return json.dumps(describe(self))

    @classmethod
    def from_json(cls, json_string: str):
        """The operation that `to_json` described."""
        try:
            tree = json.loads(json_string)
        except RecursionError as error:
            refuse(f"it is nested too deep ({error})")
        found = restore(tree)
        if not isinstance(found, Operation):
            refuse(f"it describes a {type(found).__name__} and no operation")
        return found

    def release_resource(self):
        """Called when a pipeline has ended in MindSpore; nothing is held."""

    def _in_python(self, columns):
        """Whether MindSpore's Python layer runs it: on images of Pillow, and where all transforms are bound to that."""
        pillow = len(columns) == 1 and hasattr(columns[0], "getbands")
        return pillow or self.implementation == Implementation.PY

    def __call__(self, *columns) -> Any:
        result = self._apply_anew(*columns)
        if self.implementation == Implementation.PY:  # MindSpore hands on what the last function gave
            return result
        if isinstance(result, tuple):
            return tuple(value if hasattr(value, "getbands") else as_array(value) for value in result)
        return result if hasattr(result, "getbands") else as_array(result)


class Compose(CompoundOperation):
    """Several transforms as one.

    A call gives a tuple, of one element too, if an operation for Pillow is among them or the argument is an image of Pillow, as in MindSpore:
    `compose(image)[0]`.

    Args:
        transforms (list): operations and functions, run one after another.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset import transforms
        >>> transforms.Compose([lambda x: x + 1, transforms.TypeCast("float32")])(np.array([1]))
        array([2.], dtype=float32)
    """

    @checked
    def __init__(self, transforms: Transforms):
        super().__init__(transforms)
        self.transforms = Compose.decompose(self.transforms)

    @staticmethod
    def decompose(operations: Any):
        """A flat list of transforms: nested lists and Compose are replaced by their content."""
        flat = []
        for operation in operations:
            flat.extend(Compose.decompose(operation.transforms) if isinstance(operation, Compose) else [operation])
        return flat

    @staticmethod
    def reduce(operations: Any):
        """The operations as they are run, one after another."""
        return Compose.decompose(operations)

    def parts(self):
        """The transforms: the engine runs them one by one."""
        return self.transforms

    @property
    def implementation(self):
        """PY if one of the operations is for Pillow."""
        if any(getattr(each, "implementation", None) == Implementation.PY for each in self.transforms):
            return Implementation.PY
        return super().implementation

    def __call__(self, *columns) -> Any:
        if not columns and self.implementation == Implementation.PY:
            raise TypeError(
                "Compose was called without an image. Fix invocation (avoid it being invoked as Compose([...])())."
            )
        if not columns:
            raise RuntimeError("There is no input to Compose.")
        return super().__call__(*columns)

    def apply(self, *columns):
        if self._in_python(columns):
            for transform in self.transforms:
                result = transform(*columns)
                columns = result if isinstance(result, tuple) else (result,)
            return columns
        return run_all(self.transforms, columns, arrays=True)


class RandomApply(CompoundOperation):
    """All of the transforms with probability `prob`, else none.

    Args:
        transforms (list): operations and functions.
        prob (float): from 0 to 1.
    """

    @checked
    def __init__(self, transforms: Transforms, prob: Probability = 0.5):
        super().__init__(transforms)
        self.prob = prob

    def apply(self, *columns):
        eagerly = self._in_python(columns)
        if not (python_draws().random() if eagerly else draws().uniform()) <= self.prob:
            return columns[0] if len(columns) == 1 else columns
        return run_all(self.transforms, columns, eagerly)


class RandomChoice(CompoundOperation):
    """One of the transforms, each with the same probability.

    Args:
        transforms (list): operations and functions.
    """

    def apply(self, *columns):
        count = len(self.transforms)
        if self._in_python(columns):
            return run_all([python_draws().choice(self.transforms)], columns, True)
        i = draws().below(count)
        with inside(i):
            return run_all(self.transforms[i : i + 1], columns)


class RandomOrder(CompoundOperation):
    """All of the transforms in random order.

    Args:
        transforms (list): operations and functions.
    """

    @property
    def implementation(self):
        """PY: MindSpore's Python layer runs it."""
        return Implementation.PY

    def apply(self, *columns):
        random = python_draws()
        if isinstance(random, types.ModuleType):
            random.shuffle(self.transforms)  # the next order begins with this one, as in MindSpore
            return run_all(self.transforms, columns, True)
        transforms = list(self.transforms)
        random.shuffle(transforms)
        return run_all(transforms, columns, True)
