"""The source tree of msjax, for the commands that write its files."""

import argparse
import pathlib

# the folder that msjax is imported from: the source tree, or where it was installed
ROOT = pathlib.Path(__file__).resolve().parents[2]


def need(parser: argparse.ArgumentParser, root: pathlib.Path = ROOT) -> None:
    """Ends the command, with exit code 2, where msjax was installed: its files are the installer's, and nothing may be left beside them.

    Raises:
        SystemExit: `root` is no source tree.
    """
    if not (root / "tests").is_dir() or not (root / "msjax").is_dir():
        parser.error(f"this is for the source tree of msjax; the one that runs is installed in {root}")
