"""Pooling: windows, the functions and Primitives on them, windows of random sizes."""
