"""Sub-commands that run a script: which arguments are theirs and which the script's, and the start of the script."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence


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


def start(script: str, args: Sequence[str]) -> Callable[[], object]:
    """A function that runs a script under the alias, as `python -m msjax SCRIPT ARGS`."""
    from msjax.alias import script as launcher
    from msjax.alias.finder import install

    install()
    return lambda: launcher.run_file(script, args)
