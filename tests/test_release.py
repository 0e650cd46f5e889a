"""What a release says of itself is said once, and alike."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
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


def test_what_the_tests_import_comes_with_them():
    """A venv of Python 3.12 or newer has no setuptools, which setup.py imports."""
    wanted = {re.match(r"[\w-]+", name)[0] for name in PROJECT["optional-dependencies"]["test"]}
    assert {"pytest", "hypothesis", "setuptools"} <= wanted


def test_readme_of_a_package_index_has_no_link_into_the_repository():
    setup, readme = module_of("setup.py"), (ROOT / "README.md").read_text(encoding="utf-8")
    there = setup.repository({"GITHUB_SERVER_URL": "https://host.example", "GITHUB_REPOSITORY": "who/msjax"})
    for address in (there, setup.repository({})):
        shown = setup.description(readme, address, "v1.0")
        assert not re.findall(r"\]\((?!https://)", shown)
        assert (f"]({there}/blob/v1.0/docs/status.md)" in shown) == (address is not None)
        assert (f"]({there}/raw/v1.0/docs/lenet.png)" in shown) == (address is not None)
        assert "docs/status.md" in shown and "python -m msjax train.py" in shown
    assert setup.addresses(there)["Issues"] == "https://host.example/who/msjax/issues" and setup.addresses(None) == {}


def test_every_claim_of_readme_is_a_figure_of_its_file():
    assert module_of("tools/status_page.py").main(["--check"]) == 0


def test_the_first_example_runs_where_it_is_copied(tmp_path):
    shutil.copy(ROOT / "examples" / "lenet.py", tmp_path)
    data = str(ROOT / "examples" / "data" / "mnist")
    command = [sys.executable, "-m", "msjax", "lenet.py", "--epochs", "1", "--data", data]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert "accuracy on 1000 test digits" in ran.stdout and (tmp_path / "lenet_out" / "lenet.ckpt").exists()


def test_golden_means_that_a_recorded_value_is_compared():
    touched = module_of("tests/goldens/touched.py")
    assert touched.main(["--check"]) == 0
