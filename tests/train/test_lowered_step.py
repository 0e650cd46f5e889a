"""What a step was compiled from, for checkpoints' graphs and counts: pipelines have no single program."""

import types

import pytest

from msjax.train.callback.flops import lowered_step


def test_a_pipeline_of_several_programs_says_so():
    state = types.SimpleNamespace(written=(), read=(), numbers=(), packings=None)
    program = types.SimpleNamespace(run=lambda *given: None)
    entry = types.SimpleNamespace(fallback=False, state=state, program=program)
    network = types.SimpleNamespace(entry_for=lambda *inputs: entry)
    with pytest.raises(RuntimeError, match="stages are separate programs"):
        lowered_step(network, ())
