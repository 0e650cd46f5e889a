"""Random programs that change a network while it is in use: Cells put into lists and taken out, modes, precision, frozen and replaced Parameters.

A case is a dict like those of uses.py, whose texts are in edits_texts.txt: the network is called and put to one use, changed, called, put to another
use and called again. Compared are the results, the names, what the uses give, and all Parameters at the end.
"""

import re

import training
import uses
from texts import tables_of

LIMIT, BLOCK, ALLOWED = training.LIMIT, training.BLOCK, training.ALLOWED
TABLES = tables_of("edits_texts.txt")
MAIN = """\
def first(v):
    while isinstance(v, (tuple, list, dict)):
        v = v['a'] if isinstance(v, dict) else v[0]
    return v


class First(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, x):
        return first(self.net(x, x))


class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, x, t):
        return LOSS


def main(seen):
    net = Net()
    fill(net)
    net.set_train(«True|True|False»)
    loss = Loss(net)
    weights = list(net.trainable_params())
    x, t = tensor('x', (4, 6)), tensor('t', (4, 6))
    seen('result', net(x, t))
    FIRST
    CHANGES
    weights = list(net.trainable_params())
    seen('after changes', net(x, t))
    seen('names', [p.name for p in net.get_parameters()])
    SECOND
    seen('result again', net(x, t))
    seen('Parameters', [p.value() for p in net.get_parameters()])
"""


class Generator(training.Generator):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        made, body, changes = [], [], []
        for part in r.sample(TABLES["parts"], r.choice((1, 2, 3))):
            used, _, changed = part.partition("\n===\n")
            start, *ways = used.split("\n---\n")
            made.append(start)
            body.append(r.choice(ways))
            changes += r.sample(lines := changed.split("\n"), min(len(lines), r.choice((1, 2))))
        body += r.sample(TABLES["lines"], r.choice((1, 2, 3)))
        r.shuffle(body)
        r.shuffle(changes)
        net = self.cell("Net", "\n".join([*made, "---", *body, f"return {r.choice(TABLES['results'])}"]))
        if r.random() < 0.25:
            net = net.replace("    def construct", "    @ms.jit\n    def construct")
        main = self.fill(MAIN).replace("LOSS", r.choice(TABLES["losses"]))
        for place, text in zip(("FIRST", "CHANGES", "SECOND"), (self._use(), "\n".join(changes), self._use())):
            main = re.sub(
                f"(?m)^    {place}$", lambda _, text=self.fill(text): training._indented(text, 4).rstrip("\n"), main
            )
        return {
            "source": "\n\n".join((self.fill(TABLES["top"][0]), net, main)),
            "flags": {},
            "old": False,
            "modes": ["pynative", "graph"],
        }

    def _use(self):
        return self.random.choice(TABLES["uses"]).replace("$opt", self.random.choice(TABLES["optimizers"]))


run, judge, again = uses.run, uses.judge, uses.again
