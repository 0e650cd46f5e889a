"""Analysis of a trace: the time of each operator under MindSpore's name, the timeline with these names, and a flame
picture.

XLA's events name instructions of compiled programs; the programs, which lie in the trace too, say what each instruction was made from:
`jit(TrainOneStepCell)/transpose(jvp(network-WithLossCell))/_backbone-Net/conv1-Conv2d/Conv2D/conv_general_dilated`. In MindSpore's words
that is `Gradients/Default/network-WithLossCell/_backbone-Net/conv1-Conv2d/Grad_Conv2D/Conv2DGrad`.
"""

import collections
import csv
import glob
import html
import json
import os
import re
import zlib
from typing import Any, NamedTuple

from ..core.operators.record import records
from ..files.archives import gunzip
from ..nn.optim.adapter import OptaxCell
from .protobuf import fields, varints

TYPES, DETAILS, TIMELINE = "cpu_op_type_info_0.csv", "cpu_op_detail_info_0.csv", "trace_view.json"
PICTURE = "flame.svg"
_TRANSFORMS = re.compile(r"^((?:jvp|vmap|transpose|custom_\w+)\()+")
_CONTROL = re.compile(
    r"while|body|cond|closed_call|checkpoint|rematted_computation|remat2|scan|shard_map|branch_\d+_fun|.*_call|\(.*|"
)
_TYPES = {  # of functions without Primitive; the others' words with capitals
    "matmul": "MatMul",
    "cross_entropy_of_labels": "SparseSoftmaxCrossEntropyWithLogits",
    "getitem": "StridedSlice",
    "_next": "RandomState",
    "stage": "Copy",
}


class Operator(NamedTuple):
    """Where an instruction comes from."""

    scope: tuple  # Cells, the outermost first
    kind: str  # MindSpore's name of the operator
    gradient: bool

    @property
    def name(self):
        """As the graphs of MindSpore have it."""
        kind = f"Grad_{self.kind}/{self.kind}Grad" if self.gradient else self.kind
        return "/".join((*(("Gradients",) if self.gradient else ()), "Default", *self.scope, kind))

    @property
    def type(self):
        """Its kind; of a gradient with this word."""
        return f"{self.kind}Grad" if self.gradient else self.kind


class Event(NamedTuple):
    """One run of an instruction; `own`: without the time of instructions in it."""

    operator: Operator
    instruction: str
    program: str
    run: str
    thread: int
    start: float
    duration: float
    own: float


def operator_of(path: Any, program: Any, instruction: Any):
    """The operator that an instruction belongs to, from the path that JAX gave it."""
    scope, inner, whole, gradient = [], [], program.removeprefix("jit_"), False
    for part in _parts(path):
        bare = _TRANSFORMS.sub("", part).rstrip(")") if _TRANSFORMS.match(part) else part
        gradient = gradient or part.startswith("transpose(")
        if part.startswith(("jit(", "pjit(")) or _CONTROL.fullmatch(bare):
            continue
        if "-" in bare and bare.rpartition("-")[2].isidentifier() and bare.rpartition("-")[2][0].isupper():
            scope = scope[: scope.index(bare)] if bare in scope else scope  # a part that is computed once more
            scope.append(bare)
            inner = []
        else:
            inner.append(bare)
    kind = next((_type_of(name) for name in inner if name in _titles()), None)
    if kind is None and whole.removesuffix("_grad").removesuffix("_saving") in records:  # an eager operator
        gradient = gradient or whole.endswith("_grad")
        kind = _type_of(records[whole.removesuffix("_grad").removesuffix("_saving")].title)
    if kind is None:
        kind = scope[-1].rpartition("-")[2] if scope else _type_of(whole) or instruction
    return Operator(tuple(scope), kind, gradient)


def _parts(path):
    """The parts of a path; a slash in parentheses is none between parts."""
    depth, part = 0, ""
    for letter in path:
        if letter == "/" and not depth:
            yield part
            part = ""
        else:
            depth += (letter == "(") - (letter == ")")
            part += letter
    yield part


def _titles():
    if len(_known) != len(records):
        _known.clear()
        _known.update((record.name, record.title) for record in records.values())
    return _known.values()


_known = {}


def _type_of(title):
    if title[:1].isupper():
        return title
    return _TYPES.get(title) or "".join(word[:1].upper() + word[1:] for word in title.split("_"))


# --- reading a trace
def trace_files(folder: str):
    """The newest trace below a folder: (its programs, its events), or None."""
    found = glob.glob(os.path.join(glob.escape(folder), "**", "*.trace.json.gz"), recursive=True)
    if not found:
        return None
    newest = max(found, key=os.path.getmtime)
    return newest.removesuffix(".trace.json.gz") + ".xplane.pb", newest


def events_of(folder: str):
    """The events of the newest trace below a folder, by their begin; [] if there is none."""
    files = trace_files(folder)
    if files is None:
        return []
    try:
        return _events(*files)
    except (OSError, EOFError, zlib.error, LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"The trace {files[1]} is damaged: {error!r}.") from error


def _events(space, events):
    programs = _programs(space)
    done = json.loads(gunzip(events).decode("utf-8"))["traceEvents"]
    done = [e for e in done if e.get("ph") == "X" and "hlo_op" in (e.get("args") or {})]
    ran = collections.defaultdict(set)  # (program, run) -> its instructions
    for event in done:
        ran[_run_of(event)].add(event["args"]["hlo_op"])
    paths = {run: _paths_of_run(programs.get(run[0], ()), instructions) for run, instructions in ran.items()}
    made, operators = [], {}
    for event, own in _own_times(done):
        program, run = _run_of(event)
        instruction = event["args"]["hlo_op"]
        key = paths[program, run].get(instruction, ""), program, instruction
        if key not in operators:
            operators[key] = operator_of(*key)
        thread = event["pid"], event["tid"]
        made.append(Event(operators[key], instruction, program, run, thread, event["ts"], event.get("dur", 0.0), own))
    return sorted(made, key=lambda event: event.start)


def _run_of(event):
    """(name of the program, number of its run) of an event."""
    about = event["args"]
    return about.get("hlo_module", ""), str(about.get("run_id", ""))


def _paths_of_run(programs, ran):
    """Where the instructions of a run come from. Of programs of one name it is the one that has all its instructions and least besides,
    and of several the newest: events tell no more of their program than its name.
    """
    fitting = [about for about in programs if ran <= about.instructions] or programs
    best = min(fitting, key=lambda about: (len(about.instructions), -about.number), default=None)
    return best.paths if best is not None else {}


def _own_times(events):
    """(event, its duration without that of events within it): a `while` holds the instructions of its body."""
    threads = collections.defaultdict(list)
    for event in events:
        threads[event["pid"], event["tid"]].append(event)
    for of_thread in threads.values():
        of_thread.sort(key=lambda event: (event["ts"], -event.get("dur", 0.0)))
        own, open_ = [event.get("dur", 0.0) for event in of_thread], []
        for i, event in enumerate(of_thread):
            end = event["ts"] + event.get("dur", 0.0)
            while open_ and open_[-1][1] < end:
                open_.pop()
            if open_:
                own[open_[-1][0]] -= event.get("dur", 0.0)
            open_.append((i, end))
        yield from zip(of_thread, (max(time, 0.0) for time in own))


class _Program(NamedTuple):
    """A program in a trace; `paths`: instruction -> where it comes from."""

    number: int
    instructions: set
    paths: dict


def _programs(file):
    """Name -> the programs of that name. An XSpace of XPlanes, of which one has the programs (HloProto) in its metadata."""
    found = collections.defaultdict(list)
    with open(file, "rb") as opened:
        space = memoryview(opened.read())
    for number, plane in fields(space, file):
        if number == 1 and any(n == 2 and bytes(v) == b"/host:metadata" for n, v in fields(plane, file)):
            for number, entry in fields(plane, file):
                if number == 4:
                    for module in _within(entry, file, 2, 5, 6, 1):
                        name, program = _program_of(module, file)
                        found[name].append(program)
    return found


def _within(data, file, *numbers):
    """The messages at a path of field numbers."""
    if not numbers:
        yield data
        return
    for number, value in fields(data, file):
        if number == numbers[0] and isinstance(value, memoryview):
            yield from _within(value, file, *numbers[1:])


def _program_of(module, file):
    """(name, program). Instructions that XLA made without a source belong to the instructions inside them, else to a
    neighbour.
    """
    number_of_program = next((v for n, v in fields(module, file) if n == 5), 0)
    name = next((str(v, "utf-8") for n, v in fields(module, file) if n == 1), "")
    paths, inside, around = {}, collections.defaultdict(list), collections.defaultdict(list)
    names, calls, unknown = {}, {}, []
    for computation in _within(module, file, 3):
        number = next((v for n, v in fields(computation, file) if n == 5), None)
        for instruction in _within(computation, file, 2):
            about = dict(fields(instruction, file))
            key = about.get(35)
            names[key], path = (
                str(about[1], "utf-8"),
                next((str(v, "utf-8") for v in _within(instruction, file, 7, 2)), ""),
            )
            calls[key] = _numbers(instruction, file, 38)
            if "/" in path:
                paths[key] = path
                inside[number].append(path)
            elif str(about[2], "utf-8") not in ("parameter", "constant", "tuple"):
                unknown.append(key)
            for operand in _numbers(instruction, file, 36):
                around[operand].append(key)  # who uses it comes first
                around[key].append(operand)
    for key in unknown:
        parts = collections.Counter(path for number in calls[key] for path in inside[number])
        if parts:
            paths[key] = parts.most_common(1)[0][0]
    for _ in range(3):
        for key in [key for key in unknown if key not in paths]:
            near = [
                path for other in around[key] for path in [paths.get(other), *_merged(calls.get(other), inside)] if path
            ]
            alike = [
                path for path in near if path.rpartition("/")[2][:3] == names[key][:3]
            ]  # conv_general_dilated, convolution
            if alike or near:
                paths[key] = (alike or near)[0]
    return name, _Program(number_of_program, set(names.values()), {names[key]: path for key, path in paths.items()})


def _merged(computations, inside):
    return (path for number in computations or () for path in inside[number])


def _numbers(message, file, field):
    """A field of numbers, packed or not."""
    made = []
    for number, value in fields(message, file):
        if number == field:
            made += [value] if isinstance(value, int) else varints(value, file)
    return made


# --- what is written
def sums(events: Any):
    """{operator: [runs, microseconds]}; the runs of an operator are those of its most frequent instruction."""
    runs, time = collections.Counter(), collections.Counter()
    for event in events:
        runs[event.operator, event.program, event.instruction] += 1
        time[event.operator] += event.own
    most = collections.defaultdict(int)
    for (operator, _, _), count in runs.items():
        most[operator] = max(most[operator], count)
    return {operator: [most[operator], total] for operator, total in time.most_common()}


def by_type(events: Any):
    """Type of operator -> [runs, microseconds], the longest first."""
    found = collections.defaultdict(lambda: [0, 0.0])
    for operator, (count, total) in sums(events).items():
        found[operator.type][0] += count
        found[operator.type][1] += total
    return dict(sorted(found.items(), key=lambda item: -item[1][1]))


def steps_of(events: Any):
    """The steps of a trace: runs of the program that contains an optimizer; of several optimizers the one that runs most often.

    Without an optimizer: runs of the rarest program among those with at least 5 % of the time, since in eager code an operator may run
    several times a step.
    """
    time, runs, optimizers = collections.Counter(), collections.defaultdict(set), set()
    classes = _optimizers()
    for event in events:
        time[event.program] += event.own
        runs[event.program].add(event.run)
        if not classes.isdisjoint((event.operator.kind, *(part.rpartition("-")[2] for part in event.operator.scope))):
            optimizers.add(event.program)
    if optimizers:
        return max(len(runs[program]) for program in optimizers)
    least = sum(time.values()) / 20
    return min((len(runs[program]) for program in time if time[program] >= least), default=1)


def _optimizers():
    """Names of the classes of optimizers that this process knows."""
    found, left = set(), [OptaxCell]
    while left:
        one = left.pop()
        found.add(one.__name__)
        left += one.__subclasses__()
    return found


def write(folder: str, events: Any):
    """Tables of types and of operators in FRAMEWORK, the timeline in ASCEND_PROFILER_OUTPUT (MindSpore's names), and the picture."""
    framework, output = (os.path.join(folder, name) for name in ("FRAMEWORK", "ASCEND_PROFILER_OUTPUT"))
    for made in (framework, output):
        os.makedirs(made, exist_ok=True)
    total, steps = sum(event.own for event in events) or 1.0, steps_of(events)
    _table(
        os.path.join(framework, TYPES),
        "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,avg_time(ms),percent",
        (
            (kind, count, max(count // steps, 1), f"{t / 1e3:.6g}", f"{t / 1e3 / count:.6g}", f"{t / total:.6g}")
            for kind, (count, t) in by_type(events).items()
        ),
    )
    rows = []
    for operator, (count, t) in sums(events).items():
        short = f"{operator.type}-op0"
        full = f"{operator.name}-op0"
        times = f"{t / 1e3:.6g}", f"{t / 1e3 / count:.6g}", f"{t / total:.6g}"
        rows.append(("Host", operator.type, short, full, count, *times, "Default", os.getpid()))
    _table(
        os.path.join(framework, DETAILS),
        "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_time(ms),total_proportion,subgraph,pid",
        rows,
    )
    threads = {thread: number for number, thread in enumerate(sorted({event.thread for event in events}))}
    timeline = [{"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "args": {"name": "CPU OP"}}]
    timeline += [
        {"ph": "M", "name": "thread_name", "pid": 2, "tid": number, "args": {"name": f"Thread {number}"}}
        for number in threads.values()
    ]
    timeline += [
        {
            "ph": "X",
            "name": f"{event.operator.name}-op0",
            "pid": 2,
            "tid": threads[event.thread],
            "ts": event.start,
            "dur": event.duration,
            "cat": "",
            "args": {"type": "HostCpuOps", "instruction": event.instruction, "program": event.program},
        }
        for event in events
    ]
    with open(os.path.join(output, TIMELINE), "w", encoding="utf-8") as file:
        json.dump(timeline, file)
    with open(os.path.join(folder, PICTURE), "w", encoding="utf-8") as file:
        file.write(flame(events))


def _table(path, head, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head.split(","))
        writer.writerows(rows)


# --- the picture
_WIDTH, _ROW, _LEAST = 1200, 18, 0.4  # in pixels


def flame(events: Any):
    """An SVG picture of a step: Cells from above to below, their operators last, each as wide as its share of the time."""
    tree, steps = {}, steps_of(events)
    for operator, (_, total) in sums(events).items():
        top = "gradients" if operator.gradient else "forward and update"
        node = tree
        for name in (top, *operator.scope, operator.type):
            entry = node.setdefault(name, [0.0, {}])
            entry[0] += total / steps
            node = entry[1]
    total = sum(time for time, _ in tree.values())
    shapes, depth = [], 0
    todo = [("a step", total, tree, 0.0, 0)]
    while todo:
        name, time, inner, left, level = todo.pop()
        width = _WIDTH * time / total if total else 0.0
        if width < _LEAST:
            continue
        depth = max(depth, level + 1)
        shapes.append(_box(name, time, total, left, width, level))
        for child, (of_child, below) in sorted(inner.items(), key=lambda item: -item[1][0]):
            todo.append((child, of_child, below, left, level + 1))
            left += _WIDTH * of_child / total
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{depth * _ROW}" '
        f'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def _box(name, time, total, left, width, level):
    """A box with its name, as far as there is room, and a text that shows under the pointer."""
    hue, light = zlib.crc32(name.rpartition("-")[2].encode()) % 50 + 10, 68 + level % 3 * 6
    said = html.escape(f"{name}: {_time(time)}, {100 * time / total:.1f} %")
    room = int((width - 6) / 6.2)
    shown = name if len(name) <= room else name[: room - 1] + "…" if room > 3 else ""
    text = f'<text x="{left + 3:.1f}" y="{level * _ROW + 13}">{html.escape(shown)}</text>' if shown else ""
    return (
        f'<g><title>{said}</title><rect x="{left:.2f}" y="{level * _ROW}" width="{width:.2f}" height="{_ROW - 1}" '
        f'fill="hsl({hue},80%,{light}%)"/>{text}</g>'
    )


def _time(microseconds):
    return f"{microseconds / 1e3:.2f} ms" if microseconds >= 1e3 else f"{microseconds:.1f} µs"
