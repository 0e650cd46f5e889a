"""`mindspore.hypercomplex`: layers of numbers with two parts (complex, double and dual), which MindSpore had from 2.0 to 2.2.

A number is a Tensor whose first axis has two places, or, where the numbers are complex, a complex64 Tensor.
"""

from . import complex, double, dual

__all__ = ["complex", "double", "dual"]
