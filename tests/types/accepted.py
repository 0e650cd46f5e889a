"""Arguments that MindSpore documents and scripts give, and inner names that they import: none is underlined."""

import mindspore as ms
from mindspore import (
    COOTensor,
    CSRTensor,
    Parameter,
    SparseTensor,
    Tensor,
    amp,
    boost,
    communication,
    dataset,
    mint,
    nn,
    ops,
    parallel,
)
from mindspore.common.api import _cell_graph_executor, _pynative_executor
from mindspore.common.initializer import Constant
from mindspore.dataset import transforms
from mindspore.dataset.vision import Decode, Resize, c_transforms
from mindspore.parallel._utils import _is_sharding_propagation
from mindspore.rewrite import PatternEngine
from mindspore.train._utils import check_value_type
from mindspore.train.amp import AMP_BLACK_LIST, AMP_WHITE_LIST


def use(x: Tensor, p: Parameter, net: nn.Cell, scaler: amp.DynamicLossScaler) -> None:
    x[0, :] = x[1]
    x[x > 0] = 1
    p[:] = x
    p.set_data(3.0)
    x.sum(axis=Tensor([1]))
    x.delete_()
    x.register_hook(hook=lambda grad: grad)
    scaler.adjust(amp.all_finite((x,)))
    communication.get_rank("group")
    mint.ones(size=(2, 3))
    mint.nn.functional.conv2d(x, x, padding="same")
    mint.nn.functional.tanh(x)
    ops.layer_norm(x, (3,), weight=x, bias=x)
    ops.inplace_update(x, x, indices=Tensor([0]))
    nn.Softmin(axis=(0, 1))
    nn.TripletMarginLoss(margin=Tensor(1.0))
    nn.WithGradCell(net, nn.MSELoss(), sens=2.0)
    boost.GradientFreeze(param_groups=2, freeze_type=1, freeze_p=0.5, total_steps=4)
    Constant(x.asnumpy())
    check_value_type("net", net, nn.Cell)
    print(_cell_graph_executor, _pynative_executor, _is_sharding_propagation())
    images = [Decode(), Resize(3)]
    transforms.Compose(images)
    c_transforms.Decode()
    nn.Loss()
    print(AMP_WHITE_LIST, AMP_BLACK_LIST)
    ops.composite.clip_by_global_norm([x], 1.0)
    ops.functional.identity(x)


def use_mindspore_1(x: Tensor, net: nn.Cell, optimizer: nn.Optimizer) -> None:
    nn.SoftmaxCrossEntropyWithLogits(sparse=True, is_grad=False, reduction="mean")
    nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_update_cell=Tensor(1.0))
    nn.SmoothL1Loss(sigma=1.0)
    nn.Dropout(0.5, seed0=1, seed1=2)
    dataset.MindDataset(dataset_file="a.mindrecord", columns_list=["image"])
    dataset.CocoDataset("images", "a.json", "Detection")
    dataset.VOCDataset("images", mode="train")
    ops.interpolate(x, sizes=(2, 2), mode="bilinear", coordinate_transformation_mode="half_pixel")
    ops.pad(x, paddings=((1, 1), (2, 2)))
    ops.split(x, axis=1, output_num=2)
    ops.select(cond=x > 0, input=x, other=x)
    ops.addcdiv(input_data=x, x1=x, x2=x, value=1.0)
    ops.norm(x, axis=1, p=2)
    SparseTensor(indices=x, values=x, dense_shape=(2, 3))


def use_what_documented_examples_show(x: Tensor, sparse: COOTensor, rows: CSRTensor, net: nn.Cell) -> None:
    sampler = dataset.DistributedSampler(4, 0)
    dataset.GeneratorDataset([1, 2], "n", sampler=sampler)
    dataset.NumpySlicesDataset(x.asnumpy(), sampler=dataset.RandomSampler())
    dataset.MnistDataset("data", sampler=dataset.SubsetSampler([1, 2])).set_dynamic_columns(
        columns={"image": [None, 28]}
    )
    ops.pad(x, ((0, 0), (1, 2)))
    ops.coo_abs(sparse)
    ops.coo_add(sparse, sparse, Tensor(0.0)).to_csr()
    ops.csr_softmax(rows, ms.float32).to_dense()
    ops.csr_to_coo(rows).to_dense()
    ops.csr_add(rows, rows, 2.0, x)
    ops.cond(x, "fro")
    ops.Broadcast(0)((x,))
    print(transforms.RandomOrder([Resize(3)])(x.asnumpy()).shape)
    x.to("CPU", dtype=ms.float16).to(x)
    net.register_parameter_forward_hook([{"params": net.trainable_params(), "hook": lambda p: p}])
    parallel.auto_parallel.AutoParallel(lambda a: net(a)).dataset_strategy("full_batch")
    boost.AutoBoost("O1", {"boost": {"mode": "auto"}})
    communication.get_comm_name()
    PatternEngine([nn.ReLU]).pattern().name()


class Weighted(nn.LossBase):
    def __init__(self, weight: float = 1.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.get_loss(self.weight * (logits - labels) ** 2)


class Share(nn.Metric):
    def clear(self) -> None:
        self.count = 0

    def update(self, *inputs: Tensor) -> None:
        self.count += int(self._convert_data(inputs[0]).sum())


def use_scalers(scaler: amp.DynamicLossScaler, net: nn.Cell, x: Tensor, optimizer: nn.Optimizer) -> None:
    optimizer(scaler.unscale((x, x)))
    print(scaler.scale(x).asnumpy(), amp.auto_mixed_precision(net, "O3")(x).dtype)
