"""Starts a project's own script on MindSpore or on msjax, so that two runs of it can be compared.

    python tools/project_start.py {here|there} FOLDER SCRIPT [ARGS]        # or -m MODULE [ARGS]

Nothing of the project is changed. Before it runs, Python's, NumPy's and MindSpore's generators get one seed; MindSpore is told that its
device is the CPU, whatever the project says. The first run writes into FOLDER what each optimizer's Parameters hold when it is made, the
second takes them from there. MSJAX_PROJECT_STILL=1 takes away what no two libraries draw alike: dropout hands its input on, and the
functions that draw noise outside of a compiled graph draw it from NumPy. MindSpore gets back some names of 1.x, and says that nothing
overflowed where it is asked for what its CPU has not.
"""

import os
import pathlib
import random
import runpy
import sys

import numpy as np

SEED = 1


def carry_weights(mindspore, folder):
    """The k-th optimizer's Parameters go into `optimizer-k.npz`, or come from there."""
    made = iter(range(1_000_000))
    folder.mkdir(parents=True, exist_ok=True)

    def carrying(plain):
        def init(self, *args, **kwargs):
            plain(self, *args, **kwargs)
            if getattr(self, "_project_carried", False):  # a subclass that calls its parent's
                return
            object.__setattr__(self, "_project_carried", True)
            path = folder / f"optimizer-{next(made)}.npz"
            parameters = list(self.parameters)
            if not path.exists():
                np.savez(path, *(np.asarray(p.asnumpy()) for p in parameters))
                return
            with np.load(path) as held:
                values = [held[f"arr_{i}"] for i in range(len(held.files))]
            if [v.shape for v in values] != [tuple(p.shape) for p in parameters]:
                print(f"project_start: {path.name} holds other shapes than this optimizer's Parameters", flush=True)
                return
            for parameter, value in zip(parameters, values, strict=True):
                parameter.set_data(mindspore.Tensor(value, parameter.dtype))

        return init

    for optimizer in (mindspore.nn.Optimizer, mindspore.experimental.optim.Optimizer):
        optimizer.__init__ = carrying(optimizer.__init__)


def still(mindspore):
    """Dropout hands its input on; noise comes from NumPy."""
    ops, tensor = mindspore.ops, mindspore.Tensor
    for sizes in ("", "1d", "2d", "3d"):
        getattr(mindspore.nn, f"Dropout{sizes}").construct = lambda self, x: x
        setattr(ops, f"dropout{sizes}", lambda x, p=0.5, training=True, seed=None: x)

    def normal(*size, dtype=None, seed=None):
        return tensor(np.random.standard_normal(_shape(size)).astype(np.float32), dtype or mindspore.float32)

    def uniform(*size, dtype=None, seed=None):
        return tensor(np.random.random_sample(_shape(size)).astype(np.float32), dtype or mindspore.float32)

    ops.randn, ops.rand, ops.standard_normal = normal, uniform, lambda shape, seed=None: normal(*shape)
    ops.randn_like = lambda input, seed=None, *, dtype=None: normal(*input.shape, dtype=dtype or input.dtype)
    ops.rand_like = lambda input, seed=None, *, dtype=None: uniform(*input.shape, dtype=dtype or input.dtype)
    ops.randint = lambda low, high, size, seed=None, *, dtype=None: tensor(
        np.random.randint(low, high, size), dtype or mindspore.int64
    )
    ops.StandardNormal = lambda seed=0, seed2=0: lambda shape: normal(*shape)
    ops.UniformReal = lambda seed=0, seed2=0: lambda shape: uniform(*shape)


def _shape(size):
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], tuple | list) else size


def on_cpu(mindspore):
    """MindSpore runs on its CPU build, whatever device a project names, and its pipelines with as many threads as there are cores."""
    from mindspore import context
    from mindspore.dataset.core import validator_helpers

    validator_helpers.cpu_count = lambda: 64  # it refuses more threads than cores: 8 on a machine of two
    dataset = mindspore.dataset.Dataset
    made = dataset.__init__

    def init(self, *args, **kwargs):
        made(self, *args, **kwargs)
        self.num_parallel_workers = self.num_parallel_workers and min(self.num_parallel_workers, os.cpu_count())

    dataset.__init__ = init

    plain = mindspore.set_context

    def set_context(**settings):
        settings.pop("device_id", None)
        if "device_target" in settings:
            settings["device_target"] = "CPU"
        plain(**settings)

    context.set_context = mindspore.set_context = set_context
    mindspore.set_device = lambda *args, **kwargs: None
    set_context(device_target="CPU")


def on_old_names(mindspore):
    """MindSpore 2.10 answers to some names of 1.x, and NumPy to its types of that time."""
    from mindspore.dataset import transforms, vision

    for package in (transforms, vision):
        for name in ("c_transforms", "py_transforms"):
            setattr(package, name, package)
            sys.modules[f"{package.__name__}.{name}"] = package
    mindspore.ms_function = mindspore.jit
    mindspore._checkparam.Validator = mindspore._checkparam.Rel = mindspore._checkparam
    for kind in (bool, int, float, complex, str, object):
        setattr(np, kind.__name__, kind)
    for name in ("ps_parameters", "cache_enable"):
        setattr(mindspore.nn.Optimizer, name, property(lambda self: (False,) * len(self.parameters)))
    lookup = mindspore.nn.EmbeddingLookup
    made = lookup.__init__
    lookup.__init__ = lambda self, *args, vocab_cache_size=0, **kwargs: made(self, *args, **kwargs)
    sys.modules["mindspore.nn.metrics.metric"] = mindspore.nn.metrics
    product = mindspore.ops.dot
    mindspore.ops.dot = lambda input=None, other=None, x1=None, x2=None: (
        product(input, other) if x1 is None else product(x1, x2)
    )

    class ResizeBilinear(mindspore.nn.Cell):
        def construct(self, x, size=None, scale_factor=None, align_corners=False):
            size = size or (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
            return mindspore.ops.ResizeBilinearV2(align_corners)(x, size)

    mindspore.nn.ResizeBilinear = ResizeBilinear


def without_overflow(mindspore):
    """The registers in which an Ascend notes overflows, which MindSpore's CPU has not: they are empty."""
    from mindspore import nn, ops
    from mindspore.nn.wrap import loss_scale

    class Empty(nn.Cell):
        def construct(self, *held):
            return ops.zeros((8,), mindspore.float32)

    class EmptyWhole(nn.Cell):
        def construct(self, *held):
            return ops.zeros((8,), mindspore.int32)

    for module in (ops, ops.operations, loss_scale):
        for name in ("NPUAllocFloatStatus", "NPUGetFloatStatus", "NPUClearFloatStatus"):
            setattr(module, name, Empty)
        for name in ("NPUGetFloatStatusV2", "NPUClearFloatStatusV2"):
            setattr(module, name, EmptyWhole)


def main():
    side, folder, *command = sys.argv[1:]
    sys.path.remove(str(pathlib.Path(__file__).resolve().parent))
    if side == "here":
        import msjax

        msjax.install()
    import mindspore
    import mindspore.experimental.optim

    if side == "there":
        on_cpu(mindspore)
        on_old_names(mindspore)
        without_overflow(mindspore)
    carry_weights(mindspore, pathlib.Path(folder))
    if os.environ.get("MSJAX_PROJECT_STILL"):
        still(mindspore)
    mindspore.set_seed(SEED)
    np.random.seed(SEED)
    random.seed(SEED)
    module = command[0] == "-m"
    name, args = (command[1], command[2:]) if module else (command[0], command[1:])
    if side == "here":
        from msjax.alias import script

        (script.run_module if module else script.run_file)(name, args)
        return
    sys.argv[:] = [name, *args]
    sys.path.insert(0, os.getcwd() if module else str(pathlib.Path(name).resolve().parent))
    if module:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(name, run_name="__main__")


if __name__ == "__main__":
    main()
