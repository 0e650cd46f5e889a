"""Files of distributed training: slices merged, several files as one, cut otherwise by strategy files."""

import base64
import os
from types import SimpleNamespace

import golden_files
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn

from msjax.train import strategy_files


def parts(array):
    return [Parameter(Tensor(a), name="w") for a in array]


def test_slices_along_the_first_axis():
    merged = ms.merge_sliced_parameter(parts([[[1.0, 2.0]], [[3.0, 4.0]]]))
    assert merged.name == "w" and merged.asnumpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "matrix, tensor_map, cut",
    [
        ([4], [0, -1], lambda x: np.split(x, 4, 0)),
        ([4], [-1, 0], lambda x: np.split(x, 4, 1)),
        ([2, 2], [1, 0], lambda x: [b for a in np.split(x, 2, 0) for b in np.split(a, 2, 1)]),
        ([2, 2], [0, 1], lambda x: [np.split(np.split(x, 2, 0)[j], 2, 1)[i] for i in range(2) for j in range(2)]),
        ([2, 2], [-1, 0], lambda x: np.split(x, 2, 1) * 2),
    ],
)
def test_slices_by_strategy(matrix, tensor_map, cut):
    whole = np.arange(32, dtype=np.float32).reshape(4, 8)
    merged = ms.merge_sliced_parameter(parts(cut(whole)), {"w": [matrix, tensor_map, [], 0]})
    np.testing.assert_array_equal(merged.asnumpy(), whole)


@pytest.fixture
def files(tmp_path):
    whole = {"weight": np.arange(6, dtype=np.float32).reshape(2, 3), "bias": np.ones(2, np.float32)}
    names = []
    for rank in range(3):
        folder = tmp_path / f"rank_{rank}"
        folder.mkdir()
        names.append(str(folder / "net.ckpt"))
        ms.save_checkpoint(
            [
                {"name": "weight", "data": Tensor(whole["weight"][:, rank : rank + 1])},
                {"name": "bias", "data": Tensor(whole["bias"])},
            ],
            names[-1],
        )
    return whole, names


def test_several_files_load_as_one(files):
    whole, names = files
    net = nn.Dense(3, 2)
    found = ms.load_distributed_checkpoint(net, names, return_param_dict=True)
    assert set(found) == set(whole)
    for p in net.get_parameters():
        np.testing.assert_array_equal(p.asnumpy(), whole[p.name])
    with pytest.raises(ValueError, match="do not join"):
        ms.load_distributed_checkpoint(nn.Dense(4, 2), names)


def test_files_below_a_folder_as_one(files, tmp_path):
    whole, names = files
    for rank in range(3):
        made = ms.load_checkpoint(names[rank])
        target = str(tmp_path / "safe" / f"rank_{rank}" / "new.safetensors")
        os.makedirs(os.path.dirname(target))
        ms.save_checkpoint([{"name": n, "data": p} for n, p in made.items()], target, format="safetensors")
    ms.unified_safetensors(
        str(tmp_path / "safe"), None, str(tmp_path / "one"), choice_func=lambda n: n == "bias" and "net.bias"
    )
    assert list(ms.load_checkpoint(str(tmp_path / "one" / "part0.safetensors"), format="safetensors")) == ["net.bias"]
    assert ms.rank_list_for_transform(2) == [0]
    ms.transform_checkpoint_by_rank(0, {0: names[0]}, str(tmp_path / "copy.ckpt"))
    assert set(ms.load_segmented_checkpoints(str(tmp_path))) == set(whole)


GOLDEN = golden_files.read("strategies")
WHOLE = {"w": np.arange(256, dtype=np.float32).reshape(16, 16), "b": np.arange(3, dtype=np.float32)}


@pytest.fixture
def strategies(tmp_path):
    """Folder of the strategy files that MindSpore wrote, and of the whole checkpoint."""
    for name, content in GOLDEN["files"].items():
        (tmp_path / f"{name}.ckpt").write_bytes(base64.b64decode(content))
    (tmp_path / "whole" / "rank_0").mkdir(parents=True)
    save(WHOLE, tmp_path / "whole" / "rank_0" / "a.ckpt")
    return tmp_path


def save(content, path):
    ms.save_checkpoint([{"name": n, "data": Tensor(a)} for n, a in content.items()], str(path))


def change(folder, source, target, old, new):
    strategy = [str(folder / f"{name}.ckpt") for name in (old, new)]
    ms.transform_checkpoints(str(folder / source), str(folder / target), "a", *strategy)


@pytest.mark.parametrize("name", GOLDEN["slices"])
def test_slices_of_a_strategy_are_those_of_mindspore(strategies, name):
    change(strategies, "whole", name, "whole1", name)
    for rank, (shape, first, last) in enumerate(GOLDEN["slices"][name]):
        made = ms.load_checkpoint(str(strategies / name / f"rank_{rank}" / f"a{rank}.ckpt"))
        own = made["w"].asnumpy()
        assert (list(own.shape), own.flat[0], own.flat[-1]) == (shape, first, last)
        np.testing.assert_array_equal(made["b"].asnumpy(), WHOLE["b"])
    if name != "whole1":  # and to another strategy, and back to one whole file
        change(strategies, name, "other", name, "turned")
        needed = ms.rank_list_for_transform(2, str(strategies / "turned.ckpt"), str(strategies / f"{name}.ckpt"))
        files = {r: str(strategies / "other" / f"rank_{r}" / f"a{r}.ckpt") for r in needed}
        if len(GOLDEN["slices"][name]) > 2:
            target = str(strategies / "one.ckpt")
            ms.transform_checkpoint_by_rank(
                2, files, target, str(strategies / "turned.ckpt"), str(strategies / f"{name}.ckpt")
            )
            assert ms.load_checkpoint(target)["w"].asnumpy().flat[0] == GOLDEN["slices"][name][2][1]
        change(strategies, "other", "back", "turned", "whole1")
        np.testing.assert_array_equal(
            ms.load_checkpoint(str(strategies / "back" / "rank_0" / "a0.ckpt"))["w"].asnumpy(), WHOLE["w"]
        )


@pytest.mark.parametrize("new", GOLDEN["files"])
def test_ranks_that_a_redistribution_needs_are_those_of_mindspore(strategies, new):
    for old in GOLDEN["files"]:
        files = str(strategies / f"{old}.ckpt"), str(strategies / f"{new}.ckpt")
        wanted = GOLDEN["needed"][f"{old} {new}"]
        assert [ms.rank_list_for_transform(rank, *files) for rank in range(len(wanted))] == wanted, old


@pytest.mark.parametrize("name", GOLDEN["files"])
def test_strategy_files_are_read_and_written(strategies, name, tmp_path):
    content = strategy_files.read(str(strategies / f"{name}.ckpt"))
    for ending in ("ckpt", "json"):
        strategy_files.write(str(tmp_path / f"again.{ending}"), content)
        assert strategy_files.read(str(tmp_path / f"again.{ending}")).layouts == content.layouts
    assert (tmp_path / "again.ckpt").read_bytes() == base64.b64decode(GOLDEN["files"][name])
    assert strategy_files.listed(ms.build_searched_strategy(str(tmp_path / "again.json"))).keys() == {"w", "b"}


def test_stages_are_merged_and_groups_read(strategies):
    (strategies / "stages").mkdir()
    for stage, layout in enumerate(("grid", "rows4")):
        content = strategy_files.read(str(strategies / f"{layout}.ckpt"))
        content.strategies = {"op": (stage, [[1]])}
        if stage:
            content.layouts = {f"{n}2": v for n, v in content.layouts.items()}
        strategy_files.write(str(strategies / "stages" / f"{stage}.ckpt"), content)
    merged = str(strategies / "merged.ckpt")
    ms.merge_pipeline_strategys(str(strategies / "stages"), merged)
    assert set(ms.build_searched_strategy(merged)) == {"0-w", "0-b", "1-w2", "1-b2"}
    assert ms.rank_list_for_transform(0, merged, str(strategies / "whole1.ckpt"))[0] >= 4  # ranks of both stages
    (strategies / "group.pb").write_bytes(base64.b64decode(GOLDEN["group"]))
    assert ms.restore_group_info_list(str(strategies / "group.pb")) == [1, 3]


def test_a_file_of_all_stages_is_merged_as_it_is(strategies, tmp_path):
    """As processes of a pipeline write it here: each file has all stages."""
    content = strategy_files.read(str(strategies / "grid.ckpt"))
    content.layouts = {f"{stage}-{name}": layout for stage, (name, layout) in enumerate(content.layouts.items())}
    for rank in range(2):
        strategy_files.write(str(tmp_path / "all" / f"{rank}.ckpt"), content)
    ms.merge_pipeline_strategys(str(tmp_path / "all"), str(tmp_path / "merged.ckpt"))
    assert set(ms.build_searched_strategy(str(tmp_path / "merged.ckpt"))) == set(content.layouts)


@pytest.mark.parametrize("ending", ["ckpt", "json"])
def test_one_axis_over_several_axes_of_devices(tmp_path, ending):
    mesh = SimpleNamespace(axis_names=("a", "b"), devices=np.empty((2, 2)))
    for ndim, spec, wanted in (
        (1, (("b", "a"),), [[0, 1]]),
        (2, (("a", "b"), None), [[1, 0], [-1]]),
        (2, ("b", "a"), [0, 1]),
    ):
        layout = strategy_files.of_sharding(SimpleNamespace(mesh=mesh, spec=spec), ndim)
        strategy_files.write(
            str(tmp_path / f"s.{ending}"), strategy_files.StrategyFile({"op": (0, [[1]])}, {"w": layout})
        )
        found = strategy_files.listed(strategy_files.read(str(tmp_path / f"s.{ending}")).layouts)
        assert found["w"][1] == wanted and len(strategy_files.Cut(found["w"], ndim).parts) == ndim


def test_what_lies_on_the_devices_of_all_stages_is_in_each():
    dims = strategy_files.Dims

    def of(sizes, *maps):
        layout = strategy_files.ParallelLayouts([dims(sizes)], [dims(m) for m in maps])
        return [(s, a.dev_matrix[0].dim) for s, a in strategy_files._of_stages(0, layout)]

    ms.set_auto_parallel_context(device_num=8, pipeline_stages=2)
    try:
        assert of([2, 1, 4], [0, -1]) == [(0, [1, 4]), (1, [1, 4])]
        assert of([8], []) == [(0, [4]), (1, [4])]
        assert of([2, 1, 4], [2, -1]) == [(0, [2, 1, 4])]  # split over the stages, too
        assert of([1, 4], [0, -1]) == [(0, [1, 4])]  # of one stage
    finally:
        ms.reset_auto_parallel_context()


def test_a_file_of_which_nothing_is_left_is_not_written(strategies, tmp_path):
    change(strategies, "whole", "grid", "whole1", "grid")
    content = strategy_files.read(str(strategies / "grid.ckpt"))
    content.layouts = {f"0-{name}": layout for name, layout in content.layouts.items()}
    content.layouts |= {f"1-other{i}": layout for i, layout in enumerate(content.layouts.values())}
    strategy_files.write(str(tmp_path / "stages.ckpt"), content)
    with pytest.raises(ValueError, match="Nothing is left"):
        ms.transform_checkpoint_by_rank(
            4, {r: str(strategies / "grid" / f"rank_{r}" / f"a{r}.ckpt") for r in range(4)}, str(tmp_path / "new.ckpt"),
            str(strategies / "grid.ckpt"), str(tmp_path / "stages.ckpt"),
        )  # fmt: skip


def test_a_network_loads_slices_by_their_strategy(strategies):
    change(strategies, "whole", "grid", "whole1", "grid")
    files = [str(strategies / "grid" / f"rank_{r}" / f"a{r}.ckpt") for r in range(4)]

    class Net(nn.Cell):
        def __init__(self, shape):
            super().__init__()
            self.w = Parameter(Tensor(np.zeros(shape, np.float32)), name="w")

    net, quarter = Net((16, 16)), Net((16, 8))
    assert ms.load_distributed_checkpoint(net, files, None, str(strategies / "grid.ckpt")) is True
    np.testing.assert_array_equal(net.w.asnumpy(), WHOLE["w"])
    ms.load_distributed_checkpoint(
        quarter, files, {"w": [[2], [-1, 0], [], 0]}, str(strategies / "grid.ckpt"), rank_id=1
    )
    np.testing.assert_array_equal(quarter.w.asnumpy(), WHOLE["w"][:, 8:])
    with pytest.raises(ValueError, match="the device count is 4"):
        ms.load_distributed_checkpoint(net, files[:3], None, str(strategies / "grid.ckpt"))


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: ms.merge_sliced_parameter(()), TypeError, "list"),
        (lambda: ms.merge_sliced_parameter([]), ValueError, "at least 1"),
        (lambda: ms.merge_sliced_parameter([1]), TypeError, "Parameter"),
        (lambda: ms.merge_sliced_parameter(parts([[1.0]]), {"v": [[1], [0]]}), KeyError, "one key"),
        (lambda: ms.merge_sliced_parameter(parts([[1.0]]), {"w": [[2], [0]]}), ValueError, "2 slices"),
        (lambda: ms.load_distributed_checkpoint(None, "x"), TypeError, "list"),
        (lambda: ms.build_searched_strategy("s.ckpt"), ValueError, "no such strategy file: s.ckpt"),
        (lambda: ms.transform_checkpoints("/nowhere", "b", "c"), ValueError, "can not be empty"),
        (lambda: ms.restore_group_info_list("a"), ValueError, "no such group information file: a"),
        (lambda: ms.load_segmented_checkpoints("/nowhere"), ValueError, "no '.ckpt'"),
    ],
)
def test_wrong_arguments(make, error, text):
    with pytest.raises(error, match=text):
        make()
