"""Operators on elements: arithmetic, comparison, conversion, mathematics."""
