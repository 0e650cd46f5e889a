"""hyper_parallel: what it gives is what one device gives, and its meshes, layouts and orders of pipelines are those of the package."""

import os
import pathlib
import subprocess
import sys

import pytest

import msjax
from msjax.alias import companions
from msjax.hyper_parallel import DeviceMesh, Layout, MetaStepType, Replicate, Shard, init_device_mesh
from msjax.hyper_parallel.checkpoint import ReshardHandler
from msjax.hyper_parallel.schedules import interleaved, one_forward_one_backward, with_messages

PROGRAM = pathlib.Path(__file__).parent / "programs" / "eight.py"


def start(program, **variables):
    env = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8", **variables}
    done = subprocess.run(
        [sys.executable, "-m", "msjax", program], env=env, capture_output=True, text=True, timeout=600
    )
    return done.returncode, done.stdout + done.stderr


def test_on_eight_devices():
    code, said = start(PROGRAM)
    assert code == 0 and said.count("as one device") == 6, said


def test_a_package_that_is_installed_comes_first(tmp_path):
    (tmp_path / "hyper_parallel").mkdir()
    (tmp_path / "hyper_parallel" / "__init__.py").write_text("OWN = 1\n")
    (tmp_path / "script.py").write_text("import mindspore, hyper_parallel\nprint(hyper_parallel.OWN)\n")
    code, said = start(tmp_path / "script.py")
    assert (code, said.strip()) == (0, "1")


def test_every_path_is_served():
    msjax.install()  # as the process of the tests has it
    for path in companions.ROWS:
        assert __import__(path, fromlist=["_"]) is not None
    with pytest.raises(ModuleNotFoundError, match="gives parts of this package alone"):
        __import__("hyper_parallel.core.nothing")


def mesh(shape=(2, 2, 2), names=("dp", "cp", "tp")):
    return init_device_mesh("npu", shape, mesh_dim_names=names)


def test_parts_of_a_mesh():
    whole = mesh()
    assert whole["tp"].rank_list == (0, 1) and whole["dp", "tp"].rank_list == (0, 1, 4, 5)
    assert whole["dp", "cp"].flatten().mesh_dim_names == ("dp_cp",) and whole["dp_cp"].axes == (("dp", "cp"),)
    assert whole["dp_cp"].root_mesh is whole and mesh() is whole
    assert whole.get_rank_list_along_axis("cp") == [0, 2] and whole.get_local_rank("cp") == 0
    with pytest.raises(KeyError, match="pp"):
        whole["pp"]
    with pytest.raises(ValueError, match="must follow the order"):
        whole["tp", "dp"]
    with pytest.raises(ValueError, match="should be different"):
        DeviceMesh("npu", [[0, 1]], mesh_dim_names=("a", "a"))
    with pytest.raises(RuntimeError, match="needs to be specified"):
        whole.get_group()


@pytest.mark.parametrize(
    "placements, dim, places",
    [
        ([Shard(0), Shard(1), Replicate()], 2, (2, 1)),
        ([Shard(1), Replicate(), Shard(0)], 3, (0, 2, -1)),
        ([Replicate()] * 3, 1, (-1,)),
    ],
)
def test_layouts_and_placements(placements, dim, places):
    layout = Layout.from_device_mesh(mesh())(placements)
    assert tuple(layout.placement_to_tensor_map(dim)) == places
    assert layout.tensor_map_to_placement() == placements


def test_slices_from_one_layout_to_another():
    source = Layout((2, 2), ("dp", "tp"), init_backend=False)("dp", "tp")
    target = Layout((4,), ("all",), init_backend=False)("None", "all")
    handler = ReshardHandler("w", (4, 8), source, target, 1)
    assert handler.infer_all_tensor_offset() == {0: ((0, 2), (2, 4)), 2: ((0, 2), (2, 4))}
    with pytest.raises(ValueError, match="can not divided"):
        ReshardHandler("w", (5, 8), source, target, 1).infer_all_tensor_offset()


@pytest.mark.parametrize("ranks, chunks, micros", [(4, 1, 8), (4, 1, 2), (2, 3, 4), (2, 2, 5), (3, 2, 2)])
def test_orders_of_a_pipeline_do_each_step_once(ranks, chunks, micros):
    for rank in range(ranks):
        steps = interleaved(rank, ranks, chunks, micros)
        assert len(steps) == len(set(steps)) == 2 * chunks * micros
        for kind, micro, stage in steps:
            if kind is MetaStepType.BWD:
                assert steps.index((MetaStepType.FWD, micro, stage)) < steps.index((kind, micro, stage))
    first = one_forward_one_backward(ranks - 1, ranks, 1, micros)
    assert [k.name for k, _, _ in first[:2]] == ["FWD", "BWD"]
    names = [step.type.name for step in with_messages(one_forward_one_backward(0, 2, 1, 1), 2)]
    assert names == ["FWD", "FWD_SEND", "BWD_RECV", "BWD"]
