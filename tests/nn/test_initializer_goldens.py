"""Initializers against MindSpore: values, and the distribution of those that draw."""

import cases_initializers
import golden_cases
import golden_files
import helpers
import mindspore as ms
import pytest

CASES = golden_cases.table_of(cases_initializers)


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_initializer(case):
    ms.set_seed(1)
    helpers.check_case(case, golden_files.read("initializers")[case.id])
