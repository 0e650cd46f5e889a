"""Every case of cases_ops/ against what MindSpore gave; and the same, compiled, against its eager self."""
import importlib
import pathlib

import golden_cases
import helpers
import mindspore as ms
import numpy as np
import pytest

FAMILIES = sorted(p.stem for p in (pathlib.Path(__file__).parent.parent / "cases_ops").glob("[a-z]*.py"))
CASES = [(family,
    case) for family in FAMILIES for case in golden_cases.table_of(importlib.import_module(f"cases_ops.{family}"))]
CHUNK = 20  # one compilation for so many cases: compiling each alone would take most of the suite's time


@pytest.mark.parametrize("family, case", CASES, ids=[f"{f}:{c.id}" for f, c in CASES])
def test_golden(family, case):
    record = helpers.golden_cases_of(f"ops_{family}").get(case.id)
    if record is None:
        pytest.skip("a name that MindSpore 2.10 no longer has: nothing recorded")
    helpers.check_case(case, record)


def compilable(family, case):
    record = helpers.golden_cases_of(f"ops_{family}").get(case.id)
    return record is not None and "error" not in record and case.options.get("jit",
        True) and not case.options.get("random")


CHUNKS = {f"{family}-{i // CHUNK}": cases[i:i + CHUNK] for family in FAMILIES
          for cases in [[c for f, c in CASES if f == family and compilable(f, c)]] for i in range(0, len(cases), CHUNK)}


def flat(cases):
    """[(function of the input Tensors, inputs)] of the cases."""
    for case in cases:
        function, args, keywords = golden_cases.make(case)

        def call(*tensors, function=function, args=args, keywords=keywords):
            a, k = golden_cases.rebuild((args, keywords), iter(tensors))
            return golden_cases.leaves(function(*a, **k))
        yield call, golden_cases.leaves((args, keywords))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_jit_equals_eager(chunk):
    parts = list(flat(CHUNKS[chunk]))
    counts = [len(inputs) for _, inputs in parts]

    @ms.jit
    def together(*tensors):
        found, at = [], 0
        for (call, _), count in zip(parts, counts):
            found.append(call(*tensors[at:at + count]))
            at += count
        return found
    eager = [call(*inputs) for call, inputs in flat(CHUNKS[chunk])]
    compiled = together(*[x for _, inputs in parts for x in inputs])
    for case, a, b in zip(CHUNKS[chunk], eager, compiled):
        assert len(a) == len(b), case.id
        for x, y in zip(a, b):
            assert x.dtype == y.dtype and x.shape == y.shape, case.id
            np.testing.assert_allclose(golden_cases.as_numpy(y), golden_cases.as_numpy(x), rtol=1e-4, atol=1e-5,
                err_msg=case.id)
