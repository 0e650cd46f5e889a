"""Finds a network's spelling: tries those that its `construct` suggests, and compares their results."""

import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from .. import log
from ..core.host import Wide, wide
from . import sampling
from .encoded import EncodedOnce, EncodedPast, WholeNetwork
from .past import NAMES, Objects, Tuples
from .programs import Programs
from .spellings import Kept, Padded, Paged
from .weights import Weights, read_across, restored

if TYPE_CHECKING:
    from .network import Network


def choose(
    network: "Network",
    slots: int,
    length: int,
    steps: int,
    kind: str | None = None,
    weights: str | None = None,
    check: bool = True,
    source: np.ndarray | None = None,
):
    """(Programs, Weights) of the first spelling that fits the network.

    Each is tried: scores after a prompt, and then a token, must be those of the prompt with the token, and what stands behind a
    prompt, or behind an encoder's source, must not matter. `check=False` leaves this out and takes the first that can be traced.
    source: of a network with an encoder, see `Encoded`.

    Raises:
        ValueError: none fits; the message says what was wrong with each.
    """
    wrong = []
    for group in _candidates(network, source):
        found = []  # (error, programs, weights)
        for make in group:
            spelling = make(network, kind)
            try:
                found.append(_tried(network, spelling, slots, length, steps, weights, check))
            except Exception as error:  # whatever a network raises for arguments of another spelling
                wrong.append((spelling.name, error))
        if found:
            _, programs, own = min(found, key=lambda one: one[0])
            if wrong and not isinstance(programs.spelling, Kept):
                log.warning(_told(network, wrong) + f" Going on with {programs.spelling.name}.")
            return programs, own
    raise ValueError(_told(network, wrong)) from wrong[0][1]


def _tried(network, spelling, slots, length, steps, weights, check):
    if spelling.slots not in (None, slots):
        raise ValueError(
            f"{network.name} keeps the past of {spelling.slots} rows, its batch_size, but there are {slots} slots: use slots={spelling.slots}"
        )
    if spelling.limit is not None and length > spelling.limit:
        raise ValueError(f"{network.name} keeps {spelling.limit} tokens, its seq_length, but the length is {length}")
    with Wide():
        cache = spelling.cache(slots, length)
    programs = Programs(spelling, slots, length, steps)
    turned = read_across(spelling, slots, length) if programs.by_cpu and weights != "int8" else ()
    own = Weights(network, weights, cache if isinstance(cache, dict) else (), turned)
    return (_compare(programs, own, cache) if check else 0.0), programs, own


def _told(network, wrong):
    lines = "; ".join(f"{name}: {_short(error)}" for name, error in wrong)
    return f"For 'generate', {network.name} does not generate in these ways: {lines}."


def _short(error):
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:400]}".rstrip(". ")


def _candidates(network, source):
    """Lists of spelling variants, the likeliest first; the variants within a list differ in exactness."""
    takes = network.takes
    if source is not None:
        once = network.encoder is not None
        if once and "cache_position" in takes and any(name in takes for name in NAMES):
            yield [functools.partial(EncodedPast, source=source)]
        if once:
            yield [functools.partial(EncodedOnce, source=source)]
        yield [functools.partial(WholeNetwork, source=source)]
        return
    if "block_tables" in takes and "slot_mapping" in takes and network.said("use_past") is not False:
        yield [Paged]
    elif "batch_valid_length" in takes and network.said("use_past") is not False:
        yield [Kept, functools.partial(Kept, count=False)]
    if any(name in takes for name in NAMES):
        for spelling in (Objects, Tuples) if "cache_position" in takes else (Tuples, Objects):
            yield [spelling]
            if spelling is Objects and "cache_position" in takes:  # with a window of which the network says nothing
                yield [functools.partial(Objects, each=True)]
    yield [Padded]
    if isinstance(
        network.said("seq_length"), int
    ):  # as MindFormers' without `use_past`, which compute with a mask of this length
        yield [functools.partial(Padded, whole=True)]


@wide
def _compare(programs, weights, cache):
    """How far the scores after a prompt and tokens are from those of all as one prompt.

    Raises:
        ValueError: too far for the precision of what is computed and stored.
    """
    slots, values = programs.slots, weights.now()
    rows = slots if not programs.spelling.per_row else 1
    where = np.arange(rows, dtype=np.int32)
    settings = sampling.rows_of([{"limit": programs.length}] * rows)
    ids = np.ones((rows, programs.prompts[0]), np.int32)
    count = min(4, programs.prompts[0] - 2, programs.length - 3)
    if count < 1:
        return 0.0
    state = programs.state()
    source = _source(programs, rows)

    def prompt(ids, length, source=source):
        nonlocal state, cache
        lengths = np.full(rows, length, np.int32)
        state, cache, report, scores = programs.run_prefill(
            values, state, cache, ids, lengths, where, settings, np.ones(rows, bool), source
        )
        return np.asarray(report)[0, 0], np.asarray(scores, np.float32)[0]

    vocabulary = len(prompt(ids, count)[1])
    ids[:, :count] = np.arange(1, count + 1) * 7 % vocabulary
    ids[:, count:] = min(3, vocabulary - 1)
    other = prompt(ids, count)[1]
    ids[:, count:] = 0
    first, scores = prompt(ids, count)
    if np.isnan(scores).any():  # which no comparison below would see
        raise ValueError("the scores after a prompt are NaN")
    allowed = _allowed(programs, weights, scores)
    if np.abs(scores - other).max() > allowed:
        more = (
            ": let it give the scores of all tokens, or take the last one's as x[:, -1]"
            if programs.spelling.alone
            else ""
        )
        raise ValueError(f"tokens behind a prompt change its scores{more}")
    alone = jax.jit(programs.spelling.unpadded)(restored(values), ids[:, :count])
    if alone is not None and np.abs(scores - np.asarray(alone)[0]).max() > allowed:
        raise ValueError("padding behind a prompt changes its scores")
    if source is not None and "mask" in source:
        hidden = np.where(source["mask"] > 0, source["source"], 1)
        if np.abs(scores - prompt(ids, count, {**source, "source": hidden})[1]).max() > allowed:
            raise ValueError("padding behind the encoder's tokens changes the scores")
        prompt(ids, count)
    state, cache, report = programs.run_decode(
        programs.views[0], values, state, cache, np.arange(slots) < rows, np.int32(2)
    )
    made = np.asarray(report)[0, 1:]
    ids[:, count] = first
    worst = 0.0
    for i, (token, share) in enumerate(zip(made[:2], made[programs.steps :].view(np.float32))):
        _, whole = prompt(ids, count + 1 + i)
        shares = whole - np.log(np.exp(whole - whole.max()).sum()) - whole.max()
        worst = max(worst, abs(float(shares[token] - share)), float(shares.max() - shares[token]) / 2)
        if count + 1 + i < ids.shape[1]:
            ids[:, count + 1 + i] = token
    if not worst <= allowed:
        raise ValueError("a token after a prompt scores otherwise than in it")
    return worst


def _source(programs, rows):
    """A source for the trial, some tokens of which are hidden; None for a decoder alone."""
    spelling = programs.spelling
    if spelling.source is None:
        return None
    if not spelling.counted:
        some = np.random.RandomState(0).standard_normal(spelling.source.shape[1:])
        return {"source": np.broadcast_to(some.astype(spelling.source.dtype), (rows, *some.shape))}
    width = programs.source_length(1)
    mask = np.broadcast_to((np.arange(width) < max(1, width - 3)).astype(np.int32), (rows, width))
    return {"source": mask * np.arange(2, width + 2, dtype=np.int32) % 8, "mask": mask}


def _allowed(programs, weights, scores):
    """The tolerance between scores that are computed in two ways, from the precision of computation and storage."""
    dtypes = {a.dtype for a in weights.network.values().values() if jnp.issubdtype(a.dtype, jnp.floating)}
    dtypes |= {jnp.dtype(weights.kind)} if weights.kind not in (None, "int8") else set()
    step = max((float(jnp.finfo(dtype).eps) for dtype in dtypes), default=0.0)
    share = 0.1 if programs.spelling.kind else min(0.1, max(2e-3, 16 * step))
    return float(np.abs(scores).max()) * share + 1e-5
