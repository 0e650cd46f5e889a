"""How alike two names of layers are: the words they are made of, with the field's synonyms, rare words counting more."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBERED = re.compile(r"(.*[^\d])(\d+)([^\d]*)")
# Words of one line mean the same. The first is the one that is compared.
_SYNONYMS = (
    "q query wq",
    "k key wk",
    "v value wv",
    "o out wo output",
    "attention attn mha selfattention",
    "cross crossattention encdec encdecattention",
    "mlp ffn feedforward",
    "norm ln layernorm rmsnorm bn batchnorm layernorm groupnorm gn",
    "embedding embed embeddings emb wte lookup",
    "token tok tokens word words",
    "position pos positions wpe positional",
    "layer layers block blocks h stack",
    "encoder enc",
    "decoder dec",
    "head classifier logits",
    "down downsample shortcut",
    "up upsample",
    "convolution conv",
    "projection proj",
    "dense linear lin fc",
    "patch patches",
    "class cls",
)
_MEANING = {word: line.split()[0] for line in _SYNONYMS for word in line.split()}
# Words that say two things, found before the words are split.
_PHRASES = {
    "feed_forward": "mlp", "feedforward": "mlp", "self_attn": "attention", "self_attention": "attention",
    "wte": "token_embedding", "wpe": "position_embedding",
    "encoder_attn": "cross_attention", "encdec_attn": "cross_attention", "encdecattention": "cross_attention", "selfattention": "attention",
    "lm_head": "head", 
    "embed_out": "head", "unembedding": "head", "unembed": "head",
    "down_sample": "down", "layer_norm": "norm", "layernorm": "norm", "batch_norm": "norm", "batchnorm": "norm",
    "post_attention": "postattention", "post_self_attention": "postattention", "post_attn": "postattention", "post_self_attn": "postattention",
    "layernorm_before": "norm_0", "layernorm_after": "norm_1",
    "qkv": "q_k_v", "query_key_value": "q_k_v", "c_attn": "q_k_v", "in_proj": "q_k_v", "w_qkv": "q_k_v", "w_pack": "q_k_v",
    "queries_keys_values": "q_k_v", "gate_up": "gate_up",
    "w_gate_hidden": "gate_up", "gate_hidden": "gate_up",
}  # fmt: skip
_PHRASE = re.compile("|".join(sorted(map(re.escape, _PHRASES), key=len, reverse=True)), re.IGNORECASE)


def words(name: str) -> tuple[str, ...]:
    """The words of a name, each under its first synonym; numbers stay.

    Example:
        >>> from msjax.train.weights.words import words
        >>> words("model.layers.3.self_attn.q_proj"), words("blocks.3.attention.wq")
        (('model', 'layer', '3', 'attention', 'q', 'projection'), ('layer', '3', 'attention', 'q'))
    """
    plain = _PHRASE.sub(lambda found: f"_{_PHRASES[found[0].lower()]}_", name)
    return tuple(_MEANING.get(w.lower(), w.lower()) for w in _WORD.findall(plain))


PARTS = (("q", "k", "v"), ("gate", "up"))  # of a layer, which networks keep apart or in one matrix, in this order


def contradict(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether the words of two names say different parts of one layer: q beside k, gate beside up."""
    ones, others = set(one), set(other)
    for parts in PARTS:
        here, there = ones.intersection(parts), others.intersection(parts)
        if len(here) == len(there) == 1 and here != there:
            return True
    return False


def pattern(name: str) -> str:
    """The name with `{}` for each number that stands alone."""
    return ".".join("{}" if part.isdigit() else part for part in name.split("."))


def ranked(names: Iterable[str]) -> dict[str, str]:
    """{name: the name with the last number of each of its words counted from 0}, so that `conv1, conv2` is as `conv0, conv1`.

    A number that is alone, or whose row begins at neither 0 nor 1, ranks nothing and is left out: `fc2` beside `mapping` is not the first of its kind.

    Example:
        >>> from msjax.train.weights.words import ranked
        >>> ranked(["conv1.weight", "conv2.weight", "fc2.weight"])
        {'conv1.weight': 'conv0.weight', 'conv2.weight': 'conv1.weight', 'fc2.weight': 'fc.weight'}
    """
    names = list(names)
    numbers = defaultdict(set)
    for name in names:
        for *key, number in _numbered(name):
            numbers[tuple(key)].add(number)
    rank = {
        key: {n: i for i, n in enumerate(sorted(found))}
        if len(found) > 1 and min(found) <= 1
        else dict.fromkeys(found, "")
        for key, found in numbers.items()
    }
    result = {}
    for name in names:
        parts = name.split(".")
        for place, stem, rest, number in _numbered(name):
            parts[len(place)] = f"{stem}{rank[place, stem, rest][number]}" + (f"_{rest}" if rest else "")
        result[name] = ".".join(parts)
    return result


def _numbered(name: str):
    """(prefix, what stands before the number, what behind, number) of each part of a name that has one, as `bn1d` has."""
    parts = name.split(".")
    for i, part in enumerate(parts):
        if found := _NUMBERED.fullmatch(part):
            yield tuple(parts[:i]), found[1], found[3], int(found[2])


class Likeness:
    """How alike names are, between 0 and 1; a word that is in most names of both sides says little.

    Args:
        names: The words of all names of both sides.
    """

    def __init__(self, names: Sequence[Iterable[str]]):
        self._in = Counter(word for name in names for word in set(name))
        self._names = max(len(names), 1)

    def _weight(self, word: str) -> float:
        return math.log(1 + self._names / self._in[word]) * (0.5 if word.isdigit() else 1.0)

    def __call__(self, one: Iterable[str], other: Iterable[str]) -> float:
        ones, others = Counter(one), Counter(other)
        both = self.common(one, other)
        whole = sum(n * self._weight(w) for w, n in (ones | others).items())
        return both / whole if whole else 1.0

    def common(self, one: Iterable[str], other: Iterable[str]) -> float:
        """How much the words say that both names have."""
        return sum(n * self._weight(w) for w, n in (Counter(one) & Counter(other)).items())
