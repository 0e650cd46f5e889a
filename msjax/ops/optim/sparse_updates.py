"""Optimizer steps in which only the rows `indices` take part: gradients of equal rows are added first, or steps taken in turn."""

from typing import Annotated, Any

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.program.halves import in_float32
from ...core.spec import Array, Integers, Number, Operand, Shown
from ..shapes import number_of_axes
from .updates import (
    _ftrl,
    adam_step,
    apply_adadelta,
    apply_adagrad,
    apply_adagrad_v2,
    apply_proximal_adagrad,
    apply_rms_prop,
)

_Rate = Annotated[Operand, Shown("Tensor | float")]  # MindSpore blames no number


# --- sparse: only the rows `indices` take part; gradients of equal rows are added first
def _summed(grad, indices, var):
    """(gradient rows added up by their index, mask of the rows that occur)"""
    _fit(grad, indices, var)
    rows = var.shape[0]
    total = in_float32(lambda g: jnp.zeros((rows, *g.shape[1:]), g.dtype).at[indices].add(g), grad)
    present = jnp.zeros((rows,), bool).at[indices].set(True)
    return total, present.reshape((-1,) + (1,) * (grad.ndim - 1))


def _fit(grad, indices, var):
    if grad.shape != (*indices.shape[:1], *var.shape[1:]):
        raise ValueError(
            f"the shape of 'grad' must be that of 'indices' and a row of 'var', {(*indices.shape[:1], *var.shape[1:])}, "
            f"but got {grad.shape}."
        )


def _in_turn(step, state, grad, indices):
    """`step` of each index, one after another: a row that occurs again goes on from what its last step left."""
    _fit(grad, indices, state[0])
    for each in state:
        if not jnp.issubdtype(each.dtype, jnp.floating):
            raise TypeError(f"what is trained must be of a float type, but got {each.dtype}.")

    def one(state, index, row):
        new = step(*(each[index] for each in state), row)
        return tuple(each.at[index].set(value) for each, value in zip(state, new, strict=True))

    def one_by_one(state):
        return lax.scan(lambda state, each: (one(state, *each), None), state, (indices, grad))[0]

    ordered = jnp.sort(indices)
    again = (ordered[1:] == ordered[:-1]).any()
    return lax.cond(again, one_by_one, lambda state: one(state, indices, grad), state)


def _where(present, new, old):
    return tuple(jnp.where(present, n, o) for n, o in zip(new, old))


@op(
    prim=Prim(
        "FusedSparseAdam",
        inputs=("var", "m", "v", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad", "indices"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def fused_sparse_adam(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: _Rate,
    beta2_power: _Rate,
    lr: _Rate,
    beta1: _Rate,
    beta2: _Rate,
    epsilon: _Rate,
    grad: Operand,
    indices: Integers,
    use_locking: bool = False,
    use_nesterov: bool = False,
):
    """The step of Adam with a gradient of some rows; the other rows have gradient 0."""
    total, _ = _summed(grad, indices, var)
    return adam_step(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, total, False, use_nesterov)


@op(
    prim=Prim(
        "FusedSparseLazyAdam",
        inputs=("var", "m", "v", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad", "indices"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def fused_sparse_lazy_adam(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: _Rate,
    beta2_power: _Rate,
    lr: _Rate,
    beta1: _Rate,
    beta2: _Rate,
    epsilon: _Rate,
    grad: Operand,
    indices: Integers,
    use_locking: bool = False,
    use_nesterov: bool = False,
):
    """The step of Adam on some rows; the other rows stay as they are."""
    total, present = _summed(grad, indices, var)
    return _where(
        present,
        adam_step(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, total, False, use_nesterov),
        (var, m, v),
    )


@op(prim=Prim("FusedSparseFtrl", inputs=("var", "accum", "linear", "grad", "indices")), ops=False, writes=(0, 1, 2))
def fused_sparse_ftrl(
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    indices: Integers,
    lr: Number,
    l1: Number,
    l2: Number,
    lr_power: Number,
    use_locking: bool = False,
):
    """The step of FTRL-proximal on some rows; gradients of equal rows are added first."""
    total, present = _summed(grad, indices, var)
    return _where(present, _ftrl(var, accum, linear, total, lr, l1, l2, lr_power), (var, accum, linear))


@op(prim=Prim("SparseApplyFtrl", inputs=("var", "accum", "linear", "grad", "indices")), ops=False, writes=(0, 1, 2))
def sparse_ftrl(
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    indices: Integers,
    lr: Number,
    l1: Number,
    l2: Number,
    lr_power: Number,
    use_locking: bool = False,
):
    """The step of FTRL-proximal on some rows, one after another."""
    return _in_turn(lambda *row: _ftrl(*row, lr, l1, l2, lr_power), (var, accum, linear), grad, indices)


@op(prim=Prim("SparseApplyFtrlV2", inputs=("var", "accum", "linear", "grad", "indices")), ops=False, writes=(0, 1, 2))
def sparse_ftrl_v2(
    var: Array,
    accum: Operand,
    linear: Operand,
    grad: Operand,
    indices: Integers,
    lr: Number,
    l1: Any,
    l2: Any,
    l2_shrinkage: Any,
    lr_power: Any,
    use_locking: bool = False,
):
    """The step of FTRL-proximal with L2 shrinkage on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, _ftrl(var, accum, linear, total, lr, l1, l2, lr_power, l2_shrinkage), (var, accum, linear))


@op(
    prim=(
        Prim("FusedSparseProximalAdagrad", inputs=("var", "accum", "lr", "l1", "l2", "grad", "indices")),
        Prim("SparseApplyProximalAdagrad", inputs=("var", "accum", "lr", "l1", "l2", "grad", "indices")),
    ),
    ops=False,
    writes=(0, 1),
)
def sparse_proximal_adagrad(
    var: Array,
    accum: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    grad: Array,
    indices: Integers,
    use_locking: bool = False,
):
    """The step of proximal Adagrad on some rows."""
    rates = {"lr": lr, "l1": l1, "l2": l2}
    number_of_axes("SparseApplyProximalAdagrad", 0, **{name: jnp.shape(value) for name, value in rates.items()})
    total, present = _summed(grad, indices, var)
    return _where(present, apply_proximal_adagrad(var, accum, lr, l1, l2, total), (var, accum))


@op(prim=Prim("SparseApplyAdagrad", inputs=("var", "accum", "grad", "indices")), ops=False, writes=(0, 1))
def sparse_adagrad(
    var: Array,
    accum: Operand,
    grad: Operand,
    indices: Integers,
    lr: Number,
    update_slots: bool = True,
    use_locking: bool = False,
):
    """The step of Adagrad on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, apply_adagrad(var, accum, lr, total, update_slots), (var, accum))


@op(prim=Prim("SparseApplyAdagradV2", inputs=("var", "accum", "grad", "indices")), ops=False, writes=(0, 1))
def sparse_adagrad_v2(
    var: Array,
    accum: Array,
    grad: Array,
    indices: Integers,
    lr: Number,
    epsilon: Number,
    use_locking: bool = False,
    update_slots: bool = True,
):
    """The step of Adagrad with epsilon on some rows, one after another."""
    return _in_turn(
        lambda var, accum, row: apply_adagrad_v2(var, accum, lr, row, epsilon, update_slots),
        (var, accum),
        grad,
        indices,
    )


@op(
    prim=Prim("SparseApplyAdadelta", inputs=("var", "accum", "accum_update", "lr", "rho", "grad", "indices")),
    ops=False,
    writes=(0, 1, 2),
)
def sparse_adadelta(
    var: Array,
    accum: Array,
    accum_update: Array,
    lr: Operand,
    rho: Operand,
    grad: Array,
    indices: Integers,
    epsilon: Number,
    use_locking: bool = False,
):
    """The step of Adadelta on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(
        present, apply_adadelta(var, accum, accum_update, lr, rho, epsilon, total), (var, accum, accum_update)
    )


@op(prim=Prim("SparseApplyRMSProp", inputs=("var", "ms", "mom", "lr", "grad", "indices")), ops=False, writes=(0, 1, 2))
def sparse_rms_prop(
    var: Array,
    ms: Array,
    mom: Array,
    lr: Operand,
    grad: Array,
    indices: Integers,
    rho: Number,
    momentum: Number,
    epsilon: Number,
    use_locking: bool = False,
):
    """The step of RMSProp on some rows, one after another; as in MindSpore `ms` stays where the gradient is 0."""

    def step(var, ms, mom, row):
        new_var, new_ms, new_mom = apply_rms_prop(var, ms, mom, lr, row, rho, momentum, epsilon)[:3]
        return new_var, jnp.where(row == 0, ms, new_ms), new_mom

    return _in_turn(step, (var, ms, mom), grad, indices)
