"""Sorting, order statistics, searching, counting."""
