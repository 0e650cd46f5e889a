"""The order of communication that MindSpore's ranks have written: what is read, named, and found to be a cycle."""

import mindspore as ms
import pytest
from mindspore.utils.runtime_execution_order_check import (
    ExecuteOrder,
    RankFolderParser,
    comm_exec_order_check,
    detect_cycle_in_graph,
    modify_execute_orders,
    parse_and_validate,
)

HEADER = ",".join(RankFolderParser.REQUIRED_COLUMNS)
GATHER = "{},world,0 1,AllGather,,,,(2),f32,(4),f32,8,16"
REDUCE = "{},world,0 1,AllReduce,,,,(2),f32,(2),f32,8,8"


def write(folder, rank, rows, header=HEADER):
    folder = folder / f"rank_{rank}" / "execute_order"
    folder.mkdir(parents=True)
    lines = (row.format(index) for index, row in enumerate(rows))
    (folder / "comm_execute_order.csv").write_text("\n".join([header, *lines, ""]))


def said_by(capsys):
    """What was logged, without time and place."""
    return [line.partition("] ")[2].partition("] ")[2] for line in capsys.readouterr().err.splitlines()]


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (("AllGather",), "AllGather_hccl_(0,1)_1th"),
        (("Send", "0", "1"), "Send_Receive_hccl_(0)->(1)_in_1th"),
        (("Receive", "1", "0"), "Send_Receive_hccl_(1)->(0)_out_1th"),
        (("Broadcast", "", "", "1"), "Broadcast_hccl_commRank:(0,1)_rootRank:(1)_1th"),
        (("Gather", "0", "1", "1"), "Gather_hccl_commRank:(0,1)_srcRank:(0)_destRank:(1)_rootRank:(1)_1th"),
    ],
)
def test_both_sides_of_a_call_have_one_name(ends, expected):
    order = ExecuteOrder("0", "hccl", "0 1", *ends, input_shape="in", output_shape="out")
    named = modify_execute_orders({"0": [order, order], "1": None})
    assert named == {"0": [expected, expected[:-3] + "2th"], "1": []}


@pytest.mark.parametrize(
    ("calls", "cycle"),
    [
        ({"0": "AB", "1": "BA"}, (list("ABA"), ["0 A -> B", "1 B -> A"])),
        (
            {"0": "ABC", "1": "CDE", "2": "EA"},
            (list("ABCDEA"), ["0 A -> B", "0 B -> C", "1 C -> D", "1 D -> E", "2 E -> A"]),
        ),
        ({"0": "ABC", "1": "ABC"}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_a_cycle_is_found(calls, cycle):
    assert detect_cycle_in_graph(calls) == cycle


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((GATHER, REDUCE), ["Cycle Check success. There is no cycle in the graph."]),
        ((REDUCE, GATHER), ["Cycle detected: AllGather_world_(0,1)_1th -> AllReduce_world_(0,1)_1th -> AllGather_world_(0,1)_1th",
                            "Rank 0 AllGather_world_(0,1)_1th -> AllReduce_world_(0,1)_1th",
                            "Rank 1 AllReduce_world_(0,1)_1th -> AllGather_world_(0,1)_1th"]),
        ((GATHER,), ["Rank '1' does not make the call 'AllReduce_world_(0,1)_1th'.",
                     "Cycle Check success. There is no cycle in the graph."]),
        ((), ["Rank 1 has no valid execution orders. Please check its comm_execute_order.csv."]),
    ],
)  # fmt: skip
def test_the_files_of_two_ranks(tmp_path, capsys, rows, said):
    write(tmp_path, 0, (GATHER, REDUCE))
    write(tmp_path, 1, rows)
    ms.runtime_execution_order_check(str(tmp_path))
    assert said_by(capsys) == said


def test_one_rank_alone_asks_for_the_others_only_if_all_are_there(tmp_path, capsys):
    write(tmp_path, 0, (GATHER,))
    for whole in (False, True):
        ms.runtime_execution_order_check(str(tmp_path / "rank_0"), all_rank=whole)
    success = "Cycle Check success. There is no cycle in the graph."
    missing = "The call 'AllGather_world_(0,1)_1th' names the ranks ['1'], which are not there."
    assert said_by(capsys) == [success, missing, success]


def test_bad_folders(tmp_path, capsys):
    with pytest.raises(ValueError, match="absolute"):
        ms.runtime_execution_order_check("rank_0")
    with pytest.raises(ValueError, match="does not exist"):
        ms.runtime_execution_order_check(str(tmp_path / "none"))
    with pytest.raises(ValueError, match="No rank_x folders"):
        ms.runtime_execution_order_check(str(tmp_path))
    write(tmp_path, 0, (GATHER,), header="index,group")
    with pytest.raises(ValueError, match="Duplicate"):
        RankFolderParser([str(tmp_path), str(tmp_path / "rank_0")])
    ms.runtime_execution_order_check(str(tmp_path))
    assert "has the columns ['index', 'group']" in said_by(capsys)[0]
    parse_and_validate({"0": "no list"})
    assert said_by(capsys) == ["The calls of rank '0' must be a list of strings."]


def test_actions_out_of_turn_are_said(capsys):
    for action in ("end", "start", "start", "end"):
        comm_exec_order_check(action)
    assert said_by(capsys) == [
        "The 'end' action cannot be called before the 'start' action.",
        "The 'start' action cannot be called twice.",
    ]
    with pytest.raises(ValueError, match="'start' or 'end'"):
        comm_exec_order_check("stop")
    with pytest.raises(TypeError):
        comm_exec_order_check(1)
