"""Made by `python -m msjax stubs`: do not edit."""
from . import cifar10 as cifar10
from . import cifar100 as cifar100
from . import cifar100_to_mr as cifar100_to_mr
from . import cifar10_to_mr as cifar10_to_mr
from . import csv_to_mr as csv_to_mr
from . import imagenet_to_mr as imagenet_to_mr
from . import mnist_to_mr as mnist_to_mr
from . import tfrecord_to_mr as tfrecord_to_mr
from msjax import *
from msjax.mindrecord import *
from msjax.mindrecord.tools import *
