"""Records the settings that MindSpore has after the calls of cases_parallel_context.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_parallel_context.py
"""

import json

import cases_parallel_context
from mindspore import context
from mindspore.parallel._auto_parallel_context import auto_parallel_context
from oracle import HERE

if __name__ == "__main__":
    found = cases_parallel_context.answers(context, auto_parallel_context())
    (HERE / "parallel_context.json").write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n")
