"""One process does not come to a collective (STUCK=sleeps), or stops altogether (STUCK=frozen)."""

import os
import signal
import time

import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import get_rank, init

init()
for i in range(10):
    if (get_rank(), i) == (1, 5):
        print("STUCK AT", time.time(), flush=True)
        time.sleep(0.2)
        if os.environ["STUCK"] == "frozen":
            os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(600)
    ops.AllReduce()(Tensor(np.ones(3, np.float32)))
