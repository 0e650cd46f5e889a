"""Input checks of MindSpore's losses; users' losses import them from `nn.loss.loss`."""

from ...core.operators.check import check, check_type_name
from ...core.values.dtype import float16, float32, int32, int64
from ...core.values.tensor import Tensor
from .loss import LossBase

Loss = LossBase  # the base class's name in MindSpore 1.2; `nn` has a metric of this name


def _the(prim_name):
    return f"For '{prim_name}', the" if prim_name else "The"


def _check_is_tensor(param_name, input_data, cls_name):
    """TypeError for a value that is neither a Tensor nor None."""
    if input_data is not None and not isinstance(input_data, Tensor):
        raise TypeError(f"For '{cls_name}', the '{param_name}' must be Tensor, but got '{type(input_data).__name__}'.")


def _check_rmseloss_dtype(param_dtype, not_supported_dtype, cls_name):
    """TypeError for a dtype that is one of those."""
    if param_dtype in not_supported_dtype:
        raise TypeError(
            f"For '{cls_name}', the parameters data type must not be in {not_supported_dtype}, but got {param_dtype}."
        )


def _check_shape(logits_shape, label_shape, prim_name=None):
    """ValueError for shapes that are not equal."""
    check("logits_shape", logits_shape, "label_shape", label_shape, prim_name=prim_name)


_check_dice_shape = _check_shape


def _check_label_dtype(labels_dtype, cls_name):
    """TypeError for labels that are not int32 or int64."""
    check_type_name("labels", labels_dtype, [int32, int64], cls_name)


def _check_input_dtype(labels_dtype, cls_name):
    """TypeError for labels that are neither such integers nor float16 or float32."""
    check_type_name("labels", labels_dtype, [int32, int64, float16, float32], cls_name)


def _check_ndim_multi(logits_dim, label_dim, prim_name=None):
    """ValueError for fewer than two axes."""
    for name, rank in (("logits", logits_dim), ("labels", label_dim)):
        if rank < 2:
            raise ValueError(f"{_the(prim_name)} '{name}' dimension must be greater than 1, but got {rank}.")


def _check_weights(weight_shape, label_shape, prim_name=None):
    """ValueError for weights of another number than the classes."""
    if weight_shape != label_shape:
        raise ValueError(
            f"{_the(prim_name)} weight_shape[0] must be equal to label_shape[1], but got {weight_shape} and {label_shape}."
        )


def _check_ndim(logits_nidm, labels_ndim, prime_name=None):
    """ValueError for ranks that are not two to four, or not equal."""
    for name, rank in (("logits", logits_nidm), ("labels", labels_ndim)):
        if not 2 <= rank <= 4:
            raise ValueError(f"{_the(prime_name)} dimensions of '{name}' must be in [2, 4], but got {rank}.")
    if logits_nidm != labels_ndim:
        raise ValueError(
            f"{_the(prime_name)} dimensions of 'logits' and 'labels' must be equal, but got {logits_nidm} and {labels_ndim}."
        )


def _check_channel_and_shape(logits, labels, prime_name=None):
    """ValueError for numbers of channels that do not go together."""
    if logits == 1:
        raise ValueError(f"{_the(prime_name)} 'logits'.shape[1] cannot be one, but got {logits}.")
    if labels not in (1, logits):
        raise ValueError(
            f"{_the(prime_name)} 'labels'.shape[1] must be one or equal to 'logits'.shape[1]: {logits}, but got {labels}."
        )


def _check_ctcloss_targets_shape(targets):
    """ValueError for targets of a single sequence that are not of one row."""
    if targets.ndim > 2 or (targets.ndim == 2 and targets.shape[0] != 1):
        raise ValueError(
            f"For CTCLoss, the targets of log_probs of the shape (T, C) must be of the shape (S,) or (1, S), but got {targets.shape}."
        )


def _check_cross_entropy_inputs(
    logits_shape, label_shape, logits_rank, label_rank, logits_dtype, label_dtype, prim_name=None
):
    """TypeError, ValueError for labels that are neither probabilities (of the shape of the logits) nor classes (without axis 1)."""
    check_type_name("logits", logits_dtype, [float16, float32], prim_name)
    if logits_rank == label_rank:
        check_type_name("labels", label_dtype, [float16, float32], prim_name)
        wanted = logits_shape
    elif label_rank == logits_rank - 1:
        check_type_name("labels", label_dtype, [int32], prim_name)
        wanted = (logits_shape[0], *logits_shape[2:]) if logits_rank != 1 else label_shape
    else:
        raise ValueError(
            f"{_the(prim_name)} rank of 'labels' must be that of 'logits' or one less, but got {label_rank} and {logits_rank}."
        )
    if tuple(label_shape) != tuple(wanted):
        raise ValueError(
            f"{_the(prim_name)} shape of 'labels' must be {wanted} for logits of {logits_shape}, but got {label_shape}."
        )
