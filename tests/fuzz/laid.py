"""Random networks with random strategies on eight devices of one process, beside the same networks on one device.

A case is a dict of plain data: `blocks` (what the network consists of, each with a grid of devices of its own), `parallel` (the settings of
`set_auto_parallel_context`), `optimizer`, `step`. Compared are the gradients, the losses of three steps and all Parameters after them;
and a weight whose operator splits it, or whose state ZeRO splits, must lie in parts: `whole` names those of which a device holds more.

Run by drive.py, without MindSpore: its CPU build has one device.
"""

import math
import os
import warnings

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from seeded import Seeded

LIMIT = 240  # seconds a case
BLOCK = 10  # cases of one seed
DEVICES = 8
ALLOWED = ("equal", "steep", "raise")
ROWS, LENGTH, WIDTH, WORDS = 8, 4, 16, 32
OPTIMIZERS = (
    "nn.Momentum(P, 0.05, 0.9)",
    "nn.SGD(P, 0.1)",
    "nn.Adam(P, 0.01)",
    "nn.Adam(P, nn.ExponentialDecayLR(0.01, 0.9, 1), weight_decay=0.01)",
    "nn.AdamWeightDecay(P, 0.01, weight_decay=0.1)",
    "nn.Lamb(P, 0.01)",
    "nn.RMSProp(P, 0.01, centered=True)",
    "nn.Adagrad(P, learning_rate=0.01)",
    "nn.LARS(nn.Momentum(P, 0.1, 0.9), epsilon=1e-8, coefficient=0.02)",
    "nn.Adam([{'params': P[::2], 'lr': 0.01}, {'params': P[1::2], 'weight_decay': 0.1}], 0.02)",
    "nn.AdaFactor(P, learning_rate=0.01, scale_parameter=False, relative_step=False)",
)
NUDGE = 2e-7  # what rounding changes
STEPS = ("plain", "plain", "scale", "accumulate", "interleave", "clip", "value_and_grad")


# --- drawing
class Generator(Seeded):
    """Cases of one seed, without end."""

    def __next__(self):
        draw = self.random
        step = draw.choice(STEPS)
        self.rows = ROWS // 2 if step in ("accumulate", "interleave") else ROWS  # of what is computed at once
        names = [draw.choice(sorted(BLOCKS)) for _ in range(draw.randint(1, 4))]
        blocks = [self._block(name) for name in names]
        if draw.random() < 0.2:
            blocks = [*blocks, *([dict(blocks[-1])] * draw.randint(1, 3))]  # equal layers, which folding makes one loop
        level = draw.choice((0, 0, 1, 2, 3))
        parallel = {"parallel_mode": draw.choice(("semi_auto_parallel",) * 3 + ("auto_parallel",))}
        if level:
            config = {"optimizer_level": f"level{level}", "parallel_optimizer_threshold": 0}
            config |= {"gradient_accumulation_shard": True} if draw.random() < 0.4 and level == 2 else {}
            parallel |= {"enable_parallel_optimizer": True, "parallel_optimizer_config": config}
        if parallel["parallel_mode"] == "auto_parallel":
            parallel["search_mode"] = "sharding_propagation"
        head = {"tied": draw.random() < 0.4, "grid": self._grid(self.rows, 16), "cut": draw.random() < 0.7}
        if head[
            "tied"
        ]:  # else Gather and MatMul have other devices hold the same part of the table, which is refused as by MindSpore
            head["grid"] = draw.choice(([1, 8], [2, 4], [4, 2], [8, 1]))
        return {
            "blocks": blocks,
            "head": head,
            "parallel": parallel,
            "optimizer": draw.choice(OPTIMIZERS),
            "step": step,
            "fold": draw.random() < 0.3,
            "gradients": draw.random() < 0.3,
        }

    def _grid(self, rows, columns):
        rows, columns = (n for n in (math.gcd(rows, DEVICES), math.gcd(columns, DEVICES)))
        fits = [(a, b) for a in (1, 2, 4, 8) for b in (1, 2, 4, 8) if a * b <= DEVICES and a <= rows and b <= columns]
        return list(self.random.choice(fits))

    def _block(self, name):
        draw, kind = self.random, BLOCKS[name]
        return {
            "kind": name,
            "grid": self._grid(self.rows, kind.most),
            "cut": draw.random() < 0.85,
            "whole": draw.random() < 0.6,  # whether its other operators have strategies, too
            "form": draw.randint(0, 3),
            "recompute": draw.random() < 0.2,
        }


# --- networks: each block maps (ROWS, LENGTH, WIDTH) to the same; `parts` says into how many parts its weights must lie
class Block(nn.Cell):
    """A part of a network. most: the largest number of devices along its second axis."""

    most = 8

    def __init__(self, case, cut):
        super().__init__()
        self.case, self.cut = case, cut and case["cut"]
        self.dp, self.mp = case["grid"]
        self.form, self.parts = case["form"], {}
        self.make()
        if case["recompute"]:
            self.recompute()

    def shard(self, primitive, *strategies, weight=None, parts=1):
        """Give an operator its strategies; a weight of that name must lie in so many parts."""
        if self.cut:
            primitive.shard(tuple(strategies))
            if weight:
                self.parts[weight] = parts

    def also(self, primitive, *strategies):
        """The same for an operator whose layout the others determine."""
        if self.case["whole"]:
            self.shard(primitive, *strategies)

    def new(self, name, *shape):
        drawn = np.random.default_rng(sum(shape) + len(name)).normal(size=shape).astype(np.float32)
        return Parameter(Tensor(drawn * 0.3), name=name)


class Feed(Block):
    """Two Dense layers, the first split by its outputs, the second by its inputs (form 1: by its outputs)."""

    def make(self):
        dp, mp = self.dp, self.mp
        activation = ("relu", "gelu", "tanh", "silu")[self.form]
        self.up, self.down = nn.Dense(WIDTH, 2 * WIDTH, activation=activation), nn.Dense(2 * WIDTH, WIDTH)
        self.shard(self.up.matmul, (dp, 1), (mp, 1), weight="up.weight", parts=mp)
        self.also(self.up.bias_add, (dp, mp), (mp,))
        if self.form == 1:
            self.shard(self.down.matmul, (dp, 1), (mp, 1), weight="down.weight", parts=mp)
            self.also(self.down.bias_add, (dp, mp), (mp,))
        else:
            self.shard(self.down.matmul, (dp, mp), (1, mp), weight="down.weight", parts=mp)
            self.also(self.down.bias_add, (dp, 1), (1,))

    def construct(self, x):
        return x + self.down(self.up(x))


class Norm(Block):
    """A layer's norm, or the root of mean squares by hand, split along the rows or along the sequence."""

    most = 4

    def make(self):
        dp, mp = self.dp, self.mp
        self.norm = nn.LayerNorm((WIDTH,))
        self.gain, self.mul, self.square, self.mean = (
            self.new("gain", WIDTH),
            ops.Mul(),
            ops.Square(),
            ops.ReduceMean(True),
        )
        self.dropout = nn.Dropout(p=0.2)
        if self.form < 2:
            self.shard(self.norm.layer_norm, (dp, mp, 1), (1,), (1,))
        else:
            self.also(self.square, (dp, mp, 1))
            self.also(self.mean, (dp, mp, 1))
            self.shard(self.mul, (dp, mp, 1), (1,))
        self.also(self.dropout.dropout, (dp, mp, 1))

    def construct(self, x):
        if self.form < 2:
            x = self.norm(x)
        else:
            x = self.mul(x * ops.rsqrt(self.mean(self.square(x), -1) + 1e-6), self.gain)
        return self.dropout(x) if self.form % 2 else x


class Attention(Block):
    """Heads by batched products and a softmax, or by FlashAttentionScore; later keys are hidden."""

    most = 4

    def make(self):
        dp, mp, self.heads = self.dp, self.mp, 4
        self.qkv, self.out = [nn.Dense(WIDTH, WIDTH) for _ in range(3)], nn.Dense(WIDTH, WIDTH)
        self.qkv = nn.CellList(self.qkv)
        for i, dense in enumerate(self.qkv):
            self.shard(dense.matmul, (dp, 1), (mp, 1), weight=f"qkv.{i}.weight", parts=mp)
            self.also(dense.bias_add, (dp, mp), (mp,))
        self.shard(self.out.matmul, (dp, mp), (1, mp), weight="out.weight", parts=mp)
        self.also(self.out.bias_add, (dp, 1), (1,))
        self.scores, self.mix, self.softmax = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul(), ops.Softmax()
        heads = (dp, mp, 1, 1)
        self.also(self.scores, heads, heads)
        self.also(self.softmax, heads)
        self.also(self.mix, heads, heads)
        self.hidden = Tensor(np.triu(np.ones((LENGTH, LENGTH), np.float32), 1))
        if self.form >= 2:
            layout = ("BNSD", "BSH")[self.form - 2]
            self.fused = ops.operations.nn_ops.FlashAttentionScore(self.heads, 1.0, 0.5, input_layout=layout)
            own = heads if layout == "BNSD" else (dp, 1, mp)
            self.shard(self.fused, own, own, own, (1, 1))

    def split(self, x):
        return x.reshape(rows_of(x), LENGTH, self.heads, -1).transpose(0, 2, 1, 3)

    def construct(self, x):
        q, k, v = (dense(x) for dense in self.qkv)
        if self.form != 3:
            q, k, v = self.split(q), self.split(k), self.split(v)
        if self.form < 2:
            scores = self.scores(q, k) * 0.5 - 1e4 * self.hidden
            mixed = self.mix(self.softmax(scores), v)
        else:
            mixed = self.fused(q, k, v, None, None, None, self.hidden.astype(ms.uint8), None)[3]
        if self.form != 3:
            mixed = mixed.transpose(0, 2, 1, 3).reshape(rows_of(x), LENGTH, WIDTH)
        return x + self.out(mixed)


class Convolution(Block):
    """A convolution over an image of 2 by 2, and a norm over the batch."""

    def make(self):
        dp, mp = self.dp, self.mp
        self.conv = nn.Conv2d(WIDTH, WIDTH, (3, 1, 3, 3)[self.form], has_bias=self.form == 0)
        self.norm, self.relu = nn.BatchNorm2d(WIDTH), ops.ReLU()
        self.shard(self.conv.conv2d, (dp, 1, 1, 1), (mp, 1, 1, 1), weight="conv.weight", parts=mp)
        self.also(self.norm.bn_train, (dp, mp, 1, 1), (mp,), (mp,), (mp,), (mp,))
        self.also(self.relu, (dp, mp, 1, 1))

    def construct(self, x):
        y = self.conv(x.transpose(0, 2, 1).reshape(rows_of(x), WIDTH, 2, 2))
        y = self.relu(self.norm(y) if self.form > 1 else y)
        return x + y.reshape(rows_of(x), WIDTH, LENGTH).transpose(0, 2, 1)


class Weights(Block):
    """A weight that reaches its product through casts, a transposition or a reshape."""

    def make(self):
        dp, mp = self.dp, self.mp
        self.product = ops.MatMul(transpose_b=self.form == 0)
        shape = {0: (2 * WIDTH, WIDTH), 1: (2 * WIDTH, WIDTH), 2: (WIDTH, 2 * WIDTH), 3: (1, WIDTH, 2 * WIDTH)}[
            self.form
        ]
        self.weight, self.back = self.new("weight", *shape), self.new("back", 2 * WIDTH, WIDTH)
        self.second, self.transpose, self.cast = ops.MatMul(), ops.Transpose(), ops.Cast()
        self.shard(self.product, (dp, 1), (mp, 1) if self.form == 0 else (1, mp), weight="weight", parts=mp)
        self.shard(self.second, (dp, mp), (mp, 1), weight="back", parts=mp)

    def construct(self, x):
        weight = self.cast(self.cast(self.weight, ms.bfloat16), ms.float32)
        if self.form == 1:
            weight = self.transpose(weight, (1, 0))
        if self.form == 3:
            weight = weight.reshape(WIDTH, 2 * WIDTH)
        y = ops.tanh(self.product(x.reshape(-1, WIDTH), weight))
        return x + self.second(y, self.cast(self.cast(self.back, ms.bfloat16), ms.float32)).reshape(x.shape)


class Experts(Block):
    """Each token to two of eight experts (all, weighted: so that no last bit chooses others)."""

    def make(self):
        ep = self.dp * self.mp
        self.router, self.up, self.down = (
            self.new("router", WIDTH, 8),
            self.new("up", 8, WIDTH, 8),
            self.new("down", 8, 8, WIDTH),
        )
        self.into, self.back, self.gate = ops.BatchMatMul(), ops.BatchMatMul(), ops.MatMul()
        self.shard(self.into, (ep, 1, 1), (ep, 1, 1), weight="up", parts=ep)
        self.shard(self.back, (ep, 1, 1), (ep, 1, 1), weight="down", parts=ep)
        self.also(self.gate, (self.dp, 1), (1, 1))

    def construct(self, x):
        tokens = x.reshape(-1, WIDTH)
        weights = ops.softmax(self.gate(tokens, self.router))
        sent = weights.T.expand_dims(2) * tokens.expand_dims(0)
        out = self.back(ops.tanh(self.into(sent, self.up)), self.down)
        if self.form % 2:
            out = out * weights.T.expand_dims(2)
        return x + out.sum(0).reshape(x.shape)


class Mixed(Block):
    """Operators over whole axes and between axes: products, sums, concatenation, slices, gathers, as users mix them."""

    most = 4

    def make(self):
        dp, mp = self.dp, self.mp
        self.scale, self.add, self.concat, self.total = (
            self.new("scale", WIDTH),
            ops.Add(),
            ops.Concat(2),
            ops.ReduceSum(),
        )
        self.mul, self.slice, self.sub = ops.Mul(), ops.StridedSlice(), ops.Sub()
        self.shard(self.mul, (dp, 1, mp), (mp,), weight="scale", parts=mp)
        self.also(self.add, (dp, 1, mp), (dp, 1, mp))
        self.also(self.concat, (dp, mp, 1), (dp, mp, 1))
        self.also(self.total, (dp, mp, 1))
        self.also(self.slice, (dp, 1, 1))

    def construct(self, x):
        y = self.mul(x, self.scale)
        if self.form == 0:
            return self.add(x, ops.sigmoid(y))
        if self.form == 1:
            both = self.concat((x, y))
            return self.slice(both, (0, 0, 8), (rows_of(x), LENGTH, 8 + WIDTH), (1, 1, 1))
        if self.form == 2:
            return x + self.total(y * x, 2).expand_dims(2) * 0.1
        return self.sub(x, ops.cumsum(y, 1) * 0.1)


BLOCKS = {c.__name__: c for c in (Feed, Norm, Attention, Convolution, Weights, Experts, Mixed)}


def rows_of(x):
    """The number of rows of a part of the batch."""
    return x.shape[0]


class Network(nn.Cell):
    """An embedding, blocks, and a head that may share the table of the embedding; gives the loss."""

    def __init__(self, case, cut):
        super().__init__()
        head, (dp, mp) = case["head"], case["head"]["grid"]
        self.table = Parameter(
            Tensor(np.random.default_rng(0).normal(size=(WORDS, WIDTH)).astype(np.float32)), name="table"
        )
        self.blocks = nn.SequentialCell([BLOCKS[b["kind"]](b, cut) for b in case["blocks"]])
        self.gather, self.product, self.tied = ops.Gather(), ops.MatMul(transpose_b=True), head["tied"]
        if not head["tied"]:
            self.words = Parameter(
                Tensor(np.random.default_rng(1).normal(size=(WORDS, WIDTH)).astype(np.float32)), name="words"
            )
        self.parts = {}
        if cut and head["cut"]:
            self.gather.shard(((mp, 1), (dp, 1)))
            self.product.shard(((dp, 1), (mp, 1)))
            self.parts = {"table": mp} if head["tied"] else {"table": mp, "words": mp}
        self.loss = nn.CrossEntropyLoss()
        for i, block in enumerate(self.blocks):
            self.parts |= {f"blocks.{i}.{name}": parts for name, parts in block.parts.items()}

    def construct(self, ids, labels):
        x = self.blocks(self.gather(self.table, ids, 0))
        logits = self.product(x.reshape(-1, WIDTH), self.table if self.tied else self.words)
        return self.loss(logits, labels.reshape(-1))


# --- training
class Clipped(nn.TrainOneStepCell):
    """A step that clips its gradients by their norm together."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        grads = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss))
        grads = ops.clip_by_global_norm(self.grad_reducer(grads), 0.5)
        return ops.depend(loss, self.optimizer(grads))


def step_of(case, net, optimizer):
    """A function of a batch that trains one step and gives the loss."""
    kind = case["step"]
    if kind == "scale":
        manager = nn.FixedLossScaleUpdateCell(loss_scale_value=128.0)
        cell = nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_sense=manager).set_train()
        return lambda *batch: cell(*batch)[0]
    if kind == "clip":
        return Clipped(net, optimizer).set_train()
    if kind == "value_and_grad":
        net.set_train()
        forward = ms.value_and_grad(net, None, optimizer.parameters)

        @ms.jit
        def step(*batch):
            loss, grads = forward(*batch)
            optimizer(grads)
            return loss

        return step
    if kind == "accumulate":
        net = nn.GradAccumulationCell(net, 2)
    elif kind == "interleave":
        net = nn.MicroBatchInterleaved(net, 2)
    return nn.TrainOneStepCell(net, optimizer).set_train()


def train(case, devices, nudge=0.0):
    """([[stage, numbers], ...], {Parameter: [elements of a device, of all]}, parts wanted). nudge: by what weights are changed, relatively."""
    ms.reset_auto_parallel_context()
    ms.set_context(mode=ms.GRAPH_MODE, fold_layers=case["fold"])
    ms.set_devices(devices)
    several = devices > 1
    ms.set_seed(3)
    if several:
        ms.set_auto_parallel_context(device_num=devices, full_batch=True, **case["parallel"])
    net = Network(case, several).set_train()
    rng = np.random.default_rng(5)
    for p in net.trainable_params() if nudge else ():
        p.set_data(Tensor(p.asnumpy() * (1 + nudge * rng.standard_normal(p.shape)).astype(np.float32)))
    rng = np.random.default_rng(6)
    batch = [Tensor(rng.integers(0, WORDS, (ROWS, LENGTH)).astype(np.int32)) for _ in range(2)]
    found = []
    if case["gradients"]:
        grads = ops.GradOperation(get_by_list=True)(net, list(net.trainable_params()))(*batch)
        found.append(["gradients", [g.asnumpy() for g in grads]])
        for p in net.get_parameters():  # moving statistics as they were
            if not p.requires_grad:
                p.set_data(Tensor(np.full(p.shape, float("variance" in p.name), np.float32)))
    optimizer = eval(case["optimizer"], {"nn": nn, "P": list(net.trainable_params())})
    step = step_of(case, net, optimizer)
    found.append(["losses", [np.asarray(step(*batch).asnumpy()) for _ in range(3)]])
    lies = {}
    if several:
        state = [*net.get_parameters(), *optimizer.get_parameters()]
        lies = {
            p.name: [math.prod(p._raw.sharding.shard_shape(p.shape)), p.size]
            for p in state
            if p._raw.sharding is not None
        }  # else nothing has used it
    found.append(["Parameters", [p.asnumpy() for p in net.get_parameters()]])
    return found, lies, net.parts


def run(case):
    """{"worst": stage and difference, "whole": what lies in too few parts, "steep": whether last bits change as much, "one", "several": errors}"""
    import jax

    if len(jax.devices()) < DEVICES:
        raise RuntimeError(f"{DEVICES} devices are needed: XLA_FLAGS=--xla_force_host_platform_device_count={DEVICES}")
    found = {"whole": []}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, devices in (("one", 1), ("several", DEVICES)):
            try:
                stages, lies, parts = train(case, devices)
            except Exception as error:
                stages, lies, parts = [["raise", f"{type(error).__name__}: {str(error)[:600]}"]], {}, {}
                if os.environ.get("MSJAX_FUZZ_RAISE"):
                    raise
            found[name] = stages
            found["whole"] += in_too_few_parts(case, lies, parts)
        found["worst"] = worst(found["one"], found["several"])
        # where a gradient is a difference of equal numbers, as that of a bias of keys, Adam divides it by itself: any last bit changes it
        far = found["worst"][1] > BOUND.get(found["worst"][0], 1.0)
        found["steep"] = far and worst(found["one"], train(case, 1, NUDGE)[0])[1] > 0.3 * found["worst"][1]
        ms.reset_auto_parallel_context()
        ms.set_devices(1)
    return {key: found[key] for key in ("worst", "whole", "steep")} | {
        name: [s for s in found[name] if s[0] == "raise"] for name in ("one", "several")
    }


def in_too_few_parts(case, lies, parts):
    """[name, elements of a device, elements] of weights and state that lie in fewer parts than the strategies and ZeRO say."""
    level = int(case["parallel"].get("parallel_optimizer_config", {}).get("optimizer_level", "level0")[-1])
    wrong = []
    for name, (own, size) in lies.items():
        weight = next((w for w in parts if name == w or name.endswith(f".{w}")), None)
        wanted = parts.get(weight, 1)
        if name != weight and level or level == 3 and name == weight:
            wanted = max(wanted, DEVICES) if size >= 8 * WIDTH and weight else wanted
        if lies.get(weight, (0, 0))[1] == size and own * wanted > size:
            wrong.append([name, own, size])
    return wrong


def worst(one, several):
    """[stage, the largest difference over the largest number of its array] up to the first stage that is far off."""
    last = ["", 0.0]
    for (stage, a), (other, b) in zip(one, several):
        if "raise" in (stage, other):
            return ["raise" if stage == other else f"{'one' if stage == 'raise' else 'several'} raises", 0.0]
        size = max(
            [np.abs(x).max(initial=0) for x in a], default=0
        )  # the largest of all: small gradients are sums that cancel
        for x, y in zip(a, b):
            if x.shape != y.shape or not np.array_equal(np.isfinite(x), np.isfinite(y)):
                return [f"{stage}: shape or NaN", 1.0]
            far = float(np.abs(x - y).max(initial=0) / max(size * 0.1, np.abs(x).max(initial=0), 1e-6))
            last = [stage, far] if far > last[1] else last
        if last[1] > 1e-3:
            break
    return last


BOUND = {"gradients": 2e-5, "losses": 2e-5, "Parameters": 2e-3}  # Adam divides small gradients by their size


def judge(case, theirs, ours, same):
    """equal, or what differs."""
    if isinstance(ours, list):
        return "refused: died"
    stage, far = ours["worst"]
    if stage == "raise":
        return "raise"
    if "raises" in stage:
        return stage
    if far > BOUND.get(stage, 0):
        return "steep" if ours.get("steep") else f"value, {stage}"
    return "whole" if ours["whole"] else "equal"
