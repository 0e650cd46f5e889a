"""Labels, ids and token sequences: counting matches, edit distance, ragged ranges, layouts."""

import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.program.halves import in_float32
from ...core.spec import Array, Dtype, Operand
from ...core.values import dtype as mstype
from ..shapes import number_of_axes


@op(prim=Prim("EqualCount"), ops=False)
def equal_count(x: Array, y: Array) -> Array:
    """Number of places where two Tensors are equal, as a Tensor of one element in their dtype."""
    if x.shape != y.shape:
        raise ValueError(f"For 'EqualCount', the shapes of x and y must be equal, but got {x.shape} and {y.shape}.")
    return jnp.sum(x == y).astype(x.dtype).reshape(1)


@op(prim=Prim("ConfusionMatrix", inputs=("labels", "predictions", "weights")), ops=False, name="prim_confusion_matrix")
def prim_confusion_matrix(
    labels: Array, predictions: Array, num_classes: int, weights: Array | None = None, dtype: str = "int32"
) -> Array:
    """Matrix that counts (or weighs) how often each label (row) was predicted as each class (column)."""
    counts = jnp.ones(labels.shape, dtype) if weights is None else weights.astype(dtype)
    start = jnp.zeros((num_classes, num_classes), dtype)
    return in_float32(lambda x, counts: x.at[labels, predictions].add(counts), start, counts)


@op(prim=Prim("CompareAndBitpack"), ops=False)
def compare_and_bitpack(x: Array, threshold: Array) -> Array:
    """Whether elements are above a threshold, eight of them as the bits of one uint8 (the first is the highest bit)."""
    if x.ndim == 0 or x.shape[-1] % 8:
        raise ValueError(
            f"For 'CompareAndBitpack', the last axis of 'x' must be divisible by 8, but got shape {x.shape}."
        )
    bits = (x > threshold).reshape(*x.shape[:-1], -1, 8).astype(jnp.uint8)
    return jnp.sum(bits << jnp.arange(7, -1, -1, dtype=jnp.uint8), -1, dtype=jnp.uint8)


@op(prim=Prim("ComputeAccidentalHits", inputs=("true_classes", "sampled_candidates")), ops=False, dynamic=True)
def compute_accidental_hits(true_classes: Array, sampled_candidates: Array, num_true: int = 1):
    """Where sampled classes are true classes: (row, place among the samples, the lowest float32)."""
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(
            f"For 'ComputeAccidentalHits', the 'true_classes' must have shape (batch, {num_true}), but got {true_classes.shape}."
        )
    row, _, place = jnp.nonzero(true_classes[:, :, None] == sampled_candidates[None, None, :])
    return row.astype(jnp.int32), place.astype(jnp.int64), jnp.full(row.shape, jnp.finfo(jnp.float32).min, jnp.float32)


def _format_order(name, source, target):
    if {source, target} - {"NHWC", "NCHW"}:
        raise ValueError(f"For '{name}', the formats must be 'NHWC' or 'NCHW', but got {source!r} and {target!r}.")
    return [source.index(c) for c in target], [target.index(c) for c in source]


@op(prim=Prim("DataFormatDimMap", inputs=("input_x",)), ops=False)
def data_format_dim_map(input_x: Array, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    """For the axes of the target layout, where they are in the source (as MindSpore's kernel answers)."""
    places = jnp.asarray(_format_order("DataFormatDimMap", src_format, dst_format)[0], input_x.dtype)
    return places[input_x % 4]


@op(prim=Prim("DataFormatVecPermute", inputs=("input_x",)), ops=False)
def data_format_vec_permute(input_x: Array, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    """Numbers for the axes of one layout in the order of another."""
    if input_x.shape not in ((4,), (4, 2)):
        raise ValueError(
            f"For 'DataFormatVecPermute', the shape of 'x' must be (4,) or (4, 2), but got {input_x.shape}."
        )
    return input_x[np.array(_format_order("DataFormatVecPermute", src_format, dst_format)[0])]


@op(prim=Prim("MapUniform"), ops=False)
def map_uniform(input: Array, per_group_size: Operand, group_num: Operand) -> Array:
    """Keys dealt out to groups: key % group_num * per_group_size + key // group_num."""
    return (input % group_num * per_group_size + input // group_num).astype(input.dtype)


@op(prim=Prim("SubAndFilter"), ops=False, dynamic=True)
def sub_and_filter(input_x: Array, max_num: Operand, offset: Operand):
    """The elements less an offset that lie in [0, max_num), and their places."""
    moved = (input_x - offset).reshape(-1)
    place = jnp.nonzero((moved >= 0) & (moved < max_num))[0]
    return moved[place].astype(input_x.dtype), place.astype(input_x.dtype)


@op(prim=Prim("RaggedRange", inputs=("starts", "limits", "deltas")), ops=False, dynamic=True)
def ragged_range(starts: Array, limits: Array, deltas: Array, Tsplits: Dtype):
    """Consecutive ranges, and the start of each."""
    rows = [np.arange(a, b, d) for a, b, d in zip(*(np.atleast_1d(np.asarray(v)) for v in (starts, limits, deltas)))]
    splits = np.cumsum([0, *[len(r) for r in rows]])
    return jnp.asarray(splits, mstype.to_numpy(Tsplits)), jnp.asarray(np.concatenate(rows), starts.dtype)


@op(prim=Prim("NoRepeatNGram", inputs=("state_seq", "log_probs")), ops=False)
def no_repeat_ngram(state_seq: Array, log_probs: Array, ngram_size: int = 1):
    """Log probabilities in which words that would repeat an n-gram of the sequence are made impossible."""
    number_of_axes("NoRepeatNGram", 3, state_seq=state_seq.shape, log_probs=log_probs.shape)
    length, vocabulary = state_seq.shape[-1], log_probs.shape[-1]
    if not 0 < ngram_size <= length:
        raise ValueError(f"For 'NoRepeatNGram', the 'ngram_size' must be in range [1, {length}], but got {ngram_size}.")
    starts = length - ngram_size + 1
    grams = jnp.stack([state_seq[..., i : i + starts] for i in range(ngram_size)], -1)
    last = state_seq[..., length - ngram_size + 1 :]
    same = jnp.all(grams[..., :-1] == last[..., None, :], -1)
    banned = jnp.any(same[..., None] & (grams[..., -1:] == jnp.arange(vocabulary)), -2)
    return jnp.where(banned, jnp.finfo(log_probs.dtype).min, log_probs)


def _edit_distance(a, b):
    """Levenshtein distance of two lists."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


@op(
    prim=Prim(
        "EditDistance",
        inputs=(
            "hypothesis_indices",
            "hypothesis_values",
            "hypothesis_shape",
            "truth_indices",
            "truth_values",
            "truth_shape",
        ),
    ),
    ops=False,
    dynamic=True,
)
def edit_distance(
    hypothesis_indices: Array,
    hypothesis_values: Array,
    hypothesis_shape: Array,
    truth_indices: Array,
    truth_values: Array,
    truth_shape: Array,
    normalize: bool = True,
) -> Array:
    """Levenshtein distances of sequences given as sparse Tensors; `normalize` divides by the length of the truth."""
    for side, (indices, *rest) in {
        "hypothesis": (hypothesis_indices, hypothesis_values, hypothesis_shape),
        "truth": (truth_indices, truth_values, truth_shape),
    }.items():
        number_of_axes("EditDistance", 2, **{f"{side}_indices": indices.shape})
        number_of_axes("EditDistance", 1, **{f"{side}_{k}": x.shape for k, x in zip(("values", "shape"), rest)})

    def sequences(indices, values):
        found = {}
        for index, value in zip(np.asarray(indices).tolist(), np.asarray(values).tolist()):
            found.setdefault(tuple(index[:-1]), []).append(value)
        return found

    shape = tuple(int(max(a, b)) for a, b in zip(np.asarray(hypothesis_shape)[:-1], np.asarray(truth_shape)[:-1]))
    guess, truth = sequences(hypothesis_indices, hypothesis_values), sequences(truth_indices, truth_values)
    out = np.zeros(shape, np.float32)
    for place in np.ndindex(*shape):
        a, b = guess.get(place, []), truth.get(place, [])
        distance = _edit_distance(a, b)
        out[place] = distance if not normalize else distance / len(b) if b else (np.inf if a else 0.0)
    return jnp.asarray(out)


@op(prim=Prim("CopyWithSlice"), ops=False, writes=(0,))
def copy_with_slice(x: Array, y: Operand):
    """x with the content of y."""
    return jnp.broadcast_to(y, x.shape).astype(x.dtype)
