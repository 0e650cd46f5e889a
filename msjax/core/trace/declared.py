"""Compares the inputs of a call with those that the program declared before (`Cell.set_inputs`, `enable_dynamic`)."""

import inspect
from collections.abc import Callable, Sequence

from ..values.symbol import Symbol
from ..values.tensor import Tensor
from .call_structure import Leaf, Mutable, MutableContainer
from .dynamic_sequence import DynamicLength

_MUTABLE = Mutable, MutableContainer


class Declared:
    """The declared inputs of a function (`set_inputs`).

    inputs: one for each argument, or a dict by name; arguments that are not in the dict are not compared. what: the function that
    declared them, for messages.

    Raises:
        ValueError: a name that the function does not have.
    """

    def __init__(self, function: Callable, inputs: Sequence, what: str):
        self.what, self.named = what, isinstance(inputs, dict)
        self.inputs = inputs if self.named else tuple(inputs)
        self.parameters = [
            p.name for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        if self.named:
            for name in inputs:
                if name not in self.parameters:
                    raise ValueError(f"For dict mode, valid key is {self.parameters}, but got {name}!")

    def check(self, args: Sequence, kwargs: dict):
        """Raise ValueError or TypeError for arguments that differ from the declared inputs in more than the open
        lengths.
        """
        lengths = {}  # a Symbol that is unique -> the length it has in this call
        if self.named:
            given = {**dict(zip(self.parameters, args)), **kwargs}
            for name, declared in self.inputs.items():
                if name in given:
                    self._check(declared, given[name], self.parameters.index(name) + 1, lengths)
            return
        count = len(args) + len(kwargs)
        if not self.inputs:
            return
        if count != len(self.inputs):
            raise ValueError(
                f"For {self.what}, the length of input must be equal to expected one, but got expected: "
                f"{len(self.inputs)} and input: {count}!"
            )
        for i, (declared, value) in enumerate(zip(self.inputs, [*args, *kwargs.values()])):
            self._check(declared, value, i + 1, lengths)

    def open_axes(self, args: Sequence, named: dict, shapes: Sequence):
        """[(number of the Tensor in the call, axis)] of the lengths left open.

        args, named: the call as `call_structure.split` has it. shapes: those of its Tensors.
        """
        found = []
        if self.named:
            given = {**dict(zip(self.parameters, args)), **named}
            pairs = [(declared, given[name]) for name, declared in self.inputs.items() if name in given]
        else:
            pairs = zip(self.inputs, [*args, *named.values()])
        for declared, value in pairs:
            _open_axes(declared, value, found)
        # a scalar, which fits any open shape, has no axis
        return [(leaf, axis) for leaf, axis in found if shapes[leaf]]

    def _check(self, declared, value, place, lengths):
        inside = f"For {self.what} and tuple(list) in {self.what}"
        if isinstance(declared, Tensor):
            if not isinstance(value, Tensor):
                raise TypeError(f"{inside}, the {place}th input must be Tensor, but got {type(value)}.")
            if _is_parameter(declared) != _is_parameter(value):
                raise TypeError(
                    f"{inside}, the {place}th input must be the same as expected, but got expected: {type(declared)} and "
                    f"input: {type(value)}."
                )
            self._check_tensor(declared, value, place, lengths, inside)
        elif isinstance(value, Tensor):
            raise TypeError(f"{self._the(place)} static one, but got a Tensor!")
        elif isinstance(declared, _MUTABLE) != isinstance(value, _MUTABLE) and not _holds_tensors(declared):
            kinds = ("mutable", "static") if isinstance(declared, _MUTABLE) else ("static", "mutable")
            raise TypeError("{} {} one, but got {}!".format(self._the(place), *kinds))
        elif isinstance(declared, (list, tuple)):
            if not isinstance(value, (list, tuple)):
                raise TypeError(
                    f"The {place}th input type of {self.what} must be tuple or list, but got {type(value)}."
                )
            if not isinstance(declared, DynamicLength):
                if len(declared) != len(value):
                    raise ValueError(
                        f"{inside}, the length of input must be equal to expected one, but got expected: {len(declared)} and "
                        f"input: {len(value)}!"
                    )
                for one, part in zip(declared, value):
                    self._check(one, part, place, lengths)
        elif isinstance(declared, dict) and isinstance(value, dict) and declared.keys() == value.keys():
            for name, one in declared.items():
                self._check(one, value[name], place, lengths)
        elif not _same_constant(declared, value):
            raise ValueError(f"{self._the(place)} {declared!r}, but got {value!r}!")

    def _the(self, place):
        return f"For {self.what} or tuple(list) in {self.what}, the {place}th should be"

    def _check_tensor(self, declared, value, place, lengths, inside):
        if declared.dtype != value.dtype:
            raise TypeError(
                f"For {self.what} or tuple(list) in {self.what}, the {place}th type should be Tensor[{declared.dtype}], but "
                f"got Tensor[{value.dtype}]!"
            )
        sizes = getattr(declared.jax_array, "sizes", declared.shape)
        if sizes == (-2,):  # not even the number of axes is known
            return
        if not value.shape and any(_is_open(size) for size in sizes):  # MindSpore takes a scalar for any open shape
            return
        if len(sizes) != len(value.shape):
            raise ValueError(
                f"{inside}, the dims of {place}th input must be the same as expected, but got expected: {len(sizes)}, and "
                f"input: {len(value.shape)}!"
            )
        for axis, (size, length) in enumerate(zip(sizes, value.shape)):
            if isinstance(size, Symbol):
                _check_symbol(size, length, f"The {axis + 1}th shape value of {place}th actual input args", lengths)
            elif isinstance(size, int) and size >= 0 and size != length:
                raise ValueError(
                    f"{inside}, the shape of {place}th input must be the same as expected, but got expected: {size}, and "
                    f"input: {length}!"
                )


def _holds_tensors(declared):
    """Whether Tensors are in a plain list or tuple: these are inputs here, whether they are mutable or not."""
    return isinstance(declared, (list, tuple)) and any(isinstance(d, Tensor) or _holds_tensors(d) for d in declared)


def _same_constant(declared, value):
    """Whether a value is the declared constant; of a `mutable` number only the type is compared."""
    if isinstance(declared, Mutable):
        return type(declared) is type(value)
    if isinstance(declared, (bool, int, float, str, dict, type(None))):
        return (type(declared), declared) == (type(value), value)
    return True


def _is_open(size):
    """Whether a declared length is not known."""
    return not isinstance(size, int) or size < 0


def _open_axes(declared, value, found):
    if isinstance(value, Leaf) and isinstance(declared, Tensor):
        sizes = getattr(declared.jax_array, "sizes", ())
        if sizes != (-2,):
            found += [(value.index, axis) for axis, n in enumerate(sizes) if _is_open(n)]
    elif isinstance(declared, (list, tuple)) and isinstance(value, (list, tuple)) and len(declared) == len(value):
        for one, part in zip(declared, value):
            _open_axes(one, part, found)


def _is_parameter(value):
    return value._through_frames


def _check_symbol(symbol, length, where, lengths):
    d, r = symbol.divisor, symbol.remainder
    if symbol.max > symbol.min and length > symbol.max:
        raise ValueError(
            f"{where} must be less than or equal to the 'max' value '{symbol.max}' of `Symbol`, but got '{length}'."
        )
    if length < symbol.min:
        raise ValueError(
            f"{where} must be greater than or equal to the 'min' value '{symbol.min}' of `Symbol`, but got '{length}'."
        )
    if length % d != r:
        raise ValueError(
            f"{where} must match the 'divisor'(d) and 'remainder'(d) of `Symbol`. The value should be 'd * N + r' for 'N > 0', "
            f"got d={d} and r={r}, but actual shape value is '{length}'."
        )
    if symbol.unique and lengths.setdefault(id(symbol), length) != length:
        raise ValueError(
            f"{where} is a unique symbol, all values must be the same. The previous value is {lengths[id(symbol)]}, but the "
            f"current value is {length}."
        )


def check_count(construct: Callable, inputs: Sequence):
    """Raise TypeError where `construct` cannot be called with so many inputs."""
    parameters = list(inspect.signature(construct).parameters.values())
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return
    places = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    needed = sum(p.default is p.empty for p in places)
    if len(inputs) < needed:
        raise TypeError(
            f"For 'Cell', the function construct requires {needed} positional argument, but got {len(inputs)}. When using "
            "set_inputs, please make sure that all networks and loss functions are configured with set_inputs."
        )
    if len(inputs) > len(places):
        raise TypeError(
            f"For 'Cell', the function construct requires {needed} positional argument and {len(places) - needed} default "
            f"argument, total {len(places)}, but got {len(inputs)}."
        )


__all__ = ["Declared", "check_count"]
