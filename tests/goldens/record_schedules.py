"""Record all learning-rate schedules: schedules.jsonl."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_schedules import CELLS, LISTS, SCHEDULERS, attempt

set_mode(False)
found = {}
for expression in (*LISTS, *CELLS, *SCHEDULERS):
    found[expression] = attempt(expression)
    if found[expression] and isinstance(found[expression][0], str):
        print("  ", expression, found[expression])
        settle()
golden_files.write("schedules", {"values": found}, groups=1)
