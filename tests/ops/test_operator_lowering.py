"""Operators lower for GPU and TPU on a machine that has neither: the cases of the goldens, forward and backward.

By default a part of them; all with MSJAX_TEST_LOWERING=1.
"""

import os

import golden_cases
import mindspore as ms
import pytest
from test_goldens import CHUNKS, flat

import msjax

WHOLE = os.environ.get("MSJAX_TEST_LOWERING", "0") not in ("", "0")
SAMPLE = [name for i, name in enumerate(CHUNKS) if i % 40 == 7]


def both_ways(call):
    """The operator's outputs, and the gradients of the sum of its float outputs by its float inputs."""

    def summed(*tensors):
        return sum(
            (ms.ops.sum(o.astype(ms.float32)) for o in call(*tensors) if golden_cases.is_float(o)), ms.Tensor(0.0)
        )

    def run(*tensors):
        wanted = tuple(i for i, t in enumerate(tensors) if golden_cases.is_float(t))
        gradients = ms.grad(summed, wanted)(*tensors) if wanted else ()
        return call(*tensors), gradients

    return run


@pytest.mark.parametrize("name", CHUNKS if WHOLE else SAMPLE)
def test_lowers(name):
    refused = {}
    for case, (call, tensors) in zip(CHUNKS[name], flat(CHUNKS[name])):
        try:
            text = msjax.lower(both_ways(call), *tensors)
        except Exception as error:  # all that fail are named at once
            refused[case.id] = f"{type(error).__name__}: {error}".splitlines()[0]
            continue
        if "callback" in text:
            refused[case.id] = "asks the host"
    assert not refused
