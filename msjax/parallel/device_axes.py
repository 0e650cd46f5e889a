"""Which axis of the devices each axis of an operator's inputs is split over.

Axes that belong together, the two of a sum, a bias and the channels that it is added to, share one; each other axis has its own. The
device axes of all operators come in one order, that of the result from the left, then what is summed: a Tensor that one operator gives
then lies as the next one takes it.
"""

import math
from typing import Any

PRODUCTS = ("MatMul", "BatchMatMul", "MatMulExt", "BatchMatMulExt")
LOOKUPS = ("Gather", "GatherV2", "SparseGatherV2", "EmbeddingLookup", "Embedding")
_SEPARATE = ("GatherNd", "ScatterUpdate", "TensorScatterUpdate")
_CHANNELS = ("BiasAdd", "BatchNorm", "InstanceNorm", "PReLU")
# operators whose further inputs have the first axes of the first input, or as many: a label for each row, a segment for each row
_ROWS = (
    "SparseSoftmaxCrossEntropyWithLogits",
    "UnsortedSegmentSum",
    "UnsortedSegmentMin",
    "UnsortedSegmentMax",
    "UnsortedSegmentProd",
)
CONVOLUTIONS = ("Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose")
# operators whose inputs have axes of devices of their own, though they may have as many axes
UNLIKE = (*LOOKUPS, *_SEPARATE, *CONVOLUTIONS)


def prime_factors(number: int):
    """The prime factors of a number, the smallest first; none of 1.

    Example:
        >>> from msjax.parallel.device_axes import prime_factors
        >>> prime_factors(12)
        [2, 2, 3]
    """
    found, factor = [], 2
    while number > 1:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return found


def of(name: str, wanted: Any, transposed: tuple, count: int):
    """(device matrix, for each input its places): for each axis a tuple of axes of the matrix; None for an input that has a grid of its own.

    wanted: for each input into how many parts each axis is split. transposed: of both inputs of a product. count: number of devices.

    Raises:
        ValueError: the axes of a sum are not split alike.

    Example:
        >>> from msjax.parallel.device_axes import of
        >>> of("MatMul", [(2, 1), (1, 4)], (False, False), 8)
        ([2, 1, 4], [[(0,), (1,)], [(1,), (2,)]])
    """
    named, order = _labels(name, wanted, transposed)
    parts = dict.fromkeys(order, 1)
    for labels, strategy in zip(named, wanted):
        for label, number in zip(labels, strategy):
            if number > 1 and parts[label] not in (1, number):
                return _apart(wanted, count)
            parts[label] = max(parts[label], number)
    matrix = [parts[label] for label in order]
    if math.prod(matrix) > count:
        return _apart(wanted, count)
    places = [
        [(order.index(label),) if number > 1 or parts[label] == 1 else () for label, number in zip(labels, strategy)]
        for labels, strategy in zip(named, wanted)
    ]
    return matrix, places


def _apart(wanted, count):
    """Each input over device axes of its own, as long as there are enough devices; else over the same ones."""
    matrix = [parts for s in wanted for parts in s]
    if math.prod(matrix) > count:
        return matrix, [None] * len(wanted)
    starts = [sum(map(len, wanted[:i])) for i in range(len(wanted))]
    return matrix, [[(start + i,) for i in range(len(s))] for s, start in zip(wanted, starts)]


def _labels(name, wanted, transposed):
    """([a label for each axis of each input], all labels in the order of the device axes)"""
    ranks = [len(s) for s in wanted]
    if name in PRODUCTS and len(wanted) >= 2 and min(ranks[:2]) >= 2:
        return _of_product(wanted, transposed)
    if name in LOOKUPS and len(wanted) >= 2:  # the result has the axes of the indices in the place of the first
        table = [f"table {i}" for i in range(ranks[0])]
        named = [table, *([f"index {k} {i}" for i in range(r)] for k, r in enumerate(ranks[1:]))]
        return named, [label for labels in (*named[1:], table) for label in labels]
    if name in CONVOLUTIONS and len(wanted) >= 2:
        space = [f"space {i}" for i in range(ranks[0] - 2)]
        taps = [f"tap {i}" for i in range(ranks[1] - 2)]
        kernel = ["in", "out", *taps] if "Transpose" in name else ["out", "in", *taps]
        rest = [[f"more {k} {i}" for i in range(r)] for k, r in enumerate(ranks[2:])]
        return [["batch", "in", *space], kernel, *rest], ["batch", "out", *space, "in", *taps, *sum(rest, [])]
    if name in _CHANNELS and ranks and ranks[0] >= 2:
        first = list(range(ranks[0]))
        return [first, *([1, *(f"more {i}" for i in range(1, r))] for r in ranks[1:])], first
    if name in _ROWS:
        first = list(range(ranks[0]))
        return [first, *(first[:r] for r in ranks[1:])], first
    if name == "NLLLoss" and ranks[0] >= 2:  # classes, labels of the rows, weights of the classes
        first = list(range(ranks[0]))
        labels = [first[:1] + first[2:], [1]]
        return [first, *(found[:r] for found, r in zip(labels, ranks[1:]))], first
    if name in _SEPARATE:
        named = [[f"{k} {i}" for i in range(r)] for k, r in enumerate(ranks)]
        return named, sum(named, [])
    rank = max(ranks, default=0)
    return [list(range(rank - r, rank)) for r in ranks], list(range(rank))


def _of_product(wanted, transposed):
    """(..., m, k) @ (..., k, n): device axes for the batch, m, k and n; a bias has those of m and n."""
    left, right = wanted[:2]
    first, second = ("m", "k"), ("k", "n")
    first, second = first[::-1] if transposed[0] else first, second[::-1] if transposed[1] else second
    if left[-2:][first.index("k")] != right[-2:][second.index("k")]:
        raise ValueError(
            f"For 'MatMul', both inputs must be split alike along the axis of the sum, but got {left} and {right}."
        )
    rank = max(len(left), len(right)) - 2
    batch = [f"batch {i}" for i in range(rank)]
    named = [[*batch[rank - len(s) + 2 :], *last] for s, last in ((left, first), (right, second))]
    named += [[*batch, "m", "n"][-len(s) :] if s else [] for s in wanted[2:]]
    return named, [*batch, "m", "k", "n"]
