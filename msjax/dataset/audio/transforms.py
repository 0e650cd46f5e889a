"""The operations of `mindspore.dataset.audio`, by name."""

from msjax.dataset.audio.effects import *  # noqa: F403
from msjax.dataset.audio.features import *  # noqa: F403
from msjax.dataset.audio.filters import *  # noqa: F403
from msjax.dataset.audio.frames import *  # noqa: F403
from msjax.dataset.audio.masking import *  # noqa: F403
from msjax.dataset.audio.modulation import *  # noqa: F403
from msjax.dataset.audio.resample import *  # noqa: F403
from msjax.dataset.audio.spectral import *  # noqa: F403
from msjax.dataset.audio.utils import *  # noqa: F403
from msjax.dataset.audio.vad import *  # noqa: F403
