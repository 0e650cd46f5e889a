"""Sparse Tensors and the operators on them."""
