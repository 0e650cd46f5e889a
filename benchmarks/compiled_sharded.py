"""What the real compiler says of msjax's sharded train steps beside hand-written GSPMD: operations, bytes, memory, collectives a chip.

    python benchmarks/compiled_sharded.py [--topology v5e:4x4] [--only llama,zero1] [--layers 1] [--keep FOLDER] [--record] [--check]
    python benchmarks/compiled_sharded.py --topology v5p:4x4x4 --only llama --layers 32 --fold

Both are compiled for the same slice by its compiler (`pip install 'msjax[plan]'`; no TPU is needed). The hand-written step lays out weights,
optimizer state and gradients as an expert would, and its attention is JAX's flash attention within `shard_map`; the one of msjax has MindSpore's
strategies, or none. Bodies of loops count by their trips. The seconds of a step are those that `plan` tells: each instruction takes the longer of its
operations and its bytes, collectives their bytes by the links. `--record` writes the counts to `compiled_counts.json`, `--check` compares with it.
"""

import argparse
import pathlib
import sys

import compiled
import compiled_sharded_nets as nets
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import msjax
from msjax.planning import report
from msjax.planning.measure import compile_lowered, measure, planning
from msjax.planning.topology import Topology


def _further(shape, spec, mesh, stacked):
    """The layout with the axis "data" as well, on the first axis of the array that it divides: of optimizer state under ZeRO.

    stacked: the first axis counts layers, and stays whole, since a loop takes a row in each round.
    """
    spec = [*spec, *[None] * (len(shape) - len(spec))]
    for axis in sorted(range(stacked, len(shape)), key=lambda a: spec[a] is not None):
        names = (*(() if spec[axis] is None else (spec[axis],)), "data")
        if shape[axis] % np.prod([mesh.shape[n] for n in names]) == 0:
            spec[axis] = names
            return PartitionSpec(*spec)
    return PartitionSpec(*spec)


def by_hand(workload, topology):
    """The hand-written step, compiled."""
    with jax.enable_x64(False):
        mesh = Mesh(np.array(topology.devices).reshape(workload.grid), ("data", "model"))
        params, specs, loss, batch = workload.jax(mesh)
        is_spec = lambda x: isinstance(x, PartitionSpec)  # noqa: E731
        of = lambda tree: jax.tree_util.tree_map(lambda s: NamedSharding(mesh, s), tree, is_leaf=is_spec)  # noqa: E731
        stacked = lambda path: int(workload.folded and path[0].key == "layers")  # noqa: E731
        split = jax.tree_util.tree_map_with_path(
            lambda path, a, s: _further(a.shape, s, mesh, stacked(path)), params, specs
        )
        weights = of(split if workload.zero == 3 else specs)
        state = of(split if workload.zero else specs)

        def update(params, mean, square, count, *batch):
            value, grads = jax.value_and_grad(loss)(params, *batch)
            grads = jax.lax.with_sharding_constraint(grads, state)
            mean = jax.tree_util.tree_map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
            square = jax.tree_util.tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, square, grads)
            step = lambda w, m, v: w - 1e-4 * (m / (jnp.sqrt(v) + 1e-6) + 0.01 * w)  # noqa: E731
            return value, jax.tree_util.tree_map(step, params, mean, square), mean, square, count + 1

        shapes = lambda lies: jax.tree_util.tree_map(  # noqa: E731
            lambda a, s: jax.ShapeDtypeStruct(a.shape, jnp.float32, sharding=s), params, lies
        )
        rows, one = NamedSharding(mesh, PartitionSpec(workload.rows)), NamedSharding(mesh, PartitionSpec())
        inputs = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=rows) for a in batch]
        jitted = jax.jit(update, donate_argnums=(0, 1, 2, 3), out_shardings=(one, weights, state, state, one))
        count = jax.ShapeDtypeStruct((), jnp.int32, sharding=one)
        traced = jitted.trace(shapes(weights), shapes(state), shapes(state), count, *inputs)
        return compile_lowered(traced.lower(lowering_platforms=(topology.platform,)), "jax", topology)


def by_msjax(workload, topology):
    """The step of msjax, compiled."""
    import mindspore as ms
    from mindspore import nn

    zero = {
        "enable_parallel_optimizer": True,
        "parallel_optimizer_config": {"optimizer_level": f"level{workload.zero}"},
    }
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(
        parallel_mode=workload.mode,
        full_batch=workload.mode != "data_parallel",  # as MindSpore allows it
        device_num=len(topology.devices),
        pipeline_stages=workload.stages,
        **(zero if workload.zero else {}),
    )
    ms.set_context(fold_layers=workload.folded)
    with planning(topology):
        net, inputs = workload.msjax()
        optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-4, weight_decay=0.01)
        step = nn.TrainOneStepCell(net, optimizer).set_train()
    made = measure(step, inputs, topology)
    ms.reset_auto_parallel_context()
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topology", default="v5e:4x4")
    parser.add_argument("--only", default=",".join(nets.WORKLOADS), help="workloads, by commas")
    parser.add_argument("--layers", type=int, help="layers of the deep ones")
    parser.add_argument(
        "--fold", action="store_true", help="equal layers as one loop: a scan by hand, fold_layers here"
    )
    parser.add_argument("--contender", choices=("both", "msjax", "jax"), default="both")
    parser.add_argument("--keep", help="folder for the compiled programs")
    parser.add_argument("--record", action="store_true", help="write the counts to the history")
    parser.add_argument("--check", action="store_true", help="compare with the history")
    args = parser.parse_args()
    msjax.install()
    import mindspore as ms

    ms.set_context(mode=ms.GRAPH_MODE)
    topology = Topology(args.topology)
    recorded, complaints = compiled.history(), []
    compiled.print_head()
    for name in args.only.split(","):
        workload = nets.WORKLOADS[name](args.layers, len(topology.devices), args.fold)
        title, rows = f"{name}{workload.note}", {}
        for contender in ("jax", "msjax"):
            if args.contender not in ("both", contender):
                continue
            made = (by_hand if contender == "jax" else by_msjax)(workload, topology)
            if args.keep:
                file = f"{topology.name}_{name}_{contender}.hlo".replace(":", "_")
                pathlib.Path(args.keep, file).write_text(made.text)
            seconds = report.plan_of(made).seconds
            rows[contender] = compiled.counted(made) | {
                "step": seconds["step without overlap"],
                "overlapped": seconds["step with overlap"],
            }
            compiled.print_row(title, contender, rows[contender], made.seconds["compile"])
            print(
                f"{'':26s}a step by roofline: {1e3 * rows[contender]['step']:.2f} ms, with overlap {1e3 * rows[contender]['overlapped']:.2f} ms"
            )
        complaints += compiled.close(topology, title, rows, recorded, args)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
