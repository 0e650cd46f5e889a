"""The services of a run over 127.0.0.1: who does not know the token gets nothing, and what is not understood ends the connection."""

import json
import os
import pathlib
import pickle
import re
import socket
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest
from mindspore import mint

import msjax
from msjax.parallel import object_lists, run_token
from msjax.parallel.store import Server, Store

TOKEN = b"the token of this test"


@pytest.fixture
def server():
    made = Server("127.0.0.1", 0, token=TOKEN)
    yield made
    made.close()


def connected(server):
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    return raw, raw.makefile("rb")


def let_in(server):
    """A connection that has shown the token, without the class that does so."""
    raw, reader = connected(server)
    greeting = reader.read(46)
    theirs, ours = greeting[-32:], bytes(32)
    raw.sendall(ours + run_token.sign(TOKEN, b"store client", theirs, ours))
    assert run_token.signed(TOKEN, reader.read(32), b"store server", theirs, ours)
    return raw, reader


def ended(raw, reader):
    """Whether the other end has closed the connection without an answer."""
    try:
        return reader.read(1) == b""
    except ConnectionError:
        return True
    finally:
        reader.close()
        raw.close()


def test_with_the_token(server):
    store = Store("127.0.0.1", server.port, 5, token=TOKEN)
    store.set("a", b"1")
    assert store.get("a") == b"1" and store.add("n", 3) == 3
    store.close()


def test_with_another_token(server):
    with pytest.raises(RuntimeError, match="does not know its token. Set MSJAX_RUN_TOKEN"):
        Store("127.0.0.1", server.port, 5, token=b"something else entirely")
    assert server.content == {}


def test_a_server_that_does_not_know_the_token_is_told_nothing():
    """A stranger's server at the port: the client leaves before its first call."""
    listener, told = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        raw, _ = listener.accept()
        with raw:
            raw.sendall(b"msjax store 1 " + bytes(32))
            told.append(raw.recv(200))
            raw.sendall(bytes(32))
            told.append(raw.recv(200))

    thread = threading.Thread(target=serve)
    thread.start()
    with pytest.raises(RuntimeError, match="does not belong to this run"):
        Store("127.0.0.1", listener.getsockname()[1], 5, token=TOKEN)
    thread.join(5)
    listener.close()
    assert len(told[0]) == 64 and told[1] == b"" and TOKEN not in told[0]


@pytest.mark.parametrize(
    "said",
    [
        b'{"do": "set", "key": "a", "size": 1}\n1',
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + bytes(64),
        pickle.dumps(os.getcwd) + bytes(64),
        bytes(64),
        b"\xff" * 100_000,
    ],
    ids=["call", "http", "pickle", "zeros", "noise"],
)
def test_who_does_not_show_the_token(server, said):
    raw, reader = connected(server)
    assert reader.read(46).startswith(b"msjax store 1 ")
    try:
        raw.sendall(said + bytes(64))
    except ConnectionError:
        pass  # refused before all was sent
    assert ended(raw, reader) and server.content == {}


def test_a_signature_is_good_once(server):
    """What was sent on one connection opens no other: the challenge is another one."""
    raw, reader = connected(server)
    theirs, ours = reader.read(46)[-32:], bytes(32)
    shown = ours + run_token.sign(TOKEN, b"store client", theirs, ours)
    raw.sendall(shown)
    assert len(reader.read(32)) == 32
    again, other = connected(server)
    other.read(46)
    again.sendall(shown)
    assert ended(again, other)
    reader.close()
    raw.close()


@pytest.mark.parametrize(
    "call",
    [
        b"\n",
        b"no json\n",
        b"[1]\n",
        b"[" * 20_000 + b"\n",
        b"x" * 70_000,
        {"do": "eval", "key": "1"},
        {"do": "set"},
        {"do": "set", "key": 3},
        {"do": "set", "key": "a", "size": -1},
        {"do": "set", "key": "a", "size": 1 << 60},
        {"do": "set", "key": "a", "size": "1"},
        {"do": "get", "key": "a"},
        {"do": "get", "key": "a", "wait": "long"},
        {"do": "get", "key": "a", "wait": float("inf")},
        {"do": "add", "key": "a", "amount": 1.5},
        {"do": "set", "key": "a", "more": 1},
    ],
    ids=str,
)
def test_what_is_not_understood(server, call):
    raw, reader = let_in(server)
    raw.sendall(call if isinstance(call, bytes) else json.dumps(call).encode() + b"\n")
    assert ended(raw, reader) and server.content == {}


def test_it_listens_at_the_address_alone(server):
    assert server.listener.server_address[0] == "127.0.0.1"
    store = mint_store()
    assert store._server.listener.server_address[0] == "127.0.0.1"
    store._store.close()
    store._server.close()


def mint_store():
    os.environ["MSJAX_RUN_TOKEN"] = "of the store of a program"
    try:
        return mint.distributed.TCPStore("127.0.0.1", 0, is_master=True)
    finally:
        del os.environ["MSJAX_RUN_TOKEN"]


def test_the_token_of_a_user(tmp_path, monkeypatch):
    monkeypatch.delenv("MSJAX_RUN_TOKEN", raising=False)
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    made = run_token.run_token(environment)
    path = tmp_path / "msjax" / "token"
    assert made == run_token.run_token(environment) and len(made) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with pytest.raises(RuntimeError, match="nobody else may read"):
        run_token.run_token(environment)
    with pytest.raises(RuntimeError, match="at least 16"):
        run_token.run_token({"MSJAX_RUN_TOKEN": "short"})


def test_objects_are_unpickled_only_with_the_token(tmp_path, monkeypatch):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'executed'}",)

    packed = np.frombuffer(bytes(32) + pickle.dumps(Evil()), np.uint8)

    class Sent:
        def asnumpy(self):
            return packed

    with pytest.raises(RuntimeError, match="it is not unpickled"):
        object_lists._unpacked(Sent())
    assert not (tmp_path / "executed").exists()
    packed = object_lists._packed({"a": 1})
    assert object_lists._unpacked(Sent()) == {"a": 1}


def test_nothing_but_the_store_and_the_probes_listens():
    """The places of the package that open a socket: each is named here, with what it is."""
    package = pathlib.Path(msjax.__file__).parent
    pattern = re.compile(
        r"\.bind\(\(|\.listen\(|create_server|TCPServer|HTTPServer|multiprocessing\.managers|Listener\(\("
    )
    found = {str(p.relative_to(package)) for p in package.rglob("*.py") if pattern.search(p.read_text())}
    assert found == {
        "parallel/store.py",  # the store: tested above
        "parallel/processes.py",  # asks the system for a free port and closes it
        "cli/run.py",  # asks whether an address is this machine's, and closes it
        "dataset/engine/processes.py",  # one call of its own worker on Windows, with a secret, at 127.0.0.1
        "serving/app.py",  # `msjax serve`: tests/serving
    }


def test_the_launcher_hands_its_processes_a_token(tmp_path):
    script = tmp_path / "tell.py"
    script.write_text("import os\nprint('TOKEN', os.environ['MSJAX_RUN_TOKEN'])\n")
    environment = {k: v for k, v in os.environ.items() if k != "MSJAX_RUN_TOKEN"}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    command = [
        sys.executable,
        "-m",
        "msjax",
        "run",
        "--worker-num=1",
        "--join",
        "--master-port=0",
        f"--log-dir={tmp_path}",
        str(script),
    ]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300).stdout.split()[-1]
    assert re.fullmatch("[0-9a-f]{64}", told) and not (tmp_path / "config").exists()
