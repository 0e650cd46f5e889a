"""Rewriting changes nothing while conditions are concrete: modules of the standard library work as before."""

import argparse
import ast
import collections
import csv
import difflib
import fractions
import importlib.util
import io
import random
import sys
import textwrap
import types

import numpy as np
import pytest
from mindspore import Tensor

from msjax.core.trace.control_flow import convert, rewrite, runtime, statements


def rewritten(fn):
    code = rewrite.rewritten_code(fn.__code__, fn.__globals__)
    return fn if code is None else rewrite.function_like(fn, code, runtime)


def rewritten_module(name):
    """A private copy of a module in which every function and method is rewritten; also how many these are."""
    spec = importlib.util.find_spec(name)
    module = types.ModuleType(f"rewritten_{name}")
    module.__file__, module.__package__ = spec.origin, name.rpartition(".")[0]
    sys.modules[module.__name__] = module
    with open(spec.origin) as file:
        exec(compile(file.read(), spec.origin, "exec"), module.__dict__)
    seen = collections.Counter()

    def convert_all(namespace, put):
        for key, value in list(namespace.items()):
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                new = rewritten(value)
            elif isinstance(value, (staticmethod, classmethod)) and isinstance(value.__func__, types.FunctionType):
                new = type(value)(rewritten(value.__func__))
            elif isinstance(value, property):
                parts = (value.fget, value.fset, value.fdel)
                new = property(*[p and rewritten(p) for p in parts], value.__doc__)
            elif isinstance(value, type) and value.__module__ == module.__name__ and value not in seen:
                seen[value] = 1
                convert_all(vars(value), lambda k, n, cls=value: setattr(cls, k, n))
                continue
            else:
                continue
            seen["functions"] += new is not value
            put(key, new)

    convert_all(vars(module), vars(module).__setitem__)
    return module, seen["functions"]


TEXT = " ".join(random.Random(0).choices(["a", "bcd", "efghij", "kl-mn", "opq.", "rst   uvwxyz!"], k=120))
WORDS = random.Random(1).choices(["aa", "bb", "cc", "dd"], k=40)


def use_textwrap(m):
    return [m.wrap(TEXT, width, max_lines=5, placeholder="...", initial_indent="* ") for width in (20, 40)] + [
        m.fill(TEXT, 30, break_long_words=False, fix_sentence_endings=True),
        m.dedent("  a\n   b\n  c"),
        m.shorten(TEXT, 30),
    ]


def use_difflib(m):
    a, b = WORDS[:20], WORDS[15:]
    return [list(m.unified_diff(a, b)), list(m.ndiff(a, b)), m.get_close_matches("appel", ["ape", "apple", "peach"])]


def use_fractions(m):
    f = m.Fraction
    return [
        str(f("3/7") + f(2, 5)),
        str(f(0.1).limit_denominator(100)),
        str(f(3, 4) ** -2),
        f(1, 3) < 0.5,
        hash(f(1, 3)),
    ]


def use_argparse(m):
    parser = m.ArgumentParser(prog="x")
    parser.add_argument("a", type=int, nargs="+")
    parser.add_argument("--b", "-b", action="append", choices=["u", "v"])
    parser.add_mutually_exclusive_group().add_argument("-v", action="count", default=0)
    return [parser.format_help(), vars(parser.parse_args(["1", "2", "-b", "u", "-vv", "--b=v"]))]


def use_ast(m):
    tree = m.parse(
        "def f(a, *, b=1):\n for x in y:\n  if a and not b: return [i for i in x if i]\n else: return f'{a!r:>{b}}'\n"
    )
    return [m.unparse(tree), m.dump(tree, indent=1), m.literal_eval("{1: [2, (3, -4j)]}")]


def use_csv(m):
    out = io.StringIO()
    writer = m.DictWriter(out, ["a", "b"])
    writer.writeheader()
    writer.writerow({"a": 1, "b": "x,y"})
    return [out.getvalue(), m.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n").delimiter]


USES = {
    textwrap: use_textwrap,
    difflib: use_difflib,
    fractions: use_fractions,
    argparse: use_argparse,
    ast: use_ast,
    csv: use_csv,
}


@pytest.mark.parametrize("module", USES, ids=lambda m: m.__name__)
def test_rewritten_module_works_as_before(module):
    copy, functions = rewritten_module(module.__name__)
    assert functions > 10
    assert repr(USES[module](copy)) == repr(USES[module](module))


def test_every_jump_keeps_its_order():
    def fn(limit, log):
        for i in range(10):
            log.append(i)
            try:
                if i == limit:
                    break
                if i % 2:
                    continue
                log.append("even")
            finally:
                log.append("f")
        else:
            log.append("else")
        while True:
            limit -= 1
            if limit < 0:
                return log
            with io.StringIO() as out:
                if limit == 3:
                    return [out.closed, *log]

    for limit in (2, 5, 20):
        assert rewritten(fn)(limit, []) == fn(limit, [])


def test_broken_loop_leaves_the_iterator_alone():
    def fn(items):
        for i in items:
            if i > 2:
                break
        return list(items)

    assert rewritten(fn)(iter(range(6))) == [4, 5]


def test_what_is_left_alone():
    def sees_its_frame(x):
        return locals()

    def returns_in_finally(x):
        try:
            return 1
        finally:
            return 2  # noqa: B012

    namespace = {}
    exec("def no_source(x):\n    return x\n", namespace)
    for fn in (sees_its_frame, returns_in_finally, namespace["no_source"]):
        assert rewritten(fn) is fn
    for fn in (len, textwrap.wrap, np.tanh, Tensor, print):
        assert convert(fn) is fn


def test_lambdas_on_one_line_are_told_apart():
    first, second = (lambda x: x if x > 0 else "first"), (lambda x: x if x > 0 else "second")  # noqa: E731
    assert (rewritten(first)(-1), rewritten(second)(-1)) == ("first", "second")
    assert rewritten(first) is not first and rewritten(second) is not second


def test_annotated_and_declared_variables():
    def outer(flag):
        shared = 0

        def fn(value):
            nonlocal shared
            result: int = 0
            if value > 1:
                shared = value
                result: str = "large"
            return result

        return fn(flag), shared

    assert [rewritten(outer)(v) for v in (0, 5)] == [(0, 0), ("large", 5)]


def test_a_deep_chain_of_returns():
    lines = "".join(f"    if x == {i}:\n        return {i} * 2\n" for i in range(60))
    tree = ast.parse(f"def chain(x):\n{lines}    return -1\n").body[0]
    new = ast.fix_missing_locations(statements.Function().top(tree))
    namespace = {"cf__": runtime}
    exec(compile(ast.Module([new], []), "<chain>", "exec"), namespace)
    assert [namespace["chain"](v) for v in (0, 59, 60)] == [0, 118, -1]
