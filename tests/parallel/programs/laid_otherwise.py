"""One process with four devices: arrays that lie the other way round than usual, as a compiler of TPUs may choose, go to other devices."""

import jax
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

from msjax.core.operators import layouts


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


if __name__ == "__main__":
    check_moves()
