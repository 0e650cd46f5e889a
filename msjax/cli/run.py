"""`msjax run`: start the processes of a run on this machine, as MindSpore's `msrun` does, and end them together.

Each process is one `python -m msjax SCRIPT`, writes to `worker_<rank>.log`, and finds its place in the environment (MS_WORKER_NUM,
RANK_ID, DEVICE_ID, MS_SCHED_HOST, ...). On the first machine the launcher keeps the store through which they find each other.
"""

import argparse
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from msjax.parallel.processes import bind_address
from msjax.parallel.run_token import NAME, new_token, run_token
from msjax.parallel.store import Server

_GRACE = 3.0  # seconds between asking a worker to end and ending it
_END_NOW = getattr(signal, "SIGKILL", signal.SIGTERM)
_TO_SAVE = 30.0  # the same where the run itself was asked to end (SIGTERM): clusters give it about as long, to save what it has


def _truth(text):
    if text.lower() in ("1", "true", "yes"):
        return True
    if text.lower() in ("0", "false", "no"):
        return False
    raise argparse.ArgumentTypeError(f"must be True or False, but got {text!r}")


def _parser():
    parser = argparse.ArgumentParser(
        "msjax run", description="Run a script in several processes, one for each device.", allow_abbrev=False
    )

    def option(name, **more):
        dashed = "--" + name.replace("_", "-")
        parser.add_argument(*dict.fromkeys([dashed, f"--{name}"]), dest=name, **more)

    option("worker_num", type=int, default=8, help="processes on all machines together (8)")
    option("local_worker_num", type=int, help="processes on this machine (all)")
    option("master_addr", default="127.0.0.1", help="address of the first machine (127.0.0.1)")
    option("master_port", type=int, default=8118, help="a free port there (8118; 0 with one machine: any)")
    option("node_rank", type=int, default=-1, help="number of this machine; -1: ranks in order of arrival")
    option("log_dir", default="", help="folder for worker_<rank>.log (the current one)")
    option("join", type=_truth, default=False, help="wait for the processes and show what they print")
    option(
        "cluster_time_out", type=int, default=600, help="seconds to wait for all processes (600; negative: for ever)"
    )
    option("bind_core", default="False", help="True: spread the cores of this machine over its processes")
    option("worker_log_name", default="worker", help="begin of the names of the logs; {ip} and {hostname} are replaced")
    option("tail_worker_log", default="-1", help="with --join: ranks whose output is shown, 0,2,...; -1: all")
    option("rank_table_file", default="", help="put into RANK_TABLE_FILE")
    for name in ("bind_numa", "sim_level", "sim_rank_id"):
        option(name, default=None, help=argparse.SUPPRESS)
    parser.add_argument("task_script", help="the script")
    parser.add_argument("task_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


def main(argv: list[str] | None):
    """Run one command line; the exit code: 0, or that of the first process that failed."""
    parser = _parser()
    argv = _with_values(argv)
    options = parser.parse_args(argv)
    count = options.local_worker_num
    if options.worker_num < 1 or (count is not None and not 1 <= count <= options.worker_num):
        parser.error("the numbers of workers must be at least 1, and the local ones not more than all")
    if options.sim_level is not None:
        parser.error(
            "--sim_level: msjax has no dry run; `python -m msjax doctor` shows the devices and settings of a run"
        )
    script = _task(options.task_script, options.task_script_args)[0]
    if script.endswith(".py") and not os.path.exists(script):  # in the background nobody would see the processes fail
        parser.error(f"there is no {script}")
    if not options.join:
        return _in_background(argv, options)
    return _Run(options).supervise()


def _in_background(argv, options):
    """As msrun: without --join the command comes back at once, the processes (and who looks after them) stay."""
    argv = ["--join=True", *(a for a in argv if a != "--join=False")]
    folder = Path(options.log_dir or ".")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "scheduler.log", "w") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "msjax", "run", *argv],
            stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    print(
        f"Started {options.worker_num} processes under process {child.pid}; logs are in {folder.resolve()}.", flush=True
    )
    return 0


def _with_values(argv):
    """The command line with `--join` written out: `--join=True`, also where the script stands behind it."""
    for i, word in enumerate(argv):
        if word in ("--join", "--join=True", "--join=False"):
            value = argv[i + 1] if word == "--join" and argv[i + 1 : i + 2] in (["True"], ["False"]) else None
            whole = word if "=" in word else f"--join={value or True}"
            return [*argv[:i], whole, *argv[i + (1 if value is None else 2) :]]
        if not word.startswith("-") and (i == 0 or not argv[i - 1].startswith("--") or "=" in argv[i - 1]):
            break  # the script: what follows is its own
    return argv


def _task(script, arguments):
    """The command of a process: a script, with or without `python` before it, or a module's command (`pytest -s
    file.py`).
    """
    words = [script, *arguments]
    if Path(script).name.startswith("python") and arguments:
        words = [word for word in arguments if word != "-u"]
    module = not os.path.exists(words[0]) and words[0].isidentifier() and importlib.util.find_spec(words[0]) is not None
    return ["-m", *words] if module else words


class _Run:
    def __init__(self, options):
        self.options, self.workers, self.threads = options, [], []
        self.count = options.local_worker_num or options.worker_num
        self.folder = Path(options.log_dir or ".")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.server = None
        alone = self.count == options.worker_num and NAME not in os.environ
        self.token = new_token().encode() if alone else run_token()
        if options.node_rank in (0, -1) and _is_here(options.master_addr):
            try:
                self.server = Server(bind_address(options.master_addr), options.master_port, token=self.token)
                options.master_port = self.server.port
            except OSError as error:
                if options.node_rank == 0 or self.count == options.worker_num:
                    raise SystemExit(f"msjax run: the port {options.master_port} can not be used: {error}") from None

    def supervise(self):
        """Start the workers, wait, and end all when one fails."""
        stopped = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda number, frame: stopped.append(number))
        for local in range(self.count):
            self._start(local)
        running, failed = dict(self.workers), None
        while running and failed is None and not stopped:
            ended = [(worker, rank) for worker, rank in running.items() if worker.poll() is not None]
            for worker, _ in ended:
                del running[worker]
            failures = [(rank, worker.returncode) for worker, rank in ended if worker.returncode]
            if failures:  # one that a signal ended is the cause: the others end by themselves, once they miss it
                failed = min(failures, key=lambda failure: failure[1] >= 0)
            elif not ended:
                time.sleep(0.05)
        if failed is not None or stopped:
            asked = signal.SIGTERM in stopped
            grace = float(os.environ.get("MSJAX_GRACE_SECONDS", _TO_SAVE)) if asked else _GRACE
            self._end(running, 0.0 if stopped else 1.0, grace)
        patience = time.monotonic() + 2.0  # for what they have printed last
        for thread in self.threads:
            thread.join(max(0.0, patience - time.monotonic()))
        if failed is not None:
            return self._tell(*failed)
        return 128 + stopped[0] if stopped else 0

    def _start(self, local):
        options = self.options
        fixed = options.node_rank >= 0 or self.count == options.worker_num
        rank = max(options.node_rank, 0) * self.count + local if fixed else None
        name = options.worker_log_name.replace("{hostname}", socket.gethostname()).replace("{ip}", options.master_addr)
        path = self.folder / f"{name}_{local if rank is None else rank}.log"
        environment = dict(
            os.environ,
            MS_ROLE="MS_WORKER",
            MS_WORKER_NUM=str(options.worker_num),
            MS_SCHED_HOST=options.master_addr,
            MS_SCHED_PORT=str(options.master_port),
            MS_TOPO_TIMEOUT=str(options.cluster_time_out),
            MS_LOCAL_RANK=str(local),
            MS_LOCAL_WORKER_NUM=str(self.count),
            RANK_SIZE=str(options.worker_num),
            DEVICE_ID=str(local),
            PYTHONUNBUFFERED="1",
            MSJAX_LAUNCHER="1",
            **{NAME: self.token.decode()},
        )
        if rank is not None:
            environment |= {"MS_NODE_ID": str(rank), "RANK_ID": str(rank)}
        if options.rank_table_file:
            environment["RANK_TABLE_FILE"] = options.rank_table_file
        command = [sys.executable, "-m", "msjax", *_task(options.task_script, options.task_script_args)]
        log = open(path, "wb")
        worker = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        if options.bind_core.lower() not in ("false", "0") and hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            share = max(1, len(cores) // self.count)
            os.sched_setaffinity(worker.pid, cores[local * share : (local + 1) * share] or cores)
        shown = options.tail_worker_log == "-1" or str(
            local if rank is None else rank
        ) in options.tail_worker_log.split(",")
        thread = threading.Thread(target=_relay, args=(worker.stdout, log, shown), daemon=True)
        thread.start()
        self.threads.append(thread)
        self.workers.append((worker, (local if rank is None else rank, path)))

    def _end(self, running, patience, grace):
        """End the processes that are left: they get time to tell, then the signal to end, then no choice."""
        for number, wait in ((None, patience), (signal.SIGTERM, grace), (_END_NOW, _GRACE)):
            for worker in running:
                if worker.poll() is None and number is not None:
                    _signal(worker, number)
            end = time.monotonic() + wait
            while any(w.poll() is None for w in running) and time.monotonic() < end:
                time.sleep(0.02)

    def _tell(self, who, code):
        """Show who failed first, and why; the exit code."""
        rank, path = who
        failure = self.server.content.get("failure") if self.server is not None else None
        failure = json.loads(failure) if failure else {"rank": rank, "text": ""}
        how = (
            f"was ended by the signal {signal.Signals(-code).name}" if code < 0 else f"ended with the exit code {code}"
        )
        if str(failure["rank"]) == str(rank) or not failure["text"]:
            sys.stderr.write(f"msjax run: rank {rank} {how}; the others were ended. Its log: {path}\n")
        else:
            sys.stderr.write(f"msjax run: rank {failure['rank']} failed first; the others were ended.\n")
        sys.stderr.write(failure["text"] or _tail(path))
        return code if code > 0 else 128 - code


def _signal(worker, number):
    """Send a signal to a process and to those that it has started; Windows knows no groups of processes and one way to end."""
    if hasattr(os, "killpg"):
        os.killpg(worker.pid, number)
    else:
        worker.terminate()


def _relay(stream, log, shown):
    """Copy a worker's output into its log and, line by line, to the console."""
    with log:
        for line in stream:
            log.write(line)
            log.flush()
            if shown:
                sys.stdout.buffer.write(line)
                sys.stdout.flush()


def _tail(path, lines=30):
    return "".join(f"{line}\n" for line in path.read_text(errors="replace").splitlines()[-lines:])


def _is_here(address):
    """Whether an address is one of this machine: a socket can be bound to it."""
    try:
        with socket.socket() as probe:
            probe.bind((socket.gethostbyname(address), 0))
        return True
    except OSError:
        return False
