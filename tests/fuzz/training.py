"""Random training programs as users write them: networks of blocks (training_texts.txt), losses, optimizers, and the step itself.

A case is a dict: `source` (the text of a module with `main(seen)`), `flags` (settings that change no number, set on the side of msjax),
`old` (whether msjax gets the spellings of 1.x), `modes`. The program gives the first result, the gradient of the input, the losses of
three steps, all Parameters after them and the optimizer's state. As in networks.py, the modes of msjax are also compared with each other.
"""

import contextlib
import io
import re
import warnings
import zlib
from collections import OrderedDict

import mindspore as ms
import mindspore.dataset as ds
import networks
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.nn.learning_rate_schedule import LearningRateSchedule
from seeded import Seeded
from texts import module_of, settle, tables_of

LIMIT = 180  # seconds a case
BLOCK = 10  # cases of one seed
ALLOWED = networks.ALLOWED
OURS = hasattr(ms, "explain")  # msjax
NAMES = {"ms": ms, "ds": ds, "np": np, "nn": nn, "ops": ops, "mint": mint, "Tensor": Tensor, "Parameter": Parameter}
NAMES |= {"OrderedDict": OrderedDict, "LearningRateSchedule": LearningRateSchedule}
DRAWN = {
    "$h": ("3", "4", "5", "8"),
    "$n": ("1", "2", "3"),
    "$q": ("0.5", "-0.25", "1.5", "0.1", "2.0"),
    "$i": ("0", "1", "2"),
    "$act": (
        "ops.relu",
        "ops.tanh",
        "ops.sigmoid",
        "ops.gelu",
        "ops.elu",
        "ops.silu",
        "ops.softplus",
        "nn.ReLU()",
        "nn.Tanh()",
        "nn.HSwish()",
        "nn.LeakyReLU(0.1)",
        "ops.ReLU()",
        "ops.Sigmoid()",
        "mint.nn.functional.silu",
        "nn.ELU()",
        "ops.Tanh()",
        "nn.SiLU()",
    ),
}
# settings of users of either series that change no number
FLAGS = (
    ("jit_level", "'O0'"),
    ("jit_config", "{'jit_level': 'O1'}"),
    ("enable_graph_kernel", "True"),
    ("mempool_block_size", "'1GB'"),
    ("save_graphs", "False"),
    ("save_graphs", "0"),
    ("max_call_depth", "2000"),
    ("pynative_synchronize", "True"),
    ("deterministic", "'ON'"),
    ("max_device_memory", "'8GB'"),
    ("enable_reduce_precision", "True"),
    ("precompile_only", "False"),
    ("enable_sparse", "True"),
    ("grad_for_scalar", "True"),
    ("runtime_num_threads", "4"),
    ("device_target", "'CPU'"),
    ("enable_compile_cache", "False"),
    ("memory_optimize_level", "'O1'"),
    ("inter_op_parallel_num", "2"),
    ("variable_memory_max_size", "'5GB'"),
)
# how the same is spelled in 1.x; MindSpore 2.10 runs the text before this
OLD = (
    ("@ms.jit", "@ms.ms_function"),
    ("nn.Dropout(p=0.0)", "nn.Dropout(keep_prob=1.0)"),
    ("ops.BatchMatMul", "P.BatchMatMul"),
    ("ops.Concat", "P.Concat"),
    ("ops.Transpose", "P.Transpose"),
    ("ops.ReduceMean", "P.ReduceMean"),
    ("ops.Mul()", "P.Mul()"),
    ("ops.Sub()", "P.Sub()"),
    ("ops.GatherD", "P.GatherD"),
    ("ops.Assign", "P.Assign"),
    ("ops.HyperMap", "C.HyperMap"),
    ("ops.MultitypeFuncGraph", "C.MultitypeFuncGraph"),
    ("ops.GradOperation", "C.GradOperation"),
    ("ops.partial", "F.partial"),
    ("ops.depend", "F.depend"),
    ("ops.clip_by_global_norm", "C.clip_by_global_norm"),
    ("ms.amp.build_train_network", "amp.build_train_network"),
    ("ops.zeros_like", "F.zeros_like"),
    ("ops.ones_like", "F.ones_like"),
    ("ops.HookBackward", "InsertGradientOf_"),
    ("nn.LossBase", "nn.loss.loss.LossBase"),
    ("ms.Callback", "callback.Callback"),
    ("ops.tanh", "P.Tanh()"),
    ("ops.relu", "P.ReLU()"),
    ("ops.softmax(", "F.softmax("),
    (".astype(ms.float32)", ".astype(mstype.float32)"),
)
OLD_IMPORTS = (
    "import mindspore.common.dtype as mstype\nfrom mindspore.ops import operations as P, functional as F, composite as C\n"
    "from mindspore.train import amp, callback\nfrom mindspore.ops import HookBackward as InsertGradientOf_\n\n\n"
)
WARM = (
    "class Warm(LearningRateSchedule):\n    def construct(self, global_step):\n"
    "        return 0.02 * (1 + global_step.astype(ms.float32)) / 4\n\n\n"
)
WHOLE = """\
class Whole(nn.Cell):
    def __init__(self, net, loss_fn):
        super().__init__(«|auto_prefix=False»)
        self.net, self.loss_fn = net, loss_fn

    def construct(self, x, t):
        return self.loss_fn(self.net(x, t), t)


"""
MAIN = """\
def main(seen):
    x, t = tensor('x', (4, 6)), tensor('t', (4,), 6)
    seen('names', [p.name for p in net.get_parameters()])
    seen('result', net(x, t))
    fill(net)
    seen('gradient of the input', ms.grad(whole, 0)(x, t))
    fill(net)
    losses = []
    for i in range(3):
        losses.append(step(tensor(f'x{i}', (4, 6)), tensor(f't{i}', (4,), 6)))
    seen('losses of steps', losses)
    seen('Parameters', [p.value() for p in net.get_parameters()])
    seen('state', [p.value() for p in opt.get_parameters()])
"""


TABLES = tables_of("training_texts.txt")


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        eager = r.random() < 0.4
        chosen = [r.choice(TABLES["blocks"]) for _ in range(r.choice((1, 2, 2, 3, 4)))]
        if eager:
            chosen[r.randrange(len(chosen))] = r.choice(TABLES["eager blocks"])
        clip = r.choice(TABLES["clips"]) if r.random() < 0.7 else "pass"
        cast = r.choice(TABLES["casts"]) if r.random() < 0.2 else ""
        parts = [
            TABLES["top"][0],
            WARM,
            *(self.cell(f"Block{i}", block) for i, block in enumerate(chosen)),
            self.network(len(chosen)),
            self.fill(r.choice(TABLES["losses"])),
            self.fill(WHOLE),
            "hyper = ops.HyperMap()\nnet = Net()\nfill(net)",
            self.fill(cast),
            "whole = Whole(net, loss_fn)\nnet.set_train()\nparams = net.trainable_params()",
            f"opt = {self.fill(r.choice(TABLES['optimizers']))}",
            self.fill(with_clip(r.choice(TABLES["steps"]), clip)),
            MAIN,
        ]
        return {
            "source": "\n\n".join(parts),
            "flags": dict(r.sample(FLAGS, r.choice((0, 0, 0, 1, 2, 4)))),
            "old": r.random() < 0.3,
            "modes": ["pynative"] if eager else ["pynative", "graph"],
        }

    def fill(self, text):
        """The text with one alternative taken of each `«a|b»`, and each `$name` drawn."""
        r = self.random
        for name, values in DRAWN.items():
            if name in text:
                text = text.replace(name, r.choice(values))
        alike = {}  # the same alternatives twice are the same choice
        pick = lambda found: alike.setdefault(found[1], r.choice(found[1].split("|")))  # noqa: E731
        return re.sub(r"«([^«»]*)»", pick, text)

    def cell(self, name, block):
        block, _, method = self.fill(block).partition("===\n")
        made, _, body = block.rpartition("---\n")
        return (
            f"class {name}(nn.Cell):\n    def __init__(self):\n        super().__init__()\n{_indented(made, 8)}\n"
            f"    def construct(self, x, t):\n{_indented(body, 8)}"
            + (f"\n{_indented(method, 4)}" if method else "")
            + "\n\n"
        )

    def network(self, count):
        """Lines of the class Net: the blocks in one of several ways."""
        r = self.random
        ways = [
            (f"self.b{i} = Block{i}()", f"x = {r.choice(('', '', 'x + ', '0.5 * x + '))}self.b{i}(x, t)")
            for i in range(count)
        ]
        if count > 1 and r.random() < 0.15:  # one Cell is used twice, under two names
            ways.append((f"self.again = self.b{r.randrange(count)}", "x = self.again(x, t)"))
        made, body = "\n".join(m for m, _ in ways), "\n".join(b for _, b in ways)
        if r.random() < 0.25:
            made = f"self.blocks = nn.CellList([{', '.join(f'Block{i}()' for i in range(count))}])"
            body = r.choice(
                (
                    "for block in self.blocks:\n    x = block(x, t)",
                    "for i in range(len(self.blocks)):\n    x = self.blocks[i](x, t)",
                )
            )
        made += "\nself.last = nn.Dense(6, 6)"  # an optimizer wants a Parameter
        return (
            f"class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n{_indented(made, 8)}\n"
            f"    def construct(self, x, t):\n{_indented(body, 8)}        return self.last(x)\n\n\n"
        )


def _indented(text, width):
    return "".join(f"{' ' * width}{line}\n" if line else "\n" for line in text.rstrip("\n").split("\n")) if text else ""


def with_clip(step, clip):
    """The step with the lines of `clip` in the place of CLIP."""
    return re.sub(r"(?m)^( *)CLIP$", lambda found: _indented(clip, len(found[1])).rstrip("\n"), step)


def in_old_spelling(source):
    """The program as a user of 1.x wrote it."""
    return OLD_IMPORTS + in_old_words(source)


def in_old_words(source):
    """The text with the names of 1.x, which OLD_IMPORTS imports."""
    for new, old in OLD:
        source = source.replace(new, old)
    return source


def run(case):
    """{mode: [[stage, result], ...]} as plain data."""
    return networks.in_all_modes(case, _run, zlib.crc32(case["source"].encode()))


def _run(case, mode, printed=None):
    """The stages as plain data; printed: the file that gets what the program prints."""
    nudge, found = case.get("nudge", 0), []

    def tensor(name, shape, high=None):
        return networks.tensor(name, "int32" if high else "float32", shape, high, nudge)

    def fill(net):
        for parameter in net.get_parameters():
            if parameter.requires_grad:
                networks.fill(parameter, nudge)
            else:
                start = ops.ones if "variance" in parameter.name else ops.zeros
                parameter.set_data(start(parameter.shape, parameter.dtype))

    def seen(name, value):
        found.append([name, networks.plain(value)])

    source = in_old_spelling(case["source"]) if OURS and case["old"] else case["source"]
    names = {
        **NAMES,
        "draw": lambda name, shape: networks.values(name, "float32", shape),
        "tensor": tensor,
        "fill": fill,
    }
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed or io.StringIO()):
        warnings.simplefilter("ignore")
        ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
        ms.set_seed(1)
        try:
            if OURS and case["flags"]:
                ms.set_context(**{name: eval(value) for name, value in case["flags"].items()})
            module_of(source, names).main(seen)
        except Exception as error:
            settle()
            kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
            found.append(["raise", ["!", kind.__name__, str(error)[:300]]])
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    return found


def low_of(source):
    """The relative bound that the low precision inside of a program leaves."""
    if "bfloat16" in source:
        return 1e-1
    return 2e-2 if "float16" in source or re.search(r"'(O[123]|auto)'", source) else 0


def judge(case, theirs, ours, same):
    """The worst of all comparisons, with the modes and the stage that it is about."""
    nudged = lambda: _run({**case, "nudge": networks.NUDGE}, "pynative")  # noqa: E731
    pairs = () if runs_twice(case["source"]) else networks.PAIRS
    return networks.judge_modes(theirs, ours, low_of(case["source"]), nudged, pairs)


def runs_twice(source):
    """Whether a step calls a network that has state, and then its gradient: compiled code runs it once (see the deviations)."""
    blocks = source.partition("class Block0")[2].partition("class Net")[0]
    return "= self.network(" in source and any(
        state in blocks for state in ("BatchNorm", "requires_grad=False", "self.calls")
    )


def again(case):
    """The case as it is asked when it differs: MindSpore's modes may differ, too."""
    return networks.again(case)
