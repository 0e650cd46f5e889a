"""One layer of a recurrent network in one direction: LSTM, GRU and the plain RNN. `nn.LSTM` and the fused Primitives are made of these.

The products with the input run as one matrix product before the loop over time, and so does the gradient of the recurrent weight after it (a
custom gradient; 1.3 times faster than JAX's own for an LSTM). The LSTM keeps its four gates as one packed array, the others keep their states
only and compute the gates again.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.settings.context import present_device
from ...core.spec import Array, Operand


# --- time and lengths
def _mask(x, seq_length):
    """(T, B, 1) bool: whether step t lies within the length of the sequence; None without lengths."""
    if seq_length is None:
        return None
    return (jnp.arange(x.shape[0], dtype=seq_length.dtype)[:, None] < seq_length[None, :])[..., None]


def reversed_in_time(x: jax.Array, seq_length: Any):
    """Each sequence of (T, B, ...) in reverse order; elements beyond its length stay."""
    if seq_length is None:
        return jnp.flip(x, 0)
    steps = jnp.arange(x.shape[0], dtype=seq_length.dtype)[:, None]
    index = jnp.where(steps < seq_length, seq_length - 1 - steps, steps)
    return jnp.take_along_axis(x, index.reshape(*index.shape, *(1,) * (x.ndim - 2)), 0)


def _select(mask, new, old):
    return new if mask is None else jnp.where(mask, new, old)


def _input_product(x, w_ih, bias):
    """(T, B, I) to (T, B, gates), as one matrix product."""
    z = (x.reshape(-1, x.shape[-1]) @ w_ih.T).reshape(*x.shape[:2], w_ih.shape[0])
    return z if bias is None else z + bias


def _input_gradients(x, w_ih, dz):
    """Gradients of x and w_ih, given that of the product."""
    return (dz.reshape(-1, dz.shape[-1]) @ w_ih).reshape(x.shape), _columns_gradient(dz, x)


def _previous(first, values):
    """The values one step earlier, from `first` on."""
    return jnp.concatenate([first[None], values[:-1]], 0)


def _columns_gradient(dz, left):
    """dz^T left, summed over time and batch.

    As (left^T dz)^T with the small array turned beforehand: XLA's CPU product is twice as slow when it has to turn the large one itself.
    """
    turned = lax.optimization_barrier(left.reshape(-1, left.shape[-1]).T)
    return lax.optimization_barrier(turned @ dz.reshape(-1, dz.shape[-1])).T


def _bias_gradient(bias, dz):
    return None if bias is None else dz.sum((0, 1))


# --- LSTM
@jax.custom_vjp
def _lstm(x, h, c, w_ih, w_hh, bias, mask):
    return _lstm_run(x, h, c, w_ih, w_hh, bias, mask)[0]


def _scan_packed(body, state, packed, others, keep=True, reverse=False):
    """(state, new packed, outs): `lax.scan` of `body(state, row, *other) -> (state, new row, out)` over the rows of `packed`.

    On the CPU the new rows overwrite the old ones: fresh memory costs more there than the arithmetic. keep: whether the new rows are of use.
    """
    if not keep or present_device() != "CPU":

        def step(state, inputs):
            state, row, out = body(state, *inputs)
            return state, (row if keep else None, out)

        state, (packed, outs) = lax.scan(step, state, (packed, *others), reverse=reverse)
        return state, packed, outs

    def step_in_place(carry, inputs):
        (state, packed), (t, *other) = carry, inputs
        # a condition that always holds: XLA would read the row in several fused loops, and copy all of `packed` to have it whole for them
        row = lax.cond(
            t < packed.shape[0], lambda: lax.dynamic_index_in_dim(packed, t, keepdims=False), lambda: packed[0]
        )
        state, row, out = body(state, row, *other)
        return (state, lax.dynamic_update_index_in_dim(packed, row, t, 0)), out

    steps = jnp.arange(packed.shape[0], dtype=jnp.int32)
    (state, packed), outs = lax.scan(step_in_place, (state, packed), (steps, *others), reverse=reverse)
    return state, packed, outs


def _lstm_run(x, h, c, w_ih, w_hh, bias, mask, keep=False):
    """((outputs, h_n, c_n), (gates (T, B, 4H), cells before each step (T, B, H))); the latter two are of use only where `keep`.

    The gates take the place of the products with the input; the loop adds the bias, which saves a pass over these.
    """
    recurrent = w_hh.T
    half, one = jnp.full((h.shape[1],), 0.5, x.dtype), jnp.ones((h.shape[1],), x.dtype)
    scale, shift = jnp.concatenate([half, half, one, half]), jnp.concatenate([half, half, 0 * one, half])

    def step(state, z, m):
        h, c = state
        z = z + h @ recurrent
        z = z if bias is None else z + bias
        gates = jnp.tanh(z * scale) * scale + shift  # all four in one loop: logistic(z) = tanh(z / 2) / 2 + 1 / 2
        i, f, g, o = jnp.split(gates, 4, 1)
        new_c = f * c + i * g
        new_h = o * jnp.tanh(new_c)
        return (_select(m, new_h, h), _select(m, new_c, c)), gates, (_select(m, new_h, jnp.zeros_like(new_h)), c)

    (h_n, c_n), gates, (out, cells) = _scan_packed(step, (h, c), _input_product(x, w_ih, None), (mask,), keep)
    return (out, h_n, c_n), (gates, cells)


def _lstm_forward(x, h, c, w_ih, w_hh, bias, mask):
    result, (gates, cells) = _lstm_run(x, h, c, w_ih, w_hh, bias, mask, keep=True)
    return result, (x, h, w_ih, w_hh, bias, mask, gates, cells, result[0])


def _lstm_backward(saved, cotangents):
    x, h, w_ih, w_hh, bias, mask, gates, cells, out = saved
    dout, dh_n, dc_n = cotangents

    def step(state, gates, c, dout, m):
        dh, dc = state
        i, f, g, o = jnp.split(gates, 4, 1)
        tanh_c = jnp.tanh(f * c + i * g)
        dh_new, dc_new = _select(m, dh + dout, jnp.zeros_like(dh)), _select(m, dc, jnp.zeros_like(dc))
        dc_new = dc_new + dh_new * o * (1 - tanh_c * tanh_c)
        dz = jnp.concatenate(
            [
                dc_new * g * i * (1 - i),
                dc_new * c * f * (1 - f),
                dc_new * i * (1 - g * g),
                dh_new * tanh_c * o * (1 - o),
            ],
            1,
        )
        before = dz @ w_hh, dc_new * f
        if m is not None:
            before = before[0] + jnp.where(m, 0, dh), before[1] + jnp.where(m, 0, dc)
        return before, dz, None

    (dh, dc), dz, _ = _scan_packed(step, (dh_n, dc_n), gates, (cells, dout, mask), reverse=True)
    dx, dw_ih = _input_gradients(x, w_ih, dz)
    return dx, dh, dc, dw_ih, _columns_gradient(dz, _previous(h, out)), _bias_gradient(bias, dz), None


_lstm.defvjp(_lstm_forward, _lstm_backward)


@op(ops=False, residuals=True)
def lstm_layer(
    x: Array,
    h: Operand,
    c: Operand,
    w_ih: Operand,
    w_hh: Operand,
    b_ih: Operand | None = None,
    b_hh: Operand | None = None,
    seq_length: Operand | None = None,
    backwards: bool = False,
):
    """(outputs (T, B, H), h_n, c_n) of an LSTM layer (Hochreiter and Schmidhuber, 1997; gates i, f, g, o in this order).

    x (T, B, I); h, c (B, H); w_ih (4H, I); w_hh (4H, H); biases (4H,) or None; seq_length (B,): steps behind it give zeros and leave the state.
    `backwards` goes from the last step to the first.
    """
    x, h, c, w_ih, w_hh, b_ih, b_hh = _one_dtype(x, h, c, w_ih, w_hh, b_ih, b_hh)
    x = reversed_in_time(x, seq_length) if backwards else x
    out, h_n, c_n = _lstm(x, h, c, w_ih, w_hh, None if b_ih is None else b_ih + b_hh, _mask(x, seq_length))
    return reversed_in_time(out, seq_length) if backwards else out, h_n, c_n


@op(ops=False)
def projected_lstm_layer(
    x: Array,
    h: Array,
    c: Array,
    w_ih: Array,
    w_hh: Array,
    w_hr: Array,
    bias: Operand | None = None,
    backwards: bool = False,
):
    """(outputs (T, B, P), h_n, c_n) of an LSTM layer whose output is projected from H to P (Sak, Senior and Beaufays, 2014).

    x (T, B, I); h (B, P); c (B, H); w_ih (4H, I); w_hh (4H, P); w_hr (P, H); bias (4H,) or None.
    """

    def step(state, z):
        h, c = state
        i, f, g, o = jnp.split(z + h @ w_hh.T, 4, 1)
        c = lax.logistic(f) * c + lax.logistic(i) * jnp.tanh(g)
        h = (lax.logistic(o) * jnp.tanh(c)) @ w_hr.T
        return (h, c), h

    products = x @ w_ih.T if bias is None else x @ w_ih.T + bias
    (h, c), out = lax.scan(step, (h, c), products, reverse=backwards)
    return out, h, c


def _one_dtype(x, *others):
    return [x, *[None if v is None else v.astype(x.dtype) for v in others]]


# --- GRU and RNN: a cell maps (its input product, its recurrent product, h) to the new h, elementwise
def _gru_cell(zx, zh, h):
    r, i, n = jnp.split(zx, 3, 1)
    r_h, i_h, n_h = jnp.split(zh, 3, 1)
    n = jnp.tanh(n + lax.logistic(r + r_h) * n_h)
    return n + lax.logistic(i + i_h) * (h - n)


_CELLS = {
    "gru": _gru_cell,
    "tanh": lambda zx, zh, h: jnp.tanh(zx + zh),
    "relu": lambda zx, zh, h: jnp.maximum(zx + zh, 0),
}


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _simple(kind, x, h, w_ih, w_hh, b_ih, b_hh, mask):
    return _simple_run(kind, x, h, w_ih, w_hh, b_ih, b_hh, mask)[0]


def _simple_run(kind, x, h, w_ih, w_hh, b_ih, b_hh, mask):
    """((outputs, h_n), (input products, recurrent products))"""
    cell, zx, recurrent = _CELLS[kind], _input_product(x, w_ih, b_ih), w_hh.T

    def step(h, inputs):
        zx, m = inputs
        zh = h @ recurrent if b_hh is None else h @ recurrent + b_hh
        new = cell(zx, zh, h)
        return _select(m, new, h), (_select(m, new, jnp.zeros_like(new)), zh)

    h_n, (out, zh) = lax.scan(step, h, (zx, mask))
    return (out, h_n), (zx, zh)


def _simple_forward(kind, x, h, w_ih, w_hh, b_ih, b_hh, mask):
    result, products = _simple_run(kind, x, h, w_ih, w_hh, b_ih, b_hh, mask)
    return result, (x, h, w_ih, w_hh, b_ih, b_hh, mask, products, result[0])


def _simple_backward(kind, saved, cotangents):
    x, h, w_ih, w_hh, b_ih, b_hh, mask, (zx, zh), out = saved
    before = _previous(h, out)

    def step(dh, inputs):
        zx, zh, h, dout, m = inputs
        _, pull = jax.vjp(_CELLS[kind], zx, zh, h)
        dzx, dzh, dh_before = pull(_select(m, dh + dout, jnp.zeros_like(dh)))
        dh_before = dh_before + dzh @ w_hh
        return dh_before if m is None else dh_before + jnp.where(m, 0, dh), (dzx, dzh)

    dh, (dzx, dzh) = lax.scan(step, cotangents[1], (zx, zh, before, cotangents[0], mask), reverse=True)
    dx, dw_ih = _input_gradients(x, w_ih, dzx)
    return dx, dh, dw_ih, _columns_gradient(dzh, before), _bias_gradient(b_ih, dzx), _bias_gradient(b_hh, dzh), None


_simple.defvjp(_simple_forward, _simple_backward)


def _simple_layer(kind, x, h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards):
    x, h, w_ih, w_hh, b_ih, b_hh = _one_dtype(x, h, w_ih, w_hh, b_ih, b_hh)
    x = reversed_in_time(x, seq_length) if backwards else x
    out, h_n = _simple(kind, x, h, w_ih, w_hh, b_ih, b_hh, _mask(x, seq_length))
    return reversed_in_time(out, seq_length) if backwards else out, h_n


@op(ops=False, residuals=True)
def gru_layer(
    x: Array,
    h: Operand,
    w_ih: Operand,
    w_hh: Operand,
    b_ih: Operand | None = None,
    b_hh: Operand | None = None,
    seq_length: Operand | None = None,
    backwards: bool = False,
):
    """(outputs (T, B, H), h_n) of a GRU layer (Cho et al., 2014; gates r, z, n in this order); arguments as for
    `lstm_layer`.
    """
    return _simple_layer("gru", x, h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards)


@op(ops=False, residuals=True)
def rnn_layer(
    x: Array,
    h: Operand,
    w_ih: Operand,
    w_hh: Operand,
    b_ih: Operand | None = None,
    b_hh: Operand | None = None,
    seq_length: Operand | None = None,
    backwards: bool = False,
    nonlinearity: str = "tanh",
):
    """(outputs (T, B, H), h_n) of a plain recurrent layer (Elman, 1990), h = tanh or relu of the products; arguments
    as for `lstm_layer`.
    """
    return _simple_layer(nonlinearity, x, h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards)


# --- single steps
def _products(x, h, w_ih, w_hh, b_ih, b_hh):
    zx, zh = x @ w_ih.T, h @ w_hh.T
    return (zx, zh) if b_ih is None else (zx + b_ih, zh + b_hh)


@op(ops=False, residuals=True)
def lstm_step(
    x: Array,
    h: Operand,
    c: Operand,
    w_ih: Operand,
    w_hh: Operand,
    b_ih: Operand | None = None,
    b_hh: Operand | None = None,
):
    """(h, c) after one step of an LSTM on x (B, I)."""
    i, f, g, o = jnp.split(sum(_products(x, h, w_ih, w_hh, b_ih, b_hh)), 4, 1)
    c = lax.logistic(f) * c + lax.logistic(i) * jnp.tanh(g)
    return lax.logistic(o) * jnp.tanh(c), c


@op(ops=False, residuals=True)
def simple_step(
    x: Array,
    h: Operand,
    w_ih: Operand,
    w_hh: Operand,
    b_ih: Operand | None = None,
    b_hh: Operand | None = None,
    kind: str = "gru",
):
    """h after one step on x (B, I) of a "gru", or of a plain recurrent cell with "tanh" or "relu"."""
    return _CELLS[kind](*_products(x, h, w_ih, w_hh, b_ih, b_hh), h)
