"""Record tests/goldens/vision.npz: `python tests/goldens/record_vision.py` where MindSpore 2.10 (CPU) is installed."""

import enum
import inspect
import json
import pathlib

import numpy as np
from vision_cases import CASES, fetch, make_inputs


def run(names, inputs, expression, which):
    """Return the outputs of one case as a list of arrays, or its error as [type, message]."""
    try:
        out = eval(expression, dict(names))(*fetch(inputs, which))
    except Exception as error:
        return None, [type(error).__name__, str(error).split("\n")[0][:300]]
    return [np.asarray(o) for o in (out if isinstance(out, tuple) else (out,))], None


def signatures(vision):
    """Return the parameters of every public operation and function."""
    public = {name: value for name, value in vars(vision).items() if name[0].isalpha() and callable(value)}
    kinds = {name: value for name, value in public.items() if not issubclass(type(value), enum.EnumMeta)}
    return {name: str(inspect.signature(value)) for name, value in kinds.items() if name != "not_random"}


def main():
    import mindspore.dataset.vision as vision

    names, inputs, arrays, errors = {**vars(vision), "np": np}, make_inputs(), {}, {}
    for expression, whichs in CASES.items():
        for which in whichs:
            out, error = run(names, inputs, expression, which)
            if error:
                errors[f"{which}|{expression}"] = error
            else:
                arrays.update({f"{which}|{expression}|{i}": o for i, o in enumerate(out)})
    arrays.update({f"input|{name}": value for name, value in inputs.items()})
    arrays["errors"] = np.array(json.dumps(errors))
    arrays["signatures"] = np.array(json.dumps(signatures(vision)))
    path = pathlib.Path(__file__).with_name("vision.npz")
    np.savez_compressed(path, **arrays)
    print(f"{len(arrays)} arrays, {len(errors)} errors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
