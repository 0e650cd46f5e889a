"""Numbers that grow whenever something changes that a compiled function may depend on. A compiled function whose last check saw the
same number need not look again."""

epoch = 0  # structure and flags of a Cell, a Parameter's `requires_grad`, settings
attributes = 0  # plain attributes of Cells


def touch():
    """Something changed."""
    global epoch
    epoch += 1


def touch_attribute():
    """A plain attribute of a Cell was set."""
    global attributes
    attributes += 1
