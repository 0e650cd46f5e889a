"""Programs that are compiled while a number argument takes 1,000 different values, for the commonest operators: two at most.

    python benchmarks/number_arguments.py [--values 1000] [--only NAME]

One line an argument: programs compiled, and microseconds of CPU time a call. The exit code is 1 if an argument needed more than two.
"""

import argparse
import sys
import time

import jax
import numpy as np

import msjax as ms
from msjax import Tensor, mint, ops
from msjax.core.operators.eager_jit import finish_compiling


def arguments():
    """Name of the argument -> a function that calls the operator with a value between 0 and 1 for it."""
    draw = np.random.RandomState(0)

    def array(*shape):
        return Tensor(draw.rand(*shape).astype(np.float32) + 0.1)

    x, y, z, v, image = array(4, 4), array(4, 4), array(4, 4), array(4), array(1, 4, 4, 4)
    labels, classes = Tensor(np.array([0, 1, 2, 3], np.int32)), array(4, 4)
    F = mint.nn.functional
    return {
        "x + number": lambda n: x + n,
        "number - x": lambda n: n - x,
        "x * number": lambda n: x * n,
        "x / number": lambda n: x / n,
        "x ** number": lambda n: x**n,
        "x // number": lambda n: x // n,
        "x % number": lambda n: x % n,
        "x > number": lambda n: x > n,
        "x == number": lambda n: x == n,
        "mint.add alpha": lambda n: mint.add(x, y, alpha=n),
        "mint.sub alpha": lambda n: mint.sub(x, y, alpha=n),
        "Tensor.add_ alpha": lambda n: z.add_(y, alpha=n),
        "ops.addmm alpha": lambda n: ops.addmm(x, x, y, alpha=n),
        "ops.addmm beta": lambda n: ops.addmm(x, x, y, beta=n),
        "ops.addmv alpha": lambda n: ops.addmv(v, x, v, alpha=n),
        "ops.addr beta": lambda n: ops.addr(x, v, v, beta=n),
        "ops.addcmul value": lambda n: ops.addcmul(x, y, y, n),
        "ops.addcdiv value": lambda n: ops.addcdiv(x, y, y, n),
        "ops.lerp weight": lambda n: ops.lerp(x, y, n),
        "ops.pow exponent": lambda n: ops.pow(x, n),
        "ops.maximum other": lambda n: ops.maximum(x, n),
        "ops.minimum other": lambda n: ops.minimum(x, n),
        "ops.clamp min": lambda n: ops.clamp(x, min=n),
        "ops.clamp max": lambda n: ops.clamp(x, max=n),
        "ops.clip_by_value min max": lambda n: ops.clip_by_value(x, n, n + 1),
        "ops.clip_by_norm max_norm": lambda n: ops.clip_by_norm(x, n),
        "ops.where other": lambda n: ops.where(x > 0.5, x, n),
        "ops.masked_fill value": lambda n: ops.masked_fill(x, x > 0.5, n),
        "ops.full fill_value": lambda n: ops.full((2, 3), n),
        "ops.full_like fill_value": lambda n: ops.full_like(x, n),
        "ops.fill_diagonal fill_value": lambda n: x.fill_diagonal(n),
        "ops.isclose rtol atol": lambda n: ops.isclose(x, y, n, n),
        "ops.nan_to_num nan": lambda n: ops.nan_to_num(x, n),
        "ops.hardshrink lambd": lambda n: ops.hardshrink(x, n),
        "ops.softshrink lambd": lambda n: ops.softshrink(x, n),
        "ops.hardtanh bounds": lambda n: ops.hardtanh(x, -n, n),
        "ops.leaky_relu alpha": lambda n: ops.leaky_relu(x, n),
        "ops.celu alpha": lambda n: ops.celu(x, n),
        "F.elu alpha": lambda n: F.elu(x, n),
        "ops.threshold thr": lambda n: ops.threshold(x, n, 0.5),
        "ops.threshold value": lambda n: ops.threshold(x, 0.5, n),
        "F.softplus beta": lambda n: F.softplus(x, n),
        "F.softplus threshold": lambda n: F.softplus(x, 1, n),
        "ops.rrelu upper": lambda n: ops.rrelu(x, 0.0, n),
        "ops.logit eps": lambda n: ops.logit(x, n / 2),
        "ops.gumbel_softmax tau": lambda n: ops.gumbel_softmax(x, n),
        "ops.dropout p": lambda n: ops.dropout(x, n),
        "F.dropout p": lambda n: F.dropout(x, n),
        "ops.dropout2d p": lambda n: ops.dropout2d(image, n),
        "ops.layer_norm eps": lambda n: ops.layer_norm(x, (4,), v, v, n),
        "F.layer_norm eps": lambda n: F.layer_norm(x, (4,), v, v, n),
        "F.group_norm eps": lambda n: F.group_norm(image, 2, v, v, n),
        "ops.rms_norm epsilon": lambda n: ops.rms_norm(x, v, n),
        "F.batch_norm eps": lambda n: F.batch_norm(image, v, v, v, v, False, 0.1, n),
        "ops.lrn alpha": lambda n: ops.lrn(image, alpha=n),
        "F.normalize eps": lambda n: F.normalize(x, eps=n),
        "ops.L2Normalize epsilon": lambda n: ops.L2Normalize(0, n)(x),
        "ops.cosine_similarity eps": lambda n: ops.cosine_similarity(x, y, 1, n),
        "ops.cdist p": lambda n: ops.cdist(x, y, n),
        "ops.cross_entropy label_smoothing": lambda n: ops.cross_entropy(classes, labels, label_smoothing=n),
        "ops.nll_loss label_smoothing": lambda n: ops.nll_loss(classes, labels, label_smoothing=n),
        "ops.huber_loss delta": lambda n: ops.huber_loss(x, y, delta=n),
        "ops.smooth_l1_loss beta": lambda n: ops.smooth_l1_loss(x, y, n),
        "ops.gaussian_nll_loss eps": lambda n: ops.gaussian_nll_loss(x, y, z, eps=n),
        "ops.hinge_embedding_loss margin": lambda n: ops.hinge_embedding_loss(x, y, n),
        "ops.triplet_margin_loss margin": lambda n: ops.triplet_margin_loss(x, y, z, margin=n),
        "ops.margin_ranking_loss margin": lambda n: ops.margin_ranking_loss(x, y, z, n),
        "ops.multi_margin_loss margin": lambda n: ops.multi_margin_loss(x, labels, margin=n),
        "Tensor.uniform_ bounds": lambda n: z.uniform_(0.0, n),
        "Tensor.normal_ mean std": lambda n: z.normal_(n, n),
        "ops.normal mean stddev": lambda n: ops.normal((2, 3), n, n),
        "ops.linspace bounds": lambda n: ops.linspace(0.0, n, 5),
        "gradient of mint.add alpha": lambda n: ms.grad(lambda a: mint.add(a, y, alpha=n).sum())(x),
        "gradient of ops.leaky_relu alpha": lambda n: ms.grad(lambda a: ops.leaky_relu(a, n).sum())(x),
    }


class Programs:
    """Counts the programs that are compiled while it is entered."""

    def __enter__(self):
        self.count = 0
        jax.monitoring.register_event_duration_secs_listener(self._note)
        return self

    def __exit__(self, *error):
        jax.monitoring.unregister_event_duration_listener(self._note)

    def _note(self, event, seconds, **details):
        self.count += event == "/jax/core/compile/backend_compile_duration"


def measure(call, values):
    """(programs compiled, microseconds a call)"""
    ops.rand(2)  # the generator's own program, and those of any gradient
    x = Tensor(np.ones((4, 4), np.float32))
    ms.grad(lambda a: (a + a).sum())(x)
    finish_compiling()
    with Programs() as programs:
        call(values[0])
        call(values[1])
        start = time.process_time()
        for value in values[2:]:
            call(value)
        seconds = time.process_time() - start
    return programs.count, seconds / max(len(values) - 2, 1) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--values", type=int, default=1000)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    values = (np.random.RandomState(1).permutation(given.values) + 1) / (given.values + 2)
    worst = 0
    for name, call in arguments().items():
        if given.only in name:
            count, cost = measure(call, values.tolist())
            # a gradient has a forward and a backward, each with its two
            most = count / 2 if name.startswith("gradient") else count
            worst = max(worst, most)
            print(f"{name:36} {count:5d} programs {cost:8.1f} us", flush=True)
    return 1 if worst > 2 else 0


if __name__ == "__main__":
    sys.exit(main())
