"""Random programs give the same results compiled as they give eagerly."""

import importlib.util
import warnings

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor
from random_programs import program

INPUTS = [(1.5, -0.5, 2), (-2.0, 3.0, 0), (4.0, 4.25, 3), (-1.0, -3.0, 1)]


def numbers(value):
    if isinstance(value, (tuple, list)):
        return [n for v in value for n in numbers(v)]
    return [float(value)]


def check(seed, folder):
    """Reason why the program fell back to eager execution, or None."""
    path = folder / f"program_{seed}.py"
    path.write_text(program(seed))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    p = Parameter(Tensor(np.float32(0)), name="p")
    compiled = ms.jit(lambda a, b, m: module.main(a, b, m, p))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for a, b, m in INPUTS:
            results = []
            for run in (lambda *args: module.main(*args, p), compiled):
                p.set_data(Tensor(np.float32(0.5)))
                out = run(Tensor(np.float32(a)), Tensor(np.float32(b)), Tensor(np.int32(m)))
                results.append(numbers([*out, p]))
            np.testing.assert_allclose(results[1], results[0], rtol=1e-4, atol=1e-4, err_msg=f"{path} for {(a, b, m)}")
    return next((str(w.message) for w in caught if w.category is RuntimeWarning), None)


@pytest.mark.parametrize("seed", range(8))
def test_compiled_is_eager(seed, tmp_path):
    reason = check(seed, tmp_path)
    assert reason is None or "runs eagerly" in reason
