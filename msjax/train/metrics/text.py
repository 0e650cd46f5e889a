"""Metrics of text: BLEU and perplexity."""

import math
from collections import Counter
from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Within
from .metric import Metric, rearrange_inputs


class BleuScore(Metric):
    """BLEU: how many word groups of a translation stand in one of its references, times a penalty for being short.

    Args:
        n_gram: longest group, 1 to 4. smooth: add one to the counts.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import BleuScore
        >>> metric = BleuScore()
        >>> metric.update([["a", "cat", "sat", "down"]], [[["a", "cat", "sat", "down"]]])
        >>> metric.eval()
        1.0
    """

    @checked
    def __init__(self, n_gram: Annotated[int, Within("[1, 4]")] = 4, smooth: bool = False):
        super().__init__()
        self.n_gram, self.smooth = n_gram, smooth
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._matched, self._total = np.zeros(self.n_gram), np.zeros(self.n_gram)
        self._length, self._reference_length = 0, 0
        self._is_update = False

    def _groups(self, words):
        return Counter(
            tuple(words[start : start + size])
            for size in range(1, self.n_gram + 1)
            for start in range(len(words) - size + 1)
        )

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: translations (lists of words), and for each a list of references."""
        self._check_inputs(2, inputs)
        candidates, references = inputs
        if len(candidates) != len(references):
            raise ValueError(
                "For 'BleuScore.update', 'translate_corpus' (inputs[0]) and 'reference_corpus' (inputs[1]) should be "
                f"equal in length, but got {len(candidates)}, {len(references)}"
            )
        for candidate, choices in zip(candidates, references, strict=True):
            self._length += len(candidate)
            self._reference_length += len(min(choices, key=lambda words: abs(len(words) - len(candidate))))
            found, known = self._groups(candidate), Counter()
            for words in choices:
                known |= self._groups(words)
            for counts, sums in ((found & known, self._matched), (found, self._total)):
                for group, count in counts.items():
                    sums[len(group) - 1] += count
        self._is_update = True

    def eval(self):
        """The score from 0 to 1; RuntimeError before any update."""
        self._require_update()
        if self._matched.min() == 0:
            return np.array(0.0)
        precisions = (self._matched + self.smooth) / (self._total + self.smooth)
        penalty = 1.0 if self._length > self._reference_length else np.exp(1 - self._reference_length / self._length)
        return penalty * np.exp(np.log(precisions).mean())


class Perplexity(Metric):
    """exp of the mean negative log of the chance given to the true token.

    Args:
        ignore_label: label that does not count, or None.

    Raises:
        TypeError: `ignore_label` is not an int.
    """

    @checked
    def __init__(self, ignore_label: int | None = None):
        super().__init__()
        self.ignore_label = ignore_label
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._sum_metric, self._num_inst = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: chances (N, C) and labels (N,)."""
        self._check_inputs(2, inputs)
        chances, labels = (self._convert_data(v) for v in inputs)
        if labels.size * chances.shape[-1] != chances.size:
            raise RuntimeError(
                "For 'Perplexity.update', predicted value (input[0]) and label (input[1]) should have the same shape, "
                f"but got predicted value shape {chances.shape}, label shape {labels.shape}."
            )
        labels = labels.reshape(-1).astype(int)
        chances = chances.reshape(-1, chances.shape[-1])
        counted = (
            np.flatnonzero(labels != self.ignore_label) if self.ignore_label is not None else np.arange(len(labels))
        )
        chosen = chances[counted, labels[counted]]
        self._sum_metric -= np.log(np.maximum(1e-10, chosen)).sum()
        self._num_inst += len(counted)

    def eval(self):
        """The perplexity; RuntimeError before any update."""
        self._check_updated(self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
