"""Record tests/goldens/numpy.jsonl from MindSpore: what each expression of cases_numpy gives, or that it raises.

<python with mindspore> tests/goldens/record_numpy.py
"""

import contextlib
import io
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
warnings.filterwarnings("ignore")
import golden_files  # noqa: E402
import mindspore  # noqa: E402
import mindspore.numpy as np  # noqa: E402
import numpy  # noqa: E402
from cases_numpy import EXPRESSIONS, namespace, shown  # noqa: E402

scope, found = namespace(mindspore.Tensor, mindspore, np, numpy), {}
for expression in EXPRESSIONS:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            found[expression] = shown(eval(expression, dict(scope)), numpy)
        except Exception as error:  # which error tells little: it is mostly a kernel that this build lacks
            found[expression] = f"!{type(error).__name__}"
golden_files.write("numpy", found)
