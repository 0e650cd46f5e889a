"""Names, order, prefixes and shapes of Parameters and of optimizer states: the keys of every checkpoint."""

import cases_names
import golden_files
import mindspore as ms
import pytest
from mindspore import nn, ops

GOLDEN = golden_files.read("names")
NAMES = [(group, key) for group, entries in GOLDEN.items() for key in entries]


@pytest.mark.parametrize("group, key", NAMES, ids=[f"{g}:{k}" for g, k in NAMES])
def test_names(group, key):
    want = GOLDEN[group][key]
    describe = cases_names.describe_optimizer if group == "optimizers" else cases_names.describe_net
    build = cases_names.NETS[key] if group == "nets" else lambda: eval(key, cases_names.NAMESPACE)
    found = cases_names.attempt(describe, build)
    if isinstance(want, list):
        assert isinstance(found, list) and found[0] == want[0], f"{found}, MindSpore {want}"
        return
    assert isinstance(found, dict), found
    for part, value in want.items():
        assert found[part] == value, part


class _Appended(nn.Cell):
    """Cells that come one by one into lists that have their place already: none knows the path to it."""

    def __init__(self, twice):
        super().__init__()
        self.first = nn.CellList()
        for _ in range(2):
            self.first.append(nn.Dense(2, 2, has_bias=False))
        if twice:
            self.second = nn.SequentialCell()
            self.second.append(nn.Dense(2, 2, has_bias=False))

    def construct(self, x):
        return self.first[0](x)


class _Around(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, x):
        return self.net(x)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_parameters_that_share_a_name_get_their_paths_at_the_first_call(mode):
    """Recorded from MindSpore 2.10: names that are unique stay, and what is called decides where the path begins."""
    x = ops.ones((1, 2))
    ms.set_context(mode=mode)
    for twice, use, want in (
        (True, lambda net: net.set_train(), ["0.weight", "1.weight", "0.weight"]),
        (True, lambda net: net(x), ["first.0.weight", "first.1.weight", "second.0.weight"]),
        (True, lambda net: _Around(net)(x), ["net.first.0.weight", "net.first.1.weight", "net.second.0.weight"]),
        (False, lambda net: net(x), ["0.weight", "1.weight"]),
    ):
        net = _Appended(twice)
        use(net)
        assert [p.name for p in net.get_parameters()] == want


@pytest.mark.parametrize("name", ["buffers", "state_dict", "offload"])
def test_sub_cells_may_have_names_that_are_methods_since_mindspore_2_5(name):
    """Scripts from before have them; MindSpore 2.10 refuses."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            setattr(self, name, None)
            setattr(self, name, nn.Dense(2, 3))

        def construct(self, x):
            return getattr(self, name)(x)

    net = Net()
    assert [p.name for p in net.get_parameters()] == [f"{name}.weight", f"{name}.bias"]
    assert net(ops.ones((1, 2), ms.float32)).shape == (1, 3) and list(net.name_cells()) == [name]
    delattr(net, name)
    assert callable(getattr(net, name)) and not net.name_cells()


class _Sliced(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(1, 1), nn.Dense(1, 1), nn.Dense(1, 1)])

    def construct(self, x):
        for layer in self.layers[1:]:
            x = layer(x)
        return x


def test_a_slice_of_a_cell_list_in_compiled_code_keeps_the_names():
    """Recorded from MindSpore 2.10; in PYNATIVE_MODE the slice renames, as outside of a network."""
    net = _Sliced()
    ms.set_context(mode=ms.GRAPH_MODE)
    net(ops.ones((1, 1)))
    assert [p.name for p in net.trainable_params() if "weight" in p.name] == [f"layers.{i}.weight" for i in range(3)]


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_cell_without_its_base_says_what_is_missing(mode):
    class WithoutBase(nn.Cell):
        def __init__(self):
            self.number = 1

        def construct(self):
            return self.number

    ms.set_context(mode=mode)
    with pytest.raises(AttributeError, match=r"super\(\).__init__\(\)"):
        WithoutBase()()
