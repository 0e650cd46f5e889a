"""Models of toolkits, trained on one back end in one mode: what `tools/toolkits.py --train` compares.

    python tools/toolkit_cases.py TOOLKIT FOLDER [NAME ...] [--mode graph|pynative] [--backend msjax|mindspore] [--nudged SIZE]
    [--truth]

FOLDER: gets two `.npz` for each case: the initial weights, if they are not there, so that the next run starts from the first one's;
and the results of this back end and mode (a case whose results are there is not run again): the outputs, the losses, each gradient of
the first step, all Parameters (statistics of BatchNorm among them) after the first step and after the last, what was generated. A
checkpoint is written and read in between. Layers that draw random numbers (dropout, drop path) are off. --nudged: the weights are
changed in their last bit first, to tell rounding, which a network amplifies, from mistakes: in other ways each time, until the
gradients differ by SIZE from those of the result that is there, or a dozen times; the furthest is kept. --truth: weights and inputs are float64,
and so is what the toolkit calls float32.
"""

import argparse
import importlib
import os
import pathlib
import sys
import tempfile
import time
import traceback
import zlib

import numpy as np
import toolkit_diffusion  # noqa: F401  (files its cases)
import toolkit_formers  # noqa: F401
import toolkit_language  # noqa: F401
import toolkit_methods  # noqa: F401
import toolkit_science  # noqa: F401
import toolkit_tuning  # noqa: F401
import toolkit_vision  # noqa: F401
from toolkit_models import CASES, PACKAGES
from toolkit_paths import path_of, result_end

KEPT = 1 << 18  # numbers of one Tensor that are compared


def start(net, weights, nudged=None):
    """Give the network the weights of the file, or write them; {name: Parameter}. nudged: the seed of changes of their last bit."""
    import mindspore as ms

    parameters = {p.name: p for p in net.get_parameters()}
    if os.path.exists(weights):
        with np.load(weights) as kept:
            rng = np.random.default_rng(nudged)
            for key, p in parameters.items():
                value = kept[key]
                if nudged is not None and value.dtype == np.float32:
                    value = np.nextafter(value, rng.choice([-np.inf, np.inf], value.shape).astype(np.float32))
                p.set_data(ms.Tensor(value))
    else:
        # what initializers leave at zero would hide everything behind it
        for key, p in parameters.items():
            value = p.asnumpy()
            if not value.any() and "moving" not in key and value.dtype == np.float32:
                value = np.random.default_rng(zlib.crc32(key.encode())).normal(size=value.shape, scale=0.02)
                p.set_data(ms.Tensor(value.astype(np.float32)))
        np.savez(weights, **{key: p.asnumpy() for key, p in parameters.items()})
    return parameters


def reload(net, parameters):
    """Write a checkpoint, spoil the weights, read it again: whether all are as they were."""
    import mindspore as ms

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.ckpt")
        ms.save_checkpoint([{"name": key, "data": p} for key, p in parameters.items()], path)
        before = {key: p.asnumpy().copy() for key, p in parameters.items()}
        for p in parameters.values():
            p.set_data(ms.ops.zeros_like(p))
        try:
            left, _ = ms.load_param_into_net(net, ms.load_checkpoint(path))
        except (
            ValueError,
            RuntimeError,
        ):  # MindSpore's own, for Parameters that two layers share, or that a slice of a CellList renamed
            left = list(parameters)
        same = all(np.array_equal(before[key], p.asnumpy(), equal_nan=True) for key, p in parameters.items())
        for key, p in parameters.items():
            if key in left:
                p.set_data(ms.Tensor(before[key]))
    return same and not left


def furthest(reference, size, draw):
    """Of what draw(seed) gives for a dozen seeds, what has the largest gradients' difference from the reference; the first of the size."""
    found, largest = None, -1.0
    for seed in range(3, 15):
        kept = draw(seed)
        off = differences(reference, kept)["gradient"]
        if off > largest:
            found, largest = kept, off
        if off >= size:
            break
    return found


def run(toolkit, name, weights, mode, steps=3, nudged=None, truth=False):
    """Train some steps; what is compared of it, by name. See the module's text."""
    import mindspore as ms
    from mindspore import nn

    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    np.random.seed(1)
    model = CASES[toolkit][name]()
    net, inputs = model.net, model.inputs
    parameters = start(net, weights, nudged)
    if truth:
        inputs = tuple(i.astype(ms.float64) if str(i.dtype) == "Float32" else i for i in inputs)
        for p in parameters.values():
            p.set_dtype(ms.float64 if str(p.dtype) == "Float32" else p.dtype)
    net.set_train()
    for _, cell in net.cells_and_names():
        if "drop" in type(cell).__name__.lower():
            cell.set_train(False)
    trainable = net.trainable_params()
    optimizer = nn.Momentum(trainable, model.rate, 0.9)

    def forward(*values):
        outputs = net(*values, **model.keywords)
        if model.loss:
            return model.loss(outputs), outputs
        return (outputs[0], outputs) if isinstance(outputs, (tuple, list)) else (outputs, outputs)

    kept, losses = {}, []
    step = ms.value_and_grad(forward, None, trainable, has_aux=True)
    for number in range(steps):
        (value, outputs), gradients = step(*inputs)
        losses.append(copied(value).reshape(()))
        if number == 0:
            for i, o in enumerate(flat(outputs)):
                kept[f"output {i}"] = copied(o.astype(ms.float32))
            kept |= {f"gradient {p.name}": copied(g) for p, g in zip(trainable, gradients)}
        optimizer(gradients)
        if number in (0, steps - 1):
            kept |= {f"{'after' if number == 0 else 'last'} {key}": copied(p) for key, p in parameters.items()}
    kept["loss"] = np.array(losses)
    kept["checkpoint"] = np.array(reload(net, parameters))
    if model.generate:
        try:
            kept["generated"] = model.generate(net)
        except RuntimeError as error:  # MindSpore's CPU build lacks kernels that generation needs
            print(name, "generates nothing:", str(error).split("\n")[0], flush=True)
    return kept


def copied(tensor):
    """The content of a Tensor as it is now (MindSpore's arrays are views, which later steps write to); of many numbers, evenly spread ones."""
    content = tensor.asnumpy()
    step = 2 * (content.size // (2 * KEPT)) + 1  # odd: no multiple of a length, which would keep one column
    return np.array(content if step == 1 else content.reshape(-1)[::step])


def flat(outputs):
    """The Tensors of nested outputs that hold numbers."""
    if isinstance(outputs, (tuple, list)):
        return [t for o in outputs for t in flat(o)]
    return [outputs] if hasattr(outputs, "asnumpy") else []


def differences(a, b):
    """{kind of value: largest difference, relative to the largest value of its kind}; gradients by the largest of all of them."""
    found = {}
    largest = max((np.abs(a[k]).max(initial=0) for k in a if k.startswith("gradient")), default=1)
    for key in set(a) & set(b):  # only one of them may be able to generate
        kind, one, other = key.split()[0], a[key], b[key]
        if kind in ("after", "last") and ("moving" in key or "running" in key):
            kind = "statistics" if kind == "after" else "last"
        if kind == "checkpoint" or one.shape != other.shape:
            same = one.shape == other.shape and other.all()
            found[kind] = max(found.get(kind, 0.0), 0.0 if same else float("inf"))
            continue
        scale = largest if kind == "gradient" else max(np.abs(one).max(initial=0), 1e-3)
        with np.errstate(all="ignore"):
            off = np.abs(one.astype(np.float64) - other.astype(np.float64)).max(initial=0) / scale
        found[kind] = max(found.get(kind, 0.0), float(off) if np.isfinite(off) else float("inf"))
    return found


def beginning(a, b):
    """(Parameter, how many of its rows, of how many) where gradients begin to differ on the way back; None if they do not."""
    names = [key for key in a if key.startswith("gradient") and a[key].ndim]
    largest = max((np.abs(a[key]).max(initial=0) for key in names), default=0)
    for key in reversed(names):
        one, scale = a[key].astype(np.float64), np.abs(a[key]).max(initial=0)
        if scale < 1e-6 * largest or a[key].shape != b[key].shape:  # nothing but rounding
            continue
        off = np.abs(one - b[key]).reshape(len(one), -1).max(1) / scale
        if off.max() > 5e-4:
            return key.split(" ", 1)[1], int((off > 2e-4).sum()), len(off)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", choices=sorted(CASES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--mode", default="graph", choices=["graph", "pynative"])
    parser.add_argument("--backend", default="msjax", choices=["msjax", "mindspore"])
    parser.add_argument("--nudged", type=float)
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--steps", type=int, default=3)
    given = parser.parse_args()
    end = result_end(given.backend, given.mode, *(o for o in ("nudged", "truth") if getattr(given, o)))
    names = [n for n in given.names or CASES[given.toolkit] if not path_of(given.folder, n, end).exists()]
    if names:
        name = given.toolkit.split()[0]
        enter(PACKAGES.get(name, name.replace("-", "_")), given.backend, given.truth)
    for name in names:
        result, weights = path_of(given.folder, name, end), path_of(given.folder, name, "weights.npz")
        try:
            began = time.process_time()

            def draw(seed=None):
                return run(given.toolkit, name, str(weights), given.mode, given.steps, seed, given.truth)  # noqa: B023

            if given.nudged:
                with np.load(path_of(given.folder, name, result_end(given.backend, given.mode))) as reference:
                    kept = furthest(reference, given.nudged, draw)
            else:
                kept = draw()
            np.savez(result, **kept)
            print(name, end, f"{time.process_time() - began:.1f} s", flush=True)
        except Exception as error:
            path_of(given.folder, name, end + ".txt").write_text(traceback.format_exc())
            print(name, end, f"{type(error).__name__}: {error}"[:300], flush=True)
    sys.stdout.flush()
    os._exit(0)  # toolkits leave threads behind


def enter(package, backend, truth=False):
    """Make `mindspore` the back end, and import the toolkit. truth: which then casts to float64 where it means float32."""
    if backend == "msjax":
        import msjax
        from msjax.alias import old_names

        msjax.install()
        old_names.give_back()
        if truth:
            import mindspore as ms

            for module in (ms, ms.common, ms.common.dtype):
                module.float32 = ms.float64
        importlib.import_module(package)
        return
    import toolkit_stand_ins

    toolkit_stand_ins.initialize_at_once()
    toolkit_stand_ins.pad_by_pairs()
    toolkit_stand_ins.unfold_on_cpu()
    toolkit_stand_ins.cells_cast()
    entry = {"mindnlp": "mindnlp.transformers", "mindocr": "mindocr.models", "mindpet": "mindpet.delta"}.get(
        package, package
    )
    print("stand-ins:", *toolkit_stand_ins.import_with_stand_ins(entry), flush=True)


if __name__ == "__main__":
    main()
