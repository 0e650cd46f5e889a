"""Initializers against MindSpore: values, and the distribution of those that draw."""

import cases_initializers
import golden_cases
import golden_files
import helpers
import mindspore as ms
import numpy as np
import pytest
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.common.seed import _get_graph_seed

CASES = golden_cases.table_of(cases_initializers)


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_initializer(case):
    ms.set_seed(1)
    helpers.check_case(case, golden_files.read("initializers")[case.id])


@pytest.mark.parametrize(("low", "high"), [(6.0, 7.0), (-7.0, -6.0), (60.0, 61.0), (-1.0, 0.5)])
def test_truncated_normal_stays_inside(low, high):
    drawn = initializer(TruncatedNormal(1.0, 0.0, low, high), (1000,)).init_data().asnumpy()
    assert low <= drawn.min() and drawn.max() <= high
    assert np.unique(drawn).size > 900 or low == 60  # so far out the distribution function has no digits


@pytest.mark.parametrize("seed, error", [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_own_seeds_of_kernels_are_ints_from_0_on(seed, error):
    ms.set_seed(1)
    with pytest.raises(error, match="seed"):
        _get_graph_seed(seed, "dropout")
