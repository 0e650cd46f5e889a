"""Who a process is, by the variables of launchers and clusters; and the end of a process that others wait for."""

import copy
import json
import time

import mindspore as ms
import pytest
from mindspore import Tensor, mint, ops

from msjax.parallel import agreement, communication, processes, starts
from msjax.parallel.store import Server, Store

AWS = {"AWS_BATCH_JOB_NUM_NODES": "4", "AWS_BATCH_JOB_MAIN_NODE_INDEX": "0"}
TPU = {"TPU_WORKER_HOSTNAMES": "a,b", "TPU_WORKER_ID": "1"}
TORCH = {
    "WORLD_SIZE": "4",
    "RANK": "3",
    "LOCAL_RANK": "1",
    "LOCAL_WORLD_SIZE": "2",
    "MASTER_ADDR": "a",
    "MASTER_PORT": "5",
}


@pytest.mark.parametrize(
    "environment, found",
    [
        (TORCH, (3, 4, 1, "a", 5)),
        ({**TORCH, "TORCHELASTIC_RUN_ID": "x"}, (3, 4, 1, "a", 6)),
        ({"JAX_NUM_PROCESSES": "4", "JAX_PROCESS_ID": "2", "JAX_COORDINATOR_ADDRESS": "a:77"}, (2, 4, None, "a", 77)),
        (TPU, (1, 2, 0, "a", 8118)),
        ({**TPU, "MEGASCALE_NUM_SLICES": "3", "MEGASCALE_SLICE_ID": "2", "MEGASCALE_COORDINATOR_ADDRESS": "c:8080"}, (5, 6, 0, "c", 8118)),
        ({"TPU_WORKER_HOSTNAMES": "localhost", "TPU_WORKER_ID": "0"}, (0, 1, 0, "127.0.0.1", 8118)),
        ({**AWS, "AWS_BATCH_JOB_NODE_INDEX": "2", "AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS": "10.0.0.1"}, (2, 4, 0, "10.0.0.1", 8118)),
        ({**AWS, "AWS_BATCH_JOB_NODE_INDEX": "0"}, (0, 4, 0, "127.0.0.1", 8118)),
        ({"MS_WORKER_NUM": "4", "MS_SCHED_HOST": "a", "JOB_COMPLETION_INDEX": "2"}, (2, 4, None, "a", 8118)),
        ({"MS_ROLE": "MS_SCHED", "MS_WORKER_NUM": "4", "MS_SCHED_HOST": "a", "MS_SCHED_PORT": "9"}, (None, 4, None, "a", 9)),
    ],
)  # fmt: skip
def test_the_environment_of_clusters(environment, found):
    world = processes.find_world(environment)
    assert (world.rank, world.size, world.local_rank, world.host, world.port) == found


def test_a_pod_that_nobody_told_how_many_there_are():
    with pytest.raises(RuntimeError, match="MS_WORKER_NUM and MS_SCHED_HOST"):
        processes.find_world({"JOB_COMPLETION_INDEX": "1"})


@pytest.mark.parametrize(
    "nodes, first", [("r[1-2]n[01-04]", "r1n01"), ("n[03-04],m", "n03"), ("m,n3", "m"), ("a[7,9]b", "a7b"), ("", None)]
)
def test_the_first_machine_of_a_list(nodes, first):
    assert processes._first_node(nodes) == first


def test_the_metadata_of_a_tpu_machine():
    told = {"worker-network-endpoints": "x:y:10.0.0.1,x:y:10.0.0.2", "agent-worker-number": "1"}
    assert processes._of_tpu_vm(told.__getitem__) == (1, ["10.0.0.1", "10.0.0.2"])

    def nobody(what):
        raise OSError

    assert processes._of_tpu_vm(nobody) == (None, [])


def test_a_process_that_stands_for_ranks(monkeypatch):
    monkeypatch.setenv("MSJAX_AS_RANKS", "1")
    monkeypatch.setenv("MSJAX_DEVICES", "4")
    monkeypatch.setattr(communication.GlobalComm, "INITED", True)
    monkeypatch.setattr(communication, "_groups", {})
    communication.create_group("ends", [0, 3])
    asked = communication.get_rank, communication.get_group_size, communication.get_local_rank_size
    assert [ask() for ask in asked] == [0, 4, 4] and communication.get_group_size("ends") == 2
    with pytest.raises(RuntimeError, match="run --worker-num 4"):
        ops.AllReduce()(Tensor([1.0]))
    assert mint.distributed.barrier() is None  # all four are this process
    rank = communication.get_rank()
    assert (
        (rank % 2 * 10 + 1).values == (1, 11, 1, 11)
        and (rank // 2).values == (0, 0, 1, 1)
        and (4 - rank).values == (4, 3, 2, 1)
    )
    assert [10, 20][rank] == 10 and f"{rank}" == "0" and (Tensor([2.0]) * (rank + 3)).asnumpy().tolist() == [6.0]
    assert copy.deepcopy(rank).values == (0, 1, 2, 3)
    try:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=4)
        with pytest.raises(RuntimeError, match="full_batch=True"):
            starts._has_whole_batch()
        ms.set_auto_parallel_context(dataset_strategy=((1, 1), (1,)))
        starts._has_whole_batch()
        ms.set_auto_parallel_context(full_batch=True)
        starts._has_whole_batch()
    finally:
        ms.reset_auto_parallel_context()


class Left(Exception):
    pass


def test_who_waits_for_one_that_has_left_is_told(monkeypatch):
    server = Server("127.0.0.1", 0)
    store = Store("127.0.0.1", server.port)
    store.set("left/1", b"1")
    told = []
    monkeypatch.setattr(processes, "store", lambda: store)
    monkeypatch.setattr(processes, "fail", told.append)
    note = [(0, 1), 0, "psum of f32[2]", time.monotonic() - 6, True, None]
    agreement._look(note)
    assert "rank 1 has ended, without an error" in str(told[0])
    with pytest.raises(RuntimeError, match="before the first collective"):
        agreement._left_without("meet/0-1", (0, 1))
    store.close()
    server.close()


def test_the_scheduler_ends_with_the_workers(monkeypatch):
    codes = []

    def end(code):
        codes.append(code)
        raise Left

    monkeypatch.setattr(processes, "_exit", end)
    for failed in (False, True):
        server = Server("127.0.0.1", 0)
        store = Store("127.0.0.1", server.port)
        if failed:
            store.set("failure", json.dumps({"rank": 0, "text": ""}).encode())
        for rank in () if failed else (0, 1):
            store.set(f"left/{rank}", b"1")
        with pytest.raises(Left):
            processes._keep_together(processes.World(None, 2, host="127.0.0.1", port=server.port))
        store.close()
        server.close()
    assert codes == [0, 1]


def test_what_the_processes_of_a_run_start(tmp_path):
    from msjax.cli.run import _task

    script = str(tmp_path / "train.py")
    assert _task(script, ["--x"]) == [script, "--x"]
    assert _task("python", ["-u", script, "--x"]) == [script, "--x"]
    assert _task("pytest", ["-s", "test_a.py::test"]) == ["-m", "pytest", "-s", "test_a.py::test"]
