"""The matrix says *compiled* of just those names whose own cases the chip's compiler took, and why of those that it refused."""

import lowering

from msjax.cli import matrix


def test_lines_become_the_table_of_what_they_are_of():
    lines = [
        {"case": "ops.abs(x)|3", "single": None, "half": None},
        {"case": "ops.abs(x)|4", "single": None, "half": "no such type"},
        {"case": "nn.Dense(2, 3)|2", "single": None},
        {"case": "ops.relu(x)|2", "failed": "before it was compiled"},
    ]
    lines += [{"case": "ops.polar(x)|2", "single": None, "half": "TypeError: complex does not accept dtype bfloat16"}]
    assert lowering.compiled_table(lines) == {"abs": "in bfloat16: no such type", "nn.Dense": None, "polar": None}


def test_the_column_tells_what_was_compiled():
    lowered = {"abs": {}, "cos": {}, "eig": {"tpu": "CPU only"}}
    compiled = {"abs": None, "cos": "no such type"}
    assert [matrix._devices(lowered, compiled, name) for name in ("abs", "cos", "eig", "sin")] == [
        "GPU; TPU compiled",
        "GPU; TPU: its compiler refuses: no such type",
        "GPU; TPU: CPU only",
        "",
    ]
