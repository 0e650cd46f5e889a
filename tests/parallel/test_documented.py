"""Documented examples of communication for up to four processes print what is documented.

The texts come from an installed MindSpore, which MSJAX_MINDSPORE names (the folder `mindspore` in its site-packages).
"""

import ast
import doctest
import json
import os
import pathlib
import re

import pytest
from test_processes import PROGRAMS, start

FILES = (
    "mint/distributed/distributed.py",
    "communication/comm_func.py",
    "ops/operations/comm_ops.py",
    "communication/management.py",
)
WHERE = os.environ.get("MSJAX_MINDSPORE")
TOKEN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\w+", re.IGNORECASE)
HEADER = re.compile(r"^\s*(?:#\s*)?(?:Process with )?rank[ _:]*(\d)\s*:?", re.IGNORECASE | re.MULTILINE)
LEFT_OUT = {
    "init_process_group": "prints nothing",
    "destroy_process_group": "ends the run",
    "release": "ends the run",
    "_comm_switch_nic": "moves a network card",
    "get_comm_name": "shows an address of Ascend's network",
    "NeighborExchange": "two processes send each other another shape than they expect",
    **dict.fromkeys(
        "get_local_rank get_group_size get_local_rank_size get_world_rank_from_group_rank get_group_rank_from_world_rank "
        "create_group destroy_group".split(),
        "is for eight processes",
    ),
}
# What is documented contradicts the text above it.
WRONG = {
    "distributed.scatter_tensor": "mint.distributed has no scatter_tensor",
    "distributed.gather_into_tensor": "mint.distributed has no gather_into_tensor",
    "distributed.gather": "the list of rank 0 is there twice",
    "distributed.reduce": "four processes add up to 2",
    "comm_ops.CollectiveGather": "four processes give four rows",
    "distributed.TCPStore": "each process is the master of one port",
}


def examples():
    """{number of processes: {name: (source, documented output)}}"""
    found = {2: {}, 4: {}}
    for file in FILES if WHERE else ():
        for node in ast.parse((pathlib.Path(WHERE) / file).read_text()).body:
            text = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) or ""
            parts = doctest.DocTestParser().get_examples(text)
            if not parts or node.name in LEFT_OUT or f"{pathlib.Path(file).stem}.{node.name}" in WRONG:
                continue
            told = re.search(r"(\d+) (?:devices|processes|cards)", text)
            count = int(told[1]) if told else 2
            if count in found:
                wanted = "".join(part.want for part in parts)
                found[count][f"{pathlib.Path(file).stem}.{node.name}"] = "".join(part.source for part in parts), wanted
    return found


def tokens(text):
    """Numbers as numbers, words as they are."""
    made = []
    for token in TOKEN.findall(text):
        try:
            made.append(round(float(token), 4))
        except ValueError:
            made.append(token)
    return made


def matches(said, wanted):
    """Whether what the processes printed is what is documented, for each, for one of them, or for all in turn."""
    parts = HEADER.split(re.sub(r"Other pro\w*sses:", "rank 0:", wanted))
    if len(parts) > 2:
        return all(tokens(text) == tokens(said[int(rank)]) for rank, text in zip(parts[1::2], parts[2::2]))
    every = [tokens(text) for text in said]
    return tokens(wanted) in every or tokens(wanted) == [token for one in every for token in one]


@pytest.mark.skipif(not WHERE, reason="minutes, and needs MindSpore's texts: set MSJAX_MINDSPORE")
@pytest.mark.parametrize("count", (2, 4))
def test_examples_print_what_is_documented(tmp_path, count):
    chosen = examples()[count]
    (tmp_path / "examples.json").write_text(json.dumps({name: source for name, (source, _) in chosen.items()}))
    words = ["run", f"--worker-num={count}", "--join", "--master-port=0", f"--log-dir={tmp_path}"]
    code, said = start(
        *words, PROGRAMS / "documented.py", tmp_path / "examples.json", tmp_path, MSJAX_COLLECTIVE_TIMEOUT="60"
    )
    files = [tmp_path / f"{rank}.json" for rank in range(count)]
    results = [json.loads(file.read_text()) if file.exists() else {} for file in files]
    wrong = []
    for name, (_, wanted) in chosen.items():
        ran = [result.get(name, ["", "did not run"]) for result in results]
        errors = [error.strip().splitlines()[-1] for _, error in ran if error]
        if errors or wanted and not matches([text for text, _ in ran], wanted):
            wrong.append((name, errors[:1] or [text for text, _ in ran], wanted))
    assert not wrong and code == 0, "\n".join(map(str, [f"{len(wrong)} of {len(chosen)}", *wrong, said[-800:]]))
