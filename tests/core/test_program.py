"""The interpreter of programs: names, families and tables of primitives; nested programs; facts forward, needs backward, sites, costs."""

import functools
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

from msjax.core.grad import carried
from msjax.core.operators import by_numpy
from msjax.core.program import counting, needs, primitives, sites
from msjax.core.program.edited import edited, without_automatic_meshes
from msjax.core.program.interpreter import Forward, Interpreter
from msjax.core.program.links import Links
from msjax.core.program.parts import parts
from msjax.core.program.primitives import FAMILIES, family_of
from msjax.core.program.tables import Table
from msjax.core.program.values import Values
from msjax.core.trace.lengths import padded
from msjax.parallel import launch

TABLES = [counting.COUNTING, launch.COLLECTIVES, carried.PASSING, padded.OPEN, by_numpy.NUMPY]
WITH_PRIMITIVES = """jax.scipy.linalg jax.scipy.special jax.experimental.pallas jax.experimental.sparse jax.experimental.custom_partitioning
jax.experimental.shard_map jax.experimental.multihost_utils jax.lax.linalg""".split()


_LIST = """
import gc, importlib, sys
from jax.extend.core import Primitive
for module in sys.argv[1:]:
    try:
        importlib.import_module(module)
    except ImportError:  # moved in some version: what it defines is then defined elsewhere
        continue
found = [p for p in gc.get_objects() if isinstance(p, Primitive)]
print(*{p.name for p in found if type(p).__module__.partition(".")[0] == "jax"}, sep="\\n")
"""


@functools.cache
def of_jax():
    """The names of all primitives of the installed JAX, found by a process that has imported nothing else."""
    done = subprocess.run([sys.executable, "-c", _LIST, *WITH_PRIMITIVES], capture_output=True, text=True, check=True)
    names = done.stdout.split("\n")
    assert len(names) > 250
    return sorted({primitives._spelled(name) for name in names if name})


def test_each_primitive_of_jax_has_a_family():
    assert [name for name in of_jax() if family_of(name) is None] == []


def test_no_primitive_is_in_two_families():
    names = [name for family in FAMILIES.values() for name in family.split()]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_each_primitive_has_a_rule_or_a_reason(table):
    silent = [name for name in of_jax() if table.named(name) is None and not table.why(name)]
    assert silent == [], f"say in the table of {table.title} what is done with these, or why nothing is"


def test_a_table_knows_what_it_is_not_told():
    table = Table("nothing")
    table.leave("all alike", "elementwise")
    table.put(len, "add")
    assert table.named("add") is len and table.why("add") is None
    assert table.named("mul") is None and table.why("mul") == "all alike"
    assert table.named("sort") is None and table.why("sort") is None
    with pytest.raises(ValueError, match="'scatter-add' is neither"):
        table.put(len, "scatter-add")


NESTED = {
    "jit": lambda x: jax.jit(jnp.sin)(x),
    "cond": lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x),
    "scan": lambda x: lax.scan(lambda c, r: (c + r, c * r), x[0], x),
    "while": lambda x: lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, jnp.sin(s[1])), (0, x))[1],
    "checkpoint": lambda x: jax.checkpoint(jnp.sin)(x),
    "gradient of a checkpoint": jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()),
    "custom_jvp": lambda x: jax.nn.relu(x),
    "custom_vjp": lambda x: _doubled(x),
    "nested": lambda x: lax.scan(lambda c, r: (lax.cond(r > 0, jax.jit(jnp.sin), jnp.cos, c), r), x[0], x),
    "map over devices": lambda x: jax.shard_map(
        jnp.sin, mesh=Mesh(np.array(jax.devices()[:1]), ("a",)), in_specs=jax.P(), out_specs=jax.P()
    )(x),
    "solver": lambda x: lax.custom_linear_solve(lambda y: 2 * y, x, lambda _, b: b / 2, symmetric=True),
    "scatter": lambda x: x.at[jnp.array([0, 1])].add(1.0),
}


@jax.custom_vjp
def _doubled(x):
    return jnp.sin(x) * 2


_doubled.defvjp(lambda x: (_doubled(x), x), lambda x, g: (2 * g * jnp.cos(x),))


@pytest.mark.parametrize("name", NESTED)
def test_the_programs_of_an_equation_take_what_they_say(name):
    x = jnp.arange(1.0, 4.0, dtype=jnp.float32)
    for site in _all(jax.make_jaxpr(NESTED[name])(x)):
        for part in parts(site):
            assert not part.takes or len(part.takes) == len(part.jaxpr.invars)


def _all(program):
    """All equations, those that hold programs too."""
    for eqn in getattr(program, "jaxpr", program).eqns:
        yield eqn
        for part in parts(eqn):
            yield from _all(part.jaxpr)


def test_sites_look_into_every_form_but_kernels():
    x = jnp.arange(1.0, 4.0, dtype=jnp.float32)
    for name, function in NESTED.items():
        program = jax.make_jaxpr(function)(x)
        held = {e.primitive.name for e in _all(program)} - {s.eqn.primitive.name for s in sites.sites(program)}
        assert name == "scatter" or held, name  # what holds a program is no site itself


class Doubling(Interpreter):
    """Sums become sums of doubled operands, in functions that are called too."""

    def enters(self, eqn, given, around):
        return True

    def equation(self, eqn, given, around):
        given = [2 * g for g in given] if eqn.primitive.name == "add" else given
        return [eqn.primitive.bind(*given, **eqn.params)]


def test_an_interpreter_enters_calls():
    program = jax.make_jaxpr(lambda x: jax.jit(lambda y: y + 1.0)(x) * 3.0)(1.0)
    assert Doubling().run(program, [5.0]) == [36.0]


def test_only_what_is_wanted_is_evaluated():
    seen = []

    class Noting(Interpreter):
        def enters(self, eqn, given, around):
            return True

        def equation(self, eqn, given, around):
            seen.append(eqn.primitive.name)
            return [eqn.primitive.bind(*given, **eqn.params)]

    program = jax.make_jaxpr(lambda x: jax.jit(lambda y: (y + 1.0, y * 2.0))(x))(1.0)
    assert Noting().run(program, [5.0], wanted=[False, True]) == [None, 10.0]
    assert seen == ["mul"]
    seen.clear()  # what only an output that is not wanted needs is not made for a call either
    program = jax.make_jaxpr(lambda x: jax.jit(lambda y, z: (y + 1.0, z * 2.0))(x - 1.0, x / 2.0))(1.0)
    assert Noting().run(program, [5.0], wanted=[True, False]) == [5.0, None]
    assert seen == ["sub", "add"]


class Touched(Forward):
    """Which values depend on the inputs that are marked."""

    def equation(self, eqn, facts):
        return [any(facts)] * len(eqn.outvars), 1 if eqn.primitive.name == "sin" else 0

    def looped(self, eqn, state, notes):
        return notes | 2


def facts_of(function, marks, *args):
    outs, notes = Touched().flow(jax.make_jaxpr(function)(*args), marks)
    return list(outs), notes


def test_facts_go_forward_through_nested_programs():
    assert facts_of(lambda x, y: (x + 1, y), [True, False], 1.0, 1.0) == ([True, False], 0)
    assert facts_of(lambda x: jax.jit(jnp.sin)(x), [True], 1.0) == ([True], 1)
    either = lambda p, x, y: lax.cond(p, lambda x, y: (x, y), lambda x, y: (y, y), x, y)  # noqa: E731
    assert facts_of(either, [False, True, False], True, 1.0, 1.0) == ([True, False], 0)


def test_facts_of_loops_are_those_after_any_number_of_rounds():
    def shifted(c, _):  # the mark takes three rounds to reach the last place
        return (c[0], c[0] + 0.0, c[1] + 0.0, c[2] + 0.0), c[3]

    def looped(a, b):
        return lax.scan(shifted, (a, b, b, b), None, length=5)

    assert facts_of(looped, [True, False], 1.0, 1.0) == ([True] * 5, 0)
    assert facts_of(looped, [False, True], 1.0, 1.0) == ([False, True, True, True, True], 0)

    def until(a, b):
        return lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[2], s[2] + a), (0, b, b))

    assert facts_of(until, [True, False], 1.0, 1.0) == ([False, True, True], 2)


@pytest.mark.parametrize(
    "function, wanted, expected",
    [
        (lambda x, y: (x + 1, y * 2), [True, False], [True, False]),
        (lambda x, y: jax.jit(lambda a, b: (a + 1, b * 2))(x, y), [False, True], [False, True]),
        (lambda x, y: lax.scan(lambda c, r: ((c[0] + 1.0, c[1]), None), (x, y), None, 3)[0], [True, False], [True, False]),
        (lambda x, y: lax.scan(lambda c, r: ((c[1], c[1]), None), (x, y), None, 3)[0], [True, False], [True, True]),
        (lambda x, y: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, jnp.sin(s[1])), (x, y)), [False, True], [True, True]),
        (lambda x, y: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1]), (x, y)), [True, False], [True, False]),
        (lambda x, y: lax.cond(x > 0, lambda z: (z, 1.0), lambda z: (1.0, 2.0), y), [False, True], [True, False]),
        (lambda x, y: jax.checkpoint(lambda a, b: (a + 1, jnp.sin(b)))(x, y), [True, False], [True, False]),
    ],
)  # fmt: skip
def test_needs_go_backwards_through_nested_programs(function, wanted, expected):
    assert needs.needs(jax.make_jaxpr(function)(1.0, 1.0), wanted).inputs == expected


def test_what_has_an_effect_is_needed():
    def printing(x, y):
        jax.debug.print("{}", y)
        return x + 1

    found = needs.needs(jax.make_jaxpr(printing)(1.0, 1.0), [True])
    assert found.inputs == [True, True] and len(found.equations) == 2


def test_sites_count_rounds_and_know_what_they_do_not_know():
    def work(x):
        for_sure = lax.fori_loop(0, 3, lambda i, y: lax.fori_loop(0, 4, lambda j, z: jnp.sin(z), y), x)
        return lax.while_loop(lambda y: y < 5, lambda y: lax.fori_loop(0, 2, lambda i, z: jnp.cos(z), y), for_sure)

    found = {s.name: (s.times, s.certain) for s in sites.sites(jax.make_jaxpr(work)(1.0)) if s.name in ("sin", "cos")}
    assert found == {"sin": (12, True), "cos": (2, False)}


def test_sites_know_their_scope_and_line():
    def work(x):
        with jax.named_scope("outer"):
            return jax.jit(inner)(x)

    def inner(x):
        with jax.named_scope("inner"):
            return jnp.sin(x)

    (site,) = [s for s in sites.sites(jax.make_jaxpr(jax.grad(work))(1.0)) if s.name == "cos"]
    assert "outer" in site.scope and "inner" in site.scope and not site.again
    file, line = site.line()
    assert file == __file__ and line == inner.__code__.co_firstlineno + 2
    again = [s.again for s in sites.sites(jax.make_jaxpr(jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))))(1.0)) if s.name == "sin"]  # fmt: skip
    assert True in again


def test_operations_and_bytes():
    x, w = jnp.ones((2, 3, 8, 8), jnp.float32), jnp.ones((4, 3, 3, 3), jnp.float32)
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME")  # noqa: E731
    assert counting.operations(jax.make_jaxpr(conv)(x, w)) == (2 * 2 * 4 * 64 * 27,) * 2
    square = jnp.ones((4, 4), jnp.float32)
    either = lambda p, a: lax.cond(p, lambda a: a @ a @ a, lambda a: a @ a, a)  # noqa: E731
    assert counting.operations(jax.make_jaxpr(either)(True, square)) == (256, 256)
    loop = lambda a: lax.fori_loop(0, 5, lambda i, b: b @ a, a)  # noqa: E731
    assert counting.operations(jax.make_jaxpr(loop)(square)) == (640, 640)
    again = jax.grad(lambda a: jax.checkpoint(lambda b: jnp.sin(b @ b) @ b)(a).sum())
    model, done = counting.operations(jax.make_jaxpr(again)(square))
    assert (model, done) == (6 * 128, 7 * 128)
    rows = [c for c in counting.costs(jax.make_jaxpr(loop)(square)) if c.operations]
    assert [(c.site.times, c.bytes) for c in rows] == [(5, 5 * 3 * 64)]
    groups = jnp.array([1, 3])
    ragged = jax.make_jaxpr(lax.ragged_dot)(square, jnp.ones((2, 4, 5), jnp.float32), groups)
    assert counting.operations(ragged) == (2 * 4 * 5 * 4,) * 2


def test_collectives_of_one_process_are_none():
    mesh = Mesh(np.array(jax.devices()[:1]), ("a",))
    total = jax.shard_map(lambda x: lax.psum(x, "a"), mesh=mesh, in_specs=jax.P("a"), out_specs=jax.P())
    program = jax.make_jaxpr(total)(np.ones(4, np.float32))
    assert launch.collectives_of(program) == []
    assert [launch.COLLECTIVES.of(s.eqn) is not None for s in sites.sites(program)].count(True) == 1


def test_primitives_of_msjax_are_looked_into():
    from msjax.ops.conv import kernels

    x, w = jnp.ones((2, 16, 20, 20), jnp.float32), jnp.ones((16, 16, 3, 3), jnp.float32)
    program = jax.make_jaxpr(lambda x, w: kernels._large(x, w, (1, 1), ((1, 1), (1, 1)), (1, 1), 1))(x, w)
    assert [eqn.primitive.name for eqn in program.jaxpr.eqns] == ["convolution_large"]
    assert counting.operations(program) == (2 * 2 * 16 * 400 * 144,) * 2


def test_links_tell_makers_and_users():
    def program(x, y):
        a = x * y
        return a + jnp.sum(a), y

    jaxpr = jax.make_jaxpr(program)(jnp.ones(2), jnp.ones(2)).jaxpr
    links = Links(jaxpr)
    x, y = jaxpr.invars
    product, total, last = range(3)
    assert links.taken[y] == [product, len(jaxpr.eqns)] and links.maker(x) is None and links.equation(y) is None
    assert links.maker(jaxpr.outvars[0]) == last and links.equation(jaxpr.eqns[last].invars[1]) is jaxpr.eqns[total]
    assert links.sources(last) == {product, total} and links.behind([total]) == {product, total}
    assert sorted(links.users(product)) == [total, last] and links.users(last) == [len(jaxpr.eqns)]


def test_values_take_rows_out_when_they_are_read():
    closed = jax.make_jaxpr(lambda x, y: x * 2 + y)(jnp.ones(2), jnp.ones(2))
    values = Values(closed, [None, jnp.array([1.0, 1.0])])
    values.rows[closed.jaxpr.invars[0]] = jnp.array([[5.0, 6.0], [7.0, 8.0]]), 1
    assert closed.jaxpr.invars[0] not in values
    values.run(closed.jaxpr.eqns)
    assert values.read(closed.jaxpr.outvars[0]).tolist() == [15.0, 17.0] and closed.jaxpr.invars[0] in values


def test_notes_of_automatic_meshes_are_left_out_of_what_is_compared():
    closed = jax.make_jaxpr(lambda x: lax.broadcast(x, (2,)))(jnp.ones(3))

    def left_of(kind):  # of a mesh as JAX 0.8 notes it in some broadcasts
        note = NamedSharding(AbstractMesh((4,), ("axis0",), axis_types=(kind,)), PartitionSpec())
        noted = edited(closed, lambda eqn: [eqn.replace(params=eqn.params | {"sharding": note})])
        assert noted.eqns[0].params["sharding"] is note
        return without_automatic_meshes(noted).eqns[0].params["sharding"]

    assert left_of(AxisType.Auto) is None and left_of(AxisType.Manual) is not None
