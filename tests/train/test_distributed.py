"""Files of distributed training: slices merged, several files as one, folders converted, strategy files refused."""

import os

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn


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


def test_folders_are_converted(files, tmp_path):
    whole, names = files
    ms.transform_checkpoints(str(tmp_path), str(tmp_path / "out"), "new", output_format="safetensors")
    assert sorted(os.listdir(tmp_path / "out")) == ["rank_0", "rank_1", "rank_2"]
    made = ms.load_checkpoint(str(tmp_path / "out" / "rank_1" / "new1.safetensors"), format="safetensors")
    np.testing.assert_array_equal(made["weight"].asnumpy(), whole["weight"][:, 1:2])
    ms.unified_safetensors(
        str(tmp_path / "out"), None, str(tmp_path / "one"), choice_func=lambda n: n == "bias" and "net.bias"
    )
    assert list(ms.load_checkpoint(str(tmp_path / "one" / "part0.safetensors"), format="safetensors")) == ["net.bias"]
    assert ms.rank_list_for_transform(2) == [2]
    ms.transform_checkpoint_by_rank(0, {0: names[0]}, str(tmp_path / "copy.ckpt"))
    assert set(ms.load_segmented_checkpoints(str(tmp_path))) == set(whole)


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: ms.merge_sliced_parameter(()), TypeError, "list"),
        (lambda: ms.merge_sliced_parameter([]), ValueError, "empty"),
        (lambda: ms.merge_sliced_parameter([1]), TypeError, "Parameter"),
        (lambda: ms.merge_sliced_parameter(parts([[1.0]]), {"v": [[1], [0]]}), KeyError, "one key"),
        (lambda: ms.merge_sliced_parameter(parts([[1.0]]), {"w": [[2], [0]]}), ValueError, "2 slices"),
        (lambda: ms.load_distributed_checkpoint(None, "x"), TypeError, "list"),
        (lambda: ms.build_searched_strategy("s.ckpt"), RuntimeError, "merge_sliced_parameter"),
        (lambda: ms.transform_checkpoints("/nowhere", "b", "c"), NotADirectoryError, "nowhere"),
        (lambda: ms.restore_group_info_list("a"), ValueError, ".pb"),
        (lambda: ms.load_segmented_checkpoints("/nowhere"), ValueError, "no '.ckpt'"),
    ],
)
def test_wrong_arguments(make, error, text):
    with pytest.raises(error, match=text):
        make()
