"""Made by `python -m msjax stubs`: do not edit."""
from . import browse_dataset as browse_dataset
from . import line_reader as line_reader
from msjax.dataset import LineReader as LineReader
from msjax.dataset.utils import *
from msjax.dataset import LineReader as LineReader
from . import browse_dataset as browse_dataset
from . import line_reader as line_reader
