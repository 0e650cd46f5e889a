"""By the compiler of TPUs, where it is installed (`pip install 'msjax[plan]'`): the cache is changed where it lies, and never copied."""

import math
import re

import decoders
import jax
import pytest

import msjax
from msjax.core.settings.context import computing_for
from msjax.planning.counts import totals
from msjax.planning.measure import compile_lowered
from msjax.planning.topology import Topology, no_cache

pytest.importorskip("libtpu", reason="the compiler of TPUs is not installed: pip install 'msjax[plan]'")

LENGTH = 256


@pytest.mark.parametrize(
    ("kind", "slots", "count", "cached"),
    [
        ("tuples", 4, 4, None),
        ("tuples", 1, 4, None),
        ("objects", 4, 4, None),
        ("objects", 1, 4, None),
        ("tuples", 4, 8, None),  # heads of 64 elements, half of what a TPU pads to
        ("tuples", 1, 8, None),
        ("objects", 4, 8, "int8"),
    ],
)
def test_no_step_copies_the_cache(kind, slots, count, cached):
    heads = {"num_heads": count, "hidden_size": 512, "num_kv_heads": 2}
    net = decoders.make(kind, max_position_embeddings=LENGTH, **heads)
    programs = msjax.TextGenerator(net, slots, LENGTH, check=False, cache=cached).programs
    weights = {p.name: p.jax_array for p in net.get_parameters()}
    with no_cache():
        compiled = programs.lowered(weights, view=LENGTH, device=Topology("v5e").devices[0]).compile()
    with computing_for("TPU"):
        cache = jax.tree.leaves(jax.eval_shape(lambda: programs.spelling.cache(slots, LENGTH)))
    # What a fusion copies stays in registers: what counts are the instructions of the program, of its loops and branches.
    parts = compiled.as_text().split("\n\n")
    text = "\n".join(part for part in parts if not re.match(r"%(fused_computation|copy_fusion)", part))
    assert "ENTRY" in text
    assert [a.shape for a in cache if re.search(rf"\[{','.join(map(str, a.shape))}\]\S* copy\(", text)] == []
    assert compiled.memory_analysis().alias_size_in_bytes >= sum(a.dtype.itemsize * math.prod(a.shape) for a in cache)


@pytest.mark.parametrize(
    "kind, count, length, cached, window",
    [
        ("tuples", 4, 4096, None, None),
        ("tuples", 8, 4096, None, None),  # heads of 64 elements: tokens are stored last
        ("tuples", 8, 8192, "int8", None),
        ("objects", 4, 8192, None, 512),
    ],
)
def test_a_step_reads_the_cache_once(kind, count, length, cached, window):
    """Arrays of 34 MB, of which three fit into the fast memory: changed before they were read, all were moved there and back, 1.7 to 2.1 times."""
    slots = 8
    sizes = {"num_heads": count, "hidden_size": 512, "num_kv_heads": 2, "num_layers": 6, "vocab_size": 8192}
    net = decoders.make(kind, max_position_embeddings=length, sliding_window=window, **sizes)
    assert moved(net, slots, length, "bfloat16", cached) < 1.25


def test_a_step_reads_whole_numbers_only():
    """A table that is also the factor of the last product was made whole, as float32, for its rows."""
    sizes = {"num_heads": 8, "hidden_size": 1024, "num_layers": 1, "vocab_size": 32000}
    net = decoders.make("tuples", max_position_embeddings=64, **sizes)
    assert moved(net, 8, 64, "int8") < 1.4  # the scores of all words are moved several times


def moved(net, slots, length, weights, cached=None):
    """Bytes that a step moves, by those of weights and cache."""
    generator = msjax.TextGenerator(net, slots, length, check=False, weights=weights, cache=cached)
    values, topology = generator._weights.now(), Topology("v5e")
    lowered = generator.programs.lowered(values, view=length, device=topology.devices[0])
    held = sum(a.nbytes for a in jax.tree.leaves((values, generator._cache)))
    return totals(compile_lowered(lowered, "decode", topology))["bytes"] / held
