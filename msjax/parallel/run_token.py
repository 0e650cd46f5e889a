"""The secret that the processes of a run share: who has it may speak to the run's services, nobody else.

The launcher makes a new one for each run on one machine and hands it to the processes in their environment (`MSJAX_RUN_TOKEN`). Where no
launcher of ours is (MPI, SLURM, several machines), it is the text of a file in the user's home, made once, which only the user may read.
"""

import hashlib
import hmac
import os
import pathlib
import secrets
import stat
from typing import Any

__all__ = ["NAME", "new_token", "run_token", "sign", "signed"]
NAME = "MSJAX_RUN_TOKEN"
_DIGEST = hashlib.sha256
SIGNATURE_BYTES = _DIGEST().digest_size
_LEAST = 16  # characters


def new_token():
    """A token for one run."""
    return secrets.token_hex(32)


def run_token(environment: Any = os.environ):
    """The token of this run, bytes.

    Raises:
        RuntimeError: it is too short, or its file may be read or was written by somebody else.
    """
    told = environment.get(NAME)
    if told is None:
        told = _of_file(
            pathlib.Path(environment.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "msjax" / "token"
        )
    if len(told) < _LEAST:
        raise RuntimeError(
            f"the token of the run has {len(told)} characters: give {NAME} at least {_LEAST}, chosen at random."
        )
    return told.encode()


def _of_file(path):
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w") as file:
            file.write(new_token())
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle) as file:
        status = os.fstat(file.fileno())
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077):
            raise RuntimeError(
                f"{path} must be a file that you own and nobody else may read (chmod 600), or set {NAME}."
            )
        return file.read(4096).strip()


def sign(token: bytes, *parts):
    """The signature of some bytes under a token; each part counts with its length."""
    made = hmac.new(token, digestmod=_DIGEST)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()


def signed(token: bytes, signature: bytes, *parts):
    """Whether a signature is the one of these bytes."""
    return hmac.compare_digest(signature, sign(token, *parts))
