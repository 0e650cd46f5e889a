"""The questions of lower floors to higher ones."""

import pathlib
import re

import pytest

import msjax
from msjax.core.above import Above, above

QUESTIONS = [name for name in vars(Above) if not name.startswith("_") and name != "answering"]


def test_an_answer_to_what_nobody_asks_is_refused():
    with pytest.raises(AttributeError, match="Nothing asks for 'plann'.*'plan'"):
        above.plann = lambda: None


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_is_asked_and_answered_once(name):
    files = [p for p in pathlib.Path(msjax.__file__).parent.rglob("*.py") if p.name != "above.py"]
    text = "\n".join(p.read_text() for p in files)
    assert len(re.findall(rf"above\.{name}\(", text)) >= 1
    assert len(re.findall(rf"_?above\.{name}\b[^(\n]*=", text)) == 1


def test_other_answers_hold_in_a_block_alone():
    before = above.plan
    with pytest.raises(RuntimeError), above.answering(plan=None):
        assert above.plan is None
        raise RuntimeError
    assert above.plan is before
