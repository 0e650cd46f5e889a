"""The groups of Parameters that users give to an optimizer: what is wrong with them, and their order."""

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.values.parameter import Parameter

_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


def parameter_list(parameters: Any, what: str):
    """The Parameters or groups that an optimizer is given, as a list that is not empty. what: the argument, for the messages."""
    if parameters is None:
        raise ValueError(f"For 'Optimizer', the argument {what} can not be None.")
    if not isinstance(parameters, Iterable):
        raise TypeError(f"For 'Optimizer', the argument {what} must be Iterable type, but got {type(parameters)}.")
    parameters = list(parameters)
    if not parameters:
        raise ValueError(f"For 'Optimizer', the argument {what} must not be empty.")
    return parameters


def check_group(group: dict):
    """Raise for keys and Parameters that no group can have, and make a list of its Parameters."""
    unknown = [key for key in group if key not in _KEYS]
    if unknown:
        raise KeyError(f"For 'Optimizer', the key in group params must be one of in {list(_KEYS)}, but got {unknown}.")
    if "order_params" in group:
        if len(group) > 1:
            raise ValueError(
                "For 'Optimizer', the order params dict in group parameters should only include the "
                f"'order_params' key, but got {group.keys()}."
            )
        if not isinstance(group["order_params"], Iterable):
            raise TypeError(
                "For 'Optimizer', the value of 'order_params' in group parameters should be Iterable type, "
                f"but got {type(group['order_params'])}."
            )
        return
    group["params"] = parameter_list(group["params"], "group `params`")
    for index, param in enumerate(group["params"]):
        if not isinstance(param, Parameter):
            raise TypeError(
                f"For 'Optimizer', the element in group parameters must be Parameter type, but "
                f"got {type(param)} at index {index}."
            )


def check_new(param: Parameter, group: dict, seen: dict):
    """Raise for a Parameter, or a name, that an earlier group has. seen: {name: Parameter}."""
    if seen.get(param.name) is param:
        raise RuntimeError(
            f"For 'Optimizer', the parameter '{param.name}' is in the groups already: a parameter belongs to one group."
        )
    if param.name in seen:
        raise ValueError(
            f"The value {group['params']} , its name '{param.name}' already exists. Please "
            "set a unique name for the parameter."
        )


def in_order(rows: Sequence, order: Sequence):
    """Rows of Parameters in the order of "order_params", which must name as many."""
    if len(order) != len(rows):
        raise ValueError(
            "For 'Optimizer',the length of order parameters must be the same as the length of group "
            f"parameters, but got order parameters' length {len(order)}, group parameters' length {len(rows)}."
        )
    by_name = {row[0].name: row for row in rows}
    return [by_name[param.name] for param in order]
