"""The questions that lower floors ask of higher ones. Imports go downwards only, so a higher floor registers its
answers on `above` when it is imported.
"""

import contextlib
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jax
    import jax.extend

    from .keywords import Signature


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
        """A `with` block in which other answers are registered."""
        before = {name: getattr(self, name) for name in answers}
        try:
            for name, answer in answers.items():
                setattr(self, name, answer)
            yield
        finally:
            for name, answer in before.items():
                setattr(self, name, answer)

    # --- asked by signatures, answered by `core.spec.texts`, which the processes of datasets do without
    def printed(self, signature: "Signature"):
        """The signature of the documented parameters as it is printed, with plain types."""
        return inspect.Signature(signature.documented().values(), return_annotation=signature.return_annotation)

    # --- asked by docstrings, answered by `cli.known_differences`
    def differences(self, name: str):
        """Sentences about the differences of a name from MindSpore."""
        return []

    # --- asked by checks of indices, answered by `core.operators.known`
    def known_content(self, array: "jax.Array"):
        """The content of a traced array that follows from constants alone; None where it is not known."""

    # --- asked by operators, answered by `core.operators.random`, `ops` and `unsupported`
    def next_key(self, *sources):
        """The raw key of the next random operator, from the stream of its seeds or of its generator."""
        raise NotImplementedError("msjax.core.operators.random has not been imported")

    def seeded(self, seed: int):
        """`set_seed` was called: random operators start anew."""

    def write_back(self, view: Any, box: Any):
        """Write the content of a view into its parent Tensor (`core/operators/views.py`)."""
        raise NotImplementedError("msjax.ops.views has not been imported")

    def sharing(self, parameter):
        """A Tensor that shares the content of a Parameter: `p.data`."""
        return parameter.value()

    def sharer(self, box):
        """The Parameter whose content a Tensor shares (see `sharing`); None for another Tensor."""

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
        """Whether new Parameters delay their content, because its place on the devices is not known yet."""
        return False

    def call_declared(self, primitive: Any, args: Sequence):
        """The result of a Primitive that declares only shape and dtype, in a program that is being traced."""
        raise NotImplementedError(f"The operator '{primitive.name}' has no implementation.")

    def call_with_strategies(self, primitive: Any, call: Callable, arguments: Sequence):
        """`call(*arguments)` of a Primitive that has strategies, with its Tensors laid out."""
        raise NotImplementedError("msjax.parallel has not been imported")

    def take_arguments(self, args: Sequence, kwargs: dict):
        """Prepare the arguments of a compiled function: parts of a batch are joined to the whole."""
        return args, kwargs

    def of_all(self, args: Any, kwargs: Any):
        """The arguments for all `device_num` devices, if this process was given the part of one device; None if they are for all
        already.
        """

    def close_trace(self, outputs: Any, frame: Any):
        """The outputs of a trace; side effects that no output depends on are tied to one of them, so that XLA keeps
        them.
        """
        return outputs

    def plan(self, closed: "jax.extend.core.ClosedJaxpr", boxes: Sequence, inputs: Any):
        """How a program on several devices is started, in the place of `jax.jit`; None for one of one device.

        Args:
            closed: closed jaxpr.
            boxes: its state.
            inputs: the boxes of its first inputs, in their order.
        """

    def arranged(self, closed: "jax.extend.core.ClosedJaxpr", boxes: Sequence):
        """A rearranged form of a program that will be differentiated, as a function of its inputs; None to keep the program.

        Its `note(inputs, outputs)`, if it has one, is called when both are known.

        Args:
            closed: closed jaxpr.
            boxes: the Parameters that hold its first inputs.
        """

    # --- asked by `set_seed`, answered by `dataset`
    def seed_pipelines(self, seed: int):
        """Repeat the random numbers of pipelines, too: `set_seed` was called."""

    # --- asked by attention, answered by `parallel`
    def devices_of_trace(self):
        """The number of devices of the program that is being traced."""
        return 1

    def grid_of_trace(self, matrix: Any):
        """These devices as a mesh of the given rows and columns, with a third axis for devices that repeat others'
        work.
        """
        raise NotImplementedError("msjax.parallel has not been imported")

    def is_apart(self):
        """Whether this process runs its own program beside others, so that XLA must not partition kernels."""
        return False

    # --- asked by `parallel`, answered by `train.strategy_files`, which is imported when a setting names such a file
    def before_layout(self):
        """Called before a program is laid out on devices, so that layouts can be read or written."""

    def tell_layout(self, lies: Any, stage: int):
        """Record how state is laid out. lies: (Parameter, sharding) pairs."""

    def kept_layout(self, parameter: Any, mesh: Any):
        """The sharding of a Parameter from a strategy file, or None."""


above = Above()
