"""Large arrays in huge pages, for processes of `python -m msjax` on Linux.

XLA takes memory for each large array of eager code, and for the temporaries of each compiled step, from the C library, and gives it back
afterwards. With pages of 4 KiB the kernel then clears and maps 50,000 pages for 200 MB, in each step: half of the processor time of a step of
PYNATIVE_MODE over arrays of 32 MB. With pages of 2 MiB, as NumPy asks for its own arrays, it is 2 % of that, and no more memory is held. The C
library asks for them where the variable GLIBC_TUNABLES says so when the process starts, so the process starts itself anew with that
variable, before anything else is imported (20 ms). A host process, in which msjax is imported, is left as it is; there the user may set it.

MSJAX_HUGE_PAGES=0, or a GLIBC_TUNABLES of one's own, prevents it.
"""

import os
import pathlib
import sys
from collections.abc import Mapping, Sequence

TUNABLE = "glibc.malloc.hugetlb=1"
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")  # options of Python that are followed by a word
_KERNEL = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


def is_own(arguments: Sequence[str]):
    """Whether a command line of Python starts msjax itself: `python -m msjax`, or the installed command.

    Example:
        >>> from msjax.huge_pages import is_own
        >>> is_own(["python", "-X", "dev", "-m", "msjax", "train.py"]), is_own(["python", "train.py"])
        (True, False)
    """
    words = iter(arguments[1:])
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif word == "-m":
            return next(words, None) == "msjax"
        elif word.startswith("-m"):
            return word[2:] == "msjax"
        elif not word.startswith("-") or word in ("-", "-c"):
            return pathlib.PurePath(word).name == "msjax"
    return False


def is_useful(environment: Mapping[str, str], kernel: str, library: str):
    """Whether the variable is to be set.

    Args:
        environment: The variables of the process.
        kernel: What the kernel says of huge pages, such as "always [madvise] never": with "always" there is nothing to ask for.
        library: The C library and its version, such as "glibc 2.36".
    """
    name, _, version = library.partition(" ")
    if environment.get("MSJAX_HUGE_PAGES") == "0" or "GLIBC_TUNABLES" in environment or "[madvise]" not in kernel:
        return False
    return name == "glibc" and tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) >= (2, 35)


def ask():
    """Start the process anew with the variable, if it is msjax's own and that is of use. Does not return then."""
    if not sys.platform.startswith("linux") or not is_own(sys.orig_argv) or sys.gettrace() or sys.getprofile():
        return
    try:
        useful = is_useful(os.environ, _KERNEL.read_text(encoding="ascii"), os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (OSError, ValueError):
        return
    if useful and sys.executable:
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "GLIBC_TUNABLES": TUNABLE})


ask()
