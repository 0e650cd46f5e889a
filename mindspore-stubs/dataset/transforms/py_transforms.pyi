"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.transforms import Compose as Compose
from msjax.dataset.transforms import RandomApply as RandomApply
from msjax.dataset.transforms import RandomChoice as RandomChoice
from msjax.dataset.transforms import RandomOrder as RandomOrder
from msjax.dataset.transforms import not_random as not_random
from msjax.dataset.transforms.py_transforms import *
from msjax.dataset.transforms import Compose as Compose
from msjax.dataset.transforms import RandomApply as RandomApply
from msjax.dataset.transforms import RandomChoice as RandomChoice
from msjax.dataset.transforms import RandomOrder as RandomOrder
from msjax.dataset.transforms import not_random as not_random
