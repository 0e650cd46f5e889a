"""One number that grows whenever something changes that a compiled function may depend on: an attribute of a Cell, a training
flag, a Parameter's `requires_grad`. A compiled function whose last check saw the same number need not look again."""

epoch = 0


def touch():
    """Something changed."""
    global epoch
    epoch += 1
