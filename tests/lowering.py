"""Which operators and layers lower for GPU and TPU: each case of the goldens, forward and backward, in float32 and the device's half type.

    python tests/lowering.py PART OF FILE    # writes a line of JSON for each case of one part of them
    python tests/lowering.py --table FILES   # makes msjax/cli/lowering.json of the lines
    python tests/lowering.py --compile v5e PART OF FILE [COUNT]   # compiles them by the chip's own compiler (msjax[plan]), COUNT of them
    # where the compiler ends the process, the same command goes on behind that case
    python tests/lowering.py --counts FILES  # what was compiled, what was refused and why
    python tests/lowering.py --compiled FILES  # writes the rows of these lines into msjax/cli/compiled.json; other rows stay

A program is accepted if it asks no host, calls nothing that only the CPU has, has static shapes, and for TPU holds arrays of float64 only
if such went in or come out (numbers are constants that XLA folds). Values that decide on a shape may be constants.
"""

import importlib
import json
import pathlib
import re
import sys
import warnings

if __name__ == "__main__":
    import msjax

    msjax.install()

import golden_cases
import golden_files
import mindspore as ms

import msjax
from msjax.core.operators import record as registry

HALF = {"tpu": ms.bfloat16, "cuda": ms.float16}
TABLE = pathlib.Path(__file__).parents[1] / "msjax/cli/lowering.json"
COMPILED = TABLE.with_name("compiled.json")
_ONLY_CPU = re.compile(r'custom_call[^@"]*[@"]\w*(lapack|cpu|callback|ducc|xnn|onednn)\w*', re.IGNORECASE)


def tables():
    """(family, case) of all tables whose results are recorded."""
    here = pathlib.Path(__file__).parent
    names = [f"cases_ops.{family}" for family in golden_cases.table_names()]
    names += [p.stem for p in sorted(here.glob("cases_layers*.py"))]
    for name in names:
        golden = name.replace("cases_ops.", "ops_").removeprefix("cases_")
        kept = golden_files.read(golden)
        for case in golden_cases.table_of(importlib.import_module(name)):
            if case.id in kept and "error" not in kept[case.id] and case.options.get("jit", True):
                yield name, case


def chosen():
    """One case of each expression, with a gradient if there is one."""
    found = {}
    for _, case in tables():
        name = case.id.split("|")[0]
        if name not in found or not found[name].options.get("grad", True) and case.options.get("grad", True):
            found[name] = case
    return list(found.values())


def program(case, constants=False):
    """(function of Tensors that gives the outputs, and gradients of their sum; its inputs). constants: only float Tensors are inputs."""
    function, args, keywords = golden_cases.make(case)
    every = golden_cases.leaves((args, keywords))
    places = [i for i, t in enumerate(every) if not constants or golden_cases.is_float(t)]

    def call(*tensors):
        whole = list(every)
        for i, t in zip(places, tensors):
            whole[i] = t
        a, k = golden_cases.rebuild((args, keywords), iter(whole))
        return golden_cases.leaves(function(*a, **k))

    def summed(*tensors):
        outs = call(*tensors)
        return sum((ms.ops.sum(o.astype(ms.float32)) for o in outs if golden_cases.is_float(o)), ms.Tensor(0.0)), outs

    def run(*tensors):
        wanted = tuple(i for i, t in enumerate(tensors) if golden_cases.is_float(t))
        if not wanted or not case.options.get("grad", True):
            return call(*tensors)
        return ms.value_and_grad(summed, wanted, has_aux=True)(*tensors)

    return run, [every[i] for i in places]


def refused(run, tensors, platform):
    """Why the program is not one for the platform, or None."""
    try:
        text = msjax.lower(run, *tensors, platforms=platform)
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:200]
    found = _ONLY_CPU.search(text)
    if found:
        return f"calls {found.group(0).split('@')[-1]}"
    if "tensor<?" in text or "x?x" in text:
        return "has a shape that depends on values"
    inside = re.search(r"tensor<(\d+x)+(complex<)?f64>", re.sub(r"func.func public @main.*", "", text))
    around = re.search(r"func.func public @main.*f64>", text)
    if platform == "tpu" and inside and not around:
        return "computes in float64, which TPU has not"
    return None


def look(case):
    """{"case", "records": operators called, "tpu", "cuda": None or why not, and the same of half types, "half": whether it takes them}"""
    called, outermost = set(), registry.Record.__call__

    def noting(self, *args):
        called.add(self.name)
        return outermost(self, *args)

    found = {"case": case.id}
    registry.Record.__call__ = noting
    try:
        for platform, half in HALF.items():
            run, tensors = program(case)
            found[platform] = refused(run, tensors, platform)
            constants = found[platform] is not None
            if constants:
                run, tensors = program(case, constants)
                found[platform] = refused(run, tensors, platform)
            if found[platform] is None and any(t.dtype == ms.float32 for t in tensors):
                run, tensors = program(case, constants)
                tensors = [t.astype(half) if t.dtype == ms.float32 else t for t in tensors]
                why = refused(run, tensors, platform)
                if why is not None and refused(run, tensors, "cpu") is None:
                    found[f"{platform} half"] = why
                found["half"] = why is None
    except Exception as error:
        found["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    finally:
        registry.Record.__call__ = outermost
    return {**found, "records": sorted(called)}


def compiled(case, topology):
    """{"case", "single", "half": None, or why the compiler of a chip refuses forward and backward in float32, and in its half type}"""
    from msjax.planning.measure import measure

    found, half = {"case": case.id}, HALF[topology.platform]
    try:
        for constants in (False, True):
            run, tensors = program(case, constants)
            why = _compiles(measure, run, tensors, topology)
            if why is None:
                break
        found["single"] = why
        if why is None and any(t.dtype == ms.float32 for t in tensors):
            run, tensors = program(case, constants)
            tensors = [t.astype(half) if t.dtype == ms.float32 else t for t in tensors]
            found["half"] = _compiles(measure, run, tensors, topology)
    except Exception as error:
        found["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return found


def _compiles(measure, run, tensors, topology):
    try:
        measure(run, tensors, topology)
    except Exception as error:
        return said(f"{type(error).__name__}: {error}".splitlines()[0].partition(":     @")[0][:200])
    return None


def counts(lines):
    """Sentences on what was compiled: how many cases, and each reason of a refusal with its cases."""
    whole = [line for line in lines if "failed" not in line]
    reasons = {}
    for line in whole:
        for kind in ("single", "half"):
            if line.get(kind):
                reasons.setdefault((kind, line[kind]), []).append(line["case"])
    good = sum(not line["single"] and not line.get("half") for line in whole)
    yield f"{len(lines)} cases: {good} compiled, {len(whole) - good} refused, {len(lines) - len(whole)} failed before"
    for (kind, why), cases in sorted(reasons.items(), key=lambda kv: -len(kv[1])):
        yield f"{kind}: {why}: {', '.join(cases)}"


def named(expression):
    """What the matrix calls the thing that a case is of, and the name of its record if it has one."""
    found = re.match(r"(ops|mint|Tensor|mnp|nn|G|F)\.([\w.]*\w)", expression)
    if not found:
        return []
    place, name = found.groups()
    if place == "nn":
        return [f"nn.{name}"]
    name = f"nn.functional.{name}" if place == "F" else name.rsplit(".", 1)[-1] if place in ("ops", "G") else name
    tables = {
        "ops": (registry.functions, registry.primitives), "G": (registry.primitives,), "Tensor": (registry.tensor_methods,),
        "mint": (registry.mint_functions,), "F": (registry.mint_functions,), "mnp": (registry.numpy_functions,),
    }[place]  # fmt: skip
    return [t[name][0].name for t in tables if name in t]


def said(why):
    """A reason in words for the matrix."""
    if "cannot be compiled as one graph" in why:
        return "needs values: for a shape, or a Python number"
    if "the platform for the specified backend" in why:
        return "asks the host"
    if "translation rule for primitive" in why:
        return "XLA has it for CPU and GPU only"
    return why


def table(lines):
    """{record, or layer: {platform: why not}}, {} where it lowers for all; of what a case reached.

    A case that fails is put down to what it is of, since the operators that it calls are judged by their own cases, too.
    """
    good, bad = set(), {}
    for line in lines:
        own = named(line["case"].split("|")[0])
        why = {p: said(line[k]) for p in HALF for k in (f"{p} half", p) if line.get(k)}
        if "failed" in line:
            continue
        if why:
            bad.update({name: {**bad.get(name, {}), **why} for name in own})
        else:
            good.update([*line["records"], *own])
    return {name: bad.get(name, {}) for name in sorted({*good, *bad})}


def compiled_table(lines):
    """{record, or layer: why the chip's compiler refuses it, or null}, of what the cases are of; in bfloat16 of what takes it."""
    found = {}
    for line in lines:
        if "failed" not in line:
            half = line.get("half") or ""
            not_taken = half.startswith("TypeError") or "does not accept dtype" in half
            why = line["single"] or (None if not_taken or not half else f"in bfloat16: {half}")
            found.update({name: found.get(name) or why for name in named(line["case"].split("|")[0])})
    return dict(sorted(found.items()))


def _write(path, rows):
    path.write_text(
        "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(why)}" for name, why in rows.items()) + "\n}\n"
    )


def main(arguments):
    warnings.simplefilter("ignore")
    if arguments[0] in ("--table", "--compiled"):
        lines = [json.loads(line) for name in arguments[1:] for line in open(name)]
        if arguments[0] == "--table":
            _write(TABLE, table(lines))
        else:
            _write(COMPILED, dict(sorted({**json.loads(COMPILED.read_text()), **compiled_table(lines)}.items())))
        return
    if arguments[0] == "--counts":
        print("\n".join(counts([json.loads(line) for name in arguments[1:] for line in open(name)])))
        return
    one, limit = look, None
    if arguments[0] == "--compile":
        from msjax.planning.topology import Topology

        topology, arguments = Topology(arguments[1]), arguments[2:]
        limit = int(arguments[3]) if arguments[3:] else None

        def one(case):
            return compiled(case, topology)

    part, parts, out = int(arguments[0]), int(arguments[1]), pathlib.Path(arguments[2])
    done = {json.loads(line)["case"] for line in open(out)} if out.exists() else set()
    begun = out.with_suffix(".begun")  # the case at which a run before ended with its process
    with out.open("a") as file:
        if begun.exists() and (case := begun.read_text()) not in done:
            file.write(json.dumps({"case": case, "single": "its compiler ends the process"}) + "\n")
            file.flush()
            done.add(case)
        left = [case for case in chosen()[part::parts] if case.id not in done]
        for case in left[:limit]:
            begun.write_text(case.id)
            file.write(json.dumps(one(case)) + "\n")
            file.flush()
    begun.unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1:])
