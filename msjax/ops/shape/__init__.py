"""Operators that make, join, pad and rearrange Tensors."""
