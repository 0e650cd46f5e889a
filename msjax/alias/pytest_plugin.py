"""`pytest -p msjax`: a repository's own tests run on msjax, unchanged, also under xdist."""

from __future__ import annotations

import os
from typing import Any

import pytest

from msjax.alias import children, old_names, tracebacks
from msjax.alias.finder import install


def pytest_addoption(parser: Any) -> None:
    """The first hook that pytest calls, before it loads any conftest.py: switch the alias on, here and in xdist's workers."""
    install()
    old_names.give_back()
    children.inherit(script=True)
    plugins = [name for name in os.environ.get("PYTEST_PLUGINS", "").split(",") if name]
    if __name__ not in plugins:
        os.environ["PYTEST_PLUGINS"] = ",".join(
            [*plugins, __name__]
        )  # a worker reads this before its first conftest.py


def pytest_report_header(config: Any) -> str:
    """Report the MindSpore API and the JAX version that the tests run with."""
    import jax

    from msjax.alias.finder import VERSION

    return f"msjax: mindspore is msjax (API of {VERSION}) on jax {jax.__version__}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: Any, call: Any):
    """Show only the user's frames."""
    if call.excinfo is not None and not tracebacks.wants_all():
        error = tracebacks.tidy(call.excinfo.value)
        call.excinfo = pytest.ExceptionInfo.from_exception(error)
    return (yield)
