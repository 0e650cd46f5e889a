"""`mindspore.rewrite`: nodes as MindSpore names them; changed sources run, in both modes."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.rewrite import (
    Node,
    NodeType,
    PatternEngine,
    PatternNode,
    Replacement,
    ScopedValue,
    SymbolTree,
    ValueType,
    VarNode,
)


def scaled(a, b=2):
    c = ops.abs(a)
    return c * b + 1


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.act = nn.Dense(4, 4), ops.ReLU()

    def construct(self, x, scale=1.0):
        y = self.dense(x)
        return self.act(y) * scale


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block, self.relu, self.fc = Block(), nn.ReLU(), nn.Dense(4, 4)
        self.seq = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU())
        self.wide, self.__hidden = False, 3

    def twice(self, x):
        y = self.relu(x)
        return y + y

    def construct(self, x, y=None):
        """Calls of every kind."""
        x = self.relu(self.fc(x))
        x = self.relu(x)
        if not self.wide:
            x = x + 1
        else:
            return x
        x = self.block(x, scale=2.0)
        for _ in range(2):
            x = self.seq(x)
        x = self.twice(x) if self.__hidden else x
        a, b = ops.split(scaled(x, b=self.__hidden), 2, axis=0)
        return a, self.twice(-b[0]), {"a": a}["a"]


def named(name):
    return ScopedValue.create_naming_value(name)


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"], autouse=True)
def mode(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.set_context(mode=request.param)


X = np.random.RandomState(0).randn(4, 4).astype(np.float32)


def outputs(net):
    return [v.asnumpy() for v in net(Tensor(X))]


def test_unchanged_source_is_the_same_network():
    net = Net()
    new = SymbolTree.create(net).get_network()
    assert type(new).__name__ == "NetOpt" and isinstance(new, Net)
    assert [p.name for p in new.get_parameters()] == [p.name for p in net.get_parameters()]
    for got, want in zip(outputs(new), outputs(net)):
        np.testing.assert_array_equal(got, want)


def test_nodes():
    tree = SymbolTree.create(Net())
    kinds = {node.get_name(): node.get_node_type() for node in tree.nodes()}
    assert list(kinds)[:7] == ["input_x", "input_y", "fc", "relu", "relu_1", "unaryop_not", "if_node"]
    assert kinds["block"] is NodeType.Tree and kinds["seq" if "seq" in kinds else "for_node"] is NodeType.ControlFlow
    relu = tree.get_node("relu")
    assert relu.get_args() == [named("fc_var")] and [n.get_name() for n in relu.get_inputs()] == ["fc"]
    assert [n.get_name() for n in relu.get_users()] == ["relu_1"] and relu.get_instance_type() is nn.ReLU
    block = tree.get_node("block")
    assert str(block.get_kwargs()) == "{'scale': 2.0}" and block.get_symbol_tree() is tree
    assert [n.get_name() for n in block.get_sub_tree().nodes()][-3:] == ["act", "binop_mult", "return"]
    everywhere = [n.get_name() for n in tree.nodes(all_nodes=True)]
    assert {"twice", "scaled", "Dense", "ReLU", "split", "return"} <= set(everywhere)
    assert tree.get_node("nowhere") is None and tree.unique_name("x") == "x_1" and tree.unique_name("new") == "new"


def test_insert_erase_replace():
    net = Net()
    tree = SymbolTree.create(net)
    want = outputs(net)
    tree.erase(tree.get_node("block"))  # x stays what it was
    tree.erase("relu_1")
    for node in tree.get_node("for_node").blocks[0].nodes:
        tree.replace(node, [Node.create_call_function(ops.tanh, ["x"], [named("x")])])
    inserted = Node.create_call_cell(nn.Dense(4, 4, weight_init="ones", has_bias=False), ["x"], [named("x")], name="fc")
    tree.insert(tree.before("for_node"), inserted)
    assert inserted.get_name() == "fc_1" and "self.fc_1(x)" in tree.get_code() and "tanh(x)" in tree.get_code()
    new = tree.get_network()
    x = np.maximum(net.fc(Tensor(X)).asnumpy(), 0) + 1
    x = np.tanh(np.tanh(x @ np.ones((4, 4), np.float32)))
    np.testing.assert_allclose(outputs(new)[0], (2 * x * 3 + 1)[:2], rtol=1e-5)
    assert "fc_1.weight" in [p.name for p in new.get_parameters()]
    np.testing.assert_array_equal(outputs(net)[0], want[0])  # the old one runs its own source


def test_changes_in_methods_functions_containers_and_sub_networks():
    net = Net()
    tree = SymbolTree.create(net)
    method, function = (tree.get_node(name).blocks[0] for name in ("twice", "scaled"))
    tree.replace(method.nodes[1], [Node.create_call_function(ops.exp, ["y"], [named("x")])])
    tree.insert(tree.after(function.nodes[-2]), Node.create_call_cell(nn.ReLU6(), ["add_var"], [named("add_var")]))
    cells = tree.get_node("seq").blocks[0]
    tree.replace(cells.nodes[1], [Node.create_call_cell(nn.Tanh(), ["x"], [named("x")])])
    inner = tree.get_node("block").get_sub_tree()
    inner.get_node("binop_mult").set_arg(1, ScopedValue.create_variable_value(0.5))
    new = tree.get_network()
    assert [type(cell).__name__ for cell in new.seq] == ["Dense", "Tanh"] and type(new.block).__name__ == "BlockOpt"
    x = np.maximum(net.fc(Tensor(X)).asnumpy(), 0) + 1
    x = np.maximum(net.block.dense(Tensor(x)).asnumpy(), 0) * 0.5
    for _ in range(2):
        x = np.tanh(net.seq[0](Tensor(x)).asnumpy())
    np.testing.assert_allclose(outputs(new)[0], np.minimum(2 * np.exp(x) * 3 + 1, 6)[:2], rtol=1e-5)


def test_arguments_by_node_and_output():
    tree = SymbolTree.create(Net())
    fc, relu = tree.get_node("fc"), tree.get_node("relu_1")
    relu.set_arg_by_node(0, fc)
    assert relu.get_args() == [named("fc_var")] and [n.get_name() for n in fc.get_users()] == ["relu", "relu_1"]
    tree.set_output(1, "a")
    assert "(a, a, " in tree.get_code()
    fc.set_attribute("mine", 1)
    assert fc.get_attribute("mine") == 1 and fc.get_attribute("other") is None


def test_branches_that_are_known():
    net = Net()
    tree = SymbolTree.create(net)
    tree.flatten_static_if_control_flow()
    assert not any(n.get_name().startswith(("if_node", "else_node")) for n in tree.nodes())
    np.testing.assert_array_equal(outputs(tree.get_network())[0], outputs(net)[0])


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu, self.add = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), ops.Add()
        self.more = nn.SequentialCell(nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2), nn.ReLU())

    def construct(self, x):
        x = self.bn(self.conv(x))
        x = self.more(self.relu(x))
        return self.add(x, x)


class Plain(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        conv, bn = matched.values()
        return [
            Node.create_call_cell(
                nn.Conv2d(*conv.get_instance().weight.shape[1::-1], 3), bn.get_targets(), conv.get_args()
            )
        ]


def test_pattern_engine():
    tree = SymbolTree.create(Chain())
    assert PatternEngine([nn.Conv2d, nn.BatchNorm2d], Plain()).apply(tree)
    assert not PatternEngine([nn.Conv2d, nn.BatchNorm2d], Plain()).apply(tree)
    new = tree.get_network()
    assert new(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape == (1, 2, 4, 4)
    assert [type(cell).__name__ for cell in new.more] == ["Conv2d", "ReLU"]
    both = PatternNode("sum", ops.Add, [PatternNode("left", nn.SequentialCell), VarNode()])
    assert not PatternEngine(both, Plain()).apply(SymbolTree.create(Chain()))  # both arguments are one node
    assert PatternNode.from_node(tree.get_node("relu")).match(tree.get_node("relu"))


def test_print(capsys):
    SymbolTree.create(Chain()).print_node_tabulate()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["node", "type"] and "conv_var = self.conv(x)" in lines[3]


def test_scoped_values():
    value = ScopedValue.create_naming_value("conv", "self")
    assert str(value) == "self.conv" and value == ScopedValue(ValueType.NamingValue, "self", "conv")
    assert [str(v) for v in ScopedValue.create_name_values(["a", "b"])] == ["a", "b"]


@pytest.mark.parametrize(
    "use, error",
    [
        (lambda tree, node: SymbolTree.create(3), TypeError),
        (lambda tree, node: tree.insert(1, node), TypeError),
        (lambda tree, node: tree.insert(SymbolTree.create(Chain()).after("relu"), node), ValueError),
        (lambda tree, node: tree.insert(tree.after("relu"), tree.get_node("conv")), ValueError),
        (lambda tree, node: node.set_arg(5, "x"), ValueError),
        (lambda tree, node: node.set_arg("0", "x"), TypeError),
        (lambda tree, node: tree.erase("nowhere"), RuntimeError),
        (lambda tree, node: node.get_sub_tree(), TypeError),
        (lambda tree, node: Node.create_call_cell(3, ["x"]), TypeError),
        (lambda tree, node: Node.create_call_function(ops.abs, ["x"], ["x"]), TypeError),
        (lambda tree, node: PatternEngine([int], Plain()), TypeError),
    ],
)
def test_errors(use, error):
    tree = SymbolTree.create(Chain())
    with pytest.raises(error):
        use(tree, Node.create_call_cell(nn.ReLU(), ["x"], [named("x")]))


class _Sequential(nn.Cell):
    def __init__(self):
        super().__init__()
        self.seq = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())

    def construct(self, x):
        return self.seq(x)


def test_a_container_takes_cells_only():
    tree = SymbolTree.create(_Sequential())
    relu = next(node for node in tree.nodes(True) if node.get_instance_type() is nn.ReLU)
    x = ScopedValue.create_naming_value("x")
    for call in (Node.create_call_function(ops.abs, ["x"], [x]), Node.create_call_cell(ops.Abs(), ["x"], [x])):
        with pytest.raises(TypeError, match="A SequentialCell holds Cells only"):
            tree.insert(tree.after(relu), call)
    tree.insert(tree.after(relu), Node.create_call_cell(nn.Tanh(), ["x"], [x]))
    assert [type(cell) for cell in tree.get_network().seq] == [nn.Dense, nn.ReLU, nn.Tanh]


class Convolved(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.relu = nn.Conv2d(3, 8, (3, 3), stride=2, has_bias=True), nn.ReLU()

    def construct(self, x):
        return self.relu(self.conv(x))


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Convolved()
        self.rest = nn.SequentialCell([nn.Conv2d(8, 4, 1), nn.ReLU()])

    def construct(self, x):
        return self.rest(self.first(x))


def test_nodes_tell_the_attributes_of_what_they_call():
    """Recorded: what is called by a node of a Cell or Primitive, none of a network or container; toolkits look further by the handler."""
    tree = SymbolTree.create(Nested())
    first, rest = tree.get_node("first"), tree.get_node("rest")
    inner = first.get_handler().symbol_tree.get_node("conv")
    wanted = {"in_channels": 3, "kernel_size": (3, 3), "group": 1, "has_bias": True, "cls": nn.Conv2d, "eps": None}
    assert {key: inner.get_attribute(key) for key in wanted} == wanted
    inner.set_attribute("mine", 3)
    assert inner.get_attributes()["mine"] == 3 and "mine" not in vars(inner.get_instance())
    assert first.get_attributes() == rest.get_attributes() == {} and rest.get_attribute("in_channels") is None
    assert [node.get_name() for node in rest.get_handler().nodes()] == ["Conv2d", "ReLU"]
    assert rest.get_handler().node_list[1] is rest.get_handler().get_node("ReLU")
    assert rest.get_handler().get_belong_symbol_tree() is tree is first.get_handler().get_belong_symbol_tree()
    head = rest.get_handler().nodes()[0]
    head.set_arg_providers(0, (first, 0))
    assert head.get_arg_providers() == {0: (first, 0)}
    with pytest.raises(AttributeError, match="no attribute 'symbol_tree'"):
        _ = rest.get_handler().symbol_tree
    with pytest.raises(TypeError, match="should be 'NodeType.CellContainer'"):
        first.get_handler().nodes()


def test_parameters_of_cells_that_are_put_into_networks_below_are_named_by_their_paths():
    tree = SymbolTree.create(Nested())
    below = tree.get_node("first").get_sub_tree()
    old = below.get_node("conv")
    new = Node.create_call_cell(nn.Conv2d(3, 8, 3), old.get_targets(), old.get_args(), name="other")
    below.replace(old, [new])
    net = tree.get_network()
    assert [p.name for p in net.get_parameters()] == [
        "first.conv.weight",
        "first.conv.bias",
        "first.other.weight",
        "rest.0.weight",
    ]
    assert net(ops.ones((1, 3, 8, 8), ms.float32)).shape == (1, 4, 8, 8)
