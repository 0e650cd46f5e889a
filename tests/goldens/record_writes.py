"""Record what MindSpore makes of values that do not fit where they are written: writes.jsonl."""

from oracle import settle

# isort: split
import golden_files
from cases_writes import DTYPES, SITES, VALUES, outcome

found = {}
for site in SITES:
    for dtype in DTYPES:
        row = found.setdefault(site, {})[dtype] = []
        for value in VALUES:
            row.append(outcome(site, dtype, value))
            settle()
golden_files.write("writes", found, groups=1)
