"""Weights in one array or in several: experts in one stack or apart; q, k and v in one matrix whose order the user says."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn

from msjax.cli import main as cli
from msjax.train.weights import Entry, UncertainMatch, match_network
from msjax.train.weights.network import matched, unmatched

RANDOM = np.random.RandomState(5)
EXPERTS, WIDTH, INNER = 3, 8, 12
SHAPES = {"gate_proj": (INNER, WIDTH), "up_proj": (INNER, WIDTH), "down_proj": (WIDTH, INNER)}


def some(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


class Held(nn.Cell):
    """A network that is its Parameters."""

    def __init__(self, shapes):
        super().__init__()
        for name, shape in shapes.items():
            self.insert_param_to_cell(name.replace(".", "_"), Parameter(Tensor(np.zeros(shape, np.float32)), name=name))

    def construct(self):
        return 0


def over(file, shapes, **options):
    """{name of a Parameter: its value} from a file, of which nothing is left."""
    net, file = Held(shapes), {name: Entry.of(value) for name, value in file.items()}
    pairs = match_network(net, file, **options)
    assert unmatched(pairs, net, file) == ([], [])
    return {name: entry.read() for name, entry in matched(pairs, net, file).items()}


def apart(names=tuple(SHAPES), shapes=SHAPES, layers=2):
    return {
        f"model.layers.{i}.mlp.experts.{e}.{name}.weight": some(*shapes[name])
        for i in range(layers)
        for e in range(EXPERTS)
        for name in names
    }


def stacks(turned=False, suffix="", shapes=SHAPES, layers=2):
    return {
        f"blocks.{i}.mlp.experts.{name.removesuffix('_proj')}{suffix}": (EXPERTS, *(s[::-1] if turned else s))
        for i in range(layers)
        for name, s in shapes.items()
    }


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("suffix", ["", "_proj.weight"])
def test_experts_apart_become_stacks_and_come_back(turned, suffix):
    file, shapes = apart(), stacks(turned, suffix)
    made = over(file, shapes)
    for name, value in made.items():
        layer, which = name.split(".")[1], name.split(".")[4].removesuffix("_proj")
        for e in range(EXPERTS):
            one = file[f"model.layers.{layer}.mlp.experts.{e}.{which}_proj.weight"]
            assert (value[e] == (one.T if turned else one)).all()
    back = over(made, {name: value.shape for name, value in file.items()})
    assert all((back[name] == value).all() for name, value in file.items())


def test_square_products_of_experts_turn_as_the_others_and_are_a_doubt_without_them():
    square = {"gate_proj": (WIDTH, WIDTH), "up_proj": (WIDTH, WIDTH), "down_proj": (WIDTH, INNER)}
    file = apart(shapes=square)
    made = over(file, stacks(True, shapes=square))
    assert (made["blocks.1.mlp.experts.gate"][2] == file["model.layers.1.mlp.experts.2.gate_proj.weight"].T).all()
    square = dict.fromkeys(SHAPES, (WIDTH, WIDTH))
    with pytest.raises(UncertainMatch, match="turned or not"):
        over(apart(shapes=square), stacks(shapes=square))


def test_names_of_experts_that_say_nothing_of_each_other_are_refused():
    file = {
        name.replace("gate_proj", "w1").replace("up_proj", "w3").replace("down_proj", "w2"): v
        for name, v in apart().items()
    }
    with pytest.raises(UncertainMatch, match="several possible values"):
        over(file, stacks())


def test_experts_that_are_apart_on_both_sides_or_do_not_follow_each_other_stay_apart():
    file = apart()
    same = {name.replace("model.layers", "net.blocks"): value.shape for name, value in file.items()}
    assert all((v == file[n.replace("net.blocks", "model.layers")]).all() for n, v in over(file, same).items())
    del file["model.layers.0.mlp.experts.1.gate_proj.weight"]
    net, file = Held(stacks()), {name: Entry.of(value) for name, value in file.items()}
    left = unmatched(match_network(net, file), net, file)
    assert left[0] == ["blocks.0.mlp.experts.gate"] and len(left[1]) == EXPERTS - 1


# --- the order of q, k and v
HEADS, SIZE = 4, 6


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("numbered", [False, True])
def test_gate_and_up_of_a_stack_are_cut_and_joined(numbered, turned):
    gate, up, down = some(EXPERTS, INNER, WIDTH), some(EXPERTS, INNER, WIDTH), some(EXPERTS, WIDTH, INNER)
    both = np.concatenate([gate, up], 1)
    file = {
        "layers.0.mlp.experts.gate_up_proj": both.swapaxes(1, 2) if turned else both,
        "layers.0.mlp.experts.down_proj": down,
    }
    parts = {"gate_proj": gate, "up_proj": up, "down_proj": down}
    if numbered:
        wanted = {f"layers.0.mlp.experts.{i}.{n}.weight": a[i] for n, a in parts.items() for i in range(EXPERTS)}
    else:
        wanted = {f"layers.0.mlp.experts.{n}": a for n, a in parts.items()}
    got = over(file, {n: a.shape for n, a in wanted.items()})
    assert all(np.array_equal(got[n], a) for n, a in wanted.items())
    if not turned:
        back = over(got, {n: a.shape for n, a in file.items()})
        assert all(np.array_equal(back[n], a) for n, a in file.items())


def test_gate_and_up_with_a_bias_are_not_cut():
    file = {
        "mlp.experts.gate_up_proj": some(EXPERTS, WIDTH, 2 * INNER),
        "mlp.experts.gate_up_proj_bias": some(EXPERTS, 2 * INNER),
    }
    file |= {"mlp.experts.down_proj": some(EXPERTS, INNER, WIDTH)}
    net = Held(
        {f"mlp.experts.{n}": (EXPERTS, WIDTH, INNER) for n in ("gate_proj", "up_proj")}
        | {"mlp.experts.down_proj": (EXPERTS, INNER, WIDTH)}
    )
    with pytest.raises(ValueError, match="only 1 of"):
        match_network(net, {n: Entry.of(a) for n, a in file.items()})


def of_heads(q, k, v, groups):
    """As GPT-NeoX and InternLM2 keep them: q, k and v of each head (of k and v) together."""
    return np.concatenate([part for parts in zip(*(np.split(x, groups) for x in (q, k, v))) for part in parts])


def joined(order, shared=1):
    """(a file of q, k and v in one matrix, the same apart)"""
    rows = HEADS * SIZE
    q, k, v = (some(n, rows) for n in (rows, rows // shared, rows // shared))
    whole = {
        "qkv": lambda: np.concatenate([q, k, v]),
        f"{HEADS // shared}*qkv": lambda: of_heads(q, k, v, HEADS // shared),
        "2*qvk": lambda: of_heads(q, v, k, 2),
    }[order]()
    name = "layers.0.attention.{}.weight"
    return {name.format("query_key_value"): whole}, {name.format(n): x for n, x in (("q", q), ("k", k), ("v", v))}


@pytest.mark.parametrize(
    ("order", "shared"), [("qkv", 1), ("4*qkv", 1), ("q,k,v", 1), ("2*qvk", 1), ("2*qkv", 2), ("2*qvk", 2), ("qkv", 4)]
)
def test_the_order_of_q_k_and_v_that_the_user_says(order, shared):
    one, three = joined(order.replace(",", ""), shared)
    shapes = {name: value.shape for name, value in three.items()}
    with pytest.raises(UncertainMatch, match="the order of q, k and v in it"):
        over(one, shapes)
    cut = over(one, shapes, qkv_order=order)
    assert all((cut[name] == value).all() for name, value in three.items())
    (name,) = one
    assert (over(cut, {name: one[name].shape}, qkv_order=order)[name] == one[name]).all()
    turned = {name.replace("query_key_value", "qkv"): one[name].shape[::-1]}
    assert (next(iter(over(cut, turned, qkv_order=order).values())) == one[name].T).all()


@pytest.mark.parametrize(("order", "text"), [
    ("qkq", "must be as"), ("heads", "must be as"), ("0*qkv", "must be as"), ("5*qkv", "5 groups do not divide"),
])  # fmt: skip
def test_an_order_that_can_not_be(order, text):
    one, three = joined("qkv")
    with pytest.raises(ValueError, match=text):
        over(one, {name: value.shape for name, value in three.items()}, qkv_order=order)


def test_an_order_that_says_nothing_is_refused():
    with pytest.raises(ValueError, match="No matrix of q, k and v is cut or joined"):
        over({"a.weight": some(3, 4)}, {"a.weight": (3, 4)}, qkv_order="qkv")


def test_convert_names_the_option_and_takes_it(tmp_path, capsys):
    one, three = joined("4*qkv")
    ms.save_checkpoint([{"name": n, "data": Tensor(v)} for n, v in one.items()], str(tmp_path / "file.ckpt"))
    (tmp_path / "held.py").write_text(
        "import numpy as np\nfrom mindspore import Parameter, Tensor, nn\n\n\nclass Net(nn.Cell):\n    def __init__(self):\n"
        "        super().__init__()\n        for name in 'qkv':\n"
        "            array = Tensor(np.zeros((24, 24), np.float32))\n"
        "            self.insert_param_to_cell(name, Parameter(array, name=f'layers.0.attention.{name}.weight'))\n"
    )
    argv = ["convert", str(tmp_path / "file.ckpt"), str(tmp_path / "net.ckpt")]
    with pytest.raises(SystemExit) as refused:
        cli.main([*argv, "--match", f"{tmp_path / 'held.py'}:Net"])
    assert refused.value.code == 2 and "--qkv-order says the order" in capsys.readouterr().err
    assert cli.main([*argv, "--match", f"{tmp_path / 'held.py'}:Net", "--qkv-order", "4*qkv"]) == 0
    assert "4 x qkv" in capsys.readouterr().out
    made = ms.load_checkpoint(str(tmp_path / "net.ckpt"))
    assert all((made[name].asnumpy() == value).all() for name, value in three.items())
    with pytest.raises(SystemExit):
        cli.main([*argv, "--qkv-order", "4*qkv"])
    assert "--qkv-order needs --match" in capsys.readouterr().err
