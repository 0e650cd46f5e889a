"""Losses and decoding over alignments: connectionist temporal classification (Graves et al., 2006) and the RNN transducer (Graves, 2012)."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_mean
from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Operand
from ...core.values.ranges import check_range
from ..shapes import number_of_axes, same_shape
from .classification import reduce

_NEVER = -1e30  # stands for log 0 inside: sums of it stay finite, so no gradient is NaN


def _sum(*logs):
    """log of the sum of exp."""
    top = logs[0]
    for other in logs[1:]:
        top = jnp.maximum(top, other)
    return top + jnp.log(sum(jnp.exp(a - top) for a in logs))


def _log_alpha(log_probs, targets, input_lengths, target_lengths, blank, merge_repeated=True):
    """(N, T, 2S + 1): log probability of each prefix of each blank-interleaved target; and the loss (N,)."""
    steps, batch, _ = log_probs.shape
    width = 2 * targets.shape[1] + 1
    extended = jnp.full((batch, width), blank, targets.dtype).at[:, 1::2].set(targets)
    place = jnp.arange(width)
    inside = place < 2 * target_lengths[:, None] + 1
    picked = jnp.take_along_axis(
        log_probs, jnp.broadcast_to(jnp.where(inside, extended, blank)[None], (steps, batch, width)), 2
    )
    before = jnp.roll(extended, 2, 1)
    skip = (extended != blank) & (place >= 2) & ((extended != before) if merge_repeated else True)
    stay = jnp.ones_like(skip) if merge_repeated else extended == blank
    start = jnp.where((place < 2) & inside, picked[0], _NEVER)

    def step(alpha, inputs):
        probability, t = inputs
        one = jnp.pad(alpha, ((0, 0), (1, 0)), constant_values=_NEVER)[:, :-1]
        two = jnp.pad(alpha, ((0, 0), (2, 0)), constant_values=_NEVER)[:, :-2]
        new = _sum(jnp.where(stay, alpha, _NEVER), one, jnp.where(skip, two, _NEVER)) + probability
        new = jnp.where(inside, jnp.maximum(new, _NEVER), _NEVER)
        return jnp.where((t < input_lengths)[:, None], new, alpha), new

    last, rest = lax.scan(step, start, (picked[1:], jnp.arange(1, steps)))
    final = 2 * target_lengths[:, None]
    end = jnp.take_along_axis(last, final, 1)[:, 0]
    almost = jnp.where(target_lengths > 0, jnp.take_along_axis(last, jnp.maximum(final - 1, 0), 1)[:, 0], _NEVER)
    loss = -_sum(end, almost)
    alpha = jnp.moveaxis(jnp.concatenate([start[None], rest], 0), 0, 1)
    return jnp.where(loss > -_NEVER / 2, jnp.inf, loss), jnp.where(alpha < _NEVER / 2, -jnp.inf, alpha)


def _ctc(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    """((N,) losses, log alpha)"""
    targets = jnp.where(jnp.arange(targets.shape[1]) < target_lengths[:, None], targets, blank)
    return _ctc_of_logits(blank, zero_infinity, log_probs, targets, input_lengths, target_lengths)


def _wide_losses(x, targets, input_lengths, target_lengths, blank):
    return _log_alpha(
        x.astype(jnp.float32) if x.dtype == jnp.float16 else x, targets, input_lengths, target_lengths, blank
    )


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _ctc_of_logits(blank, zero_infinity, x, targets, input_lengths, target_lengths):
    """The losses; their gradient is the one with respect to logits whose log_softmax x is, as in MindSpore."""
    loss, alpha = _wide_losses(x, targets, input_lengths, target_lengths, blank)
    loss = jnp.where(jnp.isinf(loss), 0, loss) if zero_infinity else loss
    return loss.astype(x.dtype), alpha.astype(x.dtype)


def _ctc_forward(blank, zero_infinity, *args):
    return _ctc_of_logits(blank, zero_infinity, *args), args


def _ctc_backward(blank, zero_infinity, saved, cotangents):
    x, targets, input_lengths, target_lengths = saved
    loss, pull = jax.vjp(lambda x: _wide_losses(x, targets, input_lengths, target_lengths, blank)[0], x)
    finite = ~jnp.isinf(loss)
    posterior = pull(jnp.where(finite, 1, 0).astype(loss.dtype))[0]
    valid = jnp.arange(x.shape[0])[:, None] < input_lengths
    grad = jnp.where(valid[..., None], jnp.exp(x) + posterior, 0)
    grad = jnp.where(finite[:, None], grad, 0 if zero_infinity else jnp.nan)
    return (grad * cotangents[0][:, None]).astype(x.dtype), None, None, None


_ctc_of_logits.defvjp(_ctc_forward, _ctc_backward)


def _dense_targets(targets, target_lengths, width):
    """(N, width) targets from concatenated ones."""
    start = jnp.cumsum(target_lengths) - target_lengths
    index = start[:, None] + jnp.arange(width)
    return targets[jnp.minimum(index, targets.shape[0] - 1)]


def _ctc_inputs(name, log_probs, targets, input_lengths, target_lengths, blank, dense=True):
    """dense: only (T, N, C) with (N, S) targets, as MindSpore's CPU kernel."""
    single = log_probs.ndim == 2
    if dense:
        number_of_axes(name, 3, log_probs=log_probs.shape)
        number_of_axes(name, 2, targets=targets.shape)
        number_of_axes(name, 1, input_lengths=jnp.shape(input_lengths), target_lengths=jnp.shape(target_lengths))
    elif log_probs.ndim not in (2, 3):
        raise ValueError(
            f"For '{name}', the 'log_probs' must have shape (T, N, C) or (T, C), but got {tuple(log_probs.shape)}."
        )
    if not 0 <= blank < log_probs.shape[-1]:
        raise ValueError(f"For '{name}', the 'blank' must be in range [0, {log_probs.shape[-1]}), but got {blank}.")
    log_probs = log_probs[:, None] if single else log_probs
    lengths = [
        jnp.broadcast_to(jnp.atleast_1d(jnp.asarray(v)), (log_probs.shape[1],)) for v in (input_lengths, target_lengths)
    ]
    if single and targets.ndim == 1:
        targets = targets[None]
    elif targets.ndim == 1:
        targets = _dense_targets(targets, lengths[1], min(targets.shape[0], log_probs.shape[0]))
    absent = jnp.arange(targets.shape[1]) >= lengths[1][:, None]
    check_range(targets, 0, log_probs.shape[-1], name, "targets", unless=absent)
    return log_probs, targets, *lengths, single


@op(ops=True, residuals=True)
def ctc_loss(
    log_probs: Array,
    targets: Array,
    input_lengths: Array,
    target_lengths: Array,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
):
    """(CTC loss, log alpha) of log probabilities (T, N, C) or (T, C) and targets (N, S), or concatenated.

    blank: class number of "nothing". reduction "mean" divides each loss by its target's length. zero_infinity: impossible alignments cost 0.

    Example:
        >>> log_probs = ops.log_softmax(Tensor(np.ones((5, 1, 3), np.float32)))
        >>> targets, input_lengths, target_lengths = Tensor([[1, 2]]), Tensor([5]), Tensor([2])
        >>> print(ops.ctc_loss(log_probs, targets, input_lengths, target_lengths)[0])
        0.9688567
    """
    x, targets, input_lengths, target_lengths, single = _ctc_inputs(
        "ctc_loss", log_probs, targets, input_lengths, target_lengths, blank
    )
    loss, alpha = _ctc(x, targets, input_lengths, target_lengths, blank, zero_infinity)
    if reduction == "mean":
        loss = exact_mean(loss.astype(jnp.float32) / jnp.maximum(target_lengths, 1)).astype(x.dtype)
    elif single and reduction == "none":
        loss = loss[0]
    else:
        loss = reduce(loss, reduction, "ctc_loss")
    return loss, alpha[0] if single else alpha


@op(
    prim=Prim("CTCLossV2", inputs=("log_probs", "targets", "input_lengths", "target_lengths")),
    ops=False,
    residuals=True,
)
def ctc_loss_v2(
    log_probs: Array,
    targets: Array,
    input_lengths: Array,
    target_lengths: Array,
    blank: int = 0,
    reduction: str = "none",
    zero_infinity: bool = False,
):
    """(CTC losses, log alpha) of log probabilities (T, N, C)."""
    x, targets, input_lengths, target_lengths, _ = _ctc_inputs(
        "CTCLossV2", log_probs, targets, input_lengths, target_lengths, blank
    )
    return _ctc(x, targets, input_lengths, target_lengths, blank, zero_infinity)


@op(prim=Prim("CTCLoss", inputs=("x", "labels_indices", "labels_values", "sequence_length")), ops=False, residuals=True)
def ctc_loss_sparse(
    x: Array,
    labels_indices: Array,
    labels_values: Array,
    sequence_length: Array,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
):
    """(losses (N,), their gradients) of logits (T, N, C) whose last class is blank; labels are a sparse (N, S) matrix."""
    number_of_axes("CTCLoss", 3, x=x.shape)
    number_of_axes("CTCLoss", 2, labels_indices=labels_indices.shape)
    steps, batch, classes = x.shape
    same_shape("CTCLoss", batch=(batch,), sequence_length=sequence_length.shape)
    same_shape("CTCLoss", labels=labels_indices.shape[:1], labels_values=labels_values.shape)
    width = min(labels_values.shape[0], steps)
    # MindSpore reads how many labels a row has, and no more: the values follow one another, whatever places are told.
    row = jnp.sort(labels_indices[:, 0])
    column = jnp.arange(row.shape[0]) - jnp.searchsorted(row, row)
    labels = jnp.zeros((batch, width), labels_values.dtype).at[row, column].set(labels_values, mode="drop")
    present = jnp.zeros((batch, width), bool).at[row, column].set(True, mode="drop")
    if preprocess_collapse_repeated:
        present = present & ~jnp.pad((labels[:, 1:] == labels[:, :-1]) & present[:, :-1], ((0, 0), (1, 0)))
        order = jnp.argsort(~present, 1, stable=True)
        labels, present = jnp.take_along_axis(labels, order, 1), jnp.take_along_axis(present, order, 1)
    # The first value that is not a class, or blank, ends a row; MindSpore takes one that is a class for a mistake after that.
    inside = present & (labels >= 0) & (labels < classes - 1)
    ended = jnp.cumsum(present & ~inside, 1) > 0
    late = jnp.sum(inside & ended, 1)
    check_range(late, 0, 1, "CTCLoss", f"number of labels_values after one outside [0, {classes - 1})")
    present = inside & ~ended
    lengths = jnp.sum(present, 1)
    labels = jnp.where(present, labels, classes - 1)

    return _with_gradient(
        _sparse_losses, (ctc_merge_repeated, ignore_longer_outputs_than_inputs), x, labels, sequence_length, lengths
    )


def _sparse_losses(options, x, labels, sequence_length, lengths):
    log_probs, blank = jax.nn.log_softmax(x, -1), x.shape[2] - 1
    loss, alpha = _log_alpha(log_probs, labels, sequence_length, lengths, blank, options[0])
    loss = _empty_as_there(loss, x[:, :, blank], alpha[:, :, 0], sequence_length, lengths)
    return jnp.where(jnp.isinf(loss), 0, loss) if options[1] else loss


def _empty_as_there(loss, blanks, alpha, sequence_length, lengths):
    """The losses with MindSpore's for empty rows: it takes the blanks up to the last step but one for an end, too, as its documented output shows.

    Of the gradient that changes what the last step's blank gets, and nothing else. blanks: logits (T, N). alpha: (N, T).
    """
    empty = (lengths == 0) & (sequence_length > 1)
    last = jnp.maximum(sequence_length - 1, 0)
    earlier = jnp.take_along_axis(alpha, jnp.maximum(last - 1, 0)[:, None], 1)[:, 0]
    there = jnp.where(empty, -jnp.logaddexp(-loss, earlier), loss)
    share = jnp.where(empty, jnp.exp(earlier + there), 0)
    surplus = lax.stop_gradient(share) * jnp.take_along_axis(blanks, last[None], 0)[0]
    return jnp.where(empty, loss + surplus + lax.stop_gradient(there - loss - surplus), loss)


def _over_batch(values, x):
    """(N,) values for x, (T, N, C) or (N, T, U, V)."""
    return values[:, None] if x.ndim == 3 else values[:, None, None, None]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _with_gradient(losses, options, x, *rest):
    """(losses, their gradient with respect to x); a second gradient uses it."""
    loss, pull = jax.vjp(lambda x: losses(options, x, *rest), x)
    finite = ~jnp.isinf(loss)
    grad = pull(finite.astype(x.dtype))[0]
    return loss, jnp.where(_over_batch(finite, x), grad, 0)


def _with_gradient_forward(losses, options, *args):
    result = _with_gradient(losses, options, *args)
    return result, (result[1], args[1:])


def _with_gradient_backward(losses, options, saved, cotangents):
    grad, rest = saved
    return (grad * _over_batch(cotangents[0], grad), *(None for _ in rest))


_with_gradient.defvjp(_with_gradient_forward, _with_gradient_backward)


@op(ops=True, prim=Prim("CTCGreedyDecoder", inputs=("inputs", "sequence_length")), dynamic=True)
def ctc_greedy_decoder(inputs: Array, sequence_length: Array, merge_repeated: bool = True):
    """(indices, values, shape, log probability (N, 1)) of the best path through logits (T, N, C), whose last class is blank, as a sparse matrix."""
    x, lengths = np.asarray(inputs), np.asarray(sequence_length)
    same_shape("CTCGreedyDecoder", batch=x.shape[1:2], sequence_length=lengths.shape)
    blank = x.shape[2] - 1
    indices, values, longest = [], [], 0
    log_probability = np.zeros((x.shape[1], 1), x.dtype)
    for n in range(x.shape[1]):
        best = x[: lengths[n], n].argmax(-1)
        log_probability[n, 0] = -x[: lengths[n], n].max(-1, initial=-np.inf).sum() if lengths[n] else 0
        kept = [int(c) for t, c in enumerate(best) if c != blank and not (merge_repeated and t and best[t - 1] == c)]
        indices += [(n, i) for i in range(len(kept))]
        values += kept
        longest = max(longest, len(kept))
    return (
        jnp.asarray(np.array(indices, np.int64).reshape(-1, 2)),
        jnp.asarray(np.array(values, np.int64)),
        jnp.asarray(np.array([x.shape[1], longest], np.int64)),
        jnp.asarray(log_probability),
    )


# --- RNN transducer
def _transducer(blank, acts, labels, input_length, label_length):
    """(B,) losses of logits (B, T, U + 1, V)."""
    log_probs = jax.nn.log_softmax(acts, -1)
    width = acts.shape[2]
    nothing = log_probs[..., blank]
    emit = jnp.take_along_axis(
        log_probs[:, :, :-1],
        jnp.broadcast_to(labels[:, None, :, None], (*acts.shape[:2], width - 1, 1)).astype(jnp.int32),
        3,
    )[..., 0]

    def along(first, emit):
        """Prefix sums of emissions within one time step, each started from `first`."""

        def step(left, inputs):
            from_below, e = inputs
            new = _sum(from_below, left + e)
            return new, new

        start = first[:, 0]
        _, rest = lax.scan(step, start, (first[:, 1:].T, emit.T))
        return jnp.concatenate([start[:, None], rest.T], 1)

    never = jnp.full((acts.shape[0], width), _NEVER, log_probs.dtype)
    start = along(never.at[:, 0].set(0), emit[:, 0])

    def step(alpha, inputs):
        before, emit = inputs
        new = along(alpha + before, emit)
        return new, new

    _, rest = lax.scan(step, start, (jnp.moveaxis(nothing, 1, 0)[:-1], jnp.moveaxis(emit, 1, 0)[1:]))
    alpha = jnp.concatenate([start[None], rest], 0)
    batch = jnp.arange(acts.shape[0])
    t, u = input_length - 1, label_length
    return -(alpha[t, batch, u] + nothing[batch, t, u])


@op(prim=Prim("RNNTLoss", inputs=("acts", "labels", "input_length", "label_length")), ops=False, residuals=True)
def rnnt_loss(acts: Array, labels: Array, input_length: Operand, label_length: Operand, blank_label: int = 0):
    """(losses (B,), their gradients) of the RNN transducer for logits (B, T, U + 1, V) and labels (B, U)."""
    number_of_axes("RNNTLoss", 1, input_length=jnp.shape(input_length), label_length=jnp.shape(label_length))
    return _with_gradient(_transducer, blank_label, acts, labels, input_length, label_length)
