"""What the tables of recorded cases do not show: wrong arguments, dtypes, chance, state, and what subclasses rely
on.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

IMAGE = "Tensor(np.ones((1, 3, 4, 4), np.float32))"
ROWS = "Tensor(np.ones((2, 3), np.float32))"
STEPS = "Tensor(np.ones((5, 2, 3), np.float32))"

WRONG = [
    [part.strip() for part in line.split(" |")]
    for line in f"""
nn.Dense(0, 3) | ValueError | 'in_channels' must be an int >= 1, but got '0'
nn.Dense(3.0, 3) | TypeError | 'in_channels' must be an int >= 1
nn.Dense(3, 3, has_bias=1) | TypeError | 'has_bias' must be a bool
nn.Dense(3, 3, activation=3) | TypeError | 'activation' must be str
nn.Dense(3, 3, activation='reluu') | KeyError | 'name' must be in
nn.Dense(3, 4, weight_init=Tensor(np.ones((3, 4), np.float32))) | ValueError | 'weight_init'
nn.Dense(4, 3)({ROWS}) | ValueError |
nn.Dense(3, 4)({ROWS}.astype(ms.float16)) | TypeError |
nn.Conv2d(3, 4, 3, padding=1) | ValueError | must be zero when 'pad_mode' is not 'pad'
nn.Conv2d(3, 4, 3, pad_mode='foo') | ValueError | 'pad_mode' must be one of 'valid', 'same', 'pad', but got 'foo'
nn.Conv2d(3, 4, 0) | ValueError | 'kernel_size' must be an int >= 1 or a tuple of 2 items
nn.Conv2d(3, 4, 3, group=2) | ValueError | divisible
nn.Conv2d(3, 4, 3, pad_mode='pad', padding=[1, 1]) | TypeError | 'padding' must be an int >= 0 or a tuple of 4 items
nn.Conv2d(3, 4, 3, pad_mode='pad', padding=(1, 1)) | ValueError | a tuple of 4 items
nn.Conv2d(2, 4, 3)({IMAGE}) | RuntimeError |
nn.Conv1d(3, 4, (3,)) | TypeError | 'kernel_size'
nn.Conv2dTranspose(3, 4, 3, output_padding=1)({IMAGE}) | ValueError | output_padding
nn.MaxPool2d(2, pad_mode='valid', padding=1) | ValueError | 'padding'
nn.MaxPool2d(0) | ValueError | 'kernel_size' must be an int >= 1
nn.MaxPool2d((2, 2, 2), pad_mode='pad') | ValueError | 'kernel_size' must be
nn.AvgPool2d(2, divisor_override=0) | ValueError | 'divisor_override'
nn.AdaptiveAvgPool1d(4)({STEPS}) | ValueError | divisible
nn.BatchNorm2d(0) | ValueError | 'num_features' must be an int >= 1
nn.BatchNorm2d(3, momentum=2.0) | ValueError | 'momentum'
nn.BatchNorm2d(3)({ROWS}) | ValueError | must have 4 dims
nn.BatchNorm2d(3, use_batch_statistics=1) | ValueError | 'use_batch_statistics'
nn.LayerNorm(3) | TypeError | 'normalized_shape' must be a tuple
nn.LayerNorm(()) | ValueError |
nn.GroupNorm(2, 3) | ValueError | 'num_channels' must be divided by 'num_groups'
nn.InstanceNorm2d(3, eps=1) | TypeError | 'eps'
nn.Dropout(p=1.0) | ValueError | 'p' must be a number in [0, 1) or None
nn.Dropout(1) | TypeError | 'keep_prob'
nn.Dropout(keep_prob=0.0) | ValueError | 'keep_prob' must be a float in (0, 1]
nn.Dropout1d(2.0) | ValueError | 'p' must be a float in [0, 1]
nn.Embedding(5.0, 2) | TypeError | 'vocab_size'
nn.Embedding(5, 2, padding_idx=5) | ValueError | 'padding_idx' must be in range
nn.EmbeddingLookup(5, 2, sparse=False) | ValueError | 'sparse' must be True
nn.Flatten(5)({ROWS}) | ValueError | out of range
nn.Hardtanh(1.0, 0.0) | ValueError | 'min_val'
nn.RReLU(0.5, 0.1) | ValueError | 'lower'
nn.PReLU(2, [0.1]) | ValueError | length
nn.PReLU(1, 'a') | TypeError | 'w'
nn.Softmax2d()({ROWS}) | ValueError | 3 or 4
nn.GELU(approximate=1) | TypeError | 'approximate' must be a bool
nn.Pad([(1, 1)]) | TypeError | 'paddings' must be a tuple
nn.Pad(((1, 1),), 'EDGE') | ValueError | 'mode' must be one of
nn.ReflectionPad2d(-1) | ValueError | >= 0
nn.ZeroPad2d('1') | TypeError | 'padding'
nn.LSTM(3, 0) | ValueError | 'hidden_size'
nn.LSTM(3, 4, dropout=1.0) | ValueError | 'dropout' must be a float in [0, 1)
nn.LSTM(3, 4)({STEPS}, Tensor(np.ones((1, 2, 4), np.float32))) | TypeError | 'hx'
nn.LSTM(3, 4)({STEPS}, None, Tensor([3], ms.int32)) | ValueError | seq_length must be equal
nn.RNN(3, 4, nonlinearity='sin') | ValueError | 'nonlinearity' must be in
nn.LSTMCell(3, 4, batch_size=2) | ValueError | nn.LSTM
nn.GRUCell(3, 4)({ROWS}, 1) | TypeError | 'hx' must be Tensor
nn.MultiheadAttention(4, 3) | ValueError | divisible
nn.TransformerEncoderLayer(4, 2, activation='tanh') | ValueError | relu/gelu
nn.TimeDistributed(1, 1) | TypeError | 'layer' must be a Cell or a Primitive
nn.TimeDistributed(nn.Dense(3, 2), 1)({ROWS}) | ValueError | a Tensor with at least 3 axes, but got a Tensor of shape (2, 3)
nn.Roll([1], [0, 1]) | ValueError | the same
nn.CentralCrop(2.0) | ValueError | 'central_fraction'
nn.SSIM(max_val=0) | ValueError | 'max_val'
nn.SSIM()(np.ones((1, 1, 16, 16), np.float32), {IMAGE}) | TypeError | must be a Tensor of float16 or float32, but got a NumPy array
nn.SSIM(filter_size=3)({IMAGE}, np.ones((1, 1, 4, 4), np.float32)) | TypeError | the 'img2' must be a Tensor, but got a NumPy array
nn.PSNR()(np.ones((1, 1, 4, 4), np.float32), {IMAGE}) | TypeError | the 'img1' must be a Tensor
nn.ChannelShuffle(0) | ValueError | 'groups' must be an int >= 1
nn.Range(1, 5, 0) | ValueError | 'delta' must be a number except 0
nn.BiDense(3, 3, 2)({ROWS}, {IMAGE}) | ValueError |
nn.L1Regularizer(-1) | ValueError | 'scale' must be
nn.SequentialCell(nn.Dense(3, 3), 1) | TypeError |
""".strip().split("\n")
]


@pytest.mark.parametrize("expression, error, text", WRONG, ids=[w[0] for w in WRONG])
def test_wrong_argument(expression, error, text):
    with pytest.raises(Exception) as caught:
        eval(expression)
    assert type(caught.value).__name__ == error, repr(caught.value)
    assert text in str(caught.value)


# --- containers
@pytest.mark.parametrize("container", [nn.CellList, nn.SequentialCell, tuple])
def test_a_tensor_chooses_a_cell_in_a_graph(container):
    """What MindSpore gives with CellList, a tuple and an index of int32."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            cells = (nn.ReLU(), nn.Sigmoid(), nn.Tanh())
            self.choices = container(cells) if container is not nn.SequentialCell else nn.SequentialCell(*cells)

        @ms.jit
        def construct(self, x, index):
            return self.choices[index](x)

    net, x = Net(), Tensor([-1.0, 2.0])
    with pytest.warns(RuntimeWarning, match="runs eagerly"):
        assert net(x, Tensor(0, ms.int32)).asnumpy().tolist() == [0.0, 2.0]
    assert np.allclose(net(x, Tensor(1, ms.int32)).asnumpy(), [0.26894155, 0.88079715], rtol=1e-6)
    assert np.allclose(net(x, Tensor(-1, ms.int32)).asnumpy(), [-0.7615942, 0.9640276], rtol=1e-6)
    with pytest.raises(IndexError):
        net(x, Tensor(5, ms.int32))


# --- dtypes
LAYERS = {  # with Parameters; the input of each
    "nn.Dense(3, 4)": (2, 3),
    "nn.Conv2d(3, 4, 3, has_bias=True)": (1, 3, 4, 4),
    "nn.Conv1d(3, 4, 3)": (1, 3, 4),
    "nn.Conv3d(2, 2, 2)": (1, 2, 3, 3, 3),
    "nn.Conv2dTranspose(3, 4, 2, 2)": (1, 3, 4, 4),
    "nn.BatchNorm2d(3)": (2, 3, 4, 4),
    "nn.BatchNorm1d(3)": (4, 3),
    "nn.LayerNorm((4,))": (3, 4),
    "nn.GroupNorm(2, 4)": (1, 4, 2, 2),
    "nn.PReLU(3)": (2, 3),
    "nn.LSTM(3, 4, 2, bidirectional=True)": (5, 2, 3),
    "nn.GRU(3, 4)": (5, 2, 3),
    "nn.RNN(3, 4)": (5, 2, 3),
    "nn.TransformerEncoderLayer(4, 2, 8)": (3, 2, 4),
    "nn.DenseBnAct(3, 4, has_bn=True, activation='relu')": (2, 3),
}


def made(expression, dtype=np.float32):
    return eval(expression), Tensor(np.random.RandomState(0).randn(*LAYERS[expression]).astype(dtype))


def first(out):
    return out[0] if isinstance(out, tuple) else out


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize("expression", LAYERS)
def test_to_float(expression, dtype):
    """Parameters stay float32 and the result is near that of float32."""
    net, x = made(expression)
    exact = first(net(x)).asnumpy()
    out = first(net.to_float(dtype)(x))
    assert all(p.dtype == ms.float32 for p in net.get_parameters())
    assert out.dtype == dtype or "Norm" in expression
    np.testing.assert_allclose(out.astype(ms.float32).asnumpy(), exact, atol=0.02 if dtype == ms.float16 else 0.1)


class Adds(nn.Cell):
    def construct(self, s, x):
        ops.assign_add(s, x)
        return s * 2


@pytest.mark.parametrize("trained", [True, False])
def test_to_float_casts_the_parameters_it_is_given(mode, trained):
    """As any Tensor, whether they are trained or not; in PYNATIVE_MODE what the Cell writes reaches them."""
    given = ms.Parameter(Tensor([[1.0, 2.0]]), requires_grad=trained)
    assert nn.MatMul().to_float(ms.float16)(given, Tensor([[3.0], [4.0]], ms.float16)).dtype == ms.float16
    assert Adds().to_float(ms.float16)(given, Tensor([[0.1, 0.1]])).dtype == ms.float16
    half = float(np.float16(0.1)) if mode == "pynative" else 0.0
    np.testing.assert_allclose(given.asnumpy(), [[1 + half, 2 + half]], atol=2e-3 * (half > 0))


@pytest.mark.parametrize("expression", LAYERS)
def test_converted_to_float16(expression):
    net, x = made(expression)
    net.to(ms.float16)
    assert {str(p.dtype) for p in net.get_parameters()} == {"Float16"}
    assert first(net(x.astype(ms.float16))).dtype == ms.float16


@pytest.mark.parametrize("expression", LAYERS)
def test_state_round_trip(expression):
    one, x = made(expression)
    two, _ = made(expression)
    two.load_state_dict({k: Tensor(v.asnumpy()) for k, v in one.state_dict().items()})
    assert list(one.parameters_dict()) == list(two.parameters_dict())
    np.testing.assert_array_equal(first(one(x)).asnumpy(), first(two(x)).asnumpy())


# --- chance
@pytest.mark.parametrize(
    "layer, shape",
    [
        ("nn.Dropout(p=0.3)", (200, 100)),
        ("nn.Dropout(0.7)", (200, 100)),
        ("nn.Dropout1d(0.3)", (2, 5000, 3)),
        ("nn.Dropout2d(0.3)", (2, 5000, 3, 1)),
        ("nn.Dropout3d(0.3)", (2, 5000, 3, 1, 1)),
    ],
)
def test_dropout(layer, shape, mode):
    net, x = eval(layer), Tensor(np.ones(shape, np.float32))
    assert net(x) is x or np.array_equal(net(x).asnumpy(), x.asnumpy())
    net.set_train()
    out = net(x).asnumpy()
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.7)}
    assert abs((out == 0).mean() - 0.3) < 0.03
    assert not np.array_equal(out, net(x).asnumpy())
    ms.set_seed(7)
    once = net(x).asnumpy()
    ms.set_seed(7)
    np.testing.assert_array_equal(once, net(x).asnumpy())
    if len(shape) > 2:
        per_channel = (out == 0).reshape(*shape[:2], -1)
        assert (per_channel.all(2) | ~per_channel.any(2)).all()


def test_random_relu():
    x = Tensor(np.full((1000,), -2.0, np.float32))
    out = nn.RReLU(0.1, 0.4)(x).asnumpy() / -2
    assert 0.1 <= out.min() < 0.12 and 0.38 < out.max() <= 0.4 and abs(out.mean() - 0.25) < 0.02
    np.testing.assert_array_equal(nn.RReLU()(-x).asnumpy(), (-x).asnumpy())


def test_dropout_gradient_has_the_mask_of_the_forward():
    net = nn.Dropout(p=0.5).set_train()
    out, grad = ops.value_and_grad(lambda x: (lambda y: (y.sum(), y))(net(x)), has_aux=True)(
        Tensor(np.ones((50, 50), np.float32))
    )
    np.testing.assert_array_equal(out[1].asnumpy(), grad.asnumpy())


def test_batch_norm_statistics_do_not_train():
    net = nn.BatchNorm2d(2).set_train()
    x = Tensor(np.random.RandomState(0).randn(4, 2, 3, 3).astype(np.float32))
    assert [p.name for p in net.trainable_params()] == ["gamma", "beta"]
    ops.grad(lambda x: net(x).sum())(x)
    once = net.moving_mean.asnumpy().copy()
    np.testing.assert_allclose(once, 0.1 * x.asnumpy().mean((0, 2, 3)), rtol=1e-5, atol=1e-7)
    net.set_train(False)
    net(x)
    np.testing.assert_array_equal(net.moving_mean.asnumpy(), once)


# --- what subclasses of users call
class Standardized(nn.Conv2d):
    def construct(self, x):
        weight = (self.weight - self.weight.mean((1, 2, 3), keep_dims=True)) / 2
        return self.bias_add(self.conv2d(x, weight), self.bias)


class Halved(nn.Dense):
    def construct(self, x):
        return self.bias_add(self.matmul(x, self.weight / 2), self.bias)


def test_operators_that_layers_serve(mode):
    conv = Standardized(3, 4, 3, has_bias=True)
    x = Tensor(np.random.RandomState(0).randn(1, 3, 5, 5).astype(np.float32))
    weight = (conv.weight - conv.weight.mean((1, 2, 3), keep_dims=True)) / 2
    np.testing.assert_allclose(
        conv(x).asnumpy(), ops.conv2d(x, weight, conv.bias, pad_mode="same").asnumpy(), rtol=1e-5, atol=1e-6
    )
    dense, rows = Halved(3, 4), Tensor(np.ones((2, 3), np.float32))
    np.testing.assert_allclose(
        dense(rows).asnumpy(), ops.dense(rows, dense.weight / 2, dense.bias).asnumpy(), rtol=1e-6
    )


class OwnMatmul(nn.Dense):
    """An attribute of the base's name takes its place, also as a Cell or a Parameter."""

    def __init__(self):
        super().__init__(3, 3)
        self.matmul = nn.Identity()
        self.reshape = 3

    def construct(self, x):
        return self.matmul(x) * self.reshape


def test_a_subclass_may_take_the_names():
    np.testing.assert_array_equal(
        OwnMatmul()(Tensor(np.ones((1, 3), np.float32))).asnumpy(), np.full((1, 3), 3, np.float32)
    )


def test_initial_values_follow_the_seed_of_numpy():
    """Each random initializer takes one number of NumPy's stream: a script's later draws are those of MindSpore."""
    np.random.seed(3)
    nn.Dense(4, 5)
    after = np.random.rand()
    np.random.seed(3)
    np.random.randint(1, 1 << 63, dtype=np.int64), np.random.randint(1, 1 << 63, dtype=np.int64)
    assert np.random.rand() == after
    bound = 1 / np.sqrt(400)
    assert abs(nn.Dense(400, 300).weight.asnumpy()).max() <= bound
    np.testing.assert_allclose(nn.Dense(400, 300).weight.asnumpy().std(), bound / np.sqrt(3), rtol=0.02)


# --- services of Cell
class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)
        self.register_buffer("count", Tensor(0, ms.float32))
        self.register_buffer("scratch", Tensor([1.0]), persistent=False)

    def construct(self, x):
        self.count = self.count + 1
        self.scratch *= 2
        return self.dense(x) * self.count


def test_buffers(mode):
    net, x = Counting(), Tensor(np.ones((1, 2), np.float32))
    net(x)
    ops.value_and_grad(lambda x: net(x).sum())(x)
    assert float(net.count) == 2 and float(net.scratch) == 4
    assert [n for n, _ in net.named_buffers()] == ["count", "scratch"]
    assert list(net.state_dict()) == ["count", "dense.weight", "dense.bias"]
    assert [p.name for p in net.get_parameters()] == ["dense.weight", "dense.bias"]
    assert repr(net.count) == repr(Tensor(2.0)) and net.get_buffer("count") is net.count
    net.count = Tensor(5, ms.float32)
    other = Counting()
    assert repr(other.load_state_dict(net.state_dict())) == "<All keys matched successfully>"
    np.testing.assert_array_equal(other(x).asnumpy(), net(x).asnumpy())


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda n: n.register_buffer("dense", Tensor(1)), KeyError, "already exists"),
        (lambda n: n.register_buffer("a.b", Tensor(1)), KeyError, "can not contain"),
        (lambda n: n.register_buffer("a", 1), TypeError, "Tensor"),
        (lambda n: n.get_buffer("dense"), AttributeError, "not a buffer"),
        (lambda n: n.get_sub_cell("dense.x"), AttributeError, "no attribute `x`"),
        (lambda n: n.load_state_dict(3), TypeError, "mapping"),
        (lambda n: n.load_state_dict({}), RuntimeError, 'Missing key(s) in state_dict: "count"'),
        (lambda n: n.load_state_dict({"x": Tensor(1)}), RuntimeError, 'Unexpected key(s) in state_dict: "x"'),
        (
            lambda n: n.load_state_dict({**n.state_dict(), "dense.bias": Tensor([1.0])}),
            RuntimeError,
            "size mismatch for dense.bias",
        ),
        (lambda n: n.to(ms.int32), TypeError, "floating point"),
        (lambda n: setattr(n, "pipeline_stage", -1), ValueError, "less than 0"),
        (lambda n: setattr(n, "bprop_debug", 1), TypeError, "bool"),
        (lambda n: n.set_inputs(1, x=2), ValueError, "both"),
        (lambda n: n.offload("Never"), ValueError, "Auto"),
        (lambda n: n.get_func_graph_proto(), RuntimeError, "explain"),
    ],
)
def test_service_errors(call, error, text):
    with pytest.raises(error) as caught:
        call(Counting())
    assert text in str(caught.value)


def test_a_failed_load_changes_nothing_of_what_it_refused():
    net = Counting()
    before = net.dense.bias.asnumpy().copy()
    with pytest.raises(RuntimeError):
        net.load_state_dict({**net.state_dict(), "dense.bias": Tensor([1.0])})
    np.testing.assert_array_equal(net.dense.bias.asnumpy(), before)


def test_state_hooks():
    net, seen = Counting(), []
    handle = net.register_state_dict_post_hook(lambda cell, state, prefix, meta: seen.append(len(state)))
    net.register_load_state_dict_pre_hook(lambda cell, state, *rest: state.setdefault("count", Tensor(9, ms.float32)))
    state = net.state_dict()
    handle.remove()
    net.state_dict()
    assert seen == [3]
    del state["count"]
    net.load_state_dict(state)
    assert float(net.count) == 9


def test_compile_and_settings():
    net, x = Counting(), Tensor(np.ones((1, 2), np.float32))
    net.compile(x)
    assert net.compiled and float(net.count) == 0
    assert net.compile_and_run(x).shape == (1, 2) and float(net.count) == 1
    net.set_inputs(x)
    assert net.get_inputs() == (x,)
    net.update_cell_prefix()
    assert net.dense.param_prefix == "dense"
    net.generate_scope()
    assert net.dense.get_scope() == "Default/dense-Dense"
    net.pipeline_stage = 2
    assert net.pipeline_stage == 2 and not net.bprop_debug
    assert list(net.parameters_broadcast_dict()) == ["dense.weight", "dense.bias"]


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(2.0), name="w")

    def construct(self, x):
        return x * self.weight


def test_parameter_forward_hook():
    net = Scaled()
    net.register_parameter_forward_hook([{"params": [net.weight], "hook": lambda p: p * 10}])
    out, grad = ms.jit(ms.value_and_grad(net))(Tensor(3.0))
    assert (float(out), float(grad), float(net.weight)) == (60, 20, 2)


class Watched(nn.Cell):
    """A backward that writes a Parameter, as the layers of `nn.thor` do."""

    def __init__(self):
        super().__init__()
        self.seen = Parameter(Tensor([0.0, 0.0]), name="seen", requires_grad=False)
        self.watch = ops.InsertGradientOf(self.note)

    def note(self, gradient):
        self.seen = gradient * 2
        return gradient

    def construct(self, x):
        return (self.watch(x) * Tensor([3.0, 4.0])).sum()


def test_a_backward_may_write_parameters(mode):
    net = Watched()
    ms.jit(ops.grad(net))(Tensor([1.0, 1.0])) if mode == "graph" else ops.grad(net)(Tensor([1.0, 1.0]))
    np.testing.assert_array_equal(net.seen.asnumpy(), [6, 8])


def test_a_number_passes_through_the_operator_that_changes_gradients():
    """As MindSpore 2.10 does: a value that is no Tensor has no gradient."""
    halved = ops.InsertGradientOf(lambda gradient: gradient / 2)
    assert halved(2) == 2 and type(halved(2.0)) is float and ms.jit(lambda x: halved(x) * 3)(2.0) == 6
    all_of = ops.GradOperation(get_all=True)
    assert all_of(lambda x, y: halved(x) * y)(1.5, 2) == ()
    assert all_of(lambda x, y: halved(x) * y)(Tensor(1.0), 2.0) == (1.0,)


def test_parameters_in_lists_of_a_cell_have_different_names():
    def parameter(name="p"):
        return Parameter(Tensor(1.0), name=name)

    net = nn.Cell()
    shared = parameter("shared")
    net.first, net.again, net.mixed = [shared, shared], (shared,), [1, parameter("shared")]
    net.unnamed = [Parameter(Tensor(1.0)), Parameter(Tensor(1.0))]
    with pytest.raises(ValueError, match="its name 'p' already exists"):
        net.two = [parameter(), parameter()]
    with pytest.raises(ValueError, match="its name 'shared' already exists"):
        net.other = (parameter("shared"),)
    nn.Cell().other = (parameter("shared"),)


@pytest.mark.parametrize(
    "layer, x",
    [
        ("nn.DenseThor(2, 3)", Tensor(np.ones((4, 2), np.float32))),
        ("nn.Conv2dThor(2, 3, 3)", Tensor(np.ones((2, 2, 4, 4), np.float32))),
        ("nn.EmbeddingThor(5, 2)", Tensor([[1, 2], [1, 4]], ms.int32)),
    ],
)
def test_factors_of_thor(layer, x, mode):
    net = eval(layer)
    weights = list(net.trainable_params())
    ms.jit(ops.grad(lambda x: net(x).sum(), None, weights))(x) if mode == "graph" else ops.grad(
        lambda x: net(x).sum(), None, weights
    )(x)
    found = {p.name: p.asnumpy() for p in net.untrainable_params()}
    np.testing.assert_allclose(found["matrix_g"], np.ones_like(found["matrix_g"]), rtol=1e-6)
    assert found["matrix_a"].sum() > 0


def test_no_float64_in_a_float32_layer():
    """Nothing becomes 64-bit by accident."""
    for expression in LAYERS:
        net, x = made(expression)
        net.set_train()
        grads = ops.grad(lambda x, net=net: first(net(x)).sum(), None, list(net.trainable_params()))(x)
        assert {str(g.dtype) for g in grads} == {"Float32"}, expression


@pytest.mark.parametrize("extra, zeros", [(False, False), (True, True)])
def test_attention_as_a_function_of_its_weights(extra, zeros):
    from mindspore.ops.function.nn_func import (
        _in_projection,
        _in_projection_packed,
        _inner_dropout,
        _inner_pad,
        multi_head_attention_forward,
    )

    net = nn.MultiheadAttention(8, 4, add_bias_kv=extra, add_zero_attn=zeros).set_train(False)
    rng = np.random.default_rng(0)
    q, k, v = (Tensor(rng.normal(size=(n, 2, 8)).astype(np.float32)) for n in (5, 7, 7))
    padding = Tensor(np.arange(7) > [[6], [4]])
    arguments = (
        net.in_proj_weight,
        net.in_proj_bias,
        net.bias_k,
        net.bias_v,
        zeros,
        0.0,
        net.out_proj.weight,
        net.out_proj.bias,
    )
    out, weights = multi_head_attention_forward(q, k, v, 8, 4, *arguments, training=False, key_padding_mask=padding)
    for got, want in zip((out, weights), net(q, k, v, padding)):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-6, atol=1e-7)
    parts, biases = ops.split(net.in_proj_weight, 8), ops.split(net.in_proj_bias, 8)
    for packed, single in zip(
        _in_projection_packed(q, k, v, net.in_proj_weight, net.in_proj_bias, False, False),
        _in_projection(q, k, v, *parts, *biases),
    ):
        np.testing.assert_allclose(packed.asnumpy(), single.asnumpy(), rtol=1e-6, atol=1e-7)
    for shared, apart in zip(
        _in_projection_packed(k, k, k, net.in_proj_weight, net.in_proj_bias, True, True),
        _in_projection(k, k, k, *parts, *biases),
    ):
        np.testing.assert_allclose(shared.asnumpy(), apart.asnumpy(), rtol=1e-6, atol=1e-7)
    assert _inner_pad(padding, (0, 1)).asnumpy()[:, 7:].tolist() == [[False], [False]] and _inner_pad(
        q, (0, 1)
    ).shape == (5, 2, 9)
    assert _inner_dropout(q, 0.5, False) is q and (_inner_dropout(q, 0.5, True).asnumpy() == 0).any()
    dropped = multi_head_attention_forward(q, k, v, 8, 4, *arguments[:5], 0.5, *arguments[6:])[1].asnumpy()
    assert (dropped == 0).any() and dropped.shape == weights.shape
    with pytest.raises(ValueError, match="in_proj_weight"):
        multi_head_attention_forward(q, k, v, 8, 4, None, *arguments[1:])


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_slots_of_a_cell_are_attributes(mode):
    class Net(nn.Cell):
        __slots__ = ("rate", "fc", "w")

        def __init__(self):
            super().__init__()
            self.rate, self.fc, self.w = 3, nn.Dense(2, 2), ms.Parameter(Tensor([1.0, 2.0]), name="w")

        def construct(self, x):
            return self.fc(x) * 0 + self.w * self.rate

    ms.set_context(mode=mode)
    net = Net()
    assert [p.name for p in net.get_parameters()] == ["w", "fc.weight", "fc.bias"]
    x = Tensor([[1.0, 1.0]])
    assert net(x).asnumpy().tolist() == [[3, 6]]
    net.rate = 5
    assert net(x).asnumpy().tolist() == [[5, 10]]
    del net.rate
    assert not hasattr(net, "rate")


@pytest.mark.parametrize("name", ["cells", "construct", "parameters_dict", "to_float", "cls_name", "phase"])
def test_a_cell_is_not_named_as_a_member_of_the_class(name):
    """As recorded from MindSpore 2.10; the class's member would hide the Cell."""
    with pytest.raises(KeyError, match="already exists"):
        setattr(nn.Cell(), name, nn.ReLU())


def test_a_tensor_that_is_a_buffer_by_itself():
    from mindspore.common.parameter import _Buffer

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = _Buffer(Tensor([1.0, 2.0]))
            self.scratch = _Buffer(Tensor([3.0]), persistent=False)

        def construct(self, x):
            return x * self.kept + self.scratch

    net = Net()
    assert [name for name, _ in net.named_buffers()] == ["kept", "scratch"] and list(net.state_dict()) == ["kept"]
    assert net(Tensor([1.0, 1.0])).asnumpy().tolist() == [4.0, 5.0] and not net.trainable_params()
    assert isinstance(_Buffer(Tensor(1)), _Buffer) and not isinstance(Tensor(1), _Buffer)
    for wrong, error in ((None, ValueError), (1, TypeError)):
        with pytest.raises(error):
            _Buffer(wrong)


@pytest.mark.parametrize(
    "source, expected",
    [
        ("d.pop('a').cls_name, list(d)", ("ReLU", ["b"])),
        ("d.__delitem__('a'), len(d), d.clear(), len(d)", (None, 1, None, 0)),
        (
            "d.update({'c': nn.Tanh()}), d.update(nn.CellDict({'e': nn.GELU()})), [*d]",
            (None, None, ["a", "b", "c", "e"]),
        ),
        ("d.pop('zz')", KeyError),
        ("d.__setitem__('x', 3)", TypeError),
        ("d.__setitem__('x.y', nn.ReLU())", KeyError),
        ("d.update([1, 2])", TypeError),
        ("n.check_names(), n.check_names_and_refresh_name(), n.apply(lambda c: c) is n", (None, None, True)),
        ("n.bias.__setattr__('name', 'weight'), n.check_names()", ValueError),
        ("n.set_boost('less_bn') is n", True),
        ("o.unique, o.target", (True, "CPU")),
        ("o.__setattr__('unique', False), o.__setattr__('target', 'CPU'), o.unique", (None, None, False)),
        ("o.__setattr__('target', 'X')", ValueError),
        ("o.__setattr__('unique', 1)", TypeError),
        ("t.set_sense_scale(Tensor([8.0])), t.scale_sense.asnumpy().tolist()", (None, [8.0])),
        ("nn.TrainOneStepWithLossScaleCell(n, o, 3)", TypeError),
        ("nn.L1Regularizer(0.5)(Tensor([1, -2])).item()", 1.5),
        ("nn.Unflatten(0, (2, 2))(Tensor([1, 2, 3]))", ValueError),
        ("d.update([['c', nn.CellList([n])]])", TypeError),
        ("d.update({'c': nn.SequentialCell(n)})", TypeError),
        ("d.__setitem__('c', nn.CellDict())", TypeError),
        ("nn.CellList([n]).__setitem__(0, 3)", AttributeError),
        ("nn.SequentialCell([n]).__setitem__(0, 3)", TypeError),
        ("nn.CellList([n]).append(3)", TypeError),
    ],
)
def test_what_cells_and_optimizers_keep(source, expected):
    n = nn.Dense(2, 2)
    o = nn.Adam(n.trainable_params())
    t = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(n, nn.MSELoss()), o, Tensor([4.0]))
    names = {"nn": nn, "Tensor": Tensor, "n": n, "o": o, "t": t, "d": nn.CellDict({"a": nn.ReLU(), "b": nn.Tanh()})}
    if isinstance(expected, type):
        with pytest.raises(expected):
            eval(source, names)
        return
    assert eval(source, names) == expected


# --- set_grad
@pytest.mark.parametrize("order", ["one by one", "losses first", "the other gradient first"])
def test_after_set_grad_a_network_runs_once_for_loss_and_gradient(order):
    """BatchNorm's statistics after two steps, as recorded from MindSpore in PYNATIVE_MODE; other networks may run in between."""

    class Loss(nn.Cell):
        def __init__(self, norm, scale):
            super().__init__()
            self.norm, self.scale = norm, scale

        def construct(self, x):
            return self.norm(x * self.scale).sum()

    norm = nn.BatchNorm1d(2, momentum=0.5)
    first, second = Loss(norm, 1.0), Loss(norm, 3.0)
    gradient = ops.GradOperation(get_by_list=True)
    x = Tensor([[1.0, 2.0], [3.0, 6.0]])
    for net in (first, second):
        net.set_train().set_grad()
    for _ in range(2):
        if order == "one by one":
            for net in (first, second):
                net(x)
                gradient(net, norm.trainable_params())(x)
        else:
            first(x), second(x)
            for net in (first, second) if order == "losses first" else (second, first):
                gradient(net, norm.trainable_params())(x)
    assert norm.moving_mean.asnumpy().tolist() == [4.375, 8.75]


@pytest.mark.parametrize("pool", ["MaxPool1d", "MaxPool2d", "MaxPool3d"])
def test_pools_of_bool_are_told_in_words_of_ours(pool, mode):
    x = Tensor(np.ones((1, 2, *(4,) * int(pool[-2])), bool))
    with pytest.raises(TypeError, match="the type must be one of numbers, but got bool"):
        getattr(nn, pool)(2)(x)


def test_a_child_that_was_taken_away_stands_in_no_ones_way(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.skip = nn.Dense(2, 2), nn.Dense(2, 2)
            self.several = [nn.Dense(2, 2), nn.ReLU()]  # in a list, its Cells are looked for among all children
            self.skip = None

        def construct(self, x):
            x = self.first(x)
            for layer in self.several:
                x = layer(x)
            return x

    net = nn.SequentialCell(Net(), nn.ReLU())
    assert net(Tensor(np.ones((3, 2), np.float32))).shape == (3, 2)
