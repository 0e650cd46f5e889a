"""Arrays in MATLAB's files, by SciPy."""

import math
import os
from typing import Any

from ...files.archives import TooLarge, unpack_limit
from .base import expect_file


def read_matlab(path: str, what: str, wanted: Any):
    """An array of a MATLAB file; the sizes that the file declares are first compared with their bounds.

    Args:
        path (str): the file. what (str): what was expected there. wanted (str): name of the array.

    Raises:
        RuntimeError: the file is missing, damaged or too large, or has no such array.
    """
    from scipy.io import loadmat, whosmat  # heavy, and only these files need it

    path = expect_file(path, what)
    try:
        sizes = {name: math.prod(shape) for name, shape, _ in whosmat(path)}
        size = os.path.getsize(path)
        if sizes.get(wanted, 0) > unpack_limit(size):
            raise TooLarge(f"its array '{wanted}' has {sizes[wanted]} elements, the file {size} bytes")
        return loadmat(path, variable_names=[wanted])[wanted]
    except Exception as error:  # SciPy raises whatever it meets in a damaged file
        raise RuntimeError(f"Invalid file, {path} is damaged: {what} was expected there ({error!r}).") from error
