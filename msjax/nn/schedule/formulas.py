"""The decay formulas, once for both forms of schedule: `dynamic_lr` evaluates them in Python,
`learning_rate_schedule` on the device.

`p` is the progress in units of the decay time, `t` the time; `exp` and `cos` are those of the math module or of JAX.
"""

import math


def exponential(rate, decay, p):
    """rate * decay ** p"""
    return rate * decay**p


def inverse(rate, decay, p):
    """rate / (1 + decay * p)"""
    return rate / (1 + decay * p)


def natural(rate, decay, t, exp):
    """rate * e ** (-decay * t)"""
    return rate * exp(-decay * t)


def cosine(low, high, p, cos):
    """From high to low along half a cosine."""
    return low + 0.5 * (high - low) * (1.0 + cos(math.pi * p))


def polynomial(start, end, p, power):
    """(start - end) * (1 - p) ** power + end"""
    return (start - end) * (1.0 - p) ** power + end
