"""Weights from where they are: files opened lazily, shards, and the match of a file with a network."""

import json
import os
import pathlib
import subprocess
import sys
from collections import OrderedDict

import mindspore as ms
import ml_dtypes
import numpy as np
import pytest
from mindspore import nn

from msjax.cli import main as cli
from msjax.train.weights import Entry, UncertainMatch, families, match, match_network, open_weights, write_weights
from msjax.train.weights.families import _filled, family_of
from msjax.train.weights.network import unmatched

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANDOM = np.random.RandomState(3)


def entry(*shape, dtype=np.float32):
    return Entry.of(RANDOM.standard_normal(shape).astype(dtype))


def norm(owner, size, words=("weight", "bias", "running_mean", "running_var")):
    found = {f"{owner}.{word}": entry(size) for word in words}
    found[f"{owner}.{words[3]}"] = Entry.of(np.abs(RANDOM.standard_normal(size)).astype(np.float32))
    return found


def norm_of_mindspore(owner, size):
    return norm(owner, size, ("gamma", "beta", "moving_mean", "moving_variance"))


def chosen(pairs):
    return {pair.target: pair.sources[0] if len(pair.sources) == 1 else pair.sources for pair in pairs}


def layers(owner, count, *names, size=8):
    return {f"{owner}.{i}.{name}.weight": entry(size, size) for i in range(count) for name in names}


# --- files
@pytest.mark.parametrize("name", ["a.ckpt", "a.safetensors", "a.npz", "model.safetensors.index.json"])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bfloat16", "float8_e4m3fn", "bool"])
def test_values_and_dtypes_survive(tmp_path, name, dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    arrays = {"b.weight": (np.arange(6).reshape(2, 3) % 2).astype(kind), "a.scalar": np.ones((), kind)}
    path = str(tmp_path / name)
    if kind.kind == "V" and name.endswith(".npz"):
        with pytest.raises((ValueError, TypeError), match="npz|dtype"):
            write_weights(path, arrays)
        return
    write_weights(path, arrays)
    opened = open_weights(path)
    assert {n: (e.shape, e.dtype) for n, e in opened.items()} == {n: (a.shape, a.dtype) for n, a in arrays.items()}
    for n, array in arrays.items():
        assert opened[n].read().tobytes() == array.tobytes()


def test_shards_hold_what_was_asked(tmp_path):
    arrays = {f"layer.{i}": np.full((250, 100), i, np.float32) for i in range(7)}  # 100,000 bytes each
    write_weights(tmp_path / "model.safetensors.index.json", arrays, shard_bytes=250_000)
    shards = sorted(p.name for p in tmp_path.glob("*.safetensors"))
    assert shards == [f"model-0000{i}-of-00004.safetensors" for i in (1, 2, 3, 4)]
    for path in (tmp_path, tmp_path / "model.safetensors.index.json"):  # the folder means its index
        opened = open_weights(path)
        assert list(opened) == list(arrays)
        assert all((opened[n].read() == a).all() for n, a in arrays.items())


@pytest.mark.parametrize("shard", ["../secret.safetensors", "/etc/passwd", "sub/a.safetensors", "a.pickle", 3])
def test_an_index_names_only_files_beside_it(tmp_path, shard):
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": shard}}))
    with pytest.raises(ValueError, match="must stand beside it|is not an index"):
        open_weights(index)


def test_an_index_without_its_shard(tmp_path):
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "model-00001-of-00002.safetensors"}}))
    with pytest.raises(ValueError, match="not copied whole"):
        open_weights(index)


def test_a_read_ckpt_does_not_hold_the_file_in_memory(tmp_path):
    arrays = {f"w{i}": np.ones((1 << 20,), np.float32) for i in range(8)}
    write_weights(tmp_path / "big.ckpt", arrays)
    opened = open_weights(tmp_path / "big.ckpt")
    assert sum(e.nbytes for e in opened.values()) == 8 << 22
    assert opened["w3"].read() is not opened["w3"].read()


_CONVERTS = """
import sys, resource
from msjax.cli import convert
import msjax.train.weights.files, safetensors.numpy
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert convert.main(sys.argv[1:]) == 0
print("kB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in kB on Linux")
@pytest.mark.parametrize("target", ["net.ckpt", "out/model.safetensors.index.json"])
def test_no_more_memory_than_the_largest_shard(tmp_path, target):
    part = np.ones((1 << 21,), np.float32)  # 8 MiB, three of them in each shard
    write_weights(
        tmp_path / "model.safetensors.index.json", {f"w{i}": part for i in range(12)}, shard_bytes=3 * part.nbytes
    )
    size = ["--shard-size", str(3 * part.nbytes / 1e9)] if target.startswith("out") else []
    command = [sys.executable, "-c", _CONVERTS, tmp_path / "model.safetensors.index.json", tmp_path / target, *size]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.split()[-1]) * 1024 <= 1.1 * 3 * part.nbytes


# --- matching
def test_names_that_both_have_need_no_search():
    file = {**layers("body", 2, "q", "k"), **norm("bn", 4)}
    assert chosen(match(file, dict(file))) == {name: name for name in file}


def test_numbers_that_run_otherwise():
    file = {"conv1.weight": entry(8, 8, 3, 3), "conv2.weight": entry(8, 8, 3, 3)}
    net = {"conv0.weight": entry(8, 8, 3, 3), "conv1.weight": entry(8, 8, 3, 3)}
    assert chosen(match(file, net)) == {"conv0.weight": "conv1.weight", "conv1.weight": "conv2.weight"}


def test_the_parts_of_a_normalization_are_never_crossed():
    file = {"c.weight": entry(8, 3, 3, 3), **norm("bn1", 8)}
    net = {"conv.weight": entry(8, 3, 3, 3), **norm_of_mindspore("norm", 8)}
    assert chosen(match(file, net)) == {
        "conv.weight": "c.weight", "norm.gamma": "bn1.weight", "norm.beta": "bn1.bias",
        "norm.moving_mean": "bn1.running_mean", "norm.moving_variance": "bn1.running_var",
    }  # fmt: skip


def test_what_is_not_certain_is_refused_with_the_candidates():
    file, net = {**norm("bn1", 8), **norm("bn2", 8)}, {**norm_of_mindspore("a", 8), **norm_of_mindspore("b", 8)}
    with pytest.raises(UncertainMatch, match=r"a\.gamma: bn1\.weight, bn2\.weight") as refused:
        match(file, net)
    assert refused.value.doubts[0].candidates == (("bn1.weight",), ("bn2.weight",))
    settled = match(file, net, {f"{n}.{w}": f"bn{i}.{v}" for n, i in (("a", 2), ("b", 1)) for w, v in (
        ("gamma", "weight"), ("beta", "bias"), ("moving_mean", "running_mean"), ("moving_variance", "running_var"))})  # fmt: skip
    assert chosen(settled)["a.moving_variance"] == "bn2.running_var"


def test_layers_under_other_words():
    file = layers("layers", 3, "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj")
    net = layers("blocks", 3, "attention.wq", "attention.wk", "attention.wv", "attention.wo")
    got = chosen(match(file, net))
    assert got["blocks.2.attention.wo.weight"] == "layers.2.self_attn.o_proj.weight" and len(got) == 12


def test_words_that_say_nothing_are_refused():
    file = layers("layers", 3, "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
    with pytest.raises(UncertainMatch, match=r"blocks\.{}\.attention\.dense1\.weight: layers\.{}\.self_attn"):
        match(file, layers("blocks", 3, "attention.dense1", "attention.dense2", "attention.dense3"))


@pytest.mark.parametrize(
    "one, other",
    [(("norm1", "norm2"), ("layernorm_before", "layernorm_after")), (("ln_1", "ln_2"), ("layer_norm1", "layer_norm2"))],
)
def test_ordinals_decide_between_equal_words(one, other):
    file = {f"layers.{i}.{name}.weight": entry(8) for i in range(3) for name in other}
    net = {f"blocks.{i}.{name}.gamma": entry(8) for i in range(3) for name in one}
    got = chosen(match(file, net))
    assert got == {f"blocks.{i}.{a}.gamma": f"layers.{i}.{b}.weight" for i in range(3) for a, b in zip(one, other)}


def test_a_norm_after_attention_is_not_the_norm_of_attention():
    file = {
        f"layers.{i}.{name}.weight": entry(8)
        for i in range(3)
        for name in ("input_layernorm", "post_attention_layernorm")
    }
    with pytest.raises(UncertainMatch, match="attention_norm"):
        match(
            file, {f"layers.{i}.{name}.weight": entry(8) for i in range(3) for name in ("ffn_norm", "attention_norm")}
        )


def test_one_value_under_two_names_is_no_doubt():
    bias = entry(50)
    file = {"cls.predictions.bias": bias, "cls.predictions.decoder.bias": bias}
    assert chosen(match(file, {"head.bias": entry(50)}))["head.bias"] in file
    with pytest.raises(UncertainMatch, match="head.bias"):
        match({**file, "cls.predictions.bias": entry(50)}, {"head.bias": entry(50)})


@pytest.mark.parametrize("turned", [False, True])
def test_q_k_and_v_in_one_matrix_both_ways(turned):
    apart = layers("h", 2, "q", "k", "v", "o")
    joined = {f"h.{i}.qkv.weight": entry(8, 24) if turned else entry(24, 8) for i in range(2)}
    one = {**joined, **{f"h.{i}.o.weight": entry(8, 8) for i in range(2)}}
    there = {p.target: p.entry(apart, one[p.target].shape) for p in match(apart, one)}
    back = {p.target: p.entry(there, apart[p.target].shape) for p in match(there, apart)}
    assert back.keys() == apart.keys()
    assert all((back[n].read() == apart[n].read()).all() for n in apart)


def test_a_table_that_is_tied():
    file = {"model.embed_tokens.weight": entry(50, 8), "model.norm.weight": entry(8)}
    net = {"tok_embeddings.embedding_weight": entry(50, 8), "norm_out.weight": entry(8), "lm_head.weight": entry(50, 8)}
    assert chosen(match(file, net))["lm_head.weight"] == "model.embed_tokens.weight"


def test_a_negative_variance_is_no_variance():
    file = {"x.moving_variance": Entry.of(np.array([1.0, -1.0], np.float32))}
    with pytest.raises(ValueError, match="a variance is not negative"):
        match(file, {"x.moving_variance": entry(2)})


@pytest.mark.parametrize(
    "given, text", [({"a": "x"}, "no Parameter"), ({"w": "x"}, "not in the file"), ({"w": "v"}, "do not fit")]
)
def test_a_map_that_does_not_fit(given, text):
    with pytest.raises(ValueError, match=text):
        match({"v": entry(3)}, {"w": entry(2)}, given)


def test_families_are_whole_both_ways():
    assert len(families()) >= 3
    for name, family in families().items():
        file = {}
        for rule in family["rules"]:
            for pattern in rule[0] if isinstance(rule[0], list) else [rule[0]]:
                for i in range(2 if "{}" in pattern else 1):
                    file[_filled(pattern, [i] * pattern.count("{"))] = (
                        entry(6, 6) if pattern.endswith("weight") and "orm" not in pattern else entry(6)
                    )
        assert len(file) > 8, name


def residual_network(file_side):
    """Weights of two stages of two blocks, as Hugging Face names them or as MindCV does."""
    found = {}
    words = (
        ("weight", "bias", "running_mean", "running_var")
        if file_side
        else ("gamma", "beta", "moving_mean", "moving_variance")
    )
    for stage in range(2):
        for block in range(2):
            for part in range(2):
                where = (
                    f"resnet.encoder.stages.{stage}.layers.{block}.layer.{part}"
                    if file_side
                    else f"layer{stage + 1}.{block}"
                )
                conv, bn = ("convolution", "normalization") if file_side else (f"conv{part + 1}", f"bn{part + 1}")
                found[f"{where}.{conv}.weight"] = entry(8, 8, 3, 3)
                found |= norm(f"{where}.{bn}", 8, words)
    return found


def test_a_family_whose_numbers_run_otherwise():
    name, pairs = family_of(residual_network(True), residual_network(False))
    got = chosen(pairs)
    assert name == "resnet" and len(got) == 40
    assert got["layer2.0.conv2.weight"] == "resnet.encoder.stages.1.layers.0.layer.1.convolution.weight"
    assert got["layer1.1.bn1.moving_mean"] == "resnet.encoder.stages.0.layers.1.layer.0.normalization.running_mean"


def test_a_tied_name_of_a_family_must_hold_the_same_values():
    table = entry(50, 8)
    rules = families()["gpt2"]["rules"]
    file, net = {}, {}
    for theirs, ours, *how in rules:
        for pattern, side in ((theirs, file), *((o, net) for o in ([ours] if isinstance(ours, str) else ours))):
            many = isinstance(ours, list) and side is file
            plain = (8,) if "bias" in pattern or "ln" in pattern or "norm" in pattern else (8, 8)
            shape = plain if not many else (24,) if len(plain) == 1 else (8, 24)
            side[pattern.format(0)] = (
                table
                if shape == (8, 8) and ("wte" in pattern or "head" in pattern or "word" in pattern)
                else entry(*shape)
            )
    assert family_of(file, net)[0] == "gpt2" and "head.weight" in net
    del net["head.weight"]
    assert family_of(file, net)[0] == "gpt2"
    assert family_of({**file, "lm_head.weight": entry(50, 8)}, net) is None


# --- networks
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem, self.norm_a = nn.Conv2d(3, 4, 3, has_bias=False), nn.BatchNorm2d(4)
        self.body, self.norm_b = nn.Conv2d(4, 4, 3, has_bias=False), nn.BatchNorm2d(4)
        self.head = nn.Dense(4, 2)

    def construct(self, x):
        x = self.norm_b(self.body(ms.ops.relu(self.norm_a(self.stem(x)))))
        return self.head(x.mean((2, 3)))


def weights_of_another(net):
    """The weights of `Net` under names that do not tell which normalization is which."""
    words = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_variance": "running_var"}
    owners = {"stem": "c1", "norm_a": "n2", "body": "c2", "norm_b": "n1", "head": "fc"}
    file = {}
    for p in net.get_parameters():
        owner, word = p.name.split(".")
        p.set_data(ms.Tensor(np.abs(RANDOM.standard_normal(p.shape)).astype(np.float32) + 0.1))
        file[f"{owners[owner]}.{words.get(word, word)}"] = Entry.of(p.asnumpy())
    return file


def test_a_probe_decides_what_names_cannot():
    known, net = Net(), Net()
    file = weights_of_another(known)
    x = ms.Tensor(RANDOM.standard_normal((2, 3, 8, 8)).astype(np.float32))
    wanted = known.set_train(False)(x).asnumpy()
    net.set_train(False)
    with pytest.raises(UncertainMatch):
        match_network(net, file)
    pairs = match_network(net, file, probe=lambda: float(np.abs(net(x).asnumpy() - wanted).max()))
    assert chosen(pairs)["norm_a.gamma"] == "n2.weight" and unmatched(pairs, net, file) == ([], [])


def test_a_probe_that_never_agrees_is_a_refusal():
    net = Net()
    file = weights_of_another(Net())
    with pytest.raises(UncertainMatch, match="do both networks give the same"):
        match_network(net, file, probe=lambda: 1.0)


class Attends(nn.Cell):
    """Rotary attention over a few tokens. pairs: elements that are turned together stand side by side; by_head: q, k and v of a head do."""

    def __init__(self, joined, pairs=False, by_head=False):
        super().__init__()
        self.by_head, self.pairs = by_head, pairs
        if joined:
            self.query_key_value = nn.Dense(16, 48)
        else:
            self.q_proj, self.k_proj, self.v_proj = (nn.Dense(16, 16) for _ in range(3))
        self.joined = joined

    def construct(self, x):
        if self.joined and self.by_head:
            q, k, v = self.query_key_value(x).reshape(5, 2, 3, 8).transpose(2, 0, 1, 3)
        elif self.joined:
            q, k, v = self.query_key_value(x).reshape(5, 3, 2, 8).transpose(1, 0, 2, 3)
        else:
            q, k, v = (dense(x).reshape(5, 2, 8) for dense in (self.q_proj, self.k_proj, self.v_proj))
        q, k, v = (a.transpose(1, 0, 2) for a in (self.turn(q), self.turn(k), v))
        return ms.ops.softmax(q @ k.swapaxes(1, 2), -1) @ v

    def turn(self, x):
        angles = np.outer(np.arange(5), [1.0, 0.5, 0.2, 0.1]).astype(np.float32)[:, None]
        cos, sin = ms.Tensor(np.cos(angles)), ms.Tensor(np.sin(angles))
        a, b = (x[..., ::2], x[..., 1::2]) if self.pairs else (x[..., :4], x[..., 4:])
        return ms.ops.cat((a * cos - b * sin, b * cos + a * sin), -1)


@pytest.mark.parametrize(
    "theirs, ours, order",
    [
        (dict(joined=False, pairs=True), dict(joined=False), {"rotary": ("halves", 8)}),
        (dict(joined=False), dict(joined=False, pairs=True), {"rotary": ("pairs", 8)}),
        (dict(joined=True, by_head=True), dict(joined=False), {"joined": ("parts", 8)}),
        (dict(joined=False), dict(joined=True, by_head=True), {"joined": ("heads", 8)}),
        (dict(joined=True, by_head=True), dict(joined=True), {"joined": ("parts", 8)}),
        (dict(joined=True, by_head=True), dict(joined=False, pairs=True), {"joined": ("parts", 8), "rotary": ("pairs", 8)}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else value,
)  # fmt: skip
def test_a_probe_decides_the_orders_of_query_key_and_value(theirs, ours, order):
    other, net = Attends(**theirs), Attends(**ours)
    for p in other.get_parameters():
        p.set_data(ms.Tensor(RANDOM.standard_normal(p.shape).astype(np.float32)))
    file = {p.name: Entry.of(p.asnumpy()) for p in other.get_parameters()}
    x = ms.Tensor(RANDOM.standard_normal((5, 16)).astype(np.float32))
    wanted = other(x).asnumpy()
    pairs = match_network(net, file, probe=lambda: float(np.abs(net(x).asnumpy() - wanted).max()))
    for name, value in order.items():
        assert {getattr(p, name) for p in pairs} - {None} == {value}
    np.testing.assert_allclose(net(x).asnumpy(), wanted, atol=1e-4)
    # and the way back, from what was written
    there = {p.target: p.entry(file, tuple(q.shape)) for p, q in zip(pairs, net.get_parameters())}
    back = match_network(other, there, probe=lambda: float(np.abs(other(x).asnumpy() - wanted).max()))
    assert all((p.entry(there, file[p.target].shape).read() == file[p.target].read()).all() for p in back)


def test_another_network_is_refused():
    with pytest.raises(ValueError, match="belong to another network"):
        match_network(Net(), {"lstm.weight_ih": entry(16, 4), "lstm.weight_hh": entry(16, 4)})


def test_convert_refuses_and_writes_nothing(tmp_path, capsys):
    (tmp_path / "net.py").write_text(
        "from mindspore import nn\n"
        "class Net(nn.Cell):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.a, self.b = nn.BatchNorm2d(4), nn.BatchNorm2d(4)\n"
    )
    source, target = str(tmp_path / "t.npz"), tmp_path / "o.ckpt"
    write_weights(source, {**norm("bn1", 4), **norm("bn2", 4)})
    argv = ["convert", source, str(target), "--match", f"{tmp_path / 'net.py'}:Net"]
    with pytest.raises(SystemExit) as stopped:
        cli.main([*argv, "--write-map", str(tmp_path / "map.json")])
    assert stopped.value.code == 2 and not target.exists()
    assert "a.gamma: bn1.weight, bn2.weight" in capsys.readouterr().err
    assert cli.main([*argv, "--map", str(tmp_path / "map.json")]) == 0
    assert "bn2.running_var -> b.moving_variance  (map)" in capsys.readouterr().out


def test_load_checkpoint_reads_pytorchs_files_into_a_network(tmp_path):
    known = nn.SequentialCell(nn.Conv2d(1, 2, 3, has_bias=False), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(18, 3))
    words = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_variance": "running_var"}
    file = {}
    for p in known.get_parameters():
        owner, word = p.name.split(".")
        file[f"{owner}.{words.get(word, word)}"] = p.asnumpy()
    write_weights(tmp_path / "model.safetensors.index.json", file, shard_bytes=100)
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, has_bias=False), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(18, 3))
    got = ms.load_checkpoint(str(tmp_path / "model.safetensors.index.json"), net)
    assert list(got) == [p.name for p in net.get_parameters()]
    for one, other in zip(known.get_parameters(), net.get_parameters()):
        assert (one.asnumpy() == other.asnumpy()).all()


def test_load_checkpoint_tells_what_it_does_not_use(tmp_path, capfd):
    random = np.random.RandomState(0)
    file = {"embed.weight": random.rand(6, 4).astype(np.float32), "fc.weight": random.rand(2, 4).astype(np.float32)}
    file |= {
        "lm_head.weight": file["embed.weight"],
        "fc.bias": np.ones(2, np.float32),
        "pooler.weight": np.ones((9, 9), np.float32),
    }
    write_weights(tmp_path / "net.safetensors.index.json", file)
    net = nn.SequentialCell(OrderedDict(embed=nn.Embedding(6, 4), fc=nn.Dense(4, 2)))
    ms.load_checkpoint(str(tmp_path / "net.safetensors.index.json"), net)
    told = capfd.readouterr().err
    assert "1 weights in" in told and "pooler.weight" in told and "lm_head" not in told


def test_safetensors_of_another_framework_are_matched_and_those_of_mindspore_are_not(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    torch_names = {"fc.weight": np.ones((2, 4), np.float32), "fc.bias": np.full(2, 3, np.float32)}
    net = nn.SequentialCell(nn.Dense(4, 2))
    for framework, gained in (("pt", True), ("ms", False)):
        net[0].bias.set_data(ms.Tensor(np.zeros(2, np.float32)))
        safetensors.save_file(torch_names, tmp_path / f"{framework}.safetensors", {"format": framework})
        ms.load_checkpoint(str(tmp_path / f"{framework}.safetensors"), net, format="safetensors")
        assert (net[0].bias.asnumpy() == 3).all() == gained
