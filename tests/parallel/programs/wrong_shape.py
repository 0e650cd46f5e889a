"""Rank 1 gives a collective another shape than rank 0 does."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import get_rank, init

init()
ops.AllReduce()(Tensor(np.ones(3, np.float32)))
ops.AllReduce()(Tensor(np.ones(3 + get_rank(), np.float32), ms.float32))
