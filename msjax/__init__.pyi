"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax import alias as alias
from msjax import cli as cli
from msjax import core as core
from msjax import dataset as dataset
from msjax import experimental as experimental
from msjax import files as files
from msjax import generation as generation
from msjax import huge_pages as huge_pages
from msjax import inner as inner
from msjax import log as log
from msjax import mindrecord as mindrecord
from msjax import mint as mint
from msjax import multiprocessing as multiprocessing
from msjax import nn as nn
from msjax import numpy as numpy
from msjax import ops as ops
from msjax import optim as optim
from msjax import parallel as communication
from msjax import parallel as parallel
from msjax import planning as planning
from msjax import rewrite as rewrite
from msjax import scipy as scipy
from msjax import train as train
from msjax import unsupported as unsupported
from msjax import utils as utils
from msjax.core.settings import context as context
from msjax.core.values import dtype as dtype
from msjax.core.values.dtype import Type as Type
from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.parameter import ParameterTuple as ParameterTuple
from msjax.core.values.tensor import Tensor as Tensor
from msjax.mindrecord import Cifar100ToMR as Cifar100ToMR
from msjax.mindrecord import Cifar10ToMR as Cifar10ToMR
from msjax.mindrecord import CsvToMR as CsvToMR
from msjax.mindrecord import FileReader as FileReader
from msjax.mindrecord import FileWriter as FileWriter
from msjax.mindrecord import ImageNetToMR as ImageNetToMR
from msjax.mindrecord import MindPage as MindPage
from msjax.mindrecord import MnistToMR as MnistToMR
from msjax.mindrecord import RecordSet as RecordSet
from msjax.mindrecord import TFRecordToMR as TFRecordToMR
from msjax.mindrecord import save_rows as save_rows
from msjax.mindrecord import set_dec_mode as set_dec_mode
from msjax.mindrecord import set_enc_key as set_enc_key
from msjax.mindrecord import set_enc_mode as set_enc_mode
from msjax.nn import ASGD as ASGD
from msjax.nn import ActQuant as ActQuant
from msjax.nn import AdaFactor as AdaFactor
from msjax.nn import AdaMax as AdaMax
from msjax.nn import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from msjax.nn import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from msjax.nn import Adadelta as Adadelta
from msjax.nn import Adagrad as Adagrad
from msjax.nn import Adam as Adam
from msjax.nn import AdamOffload as AdamOffload
from msjax.nn import AdamWeightDecay as AdamWeightDecay
from msjax.nn import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from msjax.nn import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from msjax.nn import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from msjax.nn import AdaptiveMaxPool1d as AdaptiveMaxPool1d
from msjax.nn import AdaptiveMaxPool2d as AdaptiveMaxPool2d
from msjax.nn import AdaptiveMaxPool3d as AdaptiveMaxPool3d
from msjax.nn import AllreduceGraph as AllreduceGraph
from msjax.nn import AvgPool1d as AvgPool1d
from msjax.nn import AvgPool1dExt as AvgPool1dExt
from msjax.nn import AvgPool2d as AvgPool2d
from msjax.nn import AvgPool2dExt as AvgPool2dExt
from msjax.nn import AvgPool3d as AvgPool3d
from msjax.nn import AvgPool3dExt as AvgPool3dExt
from msjax.nn import BCELoss as BCELoss
from msjax.nn import BCEWithLogitsLoss as BCEWithLogitsLoss
from msjax.nn import BatchNorm1d as BatchNorm1d
from msjax.nn import BatchNorm2d as BatchNorm2d
from msjax.nn import BatchNorm3d as BatchNorm3d
from msjax.nn import BatchRead as BatchRead
from msjax.nn import BatchWrite as BatchWrite
from msjax.nn import BiDense as BiDense
from msjax.nn import CELU as CELU
from msjax.nn import CTCLoss as CTCLoss
from msjax.nn import CellDict as CellDict
from msjax.nn import CellList as CellList
from msjax.nn import CentralCrop as CentralCrop
from msjax.nn import ChannelShuffle as ChannelShuffle
from msjax.nn import ClipByNorm as ClipByNorm
from msjax.nn import ConstantPad1d as ConstantPad1d
from msjax.nn import ConstantPad2d as ConstantPad2d
from msjax.nn import ConstantPad3d as ConstantPad3d
from msjax.nn import Conv1d as Conv1d
from msjax.nn import Conv1dTranspose as Conv1dTranspose
from msjax.nn import Conv2d as Conv2d
from msjax.nn import Conv2dBnAct as Conv2dBnAct
from msjax.nn import Conv2dBnFoldQuant as Conv2dBnFoldQuant
from msjax.nn import Conv2dBnFoldQuantOneConv as Conv2dBnFoldQuantOneConv
from msjax.nn import Conv2dBnWithoutFoldQuant as Conv2dBnWithoutFoldQuant
from msjax.nn import Conv2dQuant as Conv2dQuant
from msjax.nn import Conv2dThor as Conv2dThor
from msjax.nn import Conv2dTranspose as Conv2dTranspose
from msjax.nn import Conv3d as Conv3d
from msjax.nn import Conv3dTranspose as Conv3dTranspose
from msjax.nn import CosineDecayLR as CosineDecayLR
from msjax.nn import CosineEmbeddingLoss as CosineEmbeddingLoss
from msjax.nn import CrossEntropyLoss as CrossEntropyLoss
from msjax.nn import Dense as Dense
from msjax.nn import DenseBnAct as DenseBnAct
from msjax.nn import DenseQuant as DenseQuant
from msjax.nn import DenseThor as DenseThor
from msjax.nn import DiGamma as DiGamma
from msjax.nn import DiceLoss as DiceLoss
from msjax.nn import DistributedGradReducer as DistributedGradReducer
from msjax.nn import Dropout as Dropout
from msjax.nn import Dropout1d as Dropout1d
from msjax.nn import Dropout2d as Dropout2d
from msjax.nn import Dropout2dExt as Dropout2dExt
from msjax.nn import Dropout3d as Dropout3d
from msjax.nn import DropoutExt as DropoutExt
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn import ELU as ELU
from msjax.nn import Embedding as Embedding
from msjax.nn import EmbeddingExt as EmbeddingExt
from msjax.nn import EmbeddingLookup as EmbeddingLookup
from msjax.nn import EmbeddingLookupThor as EmbeddingLookupThor
from msjax.nn import EmbeddingThor as EmbeddingThor
from msjax.nn import ExponentialDecayLR as ExponentialDecayLR
from msjax.nn import FTRL as FTRL
from msjax.nn import FakeQuantWithMinMaxObserver as FakeQuantWithMinMaxObserver
from msjax.nn import FastGelu as FastGelu
from msjax.nn import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from msjax.nn import Flatten as Flatten
from msjax.nn import FocalLoss as FocalLoss
from msjax.nn import ForwardValueAndGrad as ForwardValueAndGrad
from msjax.nn import FractionalMaxPool2d as FractionalMaxPool2d
from msjax.nn import FractionalMaxPool3d as FractionalMaxPool3d
from msjax.nn import GELU as GELU
from msjax.nn import GLU as GLU
from msjax.nn import GRU as GRU
from msjax.nn import GRUCell as GRUCell
from msjax.nn import GaussianNLLLoss as GaussianNLLLoss
from msjax.nn import GetNextSingleOp as GetNextSingleOp
from msjax.nn import GradAccumulationCell as GradAccumulationCell
from msjax.nn import GraphCell as GraphCell
from msjax.nn import GroupNorm as GroupNorm
from msjax.nn import HShrink as HShrink
from msjax.nn import HSigmoid as HSigmoid
from msjax.nn import HSwish as HSwish
from msjax.nn import Hardtanh as Hardtanh
from msjax.nn import HingeEmbeddingLoss as HingeEmbeddingLoss
from msjax.nn import HuberLoss as HuberLoss
from msjax.nn import IGamma as IGamma
from msjax.nn import Identity as Identity
from msjax.nn import ImageGradients as ImageGradients
from msjax.nn import InstanceNorm1d as InstanceNorm1d
from msjax.nn import InstanceNorm2d as InstanceNorm2d
from msjax.nn import InstanceNorm3d as InstanceNorm3d
from msjax.nn import InverseDecayLR as InverseDecayLR
from msjax.nn import Jvp as Jvp
from msjax.nn import KLDivLoss as KLDivLoss
from msjax.nn import L1Loss as L1Loss
from msjax.nn import L1LossExt as L1LossExt
from msjax.nn import L1Regularizer as L1Regularizer
from msjax.nn import LARS as LARS
from msjax.nn import LBeta as LBeta
from msjax.nn import LGamma as LGamma
from msjax.nn import LPPool1d as LPPool1d
from msjax.nn import LPPool2d as LPPool2d
from msjax.nn import LRN as LRN
from msjax.nn import LSTM as LSTM
from msjax.nn import LSTMCell as LSTMCell
from msjax.nn import Lamb as Lamb
from msjax.nn import LayerNorm as LayerNorm
from msjax.nn import LayerNormExt as LayerNormExt
from msjax.nn import LazyAdam as LazyAdam
from msjax.nn import LeakyReLU as LeakyReLU
from msjax.nn import LearningRateSchedule as LearningRateSchedule
from msjax.nn import Linear as Linear
from msjax.nn import LogSigmoid as LogSigmoid
from msjax.nn import LogSoftmax as LogSoftmax
from msjax.nn import LogSoftmaxExt as LogSoftmaxExt
from msjax.nn import LossBase as LossBase
from msjax.nn import MAELoss as MAELoss
from msjax.nn import MSELoss as MSELoss
from msjax.nn import MSSSIM as MSSSIM
from msjax.nn import MarginRankingLoss as MarginRankingLoss
from msjax.nn import MatDet as MatDet
from msjax.nn import MatInverse as MatInverse
from msjax.nn import MatMul as MatMul
from msjax.nn import MatrixDiag as MatrixDiag
from msjax.nn import MatrixDiagPart as MatrixDiagPart
from msjax.nn import MatrixSetDiag as MatrixSetDiag
from msjax.nn import MaxPool1d as MaxPool1d
from msjax.nn import MaxPool2d as MaxPool2d
from msjax.nn import MaxPool2dExt as MaxPool2dExt
from msjax.nn import MaxPool3d as MaxPool3d
from msjax.nn import MaxUnpool1d as MaxUnpool1d
from msjax.nn import MaxUnpool2d as MaxUnpool2d
from msjax.nn import MaxUnpool3d as MaxUnpool3d
from msjax.nn import MicroBatchInterleaved as MicroBatchInterleaved
from msjax.nn import Mish as Mish
from msjax.nn import Moments as Moments
from msjax.nn import Momentum as Momentum
from msjax.nn import MulQuant as MulQuant
from msjax.nn import MultiClassDiceLoss as MultiClassDiceLoss
from msjax.nn import MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup
from msjax.nn import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from msjax.nn import MultiMarginLoss as MultiMarginLoss
from msjax.nn import MultiheadAttention as MultiheadAttention
from msjax.nn import MultilabelMarginLoss as MultilabelMarginLoss
from msjax.nn import NLLLoss as NLLLoss
from msjax.nn import NaturalExpDecayLR as NaturalExpDecayLR
from msjax.nn import Norm as Norm
from msjax.nn import OneHot as OneHot
from msjax.nn import OptTFTWrapper as OptTFTWrapper
from msjax.nn import PReLU as PReLU
from msjax.nn import PReLUExt as PReLUExt
from msjax.nn import PSNR as PSNR
from msjax.nn import Pad as Pad
from msjax.nn import ParameterUpdate as ParameterUpdate
from msjax.nn import PipelineCell as PipelineCell
from msjax.nn import PipelineGradReducer as PipelineGradReducer
from msjax.nn import PixelShuffle as PixelShuffle
from msjax.nn import PixelUnshuffle as PixelUnshuffle
from msjax.nn import PoissonNLLLoss as PoissonNLLLoss
from msjax.nn import PolynomialDecayLR as PolynomialDecayLR
from msjax.nn import ProximalAdagrad as ProximalAdagrad
from msjax.nn import RMSELoss as RMSELoss
from msjax.nn import RMSProp as RMSProp
from msjax.nn import RNN as RNN
from msjax.nn import RNNCell as RNNCell
from msjax.nn import RReLU as RReLU
from msjax.nn import Range as Range
from msjax.nn import ReLU as ReLU
from msjax.nn import ReLU6 as ReLU6
from msjax.nn import ReduceLogSumExp as ReduceLogSumExp
from msjax.nn import ReflectionPad1d as ReflectionPad1d
from msjax.nn import ReflectionPad2d as ReflectionPad2d
from msjax.nn import ReflectionPad3d as ReflectionPad3d
from msjax.nn import ReplicationPad1d as ReplicationPad1d
from msjax.nn import ReplicationPad2d as ReplicationPad2d
from msjax.nn import ReplicationPad3d as ReplicationPad3d
from msjax.nn import ResizeBilinear as ResizeBilinear
from msjax.nn import Roll as Roll
from msjax.nn import Rprop as Rprop
from msjax.nn import SGD as SGD
from msjax.nn import SSIM as SSIM
from msjax.nn import SampledSoftmaxLoss as SampledSoftmaxLoss
from msjax.nn import SeLU as SeLU
from msjax.nn import SequentialCell as SequentialCell
from msjax.nn import SiLU as SiLU
from msjax.nn import Sigmoid as Sigmoid
from msjax.nn import SmoothL1Loss as SmoothL1Loss
from msjax.nn import SoftMarginLoss as SoftMarginLoss
from msjax.nn import SoftShrink as SoftShrink
from msjax.nn import Softmax as Softmax
from msjax.nn import Softmax2d as Softmax2d
from msjax.nn import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from msjax.nn import Softmin as Softmin
from msjax.nn import Softsign as Softsign
from msjax.nn import SparseTensorDenseMatmul as SparseTensorDenseMatmul
from msjax.nn import SparseToDense as SparseToDense
from msjax.nn import SyncBatchNorm as SyncBatchNorm
from msjax.nn import Tanh as Tanh
from msjax.nn import Tanhshrink as Tanhshrink
from msjax.nn import TensorAddQuant as TensorAddQuant
from msjax.nn import TensorArray as TensorArray
from msjax.nn import TensorsQueue as TensorsQueue
from msjax.nn import Threshold as Threshold
from msjax.nn import TimeDistributed as TimeDistributed
from msjax.nn import TrainOneStepCell as TrainOneStepCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn import Transformer as Transformer
from msjax.nn import TransformerDecoder as TransformerDecoder
from msjax.nn import TransformerDecoderLayer as TransformerDecoderLayer
from msjax.nn import TransformerEncoder as TransformerEncoder
from msjax.nn import TransformerEncoderLayer as TransformerEncoderLayer
from msjax.nn import Tril as Tril
from msjax.nn import TripletMarginLoss as TripletMarginLoss
from msjax.nn import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from msjax.nn import Triu as Triu
from msjax.nn import Unflatten as Unflatten
from msjax.nn import Unfold as Unfold
from msjax.nn import Upsample as Upsample
from msjax.nn import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from msjax.nn import Vjp as Vjp
from msjax.nn import WarmUpLR as WarmUpLR
from msjax.nn import WithEvalCell as WithEvalCell
from msjax.nn import WithGradCell as WithGradCell
from msjax.nn import WithLossCell as WithLossCell
from msjax.nn import ZeroPad2d as ZeroPad2d
from msjax.nn import cosine_decay_lr as cosine_decay_lr
from msjax.nn import exponential_decay_lr as exponential_decay_lr
from msjax.nn import get_activation as get_activation
from msjax.nn import inverse_decay_lr as inverse_decay_lr
from msjax.nn import natural_exp_decay_lr as natural_exp_decay_lr
from msjax.nn import no_init_parameters as no_init_parameters
from msjax.nn import opt_init_args_register as opt_init_args_register
from msjax.nn import piecewise_constant_lr as piecewise_constant_lr
from msjax.nn import polynomial_decay_lr as polynomial_decay_lr
from msjax.nn import thor as thor
from msjax.nn import warmup_lr as warmup_lr
from msjax.nn.cell.cell import Cell as Cell
from msjax.nn.optim.optimizer import Optimizer as Optimizer
from msjax.parallel import Layout as Layout
from msjax.parallel import data_parallel as data_parallel
from msjax.parallel import get_algo_parameters as get_algo_parameters
from msjax.parallel import parameter_broadcast as parameter_broadcast
from msjax.parallel import reset_algo_parameters as reset_algo_parameters
from msjax.parallel import set_algo_parameters as set_algo_parameters
from msjax.parallel import shard as shard
from msjax.parallel import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters
from msjax.train import ConvertModelUtils as ConvertModelUtils
from msjax.train import ConvertNetUtils as ConvertNetUtils
from msjax.train import DatasetHelper as DatasetHelper
from msjax.train import DynamicLossScaleManager as DynamicLossScaleManager
from msjax.train import FixedLossScaleManager as FixedLossScaleManager
from msjax.train import LossScaleManager as LossScaleManager
from msjax.train import Model as Model
from msjax.train import Profiler as Profiler
from msjax.train import SummaryRecord as SummaryRecord
from msjax.train import amp as amp
from msjax.train import async_ckpt_thread_status as async_ckpt_thread_status
from msjax.train import boost as boost
from msjax.train import build_searched_strategy as build_searched_strategy
from msjax.train import build_train_network as build_train_network
from msjax.train import check_checkpoint as check_checkpoint
from msjax.train import ckpt_to_safetensors as ckpt_to_safetensors
from msjax.train import connect_network_with_dataset as connect_network_with_dataset
from msjax.train import convert_checkpoint_by_rank as _convert_checkpoint_by_rank
from msjax.train import convert_checkpoint_by_rank as convert_checkpoint_by_rank
from msjax.train import convert_checkpoints as _convert_checkpoints
from msjax.train import convert_checkpoints as convert_checkpoints
from msjax.train import data_sink as data_sink
from msjax.train import export as export
from msjax.train import export_split_mindir as export_split_mindir
from msjax.train import flops_collection as flops_collection
from msjax.train import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from msjax.train import load as load
from msjax.train import load_checkpoint as load_checkpoint
from msjax.train import load_checkpoint_async as load_checkpoint_async
from msjax.train import load_distributed_checkpoint as load_distributed_checkpoint
from msjax.train import load_mindir as load_mindir
from msjax.train import load_obf_params_into_net as load_obf_params_into_net
from msjax.train import load_param_into_net as load_param_into_net
from msjax.train import load_run as load_run
from msjax.train import load_segmented_checkpoints as load_segmented_checkpoints
from msjax.train import merge_pipeline_strategys as merge_pipeline_strategys
from msjax.train import merge_sliced_parameter as merge_sliced_parameter
from msjax.train import mindio_preload as mindio_preload
from msjax.train import obfuscate_ckpt as obfuscate_ckpt
from msjax.train import parse_print as parse_print
from msjax.train import profiler as profiler
from msjax.train import rank_list_for_convert as _rank_list_for_convert
from msjax.train import rank_list_for_convert as rank_list_for_convert
from msjax.train import register_saved_tensors_hooks as register_saved_tensors_hooks
from msjax.train import restore_group_info_list as restore_group_info_list
from msjax.train import safetensors_to_ckpt as safetensors_to_ckpt
from msjax.train import save_checkpoint as save_checkpoint
from msjax.train import save_mindir as save_mindir
from msjax.train import save_run as save_run
from msjax.train import saved_tensors_hooks as saved_tensors_hooks
from msjax.train import set_mindio_server_info as set_mindio_server_info
from msjax.train import unified_safetensors as unified_safetensors
from msjax.train.callback import BackupAndRestore as BackupAndRestore
from msjax.train.callback import CallbackList as CallbackList
from msjax.train.callback import CheckpointConfig as CheckpointConfig
from msjax.train.callback import EarlyStopping as EarlyStopping
from msjax.train.callback import FlopsUtilizationCollector as FlopsUtilizationCollector
from msjax.train.callback import History as History
from msjax.train.callback import InternalCallbackParam as InternalCallbackParam
from msjax.train.callback import LambdaCallback as LambdaCallback
from msjax.train.callback import LearningRateScheduler as LearningRateScheduler
from msjax.train.callback import LossMonitor as LossMonitor
from msjax.train.callback import ModelCheckpoint as ModelCheckpoint
from msjax.train.callback import OnRequestExit as OnRequestExit
from msjax.train.callback import ReduceLROnPlateau as ReduceLROnPlateau
from msjax.train.callback import SummaryCollector as SummaryCollector
from msjax.train.callback import SummaryLandscape as SummaryLandscape
from msjax.train.callback import TimeMonitor as TimeMonitor
from msjax.train.callback import TrainFaultTolerance as TrainFaultTolerance
from msjax.train.callback.base import Callback as Callback
from msjax.train.callback.base import RunContext as RunContext
from msjax.train.metrics import Accuracy as Accuracy
from msjax.train.metrics import BleuScore as BleuScore
from msjax.train.metrics import ConfusionMatrix as ConfusionMatrix
from msjax.train.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from msjax.train.metrics import CosineSimilarity as CosineSimilarity
from msjax.train.metrics import Dice as Dice
from msjax.train.metrics import EvaluationBase as EvaluationBase
from msjax.train.metrics import F1 as F1
from msjax.train.metrics import Fbeta as Fbeta
from msjax.train.metrics import HausdorffDistance as HausdorffDistance
from msjax.train.metrics import Loss as Loss
from msjax.train.metrics import MAE as MAE
from msjax.train.metrics import MSE as MSE
from msjax.train.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from msjax.train.metrics import Metric as Metric
from msjax.train.metrics import OcclusionSensitivity as OcclusionSensitivity
from msjax.train.metrics import Perplexity as Perplexity
from msjax.train.metrics import Precision as Precision
from msjax.train.metrics import ROC as ROC
from msjax.train.metrics import Recall as Recall
from msjax.train.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from msjax.train.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from msjax.train.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from msjax.train.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from msjax.train.metrics import auc as auc
from msjax.train.metrics import get_metric_fn as get_metric_fn
from msjax.train.metrics import get_metrics as get_metrics
from msjax.train.metrics import names as names
from msjax.train.metrics import rearrange_inputs as rearrange_inputs
from msjax.unsupported import graph as graph
COMPATIBLE: int
FAILED: Any
GRAPH_MODE: int
LAX: int
PYNATIVE_MODE: int
STRICT: int
SUCCESS: Any
bfloat16: Any
bool_: Any
byte: Any
cdouble: Any
cfloat: Any
complex128: Any
complex64: Any
default_generator: Any
double: Any
float16: Any
float32: Any
float64: Any
float8_e4m3fn: Any
float8_e5m2: Any
float_: Any
half: Any
hifloat8: Any
int16: Any
int32: Any
int64: Any
int8: Any
int_: Any
intc: Any
intp: Any
list_: Any
long: Any
number: Any
pytest_plugins: Any
qint4x2: Any
short: Any
single: Any
string: Any
tensor_type: Any
tuple_: Any
type_none: Any
ubyte: Any
uint16: Any
uint32: Any
uint64: Any
uint8: Any
uint: Any
uintc: Any
uintp: Any
ushort: Any
RowTensorInner = RowTensor
current_stream = communication_stream
default_stream = communication_stream
ms_class = jit_class
rank_list_for_transform = _rank_list_for_convert
reset_max_memory_reserved = reset_max_memory_allocated
reset_peak_memory_stats = reset_max_memory_allocated
transform_checkpoint_by_rank = _convert_checkpoint_by_rank
transform_checkpoints = _convert_checkpoints

_F = TypeVar("_F")
from msjax.core.operators.primitive import Primitive as Primitive
from msjax.core.settings.device import DeviceInfo as DeviceInfo
from msjax.core.trace.explain import Explanation as Explanation
from msjax.planning.report import Plan as Plan
from msjax.rewrite.symbol_tree import Position as Position
from msjax.train.network_summary import NetworkSummary as NetworkSummary
import numpy as np
from msjax.core.values.dtype import Type as Type
class Bool(Type):
    def __init__(self, name: str | None=None, printed: str | None=None, np_dtype=None) -> None: ...
    @property
    def is_complex(self) -> bool: ...
    @property
    def is_floating_point(self) -> bool: ...
    @property
    def is_signed(self) -> bool: ...
    @property
    def itemsize(self) -> Any: ...
    def to_complex(self) -> Any: """The complex type with parts of this type; TypeError if there is none."""
    def to_real(self) -> Any: """The type of the parts of a complex type; any other type itself."""
class COOTensor:
    """A Tensor given by the positions and values of some elements; all others are 0, and values at the same position"""
    def __add__(self, other) -> Any: ...
    def __init__(self, indices: Tensor | None=None, values: Tensor | None=None, shape: Sequence[int] | None=None, coo_tensor=None) -> None: ...
    def abs(self) -> COOTensor: """The absolute values at the same positions."""
    def add(self, other, thresh) -> COOTensor: """Sum of two COOTensors; values of a magnitude below `thresh` are left out."""
    def astype(self, dtype) -> COOTensor: """The values as another dtype."""
    def coalesce(self) -> COOTensor: """The values of equal positions added up, in the order of positions."""
    @property
    def dtype(self) -> Type: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def to_csr(self) -> CSRTensor: """The same content as a CSRTensor; two axes only (ValueError)."""
    def to_dense(self) -> Tensor: """The whole Tensor."""
    def to_tuple(self) -> tuple[Any, Any, Any]: """(indices, values, shape)"""
    indices: Any
    values: Any
class CSRTensor:
    """A Tensor given row by row: columns and values of the stored elements; all others are 0."""
    def __add__(self, other) -> CSRTensor: ...
    def __init__(self, indptr: Tensor | None=None, indices: Tensor | None=None, values: Tensor | None=None, shape: Sequence[int] | None=None, csr_tensor=None) -> None: ...
    def abs(self) -> CSRTensor: """The absolute values at the same positions."""
    def add(self, b, alpha: Tensor | float, beta: Tensor | float) -> CSRTensor: """alpha * self + beta * b."""
    def astype(self, dtype) -> CSRTensor: """The values as another dtype."""
    @property
    def dtype(self) -> Type: ...
    @property
    def itemsize(self) -> int: ...
    def mm(self, matrix: Tensor) -> Any: """Product with a matrix, dense or sparse."""
    def mv(self, dense_vector: Tensor) -> Tensor: """Product with a column vector (columns, 1)."""
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def sum(self, axis) -> Tensor: """Sums of the rows (axis 1) or of the columns (axis 0); the axis stays, with length 1."""
    def to_coo(self) -> COOTensor: """The same content as a COOTensor; two axes only (ValueError)."""
    def to_dense(self) -> Tensor: """The whole Tensor."""
    def to_tuple(self) -> tuple[Any, Any, Any, Any]: """(indptr, indices, values, shape)"""
    indptr: Any
    indices: Any
    values: Any
class Compiled:
    """A function with its compiled variants."""
    def __call__(self, *args, **kwargs) -> Any: ...
    def __init__(self, fn: Callable[..., Any], fullgraph: bool=False, name: str | None=None) -> None: ...
    def build(self, structure: tuple, key, leaves: list) -> Any: """Trace and compile a new variant; falls back to eager execution where that cannot be."""
    def entry_for(self, *args, **kwargs) -> Any: """The compiled variant for these arguments (traced if need be), without running it."""
    def entry_of_all(self, args, kwargs: dict | None=None) -> Any: """As `entry_for`; where this process has the inputs of one of several devices, for those of all."""
    def find(self, key) -> Any: """The valid entry of a signature, or None."""
    fn: Any
    fullgraph: Any
    name: Any
    entries: Any
    history: Any
    dynamic: Any
    constant: Any
    declared: Any
    buckets: Any
    of_all: Any
    rebuilt: Any
    only_compiles: Any
class DeviceCtx:
    """Choose a device inside a `with`."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: ...
    def __init__(self, name: str, device_id: int | None=None) -> None: ...
    name: Any
    device_id: Any
class Event:
    """A point in time: `record` waits for the work before it and notes the time."""
    def __init__(self, enable_timing: bool=False, blocking: bool=False) -> None: ...
    def elapsed_time(self, end_event: Event) -> Any: """Milliseconds from this event to another."""
    def query(self) -> bool: """Whether the event has happened: always."""
    def record(self, stream: Stream | None=None) -> None: """Wait for the work before it and note the time."""
    def synchronize(self) -> None: """Wait for the event: `record` did."""
    def wait(self, stream: Stream | None=None) -> None: """Later work waits for the event, as it always does in the only stream."""
    enable_timing: Any
    blocking: Any
    time: Any
class ExitByRequest:
    """Ends training when it was asked to: here the callback OnRequestExit does, also among several processes."""
    def exit_by_request(self, grad, init_value, exit_value) -> Any: """The gradients unchanged: the callback asks the other processes itself."""
class Float(Type):
    def __init__(self, name: str | None=None, printed: str | None=None, np_dtype=None) -> None: ...
    @property
    def is_complex(self) -> bool: ...
    @property
    def is_floating_point(self) -> bool: ...
    @property
    def is_signed(self) -> bool: ...
    @property
    def itemsize(self) -> Any: ...
    def to_complex(self) -> Any: """The complex type with parts of this type; TypeError if there is none."""
    def to_real(self) -> Any: """The type of the parts of a complex type; any other type itself."""
class Generator:
    """A stream of random numbers of its own, for the operators that take `generator=`."""
    def __init__(self) -> None: ...
    def get_state(self) -> Any: """The state with its seed, as a uint8 Tensor."""
    def initial_seed(self) -> int: """The seed that the stream started from."""
    def manual_seed(self, seed: int) -> Self: """Restart from an int; returns the generator."""
    def seed(self) -> int: """Restart from a random seed, and return it."""
    def set_state(self, state: Tensor) -> None: """Continue from a state that `get_state` gave."""
class GradOperation:
    """Makes gradient functions in the style of MindSpore 1.x: `GradOperation(get_all, get_by_list, sens_param)(fn, weights)(*inputs)`."""
    def __call__(self, fn: Callable[..., Any], weights=None) -> Callable[..., Any]: ...
    def __init__(self, get_all: bool=False, get_by_list: bool=False, sens_param: bool=False) -> None: ...
    get_all: Any
    get_by_list: Any
    sens_param: Any
    grad_fn: Any
    fn: Any
    given: Any
class Int(Type):
    def __init__(self, name: str | None=None, printed: str | None=None, np_dtype=None) -> None: ...
    @property
    def is_complex(self) -> bool: ...
    @property
    def is_floating_point(self) -> bool: ...
    @property
    def is_signed(self) -> bool: ...
    @property
    def itemsize(self) -> Any: ...
    def to_complex(self) -> Any: """The complex type with parts of this type; TypeError if there is none."""
    def to_real(self) -> Any: """The type of the parts of a complex type; any other type itself."""
class JitConfig:
    """Settings of a compilation (`jit_level`, `exc_mode`, ...), kept as `jit_config_dict`. XLA has its own; these change nothing."""
    def __init__(self, jit_level: str='', exc_mode: str='auto', jit_syntax_level: str='', debug_level: str='RELEASE', infer_boost: str='off', **kwargs) -> None: ...
    jit_config_dict: Any
class MemPool:
    """RuntimeError: memory is JAX's."""
    def __init__(self, allocator) -> None: ...
class MissingNames:
    """The `__getattr__` of a package: gives MindSpore's inner modules (`nn.wrap`), else raises `missing_name`."""
    def __call__(self, name: str) -> Any: ...
    def __init__(self, module_name: str, hint: str='') -> None: ...
    module_name: Any
    hint: Any
    children: Any
class MsDispatchMode:
    """Within `with mode:` (or in a function decorated with it) every operator call goes to the mode's `__ms_dispatch__`."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> bool: ...
class Node:
    """A statement of a network: the call of a Cell, an operator or a function, arithmetic, an input, a return."""
    @staticmethod
    def create_call_cell(cell: Cell | Primitive, targets: str | Sequence, args: Sequence | None=None, kwargs: dict | None=None, name: str='', is_sub_net: bool=False) -> Any: """The statement `targets = self.name(*args, **kwargs)`."""
    @staticmethod
    def create_call_function(function: Callable[..., Any], targets: str | Sequence, args: Sequence | None=None, kwargs: dict | None=None) -> Any: """The statement `targets = function(*args, **kwargs)`. The function's own source is not read."""
    @staticmethod
    def create_input(param_name: str, default=None) -> Any: """An argument of `construct`, with its default."""
    def get_arg_providers(self) -> dict[Any, Any]: """{number of an argument: (the node that wrote it, number of that node's target)}."""
    def get_args(self) -> list[Any]: """list of ScopedValue: its arguments."""
    def get_attribute(self, key: str) -> Any: """The value that `set_attribute` kept, or the attribute of the called Cell or Primitive; None for others."""
    def get_attributes(self) -> Any: """All attributes of `get_attribute`; `cls` is the type of the called object."""
    def get_belong_symbol_tree(self) -> Any: """The SymbolTree that it belongs to, or None."""
    def get_handler(self) -> Self: """The node itself."""
    def get_inputs(self) -> list[Any]: """The nodes whose results it reads."""
    def get_instance(self) -> Any: """The Cell, Primitive or function that is called, or None."""
    def get_instance_type(self) -> Any: """The type of the called Cell or Primitive, the called function, or NoneType."""
    def get_kwargs(self) -> dict[Any, Any]: """dict of ScopedValue: its arguments by name."""
    def get_name(self) -> Any: """Its name, unique within the SymbolTree."""
    def get_node(self, node_name: str) -> Any: """The node within that has a name, or None."""
    def get_node_type(self) -> Any: """NodeType."""
    def get_sub_tree(self) -> Any: """The SymbolTree of the network that it calls."""
    def get_symbol_tree(self) -> Any: """The SymbolTree that it belongs to, or None."""
    def get_target_users(self, index: int=-1) -> Any: """{number of a target: [(node that reads it, number of its argument)]}, or the list for one target."""
    def get_targets(self) -> list[Any]: """list of ScopedValue that it writes."""
    def get_users(self) -> list[Any]: """The nodes that read its results."""
    def lines(self, indent) -> Any: """Its source, indented; the body of control flow too."""
    @classmethod
    def make(cls, kind: NodeType, name: str, targets: str | Sequence=(), args: Sequence=(), kwargs: dict | None=None, instance=None, render: Callable[..., Any] | None=None, blocks: Sequence=(), tree=None) -> Any: """A node. `render(args, kwargs)` gives the source of its right side, or of its head, from the texts of its arguments."""
    @property
    def node_list(self) -> list[Any]: ...
    def nodes(self) -> list[Any]: """list of the nodes within: of a container's Cells, of a function's statements, of a branch or a loop."""
    def set_arg(self, index: int, arg: ScopedValue | str) -> None: """Read something else."""
    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None=None) -> None: """Read a target of another node."""
    def set_arg_providers(self, index: int, provider) -> None: """Say which (node, number of its target) gives an argument; for the first Cell of a container, whose arguments are the container's."""
    def set_attribute(self, key: str, value) -> None: """Keep a value of yours with the node."""
    def source(self) -> Any: """The first line of its source, '' for an input."""
    @property
    def symbol_tree(self) -> Any: ...
    def values(self) -> list[Any]: """All that it reads, arguments by name last."""
    kind: Any
    name: Any
    instance: Any
    targets: Any
    args: Any
    kwargs: Any
    render: Any
    blocks: Any
    tree: Any
    block: Any
    function: Any
    providers: Any
    attributes: Any
class NodeType:
    """Kinds of statements in the source of a network."""
    CallCell: Any
    CallFunction: Any
    CallMethod: Any
    CallModule: Any
    CallPrimitive: Any
    CellContainer: Any
    ControlFlow: Any
    Input: Any
    MathOps: Any
    Output: Any
    Python: Any
    Tree: Any
    Unknown: Any
    def __init__(self, *args, **kwds) -> None: ...
    name: Any
    value: Any
class ParallelMode:
    """Names of the ways to run on several devices."""
    AUTO_PARALLEL: Any
    DATA_PARALLEL: Any
    HYBRID_PARALLEL: Any
    MODE_LIST: Any
    SEMI_AUTO_PARALLEL: Any
    STAND_ALONE: Any
class PluggableAllocator:
    """RuntimeError: memory is JAX's."""
    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None: ...
class QuantDtype:
    """Quantised dtypes (INT1..INT16, UINT1..UINT16): names only, as in MindSpore."""
    INT1: Any
    INT10: Any
    INT11: Any
    INT12: Any
    INT13: Any
    INT14: Any
    INT15: Any
    INT16: Any
    INT2: Any
    INT3: Any
    INT4: Any
    INT5: Any
    INT6: Any
    INT7: Any
    INT8: Any
    INT9: Any
    UINT1: Any
    UINT10: Any
    UINT11: Any
    UINT12: Any
    UINT13: Any
    UINT14: Any
    UINT15: Any
    UINT16: Any
    UINT2: Any
    UINT3: Any
    UINT4: Any
    UINT5: Any
    UINT6: Any
    UINT7: Any
    UINT8: Any
    UINT9: Any
    def __init__(self, *args, **kwds) -> None: ...
    @staticmethod
    def is_signed(dtype) -> Any: """Whether the type has numbers below 0."""
    name: Any
    @property
    def num_bits(self) -> int: ...
    @staticmethod
    def switch_signed(dtype) -> Any: """The one of as many bits, with or without numbers below 0."""
    def value(self) -> Any: ...
class RSCPluginHandle:
    """The agent of an Ascend cluster that restarts training after a fault: msjax has none."""
    def check_enable(self) -> bool: """Whether the agent is on: False."""
    def register_callback(self, func_map: dict) -> bool: """False: no agent takes the functions. ValueError: `func_map` is not a dict."""
    def start(self) -> Any: """RuntimeError: msjax has no agent."""
class Request:
    """One text that is being made: an iterator of its tokens."""
    def __init__(self, generator: TextGenerator, prompt: np.ndarray, settings: dict, number: int) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def cancel(self) -> None: """Make no more tokens; the slot becomes free. Nothing happens to a request that has ended."""
    def listen(self, function: Callable[..., Any]) -> None: """Register a function that the working thread calls, without arguments, on new tokens and at the end of the"""
    def result(self) -> np.ndarray: """All new tokens, int32 (tokens,), after the request has ended."""
    settings: Any
    number: Any
    prompt: Any
    source: Any
    tokens: Any
    log_probabilities: Any
    finished: Any
    error: Any
class RowTensor:
    """Some rows of a Tensor and their numbers; the form of an embedding's gradient."""
    def __init__(self, indices: Tensor | None=None, values: Tensor | None=None, shape: Sequence[int] | None=None, row_tensor=None, *, dense_shape: Sequence[int] | None=...) -> None: ...
    def abs(self) -> RowTensor: """The absolute values at the same positions."""
    def astype(self, dtype) -> RowTensor: """The values as another dtype."""
    @property
    def dense_shape(self) -> Any: ...
    @property
    def dtype(self) -> Type: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def to_dense(self) -> Tensor: """The whole Tensor."""
    indices: Any
    values: Any
class ScopedValue:
    """A variable (with its scope), a constant, or an expression in the source of a network."""
    def __init__(self, arg_type: ValueType, scope: str='', value=None) -> None: ...
    @classmethod
    def create_name_values(cls, names: Sequence[str], scopes: Sequence[str] | str | None=None) -> list[Any]: """Variables; ValueError if there are not as many scopes as names."""
    @classmethod
    def create_naming_value(cls, name: str, scope: str='') -> Self: """A variable."""
    @classmethod
    def create_variable_value(cls, value) -> Self: """A constant."""
    def source(self) -> str: """The value as Python text."""
    type: Any
    scope: Any
    value: Any
class SparseTensor(COOTensor):
    """The name of COOTensor in MindSpore 1.x."""
    @overload
    def __init__(self, indices: Tensor, values: Tensor, shape: Sequence[int]) -> None: ...
    @overload
    def __init__(self, indices: Tensor, values: Tensor, *, dense_shape: Sequence[int]) -> None: ...
class Stream:
    """A queue of work. msjax has one, in which JAX orders the work; `synchronize` waits for all of it."""
    def __init__(self, priority: int=0, **kwargs) -> None: ...
    def query(self) -> bool: """Whether all work is done: waits for it, so True."""
    def record_event(self, event: Event | None=None) -> Any: """Record an event now, and return it."""
    def synchronize(self) -> None: """Wait for all work."""
    def wait_event(self, event: Event) -> None: """Later work waits for the event, as it always does in the only stream."""
    def wait_stream(self, stream: Stream) -> None: """Later work waits for the other stream, as it always does in the only stream."""
    priority: Any
    id: Any
    device_name: Any
    device_id: Any
class StreamCtx:
    """`with StreamCtx(stream):` work inside runs in that stream; msjax has one."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> bool: ...
    def __init__(self, ctx_stream: Stream | None) -> None: ...
    stream: Any
class StreamLimitCtx:
    """A limit on a stream's cores inside a `with`: recorded."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: ...
    def __init__(self, stream, cube_num: int=-1, vector_num: int=-1) -> None: ...
class Symbol:
    """An axis of unknown length in `Tensor(shape=(None, symbol), dtype=...)`. Its options are recorded; msjax compiles"""
    def __init__(self, max: int=0, min: int=1, divisor: int=1, remainder: int=0, unique: bool=False, **kwargs) -> None: ...
    def to_dict(self) -> dict[Any, Any]: """The known properties, as a dict, without those that are unrestricted."""
    max: Any
    min: Any
    divisor: Any
    remainder: Any
    unique: Any
    id: Any
class SymbolTree:
    """The statements of a network's `construct`, with their reads, writes and calls."""
    def after(self, node: Node) -> Position: """The Position after a node (given itself or by name)."""
    def all_nodes(self, subtree_nodes: bool=True) -> list[Any]: """list of all nodes, with or without those of sub-networks."""
    def before(self, node: Node) -> Position: """The Position before a node (given itself or by name)."""
    def body_of(self, function: Callable[..., Any]) -> list[Any]: """[Block] of a method of the network or of a function of the user; [] for all others."""
    @classmethod
    def create(cls, network: Cell) -> Any: """Read a network."""
    def dump(self) -> None: """Print the source of `construct`, each statement with the name of its node."""
    def erase(self, node: Node) -> Any: """Remove a node (given itself or by name) and return it. Other nodes must write its results."""
    def flatten_nodes(self, node: Node, erase_nodes_after_return: bool=False) -> None: """Put the statements within control flow in its place, for a branch that is always taken."""
    def flatten_static_if_control_flow(self) -> None: """Decide each `if` whose condition is known before the network runs (`if self.training_head:`) and keep the branch taken."""
    def get_code(self) -> str: """The source of the network as it stands now."""
    def get_handler(self) -> Self: """The SymbolTree itself."""
    def get_inputs(self) -> list[Any]: """The nodes of the arguments of `construct`."""
    def get_network(self) -> Any: """A network of the source as it stands now, with the Cells and Parameters of the old one, which should not be used any more."""
    def get_node(self, node_name: str) -> Any: """The node of that name, or None."""
    def get_origin_network(self) -> Any: """The network that was read."""
    def get_saved_file_name(self) -> Any: """The value of `set_saved_file_name`, or None."""
    def insert(self, position: Position, node: Node) -> Any: """Insert a node."""
    def nodes(self, all_nodes: bool=False) -> Any: """Iterate over the nodes of `construct`; with `all_nodes` also those within functions, branches and sub-networks."""
    def print_node_tabulate(self, all_nodes: bool=False) -> None: """Print a table of the nodes: kind, name, source, which node gives each argument, which nodes read each target."""
    def replace(self, old_node: Node, new_nodes: list[Node] | tuple[Node, ...]) -> Any: """Put nodes in the place of a node; returns the last of them."""
    def save_network_to_file(self) -> None: """Write the source of the network as it stands now."""
    def set_output(self, index: int, return_value: str) -> Any: """Return another variable."""
    def set_saved_file_name(self, file_name: str) -> None: """The file that `get_network` and `save_network_to_file` write; '.py' is added where it is missing."""
    def subtree(self, network: Cell) -> Any: """The SymbolTree of a network that this one calls; None where it has no source."""
    def unique_name(self, name: str='output') -> Any: """A name for a variable that nothing else in `construct` has: `name`, or `name_1`, `name_2`, ..."""
    file_name: Any
class TFTCommValue:
    """The settings of MS_ENABLE_TFT that MindSpore's fault tolerance on Ascend clusters knows."""
    DISABLE_WATCHDOG: Any
    ENABLE_MINDX: Any
    NEED_MINDIO: Any
class TensorType(Type):
    """Type of Tensors, with the dtype of their elements where it is known: `TensorType(mindspore.float32)`."""
    def __call__(self, element) -> TensorType: ...
    def __init__(self, element=None) -> None: ...
    def element_type(self) -> Any: """dtype of the elements, or None."""
class TextGenerator:
    """Text of a network for many requests at once, by two kinds of compiled programs: of prompts, and of steps of all slots."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: ...
    def __init__(self, net: Cell, slots: Any=8, length: int | None=None, *, weights: str | None=None, cache: Literal[None, 'int8', 'float8']=None, steps: int=8, queue: int=4096, check: bool=True, source: int | Sequence[int] | None=None) -> None: ...
    def close(self) -> None: """End all requests, as cancelled, and the thread."""
    @property
    def running(self) -> Any: ...
    def start(self) -> Self: """Work in a thread, until `close`; requests are then made and read from any thread. Returns the TextGenerator."""
    def step(self) -> bool: """One round: fill free slots with new requests, start the next step of all slots, collect the previous step."""
    def submit(self, ids: Sequence[int] | np.ndarray | Tensor, max_new_tokens: int | None=None, *, decoder_input_ids: Sequence[int] | np.ndarray | Tensor | None=None, **settings) -> Request: """A Request for the tokens after a prompt."""
    @property
    def waiting(self) -> int: ...
    length: Any
    slots: Any
    steps: Any
    programs: Any
    spelling: Any
    counters: Any
class UntypedStorage:
    """The content of one Tensor as bytes. It is made by `Tensor.untyped_storage()`."""
    def __init__(self, tensor: Tensor) -> None: ...
    def __len__(self) -> Any: """Number of bytes."""
    def copy_(self, source, non_blocking: bool=False) -> Self: """Give the Tensor the bytes of another storage of the same length, and return this storage."""
    def data_ptr(self) -> Any: """Address of the content."""
    @property
    def device(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def element_size(self) -> int: """Bytes of one element: 1, since they are bytes."""
    def is_shared(self) -> bool: """Whether other processes see the memory: False."""
    def nbytes(self) -> Any: """Number of bytes."""
    def resize_(self, size: int) -> Self: """Record another length, and return this storage. The content stays: JAX frees memory when nothing refers to it."""
    def size(self) -> Any: """Number of bytes."""
class ValueType:
    """Kinds of values: a variable, a constant, or an expression that is kept as it stands."""
    ConstantValue: Any
    NamingValue: Any
    UnsupportedValue: Any
    def __init__(self, *args, **kwds) -> None: ...
    name: Any
    value: Any
def comm_exec_order_check(action: str) -> None: """Check the order of communication between processes while a program runs: 'start' or 'end'."""
def communication_stream() -> Stream: """The one stream."""
@overload
def constexpr(fn: _F, get_instance: bool=True, name: str | None=None, reuse_result: bool=True, check: bool=True) -> _F: ...
@overload
def constexpr(fn: None=None, get_instance: bool=True, name: str | None=None, reuse_result: bool=True, check: bool=True) -> Callable[..., Any]: ...
def device_count(device_target: str | None=None) -> int: """Number of devices of a kind."""
def dispatch_threads_num(threads_num: int) -> None: """Number of threads that start kernels: XLA's own, so recorded only."""
def dtype_to_nptype(type_) -> Any: """NumPy type that holds a MindSpore type."""
def dtype_to_pytype(type_) -> Any: """Python type of a MindSpore type: int, float, bool, complex, str, list, tuple."""
def empty_cache() -> None: """Release unused memory: runs the garbage collector; JAX frees an array as soon as nothing refers to it."""
def enable_dynamic(**kwargs) -> Callable[..., Any]: """Decorator that declares Tensors with lengths left open for arguments, by name; lengths share programs as with `Cell.set_inputs`."""
def explain(fn: Callable[..., Any]) -> Explanation: """Report the compiled variants of a `@jit` function, a Cell called in GRAPH_MODE, or a gradient function."""
def from_dlpack(dlpack) -> Tensor: """A Tensor of an object that speaks DLPack (NumPy array, torch Tensor, ...)."""
def from_jax(function: Callable[..., Any], params=None, name: str | None=None, *, state=None, rng: bool | str | tuple[str, ...] | None=None) -> Cell: """A Cell around a function or a module of JAX, which is trained, saved and differentiated like any other Cell."""
def from_numpy(array: np.ndarray) -> Tensor: """A Tensor with the content of a NumPy array; TypeError for anything else."""
def frombuffer(buffer, *, dtype: Type, count: int=-1, offset: int=0) -> Tensor: """A Tensor of the bytes of a buffer."""
def functional(cell: Callable[..., Any], mutable: bool=False) -> tuple[Callable[..., Any], dict[Any, Any]]: """A Cell (or a function that uses Cells) as a pure function of arrays, for `jax.jit`, `jax.grad`, `jax.vmap`, `shard_map`."""
def generate(net: Cell | Callable[..., Any], input_ids: Tensor | np.ndarray | Sequence, max_new_tokens: int | None=None, *, max_length: int | None=None, min_new_tokens: int=0, attention_mask: Tensor | np.ndarray | Sequence | None=None, do_sample: bool=False, temperature: float=1.0, top_k: int=0, top_p: float=1.0, repetition_penalty: float=1.0, num_beams: int=1, length_penalty: float=1.0, early_stopping: bool | str=False, num_return_sequences: int=1, eos_token_id: int | Sequence[int] | None=None, pad_token_id: int | None=None, seed: int=0, length: int | None=None, weights: str | None=None, cache: str | None=None, streamer=None, check: bool=True, decoder_input_ids: Tensor | np.ndarray | Sequence | None=None) -> Any: """Prompts followed by the tokens that a network generates."""
def get_arch_list(device_target: str | None=None) -> Any: """Kinds of GPUs: their names; None for other devices."""
def get_auto_parallel_context(attr_key: str) -> Any: """Value of one keyword of `set_auto_parallel_context`; ValueError for one that does not exist."""
def get_context(attr_key: str) -> Any: """Value of one keyword of `set_context`; ValueError for one that does not exist."""
def get_current_device() -> DeviceInfo: """(name, number) of the device that computes."""
def get_device_capability(device_id: int, device_target: str | None=None) -> Any: """(major, minor) compute capability of a GPU, or None."""
def get_device_limit(device: int) -> dict[Any, Any]: """The limit recorded by `set_device_limit`; -1 for no limit."""
def get_device_name(device_id: int, device_target: str | None=None) -> str: """Name of a device; 'CPU' for a processor."""
def get_device_properties(device_id: int, device_target: str | None=None) -> Any: """Dict with the name, platform and memory of a device; None for a processor."""
def get_grad(gradients, identifier) -> Any: """The gradient of one input (its position) or Parameter (itself or its name) out of the result of `grad(..., return_ids=True)`."""
def get_jit_config() -> dict[Any, Any]: """The `jit_config` given to `set_context`."""
def get_level() -> str: """The level of the logger as MindSpore numbers it: '0' debug, '1' info, '2' warning, '3' error, '4' critical."""
def get_log_config() -> dict: """The configuration in force, under the names of the environment variables."""
def get_offload_context() -> dict[Any, Any]: """The settings given to `set_offload_context`."""
def get_ps_context(attr_key: str) -> Any: """Value of one keyword of `set_ps_context`; ValueError for an unknown name."""
def get_py_obj_dtype(obj) -> Any: """MindSpore type of a Python object: a Tensor's own type, `function`, or the type of a number, string or container."""
def get_rng_state() -> Tensor: """The state of the default generator as a uint8 Tensor."""
def get_sdc_detect_result() -> bool: """Whether a silent fault was found: False."""
def get_seed() -> int | None: """The number given to `set_seed`, or None."""
def get_stream_limit(stream) -> dict[Any, Any]: """The limit recorded by `set_stream_limit`; -1 for no limit."""
@overload
def grad(fn: Callable[..., Any], grad_position: int=0, weights: None=None, has_aux: Literal[False]=False, return_ids: Literal[False]=False, sens_param: bool=False) -> Callable[..., Tensor]: ...
@overload
def grad(fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None=0, weights=None, has_aux: bool=False, return_ids: bool=False, sens_param: bool=False) -> Callable[..., Any]: ...
def initial_seed() -> int: """The seed that the default generator started from."""
def install() -> None: """Make `import mindspore`, and every module path below it, mean msjax in this process."""
def is_available(device_target: str) -> bool: """Whether a device of a kind is available."""
def is_initialized(device_target: str) -> bool: """Whether a device of a kind is in use: something was put or computed there."""
def is_invalid_or_jit_forbidden_method(obj, obj_type, attr) -> bool: """Whether a method must not be called in compiled functions: none is forbidden."""
def is_tensor(obj) -> bool: """Whether an object is a Tensor."""
def jacfwd(fn: Callable[..., Any], grad_position: int | tuple[int, ...]=0, has_aux: bool=False) -> Callable[..., Any]: """Function that computes the Jacobian of `fn` column by column (forward mode): good where inputs are few."""
def jacrev(fn: Callable[..., Any], grad_position: int | tuple[int, ...]=0, has_aux: bool=False) -> Callable[..., Any]: """Function that computes the Jacobian of `fn` row by row (reverse mode): good where outputs are few."""
@overload
def jit(function: _F, *args, capture_mode: Literal['ast', 'bytecode', 'trace']=..., jit_level: Literal['O0', 'O1']=..., dynamic: Literal[0, 1]=..., fullgraph: bool=..., backend: str=..., disable_format_transform: bool=..., exec_order: Literal['bfs', 'dfs']=..., infer_boost: Literal['on', 'off']=..., ge_options: dict=..., auto_offload: Literal['weight', 'activation', 'all']=..., fn: Any=..., obj: Any=..., mode: str | None=..., input_signature: Any=..., hash_args: Any=..., jit_config: Any=..., compile_once: bool=...) -> _F: ...
@overload
def jit(function: str | None=None, *args, capture_mode: Literal['ast', 'bytecode', 'trace']=..., jit_level: Literal['O0', 'O1']=..., dynamic: Literal[0, 1]=..., fullgraph: bool=..., backend: str=..., disable_format_transform: bool=..., exec_order: Literal['bfs', 'dfs']=..., infer_boost: Literal['on', 'off']=..., ge_options: dict=..., auto_offload: Literal['weight', 'activation', 'all']=..., fn: Any=..., obj: Any=..., mode: str | None=..., input_signature: Any=..., hash_args: Any=..., jit_config: Any=..., compile_once: bool=...) -> Callable[..., Any]: ...
def jit_class(cls: _F) -> _F: """Mark a class as usable in compiled functions: any class is. Returns it."""
def jvp(fn: Callable[..., Any], inputs, v, has_aux: bool=False) -> Any: """Value of `fn` at `inputs` and its Jacobian times the tangent `v`; with `has_aux` also the extra values."""
def launch_blocking() -> None: """Make operators wait for their result: accepted with one notice; JAX reports errors at the operator in any case."""
def lazy_inline(fn: Callable[..., Any] | None=None, attrs=None, policy=None) -> Any: """Mark a Cell's `__init__` so that the Cell is compiled once: XLA finds equal parts by itself. Returns the function."""
def load_ipython_extension(ipython) -> None: """Entry point of `%load_ext msjax`: installs the alias and NumPy's old names, and shortens tracebacks to the cells'"""
def lower(fn: Callable[..., Any], *inputs, platforms: Sequence[str]=('tpu', 'cuda'), **kwargs) -> str: """The program that a call compiles to on other devices, as StableHLO text. Nothing runs, and no such device is needed."""
def manual_seed(seed: int) -> Generator: """Restart the default generator from an int; returns the generator."""
def max_memory_allocated(device_target: str | None=None) -> int: """Most bytes that were in use on the device; 0 on a processor."""
def max_memory_reserved(device_target: str | None=None) -> int: """Most bytes that were reserved on the device; 0 on a processor."""
def memory_allocated(device_target: str | None=None) -> int: """Bytes in use on the device; 0 on a processor."""
def memory_replay(file_path: str) -> None: """RuntimeError: msjax has no trace of MindSpore's memory manager; use `jax.profiler.device_memory_profile`."""
def memory_reserved(device_target: str | None=None) -> int: """Bytes that are reserved on the device; 0 on a processor."""
def memory_stats(device_target: str | None=None) -> dict[str, Any]: """The memory statistics of the device, a dict of bytes."""
def memory_summary(device_target: str | None=None) -> str: """The numbers of `memory_stats` as a table."""
@overload
def ms_function(fn: _F, input_signature=None, hash_args=None, jit_config=None) -> _F: ...
@overload
def ms_function(fn: None=None, input_signature=None, hash_args=None, jit_config=None, *, obj=None) -> Callable[..., Any]: ...
def ms_hybrid(fn: Callable[..., Any] | None=None, reg_info=None, compile_attrs=None) -> Any: """Decorator of a hybrid kernel: Python over Tensors here. Returns the function."""
def ms_kernel(fn: Callable[..., Any] | None=None, reg_info=None, compile_attrs=None) -> Any: """Decorator of a kernel in Python: it runs as Python here. Returns the function."""
def ms_memory_recycle() -> None: """Release memory of compiled functions: drops all compiled variants that nothing refers to."""
def mutable(input_data, dynamic_len: bool=False) -> Any: """Make Python numbers inputs of compiled functions instead of constants, so that a new value does not compile again."""
def no_inline(fn: Callable[..., Any] | None=None) -> Any: """Mark a function that is to be compiled by itself: XLA decides. Returns the function."""
def plan(step: Callable[..., Any], *inputs, topology: str='v5e', devices: int | None=None, **kwargs) -> Plan: """Memory, operations and time of a step on chips that need not be there, by their own compiler; nothing runs."""
def planned(topology: str='v5e', devices: int | None=None) -> Any: """A `with` block in which networks and optimizers are built of shapes, for a topology: 70 G weights need no memory."""
def pytype_to_dtype(obj: type) -> Any: """MindSpore type of a Python type, a NumPy dtype or a MindSpore type; NotImplementedError for anything else."""
def recompute(block: Callable[..., Any], *args, use_reentrant: bool=True, output_recompute: bool=False, early_stop: bool=True, context_fn: Callable[..., Any] | None=None, **kwargs) -> Any: """Call a Cell or function without keeping its intermediate values for the gradient."""
def register_op(fn: Callable[..., Any] | None=None, *, name: str | None=None, **options) -> Any: """Make a pure JAX function an operator: it takes Tensors, has a gradient, is cached, compiled and traced like the others."""
def reset_auto_parallel_context() -> None: """Back to the defaults of `set_auto_parallel_context`."""
def reset_max_memory_allocated(device_target: str | None=None) -> None: """Peaks are kept by the device and cannot be reset."""
def reset_ps_context() -> None: """Back to the defaults of `set_ps_context`."""
def reset_stream_limit(stream) -> None: """Forget the limit of a stream."""
def run_check() -> None: """Multiply two small matrices, and print whether the result is right."""
def runtime_execution_order_check(folders_, all_rank=None) -> None: """Read the communication orders that the ranks of a MindSpore run wrote, and log those that would deadlock."""
def sdc_detect_start() -> None: """Start the detection of silent faults of Ascend hardware: without such hardware it only logs a notice."""
def sdc_detect_stop() -> None: """Stop looking for silent faults."""
def seed() -> int: """Restart the default generator from a random seed, and return it."""
def set_auto_parallel_context(*, device_num: int | None=..., global_rank: int | None=..., gradients_mean: bool | None=..., gradient_fp32_sync: bool | None=..., loss_repeated_mean: bool | None=..., parallel_mode: str | None=..., search_mode: str | None=..., auto_parallel_search_mode: str | None=..., sharding_propagation: bool | None=..., parameter_broadcast: bool | None=..., strategy_ckpt_load_file: str | None=..., strategy_ckpt_save_file: str | None=..., strategy_ckpt_config: dict | None=..., group_ckpt_save_file: str | None=..., full_batch: bool | None=..., dataset_strategy: str | tuple | None=..., enable_parallel_optimizer: bool | None=..., parallel_optimizer_config: dict | None=..., optimizer_weight_shard_size: int | None=..., optimizer_weight_shard_aggregated_save: bool | None=..., force_fp32_communication: bool | None=..., enable_alltoall: bool | None=..., all_reduce_fusion_config: list | None=..., comm_fusion: dict | None=..., communi_parallel_mode: str | None=..., pipeline_stages: int | None=..., pipeline_segments: int | None=..., pipeline_config: dict | None=..., pipeline_result_broadcast: bool | None=..., auto_pipeline: bool | None=..., grad_accumulation_step: int | None=..., dump_local_norm: bool | int | None=..., dump_local_norm_path: str | None=..., dump_device_local_norm: bool | None=..., auto_parallel_new_interface: bool | None=..., init_param_in_compile: bool | None=..., fusion_threshold: int | None=..., mirror_mean: bool | None=..., cast_before_mirror: bool | None=..., strategy_search_mode: str | None=..., all_reduce_fusion_split_indices: list | None=...) -> None: """Set how scripts run on several devices. Checked and remembered; `msjax.parallel` reads it."""
def set_context(*, mode: int | None=..., device_target: str | None=..., device_id: int | None=..., max_call_depth: int | None=..., deterministic: str | None=..., enable_compile_cache: bool | None=..., compile_cache_path: str | None=..., matmul_precision: str | None=..., matmul_allow_tf32: bool | None=..., conv_allow_tf32: bool | None=..., save_graphs: bool | int | None=..., save_graphs_path: str | None=..., jit_config: dict | None=..., jit_level: str | None=..., jit_syntax_level: int | None=..., debug_level: int | None=..., memory_optimize_level: str | int | None=..., memory_offload: str | None=..., ascend_config: dict | None=..., gpu_config: dict | None=..., enable_reduce_precision: bool | None=..., variable_memory_max_size: str | None=..., enable_profiling: bool | None=..., profiling_options: str | None=..., enable_auto_mixed_precision: bool | None=..., enable_graph_kernel: bool | None=..., reserve_class_name_in_scope: bool | None=..., check_bprop: bool | None=..., max_device_memory: str | None=..., print_file_path: str | None=..., env_config_path: str | None=..., graph_kernel_flags: str | None=..., save_compile_cache: bool | None=..., load_compile_cache: bool | None=..., runtime_num_threads: int | None=..., inter_op_parallel_num: int | None=..., pynative_synchronize: bool | None=..., mempool_block_size: str | None=..., disable_format_transform: bool | None=..., op_timeout: int | None=..., aoe_tune_mode: str | None=..., aoe_config: dict | None=..., jit_enable_inplace_ops: bool | None=..., support_binary: bool | None=..., exec_order: str | None=..., host_scheduling_max_threshold: str | None=..., hccl_connect_timeout: str | None=..., precompile_only: bool | None=..., conv_fprop_algo: str | None=..., enable_debug_runtime: bool | None=..., enable_parallel_split: bool | None=..., enable_sparse: bool | None=..., grad_for_scalar: bool | None=..., auto_tune_mode: str | None=..., enable_dump: bool | None=..., save_dump_path: str | None=..., enable_mem_reuse: bool | None=..., enable_loop_sink: bool | None=..., enable_task_sink: bool | None=..., enable_hccl: bool | None=..., enable_gpu_summary: bool | None=..., enable_dynamic_memory: bool | None=..., enable_ps: bool | None=..., parallel_mode: str | None=..., check_indices: bool | None=..., fold_layers: bool | None=..., aoe_job_type: str | None=..., bias_add_comm_swap: bool | None=..., compute_communicate_fusion_level: int | None=..., conv_dgrad_algo: str | None=..., conv_wgrad_algo: str | None=..., cur_step_num: int | None=..., dataset_broadcast_opt_level: int | None=..., enable_allreduce_slice_to_reducescatter: bool | None=..., enable_begin_end_inline_opt: bool | None=..., enable_concat_eliminate_opt: bool | None=..., enable_flash_attention_load_balance: bool | None=..., enable_fused_cast_add_opt: bool | None=..., enable_grad_comm_opt: bool | None=..., enable_interleave_parallel_branch: bool | None=..., enable_interleave_split_concat_branch: bool | None=..., enable_offloading_packed_experts: bool | None=..., enable_opt_shard_comm_opt: bool | None=..., enable_task_opt: bool | None=..., hccl_watchdog: bool | None=..., infer_boost: str | None=..., interleaved_layernorm_comm: bool | None=..., interleaved_matmul_comm: bool | None=..., last_triggered_step: int | None=..., matmul_grad_comm_overlap: str | None=..., need_ckpt: bool | None=..., pp_1f1b_overlap: str | None=..., recompute_allgather_overlap_fagrad: bool | None=..., recompute_comm_overlap: str | None=..., save_checkpoint_steps: int | None=..., topo_order: str | None=...) -> None: """Set how scripts run: `mode` (GRAPH_MODE or PYNATIVE_MODE), `device_target`, and every other keyword of MindSpore."""
def set_cpu_affinity(enable_affinity: bool, affinity_cpu_list: Sequence[str] | None=None, module_to_cpu_dict: dict | None=None, bind_file: str | None=None) -> None: """Bind the threads of this process to processor cores."""
def set_cur_stream(stream: Stream | None) -> None: """Choose the stream; msjax has one."""
def set_deterministic(deterministic: bool | str) -> None: """Ask for results that repeat bit by bit. XLA's do on CPU and TPU; on GPU set XLA_FLAGS=--xla_gpu_deterministic_ops=true before the start."""
def set_device(device_target: str, device_id: int | None=None) -> None: """Choose the device: 'CPU', 'GPU' or 'Ascend' (the best available one), and its number."""
def set_device_limit(device: int, cube_num: int=-1, vector_num: int=-1) -> None: """How many cores of an Ascend device may be used: recorded."""
def set_devices(count: int | str) -> None: """Let compiled programs of this process run on `count` of its devices, or 'all'."""
def set_dump(target, enabled: bool=True) -> None: """Mark a Cell or Primitive whose inputs and outputs Ascend would dump: recorded as `target.dump`, with a notice."""
def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: list | tuple | None=None) -> None: """Recording kernel starts for replay: XLA compiles whole programs (on GPU with command buffers of its own)."""
def set_kernel_launch_group(thread_num: int=2, kernel_group_num: int=8) -> None: """Groups in which kernels are started: XLA starts a whole program at once."""
def set_memory(init_size: str='2GB', increase_size: str='2GB', max_size: str='1024GB', optimize_level: str='O0', huge_page_reserve_size: str='0GB') -> None: """Memory settings of Ascend: recorded. JAX's are environment variables (XLA_PYTHON_CLIENT_MEM_FRACTION)."""
def set_offload_context(offload_config: dict) -> None: """Settings of `set_context(memory_offload='ON')`, recorded only: state stays in the device's memory."""
def set_ps_context(*, enable_ps: bool=..., config_file_path: str=..., enable_ssl: bool=..., client_password: str=..., server_password: str=..., server_mode: str=..., ms_role: str=..., worker_num: int=..., server_num: int=..., scheduler_ip: str=..., scheduler_port: int=...) -> None: """Settings of parameter servers, recorded only: weights stay with the workers, whose gradients DATA_PARALLEL"""
def set_recursion_limit(recursion_limit: int=1000) -> None: """Set how deep calls in compiled functions may nest."""
def set_rng_state(state: Tensor) -> None: """Continue the default generator from a state that `get_rng_state` gave."""
def set_seed(seed: int) -> None: """Make a run repeatable: seeds NumPy's global stream, initializers, random operators and datasets."""
def set_stream_limit(stream, cube_num: int=-1, vector_num: int=-1) -> None: """How many cores a stream may use: recorded."""
def stress_detect(detect_type: Literal['aic', 'hccs']='aic') -> int: """Test Ascend hardware under load: returns 0 (no fault), because there is no such hardware."""
def summary(net: Cell, *inputs) -> NetworkSummary: """The layers of a network for inputs like these; nothing is computed, and the network stays as it is."""
def swap_tensors(t1: Tensor, t2: Tensor) -> None: """Exchange the contents of two Tensors."""
def synchronize() -> None: """Wait until everything that was started is done."""
def tensor(input_data=None, dtype: Type | None=None, shape: int | Sequence[int] | None=None, init=None, const_arg: bool=False, device: str | None=None) -> Tensor: """A Tensor of the given data; arguments as for `Tensor`."""
def to_dlpack(tensor: Tensor) -> Any: """A DLPack exchange object of a Tensor, without a copy."""
def to_numpy(dtype) -> Any: """NumPy dtype of a MindSpore type, a NumPy dtype or type, a Python number type, or a name."""
def uninstall() -> None: """Undo `install()`: a later `import mindspore` finds MindSpore itself, if there is one."""
def unload_ipython_extension(ipython) -> None: """Entry point of `%unload_ext msjax`; see `msjax.uninstall`."""
def use_mem_pool(pool) -> None: """RuntimeError: memory is JAX's."""
@overload
def value_and_grad(fn: Callable[..., Any], grad_position: int=0, weights: None=None, has_aux: Literal[False]=False, return_ids: Literal[False]=False, sens_param: bool=False) -> Callable[..., tuple[Any, Tensor]]: ...
@overload
def value_and_grad(fn: Callable[..., Any], grad_position: int | tuple[int, ...] | None=0, weights=None, has_aux: bool=False, return_ids: bool=False, sens_param: bool=False) -> Callable[..., Any]: ...
def vjp(fn: Callable[..., Any], *inputs, weights=None, has_aux: bool=False) -> Any: """Value of `fn` at `inputs` and a function that multiplies a cotangent with its Jacobian from the left."""
def vmap(fn, in_axes: Any=0, out_axes: Any=0) -> Callable[..., Any]: """Function that maps `fn` over an axis of its arguments, as one batched computation."""
__version__: str
