"""Compiled programs kept between runs, in JAX's persistent cache: a folder of the user's, bounded, shared by processes.

Under `python -m msjax` there is one; `import msjax` in a host's process starts none, for JAX has one for all of a process: there
`MSJAX_CACHE_DIR` or `set_context(enable_compile_cache=True)` asks for it. `MSJAX_CACHE_DIR` names another folder, or none if it is empty;
`set_context(enable_compile_cache=False)` turns the cache off, and a `JAX_COMPILATION_CACHE_DIR` of the user's own is left alone. Entries
are keyed by program, compiler options and versions; the folder's name holds the processor's abilities besides, because code for one
processor may not run on another.
"""

import atexit
import contextlib
import hashlib
import os
import pathlib
import platform
import stat
import time
import zlib

import jax

from ... import log

BOUND = 1 << 30  # bytes in the user's folder; the programs used longest ago go first
_ENDINGS = ("-cache", "-atime")  # of the names of entries
_ZSTANDARD = bytes.fromhex("28b52ffd")  # how an entry starts that JAX compressed so; others are zlib's


def default_folder():
    """The folder of this user and processor, or None if caching is off or the folder cannot be written."""
    named = os.environ.get("MSJAX_CACHE_DIR")
    if named == "":
        return None
    home = pathlib.Path(named or os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    if not named:
        home = home / "msjax"
    existing = next((p for p in (home, *home.parents) if p.exists()), None)
    if existing is None or not existing.is_dir() or not os.access(existing, os.W_OK):
        return None
    return home.absolute() / f"programs-{_processor()}"


def _processor():
    """A short hash of the processor's kind and instruction sets."""
    abilities = platform.machine()
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as lines:
        abilities += next((line for line in lines if line.lower().startswith(("flags", "features"))), "")
    return hashlib.sha256(abilities.encode()).hexdigest()[:12]


def start():
    """Use the user's folder, unless the user has chosen another one for JAX."""
    if jax.config.jax_compilation_cache_dir is None and (folder := default_folder()) is not None and own(folder):
        _configure(folder)
        atexit.register(tidy, folder)


def own(folder: str):
    """Whether programs may be kept in a folder and loaded from it: they are machine code, so only this user may be able
    to write there.

    The folder is made if it is not there, and closed to others. What another user has put into it, or could have changed, is removed. Where
    that fails, or the folder is another user's, the answer is no, with a warning that says why.
    """
    folder = pathlib.Path(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not hasattr(os, "getuid"):  # Windows: its folders of users belong to them
            return True
        status = folder.stat()
        if status.st_uid != os.getuid():
            log.warning(f"No compiled programs are kept: the folder {folder} belongs to another user.")
            return False
        mode = stat.S_IMODE(status.st_mode)
        if mode & 0o077:
            folder.chmod(0o700)
        with os.scandir(folder) as entries:
            foreign = [e.path for e in entries if e.name.endswith(_ENDINGS) and _is_foreign(e, mode)]
        for path in foreign:
            os.unlink(path)
    except OSError as error:
        log.warning(f"No compiled programs are kept: {error}")
        return False
    return True


def _is_foreign(entry, mode):
    """Whether somebody else owns an entry, or could have changed it in a folder of this mode, or it is a link."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False  # another process has removed it
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid() or mode & 0o022:
        return True
    return bool(mode & 0o011 and stat.S_IMODE(status.st_mode) & 0o022)


def use(folder: str):
    """Keep programs in `folder` from now on, if only this user can write there; None: keep none."""
    folder = folder if folder is None or own(folder) else None
    from jax.experimental.compilation_cache import compilation_cache

    _configure(folder)
    compilation_cache.reset_cache()  # JAX has looked at the setting once, when it first compiled


def _configure(folder):
    jax.config.update("jax_compilation_cache_dir", None if folder is None else str(folder))
    # also the many small programs of eager code: together they are the first step
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)


def tidy(folder: str, bound: int = BOUND):
    """Remove unfinished entries of killed processes, and the least recently used ones while the folder is larger than
    `bound` bytes.

    A file that another process removes at the same time is no error, and one that it reads stays readable.
    """
    checked = pathlib.Path(folder) / "checked"
    with contextlib.suppress(OSError):
        last = checked.stat().st_mtime if checked.exists() else 0.0
        if pathlib.Path(folder).stat().st_mtime <= last:
            return  # nothing came or went since: most processes end without a look at each entry
        now, entries = time.time(), []
        for entry in pathlib.Path(folder).glob("*-cache"):
            with contextlib.suppress(OSError):
                status = entry.stat()
                if last <= status.st_mtime < now - 60 and not _whole(entry.read_bytes()):
                    entry.unlink()
                    continue
                entries.append((max(status.st_atime, status.st_mtime), status.st_size, entry))
        total = sum(size for _, size, _ in entries)
        for _, size, entry in sorted(entries, key=lambda e: e[0]):
            if total <= bound:
                break
            total -= size
            with contextlib.suppress(OSError):
                entry.unlink()
        checked.touch()
        os.utime(checked, (now - 60, now - 60))  # younger ones are looked at by the next process


def _whole(content):
    """Whether an entry was written to its end."""
    if content.startswith(_ZSTANDARD):
        return True
    try:
        zlib.decompress(content)
    except zlib.error:
        return False
    return True
