"""Keys and values that the processes of a run share over TCP: who is there, who died and why, and what each is waiting for.

One server, in the launcher or in the first process; each process holds one connection, and one more for each call that waits.
A message is a JSON line and the raw bytes that it announces: nothing is unpickled.
"""

import json
import socket
import socketserver
import threading
import time

__all__ = ["Server", "Store"]
_WAIT = 600.0  # seconds


class Server:
    """The store itself, served by threads of this process.

    `died(rank)` is called when a connection that said who it is breaks off without a farewell.
    """

    def __init__(self, host, port, died=None):
        self.content, self.changed, self.died = {}, threading.Condition(), died
        content = self

        class Connection(socketserver.StreamRequestHandler):
            disable_nagle_algorithm = True

            def handle(self):
                rank = None
                try:
                    while line := self.rfile.readline():
                        call = json.loads(line)
                        payload = self.rfile.read(call.get("size", 0))
                        if call["do"] == "hello":
                            rank = call["key"]
                        elif call["do"] == "farewell":
                            rank = None
                        answer = content.answer(call, payload)
                        size = -1 if answer is None else len(answer)
                        self.wfile.write(f"{size}\n".encode() + (answer or b""))
                except (ConnectionError, ValueError):
                    pass  # the other end is gone: what follows is for it
                if rank is not None:
                    content.lost(rank)

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
            request_queue_size = 1024

        self.listener = Listener((host, port), Connection)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, args=(0.1,), daemon=True, name="msjax store").start()

    def answer(self, call, payload):
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

    def lost(self, rank):
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
        TimeoutError: nobody serves there within `wait` seconds.
    """

    def __init__(self, host, port, wait=_WAIT):
        self.address, self.lock = (host, port), threading.Lock()
        self.main = self._connect(wait)

    def _connect(self, wait=10.0):
        end = time.monotonic() + wait
        while True:
            try:
                connection = socket.create_connection(self.address, timeout=max(1.0, wait))
                connection.settimeout(None)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection, connection.makefile("rb")
            except OSError as error:
                if time.monotonic() > end:
                    raise TimeoutError(
                        f"nobody serves at {self.address[0]}:{self.address[1]} ({error}): was the first process, or "
                        f"the launcher of the first machine, started within {wait:.0f} seconds?"
                    ) from None
                time.sleep(0.05)

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

    def set(self, key, value):
        """Store bytes."""
        self._call("set", key, value)

    def first(self, key, value):
        """Store bytes if there are none yet; the bytes that are there now."""
        return self._call("first", key, value)

    def add(self, key, amount=1):
        """Add to a number (0 at first); the new one."""
        return int(self._call("add", key, amount=amount))

    def delete(self, key):
        """Whether the key was there; now it is not."""
        return self._call("delete", key) is not None

    def keys(self, prefix=""):
        """The keys that begin so."""
        return json.loads(self._call("keys", prefix))

    def get(self, key, wait=0.0):
        """The bytes of a key, waiting up to so many seconds for it; None if it does not come."""
        if wait <= 0:
            return self._call("get", key, wait=0)
        connection = self._connect()
        try:
            return self._ask(connection, "get", key, wait=wait)
        finally:
            connection[1].close()
            connection[0].close()

    def hello(self, rank):
        """From now on, this connection breaking off means that the process died."""
        self._call("hello", str(rank))

    def farewell(self):
        """From now on, it does not."""
        self._call("farewell", "")

    def close(self):
        """Break the connection off."""
        for part in reversed(self.main):
            part.close()
