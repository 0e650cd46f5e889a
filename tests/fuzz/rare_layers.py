"""Draws the texts of layers_texts.txt that fit a shape: layers, functions and losses that chains of layers take beside those of layers.py."""

import math
import re

from texts import tables_of

TABLES = {name: [text.replace("\\\n", "") for text in texts] for name, texts in tables_of("layers_texts.txt").items()}
(CLASSES,) = TABLES["classes"]  # stands before each network
AXES = {2: "BW", 3: "BCW", 4: "BCHW", 5: "BCDHW"}


def drawn(table, shape, r):
    """[text of a Cell, line, the rest] of one text that fits x of this shape, its choices made and its numbers put in; None where none fits."""
    if not math.prod(shape):
        return None
    names = {"C": shape[1], "P": math.prod(shape[1:]), "h": r.choice((2, 3, 4)), **dict(zip(AXES[len(shape)], shape))}
    names["N"] = r.choice([n for n in (1, 2, 3) if shape[-1] % n == 0])
    names["G"] = r.choice([n for n in (1, 2, 3, 4) if shape[1] % n == 0])
    names |= {"S": tuple(shape), "w": shape[-1] // names["N"]}
    fits = []
    for text in TABLES[table]:
        first, _, rest = text.partition("\n")
        ranks, _, condition = first.partition(" ")
        if str(len(shape)) in ranks and eval(condition or "True", dict(names)):
            fits.append(rest)
    cell, _, line = _written(r.choice(fits), names, r).rpartition("---\n")
    line, _, more = line.partition("\n===\n")
    return [cell.rstrip("\n"), line, more]


def _written(text, names, r):
    """The text with its choices made, the inner ones first, and the numbers put in."""
    while "«" in text:
        text = re.sub(r"«([^«»]*)»", lambda found: r.choice(found[1].split("|")), text, count=1)
    text = text.replace("{n}", str(len(names["S"]) - 2))
    return re.sub(r"\$(\w)", lambda found: str(names[found[1]]), text)
