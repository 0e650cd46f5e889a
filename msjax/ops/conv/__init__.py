"""Convolution: kernels, the functions and Primitives on them, windows as columns."""
