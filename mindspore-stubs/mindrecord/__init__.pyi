"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mindrecord import *
from . import common as common
from . import config as config
from . import core as core
from . import filereader as filereader
from . import filewriter as filewriter
from . import mindpage as mindpage
from . import tools as tools
