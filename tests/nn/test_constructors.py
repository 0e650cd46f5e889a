"""Which values constructors take, and what they raise for others, as MindSpore does."""

import os

import cases_constructors as cases
import golden_files
import pytest

# Of the others, one at least is refused by most annotations; MSJAX_TEST_ALL=1 asks all.
TITLES = tuple(cases.VALUES) if os.environ.get("MSJAX_TEST_ALL") else ("text", "minus", "triple")


@pytest.mark.parametrize("name", golden_files.read("constructors"))
def test_arguments_are_taken_and_refused_as_by_mindspore(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some constructors make folders
    expected = cases.asked(golden_files.read("constructors")[name], cases.VALUES, TITLES)
    assert cases.letters_of(cases.outcomes(name, TITLES), expected) == expected


def test_what_is_taken_here_alone_has_a_reason():
    found = cases.taken_here(golden_files.read("constructors"), cases.VALUES)
    assert [one for one in found if not {one[2], one[:2]} & set(cases.TAKEN_HERE)] == []
