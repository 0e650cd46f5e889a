"""`msjax.generate`: the text after prompts, by two compiled programs that stay with the network."""

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.values.tensor import Tensor
from .beams import beam_search
from .generator import TextGenerator, _whole
from .network import Network
from .sources import padded_sources, started

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

__all__ = ["generate"]

MOST = 64  # rows that are computed at the same time
_made = weakref.WeakKeyDictionary()  # network -> {what it was made for: TextGenerator}
_too_long = weakref.WeakKeyDictionary()  # network that says no length -> the least length that it did not take


def generate(
    net: "Cell | Callable",
    input_ids: Tensor | np.ndarray | Sequence,
    max_new_tokens: int | None = None,
    *,
    max_length: int | None = None,
    min_new_tokens: int = 0,
    attention_mask: Tensor | np.ndarray | Sequence | None = None,
    do_sample: bool = False,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    repetition_penalty: float = 1.0,
    num_beams: int = 1,
    length_penalty: float = 1.0,
    early_stopping: bool | str = False,
    num_return_sequences: int = 1,
    eos_token_id: int | Sequence[int] | None = None,
    pad_token_id: int | None = None,
    seed: int = 0,
    length: int | None = None,
    weights: str | None = None,
    cache: str | None = None,
    streamer: Any = None,
    check: bool = True,
    decoder_input_ids: Tensor | np.ndarray | Sequence | None = None,
):
    """Prompts followed by the tokens that a network generates.

    Args:
        net: see `msjax.TextGenerator`, which also says what `length`, `weights`, `cache` and `check` are.
        input_ids: Tensor or array, int (batch, sequence) or (sequence,), or a list of lists of any lengths.
        max_new_tokens, max_length: how many tokens at most, new ones or in all; by default 20 new ones.
        min_new_tokens: before which no stop token comes.
        attention_mask: 0 where `input_ids` is padded, at the front or behind. Without it, `pad_token_id` at either end is padding.
        do_sample: draw tokens, by `temperature`, from the `top_k` (0: all) best and the fewest that have the probability `top_p`; else the best is
            taken.
        repetition_penalty: divides the scores of tokens that are there already.
        seed: of the draws; row i draws by seed + i.
        num_beams: beams of beam search, whose score is the sum of log-probabilities / length ** `length_penalty`; `early_stopping` ends as soon as so
            many beams ended.
        num_return_sequences: rows for each prompt.
        eos_token_id: int or list of ints, after which a row ends.
        pad_token_id: what is behind it; by default the first of these, or 0.
        decoder_input_ids: of a network with an encoder and a decoder, what the decoder begins with, int (tokens,) or (batch, tokens); by default the
            network's `decoder_start_token_id`. `input_ids`, or floats (batch, ...), are then what the encoder sees, and lengths count the decoder's
            tokens.
        streamer: function that is called with (row, token) for each new token, or an object with `put` and `end`.

    Returns:
        int32 (rows, tokens), prompt (with an encoder the decoder's) and new tokens, padded behind: a Tensor for a Tensor, an array for an
        array; for a list of lists a list of arrays without padding.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or out of range, or more tokens than the length.

    Example:
        >>> scores = nn.SequentialCell(
        ...     nn.Embedding(10, 8), nn.Dense(8, 10)
        ... )  # token numbers (B, S) to scores (B, S, 10)
        >>> texts = msjax.generate(scores, [[1, 2, 3], [4, 5]], max_new_tokens=4, do_sample=True, top_k=5)
        >>> [len(text) for text in texts]
        [7, 6]
    """
    network, sources = Network(net), None
    if network.source is None:
        if decoder_input_ids is not None:
            raise ValueError(f"For 'generate', {network.name} is a decoder alone and takes no 'decoder_input_ids'.")
        prompts, masked = _prompts(input_ids, attention_mask, pad_token_id)
    else:
        sources, listed = _sources(input_ids, attention_mask, pad_token_id)
        starts = _starts(network, decoder_input_ids, len(sources))
        prompts, masked = _prompts(starts, None, None)
        masked = None if listed else masked
        input_ids = Tensor(starts) if isinstance(input_ids, Tensor) else starts
    beams = _whole("generate", "num_beams", num_beams)
    several = _whole("generate", "num_return_sequences", num_return_sequences)
    if max_length is not None:
        if max_new_tokens is not None:
            raise ValueError("For 'generate', give 'max_new_tokens' or 'max_length', not both.")
        new = [_whole("generate", "max_length", max_length) - len(p) for p in prompts]
        if min(new) < 1:
            raise ValueError(
                f"For 'generate', the 'max_length' counts the prompt too: {max_length} leaves no token after {max(map(len, prompts))}."
            )
    else:
        new = [20 if max_new_tokens is None else _whole("generate", "max_new_tokens", max_new_tokens)] * len(prompts)
    if beams > 1 and (do_sample or streamer is not None):
        raise ValueError("For 'generate', beam search takes neither 'do_sample' nor 'streamer': use num_beams=1.")
    if several > (beams if beams > 1 else np.inf if do_sample else 1):
        raise ValueError(
            f"For 'generate', 'num_return_sequences' needs do_sample=True or as many beams, but got {several} and {beams} beams."
        )
    settings = {
        "repetition_penalty": repetition_penalty,
        "eos_token_id": eos_token_id,
        "min_new_tokens": min_new_tokens,
    }
    longest = max(len(p) + n for p, n in zip(prompts, new))
    rows = beams if beams > 1 else min(len(prompts) * several, MOST)
    generator = _generator(net, network, rows, longest, length, weights, cache, check, sources)
    if beams > 1:
        texts = []
        for i, (prompt, n) in enumerate(zip(prompts, new)):
            if sources is not None:
                every = dict.fromkeys(range(generator.slots), sources[i])
                settings["source"] = padded_sources(generator.programs, every, generator.slots)
            texts += beam_search(generator, prompt, n, beams, several, length_penalty, early_stopping, **settings)
    else:
        settings |= {"do_sample": do_sample, "temperature": temperature, "top_k": top_k, "top_p": top_p}
        texts = _run(generator, prompts, sources, new, several, seed, streamer, settings)
    whole = [np.concatenate([p, t]) for p, t in zip((p for p in prompts for _ in range(several)), texts)]
    if masked is None:
        return whole
    return _padded(input_ids, whole, masked, several, pad_token_id, eos_token_id)


def _run(generator, prompts, sources, new, several, seed, streamer, settings):
    def submit(i, prompt, n, **more):
        if sources is None:
            return generator.submit(prompt, n, **more)
        return generator.submit(sources[i], n, decoder_input_ids=prompt, **more)

    requests = [
        submit(i, prompt, n, seed=(seed + i * several + j) % 2**32, **settings)
        for i, (prompt, n) in enumerate(zip(prompts, new))
        for j in range(several)
    ]
    try:
        if streamer is not None:
            _stream(generator, requests, streamer)
        return [request.result() for request in requests]
    finally:
        for request in requests:  # after an error or an interruption
            request.cancel()


def _stream(generator, requests, streamer):
    told = [0] * len(requests)
    put = getattr(streamer, "put", None)
    while True:
        more = generator.step()
        for row, request in enumerate(requests):
            for token in request.tokens[told[row] :]:
                put(np.array([token])) if put is not None else streamer(row, token)
            told[row] = len(request.tokens)
        if not more or all(request.finished for request in requests):
            break
    if hasattr(streamer, "end"):
        streamer.end()


def _generator(net, network, rows, longest, length, weights, cache, check, sources):
    """The network's TextGenerator for so many rows, made when there is none that is long enough."""
    slots = 1 << (rows - 1).bit_length()
    wide = _wide(sources)
    bound = network.said("batch_size")
    if "batch_valid_length" in network.takes and "block_tables" not in network.takes and isinstance(bound, int):
        slots = bound if network.said("use_past") is not False else slots
    said, lengths = network.said_length(), [length]
    if length is None:
        power = 1 << (longest - 1).bit_length()
        lengths = [max(1024, power), power, longest] if said is None else [min(said, max(1024, power, longest))]
    known, wanted = _made.setdefault(net, {}), (slots, weights, cache, wide)
    least = longest if length is None else length
    for key, made in known.items():
        if key[1:] == wanted and key[0] >= least:
            return made
    # A network that says nothing may still not take more tokens than are asked for.
    lengths = [n for n in dict.fromkeys(lengths) if n < _too_long.get(net, np.inf)] or lengths[-1:]
    for n in lengths:
        try:
            made = TextGenerator(net, slots, n, weights=weights, cache=cache, check=check, queue=1 << 30, source=wide)
            break
        except ValueError:
            if n == lengths[-1]:
                raise
            _too_long[net] = n
    for key in [key for key in known if key[1:] == wanted]:
        del known[key]  # what is longer serves all that it served
    made._together = True
    known[n, *wanted] = made
    return made


def _wide(sources):
    """The size of what the encoder sees, as TextGenerator takes it: the next power of two tokens, or the shape of floats."""
    if sources is None:
        return None
    if sources[0].dtype != np.int32:
        return sources[0].shape
    return max(16, 1 << (max(map(len, sources)) - 1).bit_length())


def _sources(given, mask, pad):
    """(list of what each row gives the encoder, whether it was a list of lists)"""
    listed = isinstance(given, (list, tuple)) and not hasattr(given[0], "shape")
    array = given.asnumpy() if isinstance(given, Tensor) else given if listed else np.asarray(given)
    if listed or np.issubdtype(array.dtype, np.integer):
        rows, spans = _prompts(given, mask, pad)
        return rows, spans is None
    if array.ndim < 2:
        raise ValueError(f"For 'generate', what the encoder sees must be (batch, ...), but got shape {array.shape}.")
    if mask is not None and not np.all(mask.asnumpy() if isinstance(mask, Tensor) else mask):
        raise ValueError("For 'generate', an 'attention_mask' hides tokens, and of floats nothing can be hidden.")
    return list(array.astype(np.float32)), False


def _starts(network, given, rows):
    """What the decoder of each row begins with, int32 (rows, tokens)."""
    if given is not None:
        given = given.asnumpy() if isinstance(given, Tensor) else np.asarray(given)
        if given.ndim == 2:
            if len(given) != rows:
                raise ValueError(
                    f"For 'generate', the 'decoder_input_ids' must have a row for each of the {rows} of the encoder, but got {len(given)}."
                )
            return np.stack([started(row, None) for row in given])
    return np.tile(started(given, network.said("decoder_start_token_id", "bos_token_id")), (rows, 1))


def _prompts(input_ids, attention_mask, pad):
    """(list of int32 (tokens,), for each where its tokens stand in the array, None for a list of lists)"""
    if (
        isinstance(input_ids, (list, tuple))
        and input_ids
        and not np.isscalar(input_ids[0])
        and len({len(x) for x in input_ids}) > 1
    ):
        return [np.asarray(row, np.int32) for row in input_ids], None
    listed = isinstance(input_ids, (list, tuple)) and input_ids and not np.isscalar(input_ids[0])
    ids = input_ids.asnumpy() if isinstance(input_ids, Tensor) else np.asarray(input_ids)
    if ids.ndim not in (1, 2) or not np.issubdtype(ids.dtype, np.integer) or not ids.size:
        raise ValueError(
            f"For 'generate', the 'input_ids' must be token numbers, int (batch, sequence), but got shape {ids.shape} of {ids.dtype}."
        )
    ids = np.atleast_2d(ids)
    if listed:
        return [row.astype(np.int32) for row in ids], None
    if attention_mask is not None:
        mask = attention_mask.asnumpy() if isinstance(attention_mask, Tensor) else np.asarray(attention_mask)
        mask = np.atleast_2d(mask).astype(bool)
        if mask.shape != ids.shape:
            raise ValueError(
                f"For 'generate', the 'attention_mask' must have the shape of 'input_ids', but got {mask.shape} and {ids.shape}."
            )
    else:
        mask = np.ones(ids.shape, bool) if pad is None else ids != pad
    spans = []
    for row in mask:
        places = np.flatnonzero(row)
        if not len(places):
            raise ValueError("For 'generate', each row must have a token that is not padding, but one has none.")
        spans.append((places[0], places[-1] + 1))
    return [row[a:b].astype(np.int32) for row, (a, b) in zip(ids, spans)], spans


def _padded(given, whole, spans, several, pad, eos):
    if pad is None:
        pad = 0 if eos is None else int(np.atleast_1d(eos)[0])
    wide = given.shape if hasattr(given, "shape") else np.shape(given)
    behind = [wide[-1] - b for _, b in spans for _ in range(several)]
    front = [a for a, _ in spans for _ in range(several)]
    # Padding stays on the side on which it was: at the front it keeps the new tokens of all rows in one column.
    left = any(front) and not any(behind)
    if left:
        whole = [np.concatenate([np.full(n, pad, np.int32), text]) for n, text in zip(front, whole)]
    rows = np.full((len(whole), max(map(len, whole))), pad, np.int32)
    for row, text in zip(rows, whole):
        row[: len(text)] = text
    return Tensor(rows) if isinstance(given, Tensor) else rows
