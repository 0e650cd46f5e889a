"""Operators that change Tensors and Parameters in place, and those about where and how they lie."""
