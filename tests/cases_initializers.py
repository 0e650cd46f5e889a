"""Initializers: exact values, of a seed where something is drawn, and the mean, the spread and the tail of many numbers."""

import mindspore as ms
import numpy as np
from golden_cases import Table
from mindspore import Tensor, mint, nn
from mindspore.common import initializer as module

C = Table()
LARGE = (300, 200)


def make(text, shape, dtype="float32"):
    first = eval(text, dict(vars(module))) if "(" in text else text
    made = module.initializer(first, shape, getattr(ms, dtype))
    return made.init_data() if made.has_init else made


def exactly(text, shape, dtype="float32"):
    return make(text, shape, dtype)


def seeded(text, shape, dtype="float32"):
    np.random.seed(5)
    return exactly(text, shape, dtype)


def seeded_large(text):
    """Some of many numbers, which are drawn in several pieces."""
    np.random.seed(6)
    return Tensor(make(text, (701, 503)).asnumpy()[::61, ::71])


def kernel_seeds(seed, *asked):
    """The pairs of seeds that MindSpore's own code, and old networks, ask for by (their own seed, kernel), and those of initializers."""
    from mindspore.common.seed import _get_graph_seed

    ms.set_seed(seed)
    pairs = [_get_graph_seed(*one) for one in asked] + [module.Normal().seed for _ in range(2)]
    return Tensor(np.array(pairs, np.int64))


def weights(text):
    """The Parameters of a layer, and what a script draws afterwards."""
    ms.set_seed(11)
    made = [p.asnumpy().reshape(-1)[:5] for p in eval(text, {"nn": nn, "mint": mint}).get_parameters()]
    return [Tensor(values) for values in made], Tensor(np.random.rand(2))


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
C(width, "VarianceScaling()", **NEAR)
C(width, "VarianceScaling(2.0, 'fan_out')", (20, 30, 10, 10), **NEAR)
C(gram, "Orthogonal()", (3, 5), _atol=2e-4)
C(gram, "Orthogonal(2.0)", (6, 2, 2), _atol=2e-4)
C(gram, "orthogonal", (5, 2), _atol=2e-4)

for text in (
    "VarianceScaling()",
    "VarianceScaling(2.0, 'fan_out')",
    "VarianceScaling(2.0, 'fan_avg', 'untruncated_normal')",
    "Normal(0.3, 0.1)",
    "Uniform(0.4)",
    "TruncatedNormal(0.5)",
    "TruncatedNormal(1.0, 0.2, -1.0, 1.5)",
    "XavierNormal()",
    "XavierUniform(2.0)",
    "HeNormal(0.2)",
    "HeUniform(1.0, 'fan_out')",
    "VarianceScaling(2.0, 'fan_out', 'untruncated_normal')",
    "VarianceScaling(3.0, 'fan_avg', 'uniform')",
):
    for shape in ((3, 5), (5, 2, 3), (3, 1, 3, 3)):
        C(seeded, text, shape)
    C(seeded, text, (2, 3), "float16")
    C(seeded_large, text)
for text in ("Orthogonal()", "Sparse(0.3)"):
    C(seeded, text, (4, 6), _atol=1e-6)
    C(seeded, text, (6, 3), _atol=1e-6)
for text in (
    "nn.Dense(5, 4)",
    "nn.Dense(3, 4, weight_init='xavier_uniform', bias_init='zeros')",
    "nn.Conv1d(3, 4, 3, has_bias=True)",
    "nn.Conv2d(3, 4, 3)",
    "nn.Conv2d(3, 4, 3, weight_init='normal')",
    "nn.Conv3d(2, 4, 3)",
    "nn.Conv2dTranspose(3, 4, 3)",
    "nn.Embedding(10, 4)",
    "nn.EmbeddingLookup(10, 4)",
    "nn.LSTM(4, 5, 2, bidirectional=True)",
    "nn.GRU(4, 5)",
    "nn.RNN(4, 5)",
    "nn.LSTMCell(4, 5)",
    "nn.GRUCell(3, 4)",
    "nn.RNNCell(3, 4, has_bias=False)",
    "nn.BiDense(3, 4, 5)",
    "nn.MultiheadAttention(8, 2)",
    "nn.TransformerEncoderLayer(8, 2, 16)",
    "nn.TransformerDecoderLayer(8, 2, 16)",
    "nn.Conv2dBnAct(3, 4, 3)",
    "nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))",
    "mint.nn.Linear(4, 5)",
    "mint.nn.Conv2d(3, 4, 3)",
    "mint.nn.ConvTranspose2d(2, 4, 3)",
    "mint.nn.Embedding(5, 4)",
    "mint.nn.PReLU()",
):
    C(weights, text)
for seed in (0, 1, 7):
    C(
        kernel_seeds,
        seed,
        (0, "dropout"),
        (0, "dropout"),
        (5, "dropout"),
        (0, "normal"),
        (None, "dropout"),
        (5, "dropout"),
    )
