"""What pyproject.toml cannot say: README as a package index shows it, and the addresses of the repository that builds the package.

An index knows no file of the repository, so links and pictures name it in full. GitHub's workflows say which repository builds
(`GITHUB_SERVER_URL`, `GITHUB_REPOSITORY`, `GITHUB_REF_NAME`); elsewhere there is no address, so links become their text and pictures go.
"""

import os
import pathlib
import re

from setuptools import setup

_PICTURE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)\n?", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
_ELSEWHERE = ("https://", "http://", "mailto:", "#")


def repository(environment):
    """The address of the repository that builds, or None."""
    server, name = (environment.get(f"GITHUB_{what}") for what in ("SERVER_URL", "REPOSITORY"))
    return f"{server}/{name}" if server and name else None


def description(readme, address, ref):
    """README's text with links and pictures that lead to `ref` (a tag or branch) of the repository at `address`, or without any."""

    def picture(found):
        text, path = found.groups()
        if path.startswith(_ELSEWHERE):
            return found[0]
        return f"![{text}]({address}/raw/{ref}/{path})\n" if address else ""

    def link(found):
        text, path = found.groups()
        if path.startswith(_ELSEWHERE):
            return found[0]
        return f"[{text}]({address}/blob/{ref}/{path})" if address else text

    return _LINK.sub(link, _PICTURE.sub(picture, readme))


def addresses(address):
    """`project_urls` of the package."""
    if address is None:
        return {}
    return {
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Documentation": f"{address}/tree/HEAD/docs",
    }


if __name__ == "__main__":
    built = repository(os.environ)
    text = pathlib.Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    setup(
        long_description=description(text, built, os.environ.get("GITHUB_REF_NAME") or "HEAD"),
        long_description_content_type="text/markdown",
        project_urls=addresses(built),
    )
