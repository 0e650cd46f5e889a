"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.transforms.c_transforms import *
from msjax.dataset.transforms import Compose as Compose
from msjax.dataset.transforms import Concatenate as Concatenate
from msjax.dataset.transforms import Duplicate as Duplicate
from msjax.dataset.transforms import Fill as Fill
from msjax.dataset.transforms import Mask as Mask
from msjax.dataset.transforms import OneHot as OneHot
from msjax.dataset.transforms import PadEnd as PadEnd
from msjax.dataset.transforms import Plugin as Plugin
from msjax.dataset.transforms import RandomApply as RandomApply
from msjax.dataset.transforms import RandomChoice as RandomChoice
from msjax.dataset.transforms import Relational as Relational
from msjax.dataset.transforms import Slice as Slice
from msjax.dataset.transforms import TypeCast as TypeCast
from msjax.dataset.transforms import Unique as Unique
