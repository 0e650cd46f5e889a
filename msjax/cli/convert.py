"""`python -m msjax convert A B`: weights from one kind of file to another, under the names of a network where one is given."""

import argparse
import json
import pathlib

import numpy as np

from msjax.train.weights.files import open_weights, write_weights
from msjax.train.weights.matching import ORDER, UncertainMatch
from msjax.train.weights.names import torch_to_mindspore
from msjax.train.weights.network import match_network, matched, unmatched
from msjax.train.weights.orders import Grouped
from msjax.train.weights.torch_files import SUFFIXES

from .scripts import named

_EPILOG = """exit codes: 0 all weights have gone over; 1 weights are left over, or a file cannot be read or written; 2 it is not certain
which weight is which: nothing was written. `--map FILE` or `--probe` then decide."""
_ORDER = "--qkv-order says the order of q, k and v, as 'qkv' or '12*qkv' for 12 heads. "


def main(argv: list[str] | None):
    """Run the command; the exit code is 1 where weights are left over, 2 where the match is not certain."""
    parser = argparse.ArgumentParser(
        prog="msjax convert",
        description="Convert weights: .ckpt, .safetensors, .npz, .pth, .bin, their shards (name the index or the folder), folders of Orbax; "
        "from .mindir, too.",
        epilog=_EPILOG,
    )
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--match", metavar="NET.py:Class", help="give the weights the names and shapes of this network")
    parser.add_argument(
        "--map", metavar="FILE", help='JSON {"name of a Parameter": "name in the source"} for what is known'
    )
    parser.add_argument(
        "--write-map", metavar="FILE", help="write the likeliest match as such a JSON, to look at and to change"
    )
    parser.add_argument(
        "--probe", metavar="NET.py:Class", help="the PyTorch network of the source: both must give the same"
    )
    parser.add_argument(
        "--input",
        default="1,3,224,224",
        metavar="SHAPE",
        help="of the probe: 1,3,224,224 or 1,16:1000 for integers below 1,000",
    )
    parser.add_argument(
        "--qkv-order",
        metavar="ORDER",
        help='how a matrix of q, k and v that is cut or joined has its rows: "qkv" all of q, then k, then v; "12*qkv" q, k and v of each of '
        '12 heads (of k and v, where q has more); "4*qvk" a quarter of q, of v, of k at a time',
    )
    parser.add_argument("--keep-names", action="store_true", help="leave PyTorch's names as they are")
    parser.add_argument(
        "--shard-size", type=float, metavar="GB", help="of the files of a target that ends in .index.json"
    )
    options = parser.parse_args(argv)
    left = ([], [])
    try:
        arrays = open_weights(options.source)
        if options.qkv_order and not options.match:
            raise ValueError("--qkv-order needs --match NET.py:Class: without a network no matrix is cut or joined.")
        if options.match:
            net = _network(options.match)
            probe = _probe(options, net) if options.probe else None
            pairs = match_network(net, arrays, _map(options.map), probe, options.qkv_order)
            left = unmatched(pairs, net, arrays)
            _tell(pairs)
            _write_map(options.write_map, pairs)
            arrays = matched(pairs, net, arrays)
        elif _is_torch(options.source) and not _is_torch(options.target) and not options.keep_names:
            arrays = torch_to_mindspore(arrays)
        write_weights(options.target, arrays, options.shard_size and int(options.shard_size * 1e9))
    except UncertainMatch as error:
        _write_map(options.write_map, error.guess)
        order = any(doubt.why == ORDER for doubt in error.doubts)
        parser.exit(2, f"msjax convert: {error}\nNothing was written. {_ORDER * order}--write-map FILE writes the likeliest match, --map FILE takes it when "
                       "you have looked at it; --probe NET.py:Class proves it with the PyTorch network.\n")  # fmt: skip
    except (ValueError, TypeError, ImportError, OSError) as error:
        parser.exit(1 if not options.match else 2, f"msjax convert: {error}\n")
    print(f"{options.target}: {len(arrays)} arrays, {sum(a.nbytes for a in arrays.values()) / 1e6:.1f} MB")
    for what, names in zip(("without a value", "not used"), left):
        for name in names:
            print(f"  {what}: {name}")
    return 1 if any(left) else 0


def _is_torch(path):
    return path.endswith((*SUFFIXES, ".bin.index.json"))


def _tell(pairs):
    for pair in pairs:
        if pair.why != "name":
            how = ", transposed" if pair.transposed else ""
            part = f", rows {pair.part[0]} to {pair.part[1]}" if pair.part else ""
            order = "".join(
                f", {o.groups} x {o.spelled}" if isinstance(o, Grouped) else f", {o[0]} of heads of {o[1]}"
                for o in (pair.joined, pair.rotary)
                if o
            )
            print(f"  {' + '.join(pair.sources)} -> {pair.target}  ({pair.why}{how}{part}{order})")


def _map(path):
    if path is None:
        return None
    try:
        given = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is no JSON file: {error}.") from None
    if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
        raise ValueError(f'{path} must hold {{"name of a Parameter": "name in the source"}}.')
    return given


def _write_map(path, pairs):
    if path is not None:
        single = {p.target: p.sources[0] for p in pairs if len(p.sources) == 1 and p.part is None}
        pathlib.Path(path).write_text(json.dumps(single, indent=1) + "\n", encoding="utf-8")


def _network(place):
    import msjax

    msjax.install()
    return named(place)()


def _probe(options, net):
    """A function that runs both networks on one input and gives the difference of their outputs."""
    try:
        import torch  # the network of the other side is PyTorch's
    except ImportError as error:
        raise ImportError("--probe runs the PyTorch network: pip install torch.") from error
    import mindspore as ms

    shape, _, below = options.input.partition(":")
    random = np.random.RandomState(0)
    sizes = [int(n) for n in shape.split(",")]
    given = random.randint(0, int(below), sizes) if below else random.standard_normal(sizes).astype(np.float32)
    other = named(options.probe)()
    weights = {}
    for name, entry in open_weights(options.source).items():
        values = entry.read()
        weights[name] = torch.from_numpy(values.astype(np.float32) if entry.dtype.kind == "V" else values)
    other.load_state_dict(weights)
    with torch.no_grad():
        wanted = _first(other.eval()(torch.from_numpy(given))).float().numpy()
    net.set_train(False)
    largest = max(float(np.abs(wanted).max()), 1e-6)

    def difference():
        got = np.asarray(_first(net(ms.Tensor(given))).asnumpy(), np.float32)
        if got.shape != wanted.shape:
            raise ValueError(f"the PyTorch network gives shape {wanted.shape}, the other one {got.shape}.")
        return float(np.abs(got - wanted).max()) / largest

    return difference


def _first(value):
    """The first Tensor of an output: of a tuple, a dict, or an output object of transformers."""
    if isinstance(value, dict):
        value = next(iter(value.values()))
    while isinstance(value, (tuple, list)):
        value = value[0]
    return getattr(value, "logits", value)
