"""Data parallel training with a checkpoint from rank 0 at each fourth step, from which a run that was killed goes on.

FOLDER: for the checkpoint and the losses. KILL_AT: the step at which rank 1 is killed, or -1.
"""

import os
import pathlib
import signal

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

init()
RANK, SIZE = get_rank(), get_group_size()
FOLDER, KILL_AT = pathlib.Path(os.environ["FOLDER"]), int(os.environ["KILL_AT"])
STEPS = 10
ms.set_context(mode=ms.GRAPH_MODE)
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
ms.set_seed(1)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(STEPS, 8, 6)).astype(np.float32), rng.normal(size=(STEPS, 8, 2)).astype(np.float32)
net = nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 2))
optimizer = nn.Adam(net.trainable_params(), nn.cosine_decay_lr(0.0, 0.05, STEPS, STEPS, 1))
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
first, kept = 0, FOLDER / "kept.ckpt"
if kept.exists():
    found = ms.load_checkpoint(str(kept))
    first = int(found.pop("step").asnumpy())
    ms.load_param_into_net(step, found)
    print(f"resumed at {first}", flush=True)
part = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)
for i in range(first, STEPS):
    if (RANK, i) == (1, KILL_AT):
        os.kill(os.getpid(), signal.SIGKILL)
    loss = ops.AllReduce()(step(Tensor(X[i][part]), Tensor(Y[i][part]))) / SIZE
    loss = float(loss.asnumpy())  # all wait: else one is steps ahead of the other
    if RANK == 0:
        with open(FOLDER / "losses.txt", "a") as file:
            file.write(f"{i} {loss:.9g}\n")
        if i % 4 == 3:
            ms.save_checkpoint(step, str(kept), append_dict={"step": i + 1})
