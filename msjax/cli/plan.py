"""`python -m msjax plan SCRIPT --topology v5e:4x4`: memory, traffic and time of a script's training step on chips that
need not be present.

The script runs until it starts its first compiled training step (`Model.train`, a TrainOneStepCell, a function of `ms.jit`), which is
compiled by the chips' own compiler and never run. Its weights are never made: they stay shapes.
"""

import argparse
import json
import os
import pathlib
import sys

from .scripts import script_arguments, start


def main(argv: list[str] | None):
    """Plan the script; the exit code is 0 if the step fits, 1 if not, 2 if there is no plan."""
    parser = argparse.ArgumentParser(prog="msjax plan", description=__doc__)
    parser.add_argument(
        "--topology", default="v5e", help="v5e:4x4, v5p:2x2x1, v6e:2x2, h100:8, ...; a name alone is one chip"
    )
    parser.add_argument("--devices", type=int, help="so many chips in the nearest shape")
    parser.add_argument(
        "--fold-layers", action="store_true", help="as with set_context(fold_layers=True): equal layers are one loop"
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures")
    parser.add_argument("--picture", metavar="FILE", help="draw memory and time by layer (.png, .svg, .pdf)")
    parser.add_argument("--hlo", metavar="FILE", help="write the compiled program")
    given, rest = script_arguments(parser, argv)
    from msjax.core.settings.context import set_context
    from msjax.core.values.deferred import NoContent
    from msjax.planning.report import picture
    from msjax.planning.script import NoStep, plan_script
    from msjax.planning.topology import NoCompiler, Topology

    try:
        topology = Topology(given.topology, given.devices)
    except (NoCompiler, ValueError) as error:
        return _no_plan(error)
    if given.fold_layers:
        set_context(fold_layers=True)
    try:
        plan = plan_script(start(given.script, rest), topology, given.hlo)
    except NoContent as error:
        return _no_plan(
            f"{given.script}{_line_of(error, given.script)}: {error} In PYNATIVE_MODE every operator needs values: a plan is of a step "
            "that is compiled, by GRAPH_MODE or @ms.jit."
        )
    except NoStep as error:
        return _no_plan(f"{given.script}: {error}")
    except Exception as error:  # of the script, or of the compiler: exit code 1 would say that the step does not fit
        sys.excepthook(*sys.exc_info())
        return _no_plan(f"{given.script}: it ended with {type(error).__name__} before its step was compiled.")
    print(plan)
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(plan.as_dict(), indent=1, default=str) + "\n", encoding="utf-8")
    if given.picture:
        picture(plan, given.picture)
    return 0 if plan.fits else 1


def _no_plan(why):
    sys.stdout.flush()
    sys.stderr.write(f"msjax plan: {why}\n")
    return 2


def _line_of(error, script):
    """`:LINE` of the script that an error passed through last."""
    found, trace = "", error.__traceback__
    while trace is not None:
        if os.path.abspath(trace.tb_frame.f_code.co_filename) == os.path.abspath(script):
            found = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return found
