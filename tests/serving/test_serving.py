"""The server: each text is the one that the network gives alone, whatever else is asked for at the same time; what is wrong is refused."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import msjax

pytest.importorskip("starlette", reason="the extra 'serve' is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra 'serve' is not installed")

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "generation"))
import decoders  # noqa: E402

LONG = bool(os.environ.get("MSJAX_TEST_ALL"))
LETTERS = "abcdefghijklmnopqrstuvwxyz ,.é"


class Letters:
    """A tokenizer: one token a letter, and a template for chats."""

    eos_token_id = 96

    def encode(self, text):
        return [LETTERS.index(c) + 1 for c in text.lower() if c in LETTERS]

    def decode(self, ids):
        if any(i >= 1000 for i in ids):
            raise IndexError("piece id is out of range")  # as sentencepiece does
        return "".join(LETTERS[i % len(LETTERS) - 1] for i in ids)

    def apply_chat_template(self, messages, add_generation_prompt):
        if messages[0]["role"] not in ("system", "user"):
            raise ValueError("a chat starts with a user")
        return "".join(f"{m['role']}, {m['content']}. " for m in messages)


class Served:
    """A server in a thread, and requests to it."""

    def __init__(self):
        from msjax.serving import Limits, application

        self.net = decoders.make("plain")
        self.generator = msjax.TextGenerator(self.net, slots=8 if LONG else 4, length=48, steps=4, queue=256)
        app = application(
            self.generator, Letters(), "letters", Limits(body=10_000, seconds=1.0, tokens=40), key="secret"
        )
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", limit_concurrency=400))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]

    def ask(self, path, body=None, key="secret", data=None):
        """(status, what the answer says)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        data = json.dumps(body) if data is None and body is not None else data
        connection.request("GET" if data is None else "POST", path, data, {"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if text[:1] == "{" else text

    def complete(self, prompt, count, **more):
        status, answer = self.ask("/v1/completions", {"prompt": prompt, "max_tokens": count, "temperature": 0, **more})
        assert status == 200, answer
        return answer


@pytest.fixture(scope="module")
def served():
    made = Served()
    yield made
    made.server.should_exit = True
    made.thread.join(30)
    assert not made.thread.is_alive() and made.generator._thread is None


def test_completions_are_those_of_the_network(served):
    answer = served.complete([5, 6, 7], 6, ignore_eos=True, logprobs=1)
    want = decoders.alone(served.net, [5, 6, 7], 6, "plain")
    (choice,) = answer["choices"]
    assert choice["token_ids"] == want and choice["finish_reason"] == "length"
    assert len(choice["logprobs"]["token_logprobs"]) == 6 and max(choice["logprobs"]["token_logprobs"]) <= 0
    assert answer["usage"] == {"prompt_tokens": 3, "completion_tokens": 6, "total_tokens": 9}
    assert choice["text"] == Letters().decode([t for t in want if t != 96])
    several = served.complete([[5, 6, 7], [9]], 4, n=2, ignore_eos=True, temperature=1.0, seed=3)
    assert [c["index"] for c in several["choices"]] == [0, 1, 2, 3]
    again = served.complete([[5, 6, 7], [9]], 4, n=2, ignore_eos=True, temperature=1.0, seed=3)
    assert [c["token_ids"] for c in several["choices"]] == [c["token_ids"] for c in again["choices"]]


def test_streams_bring_the_same_text_in_pieces(served):
    whole = served.complete("hello", 9, echo=True)["choices"][0]
    status, text = served.ask(
        "/v1/completions",
        {"prompt": "hello", "max_tokens": 9, "temperature": 0, "stream": True, "echo": True, "stream_options": {"include_usage": True}},
    )  # fmt: skip
    *events, done = [line[6:] for line in text.split("\n\n") if line]
    events = list(map(json.loads, events))
    assert status == 200 and done == "[DONE]"
    assert "".join(e["choices"][0]["text"] for e in events[:-1]) == whole["text"]
    assert events[-2]["choices"][0]["finish_reason"] == whole["finish_reason"]
    assert events[-1]["usage"]["completion_tokens"] == len(whole["token_ids"])


def test_a_stop_text_ends_the_text_before_it(served):
    text = served.complete("hello", 12, ignore_eos=True)["choices"][0]["text"]
    stop = text[4:6]
    cut = served.complete("hello", 12, ignore_eos=True, stop=[stop, "????"])["choices"][0]
    assert cut["text"] == text[: text.index(stop)] and cut["finish_reason"] == "stop"


def test_chats(served):
    body = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "max_tokens": 5,
        "temperature": 0,
    }
    status, answer = served.ask("/v1/chat/completions", body)
    want = decoders.alone(served.net, Letters().encode("user, hi. "), 5, "plain")
    want = want[: want.index(96) + 1] if 96 in want else want
    assert status == 200 and answer["object"] == "chat.completion"
    message = answer["choices"][0]["message"]
    assert message["role"] == "assistant" and message["content"] == Letters().decode([t for t in want if t != 96])
    body["messages"] = [{"role": "robot", "content": "hi"}]
    status, answer = served.ask("/v1/chat/completions", body)
    assert status == 400 and "a chat starts with a user" in answer["error"]["message"]


def test_what_is_wrong_is_refused(served):
    path, right = "/v1/completions", {"prompt": [1], "max_tokens": 1}
    for body, status, text in (
        ({**right, "temperature": "hot"}, 400, "'temperature' must be a number"),
        ({**right, "max_tokens": 0}, 400, r"'max_tokens' must be in [1, 40], but got 0"),
        ({**right, "prompt": []}, 400, "'prompt' must be"),
        ({**right, "prompt": [1] * 48}, 400, "prompt of 48 tokens"),
        ({**right, "model": "other"}, 404, "There is no model 'other'"),
        ({**right, "n": 17}, 400, "'n' must be in [1, 16]"),
        ({**right, "suffix": "x"}, 400, "'suffix' is not supported"),
        ({**right, "stop": ["a"] * 65}, 400, "at most 64 texts"),
        ({**right, "stop_token_ids": [2**40]}, 400, "an int of 32 bits"),
        ({**right, "prompt": [5000], "echo": True}, 400, "tokenizer refused the prompt: piece id"),
        ({**right, "prompt": "a\ud800"}, 400, "half of a pair of surrogates"),
        ({**right, "prompt": "a", "user": ["\udfff"]}, 400, "half of a pair of surrogates"),
        ([1], 400, "must be an object of JSON"),
    ):
        got, answer = served.ask(path, body)
        assert got == status and text in answer["error"]["message"], (body, answer)
    assert served.ask(path, data="{bad")[0] == 400
    assert served.ask(path, data="[" * 9000)[0] == 400
    assert served.ask(path, right, key="other")[0] == 401
    assert served.ask("/v1/nothing")[0] == 404
    assert served.ask(path)[0] == 405


def test_characters_of_two_escapes_and_unknown_numbers_are_answered(served):
    """JSON writes what is beyond 16 bits as a pair of surrogates; numbers that the tokenizer does not know matter only where their text is asked for."""
    ends = {"max_tokens": 1, "ignore_eos": True}
    assert served.ask("/v1/completions", data='{"prompt": "a \\ud83d\\ude00", "max_tokens": 1, "echo": true}')[0] == 200
    assert served.ask("/v1/completions", {"prompt": [5000], **ends})[0] == 200


def test_a_body_that_is_too_large_or_never_ends(served):
    def start(head):
        link = socket.create_connection(("127.0.0.1", served.port))
        link.sendall(b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n" + head)
        return link

    with start(b"Content-Length: 104857600\r\n\r\n") as link:  # refused before it is sent
        assert b" 413 " in link.recv(4096)
    with start(b"Transfer-Encoding: chunked\r\n\r\n") as link:
        link.sendall(b"4000\r\n" + b"a" * 0x4000 + b"\r\n")
        assert b" 413 " in link.recv(4096)
    with start(b"Content-Length: 100\r\n\r\n{") as link:
        assert b" 408 " in link.recv(4096)
    assert 'answers_total{status="413"}' in served.ask("/metrics")[1]
    assert served.ask("/health") == (200, {"status": "ok"})


def test_many_requests_and_clients_that_go_away(served):
    count = 200 if LONG else 24
    draw = random.Random(0)
    plans = [
        ([draw.randrange(1, 96) for _ in range(draw.randrange(1, 12))], draw.randrange(1, 12), draw.random())
        for _ in range(count)
    ]

    def one(plan):
        prompt, new, chance = plan
        time.sleep(chance * count / 50)
        if chance < 0.2:  # goes away in the middle
            link = socket.create_connection(("127.0.0.1", served.port))
            body = json.dumps(
                {"prompt": prompt, "max_tokens": 36, "stream": True, "temperature": 0, "ignore_eos": True}
            )
            head = f"POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\nContent-Length: {len(body)}\r\n\r\n"
            link.sendall((head + body).encode())
            link.recv(10)
            link.close()
            return None
        return served.complete(prompt, new, ignore_eos=True)["choices"][0]["token_ids"]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        texts = list(pool.map(one, plans))
    for (prompt, new, _), text in zip(plans, texts):
        if text is not None:
            assert text == served.generator.submit(prompt, new).result().tolist()
    end = time.monotonic() + 60
    while served.generator.running + served.generator.waiting and time.monotonic() < end:
        time.sleep(0.05)
    assert served.generator.running + served.generator.waiting == 0
    assert f"msjax_requests_total {served.generator.counters['requests']}\n" in served.ask("/metrics")[1]


def test_many_connections_leave_the_server_answering(served):
    links = []
    try:
        for _ in range(1000 if LONG else 60):
            links.append(socket.create_connection(("127.0.0.1", served.port)))
        for link in links[: len(links) // 2]:
            link.sendall(b"GET /hea")
    finally:
        for link in links:
            link.close()
    end = time.monotonic() + 30
    while (status := served.ask("/health")[0]) == 503 and time.monotonic() < end:
        time.sleep(0.1)
    assert status == 200


@pytest.mark.skipif(not LONG, reason="minutes: set MSJAX_TEST_ALL=1")
def test_memory_is_flat_over_many_requests():
    made = msjax.TextGenerator(decoders.make("plain"), slots=8, length=32, steps=4)
    status = pathlib.Path("/proc/self/status")

    def resident():
        return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmRSS")))

    def run(count):
        for request in [made.submit(np.arange(1, 2 + i % 9), max_new_tokens=1 + i % 12) for i in range(count)]:
            request.result()

    run(200)
    before = resident()
    run(2000)
    assert resident() - before < 20_000  # KiB


@pytest.mark.skipif(not LONG, reason="half a minute: set MSJAX_TEST_ALL=1")
def test_the_command_serves_and_stops_cleanly(tmp_path):
    (tmp_path / "net.py").write_text(
        f"import sys\nsys.path.insert(0, {str(pathlib.Path(decoders.__file__).parent)!r})\n"
        "import decoders\ndef make():\n    return decoders.make('plain')\n"
    )
    command = [
        sys.executable,
        "-m",
        "msjax",
        "serve",
        f"{tmp_path}/net.py:make",
        "--port",
        "0",
        "--slots",
        "2",
        "--length",
        "32",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if "running on http://127.0.0.1:" in line:
                break
        port = int(line.split("127.0.0.1:")[1].split()[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request("POST", "/v1/completions", json.dumps({"prompt": [1, 2], "max_tokens": 3, "temperature": 0}))
        answer = json.loads(connection.getresponse().read())
        assert answer["choices"][0]["token_ids"] == decoders.alone(decoders.make("plain"), [1, 2], 3, "plain")
        assert answer["model"] == "net"
        connection.close()
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        assert process.wait(60) in (0, -signal.SIGTERM)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
