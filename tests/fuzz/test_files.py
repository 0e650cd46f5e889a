"""A sample of the fuzzer of files: of every format a few changed files."""

import files
import pytest
from file_loaders import LOADERS


@pytest.fixture(scope="module")
def others():
    return [b"\x80\x04\x95" + bytes(200), b"PK\x03\x04" * 30, b'{"a": [1, 2, {"b": null}]}', bytes(range(256))]


@pytest.mark.parametrize("which", range(len(LOADERS)), ids=[loader.name for loader in LOADERS])
def test_changed_files(which, others):
    reading = files.Reading(LOADERS[which], others)
    try:
        for number in range(4):
            verdict, details = reading.case(f"sample {which} {number}")
            assert verdict in files.FINE, details
    finally:
        reading.close()
