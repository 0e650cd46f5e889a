"""Prints as JSON what MindSpore reads from checkpoint files: one line for each argument.

read_checkpoint.py FILE[,KEY,MODE | ,crc] ...
A line is name -> [type, shape, values], or name -> string.
"""

import json
import sys

from oracle import as_numpy, ms


def described(value):
    """A Parameter as [type, shape, values]."""
    if isinstance(value, str):
        return value
    return [str(value.dtype), list(value.shape), as_numpy(value).astype(float).ravel().tolist()]


for argument in sys.argv[1:]:
    path, *options = argument.split(",")
    arguments = {"crc_check": True} if options == ["crc"] else {}
    if len(options) == 2:
        arguments = {"dec_key": options[0].encode(), "dec_mode": options[1]}
    if path.endswith(".safetensors"):
        arguments["format"] = "safetensors"
    read = ms.load_checkpoint(path, **arguments)
    print("READ " + json.dumps({name: described(value) for name, value in read.items()}))
