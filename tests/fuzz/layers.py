"""Random chains of layers that fit one another: the texts of Cells, the lines that call them, and the shapes in between."""

import math

import rare_layers

ACTIVATIONS = (
    "nn.ReLU()", "nn.Sigmoid()", "nn.Tanh()", "nn.GELU()", "nn.GELU(False)", "nn.ELU()", "nn.ELU(1.0)", "nn.LeakyReLU(0.1)", "nn.ReLU6()",
    "nn.HSwish()", "nn.HSigmoid()", "nn.SiLU()", "nn.Mish()", "nn.Softsign()", "nn.LogSigmoid()", "nn.CELU(1.5)",
    "nn.HShrink()", "nn.SoftShrink(0.3)", "nn.Tanhshrink()", "nn.Hardtanh(-1.0, 0.5)", "nn.Threshold(0.1, 20.0)", "nn.FastGelu()", "nn.RReLU(0.2, 0.2)",
    "nn.Softmax(-1)", "nn.Softmax(1)", "nn.LogSoftmax(1)", "nn.LogSoftmax(-1)", "nn.Softmin(1)", "nn.Identity()", "nn.Dropout(p=0.0)",
    "nn.Dropout1d(p=0.0)", "mint.nn.ReLU()", "mint.nn.SiLU()", "mint.nn.Softmax(-1)", "mint.nn.Hardswish()",
    "mint.nn.Hardsigmoid()", "mint.nn.Tanh()", "mint.nn.Hardshrink(0.3)", "mint.nn.Identity()",
)  # fmt: skip
WITHIN = (
    "'relu'",
    "'tanh'",
    "nn.Sigmoid()",
    "'gelu'",
    "'leakyrelu'",
    "nn.Softmax(-1)",
    "'sigmoid'",
    "'hswish'",
    "'elu'",
    "'silu'",
)
LINES = (
    "x = x * 1.5", "x = x + x * x", "x = -x", "x = ops.tanh(x) * x", "x = ops.exp(-x * x)", "x = ops.clamp(x, -1.0, 1.0)", "x = ops.flip(x, (-1,))",
    "x = ops.maximum(x, 0.1)", "x = ops.cumsum(x, -1)", "x = ops.where(x > 0.2, x, x * 0.5)", "x = ops.abs(x) + 0.1",
    "x = x - x.mean(-1, True)", "x = ops.sort(x, -1)[0]", "x = ops.norm(x, dim=-1, keepdim=True) + x", "x = x / (x.abs().sum(-1, keepdims=True) + 1)",
    "x = ops.concat((x[:1], x[1:]), 0)", "x = x.swapaxes(0, -1).swapaxes(0, -1)", "x = x - ops.logsumexp(x, -1, True)", "x = ops.sin(x)",
    "x = ops.max(x, -1, True)[0] - x", "x = ops.stack([x, x * 2]).sum(0)", "x = x.astype(ms.float16).astype(ms.float32)", "x = ops.erf(x)",
    "x = ops.relu(x) - 0.25 * ops.sigmoid(x)", "x = ops.stop_gradient(x) * x",
)  # fmt: skip
# how users write layers that keep the shape: W is the width, H another one
STRUCTURES = (
    ("nn.CellList([nn.Dense(W, W), nn.Tanh(), nn.Dense(W, W)])", "for cell in CELL:\n    x = cell(x)"),
    ("nn.CellList([nn.Dense(W, W) for _ in range(2)])", "for i, cell in enumerate(CELL):\n    x = x + cell(x) * (i + 1)"),
    ("nn.CellList([nn.Dense(W, W), nn.LayerNorm((W,))])", "for i in range(len(CELL)):\n    x = CELL[i](x)"),
    ("nn.SequentialCell(nn.Dense(W, H), nn.ReLU(), nn.Dense(H, W))", "x = x + CELL(x)"),
    ("nn.SequentialCell([nn.Dense(W, W), nn.SequentialCell(nn.Sigmoid(), nn.Dense(W, W, has_bias=False))])", "x = CELL[1](CELL[0](x)) - CELL(x)"),
    ("nn.Dense(W, W)", "x = CELL(ops.tanh(CELL(x)))"),
    ("nn.Dense(W, H)", "x = ops.matmul(ops.tanh(CELL(x)), CELL.weight)"),
    ("nn.Dense(W, H, has_bias=False)", "x = mint.nn.functional.linear(CELL(x), CELL.weight.T)"),
    ("nn.Dense(W, W)", "if x.mean() > 0.1:\n    x = CELL(x)\nelse:\n    x = x * 0.5"),
    ("nn.Dense(W, W)", "x = CELL(x) if x.sum() > 0 else ops.tanh(CELL(-x))"),
    ("nn.Dense(W, W, activation='tanh')", "n = Tensor(0, ms.int32)\nwhile n < 2:\n    x = CELL(x)\n    n += 1"),
    ("nn.Dense(W, W)", "for i in range(3):\n    if x.max() > 1.0:\n        break\n    x = ops.tanh(CELL(x)) * (i + 1)"),
    ("nn.Dense(W, W)", "y = CELL(x)\nif y.max() > x.max():\n    y = y * 2\nx = x + y"),
    ("nn.Dense(W, W).to_float(ms.float16)", "x = CELL(x).astype(ms.float32)"),
    ("nn.Dense(W, W).to_float(ms.bfloat16)", "x = x + CELL(x)"),
    ("nn.Dense(W, W).set_grad(False)", "x = x * CELL(x)"),
)  # fmt: skip


def out_length(length, kernel, stride, before, after, dilation=1):
    """How many windows fit."""
    return (length + before + after - dilation * (kernel - 1) - 1) // stride + 1


class Layers:
    """A chain that grows: `input` ([dtype, shape, bound of integers]), `lines` ([text of a Cell, line]), `shape` of what it gives.

    measured: gives the shape that a Cell and a line make of x of a shape.
    """

    def __init__(self, r, measured):
        self.measured = measured
        self.random, self.lines, self.taken = r, [], []  # taken: (shape, line) of each layer's input
        batch = r.choice((1, 2, 2, 3, 4)) if r.random() > 0.02 else 0
        kind = r.choices(("row", "series", "image", "solid", "words", "states"), (3, 4, 5, 1, 1, 2))[0]
        size = {
            "row": (r.choice((1, 2, 3, 4, 6)),),
            "series": (r.choice((1, 2, 4, 6)), r.choice((4, 5, 7, 8))),
            "image": (r.choice((1, 2, 3, 4)), r.choice((4, 5, 6, 8)), r.choice((3, 4, 5, 6))),
            "solid": (r.choice((1, 2)), r.choice((3, 4)), r.choice((3, 5)), r.choice((3, 4))),
            "words": (r.choice((1, 3, 4)),),
            "states": (r.choice((1, 2, 4)), r.choice((2, 4, 6))),
        }[kind]
        self.shape = (batch, *size)
        self.input = ["float32", list(self.shape), None]
        if kind == "words":
            self.input = [r.choice(("int32", "int32", "int64")), list(self.shape), 5]
            width = r.choice((2, 4))
            more = r.choice(("", "", ", True", ", padding_idx=1", ", dtype=ms.float32"))
            house = r.choice(
                (f"nn.Embedding(5, {width}{more})", f"nn.Embedding(5, {width})", f"mint.nn.Embedding(5, {width})")
            )
            self.add(house, self.shape + (width,))

    def add(self, cell, shape, line="x = CELL(x)"):
        """One layer more, with the shape that it gives."""
        self.lines.append([cell, line])
        self.taken.append((self.shape, line))
        self.shape = tuple(shape)

    def grow(self):
        """One layer more that fits."""
        r, rank = self.random, len(self.shape)
        if rank not in range(2, 6):
            return self._activation()
        kinds = {"activation": 3, "line": 2, "shaped": 1.5, "scaled": 0.5, "structure": 1.5, "again": 0.7, "rare": 8}
        if rank == 2:
            kinds |= {"dense": 5, "norm": 1}
        if rank == 3:
            kinds |= {
                "dense": 1,
                "convolution": 3,
                "transposed": 1,
                "pool": 3,
                "adaptive": 1,
                "norm": 1,
                "recurrent": 2,
                "attention": 1,
            }
        if rank == 4:
            kinds |= {
                "dense": 0.7,
                "convolution": 4,
                "transposed": 1.5,
                "pool": 3,
                "adaptive": 1,
                "norm": 2,
                "pixels": 1,
            }
        if rank == 5:
            kinds |= {"convolution": 2, "transposed": 1, "pool": 2, "adaptive": 1, "norm": 0.7}
        return getattr(self, "_" + r.choices(list(kinds), kinds.values())[0])()

    def _activation(self):
        self.add(self.random.choice(ACTIVATIONS), self.shape)

    def _rare(self):
        found = rare_layers.drawn("rows", self.shape, self.random)
        if found is None:
            return self._activation()
        cell, line, _ = found
        return self.add(cell, self.measured(cell, line, self.shape), line)

    def _line(self):
        self.add("", self.shape, self.random.choice(LINES))

    def _structure(self):
        r = self.random
        cell, line = r.choice(STRUCTURES)
        self.add(cell.replace("W", str(self.shape[-1])).replace("H", str(r.choice((1, 2, 3)))), self.shape, line)

    def _again(self):
        """An earlier layer once more, with the same weights, where the shape that it took is here again."""
        fits = [i for i, (shape, line) in enumerate(self.taken) if shape == self.shape and line == "x = CELL(x)"]
        kept = [i for i in fits if self.lines[i][0] and (self.taken[i + 1 :] or [(self.shape, "")])[0][0] == self.shape]
        if not kept:
            return self._activation()
        return self.add("", self.shape, f"x = self.c{self.random.choice(kept)}(x)")

    def any_batch(self):
        """Whether the network takes batches of any size."""
        batch = self.input[1][0]
        return batch > 1 and not any(
            "x.reshape((1, " in line or f"x.reshape(({batch}, " in line for _, line in self.lines
        )

    def _scaled(self):
        r, channels = self.random, self.shape[1]
        self.add(
            r.choice(("nn.PReLU()", f"nn.PReLU({channels})", f"nn.PReLU({channels}, 0.1)", "mint.nn.PReLU()")),
            self.shape,
        )

    def _dense(self):
        r, outer = self.random, self.random.choice((1, 2, 3, 5, 6))
        more = r.choice(
            ("", "", ", has_bias=False", f", activation={r.choice(WITHIN)}", f", activation={r.choice(WITHIN)}")
        )
        text = (
            f"nn.Dense({self.shape[-1]}, {outer}{more})"
            if r.random() < 0.85
            else f"mint.nn.Linear({self.shape[-1]}, {outer})"
        )
        self.add(text, (*self.shape[:-1], outer))

    def _window(self, lengths):
        """(kernel, stride, dilation), each a list of one number an axis."""
        r = self.random
        alike = r.random() < 0.6
        found = []
        for pick in ((1, 2, 2, 3, 3, 5), (1, 1, 2, 2, 3), (1,)):
            n = r.choice(pick)
            found.append([n if alike else r.choice(pick) for _ in lengths])
        return found

    @staticmethod
    def _text(numbers):
        return str(numbers[0]) if len(set(numbers)) == 1 else str(tuple(numbers))

    def _convolution(self):
        r, n, channels = self.random, len(self.shape) - 2, self.shape[1]
        lengths = self.shape[2:]
        kernel, stride, dilation = self._window(lengths)
        if r.random() < 0.2:
            stride, dilation = [1] * n, [r.choice((2, 2, 3))] * n
        mode = r.choice(("same", "same", "valid", "pad", "pad", "default"))
        pads = [0] * n
        if mode == "pad":
            alike = r.randint(0, 2)
            pads = [alike if r.random() < 0.8 else r.randint(0, 2) for _ in lengths]
        group = r.choice([g for g in (1, 1, 1, 2, 3, 4, 6) if channels % g == 0])
        outer = group * r.choice((1, 1, 2, 3))
        made = []
        for length, k, s, d, p in zip(lengths, kernel, stride, dilation, pads):
            same = mode in ("same", "default")
            made.append(-(-length // s) if same else out_length(length, k, s, p, p, d))
        if min(made) < 1 or (0 in lengths):
            return self._activation()
        options = [str(channels), str(outer), self._text(kernel)]
        if stride != [1] * n or r.random() < 0.2:
            options.append(f"stride={self._text(stride)}")
        if mode != "default":
            options.append(f"pad_mode='{mode}'")
        if mode == "pad":
            both = [p for p in pads for _ in range(2)]
            options.append(f"padding={pads[0] if len(set(pads)) == 1 else tuple(both)}")
        if dilation != [1] * n:
            options.append(f"dilation={self._text(dilation)}")
        if group > 1:
            options.append(f"group={group}")
        if r.random() < 0.4:
            options.append("has_bias=True")
        if r.random() < 0.12 and mode == "pad" and n == 2 and len(set(pads)) == 1:
            more = f", stride={self._text(stride)}, padding={pads[0]}, dilation={self._text(dilation)}, groups={group}"
            return self.add(
                f"mint.nn.Conv2d({channels}, {outer}, {self._text(kernel)}{more})", (self.shape[0], outer, *made)
            )
        return self.add(f"nn.Conv{n}d({', '.join(options)})", (self.shape[0], outer, *made))

    def _transposed(self):
        r, n, channels = self.random, len(self.shape) - 2, self.shape[1]
        kernel, stride, _ = self._window(self.shape[2:])
        mode, outer = r.choice(("same", "valid", "pad")), r.choice((1, 2, 4))
        group = r.choice([g for g in (1, 1, 1, 2) if channels % g == 0 and outer % g == 0]) if n < 3 else 1
        padding = r.choice((0, 1)) if mode == "pad" and min(kernel) > 2 else 0
        made = []
        for length, k, s in zip(self.shape[2:], kernel, stride):
            if mode == "same":
                made.append(length * s)
            elif mode == "valid":
                made.append((length - 1) * s + max(k, s))
            else:
                made.append((length - 1) * s + k - 2 * padding)
        if min(made) < 1 or math.prod(made) > 900:
            return self._activation()
        more = f", stride={self._text(stride)}, pad_mode='{mode}'" + (f", padding={padding}" if mode == "pad" else "")
        more += f", group={group}" if group > 1 else ""
        more += r.choice(("", ", has_bias=True"))
        return self.add(
            f"nn.Conv{n}dTranspose({channels}, {outer}, {self._text(kernel)}{more})", (self.shape[0], outer, *made)
        )

    def _pool(self):
        r, n = self.random, len(self.shape) - 2
        kernel, stride, _ = self._window(self.shape[2:])
        kind = r.choice(("Max", "Max", "Avg"))
        mode = r.choice(("valid", "same", "valid", "pad"))
        ceil, options, padding, dilation = False, "", 0, 1
        if n == 1:
            kernel, stride = kernel[:1], stride[:1]
        if mode == "pad":
            padding = r.randint(0, min(kernel) // 2)
            ceil = r.random() < 0.3
            options += f", pad_mode='pad', padding={padding}" + (", ceil_mode=True" if ceil else "")
            if kind == "Avg":
                options += r.choice(
                    ("", ", count_include_pad=False", ", divisor_override=3")
                    if n > 1
                    else ("", ", count_include_pad=False")
                )
            elif r.random() < 0.2:
                dilation = 2
                options += ", dilation=2"
        else:
            options += r.choice((f", pad_mode='{mode}'", f", '{mode}'"))
        made = []
        for length, k, s in zip(self.shape[2:], kernel, stride):
            if mode == "same":
                made.append(-(-length // s))
                continue
            span = length + 2 * padding - dilation * (k - 1) - 1
            out = (-(-span // s) if ceil else span // s) + 1
            if ceil and (out - 1) * s >= length + padding:
                out -= 1
            made.append(out if span >= 0 else 0)
        if min(made) < 1:
            return self._activation()
        if r.random() < 0.08:
            return (
                self.add(f"nn.LPPool{n}d(2, 2)", self.shape[:2] + tuple((k - 2) // 2 + 1 for k in self.shape[2:]))
                if n < 3 and min(self.shape[2:]) > 1
                else self._activation()
            )
        return self.add(
            f"nn.{kind}Pool{n}d({self._text(kernel)}, {self._text(stride)}{options})", (*self.shape[:2], *made)
        )

    def _adaptive(self):
        r, n = self.random, len(self.shape) - 2
        kind = r.choice(("Avg", "Avg", "Max"))
        lengths = self.shape[2:]
        if n == 1:
            fits = [k for k in (1, 2, 3, 4) if lengths[0] and lengths[0] % k == 0]
            if not fits:
                return self._activation()
            k = r.choice(fits)
            return self.add(f"nn.Adaptive{kind}Pool1d({k})", (*self.shape[:2], k))
        sizes = [r.choice((1, 1, 2, 3)) for _ in lengths]
        text = str(sizes[0]) if len(set(sizes)) == 1 else str(tuple(sizes))
        if r.random() < 0.15:
            sizes[0] = lengths[0]
            text = str((None, *sizes[1:]))
        return self.add(f"nn.Adaptive{kind if n == 2 else 'Avg'}Pool{n}d({text})", (*self.shape[:2], *sizes))

    def _norm(self):
        r, n, channels = self.random, len(self.shape) - 2, self.shape[1]
        kinds = [f"nn.LayerNorm(({self.shape[-1]},))", f"nn.LayerNorm(({self.shape[-1]},), epsilon=1e-3)"]
        if n:
            kinds.append(f"nn.LayerNorm({tuple(self.shape[1:])}, 1, 1)")
        more = r.choice(
            (
                "",
                "",
                ", momentum=0.5",
                ", affine=False",
                ", use_batch_statistics=True",
                ", use_batch_statistics=False",
                ", eps=1e-2",
            )
        )
        if self.shape[0] * math.prod(self.shape[2:]) != 1:  # of one value MindSpore makes a moving variance of NaN
            kinds += [f"nn.BatchNorm{max(1, n)}d({channels}{more})"] * 3
        if n in (1, 2, 3):
            kinds += [f"nn.InstanceNorm{n}d({channels})"]
        if n == 2:
            group = r.choice([g for g in (1, 2, 3, 4) if channels % g == 0])
            kinds += [f"nn.GroupNorm({group}, {channels})", f"mint.nn.GroupNorm({group}, {channels})", "nn.LRN(2)"]
        self.add(r.choice(kinds), self.shape)

    def _recurrent(self):
        r = self.random
        batch, length, width = self.shape
        hidden, both, layers = r.choice((2, 3)), r.random() < 0.4, r.choice((1, 1, 1, 2))
        first = r.random() < 0.6
        kind = r.choice(("LSTM", "GRU", "RNN"))
        more = f"num_layers={layers}, batch_first={first}, bidirectional={both}"
        more += r.choice(("", "", ", has_bias=False"))
        if kind == "RNN" and r.random() < 0.4:
            more += ", nonlinearity='relu'"
        self.add(
            f"nn.{kind}({width}, {hidden}, {more})", (batch, length, hidden * (2 if both else 1)), "x = CELL(x)[0]"
        )

    def _attention(self):
        r, width = self.random, self.shape[-1]
        heads = r.choice([h for h in (1, 2, 3) if width % h == 0])
        if r.random() < 0.5:
            more = r.choice(("", ", batch_first=True", ", has_bias=False", ", batch_first=True, dropout=0.0"))
            return self.add(f"nn.MultiheadAttention({width}, {heads}{more})", self.shape, "x = CELL(x, x, x)[0]")
        more = r.choice(("", ", batch_first=True", ", norm_first=True", ", activation='gelu'"))
        return self.add(f"nn.TransformerEncoderLayer({width}, {heads}, 4, dropout=0.0{more})", self.shape)

    def _pixels(self):
        r = self.random
        batch, channels, height, width = self.shape
        roll = r.random()
        if roll < 0.2 and channels == 4:
            return self.add("nn.PixelShuffle(2)", (batch, 1, height * 2, width * 2))
        if roll < 0.3 and height % 2 == 0 and width % 2 == 0:
            return self.add("nn.PixelUnshuffle(2)", (batch, channels * 4, height // 2, width // 2))
        if roll < 0.45 and height * width < 60:
            mode = r.choice(("nearest", "bilinear", "bilinear', align_corners=True, recompute_scale_factor='"))
            if "align" in mode:
                return self.add(
                    f"nn.Upsample(size=({height + 2}, {width * 2}), mode='bilinear', align_corners=True)",
                    (batch, channels, height + 2, width * 2),
                )
            return self.add(
                f"nn.Upsample(size=({height * 2}, {width * 2}), mode='{mode}')",
                (batch, channels, height * 2, width * 2),
            )
        if roll < 0.6 and min(height, width) > 2:
            text = r.choice(
                (
                    "nn.ReflectionPad2d((1, 1, 2, 0))",
                    "nn.ZeroPad2d((1, 1, 2, 0))",
                    "nn.ConstantPad2d((1, 1, 2, 0), 0.5)",
                    "nn.ReplicationPad2d((1, 1, 2, 0))",
                )
            )
            return self.add(text, (batch, channels, height + 2, width + 2))
        if roll < 0.75 and min(height, width) > 2:
            return self.add("", (batch, channels * 4, (height - 1) * (width - 1)), "x = ops.unfold(x, 2)")
        if roll < 0.85 and channels % 2 == 0:
            return self.add("nn.ChannelShuffle(2)", self.shape)
        return self.add("nn.Dropout2d(p=0.0)", self.shape)

    def _shaped(self):
        """Another arrangement of the elements."""
        r, shape = self.random, self.shape
        batch, *rest = shape
        total = math.prod(rest)
        forms = (
            [("x = x.reshape((x.shape[0], -1))", (batch, total)), ("x = ops.flatten(x)", (batch, total))]
            if batch
            else []
        )
        if len(shape) == 2 and total > 1:
            forms += [
                ("x = x.expand_dims(1)", (batch, 1, total)),
                (f"x = x.reshape(({batch}, {total}, 1))", (batch, total, 1)),
            ]
            forms += [(f"x = x.reshape((1, {batch}, 1, {total}))", (1, batch, 1, total))]
        if len(shape) == 3:
            forms += [
                ("x = x.swapaxes(1, 2)", (batch, rest[1], rest[0])),
                ("x = x.expand_dims(2)", (batch, rest[0], 1, rest[1])),
            ]
            forms += [
                ("x = x.mean(-1)", (batch, rest[0])),
                ("x = x[:, -1]", (batch, rest[1])),
                ("x = ops.max(x, 1)[0]", (batch, rest[1])),
            ]
        if len(shape) == 4:
            forms += [
                ("x = x.transpose(0, 1, 3, 2)", (batch, rest[0], rest[2], rest[1])),
                ("x = x.mean((2, 3))", (batch, rest[0])),
            ]
            forms += [(f"x = x.reshape((x.shape[0], {rest[0]}, -1))", (batch, rest[0], rest[1] * rest[2]))] * (
                batch > 0
            )
            forms += [("x = ops.max(x, 2)[0]", (batch, rest[0], rest[2])), ("x = x.sum(axis=1)", (batch, *rest[1:]))]
            forms += [
                ("x = ops.transpose(x, (0, 2, 3, 1))", (batch, rest[1], rest[2], rest[0])),
                ("x = x[:, :, ::2]", (batch, rest[0], -(-rest[1] // 2), rest[2])),
            ]
        if len(shape) == 5:
            forms += [("x = x.mean(2)", (batch, rest[0], *rest[2:])), ("x = ops.max(x, -1)[0]", shape[:4])]
        if not forms:
            return self._activation()
        line, made = r.choice(forms)
        return self.add("", made, line)

    def loss(self):
        """([text of the Cell or "", text of an expression of loss, y and t], [dtype, shape, bound] of t)"""
        r, shape = self.random, list(self.shape)
        roll = r.random()
        rare = rare_layers.drawn("losses", shape, r) if r.random() < 0.5 and len(shape) in range(2, 6) else None
        if rare:
            dtype, form = rare[2].split()
            label = {"same": shape, "rows": shape[:1], "places": shape[:1] + shape[2:]}[form]
            return rare[:2], [dtype, label, shape[1] if "int" in dtype else None]
        if len(shape) == 2 and shape[1] > 1 and roll < 0.3:
            classes = [r.choice(("int32", "int32", "int64")), shape[:1], shape[1]]
            text = r.choice(
                ("nn.CrossEntropyLoss()", "nn.CrossEntropyLoss(label_smoothing=0.1)", "nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')",
                 "nn.CrossEntropyLoss(reduction='sum', ignore_index=1)", "nn.MultiMarginLoss()", "nn.NLLLoss()")
            )  # fmt: skip
            classes[0] = (
                "int32" if "Sparse" in text or "Softmax" in text or "NLL" in text or "Cross" in text else "int64"
            )
            return [text, "loss(y, t)"], classes
        label = ["float32", shape, None]
        if roll < 0.55:
            return [
                "",
                r.choice(
                    (
                        "(y * y).sum()",
                        "(y * t).sum()",
                        "y.mean()",
                        "(y * t).mean() + (y * y).mean()",
                        "ops.tanh(y).sum()",
                        "(y * y).mean()",
                    )
                ),
            ], label
        measures = [
            "nn.MSELoss()", "nn.MSELoss('sum')", "nn.L1Loss()", "nn.SmoothL1Loss(reduction='mean')", "nn.SmoothL1Loss(0.5, 'sum')", "nn.HuberLoss()",
            "nn.BCEWithLogitsLoss()", "nn.RMSELoss()", "nn.MAELoss()", "nn.PoissonNLLLoss()",
            "nn.KLDivLoss()", "mint.nn.SmoothL1Loss()", "mint.nn.BCEWithLogitsLoss()",
        ]  # fmt: skip
        if len(shape) == 4:
            measures += ["nn.DiceLoss()"]
        return [r.choice(measures), "loss(y, t)"], label
