"""The operations of `mindspore.dataset.audio`, by name."""

from .effects import *  # noqa: F403
from .features import *  # noqa: F403
from .filters import *  # noqa: F403
from .frames import *  # noqa: F403
from .masking import *  # noqa: F403
from .modulation import *  # noqa: F403
from .resample import *  # noqa: F403
from .spectral import *  # noqa: F403
from .utils import *  # noqa: F403
from .vad import *  # noqa: F403
