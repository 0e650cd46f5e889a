"""Views: Tensors that share memory with the Tensor they were sliced from, as in MindSpore's PYNATIVE_MODE.

    row = x[0]; row[1] = 5          # x changes too, also by x[0][1] = 5
    flat = x.reshape(-1); x[0] = 5  # flat changes too

JAX's arrays are immutable, so a view is a link: a Tensor knows the Tensor that it came from and the operator that made it, and is
known by it (weakly). Whoever is written in place writes through its links: the parent gets the elements back where they came from,
other views of it are computed again. All of it by recorded operators, so gradients follow.

In compiled code, and in code that only runs eagerly because it could not be compiled, slices are copies, as in MindSpore's
GRAPH_MODE; there a statement `x[i][j] = v` alone writes through, to the x that it names and no further.

What MindSpore writes at places that are looked up (`x[mask] = v`, `x[[0, 1]] = v`), and `x[...] = v`, is a new memory of x: parts that
were cut from it before keep the old content. A part made by an index (`v = x[0]`) still writes to its parent afterwards, where it is written
by an index, too (`v[1] = 5`, not `v.add_(1)`): MindSpore then assigns the part to its place in the parent.
"""

import dis
import functools
import math
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..above import above
from ..callers import users_frame
from ..identity import ByIdentity
from ..settings.execution_state import here, within
from ..values.tensor import Tensor, wrap

if TYPE_CHECKING:
    from .record import Record

RESHAPES = {"reshape", "ravel", "flatten"}  # views only where the elements then lie at even steps
STORES = {"setitem", "setitem_mask"}  # the records of `x[...] = value`
LONGEST = 8  # views of views: longer chains are cut, or `x = x[1:]` in a loop would keep every x alive
_slot = Tensor.__dict__["_links"].__get__
# Parameters that have views: what a compiled program wrote is looked up here, instead of at each Parameter
_seen = ByIdentity()


def copying():
    """Within this context slices are copies, as in compiled code."""
    return within(copying=True)


def writing_through(levels: int):
    """A context in which a write to a copy also writes to its source: the statement is known to be `x[i][j] = v`.

    levels: how many items there are between the one that is written and x: 1 for `x[i][j]`, 2 for `x[i][j][k]`.
    """
    return within(through=levels)


def copies():
    """Whether slices are copies here: in compiled code, and in compiled functions that run eagerly."""
    state = here()
    return state.copying or state.recorder is not None and state.recorder.is_frame


class Links:
    """Links of one Tensor: its parent if it is a view, and weak references to its own views."""

    __slots__ = ("view", "children", "limit")

    def __init__(self):
        self.view, self.children, self.limit = None, [], 16

    def add(self, child: Tensor):
        if len(self.children) >= self.limit:
            self.children = [c for c in self.children if c() is not None]
            self.limit = max(16, 2 * len(self.children))
        self.children.append(weakref.ref(child))


class View:
    """The origin of a Tensor: output `number` of `record(*args)`, where args[0] is the parent.

    reads: whether a change of the parent is seen. copy: whether only `x[i][j] = v` writes through. depth: how many parents there are.
    even: a reshape was found to be a view. by_index: made by `parent[...]`. whole: of an item, whether assigning it to its place gives
    the parent a new memory, if it has one of its own. twin: whether a new memory of one of the two is that of the other, too. above: of an
    item, the Tensor that it was cut from, where that has a new memory and `parent` is what the old one holds.
    """

    __slots__ = ("parent", "record", "args", "number", "reads", "copy", "depth", "even", "whole", "twin", "above")

    def __init__(
        self, parent: Tensor, record: "Record", args: Sequence, number: Any, reads: bool, copy: bool, depth: int
    ):
        self.parent, self.record, self.args, self.number = parent, record, args, number
        self.reads, self.copy, self.depth, self.even, self.above = reads, copy, depth, False, None
        self.whole = self.twin = False

    def item_of(self, box: Tensor):
        """The View by which a copied item writes to its source Tensor."""
        view = View(box, self.record, self.args, self.number, False, self.copy, self.depth)
        view.whole = self.whole
        return view

    @property
    def by_index(self):
        return self.record.name == "getitem"

    @property
    def is_looked_up(self):
        """Whether the elements were looked up by an index Tensor."""
        return any(isinstance(a, Tensor) for a in self.args)

    @property
    def repeats(self):
        """Whether elements of the parent stand at several places."""
        return self.record.name == "broadcast_to"

    def take(self, source: Tensor):
        """The operator's result for another Tensor in the parent's place."""
        out = self.record(source, *self.args)
        return out if self.number is None else out[self.number]


def links_of(box: Tensor):
    """The Links of a Tensor, or None."""
    try:
        return _slot(box)
    except AttributeError:
        return None


def _links(box):
    found = links_of(box)
    if found is None:
        found = box._links = Links()
    return found


def link(record: "Record", args: Sequence, out: Any, reads: bool = True, whole: bool = False, twin: bool = False):
    """Make the result of `record(*args)`, a Tensor or a tuple of them, views of args[0]; returns it. reads, whole, twin: as in `View`.

    `record.view` may be a function of the arguments and the result: what it returns is the result in eager code, and a view only if it is
    the one that it got.
    """
    state = here()
    parent, active = args[0], state.recorder
    copy = state.copying or active is not None and active.is_frame
    if copy and record.view:
        return out
    if callable(record.view):
        found = record.view(args, out)
        if found is not out:
            return out if found is None else found
    if not isinstance(parent, Tensor):
        return out
    more = args[1:]
    mother = _links(parent)
    if parent._through_frames and parent not in _seen:
        _seen[parent] = True
    depth = 1 if mother.view is None else mother.view.depth + 1
    if depth > LONGEST:
        return out
    for number, child in enumerate(out) if isinstance(out, (tuple, list)) else ((None, out),):
        if child is not parent and isinstance(child, Tensor):
            view = _links(child).view = View(parent, record, more, number, reads and not copy, copy, depth)
            view.whole, view.twin = whole, twin
            mother.add(child)
    return out


def share(record: Any, args: Sequence, out: Any, twin: bool = False):
    """As `link`, for a record whose other callers get copies; in compiled code the result stays a copy."""
    return out if copies() else link(record, args, out, twin=twin)


def is_part(box: Tensor):
    """Whether a Tensor shares the content of another."""
    view = _view_of(box)
    return view is not None and view.reads


def is_looked_up(box: Tensor):
    """Whether a Tensor writes to another, but has a memory of its own: `x[[0, 1]]`."""
    view = _view_of(box)
    return view is not None and not view.reads


def _view_of(box):
    links = links_of(box)
    return None if links is None else _view(links)


def replaced(box: Tensor):
    """A Tensor is about to get new memory. Its views keep sharing the old memory, and items still write to their
    Tensor.
    """
    links = links_of(box)
    if links is None or links.view is not None and links.view.copy:
        return
    view, old = links.view, wrap(box._data, box._var)
    if view is not None and view.twin:
        replaced(view.parent)
        return
    new = _left_behind(box, old)
    if view is not None:
        if view.by_index:
            new.view = view.item_of(view.parent if view.above is None else view.above)
        if view.reads:
            _links(old).view = view
            links_of(view.parent).add(old)
    box._links = new


def _left_behind(box, old):
    """Views of a Tensor become views of `old`, which holds the memory that it had; returns the Links of those that stay with it."""
    stay = Links()
    for reference in links_of(box).children:
        child = reference()
        its = None if child is None else links_of(child)
        if its is None or its.view is None or its.view.parent is not box:
            continue
        if its.view.twin:
            its.children = _left_behind(child, old).children
        if its.view.twin or its.view.copy or not its.view.reads:
            stay.add(child)
            continue
        its.view.parent = old
        if its.view.by_index:
            its.view.above = box
        _links(old).add(child)
    return stay


def changed(box: Tensor, by_index: bool = False):
    """A Tensor was written in place: pass the new content on to its parent, and to the views of both. by_index: by `box[...] = value`."""
    if links_of(box) is None or here().passing_on:
        return
    with within(passing_on=True):
        _pass_on(box, None, by_index=by_index)


def written(boxes: Any):
    """A program wrote to boxes: Parameters that have views pass it on to them."""
    for box in [b for b in boxes if b in _seen] if _seen else ():
        links = links_of(box)
        if any(child() is not None for child in links.children):
            changed(box)
        else:
            _seen.discard(box)


def _pass_on(box, origin, levels=None, by_index=False):
    """levels: how many more parents of copies are written, None where the statement was not asked yet.

    by_index: whether the box was written by an index, or by an item of it: then it writes to a parent that it does not read.
    """
    links = links_of(box)
    if links is None:
        return
    view = _view(links)
    if view is not None and view.copy and levels is None:
        levels = here().through or _levels(users_frame())
    if view is not None and view.parent is not origin and (levels if view.copy else view.reads or by_index):
        _write_back(view, box, levels, by_index)
    if view is not None and view.above is not None and view.above is not origin and by_index:
        _write_back(view.item_of(view.above), box, levels, by_index)
    for reference in links.children:
        child = reference()
        its = None if child is None or child is origin else links_of(child)
        seen = None if its is None else _view(its)
        if seen is not None and seen.reads:
            _take_again(seen, child)
            _pass_on(child, box, by_index=False)


def _write_back(view, box, levels, by_index):
    if view.is_looked_up or view.whole and not view.reads:
        replaced(view.parent)
    above.write_back(view, box)
    if view.repeats:
        _take_again(view, box)
    _pass_on(view.parent, box, levels - 1 if view.copy else levels, by_index and view.by_index)


def _take_again(view, box):
    new = view.take(view.parent)
    box._assign(new._data, new._var)


def _view(links):
    """The View of a Tensor with these Links, or None; a reshape like x.T.reshape(-1) is found to be a copy when one is written."""
    view = links.view
    if view is not None and not view.even and not view.copy and view.record.name in RESHAPES:
        view.even = _is_even(_taken(view))
        if not view.even:
            links.view = view = None
    return view


def _is_even(places):
    """Whether numbers lie at one step along each axis."""
    return all(places.shape[i] < 3 or not np.diff(places, 2, i).any() for i in range(places.ndim)) and not any(
        np.diff(np.diff(places, axis=i), axis=j).any() for i in range(places.ndim) for j in range(i)
    )


def _levels(frame):
    """1 where the statement that a frame runs assigns to `x[i][j]`, 2 for `x[i][j][k]`, and so on; 0 for another statement.

    Asked of the bytecode, so code without source is known, too: the instruction that stores has the place of the target in the source
    (line and column, which Python keeps for its tracebacks), and what takes `x[i]` the place of the target without its last key.
    Python run with `-X no_debug_ranges` keeps no places: there such a statement in compiled code changes a copy alone.
    It costs some 50 us the first time for a statement; compiled code asks once a trace.
    """
    return 0 if frame is None else _chained_stores(frame.f_code).get(frame.f_lasti, 0)


@functools.lru_cache(256)
def _chained_stores(code):
    """{offset of an instruction of a code object that stores to `x[i][j]`: how many items are taken before}"""
    placed = [(i, i.positions) for i in dis.get_instructions(code) if i.positions is not None]
    found = {}
    for instruction, place in placed:
        if instruction.opname in ("STORE_SUBSCR", "STORE_SLICE") and place.end_col_offset is not None:
            start, end = place[0::2], place[1::2]
            inner = [(p[1::2], i) for i, p in placed if p[0::2] == start and None not in p and p[1::2] < end]
            inner.sort(key=lambda each: each[0], reverse=True)
            levels = 0
            while levels < len(inner) and _takes_item(inner[levels][1]):
                levels += 1
            if levels:
                found[instruction.offset] = levels
    return found


def _takes_item(instruction):
    """Whether an instruction takes an item: from Python 3.14 on that is one of the binary operators."""
    return instruction.opname in ("BINARY_SUBSCR", "BINARY_SLICE") or instruction.argrepr == "[]"


def positions(view: Any):
    """The position of each element of a view in the flat parent."""
    parent = view.parent
    with within(recorder=None), jax.ensure_compile_time_eval():
        return view.take(wrap(jax.numpy.arange(parent.size).reshape(parent.shape)))._data


def steps(shape: Any):
    """The elements to step along each axis of a contiguous array."""
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


def layout(box: Tensor):
    """(elements to step along each axis, number of the first element) of a view in the memory of its parent."""
    plain, places = steps(box.shape), _places(box)
    if places is None or not places.size:
        return plain, 0
    first = int(places.flat[0])
    taken = (
        int(places[(0,) * i + (1,)].flat[0]) - first if length > 1 else plain[i] for i, length in enumerate(box.shape)
    )
    return tuple(taken), first


def is_contiguous(box: Tensor):
    """Whether the elements of a Tensor follow one another in memory."""
    return layout(box)[0] == steps(box.shape)


def _places(box):
    """Where each element of a Tensor lies in the memory at the root of its views, or None where it has its own."""
    links = links_of(box)
    view = None if links is None else _view(links)
    if view is None or not view.reads:
        return None
    return _taken(view)


def _taken(view):
    own, above = np.asarray(positions(view)), _places(view.parent)
    return own if above is None else above.reshape(-1)[own]
