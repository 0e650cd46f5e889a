"""The generator of networks with strategies; and some of its cases on eight devices of a process of their own."""

import itertools
import math
import os

import drive
import laid
import numpy as np
import pytest
import sides


def test_strategies_fit_eight_devices():
    for case in itertools.islice(laid.Generator("fit"), 200):
        for part in (*case["blocks"], case["head"]):
            assert 8 % math.prod(part["grid"]) == 0, case


def test_what_differs_is_seen():
    one = [["losses", [np.float32([1.0])]], ["Parameters", [np.ones(3, np.float32)]]]
    other = [one[0], ["Parameters", [np.float32([1.0, 1.1, 1.0])]]]
    for found, verdict in ((one, "equal"), (other, "value, Parameters"), ([["raise", "ValueError"]], "several raises")):
        ours = {"worst": laid.worst(one, found), "whole": []}
        assert laid.judge({}, {}, ours, drive.same) == verdict
    assert laid.in_too_few_parts({"parallel": {}}, {"a.w": [8, 8], "b.w": [4, 8]}, {"a.w": 2, "b.w": 2}) == [
        ["a.w", 8, 8]
    ]


@pytest.mark.skipif(not os.environ.get("MSJAX_TEST_ALL"), reason="a minute: set MSJAX_TEST_ALL=1")
def test_some_cases():
    with sides.Side(None, "laid", laid.LIMIT) as side:
        for case in itertools.islice(laid.Generator("some"), 4):
            assert laid.judge(case, {}, side.ask(case), drive.same) in laid.ALLOWED, case
