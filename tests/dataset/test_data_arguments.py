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
    expected = cases_constructors.asked(golden_files.read("data_arguments")[name], cases.VALUES, TITLES)
    assert cases_constructors.letters_of(cases.outcomes(name, TITLES), expected) == expected


def test_what_is_taken_here_alone_has_a_reason():
    found = cases_constructors.taken_here(golden_files.read("data_arguments"), cases.VALUES)
    assert [one for one in found if not {one[2], one[1], one[:2]} & set(cases.TAKEN_HERE)] == []
