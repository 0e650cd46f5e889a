"""One process with four devices: arrays that lie the other way round than usual, as a compiler of TPUs may choose, go to other devices."""

import jax
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding
from mindspore import Parameter, Tensor, nn

from msjax.core.operators import layouts
from msjax.core.values.tensor import wrap
from msjax.hyper_parallel import PipelineStage, Shard, init_device_mesh, sharded_cells
from msjax.hyper_parallel.dtensor import place_parameter


def check_moves():
    """Arrays that go to other devices are read there as they are."""
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    mesh = Mesh(np.array(jax.devices()), ("d",))
    places = [SingleDeviceSharding(d) for d in jax.devices()[:2]]
    places += [NamedSharding(mesh, spec) for spec in (PartitionSpec(), PartitionSpec("d"), PartitionSpec(None, "d"))]
    twice = jax.jit(lambda a: 2 * a)
    turned = jax.device_put(x, Format(Layout((1, 0)), places[0]))
    right = np.array_equal(np.asarray(twice(jax.device_put(turned, places[1]))), 2 * x)
    print(
        f"JAX's own copy to another device is read {'rightly: docs/compiler_bugs.md' if right else 'wrongly'}",
        flush=True,
    )
    for source in places:
        turned = jax.device_put(x, Format(Layout((1, 0)), source))
        for target in places:
            for shard in twice(layouts.moved(turned, target)).addressable_shards:
                np.testing.assert_array_equal(np.asarray(shard.data), 2 * x[shard.index], f"{source} -> {target}")
    print("moved: read as they are", flush=True)


def check_hyper_parallel():
    """Stages and gradients of hyper_parallel's own move so, too."""
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    turned = jax.device_put(x, Format(Layout((1, 0)), SingleDeviceSharding(jax.devices()[0])))
    stage = PipelineStage(nn.Identity(), 0, 2)
    stage.place = SingleDeviceSharding(jax.devices()[1])
    there = stage._moved(wrap(turned)).jax_array
    weight = Parameter(Tensor(x), name="weight")
    place_parameter(weight, init_device_mesh("cpu", (4,), mesh_dim_names=("d",)), (Shard(0),))
    grad = sharded_cells._lying(wrap(turned), weight).jax_array
    for array in (there, grad):
        for shard in jax.jit(lambda a: 2 * a)(array).addressable_shards:
            np.testing.assert_array_equal(np.asarray(shard.data), 2 * x[shard.index])
    print("hyper_parallel: read as they are", flush=True)


if __name__ == "__main__":
    check_moves()
    check_hyper_parallel()
