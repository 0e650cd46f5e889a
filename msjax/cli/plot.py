"""`python -m msjax plot FILE`: the numbers of event files (of SummaryCollector, SummaryRecord, TensorBoard) as a picture; of a Profiler's folder
the time of a step as a flame picture.
"""

import argparse
import collections
import os
import struct
from collections.abc import Sequence

from msjax.mindrecord.tfrecord import read_records
from msjax.train import profile_analysis

from ..train.protobuf import fields


def main(argv: list[str] | None):
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="msjax plot",
        description="Draw the numbers of event files as a PNG picture, or the newest trace of a Profiler as an SVG picture.",
    )
    parser.add_argument("file", nargs="+", help="an event file, or a folder of them; a folder with traces")
    parser.add_argument("-o", "--out", help="the picture; by default the first file's name with .png or .svg")
    options = parser.parse_args(argv)
    first = options.file[0].rstrip("/")
    for path in options.file:
        if not os.path.exists(path):
            parser.error(f"there is no {path}")
    try:
        if os.path.isdir(first) and profile_analysis.trace_files(first):
            events = profile_analysis.events_of(first)
            out = options.out or f"{first}.svg"
            with open(out, "w", encoding="utf-8") as file:
                file.write(profile_analysis.flame(events))
            print(f"{out}: {profile_analysis.steps_of(events)} steps, {len(profile_analysis.sums(events))} operators")
            return
        series = collections.defaultdict(list)
        for path in event_files(options.file):
            for tag, step, value in scalars(path):
                series[tag].append((step, value))
        if not series:
            raise ValueError(f"there are no numbers in {', '.join(options.file)}.")
        out = options.out or f"{first}.png"
        draw(series, out)
    except (ValueError, OSError, ImportError) as error:
        parser.exit(1, f"msjax plot: {error}\n")
    print(f"{out}: {', '.join(f'{tag} ({len(points)})' for tag, points in series.items())}")


def event_files(paths: Sequence[str]):
    """The given files, and the event files in the given folders."""
    for path in paths:
        if os.path.isdir(path):
            found = [
                os.path.join(d, f)
                for d, _, names in os.walk(path)
                for f in sorted(names)
                if ".summary." in f or "tfevents" in f
            ]
            if not found:
                raise ValueError(f"there is no event file in {path}.")
            yield from found
        else:
            yield path


def scalars(path: str):
    """(tag, step, value) of each number in an event file: `Event {step 2, summary 5 {value 1 {tag 1, simple_value 2}}}`."""
    for record in read_records(path):
        step, summary = 0, None
        for number, content in fields(memoryview(record), f"a record of {path}"):
            step, summary = (content, summary) if number == 2 else (step, content) if number == 5 else (step, summary)
        for _, value in fields(summary, path) if summary is not None else ():
            about = dict(fields(value, path))
            if 2 in about and isinstance(about[2], memoryview) and len(about[2]) == 4:
                yield str(about[1], "utf-8"), step, struct.unpack("<f", about[2])[0]


def draw(series: dict, out: str):
    """One panel for each tag."""
    try:
        import matplotlib  # an extra
    except ImportError as error:
        raise ImportError("pictures need the package matplotlib: pip install 'msjax[plot]'.") from error
    matplotlib.use("agg")
    from matplotlib import pyplot

    columns = min(len(series), 3)
    rows = -(-len(series) // columns)
    figure, panels = pyplot.subplots(
        rows, columns, figsize=(5 * columns, 3.2 * rows), squeeze=False, layout="constrained"
    )
    for panel in panels.flat[len(series) :]:
        panel.remove()
    for panel, (tag, points) in zip(panels.flat, sorted(series.items())):
        panel.plot(*zip(*sorted(points)), linewidth=1.2)
        panel.set_title(tag, fontsize=10)
        panel.set_xlabel("step")
        panel.grid(alpha=0.3)
    figure.savefig(out, dpi=120)
    pyplot.close(figure)
