"""What the encoder of a network sees: its size, one request's, and those of several requests as an array of the program."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.values.tensor import Tensor

if TYPE_CHECKING:
    from .network import Network
    from .programs import Programs


def source_of(network: "Network", length: int, size: int | Sequence[int] | None):
    """The array that stands for any input of the encoder, see `Encoded`; None for a decoder alone.

    size: tokens, or the shape of an input of floats; None for `length` tokens.

    Raises:
        TypeError, ValueError: a size that is none, or one for a decoder alone.
    """
    if network.source is None:
        if size is not None:
            raise ValueError(
                f"For 'TextGenerator', the 'source' is for networks with an encoder, whose construct takes 'decoder_input_ids', but {network.name} "
                "takes none."
            )
        return None
    size = length if size is None else size
    whole = (int, np.integer)
    wide = (size,) if isinstance(size, whole) and not isinstance(size, bool) else size
    if not isinstance(wide, (tuple, list)) or not all(isinstance(n, whole) for n in wide) or min(wide, default=0) < 1:
        raise TypeError(
            f"For 'TextGenerator', the 'source' must be a number of tokens or the shape of an input, but got {size!r}."
        )
    return np.zeros((1, *wide), np.int32 if wide is not size else np.float32)


def one_source(source: np.ndarray, given: Any):
    """What one request gives the encoder, as an array without a batch: int32 (tokens,) or float32.

    Raises:
        ValueError: of another kind, longer than what the encoder can have, or of another shape.
    """
    array = given.asnumpy() if isinstance(given, Tensor) else np.asarray(given)
    if source.dtype == np.int32:
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer) or not len(array):
            raise ValueError(
                f"For 'generate', what the encoder sees must be token numbers, int (tokens,), but got shape {array.shape} of {array.dtype}."
            )
        if len(array) > source.shape[1]:
            raise ValueError(
                f"For 'generate', the encoder has at most {source.shape[1]} tokens, but got {len(array)}: make a TextGenerator of a larger 'source'."
            )
        return array.astype(np.int32)
    if array.shape != source.shape[1:]:
        raise ValueError(
            f"For 'generate', what the encoder sees must have the shape {source.shape[1:]}, but got {array.shape}."
        )
    return array.astype(np.float32)


def started(given: Any, start: int | None):
    """The tokens that the decoder begins with, int32 (tokens,): those given, else the network's own first token `start`.

    Raises:
        ValueError: both are None, or what is given is not a list of tokens.
    """
    if given is None:
        if start is None:
            raise ValueError(
                "For 'generate', the network does not say what its decoder begins with: give 'decoder_input_ids'."
            )
        given = [start]
    array = given.asnumpy() if isinstance(given, Tensor) else np.asarray(given)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer) or not len(array):
        raise ValueError(
            f"For 'generate', the 'decoder_input_ids' must be token numbers, int (tokens,), but got shape {array.shape} of {array.dtype}."
        )
    return array.astype(np.int32)


def padded_sources(programs: "Programs", sources: Mapping[int, np.ndarray], rows: int):
    """{"source": (rows, ...)}, with "mask" (rows, tokens) int32 where it is tokens, of what some rows give the encoder; the others see padding."""
    like = programs.spelling.source
    if like.dtype != np.int32:
        made = np.zeros((rows, *like.shape[1:]), np.float32)
        for row, array in sources.items():
            made[row] = array
        return {"source": made}
    width = programs.source_length(max(map(len, sources.values())))
    made, mask = np.zeros((rows, width), np.int32), np.zeros((rows, width), np.int32)
    mask[:, 0] = 1  # a row that all is hidden from has no softmax
    for row, array in sources.items():
        made[row, : len(array)], mask[row, : len(array)] = array, 1
    return {"source": made, "mask": mask}
