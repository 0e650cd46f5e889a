"""A seeded sample of the fuzzers, with MindSpore's answers recorded by drive.py (see README.md)."""

import json

import datasets
import drive
import dtypes
import golden_files
import indexing
import kinds
import operators
import optimizers
import plain
import programs
import pytest
import wrong

SAMPLES = [
    (module, json.loads(case), answer)
    for module in (indexing, operators, programs, optimizers, datasets, wrong, dtypes, kinds, plain)
    for case, answer in golden_files.lines(f"fuzz_{module.__name__}")
]


@pytest.mark.parametrize(
    "module, case, answer", SAMPLES, ids=[f"{m.__name__}-{i}" for i, (m, _, _) in enumerate(SAMPLES)]
)
def test_sample(module, case, answer):
    found = module.run(case)
    assert module.judge(case, answer, found, drive.same) in module.ALLOWED, f"{case}: {found}, MindSpore {answer}"
