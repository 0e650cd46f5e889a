"""Record tests/goldens/numpy.json from MindSpore: what each expression of cases_numpy gives, or that it raises.

<python with mindspore> tests/goldens/record_numpy.py
"""

import contextlib
import io
import json
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
warnings.filterwarnings("ignore")
import mindspore  # noqa: E402
import mindspore.numpy as np  # noqa: E402
import numpy  # noqa: E402
from cases_numpy import EXPRESSIONS, namespace, shown  # noqa: E402

scope, lines = namespace(mindspore.Tensor, mindspore, np, numpy), []
for expression in EXPRESSIONS:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            lines.append([expression, shown(eval(expression, dict(scope)), numpy)])
        except Exception as error:  # which error tells little: it is mostly a kernel that this build lacks
            lines.append([expression, f"!{type(error).__name__}"])
pathlib.Path(__file__).with_name("numpy.json").write_text(
    "[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n"
)
