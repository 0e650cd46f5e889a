"""This folder stands on PYTHONPATH of the processes that a program under the alias starts; see `sitecustomize.py` in it."""
