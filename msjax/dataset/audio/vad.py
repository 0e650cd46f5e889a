"""Voice activity detection: trims the silence before speech (the `vad` effect of SoX)."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Nothing
from ..check import check
from ..rules import NonNegativeReal32, PositiveInt32, PositiveReal32, Real32
from .base import AudioOperation, rows

__all__ = ["Vad"]


def _hann(size):
    """A periodic Hann window with the gain that the detector's thresholds expect."""
    return np.hanning(size + 1)[:-1] * 2.0 / math.sqrt(size)


class _Spectra:
    """The running spectrum of one channel, and of its noise."""

    def __init__(self, vad: Any, size: int | Sequence[int]):
        self.vad, self.size = vad, size
        self.fft = 16
        while self.fft < size:
            self.fft *= 2
        rate = vad.sample_rate
        self.low = max(int(vad.hp_filter_freq / rate * self.fft + 0.5), 1)
        self.high = min(int(vad.lp_filter_freq / rate * self.fft + 0.5), self.fft // 2)
        check(
            self.low < self.high, "Vad: no frequency lies between 'hp_filter_freq' and 'lp_filter_freq'.", RuntimeError
        )
        self.window, self.lifter = _hann(size), _hann(self.high - self.low)
        self.cepstrum = slice(
            math.ceil(rate * 0.5 / vad.lp_lifter_freq), min(math.floor(rate * 0.5 / vad.hp_lifter_freq), self.fft // 4)
        )
        check(
            self.cepstrum.start < self.cepstrum.stop,
            "Vad: no cepstral coefficient lies between 'hp_lifter_freq' and 'lp_lifter_freq'.",
            RuntimeError,
        )
        self.smooth = _decay(vad.measure_smooth_time, vad.measure_freq)
        self.up, self.down = (_decay(t, vad.measure_freq) for t in (vad.noise_up_time, vad.noise_down_time))
        self.spectrum = np.zeros(self.high - self.low)
        self.noise = np.zeros(self.high - self.low)

    def measure(self, samples: Any, booting: Any):
        """The loudness of the voice in `samples`; `booting` counts measures while the noise is learnt, then is -1."""
        present = np.abs(np.fft.rfft(samples * self.window, self.fft))[self.low : self.high]
        share = booting / (1.0 + booting) if booting >= 0 else self.smooth
        self.spectrum = self.spectrum * share + present * (1 - share)
        power = self.spectrum**2
        share = 0.0 if booting >= 0 else np.where(power > self.noise, self.up, self.down)
        self.noise = self.noise * share + power * (1 - share)
        clean = np.zeros(self.fft // 2)
        clean[self.low : self.high] = (
            np.sqrt(np.maximum(0, power - self.vad.noise_reduction_amount * self.noise)) * self.lifter
        )
        level = np.sum(np.abs(np.fft.rfft(clean)[self.cepstrum]) ** 2)
        return max(0.0, 21 + math.log(level / (self.cepstrum.stop - self.cepstrum.start))) if level > 0 else 0.0


def _decay(seconds, frequency):
    return math.exp(-1.0 / (seconds * frequency)) if seconds else 0.0


class Vad(AudioOperation):
    """Trims silence and quiet background from the start of a recording of speech.

    Args:
        sample_rate (int): sampling rate in Hz.
        trigger_level (float): loudness that triggers; more for noisy recordings.
        trigger_time (float): time constant, in seconds, against short bursts of sound.
        search_time (float): seconds to search back for quieter speech.
        allowed_gap (float): greatest gap, in seconds, between quieter speech and the trigger point.
        pre_trigger_time (float): seconds kept before the trigger point.
        boot_time (float): seconds in which the noise is learnt.
        noise_up_time (float): time constant, in seconds, while the noise rises.
        noise_down_time (float): time constant, in seconds, while the noise falls; less than `noise_up_time`.
        noise_reduction_amount (float): how much of the noise is subtracted.
        measure_freq (float): measures a second.
        measure_duration (float, optional): length of a measure in seconds; default two periods.
        measure_smooth_time (float): time constant, in seconds, of the spectrum.
        hp_filter_freq (float): lower bound of the frequencies used, in Hz.
        lp_filter_freq (float): upper bound of the frequencies used, in Hz.
        hp_lifter_freq (float): lower bound of the pitches used, in Hz.
        lp_lifter_freq (float): upper bound of the pitches used, in Hz.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Vad(600)(np.zeros((2, 10), np.float32)).shape
        (2, 10)
    """

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: PositiveInt32,
        trigger_level: Real32 = 7.0,
        trigger_time: NonNegativeReal32 = 0.25,
        search_time: NonNegativeReal32 = 1.0,
        allowed_gap: NonNegativeReal32 = 0.25,
        pre_trigger_time: NonNegativeReal32 = 0.0,
        boot_time: NonNegativeReal32 = 0.35,
        noise_up_time: NonNegativeReal32 = 0.1,
        noise_down_time: NonNegativeReal32 = 0.01,
        noise_reduction_amount: NonNegativeReal32 = 1.35,
        measure_freq: PositiveReal32 = 20.0,
        measure_duration: NonNegativeReal32 | Nothing = None,
        measure_smooth_time: NonNegativeReal32 = 0.4,
        hp_filter_freq: PositiveReal32 = 50.0,
        lp_filter_freq: PositiveReal32 = 6000.0,
        hp_lifter_freq: PositiveReal32 = 150.0,
        lp_lifter_freq: PositiveReal32 = 2000.0,
    ):
        keep(self)
        check(
            noise_up_time >= noise_down_time,
            "Input noise_up_time should be greater than noise_down_time, but got noise_up_time: "
            f"{noise_up_time} and noise_down_time: {noise_down_time}.",
        )
        self.measure_duration = self.measure_duration or 2.0 / measure_freq

    def compute(self, audio: np.ndarray):
        rate, frequency = self.sample_rate, self.measure_freq
        size, period = int(rate * self.measure_duration + 0.5), int(rate / frequency + 0.5)
        memory = math.ceil(self.search_time * frequency)
        check(
            size > 0 and period > 0 and memory > 0,
            "Vad: 'sample_rate', 'search_time' and 'measure_freq' leave no measure.",
            RuntimeError,
        )
        kept = int(self.pre_trigger_time * rate + 0.5) + memory * period + size
        signals, length = rows(audio), audio.shape[-1]
        channels = [_Spectra(self, size) for _ in signals]
        mean, measures = np.zeros(len(signals)), np.zeros((len(signals), memory))
        trigger, boot_end = _decay(self.trigger_time, frequency), int(self.boot_time * frequency - 0.5)
        booting, flush = 0, 0
        for step, position in enumerate(range(size, length + 1, period)):
            triggered = False
            for i, channel in enumerate(channels):
                measure = measures[i, step % memory] = channel.measure(signals[i, position - size : position], booting)
                mean[i] = mean[i] * trigger + measure * (1 - trigger)
                triggered = triggered or mean[i] >= self.trigger_level
                if triggered:
                    flush = min(max(flush, self._quiet(measures[i], step % memory)), memory)
            if booting >= 0:
                booting = -1 if booting == boot_end else booting + 1
            if triggered:
                start = max(position - kept + (memory - flush) * period, 0)
                return audio[..., start:]
        return audio[..., length - kept :]  # no speech: the end, by the slice that MindSpore takes

    def _quiet(self, measures, newest):
        """How many measures back the speech began that has just triggered."""
        gap, last = int(self.allowed_gap * self.measure_freq + 0.5), len(measures)
        zero = last
        for back in range(len(measures)):
            measure = measures[(newest - back) % len(measures)]
            if measure >= self.trigger_level and back <= last + gap:
                zero = last = back
            elif measure == 0 and last >= zero:
                zero = back
        return min(len(measures) - 1, zero)
