"""`python -m msjax convert A B`: weights from one kind of file to another, with MindSpore's names where they come from PyTorch."""

import argparse
import difflib
import pathlib
import runpy

import numpy as np

from msjax.train.weight_files import read_weights, torch_to_mindspore, write_weights


def main(argv):
    """Run the command; the exit code is 1 where weights are left over."""
    parser = argparse.ArgumentParser(
        prog="msjax convert",
        description="Convert a file of weights: .ckpt, .safetensors, .npz, folders of Orbax; from .pth, .pt, .bin and .mindir, too.",
    )
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--match", metavar="NET.py:Class", help="give the weights the names and shapes of this network")
    parser.add_argument("--keep-names", action="store_true", help="leave PyTorch's names as they are")
    options = parser.parse_args(argv)
    try:
        arrays = read_weights(options.source)
        if options.source.endswith((".pth", ".pt", ".bin")) and not options.keep_names:
            arrays = torch_to_mindspore(arrays)
        left = ([], [])
        if options.match:
            arrays, left = matched(arrays, _network(options.match))
        write_weights(options.target, arrays)
    except (ValueError, TypeError, ImportError, OSError) as error:
        parser.exit(1, f"msjax convert: {error}\n")
    print(f"{options.target}: {len(arrays)} arrays, {sum(a.nbytes for a in arrays.values()) / 1e6:.1f} MB")
    for what, names in zip(("without a value", "not used"), left):
        for name in names:
            print(f"  {what}: {name}")
    return 1 if any(left) else 0


def _network(place):
    path, _, name = place.rpartition(":")
    if not path:
        raise ValueError(f"--match takes NET.py:Class, but got {place}.")
    import msjax

    msjax.install()
    made = runpy.run_path(str(pathlib.Path(path)))
    if name not in made:
        near = difflib.get_close_matches(name, made, 1)
        raise ValueError(f"{path} has no '{name}'." + (f" Did you mean '{near[0]}'?" if near else ""))
    return made[name]()


def matched(arrays, net):
    """(arrays under the names of a network's Parameters, (Parameters without a value, arrays that were not used)).

    By name first; what is left by order, where shapes agree. Axes of one element may be missing or too many.
    """
    found, unused = {}, dict(arrays)
    params = list(net.get_parameters())
    for param in params:
        if param.name in unused and _fits(unused[param.name], param):
            found[param.name] = unused.pop(param.name)
    for param in params:
        if param.name in found:
            continue
        name = next((n for n, array in unused.items() if _fits(array, param)), None)
        if name is not None:
            print(f"  {name} -> {param.name}  {list(param.shape)}")
            found[param.name] = unused.pop(name)
    ordered = {p.name: found[p.name].reshape(p.shape) for p in params if p.name in found}
    return ordered, ([p.name for p in params if p.name not in found], list(unused))


def _fits(array, param):
    return [n for n in np.shape(array) if n != 1] == [n for n in param.shape if n != 1]
