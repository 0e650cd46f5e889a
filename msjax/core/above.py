"""The questions that lower floors ask of higher ones. Imports go downwards only, so a higher floor registers its
answers on `above` when it is imported.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jax
    import jax.extend


class Above:
    """Each method is a question, and answers it as long as no higher floor has: `above.plan = shardings.plan`."""

    def __setattr__(self, name, answer):
        if not hasattr(type(self), name):
            raise AttributeError(
                f"Nothing asks for {name!r}. The questions are {[n for n in vars(Above) if n[0] != '_']}."
            )
        super().__setattr__(name, answer)

    @contextlib.contextmanager
    def answering(self, **answers):
        """A `with` block in which other answers hold."""
        before = {name: getattr(self, name) for name in answers}
        try:
            for name, answer in answers.items():
                setattr(self, name, answer)
            yield
        finally:
            for name, answer in before.items():
                setattr(self, name, answer)

    # --- asked by docstrings, answered by `cli.deviations`
    def differences(self, name: str):
        """Sentences about the differences of a name from MindSpore."""
        return []

    # --- asked by operators, answered by `core.operators.random`, `ops` and `unsupported`
    def next_key(self, *sources):
        """The raw key of the next random operator, from the stream of its seeds or of its generator."""
        raise NotImplementedError("msjax.core.operators.random has not been imported")

    def write_back(self, view: Any, box: Any):
        """Write the content of a view into its parent Tensor (`core/operators/views.py`)."""
        raise NotImplementedError("msjax.ops.views has not been imported")

    def sharing(self, parameter):
        """A Tensor that shares the content of a Parameter: `p.data`."""
        return parameter.value()

    def sharer(self, box):
        """The Parameter whose content a Tensor shares, as `sharing` gave it; None for another Tensor."""

    def replaced(self, box):
        """A Tensor is about to get a memory of its own (`core/operators/views.py`)."""

    def generated_classes(self):
        """Names of the Primitives that MindSpore generates, which raise other exception types."""
        return frozenset()

    # --- asked by the engine, answered by `parallel`
    def remote_content(self, array: Any):
        """The NumPy array of a jax.Array that has parts on other processes."""
        raise NotImplementedError("msjax.parallel has not been imported")

    def waits(self):
        """Whether Parameters that are made now wait with their content, because where it is to lie is not known yet."""
        return False

    def call_declared(self, primitive: Any, args: Sequence):
        """The result of a Primitive that says its shape and dtype alone, in a program that is being traced."""
        raise NotImplementedError(f"The operator '{primitive.name}' has no implementation.")

    def call_with_strategies(self, primitive: Any, call: Callable, arguments: Sequence):
        """`call(*arguments)` of a Primitive that has strategies, with its Tensors laid out."""
        raise NotImplementedError("msjax.parallel has not been imported")

    def take_arguments(self, args: Sequence, kwargs: dict):
        """Prepare the arguments of a compiled function: parts of a batch are joined to the whole."""
        return args, kwargs

    def of_all(self, args: Any, kwargs: Any):
        """The arguments for all `device_num` devices, where this process was given one device's part; None where they are whole."""

    def close_trace(self, outputs: Any, frame: Any):
        """The outputs of a trace; side effects that no output depends on are tied to one of them, so that XLA keeps
        them.
        """
        return outputs

    def plan(self, closed: "jax.extend.core.ClosedJaxpr", boxes: Sequence, inputs: Any):
        """How a program on several devices is started, in the place of `jax.jit`; None for one of one device.

        Args:
            closed: closed jaxpr. boxes: its state. inputs: the boxes of its first inputs, in their order.
        """

    def arranged(self, closed: "jax.extend.core.ClosedJaxpr", boxes: Sequence):
        """A rearranged form of a program that will be differentiated, as a function of its inputs; None to keep the program.

        Args:
            closed: closed jaxpr. boxes: the Parameters that hold its first inputs.
        """

    # --- asked by attention, answered by `parallel`
    def devices_of_trace(self):
        """Over how many devices the program that is being traced is laid out."""
        return 1

    def grid_of_trace(self, matrix: Any):
        """These devices as a mesh of so many rows and columns, with one axis more for those that repeat others."""
        raise NotImplementedError("msjax.parallel has not been imported")

    def is_apart(self):
        """Whether this process runs a program of its own beside others, where XLA is not told how to divide a kernel."""
        return False

    # --- asked by `parallel`, answered by `train.strategy_files`, which is imported when a setting names such a file
    def before_layout(self):
        """Get ready to be told or asked for layouts: a program is about to be laid out."""

    def tell_layout(self, lies: Any, stage: int):
        """Keep how state lies. lies: (Parameter, sharding) pairs."""

    def kept_layout(self, parameter: Any, mesh: Any):
        """The sharding of a Parameter that a file tells, or None."""


above = Above()
