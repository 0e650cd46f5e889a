"""Record which names MindSpore's generated operator code has, and which Primitive each function object there is an instance of;
and which functions and classes each of its modules defines.

    python tests/goldens/record_generated_names.py     (with the Python that has MindSpore)

It reads the sources; of MindSpore's modules only the C++ core, which has no source, is imported.
"""

import ast
import gzip
import importlib.util
import inspect
import json
import pathlib

PLACE = pathlib.Path(__file__).parents[2] / "msjax" / "unsupported"
FILES = (
    "auto_generate/gen_ops_prim",
    "auto_generate/gen_ops_def",
    "auto_generate/gen_extend_func",
    "auto_generate/pyboost_inner_prim",
    "operations/manually_defined/ops_def",
)


# Compilers and kernels of Ascend, tools of MindSpore's own build.
LEFT_OUT = ("_akg", "_extends", "_op_impl", "include", "lib", "offline_debug", "run_check", "auto_generate")


def main():
    package = pathlib.Path(importlib.util.find_spec("mindspore").origin).parent
    record_generated(package / "ops")
    record_inner(package)


def record_inner(package):
    """{module: {"classes": "A B", "functions": "c d"}} of all modules."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        if any(part in LEFT_OUT for part in parts):
            continue
        body = ast.parse(file.read_text()).body
        names = {
            kind: " ".join(sorted({n.name for n in body if isinstance(n, node) and not n.name.startswith("__")}))
            for kind, node in (("classes", ast.ClassDef), ("functions", ast.FunctionDef))
        }
        if any(names.values()):
            found[".".join(parts).removesuffix(".__init__")] = names
    found["mindspore._c_expression"] = defined_by(importlib.import_module("mindspore._c_expression"))
    write("inner_names.json.gz", found)
    print(len(found), "modules")


def defined_by(core):
    """The same of the C++ core."""
    public = {name: value for name, value in vars(core).items() if not name.startswith("__")}
    classes = {name for name, value in public.items() if isinstance(value, type)}
    functions = {name for name, value in public.items() if inspect.isbuiltin(value)}
    return {"classes": " ".join(sorted(classes)), "functions": " ".join(sorted(functions))}


def write(name, found):
    (PLACE / name).write_bytes(gzip.compress(json.dumps(found, separators=(",", ":")).encode(), 9, mtime=0))


def parameters(arguments):
    """[[name], [name, default], ...]; a dtype as {"dtype": name}."""
    first = len(arguments.args) - len(arguments.defaults)
    defaults = [
        [{"dtype": d.attr} if isinstance(d, ast.Attribute) else ast.literal_eval(d)] for d in arguments.defaults
    ]
    return [[p.arg, *(defaults[i - first] if i >= first else [])] for i, p in enumerate(arguments.args)]


def record_generated(ops):
    classes, functions, objects = {}, set(), {}
    for path in FILES:
        for node in ast.parse((ops / f"{path}.py").read_text()).body:
            if isinstance(node, ast.ClassDef):
                init = next((n.args for n in node.body if getattr(n, "name", "") == "__init__"), None)
                classes[node.name] = parameters(init)[1:] if init else []
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
    write("generated_names.json.gz", found)
    print({kind: len(names) for kind, names in found.items()})


if __name__ == "__main__":
    main()
