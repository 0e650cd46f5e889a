"""Normalisation: kernels, and the functions and Primitives on them."""
