"""Sub-commands that run users' code: which arguments are theirs and which a script's, the start of a script, and what `FILE.py:NAME` names."""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import runpy
import sys
from collections.abc import Callable, Sequence
from typing import Any

from msjax.core.hints import nearest


def split_arguments(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> tuple[argparse.Namespace, list[str]]:
    """(the sub-command's own arguments, those of the script)

    Options that the parser has are the sub-command's, before and after the script; all others, and whatever follows `--`, are the script's.

    Example:
        >>> import argparse
        >>> from msjax.cli.scripts import split_arguments
        >>> parser = argparse.ArgumentParser(prog="msjax plan")
        >>> _ = parser.add_argument("script"), parser.add_argument("--topology")
        >>> split_arguments(parser, ["train.py", "--lr", "0.1", "--topology", "v5e:4x4", "--", "--topology", "ring"])
        (Namespace(script='train.py', topology='v5e:4x4'), ['--lr', '0.1', '--topology', 'ring'])
    """
    parser.allow_abbrev = False  # `--top` may be an option of the script
    argv = list(sys.argv[1:] if argv is None else argv)
    end = argv.index("--") if "--" in argv else len(argv)
    given, rest = parser.parse_known_args(argv[:end])
    return given, rest + argv[end + 1 :]


def script_arguments(parser: argparse.ArgumentParser, argv: Sequence[str] | None):
    """`split_arguments` of a sub-command whose one positional argument is the script, which must be there (exit code 2 if not)."""
    parser.add_argument("script", help="the script; options that are not listed here, and all after --, are its own")
    given, rest = split_arguments(parser, argv)
    if not os.path.exists(given.script):
        parser.error(f"there is no {given.script}")
    return given, rest


def start(script: str, args: Sequence[str]) -> Callable[[], object]:
    """A function that runs a script under the alias, as `python -m msjax SCRIPT ARGS`."""
    from msjax.alias import script as launcher
    from msjax.alias.finder import install

    install()
    return lambda: launcher.run_file(script, args)


class NotNamed(ValueError):
    """A place that names nothing: no such file, module, class or function."""


def named(place: str) -> Any:
    """What `FILE.py:NAME` or `MODULE:NAME` names: a class or a function of the user's.

    Raises:
        NotNamed: If there is no such file, module or name.

    Example:
        >>> from msjax.cli.scripts import named
        >>> named("no_net.py:Net")
        Traceback (most recent call last):
        msjax.cli.scripts.NotNamed: There is no file no_net.py.
    """
    source, _, name = place.rpartition(":")
    if not source or not name:
        raise NotNamed(f"A class or function is named as FILE.py:NAME, but got {place}.")
    if source.endswith(".py"):
        if not os.path.exists(source):
            raise NotNamed(f"There is no file {source}.")
        sys.path.insert(0, str(pathlib.Path(source).resolve().parent))  # its neighbours are imported, as from a script
        found = runpy.run_path(source, run_name="__msjax__")
    else:
        sys.path.insert(0, os.getcwd())
        if importlib.util.find_spec(source.partition(".")[0]) is None:
            raise NotNamed(
                f"There is no module {source}"
                + (f"; {source}.py is a file" if os.path.exists(f"{source}.py") else "")
                + "."
            )
        found = vars(importlib.import_module(source))
    if not callable(found.get(name)):
        near = nearest(name, (other for other, value in found.items() if callable(value)))
        raise NotNamed(f"{source} has no class or function '{name}'." + (f" Did you mean '{near}'?" if near else ""))
    return found[name]
