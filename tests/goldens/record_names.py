"""Record Parameter names, their order, prefixes, optimizer state names: names.jsonl."""

from oracle import set_mode

# isort: split
import golden_files
from cases_names import collect

set_mode(False)
golden_files.write("names", collect(), groups=1)
