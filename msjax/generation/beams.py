"""Beam search as one program: all beams of a prompt are rows, and a beam's state moves with it."""

import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.host import wide
from ..core.operators import random
from . import sampling

if TYPE_CHECKING:
    from .generator import TextGenerator

I32 = jnp.int32
_LOW = -1e9  # the score of what does not exist


def beam_search(
    generator: "TextGenerator",
    prompt: np.ndarray,
    new: int,
    beams: int,
    several: int,
    length_penalty: float,
    early_stopping: bool | str,
    source: dict | None = None,
    **settings,
):
    """The `several` best texts after a prompt, without it: list of int32 (tokens,), best first.

    A beam that ends in a stop token is set aside with the sum of its log-probabilities / (new tokens) ** length_penalty; the search ends
    when `beams` were set aside and no running one is better (with early_stopping=True at once, with "never" none could become better), or
    after `new` tokens. source: what an encoder sees, for all slots.
    """
    least = settings.pop("min_new_tokens", 0) or 0
    row = sampling.settings_of(**settings)
    row["limit"], row["least"] = len(prompt) + new, len(prompt) + least
    if len(prompt) + new > generator.length:
        raise ValueError(
            f"For 'generate', a prompt of {len(prompt)} tokens and {new} new ones are more than the length of {generator.length} tokens."
        )
    if generator.slots < beams:
        raise ValueError(
            f"For 'generate', the network keeps the past of {generator.slots} rows, which is fewer than {beams} beams."
        )
    programs = generator.programs
    width = programs.prompt_length(len(prompt))
    ids = np.zeros((generator.slots, width), np.int32)
    ids[:, : len(prompt)] = prompt
    if early_stopping not in (True, False, "never"):
        raise ValueError(
            f"For 'generate', the 'early_stopping' must be True, False or 'never', but got {early_stopping!r}."
        )
    random.streams().get().box()  # this thread's, which can not be made within a trace
    search = _search(programs, beams, early_stopping)
    tokens, scores, lengths, generator._cache = search(
        programs.view_length(len(prompt) + new),
        generator._weights.now(),
        programs.spelling.renewed(generator._cache),
        ids,
        np.int32(len(prompt)),
        sampling.rows_of([row] * generator.slots),
        np.float32(length_penalty),
        source,
    )
    tokens, scores, lengths = (np.asarray(a) for a in (tokens, scores, lengths))
    best = np.argsort(-scores, kind="stable")[:several]
    return [tokens[i, len(prompt) : lengths[i]] for i in best]


def _search(programs, beams, early):
    known = programs.__dict__.setdefault("searches", {})
    if (beams, early) not in known:
        program = functools.partial(_program, programs, beams, early)
        known[beams, early] = wide(jax.jit(program, static_argnums=0, donate_argnums=2))
    return known[beams, early]


def _program(programs, beams, early, view, weights, cache, ids, start, rows, length_penalty, source):
    slots, spelling = programs.slots, programs.spelling
    spots = jnp.arange(slots, dtype=I32)
    total = programs.length + 1
    rows = {name: a if name == "stops" else a[:1] for name, a in rows.items()} | {"stops": rows["stops"][:1]}
    limit = rows["limit"][0]

    tokens = jnp.zeros((slots, total), I32).at[:, : ids.shape[1]].set(ids)
    given = (ids, jnp.full(slots, start, I32), spots, *(() if source is None else (source,)))
    scores, cache = programs.computed(spelling.prefill, weights, cache, *given)

    def value(sums, length):
        return sums / jnp.maximum(length - start, 1).astype(jnp.float32) ** length_penalty

    def choose(scores, tokens, sums, done, length):
        """One step of the search, from the scores of the running beams."""
        same = {name: jnp.broadcast_to(a, (slots, *a.shape[1:])) for name, a in rows.items()}
        shares = jax.nn.log_softmax(scores, axis=-1)
        shares = sampling.adjusted(shares, tokens, jnp.full(slots, length, I32), same)[:beams]
        vocabulary = shares.shape[-1]
        best, which = lax.top_k((sums[:, None] + shares).reshape(-1), 2 * beams)
        parents, chosen = (which // vocabulary).astype(I32), (which % vocabulary).astype(I32)
        stopped = jnp.any(chosen[:, None] == rows["stops"], axis=-1)
        texts = tokens[parents].at[:, length].set(chosen)
        # Those among the first `beams` that stopped are set aside.
        ended = stopped & (jnp.arange(2 * beams) < beams)
        done = _set_aside(done, texts, jnp.where(ended, value(best, length + 1), _LOW), length + 1, beams)
        sums, kept = lax.top_k(jnp.where(stopped, _LOW, best), beams)
        parents = jnp.concatenate([parents[kept], spots[beams:]])
        tokens = tokens.at[:beams].set(texts[kept])
        return tokens, sums, parents, done

    def more(carried):
        _, _, _, sums, done, length = carried
        full = jnp.all(done[1] > _LOW)
        at = jnp.where(length_penalty > 0, limit, length) if early == "never" else length
        better = value(sums[0], at) > done[1].min()
        return (length < limit) & ~(full & ((early is True) | ~better))

    def step(carried):
        cache, tokens, scores, sums, done, length = carried
        tokens, sums, parents, done = choose(scores, tokens, sums, done, length)
        cache = spelling.reordered(cache, parents)
        places = jnp.full(slots, length, I32)
        network = functools.partial(spelling.decode, view=view)
        given = cache, tokens[:, : programs.length], places, spots < beams
        scores, cache = programs.computed(network, weights, *given, step=length)
        return cache, tokens, scores, sums, done, length + 1

    sums = jnp.where(jnp.arange(beams) == 0, 0.0, _LOW).astype(jnp.float32)
    done = (jnp.zeros((beams, total), I32), jnp.full(beams, _LOW, jnp.float32), jnp.zeros(beams, I32))
    # The last token needs no scores behind it, but a step without them would be another program.
    cache, tokens, _, sums, done, length = lax.while_loop(
        more, step, (cache, tokens, scores, sums, done, jnp.asarray(start, I32))
    )
    running = jnp.where(jnp.all(done[1] > _LOW) & (length < limit), _LOW, value(sums, length))
    texts, scores, lengths = _set_aside(done, tokens[:beams], running, length, beams)
    return texts, scores, lengths, cache


def _set_aside(done, texts, scores, length, beams):
    """The best `beams` of the finished texts and the new ones; `done`: (texts, scores, lengths)."""
    every = jnp.concatenate([done[0], texts]), jnp.concatenate([done[1], scores])
    lengths = jnp.concatenate([done[2], jnp.full(len(scores), length, I32)])
    best, which = lax.top_k(every[1], beams)
    return every[0][which], best, lengths[which]
