"""The operators that MindSpore's layers keep as attributes, and that toolkits use: `layer.dropout.shard(...)`, `self.softmax(x)` in a
subclass, `embedding.gather`. The layers here compute without them; a row makes one when it is first asked for.

A row is `class: "attribute=Primitive ..."`; arguments follow in brackets: `(axis)` passes the Cell's attribute of that name,
`(axis:dim)` its attribute `dim`, `(keep_dims=True)` a value. More than one is separated by commas, without blanks.
"""

import ast
import re
from typing import Any

from .. import ops
from .lazy_operator import Served

_POOL = "kernel_size,strides:stride,pad_mode,data_format:format"
_POOL_1D = "kernel_size,strides:stride,pad_mode"
_EMBEDDING = "expand=ExpandDims reshape_flat=Reshape gather=Gather one_hot=OneHot array_mul=MatMul reshape=Reshape get_shp=Shape concat=Concat"
_LOOKUP = "gather_revert=Gather reshape_first=Reshape reshape=Reshape unique=Unique shape=Shape gatherv2=SparseGatherV2 embeddinglookup=EmbeddingLookup"

ROWS = {
    "Cell": "cast=Cast",  # up to MindSpore 2.2
    "AdaMax": "opt=ApplyAdaMax",
    "Adadelta": "opt=ApplyAdadelta",
    "Adagrad": "opt=ApplyAdagrad(update_slots)",
    "AdamOffload": "opt=AdamNoUpdateParam(use_locking,use_nesterov)",
    "AdamWeightDecay": "fused_opt=AdamWeightDecay",
    "AdaptiveAvgPool1d": "expand=ExpandDims squeeze=Squeeze(axis=2) dtype=DType",
    "AdaptiveMaxPool1d": "expand=ExpandDims squeeze=Squeeze(axis=2) dtype=DType",
    "AvgPool1d": f"avg_pool=AvgPool({_POOL_1D}) reduce_mean=ReduceMean(keep_dims=True) slice=Slice expand=ExpandDims squeeze=Squeeze(axis=2)",
    "AvgPool2d": f"avg_pool=AvgPool({_POOL})",
    "BatchNorm3d": "shape=Shape reshape=Reshape",
    "BiDense": "matmul=MatMul bias_add=BiasAdd",
    "CELU": "celu=CeLU(alpha)",
    "CentralCrop": "slice=Slice",
    "ChannelShuffle": "shape=Shape reshape=Reshape transpose=Transpose",
    "Conv1d": "shape=Shape",
    "Conv1dTranspose": "shape=Shape",
    "Conv2dTranspose": "shape=Shape",
    "Conv3d": "shape=Shape",
    "Conv3dTranspose": "shape=Shape",
    "CosineEmbeddingLoss": "maximum=Maximum",
    "DiceLoss": "reshape=Reshape",
    "DistributedGradReducer": "map_=Map",
    "Dropout2d": "dropout2d=Dropout2D(keep_prob)",
    "Dropout3d": "dropout3d=Dropout3D(keep_prob)",
    "DynamicLossScaleUpdateCell": "select=Select max=Maximum reciprocal=Reciprocal less_equal=LessEqual logic_and=LogicalAnd "
    "logic_not=LogicalNot logic_or=LogicalOr",
    "ELU": "elu=Elu(alpha)",
    "Embedding": _EMBEDDING,
    "EmbeddingLookup": _LOOKUP,
    "FTRL": "opt=ApplyFtrl(use_locking)",
    "FastGelu": "fast_gelu=FastGeLU",
    "FocalLoss": "expand_dims=ExpandDims gather_d=GatherD squeeze=Squeeze(axis=1) tile=Tile dtype=DType",
    "ForwardValueAndGrad": "grad=GradOperation(get_all,get_by_list,sens_param)",
    "GLU": "spilt=Split(axis,output_num=2) sigmoid=Sigmoid",
    "GroupNorm": "shape=Shape reshape=Reshape reduce_mean=ReduceMean(keep_dims=True) reduce_sum=ReduceSum(keep_dims=True) square=Square "
    "sqrt=Sqrt",  # of MindSpore 1.x; `_cal_output` of subclasses computes with them
    "HShrink": "hshrink=HShrink(lambd)",
    "HSigmoid": "hsigmoid=HSigmoid",
    "HSwish": "hswish=HSwish",
    "L1Regularizer": "abs=Abs reduce_sum=ReduceSum",
    "LazyAdam": "opt=Adam(use_locking,use_nesterov)",
    "LogSigmoid": "mul=Mul exp=Exp add=Add rec=Reciprocal log=Log",
    "LogSoftmax": "log_softmax=LogSoftmax(axis)",
    "MAELoss": "abs=Abs",
    "MSSSIM": "reduce_mean=ReduceMean prod=ReduceProd pow=Pow stack=Stack(axis=-1) concat=Concat(axis=1)",
    "MaxPool1d": f"max_pool=MaxPool({_POOL_1D}) reduce_mean=ReduceMean(keep_dims=True) expand=ExpandDims squeeze=Squeeze(axis=2)",
    "MaxPool2d": f"max_pool=MaxPool({_POOL})",
    "Moments": "cast=Cast reduce_mean=ReduceMean(keep_dims=True) square_diff=SquaredDifference",
    "Momentum": "opt=ApplyMomentum(use_nesterov)",
    "MultiClassDiceLoss": "reshape=Reshape",
    "Norm": "reduce_sum=ReduceSum(keep_dims=True) sqrt=Sqrt squeeze=Squeeze(axis)",
    "OneHot": "onehot=OneHot(axis)",
    "PReLU": "prelu=PReLU",
    "PipelineGradReducer": "hyper_map=HyperMap",
    "PoissonNLLLoss": "maximum=Maximum",
    "ProximalAdagrad": "opt=ApplyProximalAdagrad(use_locking)",
    "RMSELoss": "dtype=DType",
    "RReLU": "sign=Sign",
    "ReLU": "relu=ReLU",
    "ReLU6": "relu6=ReLU6",
    "ReduceLogSumExp": "exp=Exp log=Log max=ReduceMax",
    "SSIM": "reduce_mean=ReduceMean concat=Concat(axis=1)",
    "SeLU": "selu=SeLU",
    "Sigmoid": "sigmoid=Sigmoid",
    "SmoothL1Loss": "smooth_l1_loss=SmoothL1Loss(beta,reduction)",
    "SoftShrink": "softshrink=SoftShrink(lambd)",
    "Softmax": "softmax=Softmax(axis)",
    "Softmax2d": "softmax=Softmax(axis=-3) shape=Shape",
    "SoftmaxCrossEntropyWithLogits": "softmax_cross_entropy=SoftmaxCrossEntropyWithLogits one_hot=OneHot "
    "sparse_softmax_cross_entropy=SparseSoftmaxCrossEntropyWithLogits",
    "Softsign": "softsign=Softsign",
    "Tanh": "tanh=Tanh",
    "TimeDistributed": "transpose=Transpose reshape=Reshape",
    "TrainOneStepCell": "grad=GradOperation(get_by_list=True,sens_param=True) grad_no_sens=GradOperation(get_by_list=True)",
    "TrainOneStepWithLossScaleCell": "hyper_map=HyperMap reduce_sum=ReduceSum(keep_dims=False) reduce_all=ReduceAll(keep_dims=False) "
    "less_equal=LessEqual equal=Equal logic_not=LogicalNot allreduce=AllReduce",
    "Tril": "dtype=DType mul=Mul cast=Cast",
    "TripletMarginWithDistanceLoss": "minimum=Minimum maximum=Maximum",
    "Triu": "dtype=DType mul=Mul cast=Cast",
    "Unflatten": "shape=Shape reshape=Reshape",
    "_BatchNorm": "shape=Shape reduce_mean=ReduceMean(keep_dims=True) square=Square sqrt=Sqrt cast=Cast dtype=DType reshape=Reshape "
    "sub_mean=Sub sub_var=Sub mul_mean=Mul mul_var=Mul assign_sub_mean=AssignSub assign_sub_var=AssignSub",
}
_DRAWS = "shape=Shape squeeze=Squeeze(axis=0)"
# Of `nn.probability`: subclasses of programs draw and compute with them.
OF_PROBABILITY = {
    "Distribution": "sametypeshape_base=SameTypeShape select_base=Select equal_base=Equal",
    "Bernoulli": f"{_DRAWS} const=ScalarToTensor floor=Floor less=Less select=Select",
    "Beta": f"{_DRAWS} greater=Greater log1p=Log1p logicaland=LogicalAnd neg=Neg pow=Pow select=Select",
    "Categorical": "argmax=ArgMaxWithValue(axis=-1) concat=Concat(axis=-1) cumsum=CumSum dtypeop=DType expand_dim=ExpandDims "
    "gather=GatherNd greater=Greater issubclass=IsSubClass less=Less log_softmax=LogSoftmax(axis=-1) logicand=LogicalAnd "
    "logicor=LogicalOr multinomial=Multinomial(seed) reduce_sum=ReduceSum(keep_dims=True) reshape=Reshape select=Select shape=Shape "
    "softmax=Softmax(axis=-1) square=Square squeeze=Squeeze squeeze_first_axis=Squeeze(axis=0) squeeze_last_axis=Squeeze(axis=-1) "
    "transpose=Transpose",
    "Cauchy": f"{_DRAWS} atan=Atan const=ScalarToTensor dtypeop=DType less=Less sq=Square sqrt=Sqrt tan=Tan",
    "Exponential": f"{_DRAWS} const=ScalarToTensor dtypeop=DType fill=Fill less=Less select=Select",
    "Gamma": f"{_DRAWS} dtypeop=DType greater=Greater igamma=Igamma lgamma=Lgamma select=Select sqrt=Sqrt square=Square",
    "Geometric": f"{_DRAWS} const=ScalarToTensor dtypeop=DType floor=Floor issubclass=IsSubClass less=Less pow=Pow select=Select sq=Square",
    "Gumbel": f"{_DRAWS} const=ScalarToTensor expm1=Expm1 isnan=IsNan lgamma=Lgamma sqrt=Sqrt",
    "LogNormal": f"{_DRAWS} dtypeop=DType erf=Erf expm1=Expm1 greater=Greater isnan=IsNan select=Select sq=Square sqrt=Sqrt",
    "Logistic": f"{_DRAWS} consttensor=ScalarToTensor dtypeop=DType erf=Erf expm1=Expm1 greater=Greater less=Less log1p=Log1p "
    "logicalor=LogicalOr neg=Neg select=Select sigmoid=Sigmoid sqrt=Sqrt",
    "Normal": f"{_DRAWS} const=ScalarToTensor erf=Erf expm1=Expm1 sq=Square sqrt=Sqrt",
    "Poisson": f"{_DRAWS} dtypeop=DType equal=Equal floor=Floor igamma=Igamma less=Less lgamma=Lgamma select=Select",
    "TransformedDistribution": "isnan=IsNan",
    "Uniform": f"{_DRAWS} const=ScalarToTensor dtypeop=DType less=Less lessequal=LessEqual logicaland=LogicalAnd select=Select sq=Square "
    "zeroslike=ZerosLike",
    "Bijector": "cast_base=Cast dtype_base=DType shape_base=Shape dtypeop=DType issubclass_base=IsSubClass "
    "sametypeshape_base=SameTypeShape select_base=Select equal_base=Equal",
    "PowerTransform": "expm1=Expm1 log1p=Log1p pow=Pow shape=Shape",
    "ScalarAffine": "abs=Abs oneslike=OnesLike",
    "Softplus": "abs=Abs expm1=Expm1 greater=Greater less=Less logicalor=LogicalOr select=Select shape=Shape sigmoid=Sigmoid",
}
_ENTRY = re.compile(r"(\w+)=(\w+)(?:\(([^)]*)\))?$")


def _maker(primitive, arguments):
    """A function of a Cell that makes the Primitive of a row."""
    passed = [a.partition(":") for a in arguments.split(",") if a and "=" not in a]
    constants = {k: ast.literal_eval(v) for k, _, v in (a.partition("=") for a in arguments.split(",") if "=" in a)}

    def make(cell):
        given = {name: getattr(cell, attribute or name) for name, _, attribute in passed}
        return getattr(ops, primitive)(**given, **constants)

    return make


def attach(classes: Any, rows: dict = ROWS):
    """Give the classes (name -> class) the attributes of their rows; existing attributes stay."""
    for name, row in rows.items():
        for entry in row.split():
            attribute, primitive, arguments = _ENTRY.match(entry).groups()
            if not hasattr(classes[name], attribute):
                served = Served(_maker(primitive, arguments or ""))
                served.__set_name__(classes[name], attribute)
                setattr(classes[name], attribute, served)
