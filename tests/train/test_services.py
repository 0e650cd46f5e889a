"""Small services around training: asynchronous loading, marks in traces, fault tolerance, and what only MindSpore's compiler can do."""

import mindspore as ms
import mindspore.graph as graph
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, utils
from mindspore.common.initializer import One
from mindspore.graph.symbol import Symbol
from mindspore.profiler import mstx
from mindspore.train.serialization import ParamDictFuture, init_ckpt_file_system


# --- checkpoints
def test_load_checkpoint_async(tmp_path):
    path = str(tmp_path / "net.ckpt")
    net = nn.Dense(2, 3)
    ms.save_checkpoint(net, path)
    future = ms.load_checkpoint_async(path)
    assert isinstance(future, ParamDictFuture)
    assert np.array_equal(future.result()["weight"].asnumpy(), net.weight.asnumpy())
    with pytest.raises(ValueError):
        ms.load_checkpoint_async(str(tmp_path / "no.ckpt")).result()


def test_checkpoint_files_are_opened_by_python():
    class Files:
        pass

    fs = Files()
    assert (
        init_ckpt_file_system(fs) is None and fs.open is open and fs.create_args == ("ab",) and fs.open_args == ("rb",)
    )


@pytest.mark.parametrize("name, arguments", [("obfuscate_ckpt", (None, "./")), ("load_obf_params_into_net", (None,))])
def test_obfuscation_is_refused(name, arguments):
    with pytest.raises(RuntimeError, match="enc_key"):
        getattr(ms.safeguard, name)(*arguments)
    assert getattr(ms, name) is getattr(ms.safeguard, name)


# --- the graph compiler
@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda: graph.register_custom_pass("fuse", "/plugin.so"), RuntimeError),
        (lambda: graph.register_custom_pass("fuse", "/plugin.so", pass_type=1), TypeError),
        (lambda: graph.register_custom_backend("mine", "plugin.so"), ValueError),
        (lambda: graph.register_custom_backend("mine", "/no/plugin.so"), ValueError),
        (lambda: graph.register_custom_backend(None, "/plugin.so"), ValueError),
        (lambda: graph.register_custom_backend("mine", __file__), ValueError),
        (lambda: graph.register_op_infer("Add", "layout"), RuntimeError),
        (lambda: graph.register_op_infer("", "layout"), ValueError),
        (lambda: graph.register_op_infer("Add", 3), ValueError),
        (lambda: graph.register_op_wrapper("Add"), RuntimeError),
        (lambda: graph.register_op_wrapper(3), ValueError),
    ],
)
def test_plug_ins_of_the_graph_compiler_are_refused(call, kind):
    with pytest.raises(kind):
        call()


def test_names_of_the_graph_module(tmp_path):
    assert graph.clear_op_infer() is None and graph.clear_op_wrapper() is None
    assert (
        int(graph.CustomPassType.FULL_GRAPH) == 1
        and graph.CustomPassType.PATTERN.name == "PATTERN"
        and Symbol is ms.Symbol
    )
    library = tmp_path / "plugin.so"
    library.write_bytes(b"")
    with pytest.raises(RuntimeError, match="PJRT"):
        graph.register_custom_backend("mine", str(library))


# --- marks, threads, seeds
def test_mstx_as_module_and_as_class():
    import sys

    from mindspore.profiler.mstx import mark, range_end, range_start

    number = range_start("step")
    assert number > 0 and mark("here") is None and range_end(number) is None
    assert mstx.mark is mark and hasattr(sys.modules["mindspore.profiler.mstx"], "Mstx")


def test_threads_num_once():
    from mindspore.device_context.cpu import op_tuning

    for kind, bad in ((ValueError, 0), (TypeError, 2.0)):
        with pytest.raises(kind):
            op_tuning.threads_num(bad)
    op_tuning.threads_num(4)
    with pytest.raises(RuntimeError, match="repeatedly"):
        ms.device_context.cpu.threads_num(4)


def test_seeds_of_initializers():
    """Values of MindSpore 2.10."""
    ms.set_seed(7)
    expected = [(7, 7), (7, 533697035), (7, 1067394063), (7, 1601091091), (7, 2134788119), (7, 521001500)]
    assert [One().seed for _ in range(6)] == expected
    ms.set_seed(7)
    one = One()
    assert one.seed == (7, 7)
    one.seed = 7
    assert one.seed == (8, 0)


# --- steps of a user's own
def test_a_step_knows_whether_it_may_end_early(monkeypatch):
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())

    def make():
        return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))

    assert make().use_graceful_exit is False
    monkeypatch.setenv("MS_ENABLE_GRACEFUL_EXIT", "1")
    step = make()
    assert step.use_graceful_exit and [p.name for p in (step.exit_param, step.init_param)] == [
        "graceful_exit",
        "graceful_init",
    ]
    assert step.graceful_exit.exit_by_request((3,), step.init_param, step.exit_param) == (3,)


def test_a_cell_takes_over_settings_of_the_cell_within():
    inner, outer = nn.Dense(2, 1), nn.Dense(2, 1)
    inner.set_jit_config(ms.JitConfig("O1"))
    outer._get_attr_from_cell(inner)
    assert outer.jit_config_dict["jit_level"] == "O1"


# --- fault tolerance of Ascend clusters
def test_fault_tolerance(monkeypatch):
    assert utils.ExitByRequest().exit_by_request(3, None, None) == 3
    assert utils.TFTCommValue.NEED_MINDIO == ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1"]
    plugin = utils.RSCPluginHandle()
    assert plugin.check_enable() is False and plugin.register_callback({}) is False
    with pytest.raises(ValueError):
        plugin.register_callback([])
    with pytest.raises(RuntimeError, match="OnRequestExit"):
        plugin.start()
    handle = utils._tft_handler
    assert handle.get_tft() is None and handle.unregister_tft() is None
    monkeypatch.delenv("MS_ENABLE_TFT", raising=False)
    with pytest.raises(ValueError, match="custom switch"):
        handle.init()
    monkeypatch.setenv("MS_ENABLE_TFT", "{TTP:1}")
    with pytest.raises(RuntimeError, match="OnRequestExit"):
        handle.init()
    with pytest.raises(RuntimeError, match="assign_value"):
        utils._reuse_data_ptr(Tensor([1.0]), Tensor([2.0]))


def test_fused_adamw_keeps_its_states_by_group():
    net = nn.Dense(2, 2)
    optimizer = mint.optim.FusedAdamW(net.trainable_params(), lr=0.1, amsgrad=True)
    assert (
        optimizer.set_contiguous_params() is None
        and optimizer.contiguous_params(0, 2, optimizer.param_groups[0]) is None
    )
    optimizer.inject_group_amsgrad_states()
    optimizer.param_groups.append({**optimizer.param_groups[0], "amsgrad": False})
    with pytest.raises(ValueError, match="mixed amsgrad"):
        optimizer.inject_group_amsgrad_states()
