"""The peak rates and sizes of chips, and the number of chips in a host: one table, with its sources."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Chip:
    """Peaks of one chip.

    flops: products and sums of bfloat16 a second. memory: bytes that programs can use. bandwidth: bytes a second from memory.
    link: bytes a second that one link carries one way; links: how many a collective along one axis uses. cores: programs a chip.
    axes: axes of its torus. kind: MindSpore's name of the platform. source: where the figures stand.
    """

    name: str
    flops: float
    memory: float
    bandwidth: float
    link: float
    links: int
    axes: int
    source: str
    platform: str = "tpu"
    cores: int = 1


_CLOUD = "https://cloud.google.com/tpu/docs/{} and https://jax-ml.github.io/scaling-book/tpus/"
_GIB = 1 << 30
# Memory is what the compiler lets a program have: less than the chip has.
CHIPS = {
    chip.name: chip
    for chip in (
        Chip("v3", 123e12, 32e9, 900e9, 100e9, 2, 2, _CLOUD.format("v3"), cores=2),
        Chip("v4", 275e12, 32 * _GIB, 1228e9, 45e9, 2, 3, _CLOUD.format("v4"), cores=2),
        Chip("v5e", 197e12, 16 * _GIB, 819e9, 45e9, 2, 2, _CLOUD.format("v5e")),
        Chip("v5p", 459e12, 95 * _GIB, 2765e9, 90e9, 2, 3, _CLOUD.format("v5p")),
        Chip("v6e", 918e12, 32 * _GIB, 1640e9, 90e9, 2, 2, _CLOUD.format("v6e")),
        Chip("h100", 989e12, 80e9, 3350e9, 450e9, 1, 1, "https://www.nvidia.com/en-us/data-center/h100/", "cuda"),
        Chip(
            "cpu",
            1e12,
            16e9,
            50e9,
            10e9,
            1,
            1,
            "no chip: a stand-in, to try a plan where no compiler of a chip is",
            "cpu",
        ),
    )
}


def known():
    """The topologies that can be asked for, as a sentence."""
    return (
        "v5e:XxY and v6e:XxY (2x2 to 16x16), v4:XxYxZ and v5p:XxYxZ (2x2x1 and more), v3:XxY, h100:N, cpu:N; "
        "a name alone is one chip, --devices N takes the nearest shape"
    )


def shape_of(topology: str, count: int | None = None):
    """(chip, lengths of its axes) of a name like "v5e:4x4", "v5e" or, with a count, the most compact shape of so many.

    Raises:
        ValueError: an unknown chip or shape, with those that are known.
    """
    name, _, sizes = str(topology).partition(":")
    chip = CHIPS.get(name.strip().lower())
    if chip is None:
        raise ValueError(f"There is no topology {topology!r}; known are {known()}.")
    if sizes:
        parts = sizes.lower().split("x")
        if not all(p.isdigit() and int(p) > 0 for p in parts) or len(parts) > 3:
            raise ValueError(f"The shape of the topology {topology!r} is not of the form 4x4; known are {known()}.")
        dims = tuple(int(p) for p in parts)
        if math.prod(dims) > 1 and chip.platform == "tpu" and len(dims) not in (2, 3) and not (len(dims) == 1):
            raise ValueError(f"The shape of the topology {topology!r} is not of the form 4x4; known are {known()}.")
        if len(dims) == 1 and dims[0] > 1 and chip.platform == "tpu":
            return chip, compact(dims[0], chip.axes)
        return chip, dims
    return chip, compact(count or 1, chip.axes) if chip.platform == "tpu" else (count or 1,)


def compact(count: int, axes: int):
    """The shape of `count` chips whose axes differ least: 256 chips of two axes are 16x16.

    Raises:
        ValueError: there is no such shape.
    """
    if count == 1:
        return (1,) * axes
    found = [s for s in _factors(count, axes) if all(n == 1 or n % 2 == 0 for n in s) and sum(n > 1 for n in s) >= 2]
    if not found:
        raise ValueError(f"{count} chips have no shape of even axes: take 4, 8, 16, 32, 64, 128, 256, ...")
    return min(found, key=lambda s: (max(s) / min(s), s))


def _factors(count, axes):
    if axes == 1:
        return [(count,)]
    return [(n, *rest) for n in range(1, count + 1) if count % n == 0 for rest in _factors(count // n, axes - 1)]


def collective_seconds(chip: Chip, kind: str, nbytes: int, size: int):
    """Seconds of a collective over `size` devices in a ring, whose result (of a reduce-scatter: operand) has so many bytes on each."""
    if size <= 1:
        return 0.0
    share = {"all-reduce": 2 * (size - 1) / size, "all-to-all": (size - 1) / size / 2, "collective-permute": 1.0}
    return nbytes * share.get(kind, (size - 1) / size) / (chip.link * chip.links)
