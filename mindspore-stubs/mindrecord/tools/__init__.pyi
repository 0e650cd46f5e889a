"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.mindrecord import *
from msjax.mindrecord.tools import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from . import cifar10 as cifar10
from . import cifar100 as cifar100
from . import cifar100_to_mr as cifar100_to_mr
from . import cifar10_to_mr as cifar10_to_mr
from . import csv_to_mr as csv_to_mr
from . import imagenet_to_mr as imagenet_to_mr
from . import mnist_to_mr as mnist_to_mr
from . import tfrecord_to_mr as tfrecord_to_mr
