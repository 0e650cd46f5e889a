"""SECURITY.md is what the table of loaders gives, and the table knows each file of the package that reads files."""

import pathlib
import re

import security_page
from file_loaders import LOADERS

import msjax

PACKAGE = pathlib.Path(msjax.__file__).parent
# how Python reads what may lie in a file
READS = re.compile(
    r"pickle\.|marshal|np\.load\(|np\.fromfile|np\.memmap|json\.load|sqlite3|zipfile|gzip\.|zlib\.decompress|loadmat|"
    r"\bopen\([^)\n]*(?:\"r|encoding)|\bopen\([^,()\n]*\)|read_bytes|read_text|runpy|(?<![.\w])(?:eval|exec)\(|__import__\("
)
# files that match and read nothing that a stranger may have sent: each with what it reads
OWN = {
    "this package's own tables": (
        "cli/inventory.py", "cli/conformance.py", "cli/matrix.py", "cli/stubs.py", "cli/documented.py", "unsupported/inner.py",
        "core/operators/argument_kinds.py", "core/operators/operand_types.py", "core/operators/primitive_settings.py",
        "cli/new_op.py", "cli/result_types.py", "cli/stub_text.py", "core/spec/texts.py", "train/weights/families.py", "planning/findings.py",
    ),
    "programs that the user starts": (
        "alias/script.py", "alias/finder.py", "alias/children.py", "alias/startup/sitecustomize.py", "cli/convert.py", "cli/scan.py", "cli/scripts.py",
        "cli/example_worker.py", "rewrite/generate.py", "rewrite/symbol_tree.py", "ops/custom/custom.py", "huge_pages.py",
    ),
    "source made by this package": (
        "core/operators/faces.py", "ops/activation/in_place.py", "ops/random/sampling.py", "ops/state/in_place.py",
    ),
    "compiled programs of the same user, whose owner is checked": ("core/settings/compile_cache.py",),
    "messages of the run, with its token": ("parallel/store.py", "parallel/object_lists.py"),
    "bodies of requests, as JSON within a bound": ("serving/bodies.py",),
    "worker processes that this process started": ("dataset/engine/processes.py", "dataset/engine/worker_main.py"),
    "what it has written itself, or only writes": (
        "train/profiler.py", "train/callback/recovery.py", "dataset/engine/dataset.py", "train/callback/checkpoint.py", "cli/run.py", "cli/plot.py",
    ),
    "lines and bytes of files for the caller": (
        "dataset/utils/line_reader.py", "dataset/vision/files.py", "dataset/vision/video.py",
        "parallel/execution_order.py", "cli/configuration.py", "core/settings/speed_up.py",
    ),
}  # fmt: skip


def reading():
    """Files of the package that read files."""
    return {str(p.relative_to(PACKAGE)) for p in PACKAGE.rglob("*.py") if READS.search(_code(p.read_text()))}


def _code(text):
    """The text without comments, doc strings and examples."""
    return re.sub(r"def eval\(|def exec\(", "", re.sub(r'"""(?:.|\n)*?"""|#.*', "", text))


def test_the_page_is_made_from_the_table():
    page = security_page.ROOT / "SECURITY.md"
    assert page.read_text(encoding="utf-8") == security_page.page(), "run: python tests/trust/security_page.py"


def test_each_file_that_reads_is_in_the_table():
    known = {module for loader in LOADERS for module in loader.modules} | {
        name for names in OWN.values() for name in names
    }
    assert sorted(reading() - known) == [], "give it a row in tests/file_loaders.py, or say in OWN what it reads"


def test_each_file_of_the_table_is_there():
    named = {module for loader in LOADERS for module in loader.modules}
    assert [name for name in sorted(named) if not (PACKAGE / name).exists()] == []
