"""Record reading and writing with every form of index: indexing.jsonl."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_indexing import GETS, MASKED, REFUSED, SETS, read, write, write_masked

set_mode(False)
data = {"get": {}, "set": {}}
for case in GETS:
    data["get"][" | ".join(case)] = read(*case)
    settle()
for case in SETS:
    data["set"][" | ".join(case)] = write(*case)
    settle()
data["refused"] = {index: read(shape, index)[0] for shape, index in REFUSED}
data["masked"] = {" | ".join(case): write_masked(*case) for case in MASKED}
golden_files.write("indexing", data, groups=1)
