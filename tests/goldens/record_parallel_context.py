"""Records the settings that MindSpore has after the calls of cases_parallel_context.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_parallel_context.py
"""

import oracle  # noqa: F401 - checks that this is MindSpore itself

# isort: split
import cases_parallel_context
import golden_files
from mindspore import context
from mindspore.parallel._auto_parallel_context import auto_parallel_context

if __name__ == "__main__":
    found = cases_parallel_context.answers(context, auto_parallel_context())
    golden_files.write("parallel_context", found)
