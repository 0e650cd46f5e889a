"""Views: what shares its content with the Tensor that it was cut from, as in MindSpore's PYNATIVE_MODE.

    row = x[0]; row[1] = 5          # x changes too, also by x[0][1] = 5
    flat = x.reshape(-1); x[0] = 5  # flat changes too

JAX's arrays are immutable, so a view is a link: a Tensor knows the Tensor that it came from and the operator that made it, and is
known by it (weakly). Whoever is written in place writes through its links: the parent gets the elements back where they came from,
other views of it are computed again. All of it by recorded operators, so gradients follow.

In compiled code, and in code that only runs eagerly because it could not be compiled, slices are copies, as in MindSpore's
GRAPH_MODE; there a statement `x[i][j] = v` alone writes through.
"""

import ast
import functools
import linecache
import math
import weakref

import jax
import numpy as np

from ..callers import users_frame
from ..settings.execution_state import here, within
from ..syntax import parse
from ..values.tensor import Tensor, wrap

RESHAPES = {"reshape", "ravel"}  # views only where the elements then lie at even steps
LONGEST = 8  # views of views: longer chains are cut, or `x = x[1:]` in a loop would keep every x alive
_slot = Tensor.__dict__["_links"].__get__


def copying():
    """Within this context slices are copies, as in compiled code."""
    return within(copying=True)


def copies():
    """Whether slices are copies here: in compiled code, and in compiled functions that run eagerly."""
    state = here()
    return state.copying or state.recorder is not None and state.recorder.is_frame


class Links:
    """Of one Tensor: the view that it is, if it is one, and weak references to its own views."""

    __slots__ = ("view", "children", "limit")

    def __init__(self):
        self.view, self.children, self.limit = None, [], 16

    def add(self, child):
        if len(self.children) >= self.limit:
            self.children = [c for c in self.children if c() is not None]
            self.limit = max(16, 2 * len(self.children))
        self.children.append(weakref.ref(child))


class View:
    """How a Tensor came from `parent`: output `number` of `record(*args)`, where args[0] is the parent.

    reads: whether a change of the parent is seen. copy: whether only `x[i][j] = v` writes through. depth: how many parents there are.
    even: a reshape was found to be a view.
    """

    __slots__ = ("parent", "record", "args", "number", "reads", "copy", "depth", "even")

    def __init__(self, parent, record, args, number, reads, copy, depth):
        self.parent, self.record, self.args, self.number = parent, record, args, number
        self.reads, self.copy, self.depth, self.even = reads, copy, depth, False

    def take(self, source):
        """What the operator gives for another Tensor in the parent's place."""
        out = self.record(source, *self.args)
        return out if self.number is None else out[self.number]


def links_of(box):
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


def link(record, args, out, reads=True):
    """Make the result of `record(*args)`, a Tensor or a tuple of them, views of args[0]; returns it."""
    state = here()
    parent, active = args[0], state.recorder
    copy = state.copying or active is not None and active.is_frame
    if not isinstance(parent, Tensor) or copy and record.view:
        return out
    mother = _links(parent)
    depth = 1 if mother.view is None else mother.view.depth + 1
    if depth > LONGEST:
        return out
    for number, child in enumerate(out) if isinstance(out, (tuple, list)) else ((None, out),):
        if child is not parent and isinstance(child, Tensor):
            _links(child).view = View(parent, record, args[1:], number, reads and not copy, copy, depth)
            mother.add(child)
    return out


def detach(box):
    """Give a Tensor a memory of its own: what it is a view of, and its views, keep their content when it is written."""
    links = links_of(box)
    if links is None or links.view is not None and links.view.copy:
        return
    for reference in links.children:
        child = reference()
        its = None if child is None else _slot(child)
        if its is not None and its.view is not None and its.view.parent is box:
            its.view = None
    box._links = None


def changed(box):
    """A Tensor was written in place: pass it on to what it is a view of, and to the views of both."""
    if links_of(box) is None or here().passing_on:
        return
    with within(passing_on=True):
        _pass_on(box, None)


def _pass_on(box, origin):
    links = links_of(box)
    if links is None:
        return
    view = _view(links)
    if view is not None and view.parent is not origin and (not view.copy or _is_chained(users_frame())):
        put_back(view, box)
        _pass_on(view.parent, box)
    for reference in links.children:
        child = reference()
        if child is None or child is origin:
            continue
        its = _view(_slot(child))
        if its is not None and its.reads:
            new = its.take(box)
            child._assign(new._data, new._var)
            _pass_on(child, box)


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


def _is_chained(frame):
    """Whether the statement that runs assigns to `x[i][j]`."""
    return frame is not None and frame.f_lineno in _chained_lines(
        frame.f_code.co_filename, len(linecache.getlines(frame.f_code.co_filename))
    )


@functools.lru_cache(64)
def _chained_lines(filename, count):
    """The lines of a file where something like `x[i][j] = v` stands; `count` lets a changed file be read again."""
    try:
        tree = parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return frozenset()
    return frozenset(
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Subscript)
        for line in range(node.lineno, node.end_lineno + 1)
    )


def positions(view):
    """Where each element of a view comes from: positions in the flat parent."""
    parent = view.parent
    with within(recorder=None), jax.ensure_compile_time_eval():
        return view.take(wrap(jax.numpy.arange(parent.size).reshape(parent.shape)))._data


def steps(shape):
    """Elements to step along each axis of an array whose elements follow one another."""
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


def layout(box):
    """(elements to step along each axis, number of the first element) of a Tensor in the memory of what it is a view of."""
    plain, places = steps(box.shape), _places(box)
    if places is None or not places.size:
        return plain, 0
    first = int(places.flat[0])
    taken = (
        int(places[(0,) * i + (1,)].flat[0]) - first if length > 1 else plain[i] for i, length in enumerate(box.shape)
    )
    return tuple(taken), first


def is_contiguous(box):
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


put_back = None  # (view, its Tensor): writes the Tensor's content into the parent; put here by `msjax.ops.views`
