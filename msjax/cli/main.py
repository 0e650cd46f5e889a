"""The command line: `python -m msjax SCRIPT [args]`, and the sub-commands for people."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys

from msjax.alias import script
from msjax.alias.finder import VERSION
from msjax.core import host
from msjax.core.hints import nearest
from msjax.core.settings import compile_cache

USAGE = """\
usage: python -m msjax SCRIPT [args]      run a MindSpore script (a file, a folder or archive with __main__, or -)
       python -m msjax -m MODULE [args]   run a module
       python -m msjax -c CODE [args]     run a piece of code
       python -m msjax --devices all SCRIPT       what is compiled runs on all devices of this machine (or on N of them)
       python -m msjax --devices all --as-ranks SCRIPT   the same, and the script is told a rank for each device (full_batch)
       python -m msjax run --worker-num N SCRIPT   run a script in N processes, one a device, as msrun does
       python -m msjax LAUNCH.sh [args]   run a launch script, in which python and msrun are msjax's
       python -m msjax doctor             what is installed, which devices there are, what set_context means here
       python -m msjax scan PATH          which MindSpore names a project uses, and which of them msjax has
       python -m msjax plan SCRIPT --topology v5e:4x4   what a script's training step needs and takes on chips that are not here
       python -m msjax diff RUN SCRIPT    compare a script's run here with a recorded run of MindSpore, number by number
       python -m msjax conformance --wheel WHEEL   which documented examples of MindSpore give their output here
       python -m msjax info NAME          what a name of MindSpore is here: parameters, differences, source, example
       python -m msjax explain SCRIPT     run a script, then tell what was compiled, why again, and what it took
       python -m msjax new-op NAME        the skeleton of an operator (see CONTRIBUTING.md)
       python -m msjax record SCRIPT      record a run; --copy FILE writes the recorder for MindSpore
       python -m msjax convert A B        weights from one kind of file to another, PyTorch's included (--match NET.py:Class)
       python -m msjax serve NET.py:make   serve a network's text over HTTP, as OpenAI's clients ask for it
       python -m msjax plot FILE          draw the numbers of event files as a picture
       python -m msjax autostart          from then on `MSJAX=1 python SCRIPT` runs under msjax, in this installation
       python -m msjax --version
       python -m msjax matrix             write compat_matrix.md: every MindSpore name, and whether msjax has it
       python -m msjax stubs              write the .pyi files for editors

In all of them `import mindspore` means msjax. In a program: msjax.install() first. In a notebook: %load_ext msjax.
"""

# Sub-commands: each the `main(argv)` of the module of its name, loaded when it is called.
COMMANDS = (
    "autostart",
    "conformance",
    "convert",
    "diff",
    "doctor",
    "explain",
    "info",
    "matrix",
    "new-op",
    "plan",
    "plot",
    "record",
    "run",
    "scan",
    "serve",
    "stubs",
)


def installed_version() -> str | None:
    """The version of the installed package; None in a source tree."""
    try:
        return importlib.metadata.version("msjax")
    except importlib.metadata.PackageNotFoundError:
        return None


def main(argv: list[str]) -> int | None:
    """Run one command line.

    Args:
        argv: What stands after `python -m msjax`.

    Returns:
        The exit code of a sub-command; None after a script, whose own exit code holds.
    """
    if not argv or argv[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0 if argv else 2
    if argv[0] == "--devices" or argv[0].startswith("--devices="):
        return _with_devices(argv)
    if argv[0] == "--as-ranks":
        os.environ["MSJAX_AS_RANKS"] = "1"
        os.environ.setdefault("MSJAX_DEVICES", "all")
        return main(argv[1:])
    first, rest = argv[0], argv[1:]
    if first in ("-V", "--version"):
        print(f"msjax {installed_version() or '(source tree)'}, API of MindSpore {VERSION}")
        return 0
    for option, run in (("-m", script.run_module), ("-c", script.run_code)):
        # As python takes it: `-m name`, or `-mname`.
        if first == option and rest:
            return run(rest[0], rest[1:])
        if first.startswith(option) and first != option:
            return run(first[2:], rest)
    if first in COMMANDS:
        try:
            return importlib.import_module(f"msjax.cli.{first.replace('-', '_')}").main(rest)
        except BrokenPipeError:  # `msjax doctor | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    if first.startswith("-") and first != "-":
        sys.stderr.write(f"msjax: unknown option or missing argument: {first}\n{USAGE}")
        return 2
    if not os.path.exists(first) and "." not in first and (meant := nearest(first, COMMANDS)):
        sys.stderr.write(f"msjax: there is no command and no script '{first}'; did you mean '{meant}'?\n")
        return 2
    if first.endswith(".sh"):
        return importlib.import_module("msjax.cli.launch_script").main(argv)
    if os.environ.get("MS_NODE_ID", "0") == "0" and any(word.endswith((".yaml", ".yml")) for word in rest):
        importlib.import_module("msjax.cli.configuration").tell(rest)
    if os.environ.get("MSJAX_LAUNCHER"):
        return _run_as_worker(first, rest)
    return script.run_file(first, rest)


def _with_devices(argv: list[str]) -> int | None:
    """`--devices N ...`: run the rest of the command line with compiled functions on N devices."""
    count, rest = (argv[0].partition("=")[2], argv[1:]) if "=" in argv[0] else (argv[1] if argv[1:] else "", argv[2:])
    if not (count == "all" or count.isdigit()) or not rest:
        sys.stderr.write(f"msjax: --devices takes a number or 'all', and a script\n{USAGE}")
        return 2
    os.environ["MSJAX_DEVICES"] = count
    return main(rest)


def _run_as_worker(path: str, args: list[str]) -> None:
    """A script in one of the processes of `msjax run`: connected before it computes, and its end is told to the others."""
    processes = importlib.import_module("msjax.parallel.processes")
    processes.connect()
    try:
        script.run_file(path, args)
    except SystemExit as error:
        if error.code not in (None, 0):
            processes.fail(error)
        raise


def script_entry() -> None:
    """`python -m msjax`, and the installed command `msjax`: the process is msjax's own."""
    host.own()
    compile_cache.start()
    sys.exit(main(sys.argv[1:]))
