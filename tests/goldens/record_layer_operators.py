"""Record which operators MindSpore's layers keep as attributes: run with the Python that has MindSpore.

layer_operators.jsonl keeps the constructors: to add a layer, add the line ["its constructor", ""] there, and run this.
"""

import pathlib
import sys

from mindspore import nn, ops

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import golden_files  # noqa: E402


def operators(layer):
    """attribute=Primitive of each operator that a layer keeps."""
    kinds = (ops.Primitive, ops.GradOperation, ops.HyperMap, ops.Map)
    kept = {name: value for name, value in vars(layer).items() if isinstance(value, kinds)}
    return " ".join(f"{name}={getattr(value, 'name', type(value).__name__)}" for name, value in kept.items())


def main():
    recorded = {c: operators(eval(f"nn.{c}", {"nn": nn})) for c in golden_files.read("layer_operators")}
    golden_files.write("layer_operators", recorded)


if __name__ == "__main__":
    main()
