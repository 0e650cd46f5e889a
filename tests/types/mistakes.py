"""Type-checked, not run: mistakes that both checkers find, each named on its line; an ignore that nothing needs is an error."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Model, Tensor, context, nn, ops
from mindspore.dataset import vision

# --- a keyword that there is not
nn.Conv2d(3, 8, kernal_size=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
nn.Dense(3, 4, bias=False)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
nn.BatchNorm2d(8, epsilon=1e-5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
nn.Momentum([], lr=1e-3, momentum=0.9)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ds.MnistDataset("data", batch_size=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ops.softmax(Tensor([1.0]), dimension=0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
nn.LSTM(3, 4, num_layer=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ms.set_context(devicetarget="CPU")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# --- a word that is none of those
nn.Conv2d(3, 8, 3, pad_mode="sam")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.MSELoss(reduction="average")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.BatchNorm2d(8, data_format="HWC")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.RNNCell(3, 4, nonlinearity="sigmoid")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Pad(((1, 1),), mode="EDGE")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.EmbeddingLookup(5, 2, target="GPU")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# --- a value of a wrong type
nn.Conv2d("3", 8, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Conv2d(3, 8, (3, 3, 3))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Dense(3.0, 4)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Dense(3, 4, has_bias="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Dropout(keep_prob="0.5")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.GRUCell(3, "4")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.Adam([], beta1="0.9")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.cosine_decay_lr(0.01, 0.1, total_step=1.5, step_per_epoch=2, decay_epoch=2)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
nn.WithLossCell(3, nn.MSELoss())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ops.relu("x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ds.NumpySlicesDataset(np.ones((4, 3)), shuffle="yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ds.MnistDataset("data", num_samples="3")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
vision.RandomHorizontalFlip(prob="0.5")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ms.value_and_grad(nn.ReLU(), grad_position="0")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
Model(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# --- a method that there is not, of what another gave
ds.MnistDataset("data").batch(3).repaet(2)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
ops.relu(Tensor([1.0])).shape.append(3)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
Tensor([1.0]).sum().asnumpy().maen()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
nn.ReLU().trainable_params().names()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
context.set_contxt(mode=0)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
Tensor([1.0]).reshpe(1)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

# --- an argument that is missing
nn.Dense(3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
nn.Adam()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# --- a setting, or one of the further keywords of a function
ms.set_context(mode="graph")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ms.set_context(device_id="0")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ms.set_auto_parallel_context(paralel_mode="data_parallel")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ops.relu(Tensor([1.0]), Tensor([1.0]))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ds.MnistDataset("data").map(vision.Decode(), input_column="image")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ds.MnistDataset("data").map(vision.Decode(), ["image"], python_multiprocessing="yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ds.MnistDataset("data").batch(3, per_batch_mapping=len)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Model(nn.ReLU(), nn.MSELoss(), loss_scale_manger=None)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ms.CheckpointConfig(save_checkpoint_step=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ms.ModelCheckpoint(prefix=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ms.save_checkpoint(nn.ReLU(), "x.ckpt", remove_redundency=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ms.jit(nn.ReLU(), jit_cfg=None)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
nn.ReLU().recompute(use_reentrent=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
