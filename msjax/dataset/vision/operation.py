"""The base of every image operation: which library runs it, and which arrays it takes."""

import functools
import inspect
import json
import numbers
import os
import sys
from collections.abc import Sequence
from enum import Enum
from types import BuiltinFunctionType, ModuleType
from typing import Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ..check import check
from ..engine.named_classes import named_class, plain_dtype, refuse
from ..operation import Operation, draws, python_draws
from ..rules import Probability
from .modes import Implementation, Inter


@functools.cache
def opencv():
    """Return the `cv2` module, imported at its first use because that takes a tenth of a second.

    OpenCV's own threads are switched off: the pipeline's workers already share the cores, and one image is too little
    work to divide. A picture of a few bytes can claim any size: unless the environment says otherwise, what OpenCV decodes has at most the
    pixels that Pillow takes without a warning (268 MB of colours).
    """
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str((1 << 28) // 3))
    import cv2

    cv2.setNumThreads(1)
    return _OpenCV(cv2)


class _OpenCV:
    """The `cv2` module, its functions without Intel's IPP.

    MindSpore's OpenCV is built without that library, which rounds differently: a fifth of the bytes of a changed hue and
    a twentieth of a cubic resize would be off by one. IPP is a setting of the thread: it is put back after each call, for
    the user's own calls of `cv2`.
    """

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str):
        value = getattr(self._module, name)
        if isinstance(value, BuiltinFunctionType):
            value = self._plain(value)
        setattr(self, name, value)
        return value

    def _plain(self, function):
        ipp = self._module.ipp

        @functools.wraps(function)
        def call(*args, **kwargs):
            if not ipp.useIPP():
                return function(*args, **kwargs)
            ipp.setUseIPP(False)
            try:
                return function(*args, **kwargs)
            finally:
                ipp.setUseIPP(True)

        return call


def pillow():
    """Return `PIL.Image`, imported at its first use."""
    from PIL import Image

    return Image


def is_pil(image: np.ndarray):
    """Return whether `image` is a Pillow image, without importing Pillow for it."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(image, module.Image)


def need_pil(image: np.ndarray):
    """Raise TypeError unless `image` is a Pillow image."""
    check(
        is_pil(image),
        f"img should be PIL image. Got {type(image)}. Use Decode() for encoded data or ToPIL() for decoded data.",
        TypeError,
    )


def need_numpy(image: np.ndarray):
    """Raise TypeError unless `image` is a NumPy array."""
    check(isinstance(image, np.ndarray), f"img should be NumPy image. Got {type(image)}.", TypeError)


def pair(size: int | Sequence[int]):
    """Return `size` as (height, width)."""
    return (size, size) if isinstance(size, int) else tuple(size)


def colour(fill: Any):
    """Return a fill value as its three channels."""
    return (fill,) * 3 if isinstance(fill, numbers.Number) else tuple(fill)


def parse_padding(padding: int | Sequence[int]):
    """Return `padding` as (left, top, right, bottom); a pair means (left and right, top and bottom).

    Examples:
        >>> from msjax.dataset.vision.utils import parse_padding
        >>> parse_padding((1, 2))
        (1, 2, 1, 2)
    """
    if isinstance(padding, numbers.Number):
        return (padding,) * 4
    return tuple(padding) * 2 if len(padding) == 2 else tuple(padding)


IMAGE_TYPES = ("bool", "uint8", "int8", "uint16", "int16", "int32", "float16", "float32", "float64")
ALL_NUMBERS = (*IMAGE_TYPES, "uint32", "int64", "uint64")


@functools.cache
def _numpy_types(names):
    """The types of these names, as a set: asking a numpy.dtype for its name takes as long as flipping a small image."""
    return frozenset(map(np.dtype, names))


class ImageOperation(Operation):
    """Base of the image operations.

    A subclass defines `_array(image)`, `_pillow(image)` or both. A Pillow image goes to `_pillow` where there is one,
    anything else to `_array`; where `implementation` is `.PY` everything goes to `_pillow`, which refuses arrays.

    Attributes:
        implementation: `Implementation.C` or `.PY` fixes the form; None lets the input choose.
        ranks: the numbers of dimensions of the arrays that `_array` takes.
        stacked: True where an array of more than three dimensions is a stack of <H, W, C> images.
        channels: the channel counts that `_array` takes, None for any; <H, W> counts as one channel.
        dtypes: the names of the NumPy types that `_array` takes; by default those that OpenCV's matrices have, and bool.
        several: True where several columns may be images, which are changed alike.
        keeps_bools: False where an image of bools comes out as uint8, which is what MindSpore's kernel computes with.
    """

    implementation = None
    device_target = "CPU"
    ranks = (2, 3)
    stacked = False
    channels = None
    dtypes = IMAGE_TYPES
    keeps_bools = True
    several = False

    def __init__(self):
        """Make an operation that has no parameters."""

    def __call__(self, *columns):
        """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them.

        Raises:
            TypeError: a column is neither a NumPy array nor a Pillow image.
            RuntimeError: an array has a shape or type that the operation does not take.
        """
        for column in columns:
            check(
                isinstance(column, np.ndarray) or is_pil(column),
                f"Input should be NumPy or PIL image, got {type(column)}.",
                TypeError,
            )
        check(
            len(columns) < 2 or self.implementation == Implementation.PY or _takes_several(type(self)),
            "The op is OneToOne, can only accept one tensor as input.",
            RuntimeError,
        )
        return self._apply_anew(*columns)

    def apply(self, *columns):
        """Run the form that fits the columns."""
        if self._by_pillow(*columns):
            return self._pillow(*columns)
        image, *others = columns
        image = np.asarray(image)
        if self.stacked and image.ndim > 3:
            stack = image.reshape(-1, *image.shape[-3:])
            out = np.stack([self._checked(one, *others) for one in stack])
            return out.reshape(*image.shape[:-3], *out.shape[1:])
        return self._checked(image, *others)

    def _by_pillow(self, *columns):
        """Whether the columns go to `_pillow`."""
        if (
            type(self).implementation == Implementation.C
        ):  # the class: an instance's form depends on its parameters, and refuses Pillow
            return False
        fixed = self.implementation == Implementation.PY
        return hasattr(self, "_pillow") and (fixed or len(columns) == 1 and is_pil(columns[0]))

    def _check(self, image):
        """Raise RuntimeError for an image that `_array` cannot take, as MindSpore's kernels do."""
        name, shape = type(self).__name__, image.shape
        if self.ranks is not None and image.ndim not in self.ranks:
            raise RuntimeError(
                f"{name}: the image tensor should have {' or '.join(map(str, self.ranks))} dimensions "
                f"(<H,W> or <H,W,C>), but got shape {shape}. You may need to perform Decode first."
            )
        channels = shape[2] if image.ndim == 3 else 1
        if self.channels is not None and channels not in self.channels:
            raise RuntimeError(
                f"{name}: the number of channels of the image should be {' or '.join(map(str, self.channels))}, "
                f"but got shape {shape}."
            )
        if image.dtype not in _numpy_types(self.dtypes):
            raise RuntimeError(
                f"{name}: the type of the image should be {' or '.join(self.dtypes)}, but got {image.dtype}."
            )
        if not image.size:
            raise RuntimeError(f"{name}: the image is empty, its shape is {shape}.")

    def _checked(self, image, *others):
        """Run `_array` on an image that it can take."""
        self._check(image)
        if image.dtype == bool:
            out = self._checked(image.view(np.uint8), *others)
            return _as_bools(out) if self.keeps_bools else out
        try:
            return self._array(image, *others)
        except Exception as error:
            if not type(error).__module__.startswith("cv2"):
                raise
            raise RuntimeError(
                f"{type(self).__name__}: OpenCV cannot process an image of shape {image.shape} and type {image.dtype}: {error}"
            ) from error

    def parse(self):
        """Return the object that runs the operation: the operation itself."""
        return self

    def to_json(self):
        """Return the operation as a JSON text; `from_json` reads its "tensor_op_params"."""
        return json.dumps(_plain(self))

    @classmethod
    def from_json(cls, json_string: str):
        """Return the operation whose parameters are in a JSON text.

        Args:
            json_string (str): the value of "tensor_op_params" in the text of `to_json`.

        Raises:
            RuntimeError: the text names a class that is not an operation of this package, or is damaged.
        """
        try:
            params = json.loads(json_string)
            if not isinstance(params, dict):
                refuse(f"the parameters of {cls.__name__} are a {type(params).__name__}")
            operation = cls.__new__(cls)
            vars(operation).update({name: _restored(value) for name, value in params.items()})
        except RecursionError as error:
            refuse(f"it is nested too deep ({error})")
        return operation


def bound(source: ModuleType, form: Implementation, module: str):
    """The classes of a module whose operations let the input choose their form, bound to one, as classes of `module` by their names."""
    kinds = {name: getattr(source, name) for name in source.__all__}
    return {
        name: type(name, (kind,), {"__module__": module, "__doc__": kind.__doc__, "implementation": form})
        for name, kind in kinds.items()
        if getattr(kind, "implementation", form) is None
    }


@functools.cache
def _takes_several(kind):
    """Whether images of a class of operations come with boxes or labels, or in several columns."""
    places = inspect.signature(
        kind.apply if kind.apply is not ImageOperation.apply else kind._array
    ).parameters.values()
    return kind.several or len(places) > 2 or any(place.kind is place.VAR_POSITIONAL for place in places)


def same_size(operation: ImageOperation, images: Sequence[np.ndarray]):
    """The shape of the first of several images; RuntimeError where their heights and widths differ."""
    for image in images:
        check(
            image.ndim > 1,
            f"{type(operation).__name__}: an image should be <H,W>, <H,W,C> or <...,H,W,C>, but got shape {image.shape}.",
            RuntimeError,
        )
    sizes = {image.shape[-3:-1] if image.ndim > 2 else image.shape for image in images}
    check(
        len(sizes) == 1,
        f"{type(operation).__name__}: the images of all columns must have the same height and width, but got {sorted(sizes)}.",
        RuntimeError,
    )
    return images[0].shape[-3:]


def _as_bools(out):
    """Images of bytes as images of bools, also beside other columns."""
    if isinstance(out, tuple):
        return (_as_bools(out[0]), *out[1:])
    return out.astype(bool) if isinstance(out, np.ndarray) and out.dtype == np.uint8 else out


def _plain(value):
    """Return a parameter of an operation in a form that JSON can hold."""
    if isinstance(value, ImageOperation):
        params = {name: _plain(param) for name, param in vars(value).items() if not name.startswith("_")}
        return {
            "tensor_op_params": params,
            "tensor_op_name": type(value).__name__,
            "python_module": type(value).__module__,
        }
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.name}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Enum) else value


def _restored(value):
    """Return the parameter that `_plain` gave; sequences come back as tuples and members of enumerations as values."""
    if isinstance(value, list):
        return tuple(_restored(item) for item in value)
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(value["array"], plain_dtype(value.get("dtype")))
    if "tensor_op_params" not in value:
        refuse("an operation has no parameters")
    kind = named_class(value.get("python_module"), value.get("tensor_op_name"), ImageOperation)
    return kind.from_json(json.dumps(value["tensor_op_params"]))


class WithChance(ImageOperation):
    """Base of the image operations that change an image with a probability, `prob`, and else return it as it is."""

    deterministic = False

    @checked
    def __init__(self, prob: Probability = 0.5):
        self.prob = prob

    def apply(self, *columns: np.ndarray):
        chance = python_draws().random() < self.prob if self._by_pillow(*columns) else draws().chance(self.prob)
        if len(columns) == 1:
            return super().apply(*columns) if chance else self._left(columns[0])
        check(self.several, f"{type(self).__name__}: takes one column, but got {len(columns)}.", RuntimeError)
        return tuple(super(WithChance, self).apply(image) for image in columns) if chance else columns

    def _left(self, image):
        """The image as it is; RuntimeError for one that could not have been changed."""
        if not self._by_pillow(image):
            array = np.asarray(image)
            self._check(array.reshape(-1, *array.shape[-3:])[0] if self.stacked and array.ndim > 3 else array)
        return image


class DeviceOperation(ImageOperation):
    """Base of the operations that MindSpore can also run on an Ascend device; here they run on the CPU all the same."""

    ascend_interpolation = None  # (attribute, the interpolations that Ascend has)

    @checked
    def device(self, device_target: Literal["CPU", "Ascend"] = "CPU"):
        """Choose the device that runs the operation and return the operation.

        Args:
            device_target (str): "CPU" or "Ascend". Both run on the CPU.

        Raises:
            ValueError: `device_target` is neither.
            RuntimeError: the operation has an interpolation that Ascend does not have.
        """
        if device_target == "Ascend" and self.ascend_interpolation:
            attribute, allowed = self.ascend_interpolation
            names = [mode.name for mode in allowed]
            check(
                getattr(self, attribute) in allowed,
                f"Invalid interpolation mode, only support {', '.join(names[:-1])} and {names[-1]}.",
                RuntimeError,
            )
        self.device_target = device_target
        return self


LINEAR_NEAREST = (Inter.BILINEAR, Inter.NEAREST)
LINEAR_CUBIC_NEAREST = (Inter.BILINEAR, Inter.CUBIC, Inter.NEAREST)


def fix_form(operation: Any, interpolation: Inter):
    """Bind an operation to arrays or to Pillow images where only that library has the interpolation."""
    if interpolation in (Inter.AREA, Inter.PILCUBIC):
        operation.implementation = Implementation.C
    elif interpolation == Inter.ANTIALIAS:
        operation.implementation = Implementation.PY


def pillow_filter(interpolation: Inter):
    """Return Pillow's constant of an interpolation; raises TypeError for those that only arrays have."""
    check(
        interpolation not in (Inter.AREA, Inter.PILCUBIC),
        "Current Interpolation is not supported with PIL input.",
        TypeError,
    )
    return Inter.to_python_type(interpolation)


@functools.cache
def array_filter(interpolation: Inter):
    """The `Inter` for arrays; TypeError for ANTIALIAS, which only Pillow images have."""
    check(interpolation != Inter.ANTIALIAS, "Current Interpolation is not supported with NumPy input.", TypeError)
    return Inter.to_c_type(interpolation)
