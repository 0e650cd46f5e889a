"""Layers and losses of cases_layers*.py: values, gradients, statistics against MindSpore; and compiled against eager."""

import cases_layers
import cases_layers_mint
import cases_layers_old
import cases_layers_wrappers
import golden_cases
import golden_files
import helpers
import mindspore as ms
import numpy as np
import pytest
from mindspore import nn

TABLES = {
    "layers": cases_layers,
    "layers_mint": cases_layers_mint,
    "layers_old": cases_layers_old,
    "layers_wrappers": cases_layers_wrappers,
}
CASES = [case for module in TABLES.values() for case in golden_cases.table_of(module)]
GOLDEN = {case: record for name in TABLES for case, record in golden_files.read(name).items()}
CHUNK = 12  # one compilation for so many layers: compiling each alone would take most of the suite's time


def test_every_case_is_recorded():
    assert not {c.id for c in CASES} - GOLDEN.keys(), "run tests/goldens/record_cases.py"


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_layer(case, monkeypatch):
    monkeypatch.setitem(helpers.TOLERANCE, "Float32", 4e-6)  # atol, and a fifth of rtol; what they need is a third
    helpers.check_case(case, GOLDEN[case.id])


def compilable(case):
    record = GOLDEN.get(case.id)
    return (
        record is not None
        and not {"error", "lacks"} & set(record)
        and not case.options.get("random")
        and isinstance(case.expression, str)
        and case.expression.startswith("nn.")
        and case.options.get("jit", True)
    )


TOGETHER = [c for c in CASES if compilable(c)]


@pytest.mark.parametrize("start", range(0, len(TOGETHER), CHUNK))
def test_compiled_equals_eager(start):
    """Values, and the statistics that training layers write."""
    cases = TOGETHER[start : start + CHUNK]

    def parts():
        made = [golden_cases.make(case) for case in cases]
        inputs = [golden_cases.leaves((args, keywords)) for _, args, keywords in made]
        return made, inputs

    def run(made, tensors):
        given = iter(tensors)
        return [
            golden_cases.leaves(fn(*a, **k))
            for fn, (a, k) in ((fn, golden_cases.rebuild((args, keywords), given)) for fn, args, keywords in made)
        ]

    made, inputs = parts()
    eager = run(made, [x for part in inputs for x in part])
    again, inputs = parts()
    compiled = ms.jit(lambda *tensors: run(again, tensors))(*[x for part in inputs for x in part])
    for case, (one, *_), (two, *_), a, b in zip(cases, made, again, eager, compiled):
        state = [list(n.get_parameters()) if isinstance(n, nn.Cell) else [] for n in (one, two)]
        for x, y in [*zip(a, b, strict=True), *zip(*state, strict=True)]:
            assert x.dtype == y.dtype, case.id
            base = 3 * helpers.TOLERANCE.get(str(x.dtype), 0)
            np.testing.assert_allclose(
                golden_cases.as_numpy(y), golden_cases.as_numpy(x), rtol=base, atol=base, err_msg=case.id
            )
