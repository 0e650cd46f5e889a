"""Losses as operators."""
