"""Record files: MindSpore's own format for datasets, written and read without MindSpore.

A record file is a header and pages of rows, with an SQLite index beside it (``<file>.db``). Files written by MindSpore
read here and the reverse.
"""

from .cifar import Cifar10, Cifar100
from .constants import (
    FAILED,
    MAX_HEADER_SIZE,
    MAX_PAGE_SIZE,
    MAX_SHARD_COUNT,
    MIN_HEADER_SIZE,
    MIN_PAGE_SIZE,
    MIN_SHARD_COUNT,
    SUCCESS,
    VALID_ARRAY_ATTRIBUTES,
    VALID_ATTRIBUTES,
    VALUE_TYPE_MAP,
    check_filename,
    check_parameter,
)
from .convert import Cifar10ToMR, Cifar100ToMR, CsvToMR, ImageNetToMR, MnistToMR, TFRecordToMR
from .crypt import set_dec_mode, set_enc_key, set_enc_mode
from .exceptions import *  # noqa: F403 - one class for each row of its table
from .page import MindPage
from .reader import FileReader, RecordSet
from .save import save_rows
from .writer import FileWriter

__all__ = [
    "FileWriter",
    "FileReader",
    "MindPage",
    "Cifar10ToMR",
    "Cifar100ToMR",
    "CsvToMR",
    "ImageNetToMR",
    "MnistToMR",
    "TFRecordToMR",
    "set_enc_key",
    "set_enc_mode",
    "set_dec_mode",
    "SUCCESS",
    "FAILED",
    "RecordSet",
    "save_rows",
]
