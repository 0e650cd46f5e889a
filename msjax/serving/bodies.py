"""The bodies of requests, checked, as prompts and settings of a generator."""

import dataclasses
import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generation.sampling import STOPS

if TYPE_CHECKING:
    from .app import Limits


class Refused(Exception):
    """An invalid request: its status, and the field in error."""

    def __init__(self, message: str, status: int = 400, field: str | None = None, kind: str = "invalid_request_error"):
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": field, "code": None}}


@dataclasses.dataclass
class Asked:
    """One request: `prompts`, lists of token numbers; `texts`, the same as text, or None; settings for `submit`; the
    fields of the answer.
    """

    prompts: list
    texts: list
    settings: dict
    new: int
    count: int
    stops: list
    stream: bool
    usage: bool
    shares: bool
    echo: bool
    chat: bool


# Fields that would change the text and are not there: refused unless they ask for nothing.
_NOTHING = {
    "presence_penalty": (0, None),
    "frequency_penalty": (0, None),
    "logit_bias": (None, {}),
    "best_of": (None, 1),
    "suffix": (None, ""),
    "tools": (None, []),
    "functions": (None, []),
    "response_format": (None, {"type": "text"}),
}


def parsed(data: bytes):
    """The object in a body of JSON.

    Raises:
        Refused: it is not JSON, or no object.
    """
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Refused(f"The body is not JSON: {error}.") from None
    if b"\\u" in data and not _is_text(body):
        raise Refused("The body has half of a pair of surrogates (\\ud800 to \\udfff), which is no character.")
    if not isinstance(body, dict):
        raise Refused(f"The body must be an object of JSON, but got {type(body).__name__}.")
    return body


def _is_text(body: Any) -> bool:
    """Whether all texts in an object of JSON have characters alone, so that an answer can have them, too."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def asked(body: dict, tokens: bool, chat: bool, limits: "Limits"):
    """An `Asked` of a body.

    Args:
        body: dict.
        tokens: a `Texts`, or None without a tokenizer.
        chat: whether it has messages.
        limits: a `Limits`.

    Raises:
        Refused: a field of the wrong kind, out of range, or not known here.
    """
    for name, empty in _NOTHING.items():
        if name in body and body[name] not in empty:
            raise Refused(f"'{name}' is not supported: leave it out.", field=name)
    prompts, texts = _messages(body, tokens) if chat else _prompts(body, tokens)
    usual = limits.tokens if chat else 16
    new = _number(body, "max_completion_tokens", None, int, 1, limits.tokens)
    new = _number(body, "max_tokens", usual, int, 1, limits.tokens) if new is None else new
    temperature = _number(body, "temperature", 1.0, float, 0, 100)
    stops = body.get("stop") or []
    stops = [stops] if isinstance(stops, str) else stops
    if not isinstance(stops, list) or len(stops) > STOPS or not all(isinstance(s, str) and s for s in stops):
        raise Refused(f"'stop' must be a text, or a list of at most {STOPS} texts that are not empty.", field="stop")
    if stops and tokens is None:
        raise Refused("'stop' needs a tokenizer, which this server does not have: use 'stop_token_ids'.", field="stop")
    ends = body.get("stop_token_ids") or []
    if not isinstance(ends, list) or not all(isinstance(t, int) and not isinstance(t, bool) for t in ends):
        raise Refused("'stop_token_ids' must be a list of ints.", field="stop_token_ids")
    if tokens is not None and not body.get("ignore_eos"):
        ends = [*ends, *tokens.ends]
    settings = {
        "do_sample": temperature > 0,
        "temperature": temperature,
        "top_p": _number(body, "top_p", 1.0, float, 1e-9, 1),
        "top_k": max(0, _number(body, "top_k", 0, int, -1, 2**31 - 1)),
        "repetition_penalty": _number(body, "repetition_penalty", 1.0, float, 1e-3, 1e3),
        "min_new_tokens": _number(body, "min_tokens", 0, int, 0, limits.tokens),
        "seed": _number(body, "seed", time.time_ns() % 2**32, int, -(2**63), 2**63 - 1) % 2**32,
        "eos_token_id": ends or None,
    }
    count = _number(body, "n", 1, int, 1, limits.choices)
    if count * len(prompts) > limits.choices:
        raise Refused(
            f"A request can ask for {limits.choices} texts, but this one asks for {count * len(prompts)}.", field="n"
        )
    options = body.get("stream_options")
    return Asked(
        prompts=prompts,
        texts=texts,
        settings=settings,
        new=new,
        count=count,
        stops=stops,
        stream=bool(body.get("stream")),
        usage=bool(isinstance(options, dict) and options.get("include_usage")),
        shares=body.get("logprobs") not in (None, False),
        echo=bool(body.get("echo")) and not chat,
        chat=chat,
    )


def _number(body, name, usual, kind, low, high):
    value = body.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else int):
        raise Refused(
            f"'{name}' must be {'a number' if kind is float else 'an int'}, but got {json.dumps(value)[:80]}.",
            field=name,
        )
    if not low <= value <= high:
        raise Refused(f"'{name}' must be in [{low:g}, {high:g}], but got {value}.", field=name)
    return value


def _prompts(body, tokens):
    prompt = body.get("prompt")
    several = isinstance(prompt, list) and prompt and not isinstance(prompt[0], int)
    found, texts = [], []
    for one in prompt if several else [prompt]:
        if isinstance(one, str) and tokens is not None:
            found.append(_by_tokenizer(tokens.encode, one))
            texts.append(one)
        elif isinstance(one, list) and one and all(isinstance(t, int) and not isinstance(t, bool) for t in one):
            if not all(0 <= t < 2**31 for t in one):
                raise Refused("A token number in 'prompt' is out of range.", field="prompt")
            found.append(one)
            texts.append(_by_tokenizer(tokens.decode, one) if tokens is not None and body.get("echo") else None)
        else:
            kinds = "a list of token numbers" if tokens is None else "a text, a list of token numbers"
            raise Refused(f"'prompt' must be {kinds}, or a list of these, and not empty.", field="prompt")
    return found, texts


def _by_tokenizer(convert, prompt):
    try:
        return convert(prompt)
    except Exception as error:  # what a tokenizer raises for what it does not know
        raise Refused(f"The tokenizer refused the prompt: {error}", field="prompt") from None


def _messages(body, tokens):
    messages = body.get("messages")
    right = (
        isinstance(messages, list)
        and messages
        and all(
            isinstance(m, dict) and isinstance(m.get("role"), str) and isinstance(m.get("content"), (str, list))
            for m in messages
        )
    )
    if not right:
        raise Refused("'messages' must be a list of objects with 'role' and 'content'.", field="messages")
    plain = []
    for message in messages:
        content = message["content"]
        if isinstance(content, list):
            if not all(
                isinstance(p, dict) and p.get("type") == "text" and isinstance(p.get("text"), str) for p in content
            ):
                raise Refused("'content' can be a text or parts of type 'text' alone.", field="messages")
            content = "".join(part["text"] for part in content)
        plain.append({**message, "content": content})
    try:
        return [tokens.chat(plain)], [None]
    except Exception as error:  # what a template raises for roles that it does not know
        raise Refused(f"The chat template refused the messages: {error}", field="messages") from None


def as_ids(found: Any):
    """Token numbers as a list of ints, from a tokenizer's result: a list, an array, an object with `ids` or
    `input_ids`.
    """
    for name in ("input_ids", "ids"):
        if isinstance(found, dict) and name in found:
            found = found[name]
        found = getattr(found, name, found)
    return np.asarray(found.asnumpy() if hasattr(found, "asnumpy") else found).reshape(-1).astype(int).tolist()
