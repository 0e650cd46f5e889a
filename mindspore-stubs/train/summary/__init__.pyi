"""Made by `python -m msjax stubs`: do not edit."""
from . import _lineage_adapter as _lineage_adapter
from . import _summary_adapter as _summary_adapter
from . import enums as enums
from . import summary_record as summary_record
from . import writer as writer
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.summary.enums import *
from msjax.train.summary import *
