"""The next token from scores, inside the program: each row by settings of its own, so one program serves all requests."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

STOPS = 64  # how many stop tokens a row can have: the width of an array of the program

# The settings of one row, as arrays of the program hold them: name, dtype, value where nothing is asked.
SETTINGS = {
    "sample": (np.bool_, False),
    "temperature": (np.float32, 1.0),
    "top_k": (np.int32, 0),
    "top_p": (np.float32, 1.0),
    "penalty": (np.float32, 1.0),
    "seed": (np.uint32, 0),
    "limit": (np.int32, 0),  # tokens in all, prompt and new ones
    "least": (np.int32, 0),  # tokens in all before a stop token may come
}


def settings_of(
    do_sample: bool = False,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    repetition_penalty: float = 1.0,
    seed: int = 0,
    eos_token_id: int | Sequence[int] | None = None,
):
    """The settings of one request, checked; `limit` and `least` are set by the caller, who knows the prompt.

    Raises:
        TypeError, ValueError: a setting of the wrong kind or out of its range.
    """

    def checked(name, value, kind, right, range_):
        if isinstance(value, bool) or not isinstance(value, kind):
            raise TypeError(
                f"For 'generate', the '{name}' must be {range_}, but got {value!r} of type {type(value).__name__}."
            )
        if not right(value):
            raise ValueError(f"For 'generate', the '{name}' must be {range_}, but got {value!r}.")
        return value

    number, whole = (int, float, np.integer, np.floating), (int, np.integer)
    temperature = checked("temperature", temperature, number, lambda v: 0 <= v < np.inf, "a number of at least 0")
    stops = [] if eos_token_id is None else np.atleast_1d(eos_token_id).tolist()
    if len(stops) > STOPS:
        raise ValueError(f"For 'generate', there can be {STOPS} tokens in 'eos_token_id', but got {len(stops)}.")
    for stop in stops:
        checked("eos_token_id", stop, whole, lambda v: -(2**31) <= v < 2**31, "an int of 32 bits or a list of these")
    return {
        "sample": bool(do_sample) and temperature > 0,
        "temperature": temperature or 1.0,
        "top_k": checked(
            "top_k", 0 if top_k is None else top_k, whole, lambda v: 0 <= v < 2**31, "an int in [0, 2 ** 31)"
        ),
        "top_p": checked("top_p", 1.0 if top_p is None else top_p, number, lambda v: 0 < v <= 1, "in (0, 1]"),
        "penalty": checked("repetition_penalty", repetition_penalty, number, lambda v: v > 0, "a number above 0"),
        "seed": checked("seed", seed, whole, lambda v: 0 <= v < 2**32, "an int in [0, 2 ** 32)"),
        "stops": stops,
    }


def rows_of(requests: Sequence):
    """dict of arrays (rows,), with `stops` (rows, STOPS), of the settings of some requests."""
    arrays = {
        name: np.array([r.get(name, usual) for r in requests], dtype) for name, (dtype, usual) in SETTINGS.items()
    }
    stops = [[*r.get("stops", ()), *[-1] * STOPS][:STOPS] for r in requests]
    return {**arrays, "stops": np.array(stops, np.int32).reshape(len(requests), STOPS)}


def penalised(scores: jax.Array, tokens: jax.Array, lengths: jax.Array, penalty: jax.Array):
    """Scores (B, V); for tokens (B, L) already in a row, the score is divided by the row's penalty (B,), or multiplied
    if negative (Keskar et al., 2019).
    """
    rows, vocabulary = scores.shape
    counts = jnp.arange(tokens.shape[1]) < lengths[:, None]
    where = jnp.where(counts, tokens, vocabulary)
    seen = jnp.zeros((rows, vocabulary), bool).at[jnp.arange(rows)[:, None], where].set(True, mode="drop")
    factor = penalty[:, None]
    return jnp.where(seen, jnp.where(scores < 0, scores * factor, scores / factor), scores)


def filtered(scores: jax.Array, top_k: jax.Array, top_p: jax.Array):
    """Scores (B, V) with -inf for all but the `top_k` (B,) largest (0: all) and the fewest whose probabilities sum to
    `top_p` (B,).
    """
    order = jnp.sort(scores, axis=-1, descending=True)
    rank = jnp.arange(scores.shape[-1])
    kept = (rank < top_k[:, None]) | (top_k[:, None] <= 0)
    share = jax.nn.softmax(jnp.where(kept, order, -jnp.inf), axis=-1)
    before = jnp.cumsum(share, axis=-1) - share
    kept &= (before < top_p[:, None]) | (top_p[:, None] >= 1)
    kept = kept.at[:, 0].set(True)
    least = jnp.min(jnp.where(kept, order, jnp.inf), axis=-1, keepdims=True)
    return jnp.where(scores < least, -jnp.inf, scores)


def adjusted(scores: jax.Array, tokens: jax.Array, lengths: jax.Array, rows: dict):
    """Scores (B, V) after the penalty for repeated tokens, without stop tokens before the minimum length."""
    scores = lax.cond(
        jnp.any(rows["penalty"] != 1), lambda s: penalised(s, tokens, lengths, rows["penalty"]), lambda s: s, scores
    )

    def without_stops(scores):
        hidden = jnp.where(rows["stops"] < 0, scores.shape[-1], rows["stops"])
        early = jnp.full(scores.shape, False).at[jnp.arange(scores.shape[0])[:, None], hidden].set(True, mode="drop")
        return jnp.where(early & (lengths < rows["least"])[:, None], -jnp.inf, scores)

    return lax.cond(jnp.any(lengths < rows["least"]), without_stops, lambda s: s, scores)


def next_tokens(scores: jax.Array, tokens: jax.Array, lengths: jax.Array, rows: dict):
    """(tokens (B,) int32, the logarithms of their probabilities (B,)) after the first `lengths` (B,) of `tokens` (B, L).

    scores: (B, V) float32. rows: settings, as `rows_of` gives them. A row's random numbers follow from its seed and its length alone.
    """
    scores = adjusted(scores, tokens, lengths, rows)
    best = jnp.argmax(scores, axis=-1).astype(jnp.int32)

    def drawn(_):
        def one(seed, length, row):
            return jax.random.categorical(jax.random.fold_in(jax.random.key(seed, impl="threefry2x32"), length), row)

        warm = filtered(scores / rows["temperature"][:, None], rows["top_k"], rows["top_p"])
        return jnp.where(rows["sample"], jax.vmap(one)(rows["seed"], lengths, warm).astype(jnp.int32), best)

    chosen = lax.cond(jnp.any(rows["sample"]), drawn, lambda _: best, None)
    shares = jnp.take_along_axis(scores, chosen[:, None], axis=1)[:, 0] - jax.nn.logsumexp(scores, axis=-1)
    return chosen, shares


def ends(chosen: jax.Array, lengths: jax.Array, rows: dict):
    """Whether rows (B,) are complete: their token is a stop token, or their length in `lengths` (B,) has reached the limit."""
    return jnp.any(chosen[:, None] == rows["stops"], axis=-1) | (lengths >= rows["limit"])
