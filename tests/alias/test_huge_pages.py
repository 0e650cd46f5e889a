"""Large arrays in huge pages: who asks for them, and when."""

import os
import subprocess
import sys

import pytest

from msjax import huge_pages

CHOSEN = "always [madvise] never\n"


@pytest.mark.parametrize(
    "words, own",
    [
        (["-m", "msjax", "train.py"], True),
        (["-mmsjax", "train.py"], True),
        (["-W", "error", "-X", "dev", "-u", "-m", "msjax", "-c", "1"], True),
        (["/usr/bin/msjax", "run", "train.py"], True),
        (["-m", "pytest", "-m", "msjax"], False),
        (["-m", "msjax.dataset.engine.worker_main"], False),
        (["train.py", "-m", "msjax"], False),
        (["-c", "import msjax"], False),
        (["-"], False),
        ([], False),
    ],
)
def test_only_msjax_itself_starts_anew(words, own):
    assert huge_pages.is_own(["python", *words]) is own


@pytest.mark.parametrize(
    "environment, kernel, library, useful",
    [
        ({}, CHOSEN, "glibc 2.36", True),
        ({}, "[always] madvise never\n", "glibc 2.36", False),
        ({}, "always madvise [never]\n", "glibc 2.36", False),
        ({}, CHOSEN, "glibc 2.34", False),
        ({}, CHOSEN, "musl 1.2", False),
        ({}, CHOSEN, "", False),
        ({"MSJAX_HUGE_PAGES": "0"}, CHOSEN, "glibc 2.36", False),
        ({"GLIBC_TUNABLES": "glibc.malloc.check=1"}, CHOSEN, "glibc 2.36", False),
    ],
)
def test_it_is_asked_for_where_it_is_of_use(environment, kernel, library, useful):
    assert huge_pages.is_useful(environment, kernel, library) is useful


@pytest.mark.parametrize("prevented", [False, True])
def test_a_script_runs_with_it(prevented):
    environment = {k: v for k, v in os.environ.items() if k not in ("GLIBC_TUNABLES", "MSJAX_HUGE_PAGES")}
    environment |= {"MSJAX_HUGE_PAGES": "0"} if prevented else {}
    wanted = "None"
    if not prevented and sys.platform.startswith("linux") and huge_pages._KERNEL.exists():
        library = os.confstr("CS_GNU_LIBC_VERSION") or ""
        if huge_pages.is_useful(environment, huge_pages._KERNEL.read_text(), library):
            wanted = huge_pages.TUNABLE
    command = [sys.executable, "-m", "msjax", "-c", "import os; print(os.environ.get('GLIBC_TUNABLES'))"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.strip() == wanted
