"""Record which names MindSpore's generated operator code has, and which Primitive each function object there is an instance of.

    python tests/goldens/record_generated_names.py     (with the Python that has MindSpore)

It reads the sources and imports nothing.
"""

import ast
import gzip
import importlib.util
import json
import pathlib

PLACE = pathlib.Path(__file__).parents[2] / "msjax" / "unsupported" / "generated_names.json.gz"
FILES = (
    "auto_generate/gen_ops_prim",
    "auto_generate/gen_ops_def",
    "auto_generate/gen_extend_func",
    "auto_generate/pyboost_inner_prim",
    "operations/manually_defined/ops_def",
)


def main():
    ops = pathlib.Path(importlib.util.find_spec("mindspore").origin).parent / "ops"
    classes, functions, objects = {}, set(), {}
    for path in FILES:
        for node in ast.parse((ops / f"{path}.py").read_text()).body:
            if isinstance(node, ast.ClassDef):
                init = next((n.args for n in node.body if getattr(n, "name", "") == "__init__"), None)
                classes[node.name] = ast.unparse(init).partition(", ")[2] if init else ""
            elif isinstance(node, ast.FunctionDef):
                functions.add(node.name)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                kind = getattr(node.value.func, "id", "_")
                for target in node.targets:
                    objects[target.id] = kind.removeprefix("_Pyboost").removesuffix("Prim" if kind[0] == "_" else "")
    hidden = ("_", "infer_value_for")
    found = {
        "classes": {name: init for name, init in sorted(classes.items()) if not name.startswith(hidden)},
        "functions": sorted(name for name in functions if not name.startswith(hidden)),
        "objects": {name: kind for name, kind in sorted(objects.items()) if not name.startswith(hidden)},
    }
    PLACE.write_bytes(gzip.compress(json.dumps(found, separators=(",", ":")).encode(), 9, mtime=0))
    print({kind: len(names) for kind, names in found.items()})


if __name__ == "__main__":
    main()
