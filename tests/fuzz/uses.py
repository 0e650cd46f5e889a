"""Random programs that put one facility of MindSpore to one use: a network (control flow, hooks, `bprop`, casts, state) within a transform or a way to train.

A case is a dict like those of training.py, whose form the texts of uses_texts.txt have. Compared are what the program gives, what it prints, the
exception, and all Parameters at the end.
"""

import os
import tempfile
import zlib

import networks
import scripts
import training
from texts import tables_of

LIMIT, BLOCK, ALLOWED = training.LIMIT, training.BLOCK, training.ALLOWED
TABLES = tables_of("uses_texts.txt")
LOSS = """\
class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__(«|auto_prefix=False»)
        self.net = net

    def construct(self, x, t):
        y = self.net(x, t)
        return «((y - t) ** 2).mean()|(y * t).sum()|ops.abs(y - t).mean()|nn.MSELoss()(y, t)»


net = Net()
fill(net)
loss = Loss(net)
params = net.trainable_params()
"""


class Generator(training.Generator):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        net = self.cell("Net", r.choice(TABLES["nets"])).replace(
            "class Net(nn.Cell):\n", "class Net(nn.Cell):\n    kind = 2.0\n\n"
        )
        use = training._indented(self.fill(r.choice(TABLES["uses"])), 4)
        main = f"def main(seen, net=net):\n    x, t = tensor('x', (4, 6)), tensor('t', (4, 6))\n    seen('result', net(x, t))\n{use}"
        if r.random() < 0.3:  # the use is the first call
            main = main.replace("    seen('result', net(x, t))\n", "", 1)
        main += "    seen('Parameters', [p.value() for p in net.get_parameters()])\n"
        return {
            "source": "\n\n".join((TABLES["top"][0], net, self.fill(LOSS), main)),
            "flags": {},
            "old": False,
            "modes": ["pynative", "graph"],
        }


def run(case):
    """{mode: [[stage, result], ...]} as plain data."""
    return networks.in_all_modes(case, _run, zlib.crc32(case["source"].encode()))


def _run(case, mode):
    """The stages, then the lines that were printed, by compiled code, too, and then the exception."""
    with tempfile.TemporaryFile("w+", buffering=1, errors="replace") as printed:
        kept = os.dup(1)
        os.dup2(printed.fileno(), 1)  # MindSpore's compiled code prints past `sys.stdout`
        try:
            found = training._run(case, mode, printed)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        printed.seek(0)
        lines = printed.read().splitlines()
    raised = [found.pop()] if found and found[-1][0] == "raise" else []
    return found + [["printed", scripts.shown(line)] for line in lines] + raised


def judge(case, theirs, ours, same):
    """The worst of all comparisons, with the modes and the stage that it is about."""
    nudged = lambda: _run({**case, "nudge": networks.NUDGE}, "pynative")  # noqa: E731
    overflows = any(word in case["source"] for word in ("float('inf')", "1e30"))  # check mode raises there
    pairs = networks.PAIRS[: 1 if overflows else None]
    return networks.judge_modes(theirs, ours, training.low_of(case["source"]), nudged, pairs)


again = training.again
