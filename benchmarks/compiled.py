"""What the real compiler says of msjax's train steps beside hand-written JAX: operations, bytes and memory, exact, on any machine.

    python benchmarks/compiled.py [--topology v5e] [--only gpt2,lstm] [--layers 2] [--keep FOLDER] [--record] [--check]

Both are compiled for the same chip by its compiler (`pip install 'msjax[plan]'`; no TPU is needed), the hand-written one with the kernels
that an expert takes: flash attention, one fused loss, bfloat16 where MindSpore's amp has it. Bodies of loops count by their trips. `--layers`
takes fewer layers of the deep ones, whose compilation takes minutes; `--keep` writes the compiled programs. `--record` writes the counts to
`compiled_counts.json`, `--check` compares with it: a program that is 2 % worse ends in exit code 1, with the operators that grew. Peak is the
compiler's, which may count some of the chip's own memory, too; held is what the program's schedule needs of the device's (`memory.held`).
"""

import argparse
import json
import pathlib
import sys

import compiled_drawn_nets  # noqa: F401
import compiled_further_nets  # noqa: F401
import compiled_more_nets  # noqa: F401
import compiled_nets as nets
import compiled_other_nets  # noqa: F401
import compiled_rare_nets  # noqa: F401
import compiled_small_nets  # noqa: F401
import compiled_vision_nets  # noqa: F401
import jax

import msjax
from msjax.planning import counts, memory
from msjax.planning.measure import compile_lowered, measure, planning
from msjax.planning.topology import Topology

HISTORY = pathlib.Path(__file__).with_name("compiled_counts.json")


def by_hand(workload, topology):
    """The hand-written step, compiled."""
    from jax.sharding import SingleDeviceSharding

    with jax.enable_x64(False):
        update, state, batch = workload.by_hand()
        shapes = jax.tree_util.tree_map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), (state, *batch))
        one = SingleDeviceSharding(topology.devices[0])
        jitted = jax.jit(update, donate_argnums=0, in_shardings=one, out_shardings=one)
        lowered = jitted.trace(*shapes).lower(lowering_platforms=(topology.platform,))
    return compile_lowered(lowered, "jax", topology)


def by_msjax(workload, topology):
    """The step of msjax, compiled."""
    with planning(topology):
        step, inputs = workload.msjax()
    return measure(step, inputs, topology)


def counted(made):
    """All counts of a compiled program."""
    return {**counts.totals(made), "held": memory.held(made)}


def worse(name, now, before):
    """Sentences on what is more than 2 % worse than it was."""
    # the compiler's peak of a small program changes with the order of its state
    space = "held" if before.get("held") else "peak"
    found = [
        f"{name}: {what} {before[what]:.4g} -> {now[what]:.4g} ({now[what] / before[what]:.3f} x)"
        for what in ("operations", "bytes", space, "collective")
        if before.get(what) and now[what] > 1.02 * before[what]
    ]
    if found:
        grown = sorted(
            ((now["by_operator"].get(k, 0) - before["by_operator"].get(k, 0), k) for k in now["by_operator"]),
            reverse=True,
        )
        found.append(f"{name}: grew most: " + ", ".join(f"{k} by {v / 1e6:.2f} MB" for v, k in grown[:3] if v > 0))
    return found


def history():
    """The counts that were recorded: {topology: {workload: {contender: counts}}}."""
    return json.loads(HISTORY.read_text()) if HISTORY.exists() else {}


def print_head():
    print(
        f"{'':18s} {'':6s} {'operations G':>13s} {'bytes GB':>10s} {'accessed GB':>12s} {'peak MB':>9s} {'held MB':>9s} {'kernels':>8s} "
        f"{'collective MB':>14s} {'compile s':>10s}"
    )


def print_row(title, contender, row, seconds):
    print(
        f"{title:18s} {contender:6s} {row['operations'] / 1e9:13.2f} {row['bytes'] / 1e9:10.3f} {row['accessed'] / 1e9:12.3f} "
        f"{row['peak'] / 1e6:9.1f} {row['held'] / 1e6:9.1f} {row['kernels']:8d} {row['collective'] / 1e6:14.2f} {seconds:10.1f}",
        flush=True,
    )
    if row["collectives"]:
        print(f"{'':26s}" + ", ".join(f"{kind} {n / 1e6:.2f} MB" for kind, n in sorted(row["collectives"].items())))


def close(topology, title, rows, recorded, args):
    """Print the ratios of one workload, keep its counts or compare them with the recorded: sentences on what is worse."""
    if len(rows) == 2:
        ratios = {
            k: rows["msjax"][k] / max(rows["jax"][k], 1)
            for k in ("operations", "bytes", "accessed", "peak", "held", "collective")
        }
        print(
            f"{title:18s} ratio  {ratios['operations']:13.3f} {ratios['bytes']:10.3f} {ratios['accessed']:12.3f} {ratios['peak']:9.3f} "
            f"{ratios['held']:9.3f} {'':8s} {ratios['collective']:14.3f}",
            flush=True,
        )
    kept, found = recorded.setdefault(topology.name, {}), []
    if args.check and "msjax" in rows:
        if title in kept:
            found = worse(title, rows["msjax"], kept[title]["msjax"])
        else:
            print(f"{title}: not in {HISTORY.name}")
    if args.record:
        kept[title] = {**kept.get(title, {}), **rows}
        HISTORY.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topology", default="v5e")
    parser.add_argument("--only", default=",".join(nets.WORKLOADS), help="workloads, by commas")
    parser.add_argument("--layers", type=int, help="layers of the deep ones")
    parser.add_argument("--contender", choices=("both", "msjax", "jax"), default="both")
    parser.add_argument("--keep", help="folder for the compiled programs")
    parser.add_argument("--record", action="store_true", help="write the counts to the history")
    parser.add_argument("--check", action="store_true", help="compare with the history")
    args = parser.parse_args()
    msjax.install()
    import mindspore as ms

    ms.set_context(mode=ms.GRAPH_MODE)
    topology = Topology(args.topology)
    recorded, complaints = history(), []
    print_head()
    for name in args.only.split(","):
        workload = nets.WORKLOADS[name](args.layers)
        title, rows = f"{name}{workload.note}", {}
        for contender in ("jax", "msjax"):
            if args.contender not in ("both", contender):
                continue
            made = (by_hand if contender == "jax" else by_msjax)(workload, topology)
            if args.keep:
                pathlib.Path(args.keep, f"{topology.name}_{name}_{contender}.hlo".replace(":", "_")).write_text(
                    made.text
                )
            rows[contender] = counted(made)
            print_row(title, contender, rows[contender], made.seconds["compile"])
        complaints += close(topology, title, rows, recorded, args)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
