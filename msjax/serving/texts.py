"""From tokens to text while it grows, with a tokenizer of any kind that has `encode` and `decode`."""

from collections.abc import Sequence
from typing import Any

from .bodies import as_ids


class Texts:
    """A tokenizer: `encode(text)`, `decode(ids)`, `eos_token_id`, and for chats `apply_chat_template(messages, ...)` with a template."""

    def __init__(self, tokenizer: Any):
        self.tokenizer = tokenizer
        ends = getattr(tokenizer, "eos_token_id", None)
        self.ends = ends if isinstance(ends, list) else [] if ends is None else [int(ends)]

    @property
    def chats(self):
        """Whether there is a template for chats."""
        return (
            hasattr(self.tokenizer, "apply_chat_template")
            and getattr(self.tokenizer, "chat_template", True) is not None
        )

    def encode(self, text: str):
        """Token numbers of a text."""
        return as_ids(self.tokenizer.encode(text))

    def decode(self, ids: Sequence[int]):
        """The text of token numbers."""
        return self.tokenizer.decode(ids)

    def chat(self, messages: Sequence[dict]):
        """Token numbers of the messages of a chat, up to where the answer begins."""
        found = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True)
        return self.encode(found) if isinstance(found, str) else as_ids(found)


class Growing:
    """The text of tokens that come one after the other, given out as far as it can not change, and cut at a stop text.

    texts: a Texts, or None: then there is no text. stops: texts at which it ends, which are not a part of it.
    """

    def __init__(self, texts: Any, stops: Sequence[str] = ()):
        self.texts, self.stops = texts, stops
        self.ids, self.start, self.known = (
            [],
            0,
            0,
        )  # what is before `start` is text already; up to `known` it was given out
        self.held, self.ended = "", False
        self.ends = set() if texts is None else set(texts.ends)

    def add(self, ids: Sequence[int], last: bool = False):
        """The text that these tokens add; `last`: no more come."""
        if self.texts is None or self.ended:
            return ""
        self.ids += [t for t in ids if t not in self.ends]
        # A word's space, or a character of several tokens, shows only beside what was before: that is decoded along.
        before = self.texts.decode(self.ids[self.start : self.known]) if self.known > self.start else ""
        whole = self.texts.decode(self.ids[self.start :]) if len(self.ids) > self.start else ""
        if len(whole) > len(before) and (last or not whole.endswith("\ufffd")):
            self.held += whole[len(before) :]
            self.start, self.known = self.known, len(self.ids)
        return self._cut(last)

    def _cut(self, last):
        found = [(place, s) for s in self.stops if (place := self.held.find(s)) >= 0]
        if found:
            text, self.held, self.ended = self.held[: min(found)[0]], "", True
            return text
        keep = 0
        if not last:  # the beginning of a stop text waits
            keep = max((n for s in self.stops for n in range(1, len(s)) if self.held.endswith(s[:n])), default=0)
        cut = len(self.held) - keep
        text, self.held = self.held[:cut], self.held[cut:]
        return text
