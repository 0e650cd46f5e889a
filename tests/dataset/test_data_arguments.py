"""Which values transforms, sources, samplers and operations of datasets take, and what they raise for others, as MindSpore does."""

import os

import cases_constructors
import cases_data_arguments as cases
import golden_files
import pytest

# Of the others, one at least is refused by most annotations; MSJAX_TEST_ALL=1 asks all.
TITLES = tuple(cases.VALUES) if os.environ.get("MSJAX_TEST_ALL") else ("text", "minus", "falling pair")


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("data_arguments"))
    cases.files()
    yield
    os.chdir(before)


@pytest.mark.parametrize("name", golden_files.read("data_arguments"))
def test_arguments_are_taken_and_refused_as_by_mindspore(name):
    rows = golden_files.read("data_arguments")[name]
    expected = {
        (argument, title): letter
        for argument, row in rows.items()
        for title, letter in zip(cases.VALUES, row, strict=True)
        if title in TITLES and letter not in cases_constructors.DIFFERENCES
    }
    found = cases.outcomes(name, TITLES)
    letters = cases_constructors.LETTERS
    assert {key: letters.get(found[key[0]][key[1]], found[key[0]][key[1]]) for key in expected} == expected


def test_what_is_taken_here_alone_has_a_reason():
    without = [
        (name, argument, title)
        for name, rows in golden_files.read("data_arguments").items()
        for argument, row in rows.items()
        for title, letter in zip(cases.VALUES, row, strict=True)
        if letter == "m" and not {title, argument, (name, argument)} & set(cases.TAKEN_HERE)
    ]
    assert without == []
