"""Options and fixtures of all tests."""
import pytest


def pytest_addoption(parser):
    parser.addoption("--mindspore-python", metavar="PYTHON",
                     help="a Python in which MindSpore 2.10 is installed: also run the tests that ask MindSpore itself")


@pytest.fixture(scope="session")
def mindspore_python(request):
    """The Python of MindSpore itself; a test that takes it is skipped without the option."""
    python = request.config.getoption("--mindspore-python")
    if not python:
        pytest.skip("asks MindSpore itself: needs --mindspore-python")
    return python
