"""The mathematics of the optimizers: one optax transformation each, on lists of arrays.

A Rule's state is a named tuple; its fields are the attributes under which the optimizer keeps the same state as
Parameters. `step` gives the new parameters and state, `update` the difference, as optax wants it. The step of one
parameter is the operator of the same optimizer in `ops.updates`; only what has no operator is written out here. Numbers
are rounded to float32 first, as MindSpore's kernels take them: 1 - 0.999 is 1.3e-5 off in float32, and that shows after
a few steps.
"""

import collections
import functools
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ...ops.optim.updates import (
    adam_step,
    adam_weight_decay_step,
    apply_ada_max,
    apply_adadelta,
    apply_adagrad,
    apply_adam_with_amsgrad_v2,
    apply_centered_rms_prop,
    apply_ftrl,
    apply_momentum,
    apply_proximal_adagrad,
    apply_rms_prop,
    sgd_step,
)


class Rule(NamedTuple):
    """init(params), step(params, gradients, state, rates), and the class of the state."""

    init: object
    step: object
    state: type

    def update(self, gradients, state, params, *, learning_rate):
        """Changes of the parameters, and the new state."""
        new, state = self.step(params, gradients, state, learning_rate)
        return [n - p for n, p in zip(new, params)], state


@functools.cache
def _state_class(fields):
    return collections.namedtuple("State", fields)


def elementwise(step, fields, shared=None, options=None):
    """The Rule of a step that treats each parameter by itself.

    step(param, gradient, rate, *state[, option], **shared) gives (new param, *new state). fields: {state name: its
    first value, a function of the parameter}. shared: {state name: (first value, function to the next one)}, scalars
    that all parameters have in common and that advance before the step. options: one more argument of `step` for each
    parameter.
    """
    shared = shared or {}
    state_class = _state_class((*shared, *fields))

    def init(params):
        return state_class(
            *[jnp.asarray(first) for first, _ in shared.values()],
            *[[make(p) for p in params] for make in fields.values()],
        )

    def advance(params, gradients, state, rates):
        common = {name: move(getattr(state, name)) for name, (_, move) in shared.items()}
        columns = [getattr(state, name) for name in fields]
        if options is not None:
            columns.append(options if len(options) == len(params) else [options[0]] * len(params))
        rows = [
            step(p, g.astype(p.dtype), r.astype(p.dtype), *rest, **common)
            for p, g, r, *rest in zip(params, gradients, rates, *columns)
        ]
        new, *lists = map(list, zip(*rows))
        return new, state_class(*common.values(), *lists)

    return Rule(init, advance, state_class)


def only_rows(rule, rows):
    """A Rule that changes only some rows of some parameters: rows[i] is a bool array over the first axis, or None for
    all of them."""

    def chosen(masks, new, old):
        return [
            n if m is None else jnp.where(m.reshape((-1,) + (1,) * (n.ndim - 1)), n, o)
            for m, n, o in zip(masks, new, old)
        ]

    def step(params, gradients, state, rates):
        new, after = rule.step(params, gradients, state, rates)
        after = [chosen(rows, n, o) if isinstance(n, list) else n for n, o in zip(after, state)]
        return chosen(rows, new, params), rule.state(*after)

    return Rule(rule.init, step, rule.state)


def filled(value):
    """First state: an array like the parameter, full of one number."""
    return lambda param: jnp.full_like(param, value)


zeros, ones = filled(0), filled(1)


def _same(value):
    return value


def _times(factor):
    # A power is positive; abs has it rounded before 1 - power is taken, as MindSpore does. Without, LLVM contracts
    # product and difference (past barriers and reduce_precision), and the step is up to 7e-6 off.
    return lambda power: jnp.abs(power * np.float32(factor))


def _powers(beta1, beta2):
    """beta ** step of Adam's two betas, as shared state."""
    return {"beta1_power": (np.float32(1), _times(beta1)), "beta2_power": (np.float32(1), _times(beta2))}


def _f32(*numbers):
    return [np.float32(n) for n in numbers]


def momentum(use_nesterov, initial, absent=False):
    """Momentum (Sutskever et al., 2013): v = momentum v + g; p -= lr v, with Nesterov p -= lr (g + momentum v).

    absent: the momentum is known to be 0, so v is written and never read.
    """

    def step(p, g, r, v, *, momentum):
        if absent:
            return p - r * g, g
        return apply_momentum(p, v, r, g, momentum, use_nesterov=use_nesterov)[:2]

    return elementwise(step, {"moments": zeros}, {"momentum": (np.float32(initial), _same)})


def sgd(dampening, nesterov, initial, absent=False):
    """SGD with momentum and dampening. `stat` is 1 until a Parameter's first step, in which the accumulator takes the
    gradient undamped. absent: the momentum is known to be 0, which leaves the state alone."""

    def step(p, g, r, accum, stat, *, momentum):
        if absent:
            return p - r * g, accum, stat
        return sgd_step(p, g, r, accum, momentum, stat, dampening, 0.0, nesterov)[:3]

    return elementwise(step, {"accum": zeros, "stat": ones}, {"momentum": (np.float32(initial), _same)})


def adam(beta1, beta2, eps, use_nesterov=False):
    """Adam (Kingma and Ba, 2015) with epsilon added to sqrt(v) before the bias correction, as MindSpore's kernel has
    it."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, v, *, beta1_power, beta2_power):
        return adam_step(p, m, v, beta1_power, beta2_power, r, beta1, beta2, eps, g, use_nesterov=use_nesterov)

    return elementwise(step, {"moment1": zeros, "moment2": zeros}, _powers(beta1, beta2))


def amsgrad(beta1, beta2, eps):
    """Adam that divides by the largest second moment so far (Reddi et al., 2018)."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, v, top, *, beta1_power, beta2_power):
        return apply_adam_with_amsgrad_v2(p, m, v, top, beta1_power, beta2_power, r, beta1, beta2, eps, g)

    return elementwise(step, {"moment1": zeros, "moment2": zeros, "vhat": zeros}, _powers(beta1, beta2))


def _float32_zeros(param):
    return jnp.zeros(param.shape, jnp.float32)


def adam_weight_decay(beta1, beta2, eps, decays):
    """Adam without bias correction, with decoupled weight decay (Loshchilov and Hutter, 2019), as BERT trains.

    decays: weight decay of each parameter (scalar arrays).
    """
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, v, decay):
        return adam_weight_decay_step(p, m, v, r, beta1, beta2, eps, decay, g)

    return elementwise(step, {"moments1": _float32_zeros, "moments2": _float32_zeros}, options=decays)


def adamax(beta1, beta2, eps):
    """AdaMax (Kingma and Ba, 2015): the second moment is a decaying maximum."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, v, *, beta1_power):
        return apply_ada_max(p, m, v, beta1_power, r, beta1, beta2, eps, g)

    return elementwise(step, {"moment1": zeros, "moment2": zeros}, {"beta1_power": (np.float32(1), _times(beta1))})


def adagrad(accum, update_slots):
    """Adagrad (Duchi et al., 2011): accum += g ** 2; p -= lr g / sqrt(accum)."""

    def step(p, g, r, total):
        return apply_adagrad(p, total, r, g, update_slots)

    return elementwise(step, {"accum": filled(accum)})


def adadelta(rho, epsilon):
    """Adadelta (Zeiler, 2012)."""
    rho, epsilon = _f32(rho, epsilon)

    def step(p, g, r, accum, accum_update):
        return apply_adadelta(p, accum, accum_update, r, rho, epsilon, g)

    return elementwise(step, {"accum": zeros, "accum_update": zeros})


def rmsprop(decay, momentum, epsilon, centered):
    """RMSProp (Hinton, 2012) with momentum; centered, the gradient's variance takes the place of its mean square."""
    decay, momentum, epsilon = _f32(decay, momentum, epsilon)

    def past(moment):
        """The last change, which a momentum of 0 need not read."""
        return moment if momentum else jnp.zeros((), moment.dtype)

    def plain(p, g, r, square, moment):
        return apply_rms_prop(p, square, past(moment), r, g, decay, momentum, epsilon)[:3]

    def on_variance(p, g, r, mean, square, moment):
        return apply_centered_rms_prop(p, mean, square, past(moment), g, r, decay, momentum, epsilon)[:4]

    if centered:
        return elementwise(on_variance, {"mg": zeros, "ms": ones, "moment": zeros})
    return elementwise(plain, {"ms": ones, "moment": zeros})


def ftrl(initial_accum, lr_power, l1, l2):
    """FTRL-proximal (McMahan et al., 2013)."""
    power, l1, l2 = _f32(lr_power, l1, l2)

    def step(p, g, r, accum, linear):
        return apply_ftrl(p, accum, linear, g, r, l1, l2, power)[:3]

    return elementwise(step, {"moments": filled(initial_accum), "linear": zeros})


def proximal_adagrad(accum, l1, l2):
    """Proximal Adagrad (Duchi and Singer, 2009), with L1 and L2 regularization."""
    l1, l2 = _f32(l1, l2)

    def step(p, g, r, total):
        return apply_proximal_adagrad(p, total, r, l1, l2, g)

    return elementwise(step, {"accum": filled(accum)})


def counted(field):
    """Shared state: the number of the step, int32."""
    return {field: (np.int32(0), lambda n: n + np.int32(1))}


def lamb(beta1, beta2, eps, decays):
    """LAMB (You et al., 2020): Adam's direction plus weight decay, scaled to the norm of the parameter."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)
    one = np.float32(1)

    def step(p, g, r, m, v, decay, *, global_step):
        count = global_step.astype(jnp.float32)
        m = beta1 * m + (one - beta1) * g
        v = beta2 * v + (one - beta2) * g * g
        direction = m / (one - beta1**count) / (jnp.sqrt(v / (one - beta2**count)) + eps)
        direction = direction + decay.astype(p.dtype) * p
        size, length = jnp.sqrt(jnp.sum(p * p)), jnp.sqrt(jnp.sum(direction * direction))
        ratio = jnp.where((size > 0) & (length > 0), size / jnp.where(length > 0, length, 1), 1)
        return p - r * ratio * direction, m, v

    return elementwise(step, {"moments1": zeros, "moments2": zeros}, counted("global_step"), options=decays)


def asgd(lambd, alpha, t0, counter="global_step"):
    """Averaged SGD (Polyak and Juditsky, 1992): `ax` is the running mean of the parameter after `t0` steps. counter:
    field of the step's number."""
    lambd, alpha, t0 = _f32(lambd, alpha, t0)
    one = np.float32(1)

    def scalar(value):
        return lambda param: jnp.float32(value)

    def step(p, g, r, mu, eta, ax, **shared):
        count = shared[counter].astype(jnp.float32)
        eta = jnp.where(count == 1, r, eta)
        p = p * (one - lambd * eta) - eta * g
        ax = jnp.where(mu != 1, ax + (p - ax) * mu, p)
        return p, one / jnp.maximum(one, count - t0), r / (one + lambd * r * count) ** alpha, ax

    return elementwise(step, {"mu": scalar(1), "eta": scalar(0), "ax": zeros}, counted(counter))


def rprop(eta_minus, eta_plus, smallest, largest, counter="global_step"):
    """Rprop (Riedmiller and Braun, 1993): steps that grow while a gradient keeps its sign, and shrink when it turns."""
    eta_minus, eta_plus, smallest, largest = _f32(eta_minus, eta_plus, smallest, largest)

    def step(p, g, r, previous, size, **shared):
        size = jnp.where(shared[counter] == 1, jnp.ones_like(size) * r, size)
        turn = jnp.sign(g * previous)
        size = jnp.clip(
            size * jnp.where(turn > 0, eta_plus, jnp.where(turn < 0, eta_minus, np.float32(1))), smallest, largest
        )
        g = jnp.where(turn < 0, jnp.zeros_like(g), g)
        return p - jnp.sign(g) * size, g, size

    return elementwise(step, {"prev": zeros, "step_size": zeros}, counted(counter))


class AdaFactorOptions(NamedTuple):
    """What nn.AdaFactor is given."""

    eps: tuple
    clip_threshold: float
    decay_rate: float
    beta1: float
    weight_decay: float
    scale_parameter: bool
    relative_step: bool
    warmup_init: bool
    compression: bool


def adafactor(options):
    """AdaFactor (Shazeer and Stern, 2018): second moments of matrices are kept as their row and column means."""
    eps, floor = _f32(*options.eps)
    one = np.float32(1)

    def rms(x):
        return jnp.sqrt(jnp.mean(x * x))

    def kept(of_matrix, of_vector, half=False):
        def make(p):
            shape = of_matrix(p.shape) if p.ndim > 1 else of_vector(p.shape)
            return jnp.zeros(shape, jnp.float16 if half and options.compression and p.ndim < 2 else p.dtype)

        return make

    def step(p, g, rate, mean, row, column, square, *, step):
        count = step.astype(p.dtype)
        if options.relative_step:
            rate = jnp.minimum(
                np.float32(1e-6) * count if options.warmup_init else np.float32(0.01), one / jnp.sqrt(count)
            )
        if options.scale_parameter:
            rate = rate * jnp.maximum(floor, rms(p))
        beta2 = one - count ** np.float32(-options.decay_rate)
        energy = g * g + eps
        if p.ndim > 1:
            row = row * beta2 + jnp.mean(energy, axis=-1) * (one - beta2)
            column = column * beta2 + jnp.mean(energy, axis=-2) * (one - beta2)
            scale = (one / jnp.sqrt(row / jnp.mean(row, axis=-1, keepdims=True)))[..., None] * (one / jnp.sqrt(column))[
                ..., None, :
            ]
        else:
            square = (square.astype(p.dtype) * beta2 + energy * (one - beta2)).astype(square.dtype)
            scale = one / jnp.sqrt(square.astype(p.dtype))
        change = scale * g
        change = change / jnp.maximum(rms(change) / np.float32(options.clip_threshold), one) * rate
        if options.beta1 > 0:
            change = mean = mean * np.float32(options.beta1) + change * np.float32(1 - options.beta1)
        if options.weight_decay:
            p = p - p * np.float32(options.weight_decay) * rate
        return p - change, mean, row, column, square

    fields = {
        "exp_avg": zeros if options.beta1 > 0 else (lambda p: jnp.float32(0)),
        "exp_avg_sq_row": kept(lambda s: s[:-1], lambda s: (1,)),
        "exp_avg_sq_col": kept(lambda s: s[:-2] + s[-1:], lambda s: (1,)),
        "exp_avg_sq": kept(lambda s: (1,), lambda s: s, half=True),
    }
    return elementwise(step, fields, {"step": (np.float32(0), lambda n: n + one)})
