"""Training scripts as the model zoo of MindSpore 1.x has them, and one of 2.x: python zoo.py NET LOSSES_FILE [--distribute].

Each process has a shard of the dataset; the losses of the first one, averaged over all, are those of one process with whole batches.
"""

import argparse
import os

import mindspore
import mindspore.common.dtype as mstype
import mindspore.dataset as ds
import mindspore.dataset.transforms.c_transforms as C
import mindspore.nn as nn
import numpy as np
from mindspore import Model, Tensor, context, ops
from mindspore.common.initializer import Normal
from mindspore.communication.management import get_group_size, get_rank, init
from mindspore.context import ParallelMode
from mindspore.train.callback import Callback, CheckpointConfig, LossMonitor, ModelCheckpoint, TimeMonitor

parser = argparse.ArgumentParser()
parser.add_argument("net", choices=("lenet", "resnet", "functional"))
parser.add_argument("losses")
parser.add_argument("--distribute", action="store_true")
parser.add_argument("--steps", type=int, default=50)
args = parser.parse_args()
BATCH = 16
mindspore.set_seed(
    3
)  # with some others an element of the ResNet is so near to the kink of its ReLU that a last bit moves it over
context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
RANK, SIZE = 0, 1
if args.distribute:
    init()
    RANK, SIZE = get_rank(), get_group_size()
    context.reset_auto_parallel_context()
    context.set_auto_parallel_context(device_num=SIZE, parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True)


class Images:
    """Images whose class can be seen, for `steps` steps."""

    def __init__(self, size, channels):
        rng = np.random.default_rng(3)
        self.labels = rng.integers(0, 10, args.steps * BATCH).astype(np.int32)
        self.images = rng.normal(size=(len(self.labels), channels, size, size)).astype(np.float32) * 0.3
        for image, label in zip(self.images, self.labels):
            image[:, label : label + 3, label : label + 3] += 1.0

    def __getitem__(self, i):
        return self.images[i], self.labels[i]

    def __len__(self):
        return len(self.labels)


def create_dataset(size, channels):
    data = ds.GeneratorDataset(
        Images(size, channels), ["image", "label"], shuffle=False, num_shards=SIZE, shard_id=RANK
    )
    data = data.map(operations=C.TypeCast(mstype.int32), input_columns="label")
    return data.batch(BATCH // SIZE, drop_remainder=True)


class LeNet5(nn.Cell):
    def __init__(self, num_class=10, num_channel=1):
        super().__init__()
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.02))
        self.fc3 = nn.Dense(84, num_class, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.flatten(x)
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


class ResidualBlock(nn.Cell):
    def __init__(self, in_channel, out_channel, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channel, out_channel, 3, stride=stride, padding=0, pad_mode="same")
        self.bn1 = nn.SyncBatchNorm(out_channel, eps=1e-4, momentum=0.9)
        self.conv2 = nn.Conv2d(out_channel, out_channel, 3, stride=1, padding=0, pad_mode="same")
        self.bn2 = nn.SyncBatchNorm(out_channel, eps=1e-4, momentum=0.9)
        self.relu = nn.ReLU()
        self.down_sample_layer = None
        if stride != 1 or in_channel != out_channel:
            self.down_sample_layer = nn.SequentialCell(
                [nn.Conv2d(in_channel, out_channel, 1, stride=stride, pad_mode="same"), nn.SyncBatchNorm(out_channel)]
            )
        self.add = ops.Add()

    def construct(self, x):
        identity = x
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        if self.down_sample_layer is not None:
            identity = self.down_sample_layer(identity)
        return self.relu(self.add(out, identity))


class ResNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = nn.SequentialCell([nn.Conv2d(3, 8, 3, pad_mode="same"), nn.SyncBatchNorm(8), nn.ReLU()])
        self.blocks = nn.SequentialCell([ResidualBlock(8, 8), ResidualBlock(8, 16, 2)])
        self.mean, self.flatten, self.end_point = ops.ReduceMean(keep_dims=True), nn.Flatten(), nn.Dense(16, 10)

    def construct(self, x):
        return self.end_point(self.flatten(self.mean(self.blocks(self.stem(x)), (2, 3))))


class Losses(Callback):
    def __init__(self):
        super().__init__()
        self.seen = []

    def step_end(self, run_context):
        out = run_context.original_args().net_outputs
        out = out[0] if isinstance(out, (tuple, list)) else out
        self.seen.append(float(np.mean(out.asnumpy())))


def train_by_model(net, data, optimizer, **options):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, optimizer, metrics={"acc"}, **options)
    losses = Losses()
    callbacks = [TimeMonitor(data_size=data.get_dataset_size()), LossMonitor(50), losses]
    if RANK == 0:
        config = CheckpointConfig(save_checkpoint_steps=args.steps, keep_checkpoint_max=1)
        callbacks.append(ModelCheckpoint(prefix=args.net, directory=os.path.dirname(args.losses), config=config))
    model.train(1, data, callbacks=callbacks, dataset_sink_mode=False)
    return losses.seen


def train_by_function(net, data):
    loss_fn, optimizer = nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 1e-3)
    reducer = nn.DistributedGradReducer(optimizer.parameters) if SIZE > 1 else (lambda g: g)

    def forward_fn(images, labels):
        logits = net(images)
        return loss_fn(logits, labels), logits

    grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @mindspore.jit
    def train_step(images, labels):
        (loss, _), gradients = grad_fn(images, labels)
        return ops.depend(loss, optimizer(reducer(gradients)))

    net.set_train()
    return [float(train_step(images, labels).asnumpy()) for images, labels in data.create_tuple_iterator()]


if args.net == "lenet":
    net, data = LeNet5(), create_dataset(32, 1)
    seen = train_by_model(net, data, nn.Momentum(net.trainable_params(), 0.05, 0.9))
elif args.net == "resnet":
    net, data = ResNet(), create_dataset(16, 3)
    decayed = [p for p in net.trainable_params() if "bn" not in p.name and "bias" not in p.name]
    others = [p for p in net.trainable_params() if "bn" in p.name or "bias" in p.name]
    groups = [{"params": decayed, "weight_decay": 1e-4}, {"params": others}, {"order_params": net.trainable_params()}]
    rates = Tensor(np.linspace(0.05, 0.0125, args.steps), mstype.float32)
    seen = train_by_model(net, data, nn.Momentum(groups, rates, 0.9))
else:
    seen = train_by_function(LeNet5(), create_dataset(32, 1))
if SIZE > 1:
    seen = (ops.AllReduce()(Tensor(np.array(seen, np.float32))) / SIZE).asnumpy().tolist()
if RANK == 0:
    np.savetxt(args.losses, seen)
print("trained", len(seen), seen[0], seen[-1], flush=True)
