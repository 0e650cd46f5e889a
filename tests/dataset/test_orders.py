"""Rows come in MindSpore's order: of files that are shuffled with a seed, of samplers that users write, and from a later step on."""

import golden_files
import pytest
from dataset_orders_cases import CASES

import msjax.dataset as ds

RECORDED = golden_files.read("dataset_orders")


@pytest.fixture(autouse=True)
def _seed():
    """The settings as before."""
    before = ds.config.get_seed()
    yield
    ds.config.set_seed(before)


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    assert CASES[name]() == RECORDED[name]
