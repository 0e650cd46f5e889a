"""Layers and losses of cases_layers.py: values, gradients, statistics against MindSpore, in both modes."""
import cases_layers
import golden_cases
import helpers
import pytest

CASES = golden_cases.table_of(cases_layers)


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_layer(case, mode):
    record = helpers.golden_cases_of("layers").get(case.id)
    if record is None:
        pytest.skip("a name that MindSpore 2.10 no longer has: nothing recorded")
    helpers.check_case(case, record)
