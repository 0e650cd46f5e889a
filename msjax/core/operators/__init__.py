"""Operators as records: registration, faces, Primitives, argument checks, dispatch."""
