"""Names of MindSpore's graph compiler: what they mean in eager code, and that the others say why they cannot run."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops._grad_experimental.grad_base import bprop_getters, get_bprop_fn


def vector(*values):
    return Tensor(np.array(values, np.float32))


class Scaled(ops.PrimitiveWithInfer):
    def __init__(self):
        super().__init__("Scaled")

    def __call__(self, x):
        return x * 3


def test_a_registered_gradient_of_an_own_primitive():
    """In MindSpore's PYNATIVE_MODE such a Primitive is what its __call__ does, whatever gradient is registered."""

    @bprop_getters.register(Scaled)
    def gradient_of_scaled(self):
        return lambda x, out, dout: (dout * 100,)

    assert get_bprop_fn("Scaled")(1, 2, 3) == (300,) and bprop_getters["Scaled"] is gradient_of_scaled
    assert get_bprop_fn(id(Scaled), True) is gradient_of_scaled and get_bprop_fn("unknown") is None
    assert ms.grad(lambda x: Scaled()(x))(vector(2)).asnumpy().tolist() == [3]


def test_the_names_are_in_their_modules():
    assert C.zip_operation is ops.zip_operation and F.environ_set is ops.environ_set and ops.Tensor is Tensor
    assert C.env_get is ops.env_get and ops.function.reshape_ is ops.reshape_ and ops.operations.GetNext is ops.GetNext


# --- environments
def test_an_environment_never_changes():
    empty = ops.environ_create()
    one = ops.environ_set(empty, "w", vector(1))
    two = ops.environ_set(one, "w", vector(2))
    assert len(empty) == 0 and "w" in one and "Environment" in repr(one)
    assert [ops.environ_get(e, "w", vector(9)).asnumpy()[0] for e in (empty, one, two)] == [9, 1, 2]


def test_environments_are_added_up():
    a = ops.environ_set(ops.environ_set(ops.environ_create(), "w", vector(1)), "x", vector(5))
    b = ops.environ_set(ops.environ_create(), "w", vector(2))
    both = ops.environ_add(a, b)
    assert ops.environ_get(both, "w", None).asnumpy() == 3 and ops.environ_get(both, "x", None).asnumpy() == 5


def test_parameters_are_keys():
    p, q = Parameter(vector(1), name="w"), Parameter(vector(1), name="w")
    env = ops.environ_set(ops.environ_create(), ops.ref_to_embed(p), vector(3))
    p.set_data(vector(7))
    assert ops.env_get(env, p).asnumpy() == 3 and ops.env_get(env, q).asnumpy() == 0
    assert (
        ops.embed(p) == ops.RefToEmbed()(p) and "w" in repr(ops.embed(p)) and "shape (1,)" in repr(ops.embed(vector(1)))
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.environ_get({}, "w", 0),
        lambda: ops.environ_set(3, "w", 0),
        lambda: ops.ref_to_embed(3),
        lambda: ops.environ_add(ops.environ_create(), {}),
    ],
)
def test_wrong_environments(call):
    with pytest.raises(TypeError):
        call()


# --- iteration
def test_iteration():
    assert ops.zip_operation((1, 2), [3, 4, 5]) == ((1, 3), (2, 4)) and ops.zip_operation() == ()
    assert ops.iter_converter({"a": 1, "b": 2}) == ("a", "b") and ops.iter_converter((1,)) == (1,)
    assert ops.ms_hasnext((1,)) and not ops.ms_hasnext(()) and ops.ms_next("abc") == ("a", "bc")
    found, rest = [], ops.iter_converter(vector(1, 2, 3))
    while ops.ms_hasnext(rest):
        first, rest = ops.ms_next(rest)
        found.append(float(first))
    assert found == [1, 2, 3]
    with pytest.raises(IndexError):
        ops.ms_next(())
    for call in (lambda: ops.iter_converter(3), lambda: ops.ms_next(Tensor(1)), lambda: ops.zip_operation((1,), 2)):
        with pytest.raises(TypeError):
            call()


def test_switch_layer(mode):
    layers = (nn.ReLU(), ops.neg)
    x = vector(-2)
    assert ops.switch_layer(0, layers)(x).asnumpy() == 0 and ops.switch_layer(Tensor(-1), layers)(x).asnumpy() == 2
    with pytest.raises(IndexError):
        ops.switch_layer(2, layers)


def test_slice_get_item():
    assert [ops.SliceGetItem(slice(1, 2, 3), n) for n in ("start", "stop", "step")] == [1, 2, 3]
    with pytest.raises(TypeError):
        ops.SliceGetItem(slice(1), "begin")


# --- predicates, shapes, numbers: values of MindSpore 2.10
def test_everything_is_known():
    assert not ops.is_sequence_shape_unknown((1, 2)) and not ops.is_sequence_value_unknown((1, 2))
    assert not ops.is_dynamic_sequence_element_unknown(ms.mutable((1, 2), True))
    with pytest.raises(TypeError):
        ops.is_dynamic_sequence_element_unknown((1, 2))


def test_is_tensor_bool_cond():
    assert ops.is_tensor_bool_cond(Tensor(True)) and ops.is_tensor_bool_cond(vector(0))
    with pytest.raises(ValueError, match=r"of shape \(\) or \(1,\)"):
        ops.is_tensor_bool_cond(vector(1, 2))
    with pytest.raises(TypeError):
        ops.is_tensor_bool_cond(True)


@pytest.mark.parametrize("axis, expected", [((), (1, 1, 1)), ((-1, 0), (1, 3, 1)), (1, (2, 1, 4))])
def test_reduced_shape(axis, expected):
    assert ops.reduced_shape((2, 3, 4), axis) == expected
    with pytest.raises(ValueError):
        ops.reduced_shape((2, 3, 4), 5)


@pytest.mark.parametrize(
    "x, y, expected",
    [
        ((2, 3), (3,), ((), (0,))),
        ((2, 3), (2, 3), ((), ())),
        ((1, 1), (1, 1), ((), ())),
        ((), (2, 3), ((0, 1), ())),
        ((4, 1, 3), (2, 1), ((1,), (0, 2))),
        ((1, 3, 1), (3, 1), ((0, 2), (0, 2))),
        ((1, 3, 1), (3, 4), ((0, 2), (0,))),
        ((2, 1, 1), (2, 1, 5), ((1, 2), (1,))),
        ((2, 1, 1), (1,), ((1, 2), (0, 1, 2))),
    ],
)
def test_broadcast_gradient_args(x, y, expected):
    assert ops.broadcast_gradient_args(x, y) == expected


def test_broadcast_gradient_args_of_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="Not compatible"):
        ops.broadcast_gradient_args((2,), (3,))


def test_numbers_and_views():
    assert ops.array_to_scalar(Tensor(3)) == 3 and isinstance(ops.array_to_scalar(Tensor(3)), int)
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert ops.reshape_(x, (6,)).shape == (6,) and x.shape == (2, 3)
    assert ops.tensor_slice(x, (0, 1), (1, 2)).asnumpy().tolist() == [[1, 2]]
    assert ops.grad(lambda x: ops.reshape_(x, (6,))[2])(x).asnumpy().tolist() == [[0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    "name, number",
    [
        ("bool_", 30),
        ("int8", 32),
        ("int64", 35),
        ("uint8", 37),
        ("float16", 42),
        ("float32", 43),
        ("float64", 44),
        ("bfloat16", 45),
        ("complex64", 51),
        ("complex128", 52),
        ("string", 12),
        ("tensor_type", 17),
        ("number", 11),
        ("type_none", 7),
        ("int_", 31),
    ],
)
def test_dtype_to_enum(name, number):
    assert ops.DtypeToEnum()("op", "x", getattr(ms.dtype, name)) == number


def test_dtype_to_enum_of_something_else():
    with pytest.raises(TypeError, match="For 'cast', the input 'dtype'"):
        ops.DtypeToEnum()("cast", "dtype", 3)


# --- functions of functions
def test_recompute_block(mode):
    cell = nn.Dense(2, 2)
    x = Tensor(np.ones((1, 2), np.float32))
    plain = ops.grad(lambda x: cell(x).sum())(x)
    assert np.allclose(ops.grad(lambda x: ops.recompute_block(cell)(x).sum())(x).asnumpy(), plain.asnumpy())
    assert ops.recompute_block(ops.square)(vector(3)).asnumpy() == 9
    with pytest.raises(TypeError):
        ops.recompute_block(3)


def test_add_attr():
    f = ops._add_attr(lambda x: x + 1, stage=1)
    assert f(vector(1)).asnumpy() == 2 and f.attrs == {"stage": 1}
    for bad in (3, ops.ReLU()):
        with pytest.raises(TypeError):
            ops._add_attr(bad)


def test_ms_pyfunc():
    @ops._ms_pyfunc(lambda x: x)
    def double(x):
        return x * 2

    assert isinstance(double, ops.Primitive) and double(vector(2)).asnumpy() == 4 and double.name == "PyCallback_double"
    assert ops.grad(double)(vector(2)).asnumpy() == 2
    with pytest.raises(TypeError):
        ops._ms_pyfunc(3)(double)


def test_ones_like_for_grad():
    ones, none = ops._ones_like_for_grad((vector(5, 6), None))
    assert ones.asnumpy().tolist() == [1, 1] and none is None and ops._ones_like_for_grad((3, 2.5)) == (1, 1.0)
    with pytest.raises(ValueError):
        ops._ones_like_for_grad("s")


def test_grad_class(mode):
    p = Parameter(vector(1, 2), name="w")
    x, y = vector(3, 4), vector(5, 6)

    def product(x, y):
        return x * y

    assert [g.asnumpy().tolist() for g in ops._Grad(get_all=True)(product)(x, y)] == [[5, 6], [3, 4]]
    assert ops._Grad()(product)(x, y).asnumpy().tolist() == [5, 6]
    assert ops._Grad(get_by_position=True)(product, None, 1)(x, y).asnumpy().tolist() == [3, 4]
    value, grads = ops._Grad(get_by_position=True, get_value=True)(product, None, (0, 1))(x, y)
    assert value.asnumpy().tolist() == [15, 24] and grads[1].asnumpy().tolist() == [3, 4]
    (weight,) = ops._Grad(get_by_list=True)(lambda x: (x * p).sum(), ParameterTuple([p]))(x)
    assert weight.asnumpy().tolist() == [3, 4]
    assert ops._Grad(sens_param=True)(product)(x, y, vector(1, 10)).asnumpy().tolist() == [5, 60]
    found, extra = ops._Grad(get_by_list=True, get_by_position=True, has_aux=True, return_ids=True)(
        lambda x: ((x * p).sum(), x), ParameterTuple([p]), (0,)
    )(x)
    assert found[0][0] == 0 and found[1][0][0] == "w" and found[1][0][1].asnumpy().tolist() == [3, 4]
    assert extra[0].asnumpy().tolist() == [3, 4]
    with pytest.raises(TypeError):
        ops._Grad(get_value=1)


def test_vmap_class():
    assert ops._Vmap()(lambda x: x.sum())(Tensor(np.ones((2, 3), np.float32))).asnumpy().tolist() == [3, 3]


# --- registries
def test_tensor_operator_registry():
    registry = ops.functional.tensor_operator_registry
    assert (
        registry.get("add")(vector(1), vector(2)).asnumpy() == 3
        and registry.get("__matmul__")(vector(1), vector(2)).asnumpy() == 2
    )
    registry.register("twice_for_test", lambda x: x * 2)
    assert registry.get("twice_for_test")(3) == 6
    with pytest.raises(TypeError):
        registry.get(3)
    with pytest.raises(AttributeError):
        registry.get("nope")


def test_vm_implementations():
    @ops.vm_impl_registry.register("TypeForTest")
    def by_name(prim):
        return lambda x: (prim, type(x))

    @ops.vm_impl_registry.register(ops.ReLU)
    def by_class(prim):
        return abs

    assert ops.get_vm_impl_fn("TypeForTest")(1.0) == ("TypeForTest", float) and ops.get_vm_impl_fn("ReLU")(-1) == 1
    assert ops.get_vm_impl_fn("NopeForTest") is None


# --- what is refused
@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda: ops.geswitch(vector(1), Tensor(True)), NotImplementedError),
        (lambda: ops.GeSwitch()(vector(1), Tensor(True)), NotImplementedError),
        (lambda: ops.merge((vector(1), vector(2))), NotImplementedError),
        (lambda: ops.Merge()((vector(1), vector(2))), NotImplementedError),
        (lambda: ops.J(lambda x: x), RuntimeError),
        (lambda: ops.array_reduce(vector(1)), RuntimeError),
        (lambda: ops.distribute(vector(1)), RuntimeError),
        (lambda: ops.make_map_parameter(vector(1), vector(1), 0), RuntimeError),
        (lambda: ops.GetNext([ms.float32], [(1,)], 1, "queue")(), RuntimeError),
    ],
)
def test_nodes_of_graphs_are_refused_when_they_are_called(call, kind):
    with pytest.raises(kind, match="use |iterate"):
        call()


@pytest.mark.parametrize(
    "arguments, kind",
    [
        ((3, [(1,)], 1, "q"), TypeError),
        (([ms.float32], 3, 1, "q"), TypeError),
        (([ms.float32], [(1,)], 1.0, "q"), TypeError),
        (([ms.float32], [], 1, "q"), ValueError),
    ],
)
def test_get_next_checks_its_arguments(arguments, kind):
    with pytest.raises(kind):
        ops.GetNext(*arguments)


# --- whole Tensors between processes
@pytest.mark.parametrize("function, peer", [(ops.gather_into_tensor, "dst"), (ops.scatter_tensor, "src")])
def test_dealing_in_a_group_of_one(function, peer):
    out = vector(0, 0)
    assert function(out, vector(1, 2)) is None and out.asnumpy().tolist() == [1, 2]
    function(out, vector(3, 4), async_op=True).wait()
    assert out.asnumpy().tolist() == [3, 4]
    for kind, arguments in ((TypeError, (out, 3)), (TypeError, (3, out)), (ValueError, (out, vector(1, 2, 3)))):
        with pytest.raises(kind):
            function(*arguments)
    for kind, given in ((TypeError, 1.0), (ValueError, 1)):
        with pytest.raises(kind):
            function(out, out, **{peer: given})
    with pytest.raises(TypeError):
        function(out, out, group=3)
    with pytest.raises(TypeError):
        function(out, out, async_op=1)


def test_all_swap():
    x, size = Tensor(np.ones((2, 3), np.float32)), Tensor([2], ms.int64)
    swap = ops._AllSwap()
    assert swap(x, size, size).asnumpy().tolist() == x.asnumpy().tolist() and swap.group == "hccl_world_group"
    for kind, arguments in (
        (ValueError, (vector(1), size, size)),
        (TypeError, (x, Tensor([2], ms.int32), size)),
        (ValueError, (x, size, Tensor([1, 1], ms.int64))),
        (ValueError, (x, size, Tensor([1], ms.int64))),
        (TypeError, (3, size, size)),
    ):
        with pytest.raises(kind):
            swap(*arguments)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_types_of_values(mode):
    """Recorded from MindSpore 2.10, but for `isinstance(..., tensor_type)` and its call, which are those of 1.x."""
    ms.set_context(mode=mode)

    class Net(nn.Cell):
        def construct(self, x):
            if isinstance(ops.typeof(x), type(ms.tensor_type)) and isinstance(ops.typeof(x), ms.tensor_type):
                return x + 1, ops.typeof(x), ops.typeof(1), ops.typeof(2.0), ops.typeof((x, 1)), ops.typeof("s")
            return x - 1

    out, *types = Net()(Tensor([1.0]))
    assert out.asnumpy().tolist() == [2.0] and types[0] == ms.tensor_type(ms.float32) != ms.float32
    names = ["tensor[float32]", "int64", "float32", "tuple_", "string_"]
    assert [repr(t) for t in types] == [f"mindspore.{name}" for name in names]
    found = [{"a": 1, "b": 2.0}, {"a": Tensor([1])}, {}, ms.float32, nn.ReLU(), ops.ReLU()]
    names = ["Dictionary[[a,b,],[Int64,Float32]]", "Dictionary[[a,],[Tensor[Int64]]]", "Dictionary[[],[]]", "type_type"]
    assert [repr(ops.typeof(v)) for v in found] == [f"mindspore.{name}" for name in [*names, "function", "function"]]
