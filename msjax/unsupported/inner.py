"""Inner names of MindSpore that public code imports and that have no counterpart here: refused when they are used.

`from mindspore.ops.auto_generate import GroupedMatmul` works, so that a module which needs it in one branch can be imported; the call
raises `NotImplementedError` with the reason and what to use instead. A row of `ROWS` covers the names of one reason.
"""

from __future__ import annotations

import functools
import gzip
import json
import types
from dataclasses import dataclass
from pathlib import Path

from ..core.operators.primitive import Primitive


@dataclass(frozen=True)
class Row:
    """Names (of packages below `mindspore`) that are refused for one reason.

    why: what MindSpore has there. use: what to use instead. names: first part of the module path -> the names.
    """

    why: str
    use: str
    names: dict[str, str]


# Those of MindSpore's generated code that nothing here serves are refused, too; their names are in a file beside this one.
_KERNELS = Row(
    "is how MindSpore's eager mode calls one of its kernels",
    "call the function of mindspore.mint, mindspore.ops or Tensor that it belongs to (MaxDim: mint.max; SiluGrad: mindspore.grad)",
    {"ops": ""},
)

# Whatever else MindSpore's inner modules define: their names, too, are in a file.
_INNER = Row(
    "is an inner {kind} of {module}",
    "use the public API (mindspore.ops, mint, nn, train, dataset), or say what you need it for in an issue",
    {},
)

ROWS = (
    _KERNELS,
    Row(
        "is a fused kernel of Ascend devices for weights of 8 or 4 bits",
        "compute with the weights dequantized: ops.matmul(x, (weight.astype(ms.float16) - offset) * scale)",
        {
            "ops": """
            AntiQuant Dequant MatmulAllReduceAddRmsNorm
            Quant QuantLinearSparse QuantMatmul 
            quant_matmul 
            dequant_swiglu_quant DequantSwigluQuant
            """
        },
    ),
    Row(
        "is a fused kernel of Ascend devices",
        "write it with ops (XLA fuses elementwise operators), or register a kernel with msjax.register_op",
        {
            "ops": """
            AddLayerNormV2 AllFinite ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 BatchNormElemtGrad
            BatchNormReduceGrad DSDMatmul FFN FlashAttentionScoreGrad FusedMatmulElemBinary FusedMatmulElemUnary
            GenerateEodMaskV2 KVCacheMgr MatmulBiasSplitOut2
            MatmulBiasSplitOut3 MatmulBiasSplitSiluOut2 MatmulDDS MatmulSplitOut2 MatmulSplitOut3 MatmulSplitSiluOut2
            
            MaxPoolWithMask MaxPoolGradWithMask inner_index SolveTriangularGrad TransData TransShape UpdateCache
            
            moe_init_routing_v2 add_rms_norm_quant apply_rotary_pos_emb_
            
            format_cast
            BNTrainingReduce BNTrainingReduceGrad BNTrainingUpdate BNTrainingUpdateGrad BasicLSTMCellCStateGrad BasicLSTMCellInputGrad
            BasicLSTMCellWeightGrad AvgPoolGradGe AvgPoolGradVm DynamicGRUV2Grad DynamicRNNGrad GRUV2 GRUV2Grad GruGradData GruGradWeight
            LSTMGradData LSTMGradWeight LSTMV2 WKVGrad ConvMul
            """,
            "nn": "_DynamicLSTMAscend _DynamicGRUAscend _TrainPipelineAccuStepCell _TrainPipelineWithLossScaleCell",
            "scipy": "SolveTriangular",
        },
    ),
    Row(
        "folds a batch normalization into a convolution while a network is trained for fewer bits",
        "write the fold with ops (weight * gamma / sqrt(variance + eps)), and quantize its result with ops.FakeQuantPerChannel",
        {
            "ops": """
            ActsULQ ActsULQInputGrad ActULQClampMaxGrad ActULQClampMinGrad AddFold BatchNormFold BatchNormFold2 BatchNormFold2D BatchNormFold2Grad
            BatchNormFoldD BatchNormFoldGrad CorrectionAdd CorrectionMul CorrectionMulGrad FakeQuantPerChannelGrad FakeQuantPerLayerGrad
            FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannelGradient IFMR WtsARQ
            """
        },
    ),
    Row(
        "works on tables, queues or environments inside a compiled graph",
        "keep the queue or the table in Python (collections.deque, dict), or in Parameters that you index",
        {
            "ops": """
            StackDestroy StackInit StackPop StackPush CacheSwapTable DynamicAssign PadAndShift MapTensorGetGrad
            """
        },
    ),
    Row(
        "is an operator between processes that MindSpore's graph compiler puts in",
        "use mindspore.communication.comm_func or mint.distributed",
        {
            "ops": """
            EmbeddingLookupCommGrad MuxReceive MuxSend NeighborExchangeV2Grad ParallelResizeBilinearGrad PsROIPoolingGrad SyncBatchNorm
            SyncBatchNormGrad _VirtualAdd inner_comm_irecv_op inner_comm_isend_op inner_comm_all_gather_op inner_comm_all_reduce_op
            inner_comm_reduce_scatter_op
            get_squared_device_local_norm_param
            """,
            "communication": "HCCL_LIB _comm_switch_nic",
            "parallel": """
            _DistributedTensorInfo _apply_tensor_transform_operators _check_strategy
            _generate_transform_operator_stack _get_needed_rank_list_by_layouts _get_needed_rank_transform_operator_map_by_layouts
            _get_pipeline_operator_map _get_resharding_operator_map _load_tensor _transform_tensor_by_layout get_strategy_metadata
            enable_save_strategy_online
            """,
        },
    ),
    Row(
        "belongs to MindSpore's parameter server",
        "keep the table in one process, or shard it over devices with mindspore.parallel.shard",
        {
            "parallel": """
            _clone_hash_table _insert_accumu_init_info _insert_hash_table_size _insert_weight_init_info _set_cache_enable _set_cache_size
            _set_rank_id _set_sparse_format _reinsert_hash_table_size
            """
        },
    ),
    Row(
        "belongs to the simulators that MindSpore RL compiles into the graph",
        "step the environment in Python (nn.Cell around a Python function works in GRAPH_MODE through ops.PyFunc)",
        {"ops": "EnvCreate EnvReset EnvStep", "_c_expression": ""},
    ),
    Row(
        "belongs to MindSpore's C++ runtime",
        "there is nothing to be told: JAX and XLA run the program",
        {
            "_c_expression": """
            FuncGraph GraphExecutor_ JitExecutor_ OpPrecision_ PrimitivePy_ Tensor_ TensorPtr _clean_rootinfo _dump_set_dynamic _dump_start
            _dump_step _dump_stop _finalize_comm _get_uce_mem_info _get_uce_process_strategy _memory_stress_detect _ms_memory_recycle
            _parallel_optimizer _rebuild_sub_group _rebuild_world_group _repair_device _set_format _set_init_iter _stop_device
            _tensordump_set_step clean_tdt_channel disable_multi_thread function_id get_code_extra is_reboot_node send_recv swap_cache
            tft_register_config CollectiveManager HookType MetaFuncGraph_ Oplib run_op get_current_auto_mixed_precision_level
            _framework_profiler_step_start _framework_profiler_step_end _framework_profiler_enable_mi _framework_profiler_disable_mi
            _set_dataset_mode_config _set_op_debug_option GilRunner CreationType_
            """,
            "common": """
            _MindsporeFunctionExecutor _MindSporeFunction _MindsporeFunction _JitExecutor _convert_python_data PIJitCaptureContext Unsupported
            _padding_input_grads _check_input_args_validate _RecomputeCell
            """,
            "_extends": "list_append list_insert list_pop list_extend",
            "_c_dataengine": "LookupOperation BasicTokenizerOperation GlobalContext AutoTune",
            "mindrecord": "ShardHeader ShardIndexGenerator ShardReader ShardSegment ShardWriter",
            "_c_mindrecord": "ShardHeader ShardIndexGenerator ShardReader ShardSegment ShardWriter",
            "ops": "WithStub PyInterpret CellBackwardHook CheckBprop GetGrad PartitionedCall TopTypeof",
            "profiler": "ProfilerContext",
            "dataset": "LookupOperation BasicTokenizerOperation GlobalContext mstype_to_detype DE_C_INTER_NORMALIZE_FORM",
            "train": "ModelProto GraphProto ParallelStrategyMap ParallelLayouts ParallelGroupMap _parse_ckpt_proto _load_map_parameter _load_mapparameter",
            "mindspore": "",
        },
    ),
    Row(
        "makes a trained quantized network one of Ascend's integer operators",
        "export the network itself (ONNX, StableHLO), or compute integers with nn.quantization.weight2int",
        {"compression": "ExportToQuantInferNetwork QuantBlock QuantMindirBlock"},
    ),
    Row(
        "was in MindSpore before release 1.0 only",
        "quantize with mindspore.compression.quant.QuantizationAwareTraining and nn.ActQuant, as MindSpore 1.x does",
        {"nn": "FakeQuantWithMinMax HSigmoidQuant HSwishQuant LeakyReLUQuant", "train": "convert_quant_network"},
    ),
    Row(
        "runs language models on a library of Ascend devices",
        "run the network itself: it is compiled",
        {"experimental": "LlmBoostRegister LlmBoostType LlamaBoost LlamaBoostAscendNative"},
    ),
    Row(
        "was an operator of molecular dynamics in MindSpore 1.2 alone, for GPUs",
        "write the energy with ops and take the force from mindspore.grad, or use MindSponge",
        {
            "ops": """
            AngleAtomEnergy AngleEnergy AngleForce AngleForceWithAtomEnergy BondAtomEnergy BondEnergy BondForce BondForceWithAtomEnergy
            BondForceWithAtomVirial CrdToUintCrd Dihedral14CFAtomEnergy Dihedral14CFEnergy Dihedral14LJAtomEnergy
            Dihedral14LJCFForceWithAtomEnergy Dihedral14LJEnergy Dihedral14LJForce Dihedral14LJForceWithDirectCF DihedralAtomEnergy
            DihedralEnergy DihedralForce DihedralForceWithAtomEnergy GetCenterOfGeometry LJEnergy LJForce LJForceWithPMEDirectForce
            MDIterationLeapFrog MDIterationLeapFrogLiujian MDIterationSetupRandState MDTemperature NeighborListUpdate PMEEnergy
            PMEExcludedForce PMEReciprocalForce TransferCrd
            """
        },
    ),
    Row(
        "was an operator of quantum circuits in MindSpore 1.2 alone",
        "simulate the circuit with MindQuantum and wrap it as ops.Custom or ops.PyFunc",
        {"ops": "PQC Evolution"},
    ),
    Row(
        "belongs to MindSpore Federated, which left MindSpore with release 1.9",
        "train in one process, or average the checkpoints of several with ops",
        {
            "": "get_fl_context set_fl_context",
            "context": "get_fl_context set_fl_context",
            "ops": "PullWeight PushWeight",
            "train": "FederatedLearningManager",
        },
    ),
    Row(
        "changes a MindIR file",
        "change the network, and export it with mindspore.export(net, x, file_format='MINDIR')",
        {"": "convert_model obfuscate_model", "train": "convert_model obfuscate_model"},
    ),
    Row(
        "edits the source of a network in MindSpore's way",
        "exchange the Cells themselves: SymbolTree.create(net), or parent.insert_child_to_cell(name, cell)",
        {
            "rewrite": """
            ParserRegister SparseFunc LocalPrim ast_helpers sparsify ArgType
            """
        },
    ),
)


def _refuse(name: str, row: Row):
    raise NotImplementedError(f"'{name}' {row.why}, which does not exist here: {row.use}.")


class _Refusing(type):
    """A class whose every use, other than as a name, is refused."""

    def __call__(cls, /, *args, **kwargs):
        _refuse(cls.__name__, cls._row)

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'", name=name)
        return _function(f"{cls.__name__}.{name}", cls._row)


def _function(name: str, row: Row):
    def refused(*args, **kwargs):
        _refuse(name, row)

    refused.__name__ = refused.__qualname__ = name
    refused._row = row
    refused.__doc__ = f"NotImplementedError: it {row.why}. Instead: {row.use}."
    return refused


class _RefusedPrimitive(Primitive):
    """An operator that is refused when it is called: modules make them, with attributes, when they are imported."""

    def __init__(self, *args, **kwargs):
        super().__init__(type(self).__name__)
        for key, value in kwargs.items():
            self.add_prim_attr(key, value)

    def __call__(self, *args, **kwargs):
        _refuse(self.name, self._row)


def _made(package: str, name: str, row: Row):
    text = f"NotImplementedError: it {row.why}. Instead: {row.use}."
    if package == "ops" and name.lstrip("_")[:1].isupper():
        return type(name, (_RefusedPrimitive,), {"_row": row, "__doc__": text})
    if not name.lstrip("_")[:1].isupper():
        return _function(name, row)
    return _Refusing(name, (), {"_row": row, "__doc__": text})


_BY_NAME = {
    (package, name): _made(package, name, row)
    for row in ROWS
    for package, names in row.names.items()
    for name in names.split()
}


@functools.cache
def generated_names() -> dict:
    """The names of MindSpore's generated operator code: {"classes": {name: parameters}, "functions": [...], "objects": {name: class}}."""
    return json.loads(gzip.decompress(Path(__file__).with_name("generated_names.json.gz").read_bytes()))


def find(module: str, name: str):
    """The stand-in for `name` of a MindSpore (or msjax) module when it is imported, or None if there is no row for it."""
    package = (module.split(".") + [""])[1]
    found = _BY_NAME.get((package, name))
    if (
        found is None
        and package == "ops"
        and not name.startswith("_")
        and any(name in names for names in generated_names().values())
    ):
        found = _BY_NAME[package, name] = _made(package, name, _KERNELS)
    if package == "ops" and name in generated_names()["objects"] and isinstance(found, types.FunctionType):
        # an object of a Primitive's class there
        found = _BY_NAME[package, name] = type(
            name, (_RefusedPrimitive,), {"_row": found._row, "__doc__": found.__doc__}
        )()
    return found


@functools.cache
def _inner_names() -> dict:
    return json.loads(gzip.decompress(Path(__file__).with_name("inner_names.json.gz").read_bytes()))


@functools.cache
def defined(path: str, kind: str) -> frozenset:
    """The names of the functions (kind "function") or classes ("class") that MindSpore's module of this path defines."""
    return frozenset(_inner_names().get(path, {}).get(_PLURAL[kind], "").split())


@functools.cache
def inner(path: str, name: str):
    """The stand-in for a function or class of MindSpore's module of this path that msjax does not serve; None for
    others.

    Args:
        path: of a leaf module (`mindspore.ops.function.math_func`); packages that users know have no such names.
    """
    kind = next((kind for kind in ("class", "function") if name in defined(path, kind)), None)
    if kind is None:
        return None
    row = Row(_INNER.why.format(kind=kind, module=path), _INNER.use, {})
    return _function(name, row) if kind == "function" else _made(path.split(".")[1], name, row)


_PLURAL = {"class": "classes", "function": "functions"}


def names(package: str) -> list[str]:
    """The names that are refused in a package, for `from package import *`."""
    return [name for where, name in _BY_NAME if where == package]
