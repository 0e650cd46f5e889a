"""Activation functions, and their in-place forms."""
