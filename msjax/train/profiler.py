"""Profiling over `jax.profiler`: traces for TensorBoard and Perfetto, MindSpore's tables of operators, a flame picture.

Each run has a folder `<output>/<host>_<process>_<time>_ascend_ms`, as MindSpore's have. In its `plugins/profile/<time>/` lie `*.xplane.pb` for
`tensorboard --logdir <output>`, and `*.trace.json.gz` for https://ui.perfetto.dev; `profile_analysis.py` makes the rest of them.
"""

import dataclasses
import datetime
import enum
import glob
import json
import os
import socket
import time
from typing import TYPE_CHECKING, Annotated, Any

import jax

from .. import log
from ..core.operators.eager_jit import compile_at_once
from ..core.spec.checking import checked
from ..core.spec.rules import NonEmpty, Nothing, Raises
from . import profile_analysis
from .callback.base import Callback

if TYPE_CHECKING:
    from .callback.base import RunContext

__all__ = [
    "AicoreMetrics",
    "DynamicProfilerMonitor",
    "EnvProfiler",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerActivity",
    "ProfilerLevel",
    "analyse",
    "mstx",
    "profile",
    "schedule",
    "tensor_board_trace_handler",
    "tensorboard_trace_handler",
]

_DEFAULT_FOLDER = "./data"


class ProfilerLevel(enum.Enum):
    """How much Ascend's profiler collects; XLA always collects all."""

    LevelNone, Level0, Level1, Level2 = "LevelNone", "Level0", "Level1", "Level2"


class ProfilerActivity(enum.Enum):
    """The activities to profile."""

    NPU, GPU, CPU = "NPU", "GPU", "CPU"


class AicoreMetrics(enum.Enum):
    """Counters of Ascend's cores; without meaning on other devices."""

    PipeUtilization, ArithmeticUtilization, Memory = "PipeUtilization", "ArithmeticUtilization", "Memory"
    MemoryL0, MemoryUB, ResourceConflictRatio = "MemoryL0", "MemoryUB", "ResourceConflictRatio"
    L2Cache, MemoryAccess, AiCoreNone = "L2Cache", "MemoryAccess", "None"


class ExportType(enum.Enum):
    """Kinds of files; a trace has one form here."""

    Db, Text = "db", "text"


class HostSystem(enum.Enum):
    """Counters of the host."""

    CPU, MEM, DISK, NETWORK, OSRT = "cpu", "mem", "disk", "network", "osrt"


class ProfilerAction(enum.Enum):
    """The action of a schedule for a step."""

    NONE, WARM_UP, RECORD, RECORD_AND_SAVE = 0, 1, 2, 3


@dataclasses.dataclass
class _ExperimentalConfig:
    """Settings of Ascend's profiler: kept, without effect on a trace of XLA."""

    profiler_level: ProfilerLevel = ProfilerLevel.Level0
    aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone
    l2_cache: bool = False
    mstx: bool = False
    data_simplification: bool = True
    export_type: list | None = None
    mstx_domain_include: list | None = None
    mstx_domain_exclude: list | None = None
    sys_io: bool = False
    sys_interconnection: bool = False
    host_sys: list | None = None


class schedule:
    """Which steps are recorded: after `skip_first` steps, again and again `wait`, `warmup` and `active` steps.

    Args:
        wait, active, warmup, skip_first: numbers of steps. repeat: how often; 0: to the end.

    Example:
        >>> from mindspore.profiler import schedule
        >>> schedule(wait=1, warmup=1, active=2, repeat=1)(2)
        <ProfilerAction.RECORD: 2>
    """

    def __init__(self, *, wait: Any, active: Any, warmup: int = 0, repeat: int = 0, skip_first: int = 0):
        given = {"wait": wait, "active": active, "warmup": warmup, "repeat": repeat, "skip_first": skip_first}
        for name, value in given.items():
            least = int(name == "active")
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                log.warning(f"Parameter '{name}' should be an int >= {least}, but got {value!r}. reset to int {least}.")
                given[name] = least
        vars(self).update(given)

    def __call__(self, step: int):
        if step < 0:
            raise ValueError("Invalid parameter step, which must be not less than 0.")
        length = self.wait + self.warmup + self.active
        round_, place = divmod(step - self.skip_first, length)
        if step < self.skip_first or 0 < self.repeat <= round_ or place < self.wait:
            return ProfilerAction.NONE
        if place < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    def to_dict(self):
        """The settings."""
        return dict(vars(self))

    def __repr__(self):
        return f"Schedule({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def tensorboard_trace_handler(
    dir_name: Any = None, worker_name: Any = None, analyse_flag: bool = True, async_mode: bool = False
):
    """Function for `on_trace_ready`: traces go to `dir_name`, and are analysed.

    Args:
        dir_name: folder; None: `./data`.
        worker_name: begin of the names of the runs' folders; None: host and process.
        analyse_flag: write the tables and the picture.
        async_mode: accepted.
    """

    def handler(profiler):
        if analyse_flag:
            profiler._analyse()

    handler.folder, handler.worker = dir_name or _DEFAULT_FOLDER, worker_name
    return handler


tensor_board_trace_handler = tensorboard_trace_handler  # its name in 2.3


class profile:
    """Records a trace from `start` to `stop`, or in the steps that a schedule chooses.

    Args:
        activities, profile_memory, data_process, parallel_strategy, hbm_ddr, pcie, sync_enable, record_shapes:
            accepted; a trace always holds host and device. with_stack: record Python functions too (slower, large
            files).
        start_profile: start at once. schedule: function step -> action, see `schedule`. on_trace_ready: called with the
            profiler when a trace is complete, see `tensorboard_trace_handler`. experimental_config: accepted.

    Raises:
        RuntimeError: another trace is being recorded.

    Example:
        >>> from mindspore.profiler import profile, tensorboard_trace_handler
        >>> with profile(on_trace_ready=tensorboard_trace_handler("trace")) as prof:
        ...     net(x)
    """

    def __init__(
        self,
        activities: Any = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Any = None,
        on_trace_ready: Any = None,
        experimental_config: Any = None,
    ):
        if schedule is not None and not callable(schedule):
            log.warning("schedule is not Callable, set by default.")
            schedule = None
        self.schedule, self._on_trace_ready, self._with_stack = schedule, on_trace_ready, with_stack
        self.output_path = getattr(on_trace_ready, "folder", _DEFAULT_FOLDER)
        self._worker = getattr(on_trace_ready, "worker", None) or f"{socket.gethostname()}_{os.getpid()}"
        self._folder = None
        self.step_num = 0
        self._metadata = {}
        self._has_started = self._tracing = False
        self._step = None
        if start_profile:
            self.start()

    # --- one trace
    def _begin_trace(self):
        if self._tracing:
            return
        options = jax.profiler.ProfileOptions()
        options.python_tracer_level = int(bool(self._with_stack))
        now = f"{datetime.datetime.now():%Y%m%d%H%M%S%f}"[:-3]
        self._folder = os.path.join(self.output_path, f"{self._worker}_{now}_ascend_ms")
        jax.block_until_ready(jax.live_arrays())  # what was started before is not a part of the profile
        jax.profiler.start_trace(self._folder, profiler_options=options)
        self._tracing = True
        compile_at_once(self)

    def _end_trace(self):
        if not self._tracing:
            return
        for array in jax.live_arrays():  # what was started belongs to the trace
            array.block_until_ready()
        jax.profiler.stop_trace()
        self._tracing = False
        compile_at_once(self, False)
        if self._metadata:
            with open(os.path.join(self._folder, "profiler_metadata.json"), "w", encoding="utf-8") as file:
                json.dump(self._metadata, file)
        if self._on_trace_ready is not None:
            self._on_trace_ready(self)

    # --- the user's calls
    def start(self):
        """Start recording, or following the schedule."""
        if self._has_started:
            log.warning("The profile has already started. Do not turn on again in the open state.")
            return
        self._has_started = True
        self._follow()

    def _follow(self):
        action = ProfilerAction.RECORD if self.schedule is None else self.schedule(self.step_num)
        if action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self._begin_trace()
        self._action = action
        if self.schedule is not None:
            self._step = jax.profiler.StepTraceAnnotation("ProfilerStep", step_num=self.step_num)
            self._step.__enter__()

    def _leave_step(self):
        if self._step is not None:
            self._step.__exit__(None, None, None)
            self._step = None

    def step(self):
        """The next step begins."""
        if not self._has_started:
            log.error("profile is stopped, step takes no effect!")
            return
        if self.schedule is None:
            self.step_num += 1
            return
        self._leave_step()
        if self._action is ProfilerAction.RECORD_AND_SAVE:
            self._end_trace()
        self.step_num += 1
        self._follow()

    def stop(self):
        """Stop recording and write the trace."""
        if not self._has_started:
            log.error("The profile has not started. Do not turn off again in the closed state.")
            return
        self._has_started = False
        self._leave_step()
        self._end_trace()

    def add_metadata(self, key: Any, value: Any):
        """Note a text, which goes to `profiler_metadata.json`."""
        if not isinstance(key, str) or not isinstance(value, str):
            log.warning("The key and value of metadata must be string. Skip this metadata.")
            return
        self._metadata[key] = value

    def add_metadata_json(self, key: Any, value: Any):
        """Note a value given as JSON."""
        try:
            self.add_metadata(key, value)
            self._metadata[key] = json.loads(value)
        except (TypeError, ValueError):
            self._metadata.pop(key, None)
            log.warning("The metadata value must be json format string. Skip this metadata")

    def _analyse(self):
        analyse(self._folder)

    def __enter__(self):
        if not self._has_started:
            self.start()
        return self

    def __exit__(self, *error):
        if self._has_started:
            self.stop()


class Profiler(profile):
    """Records a trace from `start` (at once, if `start_profile`) to `stop`; `analyse` writes a table of the times.

    Args:
        output_path: folder, default `./data`. Other keywords as for `profile`, and those of Ascend's profiler
            (profiler_level, aicore_metrics, l2_cache, data_simplification, …), which are accepted.

    Example:
        >>> from mindspore import Profiler
        >>> profiler = Profiler(output_path="trace")
        >>> model.train(1, dataset)
        >>> profiler.analyse()
    """

    _OF_PROFILE = (
        "activities",
        "with_stack",
        "profile_memory",
        "data_process",
        "parallel_strategy",
        "hbm_ddr",
        "pcie",
        "sync_enable",
        "record_shapes",
        "schedule",
        "on_trace_ready",
    )

    def __init__(self, **kwargs):
        output_path = kwargs.get("output_path")
        if output_path is not None and not isinstance(output_path, str):
            raise TypeError(f"For 'Profiler', the 'output_path' must be str, but got {type(output_path).__name__}.")
        super().__init__(start_profile=False, **{k: v for k, v in kwargs.items() if k in self._OF_PROFILE})
        if output_path is not None:
            self.output_path = output_path
        if kwargs.get("start_profile", True):
            self.start()

    def analyse(
        self, offline_path: Any = None, pretty: bool = False, step_list: list | None = None, mode: str = "sync"
    ):
        """Stop, and write MindSpore's tables of operators, the timeline and the flame picture into the run's folder.

        Args:
            offline_path: a folder of other runs to look at.
            pretty, step_list, mode: accepted.
        """
        if self._has_started:
            self.stop()
        analyse(offline_path or self._folder or self.output_path)

    @classmethod
    def offline_analyse(
        cls, path: Any, pretty: bool = False, step_list: list | None = None, data_simplification: bool = True
    ):
        """The same for the runs below a folder."""
        analyse(path)

    @checked
    def op_analyse(
        self, op_name: Annotated[str | list, NonEmpty, Raises(length=TypeError)], device_id: int | Nothing = None
    ):
        """Times of some types of operators, as JSON: {type: [{"op_side", "input_shape", "op_occurrences", "op_total_time(us)", ...}], "device_id"}.

        Raises:
            TypeError: `op_name` is not a str or list. RuntimeError: no such operator ran.
        """
        found = profile_analysis.by_type(profile_analysis.events_of(self._folder or self.output_path))
        told = {}
        for name in [op_name] if isinstance(op_name, str) else op_name:
            if name not in found:
                raise RuntimeError(
                    f"The information of <{name}> is not found. Please verify that the operator name is correct or the operator is "
                    "used in the network."
                )
            count, total = found[name]
            times = {"op_total_time(us)": round(total, 3), "op_avg_time(us)": round(total / count, 3)}
            told[name] = [{"op_side": "cpu", "input_shape": ",", "op_occurrences": count, **times}]
        return json.dumps({**told, "device_id": "0" if device_id is None else str(device_id)})


def analyse(
    profiler_path: Any,
    max_process_number: Any = None,
    pretty: bool = False,
    step_list: list | None = None,
    data_simplification: bool = True,
):
    """Write, for each run below a folder, MindSpore's tables of operators, the timeline with their names, and `flame.svg`.

    The tables are `FRAMEWORK/cpu_op_type_info_0.csv` and `cpu_op_detail_info_0.csv`, the timeline `ASCEND_PROFILER_OUTPUT/trace_view.json`.
    """
    root = os.path.realpath(profiler_path)
    traces = glob.glob(os.path.join(glob.escape(root), "**", "plugins", "profile"), recursive=True)
    if not traces:
        log.error(f"There is no trace in {root}.")
    for folder in {os.path.dirname(os.path.dirname(trace)) for trace in traces}:
        profile_analysis.write(folder, profile_analysis.events_of(folder))


class mstx:
    """Marks in the trace."""

    _open = {}
    _next = 1

    @staticmethod
    def mark(message: Any, stream: Any = None, domain: str = "default"):
        """A point in time with a text."""
        if mstx._valid("mark", message, domain):
            with jax.profiler.TraceAnnotation(f"{domain}:{message}"):
                return

    @staticmethod
    def range_start(message: Any, stream: Any = None, domain: str = "default"):
        """Begin a span; returns its number for `range_end`, 0 if `message` is not a text."""
        if not mstx._valid("range_start", message, domain):
            return 0
        span = jax.profiler.TraceAnnotation(f"{domain}:{message}")
        span.__enter__()
        number, mstx._next = mstx._next, mstx._next + 1
        mstx._open[number] = span
        return number

    @staticmethod
    def range_end(range_id: Any, domain: str = "default"):
        """End of a span."""
        span = mstx._open.pop(range_id, None)
        if span is not None:
            span.__exit__(None, None, None)
        elif range_id != 0:
            log.warning("Invalid range_id for mstx.range_end func. Please input return value from mstx.range_start.")

    @staticmethod
    def _valid(name, message, domain):
        for what, value in (("message", message), ("domain name", domain)):
            if not value or not isinstance(value, str):
                log.warning(f"Invalid {what} for mstx.{name} func. Please input a str that is not empty.")
                return False
        return True


class EnvProfiler:
    """Profiling that the environment asks for: MS_PROFILER_OPTIONS='{"start": true, "output_path": "trace"}'."""

    def __init__(self):
        self._profiler = None
        options = os.environ.get("MS_PROFILER_OPTIONS")
        if options:
            try:
                options = json.loads(options)
            except ValueError:
                log.warning(f"MS_PROFILER_OPTIONS is no JSON: {options}")
                return
            if options.pop("start", False):
                self._profiler = Profiler(
                    **{k: v for k, v in options.items() if k not in ("schedule", "on_trace_ready")}
                )

    @staticmethod
    def init_profiler():
        """The profiler that the environment asks for, running."""
        return EnvProfiler()

    def analyse(self):
        """Stop it and write the table of times."""
        if self._profiler is not None:
            self._profiler.analyse()


class DynamicProfilerMonitor(Callback):
    """Callback that profiles the steps which a file asks for while training runs.

    Args:
        cfg_path: folder of `profiler_config.json` with `start_step` and `stop_step` (a missing file is made, with -1
            for both). output_path: folder of the traces. poll_interval: seconds between two looks at the file.

    Example:
        >>> from mindspore.profiler import DynamicProfilerMonitor
        >>> model.train(2, dataset, callbacks=[DynamicProfilerMonitor("config", "trace")])
    """

    def __init__(self, cfg_path: Any = None, output_path: str = "./dyn_profile_data", poll_interval: int = 2, **kwargs):
        super().__init__()
        if not isinstance(cfg_path, str):
            raise TypeError(
                f"For 'DynamicProfilerMonitor', the 'cfg_path' must be str, but got {type(cfg_path).__name__}."
            )
        self._config = os.path.join(cfg_path, "profiler_config.json")
        self._output_path, self._poll_interval = output_path, poll_interval
        self._looked, self._step_num, self._profiler = 0.0, 0, None
        self._start = self._stop = -1
        if not os.path.exists(self._config):
            os.makedirs(cfg_path, exist_ok=True)
            with open(self._config, "w", encoding="utf-8") as file:
                json.dump({"start_step": -1, "stop_step": -1}, file)

    def _look(self):
        if time.monotonic() - self._looked < self._poll_interval:
            return
        self._looked = time.monotonic()
        try:
            with open(self._config, encoding="utf-8") as file:
                wanted = json.load(file)
            self._start, self._stop = int(wanted["start_step"]), int(wanted["stop_step"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            log.warning(f"DynamicProfilerMonitor cannot read {self._config}: {error}")

    def step_begin(self, run_context: "RunContext"):
        """Start a trace if the file asks for this step."""
        self._begin(run_context.original_args().cur_step_num)

    def step_end(self, run_context: "RunContext"):
        """End the trace if it was the last step."""
        self._end(run_context.original_args().cur_step_num)

    def step(self):
        """The next step begins, in a training loop of one's own."""
        self._end(self._step_num)
        self._step_num += 1
        self._begin(self._step_num)

    def _begin(self, step):
        self._look()
        if self._profiler is None and 0 <= self._start <= step <= self._stop:
            folder = os.path.join(self._output_path, f"step_{self._start}_{self._stop}")
            self._profiler = profile(on_trace_ready=tensorboard_trace_handler(folder))

    def _end(self, step):
        if self._profiler is not None and step >= self._stop:
            self._profiler.stop()
            self._profiler = None

    def on_train_end(self, run_context: "RunContext"):
        """End a trace that is still being recorded."""
        if self._profiler is not None:
            self._end(self._stop)
