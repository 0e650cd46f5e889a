"""The fused recurrent Primitives: LSTM on `recurrent`'s layers, DynamicRNN, DynamicGRUV2, BasicLSTMCell."""

from typing import Annotated, Any, Literal

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Prim
from ...core.spec import Array, Number, Operand, Shown, Static
from ...core.spec.rules import AsValue


@op(ops=False)
def cut_weights(w: Array, shapes: Static[Any]):
    """A flat array cut into arrays of the given shapes."""
    flat, at, parts = w.reshape(-1), 0, []
    for shape in shapes:
        size = shape[0] * (shape[1] if len(shape) > 1 else 1)
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    return tuple(parts)


@composite(prim=Prim("LSTM", inputs=("x", "h", "c", "w")), ops=False)
def fused_lstm(
    x: Any,
    h: Array,
    c: Array,
    w: Array,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: Number,
    proj_size: int = 0,
):
    """(outputs (T, B, D H), h_n, c_n, reserve, state) of a stacked LSTM.

    x (T, B, I); h, c (layers D, B, H); w: all input weights, then all recurrent ones, all projections, all biases, flat. The last two
    outputs are empty. With `proj_size` P the outputs and h have P elements in place of H.
    """
    if not 0 <= proj_size < hidden_size:
        raise ValueError(f"For 'LSTM', the 'proj_size' must be in range of [0, {hidden_size}), but got {proj_size}.")
    out_size = proj_size or hidden_size
    if x.ndim != 3 or x.shape[2] != input_size:
        raise ValueError(
            f"For 'LSTM', the shape of 'input' must be (seq_len, batch_size, {input_size}), but got {tuple(x.shape)}."
        )
    directions, gates = 2 if bidirectional else 1, 4 * hidden_size
    states = num_layers * directions, x.shape[1]
    if h.shape != (*states, out_size) or c.shape != (*states, hidden_size):
        raise ValueError(
            f"For 'LSTM', the shapes of 'hx' and 'cx' must be {(*states, out_size)} and {(*states, hidden_size)}, but got {tuple(h.shape)} "
            f"and {tuple(c.shape)}."
        )
    sizes = [
        input_size if layer == 0 else out_size * directions for layer in range(num_layers) for _ in range(directions)
    ]
    n = len(sizes)
    total = sum(gates * s for s in sizes) + n * (gates * out_size + proj_size * hidden_size)
    total += n * gates if has_bias else 0
    if w.size < total:  # MindSpore takes longer weights too, and uses their beginning
        raise ValueError(f"For 'LSTM', the size of 'weight' must be {total}, but got {w.size}.")
    shapes = (
        *((gates, s) for s in sizes),
        *((gates, out_size) for _ in sizes),
        *((proj_size, hidden_size) for _ in sizes if proj_size),
        *((gates,) for _ in sizes if has_bias),
    )
    parts = records["cut_weights"](w, shapes)
    finals = []
    for layer in range(num_layers):
        outs = []
        for d in range(directions):
            i = layer * directions + d
            bias = parts[i - n] if has_bias else None
            weights = x, h[i], c[i], parts[i], parts[n + i]
            if proj_size:
                out, h_n, c_n = records["projected_lstm_layer"](*weights, parts[2 * n + i], bias, d == 1)
            else:
                zero = None if bias is None else records["zeros_like"](bias)
                out, h_n, c_n = records["lstm_layer"](*weights, bias, zero, None, d == 1)
            outs.append(out)
            finals.append((h_n, c_n))
        x = outs[0] if directions == 1 else records["cat"](outs, 2)
        if dropout and layer < num_layers - 1:
            x = records["dropout"](x, dropout, True, None)
    empty = records["zeros"]((1,), x.dtype)
    return x, records["stack"]([f[0] for f in finals]), records["stack"]([f[1] for f in finals]), empty, empty


def _check_options(name, **options):
    """Options of which MindSpore takes one value only."""
    for option, (value, allowed) in options.items():
        if value != allowed:
            raise ValueError(f"For '{name}', the '{option}' must be {allowed!r}, but got {value!r}.")


@op(prim=Prim("DynamicRNN", inputs=("x", "w", "b", "seq_length", "init_h", "init_c")), ops=False, residuals=True)
def dynamic_rnn(
    x: Array,
    w: Array,
    b: Array,
    seq_length: Annotated[Array, Shown("Tensor | None")],
    init_h: Array,
    init_c: Array,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: Number = 1.0,
    cell_clip: Number = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: Number = 0.0,
    is_training: bool = True,
):
    """(outputs, h, c, i, j, f, o, tanh c), each (T, B, H), of an LSTM.

    x (T, B, I); w (I + H, 4H) and b (4H,) for the gates i, j, f, o; init_h, init_c (1, B, H).
    """
    _check_options(
        "DynamicRNN",
        cell_type=(cell_type, "LSTM"),
        direction=(direction, "UNIDIRECTIONAL"),
        cell_depth=(cell_depth, 1),
        use_peephole=(use_peephole, False),
        num_proj=(num_proj, 0),
        time_major=(time_major, True),
        activation=(activation, "tanh"),
    )
    inputs = x.shape[2]
    z = x.reshape(-1, inputs) @ w[:inputs] + b
    recurrent = w[inputs:]

    def step(state, z):
        h, c = state
        i, j, f, o = jnp.split(z + h @ recurrent, 4, 1)
        i, j, f, o = lax.logistic(i), jnp.tanh(j), lax.logistic(f + forget_bias), lax.logistic(o)
        c = c * f + i * j
        c = jnp.clip(c, -cell_clip, cell_clip) if cell_clip > 0 else c
        tanh_c = jnp.tanh(c)
        h = tanh_c * o
        return (h, c), (h, h, c, i, j, f, o, tanh_c)

    return lax.scan(step, (init_h[0].astype(z.dtype), init_c[0].astype(z.dtype)), z.reshape(*x.shape[:2], z.shape[-1]))[
        1
    ]


@op(
    prim=Prim(
        "DynamicGRUV2",
        inputs=("x", "weight_input", "weight_hidden", "bias_input", "bias_hidden", "seq_length", "init_h"),
    ),
    ops=False,
    residuals=True,
)
def dynamic_gru_v2(
    x: Array,
    weight_input: Array,
    weight_hidden: Array,
    bias_input: Annotated[Array, Shown("Tensor | None")],
    bias_hidden: Annotated[Array, Shown("Tensor | None")],
    seq_length: Annotated[Array, Shown("Tensor | None")],
    init_h: Array,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: Number = 1.0,
    cell_clip: Number = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: AsValue[Literal["rzh", "zrh"]] = "rzh",
    reset_after: bool = True,
    is_training: bool = True,
):
    """(outputs, h, update, reset, new, hidden new), each (T, B, H), of a GRU.

    x (T, B, I); weight_input (I, 3H); weight_hidden (H, 3H); biases (3H,) or None; init_h (B, H). gate_order: "rzh" or "zrh".
    """
    _check_options(
        "DynamicGRUV2",
        direction=(direction, "UNIDIRECTIONAL"),
        cell_depth=(cell_depth, 1),
        num_proj=(num_proj, 0),
        time_major=(time_major, True),
        activation=(activation, "tanh"),
        reset_after=(reset_after, True),
    )
    zx = x.reshape(-1, x.shape[2]) @ weight_input
    zx = (zx if bias_input is None else zx + bias_input).reshape(*x.shape[:2], zx.shape[-1])

    def gates(z):
        first, second, new = jnp.split(z, 3, 1)
        return (first, second, new) if gate_order == "rzh" else (second, first, new)

    def step(h, zx):
        zh = h @ weight_hidden
        (rx, ux, nx), (rh, uh, nh) = gates(zx), gates(zh if bias_hidden is None else zh + bias_hidden)
        reset, update = lax.logistic(rx + rh), lax.logistic(ux + uh)
        new = jnp.tanh(nx + reset * nh)
        h = (1 - update) * new + update * h
        return h, (h, h, update, reset, new, nh)

    return lax.scan(step, init_h.reshape(x.shape[1], weight_hidden.shape[0]).astype(zx.dtype), zx)[1]


@op(prim=Prim("BasicLSTMCell", inputs=("x", "h", "c", "w", "b")), ops=False)
def basic_lstm_cell(
    x: Array,
    h: Operand,
    c: Operand,
    w: Operand,
    b: Operand,
    keep_prob: Number = 1.0,
    forget_bias: Number = 1.0,
    state_is_tuple: bool = True,
    activation: str = "tanh",
):
    """(c, h, i, j, f, o, tanh c) after a step of an LSTM; w (I + H, 4H) and b (4H,) are for the gates i, j, f, o."""
    i, j, f, o = jnp.split(jnp.concatenate([x, h], 1) @ w + b, 4, 1)
    i, j, f, o = lax.logistic(i), jnp.tanh(j), lax.logistic(f + forget_bias), lax.logistic(o)
    c = c * f + i * j
    tanh_c = jnp.tanh(c)
    return c, tanh_c * o, i, j, f, o, tanh_c
