"""Reductions and running reductions over axes."""
