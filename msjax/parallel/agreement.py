"""Do all members of a group call the same collective? Asked before a call that is new, so that a mistake is an error and no hang.

Each group counts its calls. A process that makes a call of a new kind (operator, shape, dtype) tells the store, and compares with
the member before it. A process that waits in a call for more than a second tells the store too: so the others, and the message
after a time-out, know who is where.
"""

import os
import threading
import time
from collections.abc import Sequence
from typing import Any

from . import processes

_PATIENCE = 30.0  # seconds to wait for the neighbour's word; it may be in a program that does not say what it does
_GONE = 5.0  # seconds for a call to end by itself after a member of it has left
_positions, _known, _met = {}, set(), set()
_waiting = {}  # id -> [ranks, position, text, since, told, output]
_watcher = []  # the thread that looks after them, once there is one
_lock = threading.Lock()  # over both


def patience():
    """Seconds after which a collective that does not end is an error."""
    return float(os.environ.get("MSJAX_COLLECTIVE_TIMEOUT") or os.environ.get("HCCL_EXEC_TIMEOUT") or 1836)


def reset():
    """Forget all calls: the run is over."""
    _positions.clear()
    _known.clear()
    _met.clear()


def _key(ranks, position, rank=None):
    return f"call/{'-'.join(map(str, ranks))}/{position}/{'' if rank is None else rank}"


def agree(calls: Any):
    """Take the next positions for calls [(ranks, text, times)], and compare those that are new with the neighbour's.

    Raises:
        RuntimeError: the neighbour calls something else.
    """
    me, store = processes.world().rank, processes.store()
    for ranks, text, times in calls:
        position = _positions.get(ranks, 0)
        if position is None:
            continue
        _positions[ranks] = None if times is None else position + times
        if (ranks, text) in _known:
            continue
        _known.add((ranks, text))
        store.set(_key(ranks, position, me), text.encode())
        other = ranks[ranks.index(me) - 1]
        said = _wait_for(_key(ranks, position, other), _PATIENCE)
        if said is not None and said.decode() != text:
            raise RuntimeError(
                f"the processes of a group call different collectives: rank {me} calls {text}, but rank {other} calls "
                f"{said.decode()} (call {position} of the group {list(ranks)})."
            )


def meet(ranks: Sequence[int]):
    """Before the first collective of a group: wait until all members are there. Connections are given seconds, compilers need minutes.

    Raises:
        RuntimeError: a member does not come in time; the message names it.
    """
    if ranks in _met:
        return
    me, store = processes.world().rank, processes.store()
    room = "meet/" + "-".join(map(str, ranks))
    store.set(f"{room}/{me}", b"1")
    if store.add(room) == len(ranks):
        store.set(f"{room}/all", b"1")
    if _wait_for(f"{room}/all", patience(), lambda: _left_without(room, ranks)) is None:
        missing = [r for r in ranks if store.get(f"{room}/{r}") is None]
        raise RuntimeError(
            f"rank {', '.join(map(str, missing))} did not come to the first collective of the group {list(ranks)} within "
            f"{patience():.0f} seconds (MSJAX_COLLECTIVE_TIMEOUT)."
        )
    _met.add(ranks)


def _left_without(room, ranks):
    store = processes.store()
    gone = [r for r in ranks if store.get(f"left/{r}") is not None and store.get(f"{room}/{r}") is None]
    if gone:
        raise RuntimeError(
            f"rank {', '.join(map(str, gone))} has ended, without an error, before the first collective of the group {list(ranks)}."
        )


def _wait_for(key, seconds, meanwhile=lambda: None):
    store, end = processes.store(), time.monotonic() + seconds
    while True:
        found = store.get(key, max(0.01, min(2.0, end - time.monotonic())))
        if found is not None or time.monotonic() > end:
            return found
        processes.stop_if_failed()
        meanwhile()


class watching:
    """`with watching(calls) as call: call.output = program(...)`: if the block takes long, the other processes are told
    that this one waits here.
    """

    def __init__(self, calls: Any):
        self.calls = calls

    def __enter__(self):
        self.notes = [[ranks, (_positions.get(ranks) or times or 1) - (times or 1), text, time.monotonic(), False, None]
                      for ranks, text, times in self.calls]  # fmt: skip
        self.output = None
        with _lock:
            if not _watcher:
                _watcher.append(threading.Thread(target=_watch, daemon=True, name="msjax collectives"))
                _watcher[0].start()
            _waiting[id(self)] = self
        return self

    def __exit__(self, kind, error, traceback):
        if error is not None or self.output is None or self.output.is_ready():
            with _lock:
                _waiting.pop(id(self), None)
        return False


def _watch():
    while True:
        time.sleep(0.5)
        with _lock:
            for key, call in list(_waiting.items()):
                if call.output is not None and call.output.is_ready():
                    del _waiting[key]
            calls = list(_waiting.values())
        try:
            for call in calls:
                for note in call.notes[:1]:
                    _look(note)
        except OSError:
            return  # the store is gone, and so is the run


def _look(note):
    ranks, position, text, since, told, _ = note
    waited, store = time.monotonic() - since, processes.store()
    if store is None:
        return
    if waited > 1.0 and not told:
        note[4] = True
        store.set(_key(ranks, position, processes.world().rank), text.encode())
    gone = [r for r in ranks if store.get(f"left/{r}") is not None] if waited > _GONE else ()
    if gone:
        processes.fail(
            RuntimeError(
                f"rank {', '.join(map(str, gone))} has ended, without an error, and does not come to {text} (call {position} of the "
                f"group {list(ranks)}), where rank {processes.world().rank} waits."
            )
        )
    if waited > patience():
        missing = [r for r in ranks if store.get(_key(ranks, position, r)) is None]
        processes.fail(
            RuntimeError(
                f"rank {', '.join(map(str, missing)) or 'nobody'} did not come to {text} (call {position} of the group "
                f"{list(ranks)}), where rank {processes.world().rank} has waited for {waited:.0f} seconds "
                "(MSJAX_COLLECTIVE_TIMEOUT)."
            )
        )
