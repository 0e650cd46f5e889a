"""Record tests/goldens/vision.jsonl: `python tests/goldens/record_vision.py` where MindSpore 2.10 (CPU) is installed."""

import enum
import inspect
import pathlib
import sys

import numpy as np
from vision_cases import CASES, fetch, make_inputs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import golden_files  # noqa: E402


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

    names, inputs, outputs, errors = {**vars(vision), "np": np}, make_inputs(), {}, {}
    for expression, whichs in CASES.items():
        for which in whichs:
            out, error = run(names, inputs, expression, which)
            if error:
                errors[f"{which}|{expression}"] = error
            else:
                outputs[f"{which}|{expression}"] = out
    found = {"inputs": inputs, "outputs": outputs, "errors": errors, "signatures": signatures(vision)}
    golden_files.write("vision", found, groups=1)


if __name__ == "__main__":
    main()
