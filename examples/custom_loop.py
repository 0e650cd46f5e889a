"""A training loop in the style of MindSpore 1: a train-step Cell of one's own over sunk data.

python -m msjax examples/custom_loop.py
"""

import os

import mindspore.dataset as ds
import mindspore.dataset.transforms.c_transforms as CT
import mindspore.dataset.vision.c_transforms as CV
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import ParameterTuple, context, set_seed
from mindspore.common import dtype as mstype
from mindspore.train.dataset_helper import DatasetHelper, connect_network_with_dataset

HERE = os.path.dirname(os.path.abspath(__file__))


class TrainStep(nn.Cell):
    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer = network, optimizer
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, data, label):
        loss = self.network(data, label)
        sens = ops.Fill()(ops.DType()(loss), ops.Shape()(loss), 1.0)
        grads = self.grad(self.network, self.weights)(data, label, sens)
        return ops.depend(loss, self.optimizer(grads))


def main():
    set_seed(0)
    context.set_context(mode=context.GRAPH_MODE)
    data = ds.MnistDataset(os.path.join(HERE, "data", "mnist", "train"))
    data = data.map(operations=[CV.Rescale(1 / 255.0, 0.0), CV.HWC2CHW()], input_columns="image")
    data = data.map(operations=CT.TypeCast(mstype.int32), input_columns="label")
    data = data.batch(50, drop_remainder=True)
    network = nn.SequentialCell(nn.Flatten(), nn.Dense(784, 128), nn.ReLU(), nn.Dense(128, 10))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = TrainStep(nn.WithLossCell(network, loss), nn.Momentum(network.trainable_params(), 0.1, 0.9))
    helper = DatasetHelper(data, dataset_sink_mode=True, sink_size=50, epoch_num=8)
    sunk = connect_network_with_dataset(step, helper)
    step.set_train()
    losses = []
    for epoch in range(8):
        for inputs in helper:
            losses.append(float(sunk(*inputs).asnumpy()))
        print(f"50 steps more: loss {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
