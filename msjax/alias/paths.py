"""Every module path of MindSpore, of the 1.x and the 2.x series, and the msjax module that serves it.

One row: a path below `mindspore`, who serves it, and the leaf modules below it that are served alike.

* Served by a string: that module itself *is* the alias (`mindspore.nn is msjax.nn`).
* Served by a tuple: a view that offers the names of those modules, the first that has a name wins. If msjax has a
  module at the same relative path (`msjax.train.callback`), it comes before them; `msjax` itself comes last, because
  MindSpore's inner modules also leak what they import (`from mindspore.train.serialization import Tensor`).
"""

from __future__ import annotations

from dataclasses import dataclass

NAME = "mindspore"
HOME = "msjax"

Served = str | tuple[str, ...]

_COMPILE = (
    "msjax.core.trace.compile",
    "msjax.core.trace.mutable",
    "msjax.inner.compile_options",
    "msjax.core.grad.autodiff",
    "msjax.core.grad.hooks",
    "msjax.core.grad.no_gradient",
)
_DEVICE = ("msjax.core.settings.device", "msjax.inner.streams", "msjax.inner.runtime_options")
_RANDOM = ("msjax.core.operators.random",)
_COMMON = (
    "msjax.core.values.dtype",
    "msjax.core.values.tensor",
    "msjax.core.values.parameter",
    "msjax.core.settings.seed",
    *_RANDOM,
    *_COMPILE,
    "msjax.core.values.interop",
    "msjax.inner.runtime_options",
    "msjax.ops.sparse.tensors",
    "msjax.nn.cell.recompute",
    "msjax.inner.common",
    "msjax.ops.graph_api.parser_names",
)
_GENERATED = ("msjax.ops", "msjax.ops.generated")
_NN = ("msjax.nn", "msjax.nn.inner")
_QUANT = ("msjax.nn.quantization", "msjax.nn.layer.quant", "msjax.nn.layer.quant_observer", "msjax.core.values.dtype")
_TRAIN = ("msjax.train", "msjax.train.inner")
_DATA = ("msjax.dataset",)
_CHECKS = ("msjax.dataset.validators", *_DATA)
_VISION = ("msjax.dataset.vision",)
_TRANSFORMS = ("msjax.dataset.transforms",)
_TEXT = ("msjax.dataset.text",)
_AUDIO = ("msjax.dataset.audio",)
_RECORD = ("msjax.mindrecord",)
_PARALLEL = ("msjax.parallel", "msjax.parallel.inner", "msjax.unsupported.accepted")
_PROBABILITY = ("msjax.nn.probability",)
_TWO_PARTS = "msjax.nn.hypercomplex"
_PROFILER = ("msjax.train.profiler",)
_METRICS = (
    "accuracy auc bleu_score confusion_matrix cosine_similarity dice error evaluation fbeta hausdorff_distance loss "
    "mean_surface_distance metric occlusion_sensitivity perplexity precision recall roc "
    "root_mean_square_surface_distance topk"
)
_TRANSFORMER = "layers loss moe op_parallel_config transformer"

ROWS: tuple[tuple[str, Served, str], ...] = (
    ("", "msjax", ""),
    # The base: types, tensors, context, compilation.
    ("context", "msjax.core.settings.context", ""),
    ("dtype", "msjax.core.values.dtype", ""),
    ("log", "msjax.log", ""),
    ("version", (), ""),
    ("default_config", "msjax.inner.default_config", ""),
    ("run_check", (), "run_check _check_version"),
    ("_checkparam", "msjax.core.operators.check", ""),
    ("_check_jit_forbidden_api", (*_COMPILE, "msjax.inner.common"), ""),
    (
        "_c_expression",
        (
            "msjax.inner.common",
            "msjax.core.settings.context",
            "msjax.core.values.tensor",
            "msjax.parallel.communication",
            *_COMPILE,
            "msjax.ops.pyboost",
        ),
        "security",
    ),
    ("_c_expression.op_enum", ("msjax.ops.pyboost",), ""),
    ("_c_expression.np_dtypes", ("ml_dtypes",), ""),
    ("_c_expression.typing", "msjax.core.values.dtype", ""),
    ("_c_expression.amp", ("msjax.train.amp_strategy",), ""),
    ("_c_dataengine", _DATA, ""),
    ("_c_mindrecord", _RECORD, ""),
    ("_extends", (*_COMPILE, "msjax.nn"), "utils"),
    ("_extends.parse", _COMPILE, "parser namespace jit_fallback_modules"),
    ("_extends.parse", ("msjax.ops.graph_api.parser_names",), "trope resources standard_method"),
    ("_extends.parse.compile_config", "msjax.unsupported.compile_config", ""),
    ("common", _COMMON, ""),
    ("common", (*_COMPILE, "msjax.inner.common", "msjax.ops.graph_api.parser_names"), "api _register_for_recompute"),
    (
        "common",
        ("msjax.inner.common",),
        "_stub_tensor _tensor_docs _utils device dump file_system mindir_util storage symbol",
    ),
    ("common.sparse_tensor", ("msjax.ops.sparse.tensors",), ""),
    ("common._decorator", ("msjax.inner.common",), ""),
    ("common._register_for_tensor", ("msjax.ops.graph_api.graph_names",), ""),
    ("common.dtype", "msjax.core.values.dtype", ""),
    ("common.np_dtype", ("ml_dtypes",), ""),
    ("common.tensor", "msjax.core.values.tensor", ""),
    ("common.parameter", "msjax.core.values.parameter", ""),
    ("common.initializer", "msjax.core.values.initializer", ""),
    ("common.seed", (*_RANDOM, "msjax.inner.common"), ""),
    ("common.generator", _RANDOM, ""),
    (
        "common",
        _COMPILE,
        "_grad_function _jit_fallback_utils _monad _pijit_context _register_for_adapter "
        "_register_for_recompute api hook_handle jit_begin_end jit_config jit_context jit_trace "
        "lazy_inline mutable no_inline recompute",
    ),
    ("common.dynamic_shape", _COMPILE, "_auto_dynamic auto_dynamic_shape enable_dynamic"),
    # Operators: all old inner packages are msjax.ops itself.
    ("ops", "msjax.ops", "operations functional composite function P"),  # its modules import it as `P`
    (
        "ops",
        ("msjax.core.operators.record", "msjax.core.operators.primitive", "msjax.ops", "msjax.inner.common"),
        "primitive _primitive_cache signature op_info_register vm_impl_registry _register_for_op _constants",
    ),
    ("ops._tracefunc", ("msjax.core.trace.tracefunc", "msjax.ops"), ""),
    ("ops", _GENERATED, "communication deprecated functional_overload tensor_method"),
    ("ops.operations", "msjax.ops", ""),
    ("ops", ("msjax.ops",), "_selected_ops"),
    (
        "ops.operations",
        _GENERATED,
        "_csr_ops _custom_grad _embedding_cache_ops _grad_ops _infer_ops _inner_ops _map_tensor_ops _ms_kernel "
        "_ocr_ops _opaque_predicate_registry _pyfunc_registry _quant_ops _rl_inner_ops _scalar_ops _sequence_ops "
        "_sparse_grad_ops _tensor_array _thor_ops array_ops comm_ops control_ops custom_ops debug_ops image_ops "
        "inner_ops linalg_ops manually_defined math_ops nn_ops other_ops quantum_ops random_ops reshard_ops rl_ops "
        "sparse_ops spectral_ops",
    ),
    ("ops.operations.manually_defined", "msjax.ops", "_inner"),
    ("ops.operations.manually_defined", _GENERATED, "ops_def"),
    ("ops.auto_generate", _GENERATED, "gen_extend_func gen_ops_def gen_ops_prim pyboost_inner_prim gen_arg_handler"),
    ("ops.function", "msjax.ops", ""),
    (
        "ops.function",
        (*_GENERATED, "msjax.ops.inner_primitives", "msjax.ops.short_names"),
        "_add_attr_func array_func clip_func comm_func debug_func fft_func grad image_func linalg_func math_func "
        "nn_func other_func parameter_func random_func reshard_func sparse_func sparse_unary_func spectral_func "
        "vmap_func",
    ),
    ("ops.function.grad", ("msjax.nn.wrap.jacobian", "msjax.ops"), "grad_func"),
    ("ops.composite", "msjax.ops", "base clip_ops env_ops math_ops random_ops array_ops vmap_ops multitype_ops"),
    (
        "ops.composite.multitype_ops",
        ("msjax.ops.graph_api.multitype_ops", "msjax.ops", "msjax.ops.graph_api.parser_names"),
        "_compile_utils _constexpr_utils add_impl bitwise_and_impl bitwise_or_impl bitwise_xor_impl div_impl "
        "equal_impl floordiv_impl getitem_impl greater_equal_impl greater_impl in_impl invert_impl left_shift_impl "
        "less_equal_impl less_impl logic_not_impl logical_and_impl logical_not_impl logical_or_impl mod_impl mul_impl "
        "negative_impl not_equal_impl not_in_impl ones_like_impl pow_impl right_shift_impl setitem_impl sub_impl "
        "uadd_impl zeros_like_impl",
    ),
    ("ops._grad", ("msjax.ops.graph_api.gradient_registry", "msjax.ops"), "grad_base"),
    ("ops._grad", ("msjax.ops",), "grad_array_ops grad_comm_ops grad_math_ops grad_nn_ops"),
    ("ops._grad_experimental", ("msjax.ops.graph_api.gradient_registry", "msjax.ops"), "grad_base"),
    ("ops._grad_experimental", ("msjax.ops",), "grad_array_ops grad_comm_ops grad_math_ops grad_nn_ops"),
    ("ops._op_impl", ("msjax.ops",), ""),
    ("ops._utils", ("msjax.ops",), "arg_dtype_cast arg_handler utils"),
    # Layers.
    ("nn", "msjax.nn", ""),
    ("nn", _NN, "cell dynamic_lr learning_rate_schedule functional init flash_attention quant rl reinforcement sparse"),
    ("nn.reinforcement", ("msjax.nn.reinforcement", *_NN), "tensor_array _tensors_queue _batch_read_write"),
    ("nn.sparse", _NN, "sparse"),
    ("nn.generator", _RANDOM, ""),
    ("nn.grad", _NN, "cell_grad"),
    ("nn.layer.quant", (*_NN, "msjax.nn.layer.quant", "msjax.nn.layer.quant_observer"), ""),
    ("nn.layer.basic", (*_NN, "msjax.nn.layer.array"), ""),
    (
        "nn.layer",
        _NN,
        "activation channel_shuffle combined container conv dense embedding embedding_service "
        "embedding_service_layer flash_attention image lstm math normalization padding pooling rnn_cells "
        "rnn_utils rnns thor_layer timedistributed transformer",
    ),
    ("nn.loss", ("msjax.nn.loss.checks", *_NN), "loss"),
    (
        "nn.optim",
        _NN,
        "ada_grad adadelta adafactor adam adamax adasum asgd ftrl lamb lars lazyadam momentum optimizer "
        "proximal_ada_grad rmsprop rprop sgd tft_wrapper thor _dist_optimizer_registry",
    ),
    ("nn.optim_ex", ("msjax.experimental.optim", "msjax.nn.inner"), "adam adamw optimizer sgd"),  # until 2.1
    ("nn.lr_scheduler", ("msjax.experimental.optim.lr_scheduler",), ""),  # until 2.1
    ("nn.wrap", _NN, "cell_wrapper grad_reducer loss_scale"),
    ("nn.utils", _NN, "init"),
    ("nn.metrics", ("msjax.train.metrics", *_TRAIN), _METRICS),
    ("nn.probability", _PROBABILITY, "transforms infer dpn toolbox"),
    (
        "nn.probability.distribution",
        ("msjax.nn.probability.distribution", *_PROBABILITY),
        "bernoulli beta categorical cauchy distribution exponential gamma geometric gumbel half_normal laplace "
        "log_normal logistic normal poisson student_t transformed_distribution uniform _utils",
    ),
    ("nn.probability.distribution._utils", ("msjax.nn.probability.distribution", *_PROBABILITY), "utils custom_ops"),
    (
        "nn.probability.bijector",
        ("msjax.nn.probability.bijector", *_PROBABILITY),
        "bijector exp gumbel_cdf invert power_transform scalar_affine softplus",
    ),
    (
        "nn.probability.bnn_layers",
        ("msjax.nn.probability.bnn_layers", *_PROBABILITY),
        "bnn_cell_wrapper conv_variational dense_variational layer_distribution",
    ),
    ("nn.transformer", "msjax.nn.transformer", ""),
    *((f"nn.transformer.{name}", f"msjax.nn.transformer.{name}", "") for name in _TRANSFORMER.split()),
    # The other spellings of operators and layers.
    ("mint", "msjax.mint", ""),
    ("mint.nn", "msjax.mint.nn", ""),
    ("mint.nn.functional", "msjax.mint.nn.functional", ""),
    ("mint.nn.layer", ("msjax.mint.nn",), "_functions activation basic conv normalization padding pooling"),
    ("mint.optim", "msjax.mint.optim", ""),
    ("mint.optim", ("msjax.mint.optim",), "adam adamw fused_adamw sgd"),
    ("mint.linalg", "msjax.mint.linalg", ""),
    ("mint.special", "msjax.mint.special", ""),
    ("mint.distributed", "msjax.mint.distributed", "distributed"),
    ("numpy", "msjax.numpy", ""),
    ("numpy", ("msjax.numpy",), "array_creations array_ops dtypes fft logic_ops math_ops utils utils_const"),
    ("scipy", "msjax.scipy", ""),
    ("scipy.linalg", "msjax.scipy.linalg", ""),
    ("scipy.fft", "msjax.scipy.fft", ""),
    ("scipy.optimize", "msjax.scipy.optimize", ""),
    ("scipy.sparse", "msjax.scipy.sparse", ""),
    ("scipy.sparse.linalg", "msjax.scipy.sparse.linalg", ""),
    ("scipy", ("msjax.scipy.inner", "msjax.scipy", "msjax.ops"), "ops ops_grad ops_wrapper utils utils_const"),
    ("scipy.optimize", ("msjax.scipy.optimize",), "line_search linear_sum_assignment minimize _bfgs _lagrange _lbfgs"),
    ("hypercomplex", _TWO_PARTS, ""),
    *(
        (f"hypercomplex.{kind}", (f"{_TWO_PARTS}.{kind}",), f"{kind}_functions {kind}_operators {kind}_relu")
        for kind in ("complex", "double", "dual")
    ),
    ("hypercomplex", (f"{_TWO_PARTS}.layers", f"{_TWO_PARTS}.pooling"), "hypercomplex"),
    (
        "hypercomplex.hypercomplex",
        (f"{_TWO_PARTS}.layers", f"{_TWO_PARTS}.pooling"),
        "hc_bn hc_conv hc_dense hc_pool uniform_operator",
    ),
    ("hypercomplex.utils", f"{_TWO_PARTS}.parts", ""),
    # Training.
    ("train", "msjax.train", ""),
    (
        "train",
        _TRAIN,
        "model serialization _utils data_sink dataset_helper loss_scale_manager train_thor node_strategy_pb2 mind_ir_pb2",
    ),
    ("train.parallel_utils", ("msjax.core.settings.context",), ""),
    ("train.amp", "msjax.train.amp", ""),
    ("amp", "msjax.train.amp", ""),
    ("train.train_thor", _TRAIN, "convert_utils dataset_helper model_thor"),
    (
        "train.callback",
        ("msjax.train.callback", *_TRAIN),
        "_backup_and_restore _callback _checkpoint _dataset_graph _early_stop _fl_manager _flops_collector _history "
        "_lambda_callback _landscape _loss_monitor _lr_scheduler_callback _on_request_exit _reduce_lr_on_plateau "
        "_summary_collector _time_monitor _train_fault_tolerance",
    ),
    ("train.metrics", ("msjax.train.metrics", *_TRAIN), _METRICS),
    (
        "train.summary",
        ("msjax.train.summary.enums", *_TRAIN),
        "_lineage_adapter _summary_adapter enums summary_record writer",
    ),
    ("train.checkpoint_pb2", ("msjax.train.checkpoint_messages",), ""),
    (
        "boost",
        ("msjax.train.boost",),
        "adasum base boost boost_cell_wrapper dim_reduce grad_accumulation grad_freeze "
        "group_loss_scale_manager less_batch_normalization",
    ),
    ("experimental", ("msjax.experimental",), "map_parameter llm_boost"),
    ("experimental.llm_boost", ("msjax.experimental",), "register atb"),
    ("compression", _QUANT, "common quant export"),
    ("compression.common", _QUANT, "constant"),
    ("compression.quant", _QUANT, "qat quantizer quant_utils"),
    ("compression.export", _QUANT, "quant_export"),
    (
        "experimental.optim",
        ("msjax.experimental.optim", "msjax.nn.inner"),
        "adadelta adagrad adam adamax adamw asgd lr_scheduler nadam optimizer radam rmsprop rprop sgd",
    ),
    # Many devices.
    ("communication.comm_func", "msjax.parallel.comm_func", ""),
    ("communication", ("msjax.parallel.communication", *_PARALLEL), "management _comm_helper _hccl_management"),
    ("parallel", "msjax.parallel", ""),
    ("parallel.auto_parallel", ("msjax.nn.wrap.parallel", *_PARALLEL), ""),
    (
        "parallel",
        _PARALLEL,
        "_auto_parallel_context _cell_wrapper _cost_model_context _dp_allreduce_fusion _parallel_serialization "
        "_ps_context _tensor _utils algo_parameter_config auto_parallel checkpoint_convert checkpoint_transform "
        "parameter_broadcast shard strategy transform_safetensors",
    ),
    (
        "parallel.nn",
        ("msjax.nn.wrap.parallel", "msjax.nn.wrap.micro_batch", "msjax.nn.transformer", *_PARALLEL),
        "parallel_cell_wrapper parallel_grad_reducer",
    ),
    ("parallel.function", ("msjax.nn.wrap.parallel", *_PARALLEL), "reshard_func"),
    ("parallel.distributed", ("msjax.nn.wrap.parallel", *_PARALLEL), "distributed_data_parallel flatten_grad_buffer"),
    ("parallel._transformer", "msjax.nn.transformer", ""),
    *((f"parallel._transformer.{name}", f"msjax.nn.transformer.{name}", "") for name in _TRANSFORMER.split()),
    # Data.
    ("dataset", "msjax.dataset", ""),
    ("dataset", "msjax.dataset", "ds"),  # its modules import it as `ds`
    ("dataset.config", "msjax.dataset.config", ""),
    ("dataset", _DATA, "callback"),
    ("dataset.callback", _DATA, "ds_callback validators"),
    ("dataset.debug", ("msjax.dataset.debug",), "debug_hook pre_defined_hook"),
    ("dataset.utils", "msjax.dataset.utils", ""),
    ("dataset.utils", ("msjax.dataset.utils",), "browse_dataset line_reader"),
    ("dataset.dataloader", "msjax.dataset.dataloader", ""),
    ("dataset.dataloader", ("msjax.dataset.dataloader",), "dataloader dataset sampler distributed"),
    ("dataset.core", _DATA, "datatypes py_util_helpers"),
    ("dataset.core", _CHECKS, "validator_helpers"),
    ("dataset.core.config", "msjax.dataset.config", ""),
    (
        "dataset.engine",
        _DATA,
        "cache_admin cache_client datasets datasets_audio datasets_standard_format datasets_text datasets_user_defined "
        "datasets_vision graphdata iterators obs offload queue samplers serializer_deserializer",
    ),
    ("dataset.engine", _CHECKS, "validators"),
    ("dataset.vision", "msjax.dataset.vision", ""),
    ("dataset.vision.c_transforms", "msjax.dataset.vision.c_transforms", ""),
    ("dataset.vision.py_transforms", "msjax.dataset.vision.py_transforms", ""),
    (
        "dataset.vision",
        (*_VISION, *_TRANSFORMS, "msjax.dataset.transforms.transforms"),
        "transforms utils validators py_transforms_util",
    ),
    ("dataset.transforms", "msjax.dataset.transforms", ""),
    ("dataset.transforms.c_transforms", "msjax.dataset.transforms.c_transforms", ""),
    ("dataset.transforms.py_transforms", "msjax.dataset.transforms.py_transforms", ""),
    ("dataset.transforms", _TRANSFORMS, "transforms py_transforms_util"),
    ("dataset.transforms", _CHECKS, "validators"),
    ("dataset.transforms.vision", "msjax.dataset.vision", ""),
    ("dataset.transforms.vision.c_transforms", "msjax.dataset.vision.c_transforms", ""),
    ("dataset.transforms.vision.py_transforms", "msjax.dataset.vision.py_transforms", ""),
    ("dataset.text", "msjax.dataset.text", ""),
    ("dataset.text", _TEXT, "transforms utils validators"),
    ("dataset.audio", "msjax.dataset.audio", ""),
    ("dataset.audio", _AUDIO, "transforms utils validators"),
    ("mindrecord", "msjax.mindrecord", ""),
    ("mindrecord", _RECORD, "config filereader filewriter mindpage"),
    ("mindrecord.common", _RECORD, "constant enums exceptions"),
    ("mindrecord.core", _RECORD, "shardutils"),
    (
        "mindrecord.tools",
        _RECORD,
        "cifar10 cifar100 cifar100_to_mr cifar10_to_mr csv_to_mr imagenet_to_mr mnist_to_mr tfrecord_to_mr",
    ),
    # Machines and inspection.
    ("profiler.mstx", ("msjax.train.mstx", *_PROFILER), ""),
    (
        "profiler",
        _PROFILER,
        "profiling profiler schedule envprofiler experimental_config dynamic_profiler "
        "profiler_interface profiler_action_controller",
    ),
    ("profiler.common", _PROFILER, "constant profiler_context"),
    ("hal", _DEVICE, "device event memory stream"),
    ("hal", ("msjax.core.values.contiguous_tensors", *_DEVICE), "contiguous_tensors_handle"),
    ("runtime", _DEVICE, "device event executor memory stream thread_bind_core"),
    ("device_context", _DEVICE, ""),
    ("device_context.ascend", ("msjax.inner.chips.ascend",), "device op_debug op_precision op_tuning"),
    ("device_context.cpu", ("msjax.inner.chips.cpu",), "device op_tuning"),
    ("device_context.gpu", ("msjax.inner.chips.gpu",), "device op_precision op_tuning"),
    ("device_manager", (), ""),
    ("multiprocessing", ("msjax.multiprocessing",), ""),
    ("rewrite", "msjax.rewrite", ""),
    (
        "rewrite",
        ("msjax.rewrite",),
        "api api.node api.symbol_tree api.scoped_value api.node_type api.pattern_engine node symbol_tree",
    ),
    ("rewrite.common", ("msjax.rewrite.settings", "msjax.rewrite"), "namespace"),
    ("rewrite.parsers", ("msjax.rewrite.settings", "msjax.rewrite"), "class_def_parser assign_parser"),
    ("rewrite.symbol_tree", ("msjax.rewrite.settings", "msjax.rewrite"), "symbol_tree_builder"),
    (
        "graph",
        ("msjax.unsupported.graph", *_COMPILE),
        "api custom_backend custom_infer custom_pass dynamic_shape jit_begin_end jit_config jit_context jit_trace "
        "lazy_inline mutable no_inline symbol",
    ),
    ("safeguard", ("msjax.unsupported.services",), "rewrite_obfuscation"),
    ("utils", ("msjax.utils",), "dlpack stress_detect sdc_detect utils"),
    ("utils.runtime_execution_order_check", "msjax.parallel.execution_order", ""),
    ("tools", ("msjax.utils", *_DEVICE), ""),
    ("onnx", ("msjax.train.onnx",), "onnx_export"),
)

# Names that MindSpore has in two packages, of which ours has them in the upper one only: looked up there on demand.
ALSO = {
    "msjax.core.values.tensor": ("msjax.core.values.interop",),
    "msjax.nn": ("msjax.train.metrics", "msjax.nn.transformer"),  # the last as MindSpore 1.3 to 1.10
    "msjax.parallel": ("msjax.train.distributed", "msjax.nn.wrap.parallel"),
}

# Modules that a star import of the package above them gives.
STARRED = {"mindspore.common": ("dtype",)}


@dataclass(frozen=True)
class Path:
    """One MindSpore module path and the msjax modules whose names it offers, in order."""

    name: str
    modules: tuple[str, ...]
    same: bool  # the alias is modules[0] itself, not a view


def _paths() -> dict[str, Path]:
    table: dict[str, Path] = {}
    served_at_all = set()
    for path, served, leaves in ROWS:
        # A package row with leaves may come twice (once for each way its leaves are served); the first serves the
        # package itself.
        for name in [path, *(f"{path}.{leaf}" for leaf in leaves.split())]:
            if name in served_at_all:
                continue
            served_at_all.add(name)
            full = f"{NAME}.{name}".rstrip(".")
            if isinstance(served, str):
                table[full] = Path(full, (served,), True)
            else:
                own = f"{HOME}.{name}"
                table[full] = Path(full, tuple(dict.fromkeys((own, *served, HOME))), False)
    return table


PATHS = _paths()


def children(module: str) -> dict[str, str]:
    """The alias paths that lie below an msjax module when it stands for MindSpore packages: leaf -> full path."""
    below = {}
    packages = [p.name for p in PATHS.values() if p.same and p.modules[0] == module]
    for package in packages:
        for name in PATHS:
            parent, _, leaf = name.rpartition(".")
            if parent == package:
                below.setdefault(leaf, name)
    return below
