"""`msjax.TextGenerator`: requests of many lengths over a fixed number of slots, each filled again as soon as it is free."""

import collections
import contextvars
import itertools
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.host import Wide
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like
from ..core.values.tensor import Tensor
from . import sampling
from .network import Network
from .sources import one_source, padded_sources, source_of, started
from .trial import choose

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

__all__ = ["TextGenerator", "Request"]


class Request:
    """One text that is being made: an iterator of its tokens.

    `tokens` (list of int) and `log_probabilities` (list of float) are those so far; `finished` is None, or why it ended: "stop", "length",
    "cancelled" or "error".
    """

    def __init__(self, generator: "TextGenerator", prompt: np.ndarray, settings: dict, number: int):
        self._generator, self.settings, self.number = generator, settings, number
        self.prompt = prompt  # int32 (tokens,)
        self.source = None  # what an encoder sees: int32 (tokens,) or floats
        self.tokens, self.log_probabilities = [], []
        self.finished = None
        self.error = None
        self._slot = None
        self._listener = None

    def listen(self, function: Callable):
        """Register a function that the working thread calls, without arguments, on new tokens and at the end of the
        request.
        """
        self._listener = function
        if self.tokens or self.finished:
            function()

    def _tell(self):
        if self._listener is not None:
            self._listener()

    def __iter__(self):
        taken = 0
        while True:
            finished = self.finished  # looked at first: the last tokens are there when it is set
            if taken < len(self.tokens):
                yield self.tokens[taken]
                taken += 1
            elif finished is None:
                self._generator._await(self, taken)
            elif self.error is not None:
                raise self.error
            else:
                return

    def result(self):
        """All new tokens, int32 (tokens,), after the request has ended."""
        for _ in self:
            pass
        return np.array(self.tokens, np.int32)

    def cancel(self):
        """Make no more tokens; the slot becomes free. Nothing happens to a request that has ended."""
        self._generator._cancel(self)


class TextGenerator:
    """Text of a network for many requests at once, by two kinds of compiled programs: of prompts, and of steps of all slots.

    Args:
        net: Cell from token numbers int32 (batch, sequence) to scores (batch, sequence, vocabulary). Its cache of keys and values is found in
            what `construct` takes: `past_key_values` (tuples, or objects with `update`), `block_tables` and `slot_mapping`, or
            `batch_valid_length`; without any of these it sees all tokens at each step.
        slots: requests that are computed at the same time. length: tokens that each can have, prompt and new ones; by default
            what the network says that it can see, or 1024.
        weights: None, "float32", "bfloat16", "float16" or "int8": what the programs compute with; the network keeps its own.
        cache: None (the network's dtype), "int8" or "float8": how keys and values are stored.
        steps: tokens that one call of the device makes for each slot.
        queue: requests that may wait. check: whether the cache is tried on a short prompt first.
        source: of a network with an encoder and a decoder (its `construct` takes `decoder_input_ids`), how many tokens the encoder can have (by default
            `length`), or the shape of its input of floats, without the batch. `slots` and `length` are then the decoder's.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or size; the network fits no spelling.

    Example:
        >>> scores = nn.SequentialCell(
        ...     nn.Embedding(10, 8), nn.Dense(8, 10)
        ... )  # token numbers (B, S) to scores (B, S, 10)
        >>> generator = msjax.TextGenerator(scores, slots=2, length=32)
        >>> requests = [generator.submit([1, 2, 3], max_new_tokens=4), generator.submit([5], max_new_tokens=2)]
        >>> [len(list(request)) for request in requests]
        [4, 2]
    """

    @checked
    def __init__(
        self,
        net: "Cell",
        slots: Any = 8,
        length: Like[int | None] = None,
        *,
        weights: Like[str | None] = None,
        cache: AsValue[Literal[None, "int8", "float8"]] = None,
        steps: Like[int] = 8,
        queue: Like[int] = 4096,
        check: Like[bool] = True,
        source: Like[int | Sequence[int] | None] = None,
    ):
        network = Network(net, None if weights == "int8" else weights)
        for name, value in (("slots", slots), ("steps", steps), ("queue", queue)):
            _whole("TextGenerator", name, value)
        self.length = _whole("TextGenerator", "length", network.said_length() or 1024 if length is None else length)
        said = network.said_length()
        if said is not None and self.length > said:
            raise ValueError(
                f"For 'TextGenerator', the 'length' must not be above {said}, the tokens that {network.name} can see, but got {self.length}."
            )
        self.slots, self.steps, self._queue_limit = slots, steps, queue
        self._source = source_of(network, self.length, source)
        self._start = network.said("decoder_start_token_id", "bos_token_id") if self._source is not None else None
        self.programs, self._weights = choose(network, slots, self.length, steps, cache, weights, check, self._source)
        self.spelling = self.programs.spelling.name
        self._state, self._cache = None, None
        self._held = [None] * slots  # the request in each slot
        self._waiting = collections.deque()
        self._reports = (
            collections.deque()
        )  # (array on its way to the host, [(row, slot, request)], whether a prompt's)
        self._numbers = itertools.count()
        self._changed = threading.Condition()  # held for moments: who asks never waits for the device
        self._working = threading.RLock()  # held by who does a round
        self._thread = None
        self._stopping = False
        self._together = False  # whether prompts that come at once are one call
        self.counters = collections.Counter()
        self._empty()

    # --- requests
    def submit(
        self,
        ids: Sequence[int] | np.ndarray | Tensor,
        max_new_tokens: int | None = None,
        *,
        decoder_input_ids: Sequence[int] | np.ndarray | Tensor | None = None,
        **settings,
    ):
        """A Request for the tokens after a prompt.

        Args:
            ids: int (tokens,); with an encoder, what it sees.
            decoder_input_ids: what a decoder beside an encoder begins with, by default the network's `decoder_start_token_id`.
            max_new_tokens: by default as many as the length leaves. min_new_tokens: before which no stop token comes. do_sample, temperature, top_k,
                top_p, repetition_penalty, seed, eos_token_id: as for `msjax.generate`.

        Raises:
            ValueError: the prompt is empty, or longer than the length with the new tokens. RuntimeError: too many requests wait.
        """
        source = None if self._source is None else one_source(self._source, ids)
        prompt = _prompt(ids) if source is None else started(decoder_input_ids, self._start)
        least = settings.pop("min_new_tokens", 0) or 0
        made = sampling.settings_of(**settings)
        room = self.length - len(prompt)
        new = _whole(
            "generate",
            "max_new_tokens",
            room if max_new_tokens is None else max_new_tokens,
            least=0 if room <= 0 else 1,
        )
        if new > room or room <= 0:
            raise ValueError(
                f"For 'generate', a prompt of {len(prompt)} tokens and {new} new ones are more than the length of {self.length} tokens that "
                "the cache has: shorten the prompt, ask for fewer, or make a TextGenerator of a larger length."
            )
        if len(prompt) > self.programs.prompts[-1]:
            raise ValueError(
                f"For 'generate', a prompt has at most {self.programs.prompts[-1]} tokens, but got {len(prompt)}."
            )
        made["limit"], made["least"] = len(prompt) + new, len(prompt) + least
        with self._changed:
            if self._stopping:
                raise RuntimeError("The TextGenerator is closed.")
            if len(self._waiting) >= self._queue_limit:
                raise RuntimeError(
                    f"{self._queue_limit} requests wait already, which is the 'queue' of the TextGenerator."
                )
            request = Request(self, prompt, made, next(self._numbers))
            request.source = source
            self._waiting.append(request)
            self.counters["requests"] += 1
            self._changed.notify_all()
        return request

    @property
    def waiting(self):
        """How many requests wait for a slot."""
        return len(self._waiting)

    @property
    def running(self):
        """How many requests have a slot."""
        return sum(request is not None and request.finished is None for request in self._held)

    def _cancel(self, request):
        with self._changed:
            if request.finished is None:
                self._end(request, "cancelled")
                if request in self._waiting:
                    self._waiting.remove(request)

    def _end(self, request, why, error=None):
        """A request has ended; its slot is free from the next round on. The caller holds `_changed`."""
        request.finished, request.error = why, error
        self.counters[why] += 1
        request._tell()
        self._changed.notify_all()

    # --- rounds
    def step(self):
        """One round: fill free slots with new requests, start the next step of all slots, collect the previous step.
        Returns whether there was any.
        """
        with self._working:
            try:
                return self._round()
            except Exception as error:
                self._fail(error)
                raise

    def _round(self):
        started = self._admit()
        alive = [
            slot
            for slot, r in enumerate(self._held)
            if r is not None and r.finished is None and self._far(r) < r.settings["limit"]
        ]
        if alive:
            self._ask(alive)
        # While the device computes what was just asked for, the host takes what was asked for before.
        while self._reports and (len(self._reports) > 1 or not alive):
            self._take(*self._reports.popleft())
        return bool(started or alive or self._reports)

    def _admit(self):
        given = []
        with self._changed:
            for slot, request in enumerate(self._held):
                if request is not None and request.finished is not None:
                    self._held[slot] = request = None
                if request is None and self._waiting:
                    request = self._held[slot] = self._waiting.popleft()
                    request._slot = slot
                    given.append(request)
        if not given:
            return False
        if not self.programs.spelling.per_row or self._together and len(given) == self.running > 1:
            self._prompts(given, whole=True)
        else:
            for request in given:
                self._prompts([request], whole=False)
        return True

    def _prompts(self, requests, whole):
        rows = self.slots if whole else 1
        width = self.programs.prompt_length(max(len(r.prompt) for r in requests))
        ids, lengths = np.zeros((rows, width), np.int32), np.ones(rows, np.int32)
        slots, alive = np.full(rows, self.slots, np.int32), np.zeros(rows, bool)
        settings = [{} for _ in range(rows)]
        for i, request in enumerate(requests):
            row = request._slot if whole else i
            ids[row, : len(request.prompt)], lengths[row] = request.prompt, len(request.prompt)
            slots[row], alive[row], settings[row] = request._slot, True, request.settings
        if whole and self.programs.spelling.per_row:  # no slot holds anything else
            slots = np.arange(self.slots, dtype=np.int32)
        values = self._weights.now()
        self._state, self._cache, report, _ = self.programs.run_prefill(
            values,
            self._state,
            self.programs.spelling.renewed(self._cache),
            ids,
            lengths,
            slots,
            sampling.rows_of(settings),
            alive,
            self._sources(requests, rows, whole),
        )
        self.counters["prompt_tokens"] += sum(len(r.prompt) for r in requests)
        self._send(report, [(r._slot if whole else i, r) for i, r in enumerate(requests)], True)

    def _sources(self, requests, rows, whole):
        """What the encoder sees of requests, as the programs take it; None for a decoder alone."""
        if self._source is None:
            return None
        return padded_sources(self.programs, {r._slot if whole else i: r.source for i, r in enumerate(requests)}, rows)

    def _ask(self, alive):
        going = np.zeros(self.slots, bool)
        going[alive] = True
        # No more is known of a row than how far it may have come: its tokens here, and those on their way.
        far = max(self._far(self._held[slot]) for slot in alive)
        longest = max(self._held[slot].settings["limit"] for slot in alive)
        view = self.programs.view_length(min(far + self.steps, longest, self.length))
        self._state, self._cache, report = self.programs.run_decode(
            view, self._weights.now(), self._state, self._cache, going, np.int32(self.steps)
        )
        self._send(report, [(slot, self._held[slot]) for slot in alive], False)

    def _far(self, request):
        """How many tokens a row has, or would have if it did not end."""
        return (
            len(request.prompt)
            + len(request.tokens)
            + sum(
                1 if first else self.steps
                for _, rows, first in self._reports
                if any(known is request for _, known in rows)
            )
        )

    def _send(self, report, rows, first):
        report.copy_to_host_async()
        self._reports.append((report, rows, first))

    def _take(self, report, rows, first):
        report = np.asarray(report)  # waits for the device
        with self._changed:
            for row, request in rows:
                if request.finished is None:
                    self._note(request, report[row], first)
            self._changed.notify_all()

    def _note(self, request, row, first):
        """Tokens of a request, out of its row of a report."""
        if first:
            made, shares, alive = row[:1], row[2:3], row[1]
        else:
            made, shares, alive = row[1 : 1 + self.steps], row[1 + self.steps :], row[0]
        count = int((made >= 0).sum())
        request.log_probabilities += shares[:count].view(np.float32).tolist()
        request.tokens += made[:count].tolist()
        self.counters["new_tokens"] += count
        if alive:
            request._tell()
            return
        stopped = request.tokens and request.tokens[-1] in request.settings["stops"]
        self._end(request, "stop" if stopped else "length")

    def _empty(self):
        with Wide():
            self._state, self._cache = self.programs.state(), self.programs.spelling.cache(self.slots, self.length)

    def _fail(self, error):
        """End every request with the error and clear the slots: the buffers donated to the failed call are lost."""
        with self._changed:
            for request in [*filter(None, self._held), *self._waiting]:
                if request.finished is None:
                    self._end(request, "error", error)
            self._waiting.clear()
        self._reports.clear()
        self._held = [None] * self.slots
        self._empty()

    def _await(self, request, taken):
        """Wait until a request has more than `taken` tokens or has ended; without a thread, by working."""
        while True:
            with self._changed:
                if request.finished is not None or len(request.tokens) > taken:
                    return
                if self._thread is not None:
                    self._changed.wait(1.0)
                    continue
            if not self.step() and request.finished is None and len(request.tokens) <= taken:
                raise RuntimeError("The TextGenerator has nothing to do, but a request is not finished.")

    # --- a thread of its own
    def start(self):
        """Work in a thread, until `close`; requests are then made and read from any thread. Returns the TextGenerator."""
        with self._changed:
            if self._thread is None:
                self._stopping = False
                context = contextvars.copy_context()
                self._thread = threading.Thread(
                    target=context.run, args=(self._work,), name="msjax-generator", daemon=True
                )
                self._thread.start()
        return self

    def _work(self):
        while True:
            with self._changed:
                while not (self._stopping or self._waiting or self.running or self._reports):
                    self._changed.wait(1.0)
                if self._stopping:
                    return
            try:
                self.step()
            except Exception:  # each request that it concerns has it
                continue

    def close(self):
        """End all requests, as cancelled, and the thread."""
        with self._changed:
            self._stopping = True
            for request in [*filter(None, self._held), *self._waiting]:
                if request.finished is None:
                    self._end(request, "cancelled")
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._reports.clear()

    def __enter__(self):
        return self.start()

    def __exit__(self, *error):
        self.close()


def _whole(function, name, value, least=1):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(
            f"For '{function}', the '{name}' must be an int, but got {value!r} of type {type(value).__name__}."
        )
    if value < least:
        raise ValueError(f"For '{function}', the '{name}' must be at least {least}, but got {value}.")
    return int(value)


def _prompt(ids):
    ids = ids.asnumpy() if isinstance(ids, Tensor) else np.asarray(ids)
    if ids.ndim != 1 or not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(
            f"For 'generate', a prompt must be token numbers, int (tokens,), but got shape {ids.shape} of {ids.dtype}."
        )
    if not len(ids):
        raise ValueError("For 'generate', a prompt must have at least one token, but got none.")
    return ids.astype(np.int32)
