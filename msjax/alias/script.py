"""Runs a script, a module or a piece of code as `__main__`, as `python` itself would, with the alias switched on."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import linecache
import os
import pkgutil
import sys
from types import CodeType, ModuleType
from typing import NoReturn

from msjax.alias import children, old_names, tracebacks
from msjax.alias.finder import install


def run_file(path: str, args: list[str]) -> None:
    """`python PATH ARGS`: a source or .pyc file, a folder or zip file with a `__main__`, or `-` for standard input."""
    sys.argv[:] = [path, *args]
    if path == "-":
        _set_path0("")
        source = sys.stdin.buffer.read()
        _run(lambda: compile(source, "<stdin>", "exec", dont_inherit=True), _main(importlib.machinery.BuiltinImporter))
        return
    full = os.path.join(os.getcwd(), path)  # as python names it: absolute, not normalised
    importer = pkgutil.get_importer(full)
    if importer is not None:  # a folder or an archive
        _set_path0(full, always=True)
        spec = importer.find_spec("__main__")
        if spec is None:
            _leave(f"can't find '__main__' module in {full!r}")
        _run_found(spec)
        return
    _set_path0(os.path.dirname(os.path.realpath(path)))
    if path.endswith(".pyc"):
        loader = importlib.machinery.SourcelessFileLoader("__main__", full)
        _run(lambda: loader.get_code("__main__"), _main(loader, file=full))
        return
    try:
        with io.open_code(full) as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"{sys.executable}: can't open file {full!r}: [Errno {error.errno}] {error.strerror}\n")
        raise SystemExit(2) from None
    loader = importlib.machinery.SourceFileLoader("__main__", full)
    _run(lambda: compile(source, full, "exec", dont_inherit=True), _main(loader, file=full))


def run_module(name: str, args: list[str]) -> None:
    """`python -m NAME ARGS`."""
    sys.argv[:] = ["-m", *args]
    _set_path0(os.getcwd())  # where `python -m` has it, the installed command `msjax` not
    if name == "pytest":
        args = [
            "-p",
            "msjax.alias.pytest_plugin",
            *args,
        ]  # it loads the user's code in its own way, perhaps in other processes
    sys.argv[1:] = args
    _open_doors()  # finding the module imports its parent packages: the user's code
    try:
        spec = _find_module(name)
    except BaseException as error:
        _hide_our_frames(error)
        raise
    sys.argv[0] = spec.origin
    _run_found(spec)


def run_code(code: str, args: list[str]) -> None:
    """`python -c CODE ARGS`."""
    sys.argv[:] = ["-c", *args]
    _set_path0("")
    if sys.version_info >= (3, 13):  # from then on tracebacks show the lines of the code
        linecache.cache["<string>"] = len(code), None, code.splitlines(keepends=True), "<string>"
    _run(lambda: compile(code, "<string>", "exec", dont_inherit=True), _main(importlib.machinery.BuiltinImporter))


def _find_module(name: str) -> importlib.machinery.ModuleSpec:
    parent = name.rpartition(".")[0]
    try:
        if parent:
            __import__(parent)  # and not importlib.import_module, whose frames would show
    except ImportError as error:
        # A failing import inside the parent package is the user's error and shows as it is.
        if error.name is None or not f"{parent}.".startswith(f"{error.name}."):
            raise
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        _leave(f"Error while finding module specification for {name!r} ({type(error).__name__}: {error})")
    if spec is None:
        _leave(f"No module named {name}")
    if spec.submodule_search_locations is not None:
        main = importlib.util.find_spec(f"{name}.__main__")
        if main is None:
            _leave(f"No module named {name}.__main__; {name!r} is a package and cannot be directly executed")
        return main
    return spec


def _leave(message: str) -> NoReturn:
    sys.exit(f"{sys.executable}: {message}")


def _run_found(spec: importlib.machinery.ModuleSpec) -> None:
    main = _main(spec.loader, file=spec.origin, spec=spec)
    main.__package__ = spec.parent
    main.__cached__ = spec.cached
    _run(lambda: spec.loader.get_code(spec.name), main)


def _main(loader, file: str | None = None, spec=None) -> ModuleType:
    main = ModuleType("__main__")
    main.__loader__ = loader
    main.__spec__ = spec
    main.__builtins__ = sys.modules["builtins"]
    if file is not None:
        main.__file__ = file
        main.__cached__ = None
    return main


def _set_path0(folder: str, always: bool = False) -> None:
    """Put the script's folder where `python -m msjax` put the current one (nowhere under `python -P`)."""
    if not sys.flags.safe_path:
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _run(get_code, main: ModuleType) -> None:
    """Execute a script as `__main__`; its exceptions reach the interpreter without msjax's frames in the traceback.

    `runpy` is not used: it takes the module away again when the code ends, but threads, exit handlers and pickles of
    the script still need it.
    """
    _open_doors()
    sys.modules["__main__"] = main
    try:
        code: CodeType = get_code()
        exec(code, vars(main))
    except BaseException as error:
        _hide_our_frames(error)
        raise


def _open_doors() -> None:
    """The alias, here and in processes that the script starts, and the names that NumPy had when it was written."""
    install()
    old_names.give_back()
    children.inherit(script=True)


def _hide_our_frames(error: BaseException) -> None:
    """Have the interpreter print `error` without the frames of this runner, which it is about to pass through."""
    if not isinstance(error, SystemExit):
        tracebacks.install()  # again: the script may have set a hook of its own
