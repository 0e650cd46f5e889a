"""Made by `python -m msjax stubs`: do not edit."""
from . import convert_utils as convert_utils
from . import dataset_helper as dataset_helper
from . import model_thor as model_thor
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.train_thor import *
