"""A network as a pure function of arrays that returns token scores and its cache, the common form of all spellings."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..nn.cell.functional import functional

if TYPE_CHECKING:
    from ..core.values.dtype import Type

# What the encoder of an encoder and a decoder takes besides a mask; its first parameter of these.
_SOURCES = ("input_ids", "input_features", "input_values", "pixel_values", "src", "source")

# Where a network says how many tokens it can see, on itself or on its `config`; the first that is there counts.
_LENGTHS = ("max_position_embeddings", "n_positions", "max_position_embedding", "seq_length", "max_seq_len", "n_ctx", "max_seq_length",
            "seq_len", "context_length", "context_size", "ctx_len", "max_len")  # fmt: skip

_FLAG = "is_first_iteration"  # what MindFormers sets on all Cells of a network


class Network:
    """A Cell that scores tokens, called without gradients and outside of training.

    Args:
        cell: the user's Cell; neither it nor its Parameters are changed. dtype: of floats in what it computes with; None for its own.

    Raises:
        TypeError: it is not a Cell.
    """

    def __init__(self, cell: Cell | Callable, dtype: "Type | None" = None):
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'generate', the 'net' must be a Cell, but got {type(cell).__name__}.")
        self.cell, self.dtype = cell, dtype
        signature = inspect.signature(cell.construct).parameters
        self.takes = {name: p.default for name, p in signature.items()}
        self.name = type(cell).__name__
        _, self._boxes = _pure(cell, lambda result: result)

    def values(self):
        """dict from names to the present arrays of all Parameters."""
        return {name: box.jax_array for name, box in self._boxes.items()}

    def shapes(self):
        """The same as shapes, with the dtype in which it computes."""

        def one(array):
            changed = self.dtype is not None and jnp.issubdtype(array.dtype, jnp.floating)
            return jax.ShapeDtypeStruct(array.shape, self.dtype if changed else array.dtype)

        return {name: one(array) for name, array in self.values().items()}

    def said_length(self):
        """How many tokens the network says that it can see; None if it does not say."""
        for owner in (getattr(self.cell, "config", None), self.cell):
            pages = (
                "block_tables" in self.takes
            )  # `block_size` is the size of a page there, and else a window of all tokens
            for name in _LENGTHS if pages else (*_LENGTHS, "block_size"):
                value = owner.get(name) if isinstance(owner, dict) else getattr(owner, name, None)
                if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                    return value
        return None

    def said(self, *names):
        """The first of these settings that the network or its `config` has; None without any."""
        for owner in (self.cell, getattr(self.cell, "config", None)):
            for name in names:
                value = owner.get(name) if isinstance(owner, dict) else getattr(owner, name, None)
                if value is not None:
                    return value
        return None

    @property
    def source(self):
        """What the network calls the input of its encoder; None for a network that is a decoder alone."""
        if "decoder_input_ids" not in self.takes:
            return None
        return next((name for name in _SOURCES if name in self.takes), None)

    @property
    def encoder(self):
        """The Cell that makes of the source what the decoder sees; None where none is found, or the decoder cannot be run without it."""
        if "encoder_outputs" not in self.takes:
            return None
        for owner in (self.cell, getattr(self.cell, "model", None)):
            found = getattr(owner, "encoder", None)
            if isinstance(found, Cell):
                return found
        found = self.cell.get_encoder() if hasattr(self.cell, "get_encoder") else None
        return found if isinstance(found, Cell) else None

    def encode(self, values: Any, take: Callable, source: Any, mask: Any):
        """(what `take` makes of what the encoder gives, the values afterwards); within a trace.

        source: Tensor or array of the network's `source`. mask: (rows, tokens) int32 of which tokens count, or None.
        """
        cell, encoder = self.cell, self.encoder
        both = cell, encoder  # so that all Parameters have the names that they have in the whole network
        taken = inspect.signature(encoder.construct).parameters
        name = self.source if self.source in taken else next(iter(taken))
        given = {name: source, "attention_mask": mask, "return_dict": True}
        given = {name: value for name, value in given.items() if name in taken and value is not None}
        function, _ = _pure(cell, take, lambda **arguments: both[1](**arguments))
        with _Inference(cell, True):
            return function(values, **given)

    def call(self, values: Any, first: bool, take: Callable, **arguments):
        """(`take` of the result, the values afterwards) of one call; within a trace.

        first: whether the call sees a prompt: the flag `is_first_iteration` of networks that have it.
        take: from the network's result to a pytree of arrays and Tensors. Arguments that the network does not take are left out.
        """
        given = {name: value for name, value in arguments.items() if name in self.takes}
        ids = next(iter(self.takes))
        if ids not in given and "decoder_input_ids" not in given:
            given = {ids: arguments["input_ids"], **given}
        function, _ = _pure(self.cell, take)
        with _Inference(self.cell, first):
            return function(values, **given)


def _pure(cell, take, call=None):
    call = call or cell

    def called(**arguments):
        return take(call(**arguments))

    called.__name__ = type(cell).__name__
    function, _ = functional(called, mutable=True)
    return function, function.boxes


class _Inference:
    """`with _Inference(cell, first):` the Cell is not in training, and all in it know whether it sees a prompt; afterwards it is as it was."""

    def __init__(self, cell, first):
        self.cells = [part for _, part in cell.cells_and_names()]
        self.cell, self.first = cell, first
        self.told = (
            any(hasattr(part, _FLAG) for part in self.cells)
            or "batch_valid_length" in inspect.signature(cell.construct).parameters
        )

    def __enter__(self):
        self.training = [part.training for part in self.cells]
        if any(self.training):
            self.cell.set_train(False)
        self.flags = [vars(part).get(_FLAG) for part in self.cells]
        if self.told:
            for part in self.cells:
                part.add_flags(**{_FLAG: self.first})

    def __exit__(self, *error):
        for part, flag, training in zip(self.cells, self.flags, self.training):
            if self.told:
                part.add_flags(**{_FLAG: flag})
                if flag is None:  # the Cell had none
                    for place in (vars(part), part._func_graph_flags, part._flags_set):
                        place.pop(_FLAG, None)
            if part.training is not training:
                part.add_flags(training=training)


def scores_of(result: Any):
    """The scores in a network's result: its `logits`, or the first Tensor of floats."""
    found = getattr(result, "logits", None)
    if found is None and isinstance(result, dict):
        found = result.get("logits")
    if found is None:
        parts = result if isinstance(result, (tuple, list)) else [result]
        found = next(
            (p for p in parts if isinstance(p, Tensor) and jnp.issubdtype(p.jax_array.dtype, jnp.floating)), None
        )
    if not isinstance(found, Tensor):
        raise TypeError(
            f"the network must give scores (logits), a Tensor of floats (batch, sequence, vocabulary), but gave {type(result).__name__}"
        )
    return found.jax_array


def last_scores(scores: jax.Array, rows: int, width: int, places: jax.Array):
    """Scores (rows, vocabulary) float32 at `places` (rows,) of a network's result for (rows, width) tokens.

    A network gives them for all tokens, (rows, width, V) or (rows * width, V), or already for the last one of each row, (rows, V) or (rows, 1, V).
    """
    if scores.size == rows * scores.shape[-1]:
        return scores.reshape(rows, -1).astype(jnp.float32)
    if scores.size != rows * width * scores.shape[-1]:
        raise ValueError(f"the network gave scores of shape {scores.shape} for {rows} rows of {width} tokens")
    scores = scores.reshape(rows, width, -1)
    return jnp.take_along_axis(scores, places[:, None, None], axis=1)[:, 0].astype(jnp.float32)
