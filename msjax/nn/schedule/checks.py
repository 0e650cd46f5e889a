"""Checks that both forms of schedule share."""

from ...core.operators import check as checks


def decay(name, learning_rate, decay_rate, is_stair, **counts):
    """Positive floats, positive ints, a bool."""
    for what, value in counts.items():
        checks.check_positive_int(value, what, name)
    for what, value in (("learning_rate", learning_rate), ("decay_rate", decay_rate)):
        checks.check_positive_float(value, what, name)
    checks.check_value_type("is_stair", is_stair, [bool], name)


def plain_float(name, what, value):
    """A float >= 0."""
    if not isinstance(value, float):
        raise TypeError(
            f"For '{name}', the argument '{what}' must be type of float, but got '{what}' type: {type(value)}."
        )
    checks.check_non_negative_float(value, what, name)


def cosine(name, min_lr, max_lr, **counts):
    """0 <= min_lr < max_lr and positive ints."""
    plain_float(name, "min_lr", min_lr)
    checks.check_positive_float(max_lr, "max_lr", name)
    for what, value in counts.items():
        checks.check_positive_int(value, what, name)
    if min_lr >= max_lr:
        raise ValueError(
            f"For '{name}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: "
            f"{max_lr}, 'min_lr' value: {min_lr}."
        )


def polynomial(name, learning_rate, end_learning_rate, power, update, update_name, **counts):
    """Positive rates and power, positive ints, a bool."""
    checks.check_positive_float(learning_rate, "learning_rate", name)
    plain_float(name, "end_learning_rate", end_learning_rate)
    checks.check_positive_float(power, "power", name)
    for what, value in counts.items():
        checks.check_positive_int(value, what, name)
    checks.check_value_type(update_name, update, [bool], name)


def warm_up(name, learning_rate, **counts):
    """A rate >= 0 and positive ints."""
    plain_float(name, "learning_rate", learning_rate)
    for what, value in counts.items():
        checks.check_positive_int(value, what, name)
