"""Numbers that change whenever something changes that a compiled function may depend on. A compiled function whose last check saw the
same number need not look again.

They are the process's, as Cells and Parameters are. Who changes something does so first and then takes a number; who checks reads the
number first and then looks. No number is given twice: with `epoch += 1` a thread that is slow to store its sum would bring a number
back that a check has seen, and the next change would have the number of that check.
"""

import itertools

_numbers = itertools.count(1)

epoch = 0  # structure and flags of a Cell, a Parameter's `requires_grad`, settings
attributes = 0  # plain attributes of Cells


def new_number():
    """A number that was never given before."""
    return next(_numbers)


def touch():
    """Something changed."""
    global epoch
    epoch = new_number()


def touch_attribute():
    """A plain attribute of a Cell was set."""
    global attributes
    attributes = new_number()
