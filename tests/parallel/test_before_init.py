"""A process that did not call `communication.init` is alone: number 0 of 1."""

import mindspore as ms
import mindspore.communication as communication
import pytest
from mindspore import mint, ops


@pytest.fixture(autouse=True)
def before_init(monkeypatch):
    for name, value in (("INITED", False), ("BACKEND", "hccl"), ("WORLD_COMM_GROUP", "hccl_world_group")):
        monkeypatch.setattr(communication.GlobalComm, name, value)


@pytest.mark.parametrize(
    "ask, answer", [("get_rank", 0), ("get_group_size", 1), ("get_local_rank", 0), ("get_local_rank_size", 1)]
)
def test_alone(ask, answer):
    assert getattr(communication, ask)() == getattr(communication, ask)("any group") == answer
    with pytest.raises(TypeError, match="must be type of string"):
        getattr(communication, ask)(3)


def test_what_the_launcher_says_holds(monkeypatch):
    monkeypatch.setenv("RANK_ID", "3")
    monkeypatch.setenv("RANK_SIZE", "8")
    assert (communication.get_rank(), communication.get_group_size(), communication.get_local_rank()) == (3, 8, 0)


def test_alone_in_mint():
    assert (mint.distributed.get_rank(), mint.distributed.get_world_size(), mint.distributed.is_initialized()) == (
        0,
        1,
        False,
    )


def test_groups_need_init():
    with pytest.raises(RuntimeError, match="has not been inited"):
        communication.create_group("a", [0])


def test_parameter_servers_are_recorded():
    weight = ms.Parameter(ms.Tensor([1.0]), name="w")
    with pytest.raises(RuntimeError, match="enable_ps"):
        weight.set_param_ps()
    ms.set_ps_context(enable_ps=True)
    try:
        weight.set_param_ps()
        assert weight.is_param_ps and ms.get_ps_context("enable_ps") is True
        with pytest.raises(RuntimeError, match="no parameter server"):
            ops.Pull()(ops.Push()((weight,), ()), weight)
    finally:
        ms.reset_ps_context()
    assert ms.get_ps_context("enable_ps") is False
    ms.set_offload_context({"auto_offload": True, "offload_path": "./offload/"})
    assert ms.get_offload_context() == {"auto_offload": True, "offload_path": "./offload/"}
    for config, error in (({"path": "."}, ValueError), ({"auto_offload": 1}, TypeError), ("cpu", TypeError)):
        with pytest.raises(error, match="set_offload_context"):
            ms.set_offload_context(config)
    for wrong in (lambda: ms.set_ps_context(servers=1), lambda: ms.get_ps_context("servers")):
        with pytest.raises(ValueError, match="not recognized"):
            wrong()


def test_inner_names_of_communication():
    from mindspore._c_expression import GroupOptions
    from mindspore.communication import _comm_helper, management
    from mindspore.parallel.nn.parallel_cell_wrapper import _MicroBatch

    assert _comm_helper.Backend("NCCL") == "nccl" and _comm_helper.DEFAULT_BACKEND == "hccl"
    with pytest.raises(ValueError, match="not supported, please use hccl or nccl"):
        _comm_helper.Backend("gloo")
    management.init()
    assert management._get_group("hccl_world_group") == management.GlobalComm.WORLD_COMM_GROUP == "mccl_world_group"
    management.create_group("one", [0], GroupOptions())
    management.create_group("one", [0])  # the same again is said in the log
    assert _comm_helper._get_group_map() == {"one": [0]} and _comm_helper._get_group_ranks("one") == [0]
    for wrong, kind, said in (
        (lambda: management.create_group("two", [0, 0]), ValueError, "has duplicate data"),
        (lambda: management.create_group("two", [0], {}), TypeError, "must be type of GroupOptions"),
        (lambda: management.get_rank("two"), RuntimeError, "group two does not exist"),
        (lambda: management.destroy_group("two"), KeyError, "two"),
        (lambda: management.get_world_rank_from_group_rank("one", 5), RuntimeError, "doesn't contain"),
        (lambda: management.get_group_rank_from_world_rank("a", "one"), TypeError, "must be type of int"),
    ):
        with pytest.raises(kind, match=said):
            wrong()
    management.destroy_group("one")
    assert len(_MicroBatch(2)(1, ms.Tensor([1.0, 2.0]))) == 1
