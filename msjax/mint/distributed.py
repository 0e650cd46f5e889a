"""`mindspore.mint.distributed`: communication between processes; the functions of `parallel.process_groups`."""

from ..alias.names import MissingNames
from ..parallel import process_groups
from ..parallel.process_groups import *  # noqa: F403

__all__ = process_groups.__all__
__path__: list[str] = []  # `mindspore.mint.distributed.distributed` is a module too
__getattr__ = MissingNames(__name__)
