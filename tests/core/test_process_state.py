"""What a module of the engine keeps and changes is in `core/process.py`, in the state of the thread, or is a table with a reason here."""

import ast
import pathlib

import msjax

CORE = pathlib.Path(msjax.__file__).parent / "core"
_MADE_EMPTY = {
    *("dict", "set", "list", "deque", "Counter", "OrderedDict", "defaultdict", "count", "local", "ContextVar"),
    *("WeakSet", "WeakValueDictionary", "WeakKeyDictionary", "ByIdentity", "Lock", "RLock"),
}

# Filled while modules are imported, and only read afterwards.
REGISTERS = {
    "operators/faces.py": {"old_forms", "old_attributes", "foreign_operands"},
    "operators/own_calls.py": {"KINDS"},
    "operators/record.py": {
        *("records", "functions", "primitives", "tensor_methods", "mint_functions", "numpy_functions")
    },
    "program/primitives.py": {"_MEANINGS"},
    "trace/control_flow/conversion.py": {"_opted_in"},
    "values/initializer.py": {"_BY_NAME"},
}
# What is found once holds for every thread: classes, source text, code objects, programs.
CACHES = {
    "operators/forward.py": {"ARRAYS"},
    "trace/control_flow/conversion.py": {"_converted", "_rewritten", "_unseen"},
    "trace/control_flow/errors.py": {"_unset"},
    "trace/control_flow/source.py": {"_index_of_file"},
    "values/promote.py": {"_memo"},
}
# Who is alive and must be asked, whichever thread made it: entries go with their objects.
ALIVE = {
    "operators/eager_jit.py": {"_all_ready"},
    "operators/own_seeds.py": {"keepers"},
    "operators/views.py": {"_seen"},
    "trace/ahead.py": {"_left"},
    "trace/compile.py": {"_instances"},
    "values/ownership.py": {"_holders"},
}
# JAX and the operating system have one of each: devices, a profiler, exceptions of callbacks.
OF_THE_SYSTEM = {
    "errors.py": {"_raised_on_host"},
    "operators/eager_jit.py": {"_at_once"},
    "settings/context.py": {"_noticed", "_offload"},
    "settings/device.py": {"_used"},
    "settings/parallel_context.py": {"_values", "_fusions"},
}
# Turns of threads; numbers that are handed out once; the one variable of a thread's state.
TURNS = {
    "operators/eager_jit.py": {"_turns"},
    "operators/own_seeds.py": {"_numbers"},
    "settings/execution_state.py": {"_current"},
    "settings/seed.py": {"_lock"},
    "syntax.py": {"_lock"},
    "trace/stacking.py": {"_changing"},
    "values/ownership.py": {"_turns"},
}


def _is_changed(value):
    """Whether what a module assigns is there to be changed: an empty container, a counter, a lock."""
    if isinstance(value, ast.Call):
        function = value.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
        return name in _MADE_EMPTY and (not value.args or name not in ("dict", "set", "list"))
    return isinstance(value, ast.Dict) and not value.keys or isinstance(value, ast.List) and not value.elts


def _kept(path):
    """Names of what a module keeps."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = (
                node.value.elts if isinstance(node.value, ast.Tuple) and len(names) > 1 else [node.value] * len(names)
            )
            for name, value in zip(names, values):
                if isinstance(name, ast.Name) and not name.id.startswith("__") and _is_changed(value):
                    found.add(name.id)
    return found


def test_each_table_of_the_engine_has_a_reason():
    found = {path.relative_to(CORE).as_posix(): _kept(path) for path in CORE.rglob("*.py")}
    listed = {}
    for table in (REGISTERS, CACHES, ALIVE, OF_THE_SYSTEM, TURNS):
        for file, names in table.items():
            listed.setdefault(file, set()).update(names)
    assert {file: names for file, names in found.items() if names} == listed


def test_no_function_of_the_engine_rebinds_a_variable_of_its_module():
    files = [
        p
        for p in CORE.rglob("*.py")
        if any(isinstance(n, ast.Global) for n in ast.walk(ast.parse(p.read_text(encoding="utf-8"))))
    ]
    assert files == []
