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
    rows = golden_files.read("constructors")[name]
    expected = {
        (argument, title): letter
        for argument, row in rows.items()
        for title, letter in zip(cases.VALUES, row, strict=True)
        if title in TITLES and letter not in cases.DIFFERENCES
    }
    found = cases.outcomes(name, TITLES)
    assert {key: cases.LETTERS.get(found[key[0]][key[1]], found[key[0]][key[1]]) for key in expected} == expected


def test_what_is_taken_here_alone_has_a_reason():
    without = [
        (name, argument, title)
        for name, rows in golden_files.read("constructors").items()
        for argument, row in rows.items()
        for title, letter in zip(cases.VALUES, row, strict=True)
        if letter == "m" and not {title, (name, argument)} & set(cases.TAKEN_HERE)
    ]
    assert without == []
