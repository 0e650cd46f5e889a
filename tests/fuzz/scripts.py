"""Random whole scripts as users write them: imports, context, data, network, loss, optimizer, training, evaluation, checkpoint, prints.

A case is a dict: `source` (the text of the file, with MODE for the mode of the context), `old` (whether msjax gets the spellings of 1.x), `modes`.
The parts of networks and steps are those of training.py; scripts_texts.txt has the rest. What a script prints is compared line by line (words as
they are, numbers by tolerance), then the exception and its type, then the checkpoint that it wrote.
"""

import contextlib
import io
import os
import re
import tempfile
import warnings
import zlib

import mindspore as ms
import networks
import training
from texts import module_of, settle, tables_of

LIMIT, BLOCK, ALLOWED = training.LIMIT, training.BLOCK, training.ALLOWED
TABLES = tables_of("scripts_texts.txt")
# settings of users that change no number, which MindSpore's CPU build takes, too
FLAGS = (
    ", jit_config={'jit_level': 'O0'}", ", jit_config={'jit_level': 'O1'}", ", jit_syntax_level=ms.LAX", ", jit_syntax_level=ms.STRICT",
    ", save_graphs=False", ", max_call_depth=2000", ", pynative_synchronize=True", ", jit_level='O0'", ", deterministic='ON'",
)  # fmt: skip
LACKING = ("nn.Lamb(", "WithLossScale")  # MindSpore's CPU build has no kernels for them; training.py compares the modes
HELPERS = """\
def draw(name, shape):
    return np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape).astype(np.float32)


def labels(name, shape):
    return np.random.RandomState(zlib.crc32(name.encode())).randint(0, 6, shape).astype(np.int32)


def first_of(value):
    return value[0] if isinstance(value, (tuple, list)) else value


def initialise(net):
    for p in net.get_parameters():
        if p.requires_grad:
            p.set_data(Tensor(0.4 * draw(p.name, p.shape), p.dtype))
"""
DRAWN = ".standard_normal(shape)"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan\b|inf\b)", re.IGNORECASE)


class Generator(training.Generator):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        eager = r.random() < 0.25
        chosen = [r.choice(training.TABLES["blocks"]) for _ in range(r.choice((1, 1, 2, 3)))]
        if eager:
            chosen[r.randrange(len(chosen))] = r.choice(training.TABLES["eager blocks"])
        clip = r.choice(training.TABLES["clips"]) if r.random() < 0.5 else "pass"
        cast = r.choice(training.TABLES["casts"]) if r.random() < 0.2 else ""
        head = self.one("heads").replace("FLAGS", r.choice(FLAGS) if r.random() < 0.3 else "")
        step = training.with_clip(r.choice(_served("steps")), clip)
        parts = [
            head,
            HELPERS,
            training.TABLES["top"][0],
            training.WARM,
            *(self.cell(f"Block{i}", block) for i, block in enumerate(chosen)),
            self.network(len(chosen)),
            self.fill(r.choice(training.TABLES["losses"])),
            self.fill(training.WHOLE),
            self.one("data"),
            "hyper = ops.HyperMap()\nnet = Net()\ninitialise(net)",
            self.fill(cast),
            "whole = Whole(net, loss_fn)\nnet.set_train()\nparams = net.trainable_params()",
            f"opt = {self.fill(r.choice(_served('optimizers')))}",
            *self.some("prints"),
            self.fill(step),
            self.one("loops"),
            *self.some("prints"),
            *(self.one(name) for name in r.sample(("evaluations", "checkpoints"), 2)),
        ]
        return {
            "source": "\n\n".join(parts),
            "old": r.random() < 0.3,
            "modes": ["pynative"] if eager else ["pynative", "graph"],
        }

    def one(self, table):
        """A text of a table, filled."""
        return self.fill(self.random.choice(TABLES[table]))

    def some(self, table):
        """Up to two texts of a table, filled."""
        return [self.fill(text) for text in self.random.sample(TABLES[table], self.random.choice((0, 1, 2)))]


def _served(table):
    """The texts of a table of training_texts.txt that MindSpore's CPU build can run.

    Without build_train_network's level O1, which renames the Parameters of a Cell made with auto_prefix=False.
    """
    texts = [text for text in training.TABLES[table] if not any(word in text for word in LACKING)]
    return [text.replace("level='«O0|O1|", "level='«O0|") for text in texts]


def file_of(case, mode, old):
    """The text of the script for a mode ("graph" or "pynative")."""
    source = case["source"].replace("MODE", f"ms.{mode.upper()}_MODE")
    if not old:
        return source
    imports, mark, rest = source.partition(HELPERS)
    return imports + training.OLD_IMPORTS + mark + training.in_old_words(rest)


def run(case):
    """{mode: [[stage, result], ...]} as plain data."""
    return networks.in_all_modes(case, _run, zlib.crc32(case["source"].encode()))


def _run(case, mode):
    source, printed, found = file_of(case, mode, training.OURS and case["old"]), io.StringIO(), []
    if nudge := case.get("nudge"):
        source = source.replace(DRAWN, f"{DRAWN} * (1 + {nudge})")
    raised, before = [], os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            module_of(source, {}, folder)
            written = ms.load_checkpoint("net.ckpt")
        except Exception as error:
            settle()
            kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
            raised.append(["raise", ["!", kind.__name__, str(error)[:300]]])
        finally:
            os.chdir(before)
            ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)
    found += [[f"line {i}", shown(line)] for i, line in enumerate(printed.getvalue().splitlines())]
    if not raised:
        found.append(["names in the checkpoint", networks.plain(list(written))])
        found.append(["Parameters in the checkpoint", networks.plain([p.value() for p in written.values()])])
    return found + raised


def shown(line):
    """A printed line as a result: its words without spaces, and its numbers."""
    line = re.sub(r"<[\w.]+ object at 0x\w+>", "<object>", line)
    line = re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", line)  # as NumPy 1 shows its numbers in a list
    numbers = NUMBER.findall(line)
    words = re.sub(r"\s", "", NUMBER.sub("#", line))
    return ["list", [["str", words], ["Float32", [len(numbers)], [float(n) for n in numbers]]]]


def judge(case, theirs, ours, same):
    """The worst of all comparisons, with the modes and the stage that it is about."""
    nudged = lambda: _run({**case, "nudge": networks.NUDGE}, "pynative")  # noqa: E731
    pairs = () if training.runs_twice(case["source"]) else networks.PAIRS
    verdict = networks.judge_modes(theirs, ours, training.low_of(case["source"]), nudged, pairs)
    return "theirs" if "value" in verdict and " and " not in verdict and merges_zeros(case["source"]) else verdict


def merges_zeros(source):
    """Whether a compiled step calls a network twice that adds in place to zeros: MindSpore's compiler takes both zeros for
    one, so that the second call goes on adding to what the first has (see the deviations).
    """
    return all(text in source for text in ("total += v", "loss_fn(net(x, t) + y, t)", "@ms.jit"))


def again(case):
    """The case as it is asked when it differs: MindSpore's modes may differ, too."""
    return networks.again(case)
