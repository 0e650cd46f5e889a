"""A traced program cut into the tasks of a pipeline: each stage's computation for each part of a batch, forward and
backward, and its time.

Cells with a `pipeline_stage` and the parts of a `PipelineCell` leave their names on the equations that they trace, and JAX keeps them
on those of the gradient. Equations without a name (updates, sums over parts) belong to the stage of their largest operand. The sum of
a weight's gradients over the parts is taken apart, and made in the order in which the schedule gives its terms.
"""

import collections
import dataclasses
import functools
import math
import re
from typing import TYPE_CHECKING, Any

import jax

from ..core.compat import Literal, evaluate_equation
from ..core.program.interpreter import Interpreter, scope_of
from ..core.program.parts import called
from ..core.program.primitives import name_of
from ..core.program.sites import sites

if TYPE_CHECKING:
    import jax.extend

_STAGE, _MICRO = re.compile(r"pipeline_stage_(\d+)"), re.compile(r"micro_batch_(\d+)")


def in_stage(number: int):
    """A `with` block: operations traced inside belong to this stage."""
    return jax.named_scope(f"pipeline_stage_{number}")


def in_part(number: int):
    """A `with` block: operations traced inside belong to this part of the batch."""
    return jax.named_scope(f"micro_batch_{number}")


@dataclasses.dataclass
class Step:
    """One equation. Inputs are numbers of values, or Literals. `stage` None: not known, or of no stage (`free`: computed where used)."""

    run: object
    inputs: list
    outputs: list
    stage: int | None = None
    part: int | None = None
    backward: bool = False
    adds: bool = False
    free: bool = False


@dataclasses.dataclass
class Task:
    """One unit of a stage's work. `part` None: before ("head") or after ("tail") the parts of the batch."""

    stage: int
    part: int | None
    kind: str
    steps: list = dataclasses.field(default_factory=list)
    inputs: list = dataclasses.field(default_factory=list)
    outputs: list = dataclasses.field(default_factory=list)


def _last(pattern, text):
    found = pattern.findall(text)
    return int(found[-1]) if found else None


def stage_of(scope: Any):
    """The stage that a name stack tells, or None."""
    return _last(_STAGE, scope)


def micro_batch_of(scope: Any):
    """The part of the batch that a name stack tells, or None."""
    return _last(_MICRO, scope)


class Program(Interpreter):
    """A closed jaxpr as a list of Steps, calls of several stages inlined."""

    def __init__(self, closed: Any):
        self.avals, self.constants, self.steps = [], {}, []
        self.inputs = [self._new(v.aval) for v in closed.jaxpr.invars]
        self.outputs = self.run(closed, self.inputs)

    def _new(self, aval):
        self.avals.append(aval)
        return len(self.avals) - 1

    def literal(self, atom: "jax.extend.core.Literal"):
        return atom

    def constant(self, value: Any, variable: Any):
        number = self._new(jax.typeof(value))
        self.constants[number] = value
        return number

    def enters(self, eqn: Any, given: Any, around: Any):
        if _last(_STAGE, scope_of(around, eqn)) is not None:
            return False
        return any(_last(_STAGE, site.scope) is not None for site in sites(called(eqn)))

    def equation(self, eqn: "jax.extend.core.JaxprEqn", given: list, around: Any):
        text, outputs = scope_of(around, eqn), [self._new(v.aval) for v in eqn.outvars]
        run = functools.partial(evaluate_equation, eqn)
        backward, adds = "transpose(" in text, name_of(eqn) == "add_any"
        self.steps.append(Step(run, given, outputs, _last(_STAGE, text), _last(_MICRO, text), backward, adds))
        return outputs

    def size(self, number: int):
        """Elements of a value."""
        return math.prod(getattr(self.avals[number], "shape", ()))


def first_uses(program: Any, inputs: Any):
    """{input: the stage of the first step with a name that takes it}"""
    inputs, found = set(inputs), {}
    for step in program.steps:
        if step.stage is not None:
            found.update((v, step.stage) for v in values(step) if v in inputs and v not in found)
    return found


def values(step: int):
    """The inputs of a step that are not Literals."""
    return [v for v in step.inputs if not isinstance(v, Literal)]


class _Groups:
    """Values of which one does not know yet where they are, but that they are together."""

    def __init__(self):
        self.parent, self.stage = {}, {}

    def find(self, value):
        while self.parent[value] != value:
            value = self.parent[value]
        return value

    def add(self, value, to=None):
        self.parent[value] = value if to is None else self.find(to)

    def settle(self, value, stage):
        return self.stage.setdefault(self.find(value), stage)

    def of(self, value):
        return self.stage.get(self.find(value))


def place(program: Any, state: Any, homes: Any):
    """Give each equation a stage, or mark it free. state: inputs kept between steps; homes: {input: stage} where it is known.

    Returned: {value: stage}; what is not in it is free: a part of the batch, or computed of nothing else.
    """
    where, groups = {}, _Groups()
    for value in state:
        groups.add(value)
        if value in homes:
            groups.settle(value, homes[value])
    waiting = []
    kept = set(state)
    for step in program.steps:
        known, open_ = [], []
        for value in values(step):
            found = where.get(value)
            if found is None and value in groups.parent:
                found = groups.of(value)
                if found is None:
                    open_.append(value)
            if found is not None:  # weights go to the data, updates to the weights
                known.append(((value in kept) == (step.part is None), program.size(value), -found))
        if step.stage is None and known:
            step.stage = -max(known)[-1]
        if step.stage is None and open_:
            largest = max(open_, key=program.size)
            for value in step.outputs:
                groups.add(value, largest)
            waiting.append((step, largest))
        elif step.stage is None:
            step.free = True
        else:
            for value in open_:
                groups.settle(value, step.stage)
            where.update(dict.fromkeys(step.outputs, step.stage))
    for step, value in waiting:
        step.stage = groups.settle(value, 0)
    for value in groups.parent:
        where[value] = groups.settle(value, 0)
    return where


# --- tasks
class Plan:
    """The tasks of a program in an order in which they can run one after another, with the inputs and outputs of each.

    schedule: "1f1b" or "gpipe".
    """

    def __init__(self, program: Any, where: Any, stages: Any, schedule: Any):
        self.program, self.where, self.stages = program, where, stages
        self.made = {v: s for s in program.steps for v in s.outputs}
        self.tasks, self.ancestors, self.of, self.alias = [], [], {}, {}
        self._take_sums_apart()
        self._cluster()
        self._sort(schedule)
        self._sum_in_order()
        self._give()

    def _take_sums_apart(self):
        """Sums of terms of several parts of the batch: the additions leave the program, `self.sums` is {result: terms}."""
        uses = collections.Counter(v for s in self.program.steps for v in values(s))
        uses.update(v for v in self.program.outputs if not isinstance(v, Literal))
        adders = {s.outputs[0]: s for s in self.program.steps if s.adds and not s.free}
        inside = {v for s in adders.values() for v in values(s) if v in adders and uses[v] == 1}
        self.sums, gone = {}, set()
        for result in adders:
            if result in inside:
                continue
            terms, left, chain = [], [result], []
            while left:
                value = left.pop()
                if value in adders and (value in inside or value == result):
                    chain.append(id(adders[value]))
                    left += list(adders[value].inputs)
                else:
                    terms.append(value)
            parts = {self.made[v].part for v in terms if not isinstance(v, Literal) and v in self.made}
            if len(parts) > 1 and all(
                not isinstance(v, Literal) and v in self.made and not self.made[v].free for v in terms
            ):
                self.sums[result] = terms
                gone.update(chain)
        self.steps = [s for s in self.program.steps if id(s) not in gone]

    def _sources(self, step):
        """The tasks that a step needs."""
        found, left = set(), values(step)
        while left:
            value = left.pop()
            if value in self.sums:
                left += self.sums[value]
            elif value in self.of:
                found.add(self.of[value])
        return found

    def _cluster(self):
        """Put steps of one stage, part and direction together, as long as no task then waits for itself."""
        latest, ancestors = {}, self.ancestors
        for step in self.steps:
            if step.free:
                continue
            sources = self._sources(step)
            if step.part is not None:
                kind = "backward" if step.backward else "forward"
            else:
                kind = "head" if all(self.tasks[s].kind == "head" for s in sources) else "tail"
            key = (step.stage, step.part, kind)
            at = latest.get(key)
            if at is None or any(s != at and ancestors[s] >> at & 1 for s in sources):
                at = latest[key] = len(self.tasks)
                self.tasks.append(Task(*key))
                ancestors.append(0)
            new = ancestors[at]
            for source in sources - {at}:
                new |= ancestors[source] | 1 << source
            if new != ancestors[at]:
                ancestors[at] = new
                for other in range(len(ancestors)):
                    if ancestors[other] >> at & 1:
                        ancestors[other] |= new
            self.tasks[at].steps.append(step)
            self.of.update(dict.fromkeys(step.outputs, at))

    def _sort(self, schedule):
        """The order of all tasks: that of their starts, if backward takes twice as long as forward, and stages work side by side."""
        self.order = _Rehearsal(self.tasks, self.ancestors, self.stages, schedule).order()
        self.rank = {at: i for i, at in enumerate(self.order)}

    def _sum_in_order(self):
        """Each term is added where it is made, to those that were made before; terms of other stages come last."""
        for result, terms in self.sums.items():
            own = collections.defaultdict(list)
            for term in terms:
                own[self.tasks[self.of[term]].stage].append(term)
            partial = []
            for group in own.values():
                group.sort(key=lambda v: self.rank[self.of[v]])
                total = group[0]
                for term in group[1:]:
                    total = self._add(total, term, self.of[term])
                partial.append(total)
            partial.sort(key=lambda v: self.rank[self.of[v]])
            total = partial[0]
            for other in partial[1:]:
                total = self._add(total, other, self.of[other])
            self.alias[result] = total
            self.where[result] = self.tasks[self.of[total]].stage

    def _add(self, first, second, at):
        out = self.program._new(self.program.avals[second])
        self.tasks[at].steps.append(
            Step(lambda arrays: [jax.lax.add(*arrays)], [first, second], [out], self.tasks[at].stage)
        )
        self.of[out] = at
        self.where[out] = self.tasks[at].stage
        return out

    def resolve(self, value: Any):
        """The value that takes the place of the result of a sum."""
        return value if isinstance(value, Literal) else self.alias.get(value, value)

    def _free_before(self, value, found):
        """The free steps that a value needs, in order: {id: step}."""
        maker = None if isinstance(value, Literal) else self.made.get(value)
        if maker is not None and maker.free and id(maker) not in found:
            for given in values(maker):
                self._free_before(given, found)
            found[id(maker)] = maker

    def _give(self):
        """The inputs and outputs of each task. Values that depend on the batch alone are computed by each stage itself,
        on first use.
        """
        self.results = [self.resolve(v) for v in self.program.outputs]
        loose = [v for v in self.results if not isinstance(v, Literal) and v in self.made and self.made[v].free]
        leafy = {v for v in self.program.inputs if v not in self.where}
        for step in self.program.steps:
            if step.free and not leafy.isdisjoint(values(step)):
                leafy.update(step.outputs)
        batches = [Task(number, None, "batch") for number in range(self.stages)]
        early = [dict.fromkeys(loose) for _ in batches]
        for task in self.tasks:
            within = {}
            for step in task.steps:
                step.inputs = [self.resolve(v) for v in step.inputs]
                for value in values(step):
                    if value in leafy:
                        early[task.stage][value] = None
                    else:
                        self._free_before(value, within)
            task.steps = [*within.values(), *task.steps]
        for task, wanted in zip(batches, early):
            found = {}
            for value in wanted:
                self._free_before(value, found)
            task.steps = list(found.values())
            task.outputs = [v for v in wanted if v in self.made]
        needed = collections.defaultdict(set)
        for task in (*self.tasks, *batches):
            own = {v for s in task.steps for v in s.outputs}
            task.inputs = list(dict.fromkeys(
                v for s in task.steps for v in values(s) if v not in own and v not in self.program.constants
            ))  # fmt: skip
            for value in task.inputs:
                needed[self.of.get(value)].add(value)
        for value in self.results:
            if not isinstance(value, Literal):
                needed[self.of.get(value)].add(value)
        for at, task in enumerate(self.tasks):
            task.outputs = sorted(needed[at])
        first = [task for task in batches if task.outputs]
        self.order = [*range(len(self.tasks), len(self.tasks) + len(first)), *self.order]
        self.tasks += first

    def function(self, task: str, around: Any):
        """The function of arrays (those of `task.inputs`) that a task is; around(array) lays parts of the batch out."""
        constants = self.program.constants

        def run(*arrays):
            env = dict(zip(task.inputs, arrays))

            def read(value):
                if isinstance(value, Literal):
                    return value.val
                return constants[value] if value in constants else env[value]

            for step in task.steps:
                outs = step.run([read(v) for v in step.inputs])
                if task.kind == "batch":
                    outs = [around(a) for a in outs]
                env.update(zip(step.outputs, outs))
            return [env[v] for v in task.outputs]

        run.__name__ = f"stage{task.stage}_{task.kind}"  # without the part: programs of parts are often the same
        return run


def _bits(number):
    """The positions of the ones of a number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


class _Rehearsal:
    """A schedule played through with a clock, to see in which order its tasks start.

    flight: for each stage, how many parts of the batch went forward and not yet back: what the stage must keep for the backward.
    """

    def __init__(self, tasks, ancestors, stages, schedule):
        self.tasks, self.ancestors, self.stages, self.schedule = tasks, ancestors, stages, schedule
        self.left, self.now = set(range(len(tasks))), 0
        self.done = {}  # task -> when it is done
        self.busy = {}  # stage -> until when
        self.flight = collections.Counter()
        self.trained = {(t.stage, t.part) for t in tasks if t.kind == "backward"}

    def order(self):
        """The numbers of all tasks."""
        order = []
        while self.left:
            for patient in (True, False):
                started = []
                for stage in range(self.stages):
                    at = self._next_of(stage, patient) if self.busy.get(stage, 0) <= self.now else None
                    if at is not None:
                        self._start(at)
                        started.append(at)
                order += started
                if started or any(time > self.now for time in self.done.values()):
                    break  # nobody has to be impatient
            self.now = min((time for time in self.done.values() if time > self.now), default=self.now + 1)
        return order

    def _next_of(self, stage, patient):
        """The task that a stage starts now, or None. patient: it rather waits than start one that the schedule puts off."""
        ready = [
            at for at in self.left
            if self.tasks[at].stage == stage and all(self.done.get(s, math.inf) <= self.now for s in _bits(self.ancestors[at]))
        ]  # fmt: skip
        wishes = [wish for wish in map(self._wish, ready) if wish is not None]
        if not wishes and not patient:
            wishes = [(0, 0, at) for at in ready]
        return min(wishes)[-1] if wishes else None

    def _start(self, at):
        task = self.tasks[at]
        self.flight[task.stage] += {"forward": 1, "backward": -1}.get(task.kind, 0)
        self.busy[task.stage] = self.done[at] = self.now + (2 if task.kind == "backward" else 1)
        self.left.discard(at)

    def _wish(self, at):
        """Sorts the tasks that a stage could start; None: the schedule puts it off."""
        task = self.tasks[at]
        if task.kind == "head":
            return (-1, 0, at)
        if task.kind == "backward" and self.schedule != "gpipe":
            return (0, task.part, at)
        if task.kind == "backward":
            forward_left = any(self.tasks[o].kind == "forward" and self.tasks[o].stage == task.stage for o in self.left)
            return None if forward_left else (0, -task.part, at)
        if task.kind == "forward":
            limited = self.schedule == "1f1b" and (task.stage, task.part) in self.trained
            full = limited and self.flight[task.stage] >= self.stages - task.stage
            return None if full else (1, task.part, at)
        return (2, 0, at)
