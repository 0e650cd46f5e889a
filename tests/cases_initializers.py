"""Initializers: exact values where nothing is drawn, else the mean, the spread and the tail of many numbers."""

import mindspore as ms
import numpy as np
from golden_cases import Table
from mindspore import Tensor
from mindspore.common import initializer as module

C = Table()
LARGE = (300, 200)


def make(text, shape, dtype="float32"):
    first = eval(text, dict(vars(module))) if "(" in text else text
    made = module.initializer(first, shape, getattr(ms, dtype))
    return made.init_data() if made.has_init else made


def exactly(text, shape, dtype="float32"):
    return make(text, shape, dtype)


def spread(text, shape=LARGE):
    """Mean and tail in units of the standard deviation, the deviation, the share of zeros."""
    x = make(text, shape).asnumpy().astype(np.float64)
    deviation = x.std()
    tail = np.quantile(np.abs(x - x.mean()), 0.99) / deviation
    return Tensor(np.array([x.mean() / deviation, tail, deviation, (x == 0).mean()]).astype(np.float32))


def width(text, shape=LARGE):
    """Mean and deviation alone."""
    x = make(text, shape).asnumpy().astype(np.float64)
    return Tensor(np.array([x.mean() / x.std(), x.std()]).astype(np.float32))


def gram(text, shape):
    """w w^T of the matrix (first axis, all others), or w^T w if it is tall."""
    w = make(text, shape).asnumpy().reshape(shape[0], -1)
    return Tensor(np.round((w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w).astype(np.float64), 4).astype(np.float32))


for text in ("zeros", "ones", "Zero()", "One()", "Constant(2.5)", "Constant(-3)"):
    C(exactly, text, (2, 3))
    C(exactly, text, (2,), "float16")
C(exactly, "ones", (2, 2), "int32")
C(exactly, "Identity()", (3, 4))
C(exactly, "identity", (3, 3))
for shape in ((4, 2, 3), (2, 4, 3, 3), (4, 4, 3, 3, 3)):
    C(exactly, "Dirac()", shape)
C(exactly, "Dirac(groups=2)", (4, 2, 3))
for wrong, shape in (
    ("Identity()", (2, 3, 4)),
    ("Dirac()", (2, 3)),
    ("Dirac(groups=3)", (4, 2, 3)),
    ("Sparse(0.1)", (2, 3, 4)),
    ("Orthogonal()", (3,)),
    ("XavierUniform()", (3,)),
    ("Constant(1)", (0, 2)),
    ("none of these", (2, 2)),
    ("HeNormal(mode='fan')", (2, 3)),
    ("VarianceScaling(scale=-1.0)", (2, 3)),
    ("VarianceScaling(mode='fan')", (2, 3)),
    ("VarianceScaling(distribution='none')", (2, 3)),
):
    C(exactly, wrong, shape, _raises="ValueError")

NEAR = {"_rtol": 0.03, "_atol": 0.02}  # of 60,000 numbers
for text in (
    "normal",
    "uniform",
    "truncatedNormal",
    "xavier_uniform",
    "he_uniform",
    "he_normal",
    "xavierNormal",
    "Normal(0.5, 2.0)",
    "Normal(mean=1.0)",
    "Uniform(0.3)",
    "TruncatedNormal(0.5)",
    "TruncatedNormal(1.0, 0.2, -1.0, 1.5)",
    "TruncatedNormal(2.0)",
    "TruncatedNormal(0.1, 0.0, 0.3, 9.0)",
    "XavierNormal(2.0)",
    "XavierUniform(0.5)",
    "HeUniform(1.0)",
    "HeUniform(mode='fan_out', nonlinearity='relu')",
    "HeNormal(0.2)",
    "HeNormal(nonlinearity='sigmoid')",
    "HeNormal(mode='fan_out', nonlinearity='tanh')",
    "VarianceScaling(2.0, 'fan_out', 'untruncated_normal')",
    "VarianceScaling(3.0, 'fan_avg', 'uniform')",
    "Sparse(0.3)",
    "Sparse(0.1, 2.0)",
):
    C(spread, text, **NEAR)
for text in ("XavierUniform()", "HeNormal()"):
    C(spread, text, (20, 30, 10, 10), **NEAR)  # a kernel: the fans count its size
# MindSpore misspells its own default "truncated_normal" and draws uniformly: only the width can be compared.
C(width, "VarianceScaling()", **NEAR)
C(width, "VarianceScaling(2.0, 'fan_out')", (20, 30, 10, 10), **NEAR)
C(gram, "Orthogonal()", (3, 5), _atol=2e-4)
C(gram, "Orthogonal(2.0)", (6, 2, 2), _atol=2e-4)
C(gram, "orthogonal", (5, 2), _atol=2e-4)
