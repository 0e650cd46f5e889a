"""Every case of cases_ops/ against what MindSpore gave, eagerly with gradients and compiled."""

import importlib

import differences
import golden_cases
import golden_files
import helpers
import mindspore as ms
import pytest
from needs_values import NEEDS_VALUES

FAMILIES = golden_cases.table_names()
CASES = [
    (family, case)
    for family in FAMILIES
    for case in golden_cases.table_of(importlib.import_module(f"cases_ops.{family}"))
]
CHUNK = 20  # one compilation for so many cases: compiling each alone would take most of the suite's time


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_is_recorded(family):
    missing = [c.id for f, c in CASES if f == family and c.id not in golden_files.read(f"ops_{family}")]
    assert not missing, "run tests/goldens/record_cases.py"


@pytest.mark.parametrize("family, case", CASES, ids=[f"{f}:{c.id}" for f, c in CASES])
def test_golden(family, case):
    helpers.check_case(case, golden_files.read(f"ops_{family}")[case.id])


def compilable(family, case):
    record = golden_files.read(f"ops_{family}").get(case.id)
    intended = f"tests/ops/test_goldens.py::test_golden[{family}:{case.id}]" in differences.INTENDED
    wanted = case.options.get("jit", True) and not case.options.get("random") and not intended
    return wanted and record is not None and "out" in record and not {case.id, case.id.split("|")[0]} & NEEDS_VALUES


CHUNKS = {
    f"{family}-{i // CHUNK}": cases[i : i + CHUNK]
    for family in FAMILIES
    for cases in [[c for f, c in CASES if f == family and compilable(f, c)]]
    for i in range(0, len(cases), CHUNK)
}


def recorded(value):
    """The (dtype, array) pairs of a record, in order."""
    if isinstance(value, tuple):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value if isinstance(value, list) else value.values():
            yield from recorded(part)


def flat(cases):
    """[(function of the input Tensors, inputs)] of the cases."""
    for case in cases:
        function, args, keywords = golden_cases.make(case)

        def call(*tensors, function=function, args=args, keywords=keywords):
            a, k = golden_cases.rebuild((args, keywords), iter(tensors))
            return golden_cases.leaves(function(*a, **k))

        yield call, golden_cases.leaves((args, keywords))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_compiled(chunk):
    parts = list(flat(CHUNKS[chunk]))
    counts = [len(inputs) for _, inputs in parts]

    @ms.jit
    def together(*tensors):
        found, at = [], 0
        for (call, _), count in zip(parts, counts):
            found.append(call(*tensors[at : at + count]))
            at += count
        return found

    compiled = together(*[x for _, inputs in parts for x in inputs])
    for case, found in zip(CHUNKS[chunk], compiled):
        expected = list(recorded(golden_files.read(f"ops_{chunk.split('-')[0]}")[case.id]["out"]))
        assert len(found) == len(expected), case.id
        for tensor, (dtype, array) in zip(found, expected):
            assert str(tensor.dtype) == dtype, case.id
            rtol = case.options.get("rtol", 2e-4)
            atol = case.options.get("atol", 2e-5)
            helpers.assert_array(golden_cases.as_numpy(tensor), array, dtype, rtol, atol, case.id)


VALUES = {
    key: c for _, c in CASES for key in (c.id, c.id.split("|")[0]) if key in NEEDS_VALUES and "raises" not in c.options
}


@pytest.mark.parametrize("name", sorted(NEEDS_VALUES))
def test_needs_values(name):
    ((call, inputs),) = flat([VALUES[name]])
    with pytest.warns(RuntimeWarning, match="runs eagerly for this signature"):
        ms.jit(lambda *tensors: call(*tensors))(*inputs)
