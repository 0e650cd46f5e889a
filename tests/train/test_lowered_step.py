"""What a step was compiled from, for checkpoints' graphs and counts: pipelines have no single program."""

import types

import pytest

from msjax.train.callback.flops import lowered_step


def test_a_pipeline_of_several_programs_says_so():
    entry = types.SimpleNamespace(
        fallback=False, mut=(), ro=(), numbers=(), packings=None, executable=lambda *given: None
    )
    network = types.SimpleNamespace(entry_for=lambda *inputs: entry)
    with pytest.raises(RuntimeError, match="stages are programs of their own"):
        lowered_step(network, ())
