"""Record what MindSpore makes of values that do not fit where they are written: writes.json."""

from oracle import settle, write_json

# isort: split
from cases_writes import DTYPES, SITES, VALUES, outcome

found = {}
for site in SITES:
    for dtype in DTYPES:
        row = found.setdefault(site, {})[dtype] = []
        for value in VALUES:
            row.append(outcome(site, dtype, value))
            settle()
write_json("writes.json", found)
