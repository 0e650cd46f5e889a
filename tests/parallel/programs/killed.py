"""One of the processes is killed at a random step."""

import os
import random
import signal
import time

import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import get_group_size, get_rank, init

init()
draw = random.Random(int(os.environ["SEED"]))
victim, step = draw.randrange(get_group_size()), draw.randrange(30)
for i in range(200):
    if (get_rank(), i) == (victim, step):
        print("KILLED AT", time.time(), flush=True)
        time.sleep(0.2)  # for the pipe
        os.kill(os.getpid(), signal.SIGKILL)
    ops.AllReduce()(Tensor(np.ones(3, np.float32)))
