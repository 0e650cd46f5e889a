"""Type-checked, not run: what functions and methods give."""

from collections.abc import Callable
from typing import Any, assert_type

import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn.probability.distribution import Categorical

x = Tensor(np.ones((2, 3), np.float32))
assert_type(ops.relu(x), Tensor)
assert_type(ops.amax(x, axis=0), Tensor)
assert_type(x.sum(), Tensor)
assert_type(x[0], Tensor)
assert_type(x.abs().mean(), Tensor)
assert_type(x.asnumpy(), np.ndarray)
assert_type(x.shape, tuple[int, ...])
assert_type(nn.Dense(3, 4).trainable_params(), list[Parameter])
assert_type(nn.Dense(3, 4).set_train(), nn.Dense)
data = ds.MnistDataset("data")
data = data.map(len, "image").shuffle(4).batch(3)  # no error: mypy takes the first class as the type of the name
batched: ds.Dataset = data
assert_type(ds.MnistDataset("data").get_dataset_size(), int)
assert_type(ops.arange(Tensor(1), Tensor(7), Tensor(2)), Tensor)
assert_type(ops.GradOperation(get_by_list=True)(nn.ReLU()), Callable[..., Any])
assert_type(Categorical(x).sample(), Tensor)
assert_type(Categorical(x).log_prob(x), Tensor)
