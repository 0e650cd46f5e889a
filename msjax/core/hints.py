"""Suggestions for error messages: MindSpore's spelling of PyTorch names on Tensors, Cells and optimizers, and of
misspelt keywords and methods.
"""

import difflib
import inspect
from collections.abc import Iterable, Sequence

from .keywords import Signature

_DEVICE = "there is no device of its own here: set_context(device_target=...) says where everything runs"
_GRADIENT = "gradients come from a function: mindspore.value_and_grad(forward, None, optimizer.parameters)(*inputs)"
# kind of object -> name -> what serves instead
_TORCH = {
    "Tensor": {
        "cuda": _DEVICE, "cpu": _DEVICE, "npu": _DEVICE, "backward": _GRADIENT, "grad": _GRADIENT, "requires_grad_": _GRADIENT,
        "is_cuda": _DEVICE, "pin_memory": _DEVICE,
    },
    "Cell": {
        "cuda": _DEVICE, "cpu": _DEVICE, "npu": _DEVICE, "to": f"for a dtype use to_float(); {_DEVICE}",
        "eval": "use set_train(False)", "train": "use set_train()", "parameters": "use get_parameters() or trainable_params()",
        "named_parameters": "use parameters_and_names()", "modules": "use cells_and_names()", "children": "use cells()",
        "named_modules": "use cells_and_names()", "named_children": "use name_cells()", "add_module": "use insert_child_to_cell()",
        "load_state_dict": "use mindspore.load_param_into_net(net, mindspore.load_checkpoint(path))",
        "half": "use to_float(mindspore.float16)", "float": "use to_float(mindspore.float32)", "zero_grad": _GRADIENT,
        "register_parameter": "use insert_param_to_cell()", "requires_grad_": "set requires_grad of its Parameters",
    },
    "Optimizer": {
        "zero_grad": f"nothing is kept between steps; {_GRADIENT}", "step": "call it with the gradients: optimizer(grads)",
        "state_dict": "use parameters_dict()", "load_state_dict": "use mindspore.load_param_into_net(optimizer, ...)",
    },
}  # fmt: skip


def for_attribute(kinds: Sequence, name: str, candidates: Sequence[str] = ()):
    """A sentence about a missing attribute, with a space before it; "" if there is nothing to say.

    Args:
        kinds: which of "Optimizer", "Cell", "Tensor" the object is, nearest first.
        name: what was asked for.
        candidates: the names that there are.

    Example:
        >>> from msjax.core.hints import for_attribute
        >>> for_attribute(["Cell"], "eval")
        " In MindSpore: use set_train(False)."
    """
    for kind in kinds:
        if name in _TORCH[kind]:
            return f" In MindSpore: {_TORCH[kind][name]}."
    near = nearest(name, candidates)
    return f" Did you mean '{near}'?" if near else ""


def nearest(name: str, candidates: Iterable[str]):
    """The candidate that reads most like a name; None if none is near."""
    found = difflib.get_close_matches(name, list(candidates), 1)
    return found[0] if found else None


def unknown_keyword(what: str, keyword: str, names: Sequence[str]):
    """The TypeError for an unknown keyword: it names the nearest known keyword, and all of them.

    what: the function as Python calls it, such as "Dense.__init__()".
    """
    near = nearest(keyword, names)
    meant = f"; did you mean '{near}'?" if near else ";"
    return TypeError(f"{what} got an unexpected keyword argument '{keyword}'{meant} It takes ({', '.join(names)}).")


def check_keywords(cls: type, keywords: dict):
    """Raise for keywords that a class's `__init__` does not accept, and list the accepted ones, which Python's error
    leaves out.
    """
    init = inspect.unwrap(cls.__init__)
    code = getattr(init, "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        return
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    signature = getattr(cls.__init__, "__signature__", None)
    old = signature.parameters if isinstance(signature, Signature) else ()
    for keyword in keywords:
        if keyword not in names and keyword not in old:
            raise unknown_keyword(f"{cls.__name__}.__init__()", keyword, names[1:])


def instead_of_construct(cls: type, base: type):
    """The hint for a Cell without `construct`: a method of the Cell with a similar name."""
    own = [name for name in vars(cls) if callable(vars(cls)[name]) and not name.startswith("__")]
    found = "forward" if "forward" in own else nearest("construct", own)
    if "__call__" in vars(cls) and cls is not base:
        found = "__call__"
    return f" Its method '{found}' must be called 'construct'." if found else ""


def instance_of(kind: type):
    """The hint for a class that was given where one of its instances is needed."""
    return f"the class {kind.__name__}: make an instance of it, {kind.__name__}()"
