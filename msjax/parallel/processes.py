"""The processes of a run: how many there are, which one this is, and how they learn of each other's end.

What started them is read from the environment, in this order: msrun or `msjax run` (MS_WORKER_NUM, MS_NODE_ID, MS_SCHED_HOST,
MS_SCHED_PORT), a rank table (RANK_TABLE_FILE, RANK_ID), RANK_SIZE and RANK_ID, Open MPI (OMPI_*), MPICH and Intel MPI (PMI_*),
SLURM, torchrun and Ray Train (WORLD_SIZE, RANK), JAX's own (JAX_NUM_PROCESSES, JAX_PROCESS_ID, JAX_COORDINATOR_ADDRESS), TPU slices, AWS
Batch. `connect` joins them: first in the store of `store.py`, which knows who is missing, then in `jax.distributed`.
"""

import atexit
import dataclasses
import json
import os
import re
import socket
import sys
import threading
import time
import traceback
import urllib.request
from typing import Any, NamedTuple

import jax

from .. import log
from ..core.foreign_messages import says
from .store import Server, Store

__all__ = ["World", "connect", "disconnect", "fail", "find_world", "ranks", "world"]
_PORT = 8118  # msrun's
_BEAT = 1.0  # seconds between signs of life


@dataclasses.dataclass(frozen=True)
class World:
    """Place of this process among all. `rank` is None where the order of arrival decides; `hosted`: a launcher keeps the store."""

    rank: int | None
    size: int
    local_rank: int | None = None
    local_size: int | None = None
    host: str = "127.0.0.1"
    port: int = _PORT
    hosted: bool = False


ALONE = World(0, 1, 0, 1)
_state = {"world": ALONE, "store": None, "server": None, "rank": 0}


def world():
    """The World that this process is connected to; one process before `connect`."""
    return _state["world"]


def ranks():
    """How many ranks of a script this run is: its processes; of one that stands for its devices (`--as-ranks`), these."""
    if world().size > 1 or not os.environ.get("MSJAX_AS_RANKS"):
        return world().size
    count = os.environ.get("MSJAX_DEVICES", "all")
    return int(count) if count.isdigit() else len(jax.local_devices())


def store():
    """The Store of the run; None with one process."""
    return _state["store"]


def _number(name, environment):
    text = environment.get(name, "")
    return int(text) if text.lstrip("-").isdigit() else None


def _first_number(environment, *names):
    """The first number among some variables; None if none is one."""
    return next((number for name in names if (number := _number(name, environment)) is not None), None)


class _Launcher(NamedTuple):
    """The environment variables in which a launcher tells a process its place; "" where it has none."""

    size: str
    rank: str
    local_rank: str
    local_size: str


_LAUNCHERS = (
    _Launcher("RANK_SIZE", "RANK_ID", "DEVICE_ID", ""),
    _Launcher(
        "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"
    ),
    _Launcher("PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    _Launcher("SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
    _Launcher("WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
    _Launcher("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "", ""),
)


def find_world(environment: Any = os.environ):
    """The launcher's description of this process; `ALONE` if there is no launcher.

    Raises:
        RuntimeError: a rank table that can not be read; several machines and no address of the first one.
    """
    if environment.get("MS_ROLE") == "MS_PSERVER":
        raise RuntimeError("the role MS_PSERVER does not exist here: the launcher keeps the processes together.")
    host = environment.get("MS_SCHED_HOST") or environment.get("MASTER_ADDR")
    port = _number("MS_SCHED_PORT", environment) or _number("MASTER_PORT", environment) or _PORT
    workers = _number("MS_WORKER_NUM", environment)
    if workers is not None and (environment.get("MS_ROLE") == "MS_WORKER" or host):
        return _of_mindspore(environment, workers, host, port)
    table = environment.get("RANK_TABLE_FILE") or environment.get("MINDSPORE_HCCL_CONFIG_PATH")
    if table and os.path.exists(table):
        return _from_table(table, _number("RANK_ID", environment) or 0, host, port)
    for launcher in _LAUNCHERS:
        count, rank = _number(launcher.size, environment), _number(launcher.rank, environment)
        if count is not None and count > 1 and rank is not None:
            return _of_launcher(environment, launcher, count, rank, host, port)
    return _of_a_cluster(environment, host, port)


def _of_mindspore(environment, workers, host, port):
    """The World that msrun, and `msjax run`, tell their processes."""
    if workers <= 1:
        return ALONE
    rank = _first_number(environment, "MS_NODE_ID", "RANK_ID", "JOB_COMPLETION_INDEX")
    local = _first_number(environment, "MS_LOCAL_RANK", "DEVICE_ID")
    hosted = environment.get("MSJAX_LAUNCHER") == "1"
    local_size = _number("MS_LOCAL_WORKER_NUM", environment)
    return World(rank, workers, local, local_size, host or "127.0.0.1", port, hosted)


def _of_launcher(environment, launcher, count, rank, host, port):
    """The World that a launcher of `_LAUNCHERS` tells."""
    local, on_machine = _number(launcher.local_rank, environment), _number(launcher.local_size, environment)
    if launcher.size == "SLURM_NTASKS":
        host = host or _first_node(environment.get("SLURM_STEP_NODELIST") or environment.get("SLURM_NODELIST", ""))
        port = _number("MS_SCHED_PORT", environment) or 20000 + (_number("SLURM_JOB_ID", environment) or 0) % 20000
    elif launcher.size == "JAX_NUM_PROCESSES":
        first, _, at = environment.get("JAX_COORDINATOR_ADDRESS", "").rpartition(":")
        host, port = host or first or None, int(at) if first and at.isdigit() and host is None else port
    elif host is None and on_machine is not None and on_machine < count:
        raise RuntimeError(
            f"{count} processes on several machines were started, but nobody said where the first one is: set "
            "MS_SCHED_HOST (its address) and MS_SCHED_PORT in the environment of all."
        )
    if launcher.size == "WORLD_SIZE" and environment.get("TORCHELASTIC_RUN_ID"):
        port += 1  # torchrun itself listens at MASTER_PORT
    return World(rank, count, local, on_machine, host or "127.0.0.1", port)


def _of_a_cluster(environment, host, port):
    """One process a machine, from the variables of clusters: TPU slices (also on GKE, and several), AWS Batch, indexed
    Kubernetes jobs.
    """
    workers = [name for name in environment.get("TPU_WORKER_HOSTNAMES", "").split(",") if name]
    index = _number("TPU_WORKER_ID", environment)
    if not workers and environment is os.environ and os.path.exists("/dev/accel0"):
        index, workers = _of_tpu_vm()
    slices, part = (_number(f"MEGASCALE_{name}", environment) for name in ("NUM_SLICES", "SLICE_ID"))
    size = len(workers) * (slices or 1)
    if size > 1 and index is not None:
        first = environment.get("MEGASCALE_COORDINATOR_ADDRESS", "").partition(":")[0]
        return World(index + len(workers) * (part or 0), size, 0, 1, host or first or workers[0], port)
    size, index = (_number(f"AWS_BATCH_JOB_{name}", environment) for name in ("NUM_NODES", "NODE_INDEX"))
    if size is not None and size > 1 and index is not None:
        main = _number("AWS_BATCH_JOB_MAIN_NODE_INDEX", environment) or 0
        first = environment.get("AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS")  # the main node itself is not told
        return World((index - main) % size, size, 0, 1, host or first or "127.0.0.1", port)
    if _number("JOB_COMPLETION_INDEX", environment) == 0:
        log.info(
            "this is the first pod of an indexed Kubernetes job; if the job has others, set MS_WORKER_NUM and MS_SCHED_HOST."
        )
    if (_number("JOB_COMPLETION_INDEX", environment) or 0) > 0:
        raise RuntimeError(
            "this is a pod of an indexed Kubernetes job (JOB_COMPLETION_INDEX), but nobody said how many there are and where the first one "
            "is: set MS_WORKER_NUM and MS_SCHED_HOST (the name of its service) in the environment of all."
        )
    return ALONE


def _of_tpu_vm(read=None):
    """(number of this worker, addresses of all) by the metadata of a TPU VM; (None, []) where there are none."""

    def ask(what):
        address = f"http://metadata.google.internal/computeMetadata/v1/instance/attributes/{what}"
        with urllib.request.urlopen(
            urllib.request.Request(address, headers={"Metadata-Flavor": "Google"}), timeout=2
        ) as answer:
            return answer.read().decode()

    read = read or ask
    try:
        workers = [worker.split(":")[2] for worker in read("worker-network-endpoints").split(",")]
        return int(read("agent-worker-number")), workers
    except (OSError, IndexError, ValueError):
        return None, []


def _from_table(path, rank, host, port):
    try:
        with open(path) as file:
            servers = json.load(file)["server_list"]
        devices = [(int(d["rank_id"]), d["device_id"], s) for s in servers for d in s["device"]]
        hosts = {id(s): s.get("host_ip") or s["server_id"] for s in servers}
        if not all(isinstance(host, str) for host in hosts.values()):
            raise ValueError("the address of a server is not a text")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RuntimeError(f"the rank table {path} can not be read: {type(error).__name__}: {error}") from None
    if len(devices) < 2:
        return ALONE
    mine = [(device, server) for number, device, server in devices if number == rank]
    if not mine:
        raise RuntimeError(f"the rank table {path} has no rank_id {rank}, which RANK_ID names.")
    device, server = mine[0]
    numbers = sorted(number for number, _, s in devices if s is server)
    first = min(devices, key=lambda d: d[0])[2]
    if host is None:
        host = "127.0.0.1" if len(servers) == 1 else hosts[id(first)]
    return World(rank, len(devices), numbers.index(rank), len(numbers), host, port)


def _first_node(nodes):
    """First machine of a SLURM list: "r[1-2]n[03-05,9],b" gives "r1n03"."""
    found = re.match(r"(?:[^\[,]|\[[^\]]*\])+", nodes)
    return re.sub(r"\[([^\],-]*)[^\]]*\]", r"\1", found[0]) if found else None


# --- joining
def connect(found: Any = None):
    """Take part in the run that `found` (by default: the environment) describes; at once if there is one process only.

    Raises:
        RuntimeError: jax has computed already; a process did not come in time (MS_TOPO_TIMEOUT seconds, 600).
    """
    if _state["store"] is not None:
        return world()
    found = find_world() if found is None else found
    if os.environ.get("MS_ROLE") == "MS_SCHED":
        _keep_together(found)
    if found.size == 1:
        return found
    patience = _number("MS_TOPO_TIMEOUT", os.environ) or 600
    patience = float("inf") if patience < 0 else patience
    own = found.host in ("127.0.0.1", "localhost") or found.rank == 0
    if own and not found.hosted and found.rank in (0, None):
        try:
            _state["server"] = Server(bind_address(found.host), found.port)
        except OSError as error:
            if found.rank == 0 and os.environ.get("MS_ROLE") != "MS_WORKER":  # else a scheduler has it
                raise RuntimeError(
                    f"{bind_address(found.host)}:{found.port} can not be listened at ({error}): set MS_SCHED_PORT to a free port, or "
                    "MSJAX_BIND_ADDRESS to an address of this machine."
                ) from None
    kept = Store(found.host, found.port, min(patience, 1e6))
    rank = found.rank if found.rank is not None else kept.add("arrivals") - 1
    if rank >= found.size:
        raise RuntimeError(
            f"this is the process {rank}, but the run has {found.size}: MS_WORKER_NUM and RANK_ID do not fit."
        )
    _state.update(store=kept, rank=rank)
    _place(kept, dataclasses.replace(found, rank=rank), patience)
    _watch_over(kept, rank)
    return world()


def _keep_together(found):
    """The work of the process with the role MS_SCHED: keep the store until all workers have left, then end."""
    try:
        _state["server"] = Server(bind_address(found.host), found.port)
    except OSError:
        pass  # a worker on this machine was faster and keeps it
    kept = Store(found.host, found.port, 60.0)
    code = 0
    try:
        for rank in range(found.size):
            while code == 0 and kept.get(f"left/{rank}", 1.0) is None:
                code = int(kept.get("failure") is not None)
        if code:
            kept.get("never", 5.0)  # the workers read who failed
    except OSError:
        pass  # the worker that kept the store has left, as the last one
    kept.close()
    _exit(code)


def _place(kept, found, patience):
    """Wait for all, learn who is on which machine, and start `jax.distributed`."""
    rank, machine = found.rank, os.environ.get("MS_NODE_RANK") or socket.gethostname()
    kept.hello(rank)
    kept.set(f"arrived/{rank}", machine.encode())
    machines, end = [], time.monotonic() + patience
    for other in range(found.size):
        while (name := kept.get(f"arrived/{other}", min(5.0, max(0.01, end - time.monotonic())))) is None:
            stop_if_failed()
            if time.monotonic() > end:
                missing = [r for r in range(found.size) if kept.get(f"arrived/{r}") is None]
                raise RuntimeError(
                    f"{len(missing)} of {found.size} processes did not come within {patience:.0f} seconds "
                    f"(MS_TOPO_TIMEOUT): rank {', '.join(map(str, missing))}."
                )
        machines.append(name)
    beside = [r for r, name in enumerate(machines) if name == machines[rank]]
    local = found.local_rank if found.local_rank is not None else beside.index(rank)
    found = dataclasses.replace(found, local_rank=local, local_size=found.local_size or len(beside))
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_enable_preemption_service", False)  # it would hold back SIGTERM
    if rank == 0:
        # the name by which all have found the store: what a machine takes its own name for may be 127.0.1.1
        port = os.environ.get("MSJAX_COORDINATOR_PORT") or _free_port(bind_address(found.host))
        kept.set("coordinator", f"{found.host}:{port}".encode())
    address = kept.get("coordinator", patience).decode()
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    alone = found.local_size == 1  # then all devices of the machine belong to this process
    devices = None if alone or os.environ.get("JAX_PLATFORMS") == "cpu" or (visible and "," not in visible) else local
    jax.distributed.initialize(
        address, found.size, rank, local_device_ids=devices, initialization_timeout=int(min(patience, 86400)),
        coordinator_bind_address=f"{bind_address(found.host)}:{address.rpartition(':')[2]}",
        shutdown_timeout_seconds=86400,  # who is ready first waits for the others
    )  # fmt: skip
    _state["world"] = found


def bind_address(host: str):
    """Where a service of this run listens that others reach under `host`: there, and nowhere else, unless MSJAX_BIND_ADDRESS names a place.

    A machine that takes its own name for 127.0.1.1, as Debian does, can not tell where the others reach it: it listens everywhere.
    """
    told = os.environ.get("MSJAX_BIND_ADDRESS")
    if told or host in ("127.0.0.1", "localhost"):
        return told or "127.0.0.1"
    return "0.0.0.0" if socket.gethostbyname(host).startswith("127.") else host


def _free_port(host):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


# --- the end, of this process or of another
def _watch_over(kept, rank):
    """From now on, an error here ends the others, and their end ends this process."""
    hook = sys.excepthook

    def tell(kind, error, trace):
        _wait_for_the_cause(error)
        hook(kind, error, trace)
        fail(error)

    sys.excepthook = tell
    atexit.register(_leave)
    threading.Thread(target=_beat, args=(kept, rank), daemon=True, name="msjax heartbeat").start()


_CAUSE = 5.0  # seconds in which whoever broke a connection off is noticed


def _wait_for_the_cause(error):
    """Wait a moment after a broken connection: usually the other process failed first, and its end should be reported."""
    kept = _state["store"]
    if kept is None or not says("connection of processes", error):
        return
    try:
        if kept.get("failure", _CAUSE) is not None:
            stop_if_failed(kept)
    except OSError:
        pass  # the keeper is gone too: then this error is all that there is to show


def _beat(kept, rank):
    patience = float(os.environ.get("MSJAX_HEARTBEAT_TIMEOUT", "60"))
    number, seen = 0, {"beat": None, "at": time.monotonic()}
    watching = Store(*kept.address)
    try:
        while _state["store"] is kept:
            number += 1
            watching.set(f"beat/{rank}", str(number).encode())
            stop_if_failed(watching)
            # each looks after its neighbour, so that nobody looks after everybody
            other = (rank + 1) % world().size
            beat, now = watching.get(f"beat/{other}"), time.monotonic()
            if seen.get("beat") != beat or watching.get(f"left/{other}") is not None:
                seen = {"beat": beat, "at": now}
            elif now - seen["at"] > patience:
                text = f"rank {other} hangs: no sign of life for {patience:.0f} seconds (MSJAX_HEARTBEAT_TIMEOUT).\n"
                watching.first("failure", json.dumps({"rank": other, "text": text}).encode())
            watching.get("failure", _BEAT)
    except (ConnectionError, TimeoutError, OSError):
        if _state["store"] is kept:
            sys.stderr.write(f"[rank {rank}] the process that keeps the run together is gone: this one ends too.\n")
            _exit(1)


def stop_if_failed(kept: Any = None):
    """End this process, and say why, if another one failed."""
    kept = kept or _state["store"]
    failure = kept.get("failure")
    if failure is None:
        return
    failure, rank = json.loads(failure), _state["rank"]
    told = failure["text"] or "it ended without a word (killed?).\n"
    sys.stderr.write(f"[rank {rank}] ends because rank {failure['rank']} failed:\n{told}")
    _exit(1)


def fail(error: Any):
    """Tell the others that this process ends with an error (or exit code), and end it."""
    kept = _state["store"]
    if kept is None:
        return
    if isinstance(error, SystemExit):
        text = f"rank {world().rank} left with the exit code {error.code!r}\n"
    else:
        text = "".join(traceback.format_exception(error))
    try:
        kept.first("failure", json.dumps({"rank": world().rank, "text": text}).encode())
    except OSError:
        pass  # the keeper is gone too: there is nobody to tell
    _exit(130 if isinstance(error, KeyboardInterrupt) else 1)


def _exit(code):
    """End at once: the goodbyes of jax.distributed would wait for processes that do not come."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass  # closed: nothing is lost that could be shown
    os._exit(code)


def _leave():
    """At the end of a program that went well: say so, and keep the store up until all have."""
    kept = _state["store"]
    if kept is None:
        return
    try:
        kept.set(f"left/{world().rank}", b"1")
        for other in range(world().size) if world().rank == 0 else ():
            while kept.get(f"left/{other}", 5.0) is None:
                stop_if_failed()
        kept.farewell()
    except OSError:
        pass  # the keeper left first: so all were done
    _state["store"] = None


def disconnect():
    """Leave the run; communication is over for this process."""
    if _state["store"] is None:
        return
    atexit.unregister(_leave)
    _leave()
    jax.distributed.shutdown()
    _state["world"] = ALONE
