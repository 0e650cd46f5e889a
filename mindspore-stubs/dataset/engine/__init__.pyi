"""Made by `python -m msjax stubs`: do not edit."""
from . import cache_admin as cache_admin
from . import cache_client as cache_client
from . import datasets as datasets
from . import datasets_audio as datasets_audio
from . import datasets_standard_format as datasets_standard_format
from . import datasets_text as datasets_text
from . import datasets_user_defined as datasets_user_defined
from . import datasets_vision as datasets_vision
from . import graphdata as graphdata
from . import iterators as iterators
from . import obs as obs
from . import offload as offload
from . import queue as queue
from . import samplers as samplers
from . import serializer_deserializer as serializer_deserializer
from . import validators as validators
from msjax import *
from msjax.dataset import *
from msjax.dataset.engine import *
