"""What a release says of itself is said once, and alike."""

import importlib.util
import pathlib
import re
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def module_of(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_changelog_begins_with_the_version():
    versions = re.findall(
        r"^## \[([\d.]+)\] - (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert versions[0][0] == PROJECT["version"]
    assert [v for v, _ in versions] == sorted(
        (v for v, _ in versions), key=lambda v: [int(n) for n in v.split(".")], reverse=True
    )
    assert all(date == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", date) for _, date in versions)


def test_the_citation_is_of_this_version():
    found = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert found[1] == PROJECT["version"]


def test_the_oldest_versions_are_those_that_are_allowed():
    oldest = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8")
    for wanted in PROJECT["dependencies"]:
        name, least = re.match(r"([\w\-]+)>=([\d.]+)", wanted).groups()
        pinned = re.findall(rf"^{re.escape(name)}==([\d.]+)", oldest, re.MULTILINE)
        assert pinned and pinned[0].startswith(least), f"{name}: {least} is allowed, {pinned} is tested"


def test_each_supported_python_has_a_classifier():
    listed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert listed == ["3.11", "3.12", "3.13", "3.14"]


def test_every_claim_of_readme_is_a_figure_of_its_file():
    assert module_of("tools/status_page.py").main(["--check"]) == 0


def test_golden_means_that_a_recorded_value_is_compared():
    touched = module_of("tests/goldens/touched.py")
    assert touched.main(["--check"]) == 0
