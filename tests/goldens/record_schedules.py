"""Record all learning-rate schedules: schedules.json."""

from oracle import set_mode, settle, write_json

# isort: split
from cases_schedules import CELLS, LISTS, SCHEDULERS, attempt

set_mode(False)
found = {}
for expression in (*LISTS, *CELLS, *SCHEDULERS):
    found[expression] = attempt(expression)
    if found[expression] and isinstance(found[expression][0], str):
        print("  ", expression, found[expression])
        settle()
write_json("schedules.json", {"values": found})
