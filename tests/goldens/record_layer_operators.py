"""Record which operators MindSpore's layers keep as attributes: run with the Python that has MindSpore.

The file beside this one keeps the constructors: to add a layer, add its constructor there with an empty text, and run this.
"""

import json
import pathlib

from mindspore import nn, ops

PATH = pathlib.Path(__file__).with_name("layer_operators.json")


def operators(layer):
    """attribute=Primitive of each operator that a layer keeps."""
    kinds = (ops.Primitive, ops.GradOperation, ops.HyperMap, ops.Map)
    kept = {name: value for name, value in vars(layer).items() if isinstance(value, kinds)}
    return " ".join(f"{name}={getattr(value, 'name', type(value).__name__)}" for name, value in kept.items())


def main():
    recorded = {c: operators(eval(f"nn.{c}", {"nn": nn})) for c in json.loads(PATH.read_text())}
    PATH.write_text(json.dumps(recorded, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
