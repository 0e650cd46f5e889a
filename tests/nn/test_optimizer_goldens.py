"""Trajectories of all optimizers over 25 steps: against MindSpore, or the formula where it has no kernel."""
import cases_optim
import helpers
import numpy as np
import pytest


@pytest.mark.parametrize("expression", cases_optim.EXPRESSIONS)
def test_trajectory(expression, mode):
    record = helpers.golden_cases_of("optim")[expression]
    found = cases_optim.trajectory(expression)
    if "found" in record:
        expected = {key: array for key, (_, array) in record["found"].items()}
        assert found.keys() == expected.keys()
    elif expression in cases_optim.REFERENCES:
        expected = cases_optim.REFERENCES[expression]()
    else:  # no kernel in MindSpore's CPU build and no formula here: that it runs and stays finite
        expected = {}
        assert all(np.isfinite(x).all() for x in found.values())
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=2e-5, atol=2e-6, err_msg=key)
