"""Shared code of the audio operations: accepted arrays, and the dtype of the computation."""

import numpy as np

from ..check import check
from ..operation import Operation


class AudioOperation(Operation):
    """Base of the audio operations; a subclass defines `compute(audio)`.

    Attributes:
        rank: the least number of dimensions of the input.
        complex_input: the last dimension holds real and imaginary part.
        floats_only: integers and bools are refused.
        same_dtype: the result has the dtype of the input; otherwise float64 stays and the rest becomes float32.
        arrays_only: called eagerly, only numpy.ndarray is accepted.
    """

    rank = 1
    complex_input = False
    floats_only = False
    same_dtype = False
    arrays_only = True

    def __call__(self, *columns):
        """Runs the operation eagerly on one audio array."""
        for column in columns if self.arrays_only else ():
            check(isinstance(column, np.ndarray), f"Input should be NumPy audio, got {type(column)}.", TypeError)
        return super().__call__(*columns)

    def apply(self, *columns):
        """Checks the input and computes."""
        name = type(self).__name__
        check(
            len(columns) == 1, f"{name}: the number of input columns should be 1, but got {len(columns)}.", RuntimeError
        )
        (audio,) = columns
        check(
            audio.dtype.kind in ("f" if self.floats_only else "fiub"),
            f"{name}: the data type of input tensor does not match the requirement of operator. Expecting tensor in "
            f"type of {'[float, double]' if self.floats_only else '[int, float, double]'}. But got type {audio.dtype}.",
            RuntimeError,
        )
        check(
            audio.ndim >= self.rank and (not self.complex_input or audio.shape[-1] == 2),
            f"{name}: the shape of input tensor does not match the requirement of operator. Expecting tensor in shape "
            f"of <..., {'complex=2' if self.complex_input else 'time'}> with at least {self.rank} dimension(s). But "
            f"got tensor with shape {list(audio.shape)}.",
            RuntimeError,
        )
        if not self.same_dtype:
            audio = audio.astype(working_dtype(audio), copy=False)
        return self.compute(audio)

    def compute(self, audio: np.ndarray):
        """The work on an accepted array."""
        raise NotImplementedError(f"{type(self).__name__} has to implement compute().")


def working_dtype(audio: np.ndarray):
    """float64 stays float64, everything else is computed in float32."""
    return np.dtype(np.float64 if audio.dtype == np.float64 else np.float32)


def rows(audio: np.ndarray, inner: int = 1):
    """`audio` with all but its last `inner` dimensions folded into one."""
    return audio.reshape((-1,) + audio.shape[audio.ndim - inner :])
