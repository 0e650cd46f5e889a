"""Made by `python -m msjax stubs`: do not edit."""
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
from . import py_transforms_util as py_transforms_util
from . import transforms as transforms
from . import validators as validators
from . import vision as vision
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.transforms import *
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
from . import py_transforms_util as py_transforms_util
from . import transforms as transforms
from . import validators as validators
from . import vision as vision
