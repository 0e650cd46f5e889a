"""Effects with a modulated delay line: phaser and flanger (formulas of SoX)."""

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..rules import Int32, NonzeroInt32
from .base import AudioOperation, rows
from .utils import Interpolation, Modulation

__all__ = ["Flanger", "Phaser"]


def wave_table(modulation: Any, size: int | Sequence[int], low: float, high: float, phase: Any):
    """One period of a modulation between `low` and `high`, float64 of length `size`; `phase` in radians."""
    point = (np.arange(size) + int(phase / math.pi / 2 * size + 0.5)) % size
    if modulation == Modulation.SINUSOIDAL:
        wave = (np.sin(point / size * 2 * math.pi) + 1) / 2
    else:
        quarter = 4 * point // size
        wave = np.choose(
            quarter, [2 * point / size + 0.5, 1.5 - 2 * point / size, 1.5 - 2 * point / size, 2 * point / size - 1.5]
        )
    return wave * (high - low) + low


class Phaser(AudioOperation):
    """Phasing effect: the signal with its own modulated echo.

    Args:
        sample_rate (int): sampling rate in Hz.
        gain_in (float): input gain, in [0, 1].
        gain_out (float): output gain, in [0, 1e9].
        delay_ms (float): delay in milliseconds, in [0, 5].
        decay (float): decay of the echo, in [0, 0.99].
        mod_speed (float): modulation in Hz, in [0.1, 2].
        sinusoidal (bool): sinusoidal modulation, or triangular.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Phaser(44100)(np.zeros((2, 8), np.float32)).shape
        (2, 8)
    """

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: Int32,
        gain_in: Annotated[int | float, Within("[0, 1]")] = 0.4,
        gain_out: Annotated[int | float, Within("[0, 1e+09]")] = 0.74,
        delay_ms: Annotated[int | float, Within("[0, 5]")] = 3.0,
        decay: Annotated[int | float, Within("[0, 0.99]")] = 0.4,
        mod_speed: Annotated[int | float, Within("[0.1, 2]")] = 0.5,
        sinusoidal: bool = True,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        line = int(self.delay_ms * 0.001 * self.sample_rate + 0.5)
        period = int(self.sample_rate / self.mod_speed + 0.5)
        check(
            line > 0 and period > 0,
            f"Phaser: invalid parameter, 'delay_ms' {self.delay_ms} at 'sample_rate' {self.sample_rate} is "
            f"shorter than one sample.",
            RuntimeError,
        )
        modulation = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        table = (wave_table(modulation, period, 1.0, float(line), math.pi / 2) + 0.5).astype(np.int64)
        length = audio.shape[-1]
        back = (line + 1 - np.resize(table, length)).tolist()  # samples between a sample and its echo
        decay, result = self.decay, []
        for signal in rows(audio):
            echo = [0.0] * line
            for x, distance in zip((signal.astype(np.float64) * self.gain_in).tolist(), back, strict=True):
                echo.append(x + decay * echo[-distance])
            result.append(echo[line:])
        return np.clip(np.reshape(result, audio.shape) * self.gain_out, -1, 1).astype(audio.dtype)


class Flanger(AudioOperation):
    """Flanging effect: the signal with its own echo at a short, modulated delay.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        delay (float): base delay in milliseconds, in [0, 30].
        depth (float): added swept delay in milliseconds, in [0, 10].
        regen (float): feedback in percent, in [-95, 95].
        width (float): share of the delayed signal in percent, in [0, 100].
        speed (float): sweeps in Hz, in [0.1, 10].
        phase (float): shift of the sweep between channels in percent, in [0, 100].
        modulation (Modulation): shape of the sweep.
        interpolation (Interpolation): interpolation of the delay line.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not <..., channel, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Flanger(44100)(np.zeros((2, 8), np.float32)).shape
        (2, 8)
    """

    rank = 2
    same_dtype = True

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NonzeroInt32,
        delay: Annotated[int | float, Within("[0, 30]")] = 0.0,
        depth: Annotated[int | float, Within("[0, 10]")] = 2.0,
        regen: Annotated[int | float, Within("[-95, 95]")] = 0.0,
        width: Annotated[int | float, Within("[0, 100]")] = 71.0,
        speed: Annotated[int | float, Within("[0.1, 10]")] = 0.5,
        phase: Annotated[int | float, Within("[0, 100]")] = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        feedback, wet = self.regen / 100, self.width / 100
        dry, wet = 1 / (1 + wet), wet / (1 + wet) * (1 - abs(feedback))
        delay, depth = self.delay / 1000, self.depth / 1000
        line = int((delay + depth) * self.sample_rate + 0.5) + 2  # length of the delay line
        period = int(self.sample_rate / self.speed)
        check(
            period > 0,
            f"Flanger: 'speed' {self.speed} is faster than 'sample_rate' {self.sample_rate} allows.",
            RuntimeError,
        )
        sweep = wave_table(
            self.modulation, period, math.floor(delay * self.sample_rate + 0.5), line - 2.0, 3 * math.pi / 2
        )
        sweep = sweep.astype(np.float32)
        shape, channels, length = audio.shape, audio.shape[-2], audio.shape[-1]
        signals = audio.reshape(-1, channels, length).astype(np.float64)
        result = np.empty_like(signals)
        for channel in range(channels):
            shift = int(channel * period * self.phase / 100 + 0.5)
            echo = self._echo(signals[:, channel], np.resize(np.roll(sweep, -(shift % period)), length), line, feedback)
            result[:, channel] = signals[:, channel] * dry + echo * wet
        return np.clip(result, -1, 1).reshape(shape).astype(audio.dtype)

    def _echo(self, signals, delays, line, feedback):
        """The interpolated echo of each signal (n, length) at `delays` (length,) samples back."""
        back = np.floor(delays).astype(np.int64)
        share = (delays - back).astype(np.float64)
        # the weights of the samples at back, back + 1, back + 2
        if self.interpolation == Interpolation.LINEAR:
            weights = (1 - share, share, np.zeros_like(share))
        else:
            weights = (1 - 1.5 * share + 0.5 * share**2, 2 * share - share**2, 0.5 * share**2 - 0.5 * share)
        start = line + 1
        if not feedback:
            padded = np.concatenate([np.zeros((len(signals), start)), signals], axis=1)
            place = np.arange(start, start + len(delays)) - back
            return sum(weight * padded[:, place - k] for k, weight in enumerate(weights))
        echoes = []
        steps = list(zip(back.tolist(), *(w.tolist() for w in weights), strict=True))
        for signal in signals:
            fed, echo, last = [0.0] * start, [], 0.0
            for x, (distance, w0, w1, w2) in zip(signal.tolist(), steps, strict=True):
                fed.append(x + last * feedback)
                place = len(fed) - 1 - distance
                last = w0 * fed[place] + w1 * fed[place - 1] + w2 * fed[place - 2]
                echo.append(last)
            echoes.append(echo)
        return np.array(echoes)
