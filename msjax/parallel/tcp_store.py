"""A store of keys and values, as programs make it for themselves: `mint.distributed.TCPStore`."""

import weakref
from typing import Any

from .store import Server, Store


class TCPStore:
    """A store of keys and values for the processes of a program: the master keeps it, the others connect to it.

    Example:
        >>> store = mint.distributed.TCPStore("127.0.0.1", 0, is_master=True)  # 0: any port that is free
        >>> store.set("a", "1")
    """

    def __init__(
        self,
        host_name: Any,
        port: int | None,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: float | None = None,
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: Any = None,
        use_libuv: bool = True,
    ):
        for name, value, kind in (("host_name", host_name, str), ("port", port, int), ("is_master", is_master, bool)):
            if not isinstance(value, kind):
                raise TypeError(
                    f"For 'TCPStore', the argument '{name}' must be type of {kind.__name__}, but got {type(value)}."
                )
        patience = 300.0 if timeout is None else getattr(timeout, "total_seconds", lambda: float(timeout))()
        if is_master:
            self._server = Server(host_name, port)
            port = self._server.port
        self._store, self._patience = Store(host_name, port, patience), patience
        weakref.finalize(self, self._store.close)

    def set(self, key: Any, value: Any):
        """Store text or bytes under a key."""
        if not isinstance(key, str) or not isinstance(value, (str, bytes)):
            raise TypeError(
                f"For 'TCPStore.set', the key must be str and the value str or bytes, but got {type(key)}, "
                f"{type(value)}."
            )
        self._store.set(key, value.encode() if isinstance(value, str) else value)

    def get(self, key: Any):
        """The bytes stored under a key, waiting for them; RuntimeError if they do not come in time."""
        if not isinstance(key, str):
            raise TypeError(f"For 'TCPStore.get', the argument 'key' must be type of string, but got {type(key)}.")
        found = self._store.get(key)
        found = self._store.get(key, self._patience) if found is None else found
        if found is None:
            raise RuntimeError(
                f"For 'TCPStore.get', nobody stored the key '{key}' within {self._patience:.0f} seconds."
            )
        return found

    def add(self, key: Any, amount: Any):
        """Add to the number stored under a key (0 at first); the new number."""
        return self._store.add(key, amount)

    def delete_key(self, key: Any):
        """Forget a key; whether it was there."""
        return self._store.delete(key)

    def num_keys(self):
        """How many keys there are."""
        return len(self._store.keys())
