"""Classes that have another name inside are shown by MindSpore's, and exceptions of them go through pickle."""

import pickle

import mindspore as ms
import mindspore.dataset as ds
import pytest
from mindspore import Tensor, nn
from mindspore.train.callback import InternalCallbackParam, RunContext


def _no_attribute():
    return Tensor([1]).zzz


def _failing_map():
    return list(ds.NumpySlicesDataset([1], ["a"]).map(lambda x: 1 / 0, "a").create_tuple_iterator())


def _no_parameter():
    return RunContext(InternalCallbackParam()).original_args().zzz


@pytest.mark.parametrize(
    "fail,kind", [(_no_attribute, AttributeError), (_failing_map, RuntimeError), (_no_parameter, KeyError)]
)
def test_exceptions(fail, kind):
    with pytest.raises(kind) as caught:
        fail()
    assert type(caught.value).__name__ == kind.__name__
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is kind and str(caught.value) in (str(again), *again.args)


def test_other_classes():
    assert type(ms.manual_seed(1)).__name__ == "Generator"
    assert type(ms.get_current_device()).__name__ == "DeviceInfo"


def test_a_tensor_of_bytes_prints_them():
    assert str(Tensor(b"abc")) == "b'abc'"


def test_a_cell_list_has_no_names():
    with pytest.raises(TypeError, match="must be int or slice"):
        nn.CellList([nn.ReLU()])["a"]
