"""What a Cell of `to_float(float16)` computes in which type: one method a case. Run on MindSpore by the recorder and on msjax by the test."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, mint, nn, ops


def tenths(shape=(2, 5), dtype=np.float32):
    """0.1 is another number in float16: it shows what was cast."""
    return Tensor(np.full(shape, 0.1, dtype))


GLOBAL = tenths()


def times_one(t):
    return t * 1


class Child(nn.Cell):
    def __init__(self):
        super().__init__()
        self.factor = tenths()

    def construct(self, x):
        return x * self.factor


class Net(nn.Cell):
    def __init__(self, case):
        super().__init__()
        self.case = case
        self.t, self.f64, self.whole = tenths(), tenths(dtype=np.float64), Tensor(np.full((2, 5), 2, np.int32))
        self.on, self.off = Tensor(0.1), Tensor(0.0)
        self.w, self.u = Parameter(tenths((5, 3)), name="w"), Parameter(tenths(), name="u")
        self.many, self.named, self.pair = [tenths()], {"a": tenths()}, (tenths(),)
        self.weights = [Parameter(tenths(), name="p1")]
        self.tuple = ParameterTuple([Parameter(tenths(), name="p2")])
        self.register_buffer("buf", tenths())
        self.child, self.relu, self.mm, self.flag = Child(), nn.ReLU(), ops.MatMul(), True

    def construct(self, x, i):
        return getattr(self, self.case)(x, i)

    def written(self, x):
        y = x * 1
        y[0] = self.t[0]
        return y

    def mm_attr_case(self, x, i):
        return self.mm(self.t, self.w)

    def matmul_case(self, x, i):
        return ops.matmul(self.t, self.w)

    def add_attr_param_case(self, x, i):
        return self.t + self.u

    def mul_attr_x_case(self, x, i):
        return self.t * x

    def x_minus_attr_case(self, x, i):
        return x - self.t

    def exp_attr_case(self, x, i):
        return ops.exp(self.t)

    def one_hot_case(self, x, i):
        return ops.one_hot(i, 5, self.on, self.off)

    def onehot_case(self, x, i):
        return ops.OneHot()(i, 5, self.on, self.off)

    def made_tensor_case(self, x, i):
        return Tensor(0.1) + x

    def made_ones_case(self, x, i):
        return ops.ones((2, 5), ms.float32) * x

    def zeros_case(self, x, i):
        return ops.zeros((2, 5)) + self.u

    def full_case(self, x, i):
        return ops.full((2, 5), 0.1) * self.u

    def cast_number_case(self, x, i):
        return ops.cast(i, ms.float32) * 0.1

    def x32_case(self, x, i):
        return ops.cast(x, ms.float32) * self.t

    def bmm_case(self, x, i):
        return ops.BatchMatMul()(self.t.expand_dims(0), self.w.expand_dims(0))

    def select_case(self, x, i):
        return ops.select(self.t > 0, self.t, x)

    def concat_case(self, x, i):
        return ops.concat((self.t, x))

    def stack_case(self, x, i):
        return ops.stack((self.t, x))

    def where_case(self, x, i):
        return ops.where(self.t > 0, self.t, x)

    def masked_case(self, x, i):
        return ops.masked_fill(x, self.t > 0, self.on)

    def one_hot_product_case(self, x, i):
        return self.mm(ops.one_hot(i, 5, self.on, self.off), self.w)

    def softmax_case(self, x, i):
        return ops.softmax(self.t)

    def sum_case(self, x, i):
        return self.t.sum()

    def param_twice_case(self, x, i):
        return self.u * 2

    def arange_case(self, x, i):
        return ops.arange(5).astype(ms.float32) * self.u

    def addmm_case(self, x, i):
        return ops.addmm(self.t[:, :3], self.t, self.w)

    def cast_alone_case(self, x, i):
        return ops.cast(x, ms.float32)

    def float_times_case(self, x, i):
        return x.float() * 1

    def cast_reshape_case(self, x, i):
        return ops.cast(x, ms.float32).reshape(-1)

    def cast_slice_case(self, x, i):
        return ops.cast(x, ms.float32)[0]

    def attr_slice_case(self, x, i):
        return self.t[0]

    def attr_reshape_case(self, x, i):
        return self.t.reshape(-1)

    def attr_t_case(self, x, i):
        return self.t.T

    def global_case(self, x, i):
        return x * GLOBAL

    def global_exp_case(self, x, i):
        return ops.exp(GLOBAL)

    def list_attr_case(self, x, i):
        return x * self.many[0]

    def dict_attr_case(self, x, i):
        return x * self.named["a"]

    def tuple_attr_case(self, x, i):
        return x * self.pair[0]

    def list_param_case(self, x, i):
        return x * self.weights[0]

    def parametertuple_case(self, x, i):
        return x * self.tuple[0]

    def child_case(self, x, i):
        return self.child(x)

    def child_of_attr_case(self, x, i):
        return self.child(self.t)

    def function_case(self, x, i):
        return times_one(self.t)

    def element_case(self, x, i):
        return self.t[0, 0] * x

    def number_case(self, x, i):
        return x * 0.1

    def float64_case(self, x, i):
        return self.f64 * x

    def float64_exp_case(self, x, i):
        return ops.exp(self.f64)

    def int_case(self, x, i):
        return self.whole * x

    def buffer_case(self, x, i):
        return self.buf * x

    def zeros_like_case(self, x, i):
        return ops.zeros_like(x)

    def ones_like_attr_case(self, x, i):
        return ops.ones_like(self.t)

    def assign_case(self, x, i):
        return ops.assign(self.u, self.t)

    def write_case(self, x, i):
        return self.written(x)

    def comparison_case(self, x, i):
        return (self.t > 0.0999999).astype(ms.int32)

    def topk_case(self, x, i):
        return ops.topk(self.t, 1)[0]

    def split_case(self, x, i):
        return ops.split(self.t, 1)[0]

    def relu_case(self, x, i):
        return self.relu(self.t)

    def clip_case(self, x, i):
        return self.t.clip(0, 1)

    def expand_dims_case(self, x, i):
        return self.t.expand_dims(0)

    def branch_case(self, x, i):
        return (self.t if self.flag else x) * 1

    def shape_case(self, x, i):
        return x * self.t.shape[0]

    def cumsum_case(self, x, i):
        return ops.cumsum(self.t, 0)

    def power_case(self, x, i):
        return self.t**2

    def add_case(self, x, i):
        return ops.Add()(self.t, self.t)

    def mint_case(self, x, i):
        return mint.add(self.t, self.t)

    def method_case(self, x, i):
        return self.t.matmul(self.t.T)

    def norm_case(self, x, i):
        return ops.norm(self.t)

    def broadcast_case(self, x, i):
        return ops.broadcast_to(self.t, (2, 2, 5))

    def isfinite_case(self, x, i):
        return ops.isfinite(self.t * 1e5)


CASES = sorted(name for name in vars(Net) if name.endswith("_case"))


def outcome(mode, case):
    """[dtype, sum of the elements to five digits], or the exception's type."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        y = Net(case).to_float(ms.float16)(tenths(), Tensor([1, 0], ms.int32))
        return [str(y.dtype), round(float(y.asnumpy().astype(np.float64).sum()), 5)]
    except Exception as error:
        return ["!" + type(error).__name__]
