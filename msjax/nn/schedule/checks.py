"""The check that both forms of schedule share."""

from typing import Any


def rising(name: str, min_lr: Any, max_lr: float):
    """ValueError unless min_lr < max_lr."""
    if min_lr >= max_lr:
        raise ValueError(
            f"For '{name}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: "
            f"{max_lr}, 'min_lr' value: {min_lr}."
        )
