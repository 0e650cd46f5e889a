"""`mindspore.hypercomplex`, layers of numbers with two parts that MindSpore had from 2.0 to 2.2: refused when one is made."""

from .inner import find, names

__all__ = [*names("hypercomplex"), "get_x_and_y"]
globals().update({name: find("mindspore.hypercomplex", name) for name in names("hypercomplex")})


def get_x_and_y(x):
    """Both parts of a Tensor whose first axis has two places."""
    return x[0], x[1]
