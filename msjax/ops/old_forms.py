"""Functions of `mindspore.ops` whose parameters were others in MindSpore 1.x: a call with one of the old keywords means the old form.

`ops.split(x, axis=1, output_num=2)` is 1.9's; today's `ops.split(x, 2, axis=1)` takes the size of the pieces. Positions alone cannot
tell the two, so without an old keyword a call means today's form.
"""

from ..core.keywords import Only
from ..core.operators import faces
from ..core.operators import record as registry
from ..core.operators.faces import old_form, old_names
from ..core.values import dtype as mstype


def _primitive(name):
    return faces.primitive(name)


def _function(name):
    return faces.function(registry.functions, name, "mindspore.ops")


@old_form("split", "output_num")
def _split(tensor, split_size_or_sections=0, axis=None, output_num=1):
    """split(input_x, axis=0, output_num=1): that many equal pieces."""
    return _primitive("Split")(split_size_or_sections if axis is None else axis, output_num)(tensor)


@old_form("norm", "p", "epsilon")
def _norm(A, ord=None, dim=None, keepdim=False, p=2, epsilon=1e-12):
    """norm(input_x, axis, p=2, keep_dims=False, epsilon=1e-12): `ops.LpNorm`."""
    return _primitive("LpNorm")(ord if dim is None else dim, p, keepdim, epsilon)(A)


@old_form("argmax", "output_type")
def _argmax(input, dim=-1, keepdim=False, output_type=mstype.int32):
    """argmax(x, axis=-1, output_type=int32)"""
    return _function("argmax")(input, dim, keepdim).astype(output_type)


@old_form("interpolate", "roi", "scales", "sizes", "coordinate_transformation_mode")
def _interpolate(
    input, mode="linear", roi=None, scales=None, sizes=None, coordinate_transformation_mode="align_corners", **other
):
    """interpolate(x, roi=None, scales=None, sizes=None, coordinate_transformation_mode="align_corners", mode="linear")

    mode: "linear" for three axes, "bilinear" for four. scales: one number an axis, of which the first two are 1.
    """
    if other:
        raise TypeError(f"interpolate() got {', '.join(other)} beside the keywords that MindSpore 1.x has instead.")
    if (scales is None) == (sizes is None):
        raise ValueError("For 'interpolate', one of 'scales' and 'sizes' must be given, and not both.")
    if (mode, input.ndim) not in (("linear", 3), ("bilinear", 4)):
        raise ValueError(
            f"For 'interpolate', the 'mode' must be 'linear' for 3 axes or 'bilinear' for 4, but got {mode!r} and {input.ndim} axes."
        )
    if scales is not None:
        if len(scales) != input.ndim or tuple(scales[:2]) != (1, 1):
            raise ValueError(
                f"For 'interpolate', 'scales' must have {input.ndim} numbers, of which the first two are 1."
            )
        sizes = tuple(int(n * s) for n, s in zip(input.shape[2:], scales[2:]))
    ways = ("align_corners", "half_pixel", "asymmetric")
    if coordinate_transformation_mode not in ways:
        raise ValueError(
            f"For 'interpolate', the 'coordinate_transformation_mode' must be one of {ways}, but got "
            f"{coordinate_transformation_mode!r}."
        )
    if coordinate_transformation_mode != "asymmetric":
        return _function("interpolate")(
            input, tuple(sizes), None, mode, coordinate_transformation_mode == "align_corners"
        )
    flat = input if mode == "bilinear" else input.expand_dims(2)
    size = tuple(sizes) if mode == "bilinear" else (1, *sizes)
    out = _primitive("ResizeBilinear")(size, False, False)(flat)
    return out if mode == "bilinear" else out.squeeze(2)


@old_form("avg_pool2d", "pad_mode", "data_format")
def _avg_pool2d(input_x, kernel_size=1, stride=1, pad_mode="valid", data_format="NCHW"):
    """avg_pool2d(x, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW")"""
    return _primitive("AvgPool")(kernel_size, stride, pad_mode, data_format)(input_x)


@old_form("median", "global_median")
def _median(input, axis=0, keepdims=False, global_median=False):
    """median(x, global_median=False, axis=0, keep_dims=False): the value and its index."""
    return _primitive("Median")(global_median, axis, keepdims)(input)


@old_form("pad", "paddings")
def _pad(input_x, paddings=()):
    """pad(input_x, paddings): a pair for each axis; negative numbers cut."""
    kept = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(input_x.shape, paddings))
    return _primitive("Pad")(tuple((max(a, 0), max(b, 0)) for a, b in paddings))(input_x[kept])


@old_form("std", "unbiased")
def _std(input, axis=(), keepdims=False, unbiased=True):
    """std(input_x, axis=(), unbiased=True, keep_dims=False)"""
    return _function("std")(input, None if axis == () else axis, int(unbiased), keepdims)


@old_form("matmul", "dtype")
def _matmul(input, other, dtype=None):
    """matmul(x1, x2, dtype=None)"""
    out = _function("matmul")(input, other)
    return out if dtype is None else out.astype(dtype)


@old_form("dropout", "seed0", "seed1")
def _dropout(input, p=0.5, seed0=0, seed1=0):
    """dropout(x, p=0.5, seed0=0, seed1=0)"""
    return _function("dropout")(input, p, True, seed0 or seed1 or None)


@old_form("sequence_mask", "prim_name")
def _sequence_mask(lengths, maxlen=None, prim_name="sequence_mask"):
    """sequence_mask(lengths, maxlen=None, prim_name="sequence_mask"): the name was for messages."""
    return _function("sequence_mask")(lengths, maxlen)


# --- methods of Tensor, of which 1.x had some under parameters of its own
_METHODS = "mindspore.Tensor"


@old_form("clip", "xmin", "xmax", "dtype", module=_METHODS)
def _clip_method(self, min=None, max=None, xmin=None, xmax=None, dtype=None):
    """clip(xmin, xmax, dtype=None): one of the bounds may be None."""
    out = self.clip(xmin if min is None else min, xmax if max is None else max)
    return out if dtype is None else out.astype(dtype)


@old_form("norm", "p", "epsilon", module=_METHODS)
def _norm_method(self, ord=None, dim=None, keepdim=False, p=2, epsilon=1e-12, dtype=None):
    """norm(axis, p=2, keep_dims=False, epsilon=1e-12): `ops.LpNorm`."""
    return _primitive("LpNorm")(ord if dim is None else dim, p, keepdim, epsilon)(self)


@old_form("swapaxes", "axis2", module=_METHODS)
def _swapaxes_method(self, axis0=None, axis1=None, axis2=None):
    """swapaxes(axis1, axis2)"""
    return self.swapaxes(axis1 if axis0 is None else axis0, axis2)


@old_form("swapaxes", "axis2")
def _swapaxes(input, axis0=None, axis1=None, axis2=None):
    """swapaxes(x, axis1, axis2)"""
    return _swapaxes_method(input, axis0, axis1, axis2)


@old_form("bernoulli", "seed", module=_METHODS)
def _bernoulli_method(self, p=0.5, seed=-1):
    """bernoulli(p=0.5, seed=-1)"""
    return _function("bernoulli")(self, p, seed)


@old_form("split", "output_num", module=_METHODS)
def _split_method(self, split_size_or_sections=0, axis=None, output_num=1):
    """split(axis=0, output_num=1): that many equal pieces."""
    return _split(self, split_size_or_sections, axis, output_num)


@old_form("median", "global_median", module=_METHODS)
def _median_method(self, axis=0, keepdims=False, global_median=False):
    """median(global_median=False, axis=0, keep_dims=False): the value and its index."""
    return _median(self, axis, keepdims, global_median)


_OVERLOADS = {  # names of parameters in the overloads that a method has in MindSpore
    "all": {"keepdims": "keep_dims"},
    "aminmax": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "any": {"keepdims": "keep_dims"},
    "argmax": {"keep_dims": "keepdims"},
    "argmax_with_value": {"dim": "axis", "keepdim": "keep_dims", "keepdims": "keep_dims"},
    "argmin": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "argmin_with_value": {"dim": "axis", "keepdim": "keep_dims", "keepdims": "keep_dims"},
    "argsort": {"dim": "axis"},
    "count_nonzero": {"keepdim": "keep_dims", "keepdims": "keep_dims"},
    "cross": {"axis": "dim"},
    "cummin": {"dim": "axis"},
    "cumprod": {"axis": "dim"},
    "cumsum": {"dim": "axis"},
    "gather_elements": {"axis": "dim"},
    "index_add_": {"axis": "dim"},
    "index_copy_": {"axis": "dim"},
    "kthvalue": {"axis": "dim", "keep_dims": "keepdim", "keepdims": "keepdim"},
    "logcumsumexp": {"dim": "axis"},
    "logsumexp": {"axis": "dim", "keep_dims": "keepdim", "keepdims": "keepdim"},
    "mean": {"keepdims": "keep_dims"},
    "median": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "nanmean": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "nanmedian": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "nanquantile": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "nansum": {"keep_dims": "keepdims"},
    "norm": {"axis": "dim", "keep_dims": "keepdim", "keepdims": "keepdim"},
    "prod": {"keepdims": "keep_dims"},
    "ptp": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "quantile": {"dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"},
    "remainder": {"divisor": "other"},
    "reverse": {"dim": "axis"},
    "roll": {"axis": "dims"},
    "rot90": {"axis": "dims"},
    "scatter": {"axis": "dim"},
    "scatter_": {"axis": "dim"},
    "scatter_add": {"axis": "dim"},
    "scatter_add_": {"axis": "dim"},
    "select": {"axis": "dim"},
    "select_scatter": {"dim": "axis"},
    "slice_scatter": {"dim": "axis"},
    "sort": {"dim": "axis"},
    "split": {"split_size": "split_size_or_sections", "dim": "axis"},
    "std": {"keep_dims": "keepdims"},
    "stride": {"axis": "dim"},
    "sum": {"dim": "axis", "keep_dims": "keepdim"},
    "take": {"dim": "axis"},
    "tensor_split": {"dim": "axis"},
    "topk": {"axis": "dim"},
    "unique": {"axis": "dim"},
    "unique_consecutive": {"axis": "dim"},
    "var": {"keep_dims": "keepdims"},
}
for _name, _renamed in _OVERLOADS.items():
    old_names(_name, module=_METHODS, **_renamed)
old_names("addcdiv", module=_METHODS, x1="tensor1", x2="tensor2")
old_names("addcmul", module=_METHODS, x1="tensor1", x2="tensor2")
old_names("masked_scatter", module=_METHODS, x="source")
old_names("permute", module=_METHODS, dims="axis")
old_names("pow", module=_METHODS, power="exponent")
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    old_names(_name, module=_METHODS, x="other")


old_names("sum", axis="dim", keep_dims="keepdim")
old_names("logsumexp", axis="dim", keep_dims="keepdim")
old_names("max", dim="axis", keep_dims="keepdims")
old_names("min", dim="axis", keep_dims="keepdims")
old_names("argmax", keep_dims="keepdim")
old_names("argmin", keep_dims="keepdims")
old_names("cumsum", dim="axis")
old_names("cumprod", axis="dim")
old_names("dot", x1="input", x2="other")
old_names("ones", type="dtype")
old_names("split", input_x="tensor")
old_names("avg_pool2d", strides="stride")
old_names("interpolate", x="input")
old_names("multinomial", inputs="input", num_sample="num_samples")
old_names("grid_sample", interpolation_mode="mode")
old_names("clip_by_value", min="clip_value_min", max="clip_value_max")
old_names("binary_cross_entropy_with_logits", logits="input", label="target", weights="weight")
old_names("max", module="mindspore.mint", axis="dim")
old_names("norm", module="mindspore.mint.linalg", axis="dim")
old_names("norm", module="mindspore.numpy", keep_dims="keepdims")
old_names("addcdiv", input_data="input", x1="tensor1", x2="tensor2")
old_names("addcmul", input_data="input", x1="tensor1", x2="tensor2")
old_names("affine_grid", output_size="size")
old_names("eye", t="dtype")
old_names("lerp", start="input")
old_names("norm", input_x="A", axis="dim", keep_dims="keepdim")
old_names("pow", y="exponent")
old_names("range", limit="end", delta="step")
old_names("select", cond="condition")
old_names("tile", multiples="dims")
old_names("unique_consecutive", return_idx="return_inverse")

# The other way round: inputs of Primitives that have names of 1.x here, under those that MindSpore 2 calls them by.
for _class, _inputs in {
    "Eye": {"dtype": "t"},
    "Fill": {"dims": "shape", "x": "value"},
    "MaskedScatter": {"source": "updates"},
    "Pow": {"exponent": "y"},
    "Range": {"end": "limit", "step": "delta"},
    "Select": {"condition": "cond"},
    "SmoothL1Loss": {"prediction": "logits"},
    "Tile": {"dims": "multiples"},
}.items():
    old_names("__call__", module=f"mindspore.ops.{_class}", **_inputs)

_POOL = {"ksize": "kernel_size", "padding": "pad_mode"}
faces.old_attributes.update(
    AvgPool=_POOL,
    MaxPool=_POOL,
    MaxPoolWithArgmax=_POOL,
    ResizeNearestNeighborV2={"data_format": Only("NCHW")},
    Roll={"shift": "shifts", "axis": "dims"},
    SearchSorted={"out_int32": lambda given: {"dtype": mstype.int32 if given else mstype.int64}},
    UniqueConsecutive={"return_idx": "return_inverse", "axis": "dim"},
)
