"""MindPet's ways of fine-tuning a small Transformer with few Parameters: more rows of `toolkit_models.CASES`.

Of each: what it adds to the network, `freeze_delta`, which leaves nothing else to be trained, and its checkpoint of what is trained.
"""

import os
import tempfile

import numpy as np
from toolkit_models import CASES, Model, case, member, numbers

_WIDTH, _HEADS, _LENGTH, _PREFIX = 16, 2, 6, 4


def _transformer(dense, classes=5, encoder=None):
    """Two layers of attention and a classifier; dense: what makes their projections; encoder: what gives each layer a prefix."""
    from mindspore import nn, ops

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (dense() for _ in range(4))
            self.norm = nn.LayerNorm((_WIDTH,))

        def heads(self, x):
            return x.reshape(x.shape[0], -1, _HEADS, _WIDTH // _HEADS).transpose(0, 2, 1, 3)

        def construct(self, x, prefix):
            query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
            if prefix is not None:
                key, value = ops.concat((prefix[0], key), 2), ops.concat((prefix[1], value), 2)
            weights = ops.softmax(ops.matmul(query, key.swapaxes(2, 3)) * (_WIDTH // _HEADS) ** -0.5)
            found = ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(x.shape)
            return self.norm(x + self.out(found))

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([Layer(), Layer()])
            self.encoder = encoder
            self.head = nn.Dense(_WIDTH, classes)

        def construct(self, x):
            prefixes = self.prefixes(x.shape[0])
            for i, layer in enumerate(self.layers):
                x = layer(x, prefixes[i])
            return self.head(x.mean(1))

        def prefixes(self, rows):
            return (None, None) if self.encoder is None else self.encoder(rows, x_type)

    x_type = member("mindspore", "float32")
    return Net()


def _frozen(net, mode, *also):
    """Leave what the mode adds to be trained, and what is named besides."""
    member("mindpet.graph.freeze_utils", "freeze_delta")(net, mode, exclude=list(also) or None)
    return net


def _cross_entropy(outputs):
    import mindspore as ms

    return ms.ops.cross_entropy(outputs, ms.Tensor([1, 3], ms.int32))


def _saved(net):
    """What `TrainableParamsCheckPoint` writes after two steps of Model.train: all values, one after the other."""
    import mindspore as ms
    from mindspore import nn

    x, labels = np.asarray(numbers(2, _LENGTH, _WIDTH).asnumpy()), np.array([1, 3], np.int32)
    data = ms.dataset.NumpySlicesDataset((np.stack([x, x]), np.stack([labels, labels])), shuffle=False)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    model = ms.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    with tempfile.TemporaryDirectory() as folder:
        keep = member("mindpet.graph.ckpt_util", "TrainableParamsCheckPoint")(
            folder, "delta", ms.CheckpointConfig(save_checkpoint_steps=2)
        )
        model.train(1, data, callbacks=[keep], dataset_sink_mode=False)
        (name,) = [n for n in os.listdir(folder) if n.endswith(".ckpt")]
        kept = ms.load_checkpoint(os.path.join(folder, name))
    names = sorted(p.name for p in net.trainable_params())  # the optimizer's state is written with them
    return np.concatenate([kept[name].asnumpy().reshape(-1) for name in names])


def _tuned(mode, kind, *also, **options):
    """A network whose projections are the toolkit's layers of this kind."""

    def build():
        import mindspore as ms

        layer = member("mindpet.delta", kind)
        net = _transformer(lambda: layer(_WIDTH, _WIDTH, compute_dtype=ms.float32, **options))
        return Model(_frozen(net, mode, *also), (numbers(2, _LENGTH, _WIDTH),), _cross_entropy, _saved)

    return build


CASES["mindpet"] = {
    "LoRADense": _tuned("lora", "LoRADense", lora_rank=4, lora_alpha=8),
    "LoRADense and its head": _tuned("lora", "LoRADense", "head.*", lora_rank=2, lora_alpha=3.5, activation="relu"),
    "AdapterDense": _tuned("adapter", "AdapterDense", bottleneck_size=8),
    "LowRankAdapterDense": _tuned(
        "low_rank_adapter", "LowRankAdapterDense", reduction_factor=2, low_rank_size=2, non_linearity="tanh"
    ),
}


@case("mindpet", "BitFit")
def _bitfit():
    from mindspore import nn

    net = _frozen(_transformer(lambda: nn.Dense(_WIDTH, _WIDTH)), "bitfit")
    return Model(net, (numbers(2, _LENGTH, _WIDTH),), _cross_entropy, _saved)


def _prefixed(projects):
    def build():
        from mindspore import nn

        encoder = member("mindpet.delta", "PrefixEncoder")(_PREFIX, 2, _HEADS, _WIDTH // _HEADS, projects, 12, 0.0)
        net = _transformer(lambda: nn.Dense(_WIDTH, _WIDTH), encoder=encoder)
        return Model(_frozen(net, "ptuning2"), (numbers(2, _LENGTH, _WIDTH),), _cross_entropy, _saved)

    return build


CASES["mindpet"] |= {"PrefixEncoder": _prefixed(False), "PrefixEncoder that projects": _prefixed(True)}


@case("mindpet", "PrefixLayer")
def _prefix():
    """It makes its keys and values once, when it is built: they are no Parameters."""
    from mindspore import nn

    made = member("mindpet.delta", "PrefixLayer")(_PREFIX, 2, _HEADS, _WIDTH, 8, mid_dim=12, dropout_rate=0.0)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.prefix, self.net = made, _transformer(lambda: nn.Dense(_WIDTH, _WIDTH))

        def construct(self, x):
            tokens = self.prefix.mindpet_delta_prefixtuning_wte(self.prefix.input_tokens)
            keys = self.prefix.mindpet_delta_prefixtuning_control_trans(tokens)
            return self.net(x + keys.mean(0))

    net = _frozen(Net(), "prefixtuning")
    return Model(net, (numbers(2, _LENGTH, _WIDTH),), _cross_entropy, _saved)


@case("mindpet", "RDropLoss")
def _r_drop():
    import mindspore as ms
    from mindspore import nn

    loss, labels = member("mindpet.delta", "RDropLoss")(), ms.Tensor([1, 1, 3, 3], ms.int32)
    net = _transformer(lambda: nn.Dense(_WIDTH, _WIDTH))
    x = numbers(2, _LENGTH, _WIDTH).asnumpy().repeat(2, axis=0)  # its `rdrop_repeat` takes a word that 2.10 refuses
    x = ms.Tensor(x) + numbers(4, _LENGTH, _WIDTH, seed=2, scale=0.1)  # a pair differs, as dropout makes it
    return Model(net, (x,), lambda outputs: loss(outputs, labels))
