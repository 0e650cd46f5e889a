"""The page of `msjax diff --html`: a picture of the error along the network, and the table."""

import html
import math
import os
from collections.abc import Sequence
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _LOWEST, _HIGHEST = 1100, 320, 60, -9, 1
_COLOURS = {"call": "#2b6cb0", "gradient": "#b7791f", "parameter": "#2f855a"}
_STYLE = """body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222}table{border-collapse:collapse}
td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #eee;font-variant-numeric:tabular-nums}
tr.wrong td{color:#c53030}tr.first td{background:#fed7d7;font-weight:600}pre{background:#f7fafc;padding:1em}
pre{white-space:pre-wrap;overflow-wrap:anywhere}svg text{font-size:11px;fill:#555}
.wide{overflow-x:auto}.wide svg{min-width:700px}td{white-space:nowrap}"""


def _height(error):
    """The place of an error in the picture: its decimal logarithm, upwards."""
    power = max(_LOWEST, min(_HIGHEST, math.log10(error) if 0 < error < math.inf else (_HIGHEST if error else _LOWEST)))
    return 10 + (_HIGHEST - power) / (_HIGHEST - _LOWEST) * (_HEIGHT - 40)


def picture(rows: Sequence, first: Any):
    """SVG: each value of the run from left to right, its relative error upwards."""
    step = (_WIDTH - _LEFT - 20) / max(1, len(rows))
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="relative error along the network">']
    for power in range(_LOWEST, _HIGHEST + 1, 2):
        y = _height(10.0**power)
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>')
    before = None
    for i, row in enumerate(rows):
        x, y = _LEFT + (i + 0.5) * step, _height(row.relative)
        if before is not None and row.step != before:
            parts.append(
                f'<line x1="{x - step / 2:.1f}" x2="{x - step / 2:.1f}" y1="10" y2="{_HEIGHT - 30}" stroke="#cbd5e0"/>'
            )
        before = row.step
        colour = "#c53030" if row.wrong else _COLOURS[row.kind]
        radius = 6 if row is first else 2.5
        title = html.escape(f"{row.kind} {row.path}, call {row.number + 1}: {row.relative:.1e}")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"><title>{title}</title></circle>')
    x = _LEFT
    for name, colour in {**_COLOURS, "beyond the tolerance": "#c53030"}.items():
        parts.append(f'<circle cx="{x + 5}" cy="{_HEIGHT - 9}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="{_HEIGHT - 5}">{name}</text>')
        x += 30 + 8 * len(name)
    return "".join([*parts, "</svg>"])


def page(rows: Sequence, first: Any, there: Any, here: Any, told: Any):
    """The whole page.

    rows, first: of `diff.compare` and `diff.first_divergence`. there, here: the `meta` of the two runs. told: text on `first`.
    """
    heads = ("step", "what", "path", "call", "Cell", "shape", "dtype", "absolute", "relative", "ulp", "line", "")
    body = []
    for row in rows:
        kind = "first" if row is first else "wrong" if row.wrong else ""
        cells = (
            row.step, row.kind, row.path, row.number + 1, row.cell, "x".join(map(str, row.shape)), row.dtype,
            f"{row.absolute:.1e}", f"{row.relative:.1e}", f"{row.ulp:.1f}", os.path.basename(row.line), row.note,
        )  # fmt: skip
        body.append(f'<tr class="{kind}">' + "".join(f"<td>{html.escape(str(c))}</td>" for c in cells) + "</tr>")
    runs = " beside ".join("{framework} {version}".format(**meta["made_with"]) for meta in (there, here))
    wrong = sum(r.wrong for r in rows)
    return (
        f"<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>msjax diff</title>"
        f"<style>{_STYLE}</style><h1>{html.escape(runs)}</h1>"
        f"<p>{len(rows)} values, {wrong} beyond the tolerance. Up: larger relative error; left to right: the order of the run.</p>"
        + (f"<pre>{html.escape(told)}</pre>" if told else "")
        + f"<div class=wide>{picture(rows, first)}</div><div class=wide><table><tr>"
        + "".join(f"<th>{h}</th>" for h in heads)
        + "</tr>"
        + "".join(body)
        + "</table></div>\n"
    )
