"""Record Parameter names, their order, prefixes, optimizer state names: names.json."""

from oracle import set_mode, write_json

# isort: split
from cases_names import collect

set_mode(False)
write_json("names.json", collect())
