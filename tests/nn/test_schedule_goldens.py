"""Learning-rate lists, schedule Cells and experimental schedulers at every step."""

import cases_schedules
import golden_files
import numpy as np
import pytest

GOLDEN = golden_files.read("schedules")["values"]


@pytest.mark.parametrize("expression", GOLDEN)
def test_schedule(expression):
    want, found = GOLDEN[expression], cases_schedules.attempt(expression)
    if isinstance(want[0], str):
        assert found[0] == want[0], f"{found}, MindSpore {want}"
    else:
        np.testing.assert_allclose(found, want, rtol=2e-6, atol=1e-9)
