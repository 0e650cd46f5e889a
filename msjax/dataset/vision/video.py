"""Video files: read by PyAV where it is installed, else by OpenCV, which reads the pictures but not the sound."""

import io
import os
import tempfile
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Holding, Raises, Rank, Within
from ..check import check, check_interval
from ..rules import ReadableFile
from .files import need_file
from .modes import Implementation
from .operation import ImageOperation, opencv

_NO_END = 2147483647.0


@dataclass
class _Clip:
    """A video file: time stamps in units of `time_base` seconds, frames of <H, W, 3> RGB, sound of <C, L>."""

    pts: list
    frames: list
    time_base: Fraction
    fps: float
    sound: np.ndarray
    sound_rate: int
    size: tuple  # (height, width)


@dataclass
class DecodeParams:
    """The arguments of a decoder of Ascend: the open file, the first and the last time stamp, and the stream."""

    container: object
    start_offset: object
    end_offset: object
    stream: object


@dataclass
class VideoFrameDvpp:
    """An undecoded frame of a decoder of Ascend: when it is decoded and when it is shown."""

    dts: int = 0
    pts: int = 0


def _no_sound():
    return np.empty((1, 0), np.float32)


def _open(source, name, decode=True):
    """Return the `_Clip` of a path or of bytes; `decode` False leaves the frames and the sound out."""
    try:
        import av  # optional: reads the sound too
    except ModuleNotFoundError:
        return _open_opencv(source, name, decode)
    return _open_av(av, source, name, decode)


def _open_av(av, source, name, decode):
    try:
        container = av.open(io.BytesIO(source) if isinstance(source, bytes) else source)
    except av.error.FFmpegError as error:
        raise RuntimeError(f"{name}: failed to open the video: {error}") from error
    with container:
        check(container.streams.video, f"{name}: the file holds no video stream.", RuntimeError)
        stream = container.streams.video[0]
        audio = container.streams.audio[0] if container.streams.audio else None
        pictures, pieces = {}, []
        for packet in container.demux(*([stream] if audio is None or not decode else [stream, audio])):
            if not decode and packet.pts is not None:
                pictures[packet.pts] = None
            for frame in packet.decode() if decode else ():
                if packet.stream.type == "video":
                    pictures[frame.pts] = frame.to_ndarray(format="rgb24")
                else:
                    pieces.append(np.atleast_2d(frame.to_ndarray()))  # in order; a time stamp may be missing
        pts = sorted(pictures)
        sound = np.concatenate(pieces, 1) if pieces else _no_sound()
        return _Clip(
            pts,
            [pictures[p] for p in pts],
            Fraction(stream.time_base),
            float(stream.average_rate or 0),
            sound,
            int(audio.rate) if audio else 0,
            (stream.height, stream.width),
        )


def _open_opencv(source, name, decode):
    cv2 = opencv()
    path = source
    if isinstance(source, bytes):  # OpenCV reads videos from files only
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(source)
        path = file.name
    try:
        with open(path, "rb") as file:
            data = file.read()
        capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
        try:
            check(
                capture.isOpened(),
                f"{name}: failed to open the video: it is of no format that OpenCV reads.",
                RuntimeError,
            )
            fps = capture.get(cv2.CAP_PROP_FPS)
            size = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)), int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
            base = _time_base(data, fps)
            pts, frames = [], []
            while capture.grab():
                pts.append(round(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 / base))
                if decode:
                    frames.append(cv2.cvtColor(capture.retrieve()[1], cv2.COLOR_BGR2RGB))
        finally:
            capture.release()
    finally:
        if path is not source:
            os.unlink(path)
    if decode and (b"soun" in data or b"auds" in data):
        warnings.warn(
            f"{name}: the video has sound, which is not read: run `pip install av` to read it too.", stacklevel=3
        )
    return _Clip(pts, frames, base, fps, _no_sound(), 0, size)


def _time_base(data, fps):
    """Return the unit of time stamps in seconds: an MP4 file tells it in a media header, others count frames."""
    at = data.find(b"mdhd")
    if at > 0 and b"ftyp" in data[:16]:
        skip = 16 if data[at + 4] == 0 else 24  # version, flags and two times of 4 or 8 bytes
        scale = int.from_bytes(data[at + skip : at + skip + 4], "big")
        if scale:
            return Fraction(1, scale)
    return 1 / Fraction(fps).limit_denominator(1001) if fps else Fraction(1)


Seconds = Annotated[int | float | Fraction, Within("[0, inf]")]


@checked
def read_video(
    filename: str,
    start_pts: Seconds = 0,
    end_pts: int | float | Fraction | None = None,
    pts_unit: Literal["pts", "sec"] = "pts",
):
    """Return the pictures, the sound and the rates of a video file.

    Args:
        filename (str): path of the file.
        start_pts (Union[float, Fraction, int], optional): time stamp of the first frame. Default: ``0``.
        end_pts (Union[float, Fraction, int], optional): time stamp of the last frame. Default: ``None``, the end.
        pts_unit (str, optional): unit of the two, ``"pts"`` or ``"sec"``. Default: ``"pts"``.

    Returns:
        - numpy.ndarray, the frames, uint8 of <T, H, W, 3>.
        - numpy.ndarray, the sound, <C, L>; empty without PyAV.
        - Dict, "video_fps" (float) and, where there is sound, "audio_fps" (int).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `start_pts` or `end_pts` is out of range, `pts_unit` is another, or there is no such file.
        RuntimeError: the file is not a video.

    Examples:
        >>> from msjax.dataset import vision
        >>> vision.read_video("missing.mp4")
        Traceback (most recent call last):
        ValueError: read_video: Invalid file path, missing.mp4 does not exist.
    """
    end_pts = _NO_END if end_pts is None else end_pts
    check(
        end_pts >= start_pts,
        f"Not supported end_pts for {end_pts}. start_pts = {start_pts}. The end_pts should be >= start_pts.",
    )
    need_file("read_video", filename, ValueError)
    clip = _open(filename, "read_video")

    unit = clip.time_base if pts_unit == "sec" else 1
    chosen = [i for i, pts in enumerate(clip.pts) if start_pts <= float(pts * unit) <= end_pts]
    frames = np.stack([clip.frames[i] for i in chosen]) if chosen else np.empty((0, *clip.size, 3), np.uint8)
    info, sound = {"video_fps": clip.fps}, clip.sound
    if clip.sound_rate:
        info["audio_fps"] = clip.sound_rate
        # The frames' share of the video is their share of the sound.
        length, first = sound.shape[1], chosen[0] if chosen else 0
        begin = round(length * first / len(clip.pts))
        sound = sound[:, begin : begin + round(length * len(chosen) / len(clip.pts))]
    return frames, sound, info


@checked
def read_video_timestamps(
    filename: str, pts_unit: Annotated[Literal["pts", "sec"], Raises(value=RuntimeError)] = "pts"
):
    """Return the time stamps of the frames of a video file and its frames a second.

    Args:
        filename (str): path of the file.
        pts_unit (str, optional): unit of the time stamps, ``"pts"`` or ``"sec"``. Default: ``"pts"``.

    Returns:
        - list, the time stamps: int for ``"pts"``, float for ``"sec"``.
        - float, the frames a second; None where there are no frames.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: `pts_unit` is another, or the file does not exist or is not a video.

    Examples:
        >>> from msjax.dataset import vision
        >>> vision.read_video_timestamps(0)
        Traceback (most recent call last):
        TypeError: For 'read_video_timestamps', the 'filename' must be a str, but got '0' with type 'int'.
    """
    need_file("read_video_timestamps", filename)
    clip = _open(filename, "read_video_timestamps", decode=False)
    if not clip.pts:
        return [], None
    base = float(np.float32(float(clip.time_base)))
    return (clip.pts if pts_unit == "pts" else [pts * base for pts in clip.pts]), clip.fps


class VideoDecoder:
    """Give single frames of a video file.

    Args:
        source (str): path of the file.

    Raises:
        ValueError: there is no such file.

    Examples:
        >>> from msjax.dataset import vision
        >>> vision.VideoDecoder("missing.mp4")
        Traceback (most recent call last):
        ValueError: For 'VideoDecoder', the 'source' must be a str naming a file that exists and can be read, but got 'missing.mp4' with type 'str'.
    """

    @checked
    def __init__(self, source: ReadableFile):
        self.source = source
        self._clip = _open(source, "VideoDecoder", decode=False)

    @property
    def metadata(self):
        """Return the width, height, duration_seconds, num_frames and average_fps of the video."""
        clip, (height, width) = self._clip, self._clip.size
        return {
            "width": width,
            "height": height,
            "duration_seconds": round(len(clip.pts) / clip.fps, 6) if clip.fps else 0.0,
            "num_frames": len(clip.pts),
            "average_fps": clip.fps,
        }

    @checked
    def get_frames_at(self, indices: list[int]):
        """Return the frames of the given numbers, uint8 of <N, H, W, 3>.

        Args:
            indices (list[int]): numbers of frames, from 0.

        Raises:
            TypeError: `indices` is not a list of ints.
            ValueError: there is no such frame.
        """
        if not indices:
            return np.empty(0, np.uint8)
        for i, index in enumerate(indices):
            check_interval(index, 0, len(self._clip.pts), f"Invalid frame index[{i}]={index}", right_open=True)
        frames = _open(self.source, "VideoDecoder").frames
        return np.stack([frames[index] for index in indices])


class DecodeVideo(ImageOperation):
    """Decode a video file into its frames, uint8 of <T, H, W, 3>, and its sound, <C, L>.

    Raises:
        TypeError: the input is not an array.
        RuntimeError: the input is not the bytes of a video as a 1-D uint8 array.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.DecodeVideo()(np.zeros((2, 2), np.uint8))
        Traceback (most recent call last):
        RuntimeError: For 'DecodeVideo', the 'data' must be a NumPy array with 1 axis, of uint8, but got a NumPy array of shape (2, 2) and uint8.
    """

    implementation = Implementation.C

    @checked
    def __call__(self, data: np.ndarray):
        return self.apply(data)

    @checked
    def apply(self, data: Annotated[np.ndarray, Rank(1), Holding("uint8"), Raises(RuntimeError, value=RuntimeError)]):
        clip = _open(data.tobytes(), "DecodeVideo")
        return np.stack(clip.frames) if clip.frames else np.empty((0, *clip.size, 3), np.uint8), clip.sound
