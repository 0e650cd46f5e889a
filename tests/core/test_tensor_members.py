"""Members of Tensor that tell of memory and compiler, Tensors without content, and the classes beside Tensor in mindspore.common."""

import abc
import copy
import pickle

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Symbol, Tensor, nn, ops
from mindspore.common import UntypedStorage, _Function, _NullType
from mindspore.common import dtype as mstype
from mindspore.common.initializer import One, initializer


def matrix():
    return Tensor(np.array([[1, 0], [0, 2]], np.float32))


# --- flags
def test_flags_of_a_plain_tensor_and_of_a_parameter():
    t, p = matrix(), Parameter(Tensor([1.0]), name="w")
    for x in (t, p):
        assert (x.init, x.init_finished, x.init_flag, x.const_arg, x.virtual_flag) == (None, True, False, False, False)
        assert x.parent_tensor_ is None and x.index_of_parent_ is None and x.hooks() == []
        x.set_init_flag(True)
        x.set_const_arg()
        assert x.init_flag and x.const_arg
    assert t.is_init() and t.param_info is None
    assert not p.is_init and p.param_info.name == "w" and p.param_info.requires_grad
    p.is_init = True
    assert p.is_init
    Tensor.set_param_info(t, p.param_info)
    assert t.param_info.name == "w"
    other = Parameter(Tensor([1.0]), name="v", requires_grad=False)
    p.param_info = other.param_info
    assert (p.name, p.requires_grad) == ("v", False)


def test_init_is_the_initializer_until_the_content_is_made():
    x = initializer(One(), [2], ms.float32)
    assert isinstance(x.init, One) and x.has_init
    assert x.init_data().asnumpy().tolist() == [1, 1] and x.init is None and not x.has_init
    x.init = 3  # scripts may use the name for themselves
    assert x.shape == (2,) and (x + 1).asnumpy().tolist() == [2, 2]


@pytest.mark.parametrize(
    ("number", "dtype"), [(False, ms.bool_), (True, ms.bool_), (3, ms.int32), (0.5, ms.float16)], ids=str
)
def test_a_number_for_an_initializer_is_the_content(mode, number, dtype):
    def made(x):
        return ms.ops.cast(Tensor(shape=x.shape, dtype=dtype, init=number), ms.float32) + x

    x = Tensor(shape=(2,), dtype=dtype, init=number)
    assert x.has_init and x.asnumpy().tolist() == [number] * 2 and x.dtype == dtype
    assert (ms.jit(made) if mode == "graph" else made)(Tensor([1.0, 2.0])).asnumpy().tolist() == [
        number + 1,
        number + 2,
    ]
    named = Tensor(shape=(2,), dtype=dtype, init="ones")  # which libraries make for its shape
    assert named.shape == (2,) and named.dtype == dtype and named.has_init
    with pytest.raises(TypeError, match="must be an instance of Initializer, but got str"):
        named.init_data()
    with pytest.raises(TypeError, match="must be an instance of Initializer, but got str"):
        named.asnumpy()


def test_a_tensor_whose_content_is_still_to_be_made_prints_so_and_may_be_told_to_make_it_after_it_did_so_itself():
    x = initializer(One(), [2], ms.float32)
    text = "Tensor(shape=[2], dtype=Float32, value=\n<uninitialized>)"
    assert str(x) == repr(x) == f"{x}" == text and x.has_init
    assert (x + 1).asnumpy().tolist() == [2, 2]
    assert x.init_data() is x and str(x) == "[1. 1.]"
    with pytest.raises(TypeError, match="content already"):
        x.init_data()


def test_hooks_are_listed_and_removed_by_their_number():
    t = matrix()
    double = t.register_hook(lambda g: g * 2)
    assert len(t.hooks()) == 1
    Tensor.remove_hook(double.id)
    Tensor.remove_hook(10**9)
    assert t.hooks() == []


# --- memory
def test_offload_writes_the_bytes(tmp_path):
    t = matrix()
    assert t.offload_file_path() == "" and t.offload("") is False
    path = str(tmp_path / "t.bin")
    assert t.offload(path) and t.offload_file_path() == path
    assert np.fromfile(path, np.float32).tolist() == [1, 0, 0, 2] and t.asnumpy()[1, 1] == 2
    with pytest.raises(RuntimeError, match="cannot be written"):
        t.offload(str(tmp_path / "no" / "t.bin"))


def test_a_released_tensor_says_so():
    t = matrix()
    with pytest.raises(ValueError, match="non_blocking"):
        t.delete_(1)
    assert t.delete_() is t and t.shape == (2, 2) and t.dtype == ms.float32
    with pytest.raises(ValueError, match="delete_"):
        t + 1
    t.data = Tensor([3.0])
    assert (t + 1).asnumpy().tolist() == [4]


def test_a_released_parameter_gets_new_content():
    p = Parameter(Tensor([1.0, 2.0]), name="p").delete_()
    with pytest.raises(ValueError, match="delete_"):
        p + 1
    assert p.set_data(Tensor([3.0, 4.0])).asnumpy().tolist() == [3, 4]


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.set_device_address(1, (2, 2), ms.float32),
        lambda t: Tensor.getitem_index_info(t, 0, True),
        lambda t: Tensor.setitem_index_info(t, 0, 1.0, True),
    ],
)
def test_addresses_and_kernels_are_refused(call):
    with pytest.raises(RuntimeError):
        call(matrix())


def test_assign_value_cpp():
    t = matrix()
    assert t.assign_value_cpp(Tensor(np.ones((2, 2), np.float32))) is t and t.asnumpy().sum() == 4


def test_untyped_storage():
    t = matrix()
    s = t.untyped_storage()
    assert isinstance(s, UntypedStorage) and (s.nbytes(), s.size(), len(s), s.element_size()) == (16, 16, 16, 1)
    assert s.dtype == ms.float32 and not s.is_shared() and s.data_ptr() == t.data_ptr() and isinstance(s.device, str)
    assert bytes(s) == t.asnumpy().tobytes()
    s.copy_(Tensor(np.full((4,), 5, np.float32)).storage())
    assert t.asnumpy().tolist() == [[5, 5], [5, 5]]
    assert s.resize_(8).size() == 8
    for call in (lambda: s.copy_(t), lambda: s.resize_("8"), lambda: UntypedStorage(3)):
        with pytest.raises(TypeError):
            call()
    for call in (lambda: s.copy_(Tensor([1.0]).storage()), lambda: s.resize_(-1)):
        with pytest.raises(ValueError):
            call()


# --- sparse forms and positions
def test_to_coo_and_to_csr():
    coo, csr = matrix().to_coo(), matrix().to_csr()
    assert coo.indices.asnumpy().tolist() == [[0, 0], [1, 1]] and coo.indices.dtype == ms.int32
    assert coo.values.asnumpy().tolist() == [1, 2] and coo.shape == (2, 2)
    assert csr.indptr.asnumpy().tolist() == [0, 1, 2] and csr.indices.asnumpy().tolist() == [0, 1]
    assert Parameter(matrix(), name="w").to_csr().to_dense().asnumpy().tolist() == [[1, 0], [0, 2]]
    assert Tensor(np.zeros((2, 2), np.float32)).to_coo().indices.shape == (0, 2)
    for bad in (Tensor([1.0]), Tensor(np.ones((2, 2, 2), np.float32))):
        with pytest.raises(ValueError):
            bad.to_coo()
        with pytest.raises(ValueError):
            bad.to_csr()


def test_to_coo_has_a_gradient():
    grad = ops.grad(lambda x: (x.to_coo().values ** 2).sum())(matrix())
    assert grad.asnumpy().tolist() == [[2, 0], [0, 4]]


def test_index():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert x.index([Tensor([0, 1]), Tensor([2, 0])]).asnumpy().tolist() == [2, 3]
    assert x.index((Tensor([1]),)).asnumpy().tolist() == [[3, 4, 5]]
    with pytest.raises(TypeError, match="tuple of Tensor"):
        x.index(Tensor(0))


# --- Tensors that describe inputs
def described():
    return Tensor(shape=[None, 3], dtype=ms.float32)


def test_a_described_input_shows_its_shape():
    x = described()
    assert (x.shape, x.ndim, x.size, x.nbytes, x.itemsize, x.has_init) == ((-1, 3), 2, 0, 0, 4, False)
    assert x.dtype == ms.float32 and repr(x) == "Tensor(shape=[-1, 3], dtype=Float32, value=\n)"
    assert repr(Tensor(shape=[None], dtype=ms.int32)) == "Tensor(shape=[-1], dtype=Int32, value= )"
    assert Tensor(shape=None, dtype=ms.float32).shape == Tensor(dtype=ms.float32).shape == (-2,)
    assert Tensor(shape=(-1, 4), dtype=ms.float16).shape == (-1, 4)


def test_a_described_input_is_copied_and_pickled():
    net = nn.Dense(3, 2)
    net.set_inputs(described())
    for x in (copy.deepcopy(net).get_inputs()[0], copy.copy(described()), pickle.loads(pickle.dumps(described()))):
        assert x.shape == (-1, 3)


def test_set_inputs_and_signatures_take_it(mode):
    net = nn.Dense(3, 2)
    net.set_inputs(described())
    net.compile(described())
    for rows in (1, 4):
        assert net(Tensor(np.ones((rows, 3), np.float32))).shape == (rows, 2)
    f = ms.jit(lambda x: x + 1, input_signature=described())
    assert f(Tensor(np.ones((2, 3), np.float32))).asnumpy().sum() == 12


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: ops.relu(x),
        lambda x: x.asnumpy(),
        lambda x: bool(x),
        lambda x: Parameter(x, name="p"),
        lambda x: Tensor(x),
        lambda x: np.asarray(x),
        lambda x: ms.jit(lambda y: y + 1)(x),
        lambda x: ops.grad(lambda y: y + 1)(x),
        lambda x: nn.Dense(3, 2)(x),
        str,
        lambda x: x.sum(),
        lambda x: ms.ops.stack([x, x]),
    ],
)
def test_computing_with_a_described_input_is_an_error(mode, use):
    with pytest.raises(ValueError, match="no content"):
        use(described())


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tensor(shape=[None, 3]),
        lambda: Tensor(shape=[None, 3], dtype=ms.float32, init=One()),
        lambda: Tensor(np.ones((2, 3), np.float32), shape=[None, 3]),
    ],
)
def test_unknown_axes_go_with_a_dtype_alone(make):
    with pytest.raises(ValueError):
        make()


def test_symbol():
    s, t = Symbol(max=32, unique=True), Symbol(divisor=8, remainder=1)
    assert s.to_dict() == {"max": 32, "id": s.id} and str(t) == "{'divisor': 8, 'remainder': 1}"
    x = Tensor(shape=(None, s, 3), dtype=ms.float32)
    assert x.shape == (-1, -1, 3) and x.symbolic_shape == [None, s.to_dict(), 3] and matrix().symbolic_shape == [2, 2]
    for kind, arguments in (
        (TypeError, {"max": 3.0}),
        (TypeError, {"unique": 1}),
        (ValueError, {"min": 0}),
        (ValueError, {"divisor": 0}),
        (ValueError, {"remainder": 1}),
    ):
        with pytest.raises(kind):
            Symbol(**arguments)


def test_null_type():
    assert isinstance(mstype._null, _NullType) and repr(_NullType()) == "mindspore.Null" and mstype._null == _NullType()


# --- _Function
class Product(_Function):
    """x * y with ten times the gradient for x."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y * 10, grad * x


class Times(_Function):
    """Two outputs, a number among the arguments, and setup_context."""

    @staticmethod
    def forward(x, n=5):
        return x * n, x + 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1]
        ctx.middle = output[0] * 1
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, first, second):
        return first * ctx.n + second * 100 + ctx.middle * 0, None


def two():
    return Tensor(np.array([1, 2], np.float32))


def test_function_with_its_own_backward(mode):
    x = two()
    assert Product.apply(x, x).asnumpy().tolist() == [1, 4]
    dx, dy = ops.grad(Product.apply, (0, 1))(x, x + 1)
    assert dx.asnumpy().tolist() == [20, 30] and dy.asnumpy().tolist() == [1, 2]
    p = Parameter(Tensor([2.0], ms.float32), name="p")
    assert ops.grad(lambda: Product.apply(p, p * 1), None, [p])()[0].asnumpy().tolist() == [22]


def test_function_with_setup_context_and_a_constant_output(mode):
    x = two()
    assert Times.apply(x)[0].asnumpy().tolist() == [5, 10]

    def total(x):
        first, second = Times.apply(x, 3)
        return first + second

    assert ops.grad(total)(x).asnumpy().tolist() == [3, 3]


def test_function_twice_differentiated(mode):
    class Square(_Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 2 * x

    assert ops.grad(ops.grad(lambda x: Square.apply(x)))(two()).asnumpy().tolist() == [2, 2]


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("zeros", [False, True])
def test_gradients_of_outputs_that_nobody_used(zeros, silent):
    """As recorded from MindSpore: None without materialized gradients; an output without a gradient calls no backward."""
    seen = []

    class Three(_Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(zeros)
            outs = x + 0, x * 2, x * 3
            if silent:
                ctx.mark_non_differentiable(outs[0])
            x.note = "kept"
            ctx.save_for_backward(x)
            return outs

        @staticmethod
        def backward(ctx, *grads):
            assert ctx.saved_tensors[0].note == "kept"
            seen.append([g if g is None else g.asnumpy().tolist() for g in grads])
            return two()

    for picked in range(3):
        ops.grad(lambda x, i=picked: Three.apply(x)[i])(two())
    unused = [0, 0] if zeros else None
    expected = [[[1, 1] if i == j else unused for i in range(3)] for j in range(3)]
    assert seen == expected[silent:]


def test_function_that_changes_its_argument(mode):
    class Increase(_Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.add_(1)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * 7

    def f(x):
        y = x * 1
        Increase.apply(y)
        return y * 2

    assert f(two()).asnumpy().tolist() == [4, 6]
    assert ops.grad(f)(two()).asnumpy().tolist() == [14, 14]


@pytest.mark.parametrize(
    "found, message",
    [
        ((Tensor([1.0]), Tensor([1.0])), "position: 1"),
        ((Tensor([1.0, 2.0, 3.0]),), "must return one gradient"),
        ((Tensor([1.0, 2.0, 3.0]), None), "broadcast"),
    ],
)
def test_function_with_a_wrong_backward(mode, found, message):
    class Wrong(_Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, grad):
            return found

    with pytest.raises(RuntimeError, match=message):
        ops.grad(lambda x: Wrong.apply(x, 3))(two())


def test_function_without_its_parts():
    class Forward(_Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    with pytest.raises(NotImplementedError, match="forward"):
        _Function.apply(two())
    with pytest.raises(NotImplementedError, match="backward"):
        ops.grad(Forward.apply)(two())
    with pytest.raises(TypeError, match="no keyword arguments"):
        Product.apply(two(), y=two())


# --- settings of Parameters, members of dtypes
def test_settings_of_parameters():
    p = Parameter(Tensor([1.0]), name="p")
    assert (p.layerwise_parallel, p.parallel_optimizer, p.comm_fusion, p.key, p.sliced, p.cache_enable) == (
        False,
        True,
        1,
        -1,
        False,
        False,
    )
    assert p.cache_shape == [] and not p.parallel_optimizer_comm_recompute
    p.comm_fusion, p.key, p.cache_shape, p.layerwise_parallel = 2, 5, (3, 4), True
    assert (p.comm_fusion, p.key, p.cache_shape, p.layerwise_parallel) == (2, 5, [3, 4], True)
    assert p.add_pipeline_stage(1) is None
    twin = copy.deepcopy(p)
    assert twin.comm_fusion == 2 and twin.layerwise_parallel


@pytest.mark.parametrize(
    "name, value, kind",
    [
        ("comm_fusion", 1.5, TypeError),
        ("comm_fusion", -1, ValueError),
        ("layerwise_parallel", 3, TypeError),
        ("parallel_optimizer", 3, TypeError),
        ("parallel_optimizer_comm_recompute", 3, TypeError),
        ("cache_enable", 3, TypeError),
        ("key", "a", TypeError),
        ("cache_shape", 3, TypeError),
    ],
)
def test_settings_of_parameters_are_checked(name, value, kind):
    with pytest.raises(kind, match=name):
        setattr(Parameter(Tensor([1.0]), name="p"), name, value)


def test_pipeline_stages_are_checked():
    for bad in ("a", -1):
        with pytest.raises(TypeError):
            Parameter(Tensor([1.0]), name="p").add_pipeline_stage(bad)


def test_members_of_number_types():
    """Values of MindSpore 2.10."""
    signed = {
        "bool_": False,
        "int8": True,
        "uint8": False,
        "float16": True,
        "complex64": True,
        "bfloat16": True,
        "int_": True,
    }
    assert {name: getattr(ms.dtype, name).is_signed for name in signed} == signed
    floats = {"float32": True, "bfloat16": True, "int8": False, "complex64": False, "bool_": False}
    assert {name: getattr(ms.dtype, name).is_floating_point for name in floats} == floats
    assert ms.complex64.is_complex and not ms.float32.is_complex and not ms.dtype.number.is_complex
    assert [t.to_complex() for t in (ms.float32, ms.bfloat16, ms.float64, ms.complex64)] == [
        ms.complex64,
        ms.complex64,
        ms.complex128,
        ms.complex64,
    ]
    assert [t.to_real() for t in (ms.complex64, ms.complex128, ms.float16, ms.int32)] == [
        ms.float32,
        ms.float64,
        ms.float16,
        ms.int32,
    ]
    for bad in (ms.float16, ms.int32, ms.bool_):
        with pytest.raises(TypeError, match="complex type"):
            bad.to_complex()


def test_number_types_are_made_by_bits():
    assert (
        ms.Int(32) is ms.int32
        and ms.dtype.Float(16) is ms.float16
        and ms.Int() == ms.int_
        and ms.dtype.Bool() is ms.bool_
    )
    assert pickle.loads(pickle.dumps(ms.Int(8))) is ms.int8
    with pytest.raises(RuntimeError):
        ms.Int(7)
    with pytest.raises(TypeError):
        ms.Int("a")


def test_tensor_and_abc_in_one_class():
    class Box(Tensor, abc.ABC):
        pass

    class Meta(type(Tensor), abc.ABCMeta):
        pass

    class Other(Tensor, metaclass=Meta):
        pass

    class Part(Tensor, abc.ABC):
        @abc.abstractmethod
        def part(self): ...

    assert isinstance(Box(1.0), Tensor) and isinstance(Other(1.0), Tensor)
    assert not isinstance(3, Tensor) and not isinstance(Tensor(1), Box)
    with pytest.raises(TypeError, match="Can't instantiate abstract class Part"):
        Part(1.0)
    with pytest.raises(TypeError, match="must be derived from Tensor"):
        Tensor.register(int)


def test_a_blank_name_is_none():
    """As in MindSpore 2.10: the Parameter gets a name of its own."""
    for blank in ("", "  ", None):
        assert Parameter(Tensor([1.0]), name=blank).name.startswith("Parameter")
    with pytest.raises(ValueError, match="should be 'string' or 'None'"):
        Parameter(Tensor([1.0]), name=3)


def test_no_other_parameter_is_made_by_init_data():
    p = ms.Parameter(initializer(One(), [2], ms.float32), name="p")
    assert p.inited_param is None and p.init_data() is p and p.inited_param is None
