"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.dataloader import *
from msjax.dataset.dataloader.distributed import *
