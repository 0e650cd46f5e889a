"""Inner names of MindSpore that public code imports: real ones work, the others are refused when they are used."""

import abc

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops
from mindspore.ops.operations import _grad_ops as G


def test_refused_at_use():
    from mindspore._c_expression import swap_cache
    from mindspore.ops.auto_generate import MlaPreprocess
    from mindspore.ops.operations._grad_ops import BasicLSTMCellWeightGrad

    made = BasicLSTMCellWeightGrad().set_device("CPU"), MlaPreprocess(param_cache_mode=1)
    for refused in (*made, swap_cache):
        with pytest.raises(NotImplementedError, match="does not exist here"):
            refused(Tensor([1.0]))
    with pytest.raises(ImportError):
        from mindspore._c_expression import NoSuchName  # noqa: F401


def test_what_modules_define_is_refused_at_use():
    """Functions and classes that MindSpore's inner modules define: the module that imports them can be imported."""
    from mindspore.dataset.vision.py_transforms_util import mix_up_muti
    from mindspore.ops.operations._thor_ops import CusImg2Col
    from mindspore.train.amp import _insert_cast_for_operators
    from mindspore.train.summary.writer import BaseWriter

    for refused, package in ((mix_up_muti, "vision"), (_insert_cast_for_operators, "amp"), (BaseWriter, "summary")):
        with pytest.raises(NotImplementedError, match=f"is an inner .* of mindspore.*{package}"):
            refused()
    with pytest.raises(NotImplementedError, match="_thor_ops"):
        CusImg2Col()(Tensor([1.0]))
    assert not hasattr(ops, "CusImg2Col") and not hasattr(ms.train, "BaseWriter")
    with pytest.raises(ImportError):
        from mindspore.train.summary.writer import NoSuchWriter  # noqa: F401


def test_operators_that_1x_chose_by_device():
    """`mindspore.ops._selected_ops`: losses of 1.x networks take theirs from there."""
    from mindspore.ops import _selected_ops

    assert _selected_ops.ReduceMean is ops.ReduceMean and _selected_ops.LogSoftmax is ops.LogSoftmax


def test_transformers_of_1x_are_names_of_nn():
    from mindspore.nn import TransformerOpParallelConfig, TransformerRecomputeConfig, transformer

    made = TransformerOpParallelConfig(data_parallel=1, recompute=TransformerRecomputeConfig(recompute=True))
    assert isinstance(made, transformer.TransformerOpParallelConfig) and made.recompute.recompute
    assert ms.nn.CrossEntropyLoss is not transformer.CrossEntropyLoss


def test_there_is_no_parameter_server():
    from mindspore.parallel._ps_context import _get_ps_mode_rank, _is_role_pserver

    assert not _is_role_pserver()
    with pytest.raises(RuntimeError, match="not enabled"):
        _get_ps_mode_rank()


def test_deprecated_is_said_once(monkeypatch):
    from mindspore.common._decorator import deprecated

    class Old:
        @deprecated("2.0", "new")
        def run(self, x):
            return x

    said = []
    monkeypatch.setattr(ms.log, "warning", said.append)
    assert [Old().run(i) for i in range(3)] == [0, 1, 2]
    assert said == ["'Old' is deprecated from version 2.0 and will be removed in a future version, use 'new' instead."]


def test_checks_of_data():
    from mindspore import _checkparam as check

    check.check_input_data([Tensor(1), {"a": Tensor(2)}], None, data_class=(Tensor, None))
    with pytest.raises(TypeError, match="but got type int"):
        check.check_input_data([1], data_class=Tensor)
    with pytest.raises(RuntimeError):
        check.check_output_data(None)
    assert check.check_input_dataset(1, dataset_type=int) and not check.check_input_dataset(dataset_type=int)
    assert (check.triple(2), check.twice_sequence([2, 3]), check.once_sequence(4)) == ((2, 2, 2), (2, 3), (4,))
    assert check.check_and_canonicalize_axes((0, -1), 3) == (0, 2) and check.check_file_name_by_regular("a/b.txt")
    assert check.check_str_and_none_by_regular("a-b") and check.check_axis_in_range(-1, 2) == 1


@pytest.mark.parametrize(
    "call, kind, message",
    [
        ("twice([1, 2])", TypeError, "input type must be integer or tuple[int], but got <class 'list'>"),
        ("twice((1, 2, 3))", TypeError, "input tuple dimension must be 2, but got (1, 2, 3)"),
        ("twice_sequence((1, (2, 3)))", TypeError, "the type of element in input sequence must be an integer"),
        ("triple_sequence([1, 2])", TypeError, "input sequence dimension must be 3, but got [1, 2]"),
        ("check_axis_in_range(3, 2)", ValueError, "The 'axis' must be in the range of [-2, 2), but got 3."),
        ("check_axis_in_range('a', 2)", TypeError, "The axes must be integers, but got <class 'str'>"),
        ("check_str_by_regular('a-b')", ValueError, r"it must be match regular'^\w+[0-9a-zA-Z\_\.]*$' by flags"),
        ("check_file_name_by_regular('a/')", ValueError, "The 'a/' cannot be a directory path."),
        ("check_file_name_by_regular(3, prim_name='Q')", TypeError, "For 'Q', the '3' must be string, but got"),
        ("args_type_check(a=int)(lambda a: a)(1.5)", TypeError, "'a' must be <class 'int'>, but got <class 'float'>"),
        (
            "args_type_check(b=str)(lambda a, **kwargs: a)(1, b=2)",
            TypeError,
            "'b' must be <class 'str'>, but got <class 'int'>",
        ),
    ],
)
def test_checks_say_what_mindspore_says(call, kind, message):
    from mindspore import _checkparam

    with pytest.raises(kind) as error:
        eval(call, vars(_checkparam))
    assert message in str(error.value)


def test_relations_are_those_of_the_module_and_of_the_class():
    from mindspore import _checkparam
    from mindspore._checkparam import Validator

    for name in _checkparam.Rel.__members__:
        assert getattr(Validator, name) == getattr(_checkparam, name) == _checkparam.Rel[name]
    with pytest.raises(ValueError, match="should be = expected: 2, but got 1"):
        Validator.check("length", 1, "expected", 2, rel=Validator.EQ)


def test_types_of_further_keywords():
    """Recorded: where further keywords are given only those are checked."""
    from mindspore._checkparam import args_type_check

    checked = args_type_check(a=int, b=str)(lambda a, **kwargs: (a, kwargs))
    assert checked("1", b="s", c=3) == ("1", {"b": "s", "c": 3}) and checked("1") == ("1", {})


def test_primitives_keep_what_they_were_given():
    class Mine(ops.Primitive):
        @ops.prim_attr_register
        def __init__(self, k=2, other=(1, 2)):
            self.init_prim_io_names(inputs=["x"], outputs=["y"])

    mine = Mine(other=3)
    assert (mine.k, mine.init_attrs, str(mine)) == (2, {"k": 2, "other": 3}, "Prim[Mine]<k=2, other=3>")
    assert ops.ReduceSum(True).init_attrs == {"keep_dims": True, "skip_mode": False} and ops.ReLU().init_attrs == {}
    assert mine.del_prim_attr("k").attrs == {"other": 3, "input_names": ["x"], "output_names": ["y"]}
    mine.place("MS_WORKER", 0)
    for wrong, kind in (
        (lambda: mine.place("worker", 0), ValueError),
        (lambda: mine.place("MS_WORKER", "0"), TypeError),
        (lambda: mine.set_device("X"), RuntimeError),
        (lambda: mine.recompute(1), TypeError),
    ):
        with pytest.raises(kind):
            wrong()


def test_settings_are_kept():
    from mindspore._extends.parse import compile_config
    from mindspore.parallel._auto_parallel_context import auto_parallel_context
    from mindspore.parallel._cost_model_context import (
        _get_multi_subgraphs,
        _set_multi_subgraphs,
        reset_cost_model_context,
    )

    before, compile_config.CHECK_BPROP = compile_config.CHECK_BPROP, 1
    assert (before, compile_config.CHECK_BPROP) == ("", 1)
    compile_config.CHECK_BPROP = before
    _set_multi_subgraphs(True)
    assert _get_multi_subgraphs() is True
    reset_cost_model_context()
    assert _get_multi_subgraphs() is False
    auto_parallel_context().set_pipeline_stages(2)
    assert ms.get_auto_parallel_context("pipeline_stages") == auto_parallel_context().get_pipeline_stages() == 2
    ms.reset_auto_parallel_context()
    with pytest.raises(AttributeError):
        auto_parallel_context().no_such_thing()


def test_metaclass_of_tensor_joins_others():
    class Meta(type(Tensor), abc.ABCMeta):
        pass

    class Mine(Tensor, metaclass=Meta):
        pass

    assert isinstance(Mine([1.0]), Tensor)
    assert (Mine([1.0]) + 1).asnumpy() == 2


def test_callback_manager_calls_each():
    from mindspore.train.callback import Callback, RunContext, _CallbackManager, _InternalCallbackParam

    seen = []

    class Noting(Callback):
        def step_end(self, run_context):
            seen.append(run_context.original_args().cur_step_num)

        def __exit__(self, *error):
            seen.append("left")

    run = RunContext(_InternalCallbackParam(cur_step_num=3))
    with _CallbackManager([Noting(), Noting()]) as manager:
        manager.step_end(run)
        manager.on_train_step_end(run)
    assert seen == [3, 3, 3, 3, "left", "left"]
    with pytest.raises(TypeError):
        _CallbackManager([None])


def test_sequences():
    from mindspore.ops.operations import _sequence_ops as S

    assert S.SequenceMul()((1, 2), 2) == (1, 2, 1, 2)
    assert S.SequenceSliceSetItem()((1, 2, 3), (9,), 0, 1, 1) == (9, 2, 3)
    assert S.tuple_lt()((1,), (2,))
    np.testing.assert_array_equal(S.SequenceStack(1)((Tensor([1, 2]), Tensor([3, 4]))).asnumpy(), [[1, 3], [2, 4]])


def test_simulated_quantization():
    x = Tensor(np.linspace(-3, 3, 7).astype(np.float32))
    low, high = Tensor([-2.0], ms.float32), Tensor([2.0], ms.float32)
    fake = ops.FakeQuantPerLayer(num_bits=8)
    out, step = fake(x, low, high).asnumpy(), 4 / 255
    assert np.abs(out - np.clip(x.asnumpy(), -2, 2)).max() <= step and out[3] == 0
    grad = ms.grad(lambda a: fake(a, low, high).sum())(x)
    np.testing.assert_array_equal(grad.asnumpy()[[0, -1]], 0)
    np.testing.assert_array_equal(grad.asnumpy()[2:5], 1)


def test_gradient_operators_in_a_gradient():
    """They are operators like others: traced, and differentiable themselves."""
    y, dy = Tensor([0.5], ms.float32), Tensor([2.0], ms.float32)
    assert ms.grad(G.TanhGrad())(y, dy).asnumpy() == pytest.approx(-2.0)
    assert ms.jit(lambda a, b: G.TanhGrad()(a, b) * 2)(y, dy).asnumpy() == pytest.approx(3.0)


def test_modules_that_the_import_brings_along():
    """MindSpore loads PIL.Image; scripts that import PIL alone rely on it."""
    import subprocess
    import sys

    code = "import msjax; msjax.install(); import mindspore, PIL; print(PIL.Image.Resampling.NEAREST, hasattr(PIL, 'NoSuch'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split()[-1] == "False", done.stderr


def test_operators_that_adapters_register_for():
    """The functions behind Python's operators list their bodies by types, and take more; what is registered again replaces."""
    from mindspore.common import dtype as mstype
    from mindspore.ops.composite.multitype_ops.add_impl import add
    from mindspore.ops.composite.multitype_ops.getitem_impl import getitem

    types = tuple(map(mstype.typing.str_to_type, ("Tensor", "Slice")))
    assert [fn for sigs, fn in getitem.entries if all(map(mstype._issubclass_, types, sigs))]
    assert add(Tensor([1.0]), 2).asnumpy() == 3 and add("a", "b") == "ab"
    assert [str(mstype.str_to_type(name)) for name in ("Int", "Dictionary", "Ellipsis")] == [
        "Int",
        "Dictionary",
        "Ellipsis",
    ]
    chosen = ops.MultitypeFuncGraph("chosen")
    chosen.register("Tensor", "Number")(lambda x, y: 1)
    chosen.register("Tuple", "Number")(lambda x, y: 2)
    chosen.register("Tensor", "Number")(lambda x, y: 3)
    assert (len(chosen.entries), chosen(Tensor([1.0]), 2), chosen((), 2)) == (2, 3, 2)


def test_settings_of_rewrite():
    assert ms.nn.SequentialCell in ms.rewrite.common.namespace._subtree_black_list
    assert ms.rewrite.symbol_tree.symbol_tree_builder.SymbolTreeBuilder.entry_functions == ["construct"]
    assert ms.rewrite.parsers.class_def_parser.ClassDefParser.final_networks == [ms.nn.Cell]

    class Whole(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.relu = ms.nn.ReLU()

        def construct(self, x):
            return self.relu(x)

    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.whole = Whole()

        def construct(self, x):
            return self.whole(x)

    kind = ms.rewrite.NodeType
    assert ms.rewrite.SymbolTree.create(Net()).get_node("whole").get_node_type() is kind.Tree
    ms.rewrite.common.namespace._subtree_black_list.append(Whole)
    try:
        assert ms.rewrite.SymbolTree.create(Net()).get_node("whole").get_node_type() is kind.CallCell
    finally:
        ms.rewrite.common.namespace._subtree_black_list.remove(Whole)


def test_names_that_classes_on_top_of_tensor_use():
    """MindSpore has these below its Python; adapters that replace `item` call `_item`."""
    from mindspore.common._register_for_recompute import recompute_registry
    from mindspore.ops._tracefunc import trace
    from mindspore.ops.auto_generate.pyboost_inner_prim import flash_attention_score_grad_impl

    x = Tensor([[1.0, 2.0]])
    assert (x[0, 1]._item(), x._tolist(), x._shape, x._dtype, x._size) == (2.0, [[1.0, 2.0]], (1, 2), ms.float32, 2)
    assert trace(abs) is abs
    with pytest.raises(NotImplementedError, match="flash_attention_score_grad"):
        type(flash_attention_score_grad_impl)()(x)
    recompute_registry.register(lambda block: block)
    assert recompute_registry.get()(x) is x
    graph = ops.MultitypeFuncGraph("by_kind")
    graph.register("bool", "float32")(lambda x, y: 1)
    graph.register("Int", "float32")(lambda x, y: 2)
    assert (graph(True, 1.0), graph(3, 1.0)) == (1, 2)


def test_empty_tensors_of_the_c_module():
    from mindspore import _c_expression

    made = _c_expression.pyboost_empty([(2, 3), ms.float16, "CPU"])
    assert (made.shape, made.dtype) == ((2, 3), ms.float16)


def test_operators_that_left_long_ago():
    """They can be imported; what is used says what to do instead."""
    from mindspore.nn import LeakyReLUQuant
    from mindspore.ops.operations import BondEnergy

    with pytest.raises(NotImplementedError, match="QuantizationAwareTraining"):
        LeakyReLUQuant(ms.float32)
    with pytest.raises(NotImplementedError, match="molecular dynamics"):
        BondEnergy(3, 4)(Tensor([1.0]))
    with pytest.raises(NotImplementedError, match="Federated"):
        ms.set_fl_context(enable_fl=True)


def test_calls_of_generated_code():
    """`pyboost_*(Primitive, arguments)` is how MindSpore's generated code calls an operator; values as recorded from MindSpore 2.10."""
    from mindspore._c_expression import op_enum, pyboost_abs, pyboost_dense
    from mindspore.ops.auto_generate import Abs, Dense

    x = Tensor(np.array([[-1.0, 2.0]], np.float32))
    assert pyboost_abs(Abs(), [x]).asnumpy().tolist() == [[1.0, 2.0]]
    assert pyboost_dense(Dense(), [x, x, None]).asnumpy().tolist() == [[5.0]]
    assert op_enum.str_to_enum("FlashAttentionScore", "input_layout", "BSH") == "BSH"
    with pytest.raises(ImportError):
        from mindspore._c_expression import pyboost_never_there  # noqa: F401


def test_names_of_the_core_are_refused_at_use():
    from mindspore._c_expression import AbsPrim_, GradOperation_

    for refused in (AbsPrim_, GradOperation_):
        with pytest.raises(NotImplementedError, match="is an inner class of mindspore._c_expression"):
            refused()


class OwnParameter(ms.Tensor):
    """A library's own kind of Parameter, with torch's size()."""

    def __init__(self, data):
        from mindspore._c_expression import ParamInfo

        super().__init__(data)
        self.param_info = ParamInfo()

    def size(self):
        return self.shape


@pytest.mark.parametrize("has_aux", [(), (False,)])  # MindSpore 2.10 has one argument more than 2.3
def test_gradients_by_the_executor(has_aux):
    """As mindnlp's own training loop takes them: values as MindSpore gives them for its Parameters."""
    from mindspore.common.api import _pynative_executor
    from mindspore.ops.composite import GradOperation

    first, second = OwnParameter(Tensor([1.0, 2.0])), ms.Parameter(Tensor([3.0, 2.0]), name="second")
    assert first.grad is None
    with pytest.raises(AttributeError, match="value_and_grad"):
        second.grad  # noqa: B018

    def loss(scale):
        return (first * first * second * scale).sum()

    def gradients(weights, *inputs, **options):
        _pynative_executor.set_grad_flag(True)
        _pynative_executor.new_graph(loss, *inputs)
        _pynative_executor.end_graph(loss, loss(inputs[0]), *inputs)
        assert not _pynative_executor.check_run(GradOperation(**options), loss, *inputs)
        found = _pynative_executor.grad(loss, GradOperation(**options), weights, None, *has_aux, *inputs)
        assert _pynative_executor() is found
        return found

    one, other = gradients((first, second), Tensor(2.0), get_by_list=True)
    np.testing.assert_array_equal(one.asnumpy(), [12, 16])
    np.testing.assert_array_equal(other.asnumpy(), [2, 8])
    first.grad = one
    assert first.grad is one
    (to_scale,), (again,) = gradients((first,), Tensor(2.0), get_all=True, get_by_list=True)
    assert (float(to_scale), again.asnumpy().tolist()) == (11, [12, 16])
    assert float(gradients(None, Tensor(2.0))) == 11
    assert float(gradients(None, Tensor(2.0), Tensor(3.0), sens_param=True)) == 33


def test_the_class_below_tensor(monkeypatch):
    """What a library puts into Tensor may call what was there before."""
    from mindspore._c_expression import TensorPy

    wanted = repr(Tensor([1.5]))
    monkeypatch.setattr(ms.Tensor, "__repr__", lambda self: f"<{TensorPy.__repr__(self)}>")
    assert repr(Tensor([1.5])) == f"<{wanted}>"
    made = TensorPy(shape=(2, 3), dtype=ms.float16)
    assert isinstance(made, TensorPy) and type(made) is ms.Tensor and issubclass(ms.Parameter, ms.Tensor)
    assert not isinstance(1.5, TensorPy)


def test_size_as_a_method():
    """A library's Tensors may have torch's methods in the place of MindSpore's properties."""
    one = OwnParameter(Tensor([2.5]))
    assert (one.size(), one.item(), float(one), bool(one), one.nbytes) == ((1,), 2.5, 2.5, True, 4)
    with pytest.raises(ValueError, match="one element"):
        OwnParameter(Tensor([1.0, 2.0])).item()


def test_an_adapter():
    """As mindtorch 0.4 and msadapter build torch's API: a Tensor class of their own on StubTensor, to which MindSpore's results are cast;
    Parameters that get the methods of it; Cells with a `__call__` of their own.
    """
    import inspect

    from mindspore import context
    from mindspore.common._stub_tensor import StubTensor
    from mindspore.common.api import set_adapter_config
    from mindspore.ops.operations import _inner_ops as inner

    class AdapterTensor(StubTensor):
        def __init__(self, data, cast_tensor=False):
            if cast_tensor:
                self.stub, self.tensor = None, data
            else:
                super().__init__(tensor=ms.Tensor(data))

        def size(self, axis):
            return self.shape[axis]

        def tripled(self):
            return inner.convert_to_adapter_tensor(inner.convert_to_ms_tensor(self) * 3)

    class AdapterParameter(ms.Parameter):
        def __new__(cls, data):
            kind, *arguments = ms.Parameter._get_parameter_new_args(data, 4)
            made = kind.__new__(type("AdapterParameter", (cls, kind), {}))
            kind.__init__(made, *arguments)
            return made

        def __init__(self, data):
            super().__init__(data, name="weight")

        @property
        def shape(self):
            return self._shape

        @property
        def requires_grad(self):
            return self.param_info.requires_grad

        @requires_grad.setter
        def requires_grad(self, wanted):
            self.param_info.requires_grad = wanted

        def assign_value(self, value):
            self.assign_value_cpp(value)
            return self

    for name in vars(AdapterTensor):
        if name not in dir(AdapterParameter):  # MindSpore's size is not among them
            setattr(AdapterParameter, name, inspect.getattr_static(AdapterTensor, name))

    class Module(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = AdapterParameter(Tensor([2.0, 5.0]))

        def __call__(self, *args):
            if context._get_mode() == context.GRAPH_MODE:
                assert self._predict(*args) == (False, None) and not self._hook_fn_registered()
            if not (self._init_flag or self._is_check_and_refresh):
                self._init_check()
                self._self_check()
            assert not (self._shard_fn or self._recompute_cell or self.has_bprop or self._backward_hook)
            return self.forward(*args)

        def forward(self, x):
            return (x.tripled() * self.weight).sum()

    set_adapter_config({"Tensor": AdapterTensor})
    try:
        x = AdapterTensor(np.float32([1, 3]))
        assert (x.size(0), x.stub_sync().asnumpy().tolist(), type(x.tripled())) == (2, [1, 3], AdapterTensor)
        assert AdapterTensor(Tensor([4.0]), cast_tensor=True).asnumpy() == 4
        net = Module()
        net.weight.requires_grad = False
        assert (net.weight.requires_grad, net.trainable_params(), net.weight.param_info.name) == (False, [], "weight")
        net.weight.requires_grad = True
        assert net.weight.size(0) == 2 and "size" in dir(ms.Parameter)
        value, (to_x, to_weight) = ms.value_and_grad(net, 0, [net.weight])(x)
        assert (float(value), to_x.asnumpy().tolist(), to_weight[0].asnumpy().tolist()) == (51, [6, 15], [3, 9])
        assert net.weight.assign_value(Tensor([0.0, 1.0])).asnumpy().tolist() == [0, 1]
        context.set_context(mode=context.GRAPH_MODE)
        assert float(net(x)) == 9
    finally:
        set_adapter_config({"Tensor": None})


def test_expand_asks_no_method():
    from mindspore.ops.function.math_func import _expand

    class Other(ms.Tensor):
        def reshape(self, *shape):
            raise AssertionError("a library's own")

    assert _expand(Other(Tensor([1.0, 2.0])), 3).shape == (1, 1, 2)
    assert _expand(Tensor([[1.0]]), 1).shape == (1, 1)


def test_default_config_tells_the_devices():
    """Code of the converter X2MindSpore asks for a GPU so."""
    import mindspore.default_config
    from mindspore.default_config import __backend__, __package_name__

    targets = mindspore.default_config.__device_target__.split(" or ")
    assert targets[-1] == "cpu" and ("gpu" in targets) == ms.hal.is_available("GPU")
    assert (__backend__, __package_name__) == ("ms", "mindspore")
    with pytest.raises(AttributeError):
        mindspore.default_config.__no_such__  # noqa: B018
