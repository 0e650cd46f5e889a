"""The server's application: completions and chats, which models there are, metrics and health."""

import asyncio
import collections
import contextlib
import dataclasses
import hmac
import itertools
import json
import time
from typing import TYPE_CHECKING, Any

from .bodies import Refused, asked, parsed
from .texts import Growing, Texts

if TYPE_CHECKING:
    from ..generation.generator import TextGenerator

try:
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect
    from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse
    from starlette.routing import Route
except ImportError as error:
    raise ImportError("Serving needs the packages starlette and uvicorn: pip install 'msjax[serve]'.") from error


@dataclasses.dataclass
class Limits:
    """Limits of one request: bytes of its body, seconds until the body has arrived, new tokens, and texts."""

    body: int = 1 << 20
    seconds: float = 30.0
    tokens: int = 4096
    choices: int = 16


def application(
    generator: "TextGenerator",
    tokenizer: Any = None,
    name: str = "msjax",
    limits: Limits | None = None,
    key: str | None = None,
):
    """A Starlette application that serves a generator.

    Args:
        generator: TextGenerator; it works in its own thread from the application's start to its end.
        tokenizer: object with `encode` and `decode`; without one, prompts and texts are token numbers.
        name: of the model.
        limits: a Limits.
        key: what clients must send as `Authorization: Bearer ...`; None for no check.

    Returns:
        Starlette, an ASGI application with /v1/completions, /v1/chat/completions, /v1/models, /metrics and /health.
    """
    return _Server(generator, tokenizer, name, limits or Limits(), key).app


class _Server:
    def __init__(self, generator, tokenizer, name, limits, key):
        self.generator, self.name, self.key = generator, name, key
        self.texts = None if tokenizer is None else Texts(tokenizer)
        self.limits = dataclasses.replace(limits, tokens=min(limits.tokens, generator.length))
        self.answers, self.numbers, self.made = collections.Counter(), itertools.count(), int(time.time())
        routes = [
            Route("/v1/completions", self._guarded(self.complete), methods=["POST"]),
            Route("/v1/chat/completions", self._guarded(self.chat), methods=["POST"]),
            Route("/v1/models", self._guarded(self.models), methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
            Route("/health", self.health, methods=["GET"]),
        ]
        self.app = Starlette(routes=routes, lifespan=self.lifespan)

    @contextlib.asynccontextmanager
    async def lifespan(self, app):
        self.generator.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self.generator.close)

    def _guarded(self, handler):
        async def handle(request):
            try:
                if self.key is not None:
                    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
                    if not hmac.compare_digest(sent.encode(), self.key.encode()):
                        raise Refused("The key is missing or wrong.", 401, kind="authentication_error")
                response = await handler(request)
            except Refused as error:
                response = JSONResponse(error.body, error.status)
            except ClientDisconnect:
                response = PlainTextResponse("", 499)
            self.answers[response.status_code] += 1
            return response

        return handle

    # --- what is asked
    async def complete(self, request):
        return await self._answer(request, chat=False)

    async def chat(self, request):
        if self.texts is None or not self.texts.chats:
            raise Refused("This server has no tokenizer with a template for chats: use /v1/completions.", 404)
        return await self._answer(request, chat=True)

    async def models(self, request):
        data = [{"id": self.name, "object": "model", "created": self.made, "owned_by": "msjax"}]
        return JSONResponse({"object": "list", "data": data})

    async def health(self, request):
        return JSONResponse({"status": "ok"})

    async def metrics(self, request):
        counts, generator = self.generator.counters, self.generator
        rows = [
            ("requests_total", "counter", [("", counts["requests"])]),
            ("prompt_tokens_total", "counter", [("", counts["prompt_tokens"])]),
            ("new_tokens_total", "counter", [("", counts["new_tokens"])]),
            (
                "finished_total",
                "counter",
                [(f'{{reason="{w}"}}', counts[w]) for w in ("stop", "length", "cancelled", "error")],
            ),
            ("requests_running", "gauge", [("", generator.running)]),
            ("requests_waiting", "gauge", [("", generator.waiting)]),
            ("slots", "gauge", [("", generator.slots)]),
            ("programs", "gauge", [("", len(generator.programs.used))]),
            ("answers_total", "counter", [(f'{{status="{s}"}}', n) for s, n in sorted(self.answers.items())]),
        ]
        lines = []
        for what, kind, values in rows:
            lines.append(f"# TYPE msjax_{what} {kind}")
            lines += [f"msjax_{what}{label} {value}" for label, value in values]
        return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    async def _body(self, request):
        large = Refused(f"The body is larger than {self.limits.body} bytes.", 413)
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limits.body:
            raise large
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                async for part in request.stream():
                    size += len(part)
                    if size > self.limits.body:
                        raise large
                    parts.append(part)
        except TimeoutError:
            raise Refused(f"The body did not come within {self.limits.seconds} seconds.", 408) from None
        return b"".join(parts)

    async def _answer(self, request, chat):
        body = parsed(await self._body(request))
        if body.get("model") not in (None, self.name):
            raise Refused(f"There is no model {body['model']!r}; this server has '{self.name}'.", 404, "model")
        wanted = asked(body, self.texts, chat, self.limits)
        choices = self._submit(wanted)
        answer = _Answer(self, wanted, choices)
        if wanted.stream:
            return StreamingResponse(
                answer.events(), media_type="text/event-stream", headers={"Cache-Control": "no-cache"}
            )
        try:
            return JSONResponse(await answer.whole(request))
        finally:
            answer.leave()

    def _submit(self, wanted):
        choices = []
        try:
            for prompt in wanted.prompts:
                for i in range(wanted.count):
                    settings = wanted.settings | {"seed": (wanted.settings["seed"] + i) % 2**32}
                    # What the length leaves, if that is less than what was asked for by default or by hand.
                    new = min(wanted.new, max(1, self.generator.length - len(prompt)))
                    choices.append(self.generator.submit(prompt, new, **settings))
        except (RuntimeError, ValueError, TypeError) as error:
            for choice in choices:
                choice.cancel()
            busy = isinstance(error, RuntimeError)
            raise Refused(
                str(error), 429 if busy else 400, kind="overloaded_error" if busy else "invalid_request_error"
            ) from None
        return choices


class _Answer:
    """The texts of one request on their way to the client."""

    def __init__(self, server, wanted, choices):
        self.server, self.wanted, self.choices = server, wanted, choices
        self.texts = [Growing(server.texts, wanted.stops) for _ in choices]
        self.told = [0] * len(choices)
        self.ended = [None] * len(choices)
        loop, self.news = asyncio.get_running_loop(), asyncio.Event()

        def tell():
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self.news.set)

        for choice in choices:
            choice.listen(tell)
        start = "chatcmpl" if wanted.chat else "cmpl"
        self.head = {
            "id": f"{start}-{server.made:x}-{next(server.numbers)}",
            "object": "chat.completion" if wanted.chat else "text_completion",
            "created": int(time.time()),
            "model": server.name,
        }

    def leave(self):
        """End the work for a client that has its answer, or has gone."""
        for choice in self.choices:
            choice.cancel()

    async def pieces(self, gone=None):
        """(number of the text, new tokens, their log-probabilities, new text, why it ended or None), as they come. gone: coroutine function that says
        whether the client is.
        """
        while None in self.ended:
            try:
                await asyncio.wait_for(self.news.wait(), 0.5)
            except TimeoutError:
                if gone is not None and await gone():
                    raise ClientDisconnect() from None
                continue
            self.news.clear()
            for i, choice in enumerate(self.choices):
                if self.ended[i] is not None:
                    continue
                finished = choice.finished
                upto = len(choice.tokens)
                new, shares = choice.tokens[self.told[i] : upto], choice.log_probabilities[self.told[i] : upto]
                self.told[i] = upto
                text = self.texts[i].add(new, last=finished is not None)
                if self.texts[i].ended:
                    choice.cancel()
                    finished = "stop"
                if choice.error is not None and finished == "error":
                    raise Refused(f"The network failed: {choice.error}", 500, kind="server_error")
                self.ended[i] = finished
                if new or finished:
                    yield i, new, shares, text, finished

    def usage(self):
        """How many tokens there were."""
        prompt = sum(len(choice.prompt) for choice in self.choices[:: self.wanted.count])
        return {"prompt_tokens": prompt, "completion_tokens": sum(self.told), "total_tokens": prompt + sum(self.told)}

    def _echoed(self, i):
        return (self.wanted.texts[i // self.wanted.count] or "") if self.wanted.echo else ""

    async def whole(self, request):
        """The answer as one object."""
        texts = [self._echoed(i) for i in range(len(self.choices))]
        async for i, _, _, text, _ in self.pieces(request.is_disconnected):
            texts[i] += text
        choices = []
        for i, (choice, text) in enumerate(zip(self.choices, texts)):
            made = {"index": i, "finish_reason": self.ended[i], "token_ids": choice.tokens[: self.told[i]]}
            made |= {"message": {"role": "assistant", "content": text}} if self.wanted.chat else {"text": text}
            made["logprobs"] = self._shares(made["token_ids"], choice.log_probabilities)
            choices.append(made)
        return {**self.head, "choices": choices, "usage": self.usage()}

    def _shares(self, ids, shares):
        if not self.wanted.shares:
            return None
        shown = [str(t) if self.server.texts is None else self.server.texts.decode([t]) for t in ids]
        if self.wanted.chat:
            return {"content": [{"token": t, "logprob": s, "top_logprobs": []} for t, s in zip(shown, shares)]}
        return {"tokens": shown, "token_logprobs": shares[: len(ids)]}

    async def events(self):
        """The answer as events, one for each piece."""
        chat = self.wanted.chat
        head = self.head | ({"object": "chat.completion.chunk"} if chat else {})
        try:
            for i in range(len(self.choices) if chat or self.wanted.echo else 0):
                first = {"delta": {"role": "assistant", "content": ""}} if chat else {"text": self._echoed(i)}
                yield _event({**head, "choices": [{"index": i, **first, "finish_reason": None}]})
            async for i, ids, shares, text, why in self.pieces():
                piece = {"delta": {"content": text}} if chat else {"text": text}
                made = {
                    "index": i,
                    **piece,
                    "token_ids": ids,
                    "logprobs": self._shares(ids, shares),
                    "finish_reason": why,
                }
                yield _event({**head, "choices": [made]})
            if self.wanted.usage:
                yield _event({**head, "choices": [], "usage": self.usage()})
            yield "data: [DONE]\n\n"
        except Refused as error:
            yield _event(error.body)
        finally:  # also when the client has gone: its connection's task is then cancelled
            self.leave()


def _event(made):
    return f"data: {json.dumps(made)}\n\n"
