"""The table of MindSpore's module paths: each resolves, to the module or to a view of the names it offers."""

import importlib
import importlib.util
import json
import pathlib
import types

import mindspore
import pytest

import msjax
from msjax.alias.names import View
from msjax.alias.paths import PATHS, ROWS

# Modules of msjax that rows name and that are not written yet. It only shrinks.
PENDING: set[str] = set()
USAGE = pathlib.Path(__file__).resolve().parents[3] / "shared" / "usage" / "import_paths.json"


def exists(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def test_every_row_names_modules_that_exist():
    named = {name for _, served, _ in ROWS for name in ([served] if isinstance(served, str) else served)}
    assert {name for name in named if not exists(name)} <= PENDING


def lacking(path):
    """The msjax module that is missing for `path` or for a package above it, the uppermost first."""
    parts = path.split(".")
    above = [PATHS[".".join(parts[:i])] for i in range(1, len(parts) + 1)]
    return next((row.modules[0] for row in above if row.same and not exists(row.modules[0])), None)


def test_every_path_resolves():
    for path, row in PATHS.items():
        if missing := lacking(path):
            with pytest.raises(ModuleNotFoundError, match=f"No module named 'mindspore.*'{missing}'"):
                importlib.import_module(path)
            continue
        module = importlib.import_module(path)
        assert isinstance(module, types.ModuleType)
        assert module is importlib.import_module(row.modules[0]) if row.same else type(module) is View, path


def test_paths_that_projects_use():
    if not USAGE.exists():
        pytest.skip("the count of what public projects import is not part of this repository")
    used = {path for path, count in json.loads(USAGE.read_text()).items() if count["files"] >= 3}
    assert len(used) > 100 and used - set(PATHS) == set()


# What files in the wild import by the deep path, one name or more for each kind of row.
NAMES = """
mindspore.common.dtype float32 bool_ tensor_type number
mindspore.common.tensor Tensor
mindspore.common.parameter Parameter ParameterTuple
mindspore.common.initializer initializer Normal TruncatedNormal XavierUniform HeNormal Zero One
mindspore.common Tensor Parameter ParameterTuple set_seed dtype initializer mutable
mindspore.common.seed set_seed get_seed
mindspore.common.api jit ms_function
mindspore.context set_context GRAPH_MODE PYNATIVE_MODE ParallelMode set_auto_parallel_context
mindspore.train.parallel_utils ParallelMode
mindspore.log info warning error debug critical
mindspore.version __version__
mindspore.ops.operations Add ReduceSum MatMul Cast
mindspore.ops.functional depend cast partial
mindspore.ops.composite GradOperation HyperMap MultitypeFuncGraph
mindspore.ops.primitive constexpr Primitive
mindspore.nn.cell Cell
mindspore.nn.wrap.cell_wrapper WithLossCell TrainOneStepCell
mindspore.nn.wrap.loss_scale DynamicLossScaleUpdateCell TrainOneStepWithLossScaleCell
mindspore.nn.wrap.grad_reducer DistributedGradReducer
mindspore.nn.loss.loss LossBase L1Loss Loss
mindspore.nn.optim Adam Momentum
mindspore.nn.optim.optimizer Optimizer
mindspore.nn.optim_ex Adam AdamW SGD Optimizer
mindspore.nn.optim_ex.optimizer Optimizer
mindspore.nn.lr_scheduler LRScheduler StepLR
mindspore.nn.learning_rate_schedule LearningRateSchedule CosineDecayLR
mindspore.nn.dynamic_lr piecewise_constant_lr
mindspore.nn.layer.activation get_activation
mindspore.nn.metrics Accuracy
mindspore.train.model Model ParallelMode
mindspore.train.callback Callback LossMonitor ModelCheckpoint CheckpointConfig
mindspore.train.serialization load_checkpoint load_param_into_net save_checkpoint Tensor
mindspore.train.loss_scale_manager FixedLossScaleManager DynamicLossScaleManager
mindspore.train.dataset_helper DatasetHelper connect_network_with_dataset
mindspore.communication.management init get_rank get_group_size
mindspore.parallel._utils _get_parallel_mode _get_gradients_mean _get_device_num
mindspore.dataset.vision.c_transforms Resize Rescale HWC2CHW
mindspore.dataset.transforms.c_transforms TypeCast
mindspore.dataset.vision Inter
mindspore.dataset.engine GeneratorDataset
mindspore.mindrecord FileWriter
"""


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_names_by_deep_path(line):
    path, *names = line.split()
    for name in names:
        scope = {}
        exec(f"from {path} import {name} as it", scope)
        assert scope["it"] is not None


def test_the_same_object_by_every_path():
    from mindspore.common import Tensor
    from mindspore.common.tensor import Tensor as deep
    from mindspore.train.serialization import Tensor as leaked

    assert Tensor is deep is leaked is mindspore.Tensor is msjax.Tensor


def test_the_loss_of_1_2_is_the_base_class_and_not_the_metric():
    import mindspore.nn
    from mindspore.nn.loss.loss import Loss

    assert Loss is mindspore.nn.LossBase and mindspore.nn.Loss is not Loss


def test_star_imports_give_what_mindspore_lists():
    names = {}
    for package in ("", ".common", ".nn.optim", ".nn.wrap", ".nn.layer", ".nn.loss", ".train", ".context"):
        exec(f"from mindspore{package} import *", names)
    wanted = (
        "Tensor float32 Model save_checkpoint COOTensor jit_class set_context Adam TrainOneStepCell Dense L1Loss Callback"
    ).split()
    assert [name for name in wanted if name not in names] == []
    only_home = {}
    exec("from mindspore import *", only_home)
    assert not {"Dense", "FileWriter", "bool", "int"} & only_home.keys()


def test_inner_names_that_projects_import():
    from mindspore import Parameter, nn, ops
    from mindspore import dtype as mstype
    from mindspore._extends import cell_attr_register
    from mindspore.common.initializer import _calculate_correct_fan, _calculate_fan_in_and_fan_out
    from mindspore.log import _LogActionOnce
    from mindspore.ops._primitive_cache import _get_cache_prim
    from mindspore.ops.primitive import _primexpr
    from mindspore.parallel._utils import _is_sharding_propagation
    from mindspore.train.amp import (
        AMP_BLACK_LIST,
        AMP_WHITE_LIST,
        _add_loss_network,
        _config_level,
        _do_keep_batchnorm_fp32,
    )
    from mindspore.train.callback._callback import _handle_loss
    from mindspore.train.serialization import _load_dismatch_prefix_params

    assert _get_cache_prim(ops.ReduceSum)(True)(ops.ones((2, 3)), 1).shape == (2, 1)
    assert _primexpr(len) is len and cell_attr_register(attrs=["a"])(len) is len
    assert _calculate_fan_in_and_fan_out((4, 3, 5, 5)) == (75, 100) and _calculate_correct_fan((4, 3), "fan_out") == 4
    assert not _is_sharding_propagation()
    assert _handle_loss(ops.ones((2,)) * 3) == 3.0 and _handle_loss((ops.ones(()), 1)).shape == ()
    assert (
        _config_level["O2"]["keep_batchnorm_fp32"]
        and _config_level["O2"]["loss_scale_manager"].get_loss_scale() == 2**24
    )
    dense, left = nn.Dense(2, 3), ["weight", "bias"]
    _load_dismatch_prefix_params(dense, {"fc.weight": Parameter(ops.ones((3, 2)) * 5)}, left, False)
    assert left == ["bias"] and dense.weight.asnumpy().tolist() == [[5, 5]] * 3
    assert nn.Dense in AMP_WHITE_LIST and AMP_BLACK_LIST == [
        nn.BatchNorm1d,
        nn.BatchNorm2d,
        nn.BatchNorm3d,
        nn.LayerNorm,
    ]
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)).to_float(mstype.float16)
    _do_keep_batchnorm_fp32(net)
    out = _add_loss_network(net, nn.MSELoss(), mstype.float16)(ops.ones((1, 1, 4, 4)), ops.ones((1, 2, 4, 4)))
    assert out.dtype == mstype.float32

    seen = []
    logger = types.SimpleNamespace(warning=seen.append)

    @_LogActionOnce(logger, "key")
    def speak():
        logger.warning("once")

    speak()
    speak()
    assert seen == ["once"] and logger.warning == seen.append
