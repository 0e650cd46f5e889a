"""The check that both forms of schedule share."""


def rising(name, min_lr, max_lr):
    """ValueError unless min_lr < max_lr."""
    if min_lr >= max_lr:
        raise ValueError(
            f"For '{name}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: "
            f"{max_lr}, 'min_lr' value: {min_lr}."
        )
