"""Makes SECURITY.md from the table of loaders: python tests/trust/security_page.py writes it, `test_security_page.py` compares."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "goldens"), str(ROOT)]

HEAD = """\
# Security

What msjax believes, and what it does not. `tests/trust` holds this page to the code: it is made from the table of loaders
(`python tests/trust/security_page.py`), each loader is handed what would run code, and `tests/fuzz/files.py` reads changed files of all.

## Files

A file names things from closed tables. Nothing is imported, looked up or run by a name that a file gives, no `eval`, no pickle but those
that are a format of somebody else's, which one restricted reader takes (`msjax/files/unpickling.py`). What is unpacked takes at most 4 times
the file and 256 MiB (`MSJAX_UNPACK_BYTES` sets another number for the 256 MiB); a picture has at most 89 million pixels
(`OPENCV_IO_MAX_IMAGE_PIXELS`). A refusal is MindSpore's exception with a text that says what was refused.

| file | read by | what it may decide |
|---|---|---|
"""

TAIL = """
Pictures are decoded by OpenCV and Pillow, videos by PyAV, MATLAB's files by SciPy, SentencePiece models and Orbax folders by their libraries:
what these libraries do with a damaged file is theirs to answer for. SciPy 1.17 crashes on some damaged MATLAB files (SVHN, Flowers102,
Caltech101, SBDataset): it reads them in a process of its own, whose memory has a bound and whose end is a RuntimeError that names the file.
Orbax folders can claim arrays of any size.

## What is trusted

| thing | why |
|---|---|
| scripts, `msjax convert --match NET.py`, functions given to a pipeline, plug-ins | they are programs that you start |
| compiled programs kept between runs | they are machine code. The folder and each entry must belong to the user, and nobody else may write \
there; else no program is kept or loaded |
| `RANK_TABLE_FILE`, `MS_*`, `RANK_*`, `MASTER_*`, `MSJAX_*` in the environment | who starts the process decides them |
| worker processes of a pipeline | they are started by this process and speak over a pair of sockets that nobody else holds (on Windows over \
a connection at 127.0.0.1 that begins with a secret); they pickle |
| encrypted checkpoints and record files | AES-GCM seals each frame; CBC modes only hide. Neither says that all frames are there |

## Network

| service | listens at | who may speak |
|---|---|---|
| the store of a run (`msjax run`, `communication.init`, `mint.distributed.TCPStore`) | \
the address that is asked, 127.0.0.1 by default; `MSJAX_BIND_ADDRESS` names another | \
who shows the token of the run, \
by an HMAC of a challenge in both directions. Messages are JSON lines with bounded sizes; what is not understood ends the connection; nothing is \
unpickled |
| text over HTTP (`msjax serve`) | 127.0.0.1; `--host` names another address | who reaches it, or who has the key of `--key-env`. Bodies are \
JSON of bounded size; tokens, waiting requests and connections have limits |
| the coordinator of `jax.distributed` | as the store | **anybody who reaches it**: it is JAX's, without authentication |
| collectives (Gloo, NCCL) | what these libraries choose | **anybody who reaches them**: without authentication or encryption |

The token is `MSJAX_RUN_TOKEN`. `msjax run` on one machine makes a new one for each run; otherwise it is the text of `~/.config/msjax/token`,
which is made once and only the user may read. Nothing on the wire is encrypted. Objects of `all_gather_object` and its relatives are pickles,
and are opened only with a signature by the token. So: several machines need a network of their own.

## Reporting

Open an issue that says that it is about security, without the details; they are asked for in private.
"""


def page():
    """The text of SECURITY.md."""
    from file_loaders import LOADERS

    rows = [loader for loader in LOADERS if not loader.name.startswith("Files of")]
    sources = [loader.name.removeprefix("Files of ") for loader in LOADERS if loader.name.startswith("Files of")]
    lines = [f"| {loader.name} | {code(loader.calls)} | {loader.decides} |\n" for loader in rows]
    lines.append(f"| Files of datasets | {', '.join(sources)} | Rows, texts, pictures, sounds. |\n")
    return HEAD + "".join(lines) + TAIL


def code(calls):
    """Names in the type of code."""
    return ", ".join(f"`{call}`" for call in re.split(r", (?![^(]*\))", calls))


if __name__ == "__main__":
    import msjax

    msjax.install()
    (ROOT / "SECURITY.md").write_text(page(), encoding="utf-8")
