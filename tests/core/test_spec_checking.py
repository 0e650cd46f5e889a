"""Arguments against annotations: what fits, which exception is raised, and what it says."""

import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import msjax.nn
from msjax.core.spec.checking import Plan, allowed, checked
from msjax.core.spec.rules import (
    AnyCase,
    AsValue,
    Function,
    Given,
    Holding,
    Length,
    Like,
    NonEmpty,
    NonNegativeFloat,
    Pair,
    PositiveInt,
    PositiveReal,
    Rank,
    That,
    TypedPair,
    Within,
)


class Later:
    """A class that is named in annotations of functions above it as a text."""


@checked
def called(
    count: PositiveInt = 1,
    pair: Pair[PositiveInt] = 1,
    typed: TypedPair[int] = 1,
    word: Literal["a", "b", "c"] = "a",
    valued: AsValue[Literal["a"]] = "a",
    spelled: AnyCase[Literal["same", "valid"]] = "same",
    flag: bool = False,
    rate: NonNegativeFloat = 0.0,
    share: Annotated[float, Within("(0, 1]")] = 1.0,
    number: PositiveReal = 1,
    some: Annotated[tuple[int, ...] | list[int], Length(2, 4)] | None = None,
    least: Annotated[Sequence, Length(at_least=1)] = (1,),
    like: Like[int] = 1,
    near: Annotated[Like[float], Within("[0, 1]")] = 0.5,
    function: Function | None = None,
    *rest: str,
    odd: Annotated[int, That("that is odd", lambda value: value % 2)] = 1,
    ids: dict[str, NonNegativeFloat] | None = None,
    named: Given[str] = "a",
    nothing: Annotated[object, That("nothing", lambda value: not value, is_type=True)] = None,
    exact: Literal[1, 2] = 1,
    matrix: Annotated[np.ndarray, Rank(2)] | None = None,
    image: Annotated[np.ndarray, Rank(at_least=2), Holding("uint8", "bool")] | None = None,
    row: Annotated[np.ndarray, Rank(at_most=1), Holding(but="bool")] | None = None,
    later: "Later | list[int] | None" = None,
    hidden: "ForTypeCheckers | None" = None,  # noqa: F821  imported for type checkers only
):
    return "ran"


TAKEN = {
    "count": [1, 2**70], "pair": [3, (1, 2)], "typed": [-1, (0, 0)], "word": ["c"], "valued": ["a"], "spelled": ["VALID", "Same"],
    "flag": [True], "rate": [0.0, np.float64(2)], "share": [1.0], "number": [3, 0.5], "some": [None, (1, 2), [1, 2, 3, 4]],
    "least": [[None], "x" and (1,)], "like": ["anything", None], "near": [True, np.float32(0.5), 1], "function": [len, None],
    "odd": [-1], "ids": [None, {}, {"a": 0.5}], "named": [""], "nothing": [0, (), None], "exact": [2],
    "matrix": [np.ones((1, 2))], "image": [np.ones((1, 2, 3), bool)], "row": [np.ones(2), np.ones(())], "later": [None, Later(), ["x"]],
    "hidden": ["anything"],
}  # fmt: skip
REFUSED = [
    ("count", 0, ValueError, "an int >= 1, but got '0' with type 'int'"),
    ("count", True, TypeError, "an int >= 1, but got 'True' with type 'bool'"),
    ("count", np.int64(1), TypeError, "with type 'int64'"),
    ("count", 1.0, TypeError, "an int >= 1"),
    ("pair", (1, 0), ValueError, "an int >= 1 or a tuple of 2 items, each an int >= 1, but got '(1, 0)'"),
    ("pair", (1,), ValueError, "a tuple of 2 items"),
    ("pair", (1, "x"), TypeError, "each an int >= 1"),
    ("pair", [1, 2], TypeError, "with type 'list'"),
    ("typed", (1, 2, 3), TypeError, "a tuple of 2 items, each an int"),
    ("word", "d", ValueError, "one of 'a', 'b', 'c', but got 'd' with type 'str'"),
    ("word", 1, TypeError, "one of 'a', 'b', 'c'"),
    ("valued", 1, ValueError, "must be 'a', but got '1'"),
    ("spelled", "full", ValueError, "'same' or 'valid', but got 'full'"),
    ("flag", 1, TypeError, "a bool, but got '1' with type 'int'"),
    ("rate", -0.5, ValueError, "a float >= 0, but got '-0.5'"),
    ("rate", 0, TypeError, "a float >= 0"),
    ("rate", float("inf"), ValueError, "a float >= 0"),
    ("rate", float("nan"), ValueError, "a float >= 0"),
    ("share", 0.0, ValueError, "a float in (0, 1]"),
    ("number", 0, ValueError, "a number > 0"),
    ("number", "1", TypeError, "a number > 0"),
    (
        "some",
        (1, 2, 3),
        ValueError,
        "a tuple of 2 or 4 items, each an int or a list of 2 or 4 items, each an int or None",
    ),
    ("some", [1, 0.5], TypeError, "each an int"),
    ("least", [], ValueError, "a tuple or a list of at least 1 items"),
    ("near", 2, ValueError, "a number in [0, 1]"),
    ("near", "x", TypeError, "a number in [0, 1]"),
    ("function", 1, TypeError, "a function or None"),
    ("odd", 2, ValueError, "an int that is odd, but got '2'"),
    ("odd", "1", TypeError, "an int that is odd"),
    ("ids", {"a": -1.0}, ValueError, "a dict from a str to a float >= 0 or None"),
    ("ids", {1: 0.5}, TypeError, "a dict from a str"),
    ("ids", [1], TypeError, "a dict from a str"),
    ("named", None, ValueError, "a str, but got 'None'"),
    ("named", 1, TypeError, "a str"),
    ("nothing", 1, TypeError, "nothing, but got '1'"),
    ("exact", True, TypeError, "1 or 2"),
    (
        "matrix",
        np.ones(2),
        ValueError,
        "a NumPy array with 2 axes or None, but got a NumPy array of shape (2,) and float64",
    ),
    ("matrix", [[1]], TypeError, "a NumPy array with 2 axes"),
    (
        "image",
        np.ones((2, 2)),
        TypeError,
        "a NumPy array with at least 2 axes, of uint8 or bool or None, but got a NumPy array",
    ),
    ("image", np.ones(2, np.uint8), ValueError, "with at least 2 axes"),
    ("row", np.ones((1, 1)), ValueError, "with at most 1 axis, not of bool"),
    ("row", np.ones(2, bool), TypeError, "not of bool"),
    ("later", 1, TypeError, "a Later or a list or None, but got '1'"),
]


@pytest.mark.parametrize("name", TAKEN)
def test_what_fits_is_taken(name):
    assert [called(**{name: value}) for value in TAKEN[name]] == ["ran"] * len(TAKEN[name])


@pytest.mark.parametrize(("name", "value", "kind", "text"), REFUSED)
def test_what_does_not_fit_says_what_where_got_and_allowed(name, value, kind, text):
    with pytest.raises(kind) as caught:
        called(**{name: value})
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"For 'called', the '{name}' must be ") and text in str(caught.value)


def test_arguments_by_position_are_compared_too():
    with pytest.raises(ValueError, match="For 'called', the 'pair' must be"):
        called(1, (0, 1))


def test_the_plan_is_made_at_the_first_call():
    """Importing a module of a hundred layers reads no signature."""
    plans = []

    class Late:
        def __class_getitem__(cls, item):
            plans.append(item)
            return item

    @checked
    def function(x: Late[int] = 1):
        return x

    assert function.__closure__ is not None and plans == [int]
    assert all(
        cell.cell_contents is not None or name == "plan"
        for name, cell in zip(function.__code__.co_freevars, function.__closure__)
    )
    function(2)
    plan = dict(zip(function.__code__.co_freevars, function.__closure__))["plan"].cell_contents
    assert isinstance(plan, Plan) and list(plan.by_name) == ["x"]


def _checked_functions():
    for info in pkgutil.walk_packages(msjax.nn.__path__, "msjax.nn."):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            if getattr(value, "__module__", None) != info.name:
                continue
            function = vars(value).get("__init__") if isinstance(value, type) else value
            while function is not None and getattr(function, "__name__", "") != "":
                if getattr(function, "__qualname__", "") and getattr(function, "__code__", None) is called.__code__:
                    yield f"{info.name}.{value.__qualname__}", inspect.unwrap(function)
                    break
                function = getattr(function, "__wrapped__", None)


def test_defaults_fit_their_own_annotations():
    """Defaults are not compared when a function runs, so they are here."""
    wrong, count = [], 0
    for name, function in _checked_functions():
        rules = Plan(function).by_name
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in rules and parameter.default is not parameter.empty:
                count += 1
                if rules[parameter.name].misfit(parameter.default) is not None:
                    wrong.append(f"{name}({parameter})")
    assert wrong == [] and count > 200


def test_each_of_the_rest_is_compared():
    first = [1, 1, 1, "a", "a", "same", False, 0.0, 1.0, 1, None, (1,), 1, 0.5, None]
    assert called(*first, "a", "b") == "ran"
    with pytest.raises(TypeError, match="the 'rest' must be a str, but got '2'"):
        called(*first, "a", 2)


def test_the_call_is_judged_before_its_arguments():
    with pytest.raises(TypeError, match=r"called\(\) got an unexpected keyword argument 'unknown'"):
        called(0, unknown=1)


@pytest.mark.parametrize(
    "annotation, phrase",
    [
        (Annotated[np.ndarray, Length(at_least=2)], "a NumPy array of at least 2 items"),
        (Annotated[Any, Length(2)], "a sequence of 2 items"),
        (Annotated[dict, NonEmpty], "a dict of at least 1 items"),
        (Annotated[str, NonEmpty], "a str of at least 1 items"),
        (Annotated[list[int] | int, Length(2)], "a list of 2 items, each an int or an int"),
    ],
)
def test_lengths_are_told_of_what_has_one(annotation, phrase):
    assert allowed(annotation) == phrase


def test_a_long_value_is_cut_in_the_message():
    with pytest.raises(TypeError, match=r"got '\[0, 0, .{190,200}\.\.\.' with type 'list'"):
        called(count=[0] * 10_000)
