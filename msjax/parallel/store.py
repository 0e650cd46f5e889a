"""Keys and values that the processes of a run share over TCP: the members, their failures with reasons, and the
operation each is waiting in.

One server, in the launcher or in the first process; each process holds one connection, and one more for each call that waits.
A message is a JSON line and the raw bytes that it announces: nothing is unpickled. Before the first one both ends show by a challenge that
they know the token of the run (`run_token.py`), which itself is never sent; what is not understood ends the connection.
"""

import json
import math
import secrets
import socket
import socketserver
import threading
import time
from typing import Any

from .run_token import NAME, SIGNATURE_BYTES, run_token, sign, signed

__all__ = ["Server", "Store"]
_WAIT = 600.0  # seconds
_HELLO, _NONCE = b"msjax store 1 ", 32
_SHAKE = 10.0  # seconds in which who connects has to show the token
_LINE, _PAYLOAD = 1 << 16, 1 << 28  # bytes that a message may take
# what may be asked, and what it needs besides a key
_CALLS = {
    "get": {"wait": (int, float)},
    "add": {"amount": (int,)},
    **{name: {} for name in ("set", "first", "delete", "keys", "hello", "farewell")},
}


def _understood(line):
    """The call of a line; ValueError where it is none."""
    if not line.endswith(b"\n"):
        raise ValueError("a line that does not end")
    call = json.loads(line)
    if not isinstance(call, dict) or call.get("do") not in _CALLS or not isinstance(call.get("key"), str):
        raise ValueError("no call")
    size, needs = call.get("size", 0), _CALLS[call["do"]]
    if type(size) is not int or not 0 <= size <= _PAYLOAD or not call.keys() <= {"do", "key", "size", *needs}:
        raise ValueError("no call")
    for name, kinds in needs.items():
        if type(call.get(name)) not in kinds or not math.isfinite(call[name]):
            raise ValueError("no call")
    return call


class Server:
    """The store itself, served by threads of this process.

    `died(rank)` is called when a connection that said who it is breaks off without a farewell. It listens at `host` alone.
    """

    def __init__(self, host: str, port: int | None, died: Any = None, token: Any = None):
        self.token = run_token() if token is None else token
        self.content, self.changed, self.died = {}, threading.Condition(), died
        content = self

        class Connection(socketserver.StreamRequestHandler):
            disable_nagle_algorithm = True

            def handle(self):
                rank = None
                try:
                    if not content.admits(self):
                        return
                    while line := self.rfile.readline(_LINE):
                        call = _understood(line)
                        payload = self.rfile.read(call.get("size", 0))
                        if len(payload) != call.get("size", 0):
                            break
                        if call["do"] == "hello":
                            rank = call["key"]
                        elif call["do"] == "farewell":
                            rank = None
                        answer = content.answer(call, payload)
                        size = -1 if answer is None else len(answer)
                        self.wfile.write(f"{size}\n".encode() + (answer or b""))
                except (OSError, ValueError, RecursionError):
                    pass  # the other end is gone, or speaks something else: what follows is for it
                if rank is not None:
                    content.lost(rank)

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
            request_queue_size = 1024

        self.listener = Listener((host, port), Connection)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, args=(0.1,), daemon=True, name="msjax store").start()

    def admits(self, connection: Any):
        """Whether who has connected knows the token; shows that this end does."""
        connection.connection.settimeout(_SHAKE)
        ours = secrets.token_bytes(_NONCE)
        connection.wfile.write(_HELLO + ours)
        told = connection.rfile.read(_NONCE + SIGNATURE_BYTES)
        theirs, signature = told[:_NONCE], told[_NONCE:]
        if not signed(self.token, signature, b"store client", ours, theirs):
            return False
        connection.wfile.write(sign(self.token, b"store server", ours, theirs))
        connection.connection.settimeout(None)
        return True

    def answer(self, call: Any, payload: Any):
        """Bytes, or None: there is no such key (in time)."""
        do, key = call["do"], call["key"]
        with self.changed:
            if do == "get":
                self.changed.wait_for(lambda: key in self.content, call["wait"])
                return self.content.get(key)
            if do == "add":
                payload = str(int(self.content.get(key, b"0")) + call["amount"]).encode()
            if do in ("set", "add") or (do == "first" and key not in self.content):
                self.content[key] = payload
                self.changed.notify_all()
                return payload
            if do == "first":
                return self.content[key]
            if do == "delete":
                return b"1" if self.content.pop(key, None) is not None else None
            if do == "keys":
                return json.dumps([k for k in self.content if k.startswith(key)]).encode()
            return b""

    def lost(self, rank: int):
        """Note that a process is gone."""
        with self.changed:
            self.content.setdefault("failure", json.dumps({"rank": rank, "text": ""}).encode())
            self.content[f"gone/{rank}"] = b"1"
            self.changed.notify_all()
        if self.died is not None:
            self.died(rank)

    def close(self):
        """Stop serving."""
        self.listener.shutdown()
        self.listener.server_close()


class Store:
    """A connection to the store. Threads may share it; a call that waits for a key uses a connection of its own.

    Raises:
        TimeoutError: nobody serves there within `wait` seconds. RuntimeError: who serves there does not know the token.
    """

    def __init__(self, host: str, port: int | None, wait: Any = _WAIT, token: Any = None):
        self.token = run_token() if token is None else token
        self.address, self.lock = (host, port), threading.Lock()
        self.main = self._connect(wait)

    def _connect(self, wait=10.0):
        end = time.monotonic() + wait
        while True:
            try:
                connection = socket.create_connection(self.address, timeout=max(1.0, wait))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.settimeout(2 * _SHAKE)
                reader = connection.makefile("rb")
                self._introduce(connection, reader)
                connection.settimeout(None)
                return connection, reader
            except OSError as error:
                if time.monotonic() > end:
                    raise TimeoutError(
                        f"nobody serves at {self.address[0]}:{self.address[1]} ({error}): was the first process, or "
                        f"the launcher of the first machine, started within {wait:.0f} seconds?"
                    ) from None
                time.sleep(0.05)

    def _introduce(self, connection, reader):
        """Show the token, and see that the other end knows it."""
        told = reader.read(len(_HELLO) + _NONCE)
        theirs, ours = told[len(_HELLO) :], secrets.token_bytes(_NONCE)
        if not told:
            raise ConnectionError("the server ended the connection")
        shown = False
        if told.startswith(_HELLO) and len(theirs) == _NONCE:
            connection.sendall(ours + sign(self.token, b"store client", theirs, ours))
            shown = signed(self.token, reader.read(SIGNATURE_BYTES), b"store server", theirs, ours)
        if not shown:
            reader.close()
            connection.close()
            raise RuntimeError(
                f"who serves at {self.address[0]}:{self.address[1]} does not belong to this run: it does not know its token. Set {NAME} to "
                "the same text on all machines."
            )

    @staticmethod
    def _ask(connection, do, key, payload=b"", **more):
        raw, reader = connection
        raw.sendall(json.dumps({"do": do, "key": key, "size": len(payload), **more}).encode() + b"\n" + payload)
        size = reader.readline()
        if not size:
            raise ConnectionError("the process that keeps the run together is gone")
        return None if int(size) < 0 else reader.read(int(size))

    def _call(self, do, key, payload=b"", **more):
        with self.lock:
            return self._ask(self.main, do, key, payload, **more)

    def set(self, key: Any, value: Any):
        """Store bytes."""
        self._call("set", key, value)

    def first(self, key: Any, value: Any):
        """Store bytes if there are none yet; the bytes that are there now."""
        return self._call("first", key, value)

    def add(self, key: Any, amount: int = 1):
        """Add to a number (0 at first); the new one."""
        return int(self._call("add", key, amount=amount))

    def delete(self, key: Any):
        """Whether the key was there; now it is not."""
        return self._call("delete", key) is not None

    def keys(self, prefix: str = ""):
        """The keys that begin so."""
        return json.loads(self._call("keys", prefix))

    def get(self, key: Any, wait: float = 0.0):
        """The bytes of a key, waiting up to so many seconds for it; None if it does not come."""
        if wait <= 0:
            return self._call("get", key, wait=0)
        connection = self._connect()
        try:
            return self._ask(connection, "get", key, wait=wait)
        finally:
            connection[1].close()
            connection[0].close()

    def hello(self, rank: int):
        """From now on, this connection breaking off means that the process died."""
        self._call("hello", str(rank))

    def farewell(self):
        """From now on, it does not."""
        self._call("farewell", "")

    def close(self):
        """Break the connection off."""
        for part in reversed(self.main):
            part.close()
