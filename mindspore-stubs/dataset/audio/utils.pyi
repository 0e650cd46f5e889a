"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.audio import BorderType as BorderType
from msjax.dataset.audio import DensityFunction as DensityFunction
from msjax.dataset.audio import FadeShape as FadeShape
from msjax.dataset.audio import GainType as GainType
from msjax.dataset.audio import Interpolation as Interpolation
from msjax.dataset.audio import MelType as MelType
from msjax.dataset.audio import Modulation as Modulation
from msjax.dataset.audio import NormMode as NormMode
from msjax.dataset.audio import NormType as NormType
from msjax.dataset.audio import ResampleMethod as ResampleMethod
from msjax.dataset.audio import ScaleType as ScaleType
from msjax.dataset.audio import WindowType as WindowType
from msjax.dataset.audio.utils import _Name as _Name
from msjax.dataset.audio.utils import _SLANEY_BREAK as _SLANEY_BREAK
from msjax.dataset.audio.utils import _SLANEY_LOG as _SLANEY_LOG
from msjax.dataset.audio.utils import _SLANEY_STEP as _SLANEY_STEP
from msjax.dataset.audio.utils import _check_range as _check_range
from msjax.dataset.audio.utils import _to_hertz as _to_hertz
from msjax.dataset.audio.utils import _to_mel as _to_mel
from msjax.dataset.audio.utils import _triangles as _triangles
from msjax.dataset.audio import create_dct as create_dct
from msjax.dataset.audio.utils import dct_matrix as dct_matrix
from msjax.dataset.audio import linear_fbanks as linear_fbanks
from msjax.dataset.audio.utils import linear_filters as linear_filters
from msjax.dataset.audio.utils import mel_filters as mel_filters
from msjax.dataset.audio import melscale_fbanks as melscale_fbanks
from msjax.dataset.audio.utils import *
from msjax.dataset.audio import *
from msjax import *
from msjax import *
from msjax.dataset.audio import *
from msjax.dataset.audio.utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.audio import BorderType as BorderType
from msjax.dataset.audio import DensityFunction as DensityFunction
from msjax.dataset.audio import FadeShape as FadeShape
from msjax.dataset.audio import GainType as GainType
from msjax.dataset.audio import Interpolation as Interpolation
from msjax.dataset.audio import MelType as MelType
from msjax.dataset.audio import Modulation as Modulation
from msjax.dataset.audio import NormMode as NormMode
from msjax.dataset.audio import NormType as NormType
from msjax.dataset.audio import ResampleMethod as ResampleMethod
from msjax.dataset.audio import ScaleType as ScaleType
from msjax.dataset.audio import WindowType as WindowType
from msjax.dataset.audio.utils import _Name as _Name
from msjax.dataset.audio.utils import _SLANEY_BREAK as _SLANEY_BREAK
from msjax.dataset.audio.utils import _SLANEY_LOG as _SLANEY_LOG
from msjax.dataset.audio.utils import _SLANEY_STEP as _SLANEY_STEP
from msjax.dataset.audio.utils import _check_range as _check_range
from msjax.dataset.audio.utils import _to_hertz as _to_hertz
from msjax.dataset.audio.utils import _to_mel as _to_mel
from msjax.dataset.audio.utils import _triangles as _triangles
from msjax.dataset.audio import create_dct as create_dct
from msjax.dataset.audio.utils import dct_matrix as dct_matrix
from msjax.dataset.audio import linear_fbanks as linear_fbanks
from msjax.dataset.audio.utils import linear_filters as linear_filters
from msjax.dataset.audio.utils import mel_filters as mel_filters
from msjax.dataset.audio import melscale_fbanks as melscale_fbanks
from typing import Any
def __getattr__(name: str) -> Any: ...
