"""Fifty training steps of whole nets: the loss falls as MindSpore's does."""

import cases_training
import golden_files
import numpy as np
import pytest


@pytest.mark.parametrize("name", cases_training.NETS)
def test_losses(name, mode):
    expected = golden_files.read("training")["losses"][name]
    np.testing.assert_allclose(cases_training.losses(name), expected, rtol=1e-5, atol=1e-6)
