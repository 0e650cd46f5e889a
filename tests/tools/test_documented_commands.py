"""The commands that README and docs show are understood as they are written: each option that a sub-command has reaches it."""

import argparse
import importlib
import pathlib
import re
import shlex

import pytest

from msjax.cli.main import COMMANDS, USAGE

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands():
    """The arguments after `python -m msjax` of each command shown that is a sub-command's and has arguments."""
    text = "\n".join([USAGE, *(page.read_text() for page in PAGES)])
    found = set()
    for line in re.findall(r"python -m msjax ([a-z-]+(?: [^\n`&|;#]*)?)", text):
        words = re.split(r"\s{2,}|[\":,] |\.$", line)[0].strip().rstrip('",.:')
        if words.partition(" ")[0] in COMMANDS and " " in words:
            found.add(words)
    return sorted(found)


class Parsed(Exception):
    """(what the parser knows, its values, what it leaves)"""


@pytest.mark.parametrize("line", commands())
def test_a_documented_command_is_understood(line, monkeypatch):
    words = ["2" if word == "N" else word for word in shlex.split(line)]
    parse = argparse.ArgumentParser.parse_known_args

    def stop(parser, argv=None, namespace=None):
        given, rest = parse(parser, argv, namespace)
        raise Parsed(parser, given, rest)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", stop)
    with pytest.raises(Parsed) as told:
        importlib.import_module(f"msjax.cli.{words[0].replace('-', '_')}").main(words[1:])
    parser, given, rest = told.value.args
    for_script = [*rest, *(getattr(given, "args", None) or [])]
    lost = [word for word in for_script if word.partition("=")[0] in parser._option_string_actions]
    assert lost == [] and (not rest or "script" in given), f"{line}: {rest} reach no one"


def test_there_are_commands():
    assert len(commands()) > 30
