"""Small workloads of `compiled.py`, each compiled in half a minute: a language model of LSTM layers, a waveform's features, a whole diffusion U-Net."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import convolve, dense, images, shapes_of, trained
from compiled_nets import Workload, workload


@workload("lstmlm")
class LanguageModel(Workload):
    """Two LSTM layers of 256 between an embedding and 2,000 words, 35 x 32 words, gradients of a clipped norm, SGD, float32."""

    shape, width, vocabulary = (35, 32), 256, 2000

    def batch(self):
        return np.ones(self.shape, np.int32), np.ones(self.shape, np.int32)

    def jax(self):
        w = self.width
        cell = {"x": dense(w, 4 * w), "h": dense(w, 4 * w)}
        shapes = {"table": (self.vocabulary, w), "cells": [cell, cell], "head": dense(w, self.vocabulary)}

        def loss(p, ids, y):
            x = p["table"][ids]
            for q in p["cells"]:
                x = nets_jax.lstm_layer(q, x)
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x).reshape(-1, self.vocabulary), y.reshape(-1))

        optimizer = optax.chain(optax.clip_by_global_norm(0.25), optax.sgd(1.0))
        return shapes_of(shapes), loss, self.batch(), optimizer

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.table, self.reads = nn.Embedding(outer.vocabulary, w), nn.LSTM(w, w, 2)
                self.head, self.loss = nn.Dense(w, outer.vocabulary), nn.CrossEntropyLoss()

            def construct(self, ids, y):
                x, _ = self.reads(self.table(ids))
                return self.loss(self.head(x).reshape(-1, outer.vocabulary), y.reshape(-1))

        class Step(nn.TrainOneStepCell):
            def construct(self, *inputs):
                loss = self.network(*inputs)
                sens = ops.fill(loss.dtype, loss.shape, self.sens)
                grads = self.grad(self.network, self.weights)(*inputs, sens)
                return ops.depend(loss, self.optimizer(ops.clip_by_global_norm(grads, 0.25)))

        net = Net()
        return Step(net, nn.SGD(net.trainable_params(), 1.0)).set_train(), [Tensor(a) for a in self.batch()]


@workload("speech")
class Waveform(Workload):
    """As wav2vec reads a waveform: four convolutions in one dimension, GroupNorm after the first, exact GELU; 2 x 4,000 samples, float32, Adam."""

    count, length, width, classes = 2, 4000, 128, 32
    windows = ((1, 10, 5), (128, 3, 2), (128, 3, 2), (128, 2, 2))  # channels, samples, stride

    def batch(self):
        return images(self.count, 1, self.length), np.zeros(self.count, np.int32)

    def jax(self):
        w = self.width
        convs = [{"w": (k, n, w), "shift": (w,)} | ({"scale": (w,)} if n == 1 else {}) for n, k, _ in self.windows]

        def loss(p, x, y):
            for q, (_, _, stride) in zip(p["convs"], self.windows):
                kind = ("NWC", "WIO", "NWC")
                x = jax.lax.conv_general_dilated(x, q["w"], (stride,), "VALID", dimension_numbers=kind)
                if "scale" in q:
                    mean = x.mean(1, keepdims=True)
                    variance = jnp.square(x).mean(1, keepdims=True) - jnp.square(mean)
                    x = (x - mean) * (jax.lax.rsqrt(variance + 1e-5) * q["scale"])
                x = jax.nn.gelu(x + q["shift"], approximate=False)
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x.mean(1)), y)

        x, y = self.batch()
        shapes = {"convs": convs, "head": dense(w, self.classes)}
        return shapes_of(shapes), loss, (x.transpose(0, 2, 1), y), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn

        outer, w = self, self.width

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                layers = []
                for n, k, stride in outer.windows:
                    layers.append(nn.Conv1d(n, w, k, stride, "valid", has_bias=n > 1))
                    layers += [nn.GroupNorm(w, w)] if n == 1 else []
                    layers.append(nn.GELU(approximate=False))
                self.layers = nn.CellList(layers)
                self.head, self.loss = nn.Dense(w, outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, y):
                for layer in self.layers:
                    if isinstance(layer, nn.GroupNorm):
                        x = layer(x.expand_dims(-1)).squeeze(-1)
                    else:
                        x = layer(x)
                return self.loss(self.head(x.mean(-1)), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("unetgn")
class DiffusionNet(Workload):
    """A diffusion U-Net of two sizes: group norm, SiLU, a time for each image, growth to the nearest, one skip; 8 x 3 x 32 x 32, float32, Adam."""

    count, size, width, groups, times = 8, 32, 32, 8, 64

    def batch(self):
        shape = (self.count, 3, self.size, self.size)
        return images(*shape), images(self.count, self.times), images(*shape)

    def jax(self):
        w = self.width

        def conv_of(a, b, k=3):
            return {"w": (k, k, a, b), "b": (b,)}

        def block_of(a, b):
            norms = {"norm1": {"scale": (a,), "shift": (a,)}, "norm2": {"scale": (b,), "shift": (b,)}}
            block = norms | {"conv1": conv_of(a, b), "conv2": conv_of(b, b), "time": dense(self.times, b)}
            return block | ({"skip": conv_of(a, b, 1)} if a != b else {})

        shapes = {"in": conv_of(3, w), "first": block_of(w, w), "down": conv_of(w, w), "middle": block_of(w, 2 * w)}
        shapes |= {"up": conv_of(2 * w, w), "last": block_of(2 * w, w), "norm": {"scale": (w,), "shift": (w,)}}
        shapes["out"] = conv_of(w, 3)

        def conv(q, x, stride=1):
            return convolve(x, q["w"], stride) + q["b"]

        def norm(q, x):
            y = x.reshape(*x.shape[:3], self.groups, -1)
            mean = y.mean((1, 2, 4), keepdims=True)
            variance = jnp.square(y - mean).mean((1, 2, 4), keepdims=True)
            y = ((y - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)
            return jax.nn.silu(y * q["scale"] + q["shift"])

        def block(q, x, time):
            h = conv(q["conv1"], norm(q["norm1"], x)) + nets_jax.linear(q["time"], time)[:, None, None]
            return conv(q["conv2"], norm(q["norm2"], h)) + (conv(q["skip"], x) if "skip" in q else x)

        def loss(p, x, time, y):
            time = jax.nn.silu(time)
            first = block(p["first"], conv(p["in"], x), time)
            h = block(p["middle"], conv(p["down"], first, 2), time)
            h = conv(p["up"], jnp.repeat(jnp.repeat(h, 2, 1), 2, 2))
            h = block(p["last"], jnp.concatenate([h, first], -1), time)
            return jnp.square(conv(p["out"], norm(p["norm"], h)) - y).mean()

        x, time, y = self.batch()
        given = x.transpose(0, 2, 3, 1), time, y.transpose(0, 2, 3, 1)
        return shapes_of(shapes), loss, given, optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, w = self, self.width

        def conv(a, b, k=3, stride=1):
            return nn.Conv2d(a, b, k, stride, "pad", k // 2, has_bias=True)

        class Block(nn.Cell):
            def __init__(self, a, b):
                super().__init__()
                self.norm1, self.norm2 = nn.GroupNorm(outer.groups, a), nn.GroupNorm(outer.groups, b)
                self.conv1, self.conv2, self.time = conv(a, b), conv(b, b), nn.Dense(outer.times, b)
                self.skip, self.silu = conv(a, b, 1) if a != b else nn.Identity(), nn.SiLU()

            def construct(self, x, time):
                h = self.conv1(self.silu(self.norm1(x))) + self.time(time).expand_dims(-1).expand_dims(-1)
                return self.conv2(self.silu(self.norm2(h))) + self.skip(x)

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.inside, self.first, self.down = conv(3, w), Block(w, w), conv(w, w, 3, 2)
                self.middle, self.up, self.last = Block(w, 2 * w), conv(2 * w, w), Block(2 * w, w)
                self.norm, self.out, self.silu = nn.GroupNorm(outer.groups, w), conv(w, 3), nn.SiLU()

            def construct(self, x, time, y):
                time = self.silu(time)
                first = self.first(self.inside(x), time)
                h = self.middle(self.down(first), time)
                h = ops.interpolate(h, scale_factor=2.0, mode="nearest", recompute_scale_factor=True)
                h = self.last(ops.concat((self.up(h), first), 1), time)
                return ops.square(self.out(self.silu(self.norm(h))) - y).mean()

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]
