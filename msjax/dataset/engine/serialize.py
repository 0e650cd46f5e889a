"""Pipelines as JSON and back: serialize, deserialize, show, compare."""

import enum
import inspect
import json
import logging
import os
from typing import Any

import numpy as np

from ...core.values import dtype as mstype
from ..check import check
from ..operation import Operation
from .named_classes import named_class, named_node, plain_dtype, refuse
from .node import Dataset, MappableDataset, register_service
from .samplers import BuiltinSampler

__all__ = ["DeserializedDataset", "compare", "deserialize", "serialize", "show"]

_log = logging.getLogger("msjax.dataset")
_OWN = "msjax.dataset."  # only classes of this package are made from JSON
_TEXT_BYTES = 1 << 20  # an array of texts may take so many, or eight times what its texts do


def _made(kind, arguments):
    arguments = dict(arguments)
    return kind(*arguments.pop("*", ()), **arguments)


def describe(value: Any):
    """A value in a form that JSON can hold."""
    if isinstance(value, Dataset):
        described = {
            "op_type": type(value).__name__.removesuffix("Dataset") or "Dataset",
            "class": type(value).__name__,
            "arguments": {
                name: describe(item)
                for name, item in value.arguments().items()
                if not (isinstance(item, Dataset) or name == "datasets")
            },
            "children": [describe(child) for child in value.children],
        }
        if isinstance(value, MappableDataset) and value.sampler is not None:
            described["sampler"] = describe(value.sampler)
            described["arguments"].pop("sampler", None)
        return described
    if isinstance(value, (Operation, BuiltinSampler)):
        own = type(value).__module__.startswith(_OWN)
        if not own:
            _log.warning(
                "Serialization of user-defined Python functions is not supported. Any produced serialized "
                "JSON file output for this dataset pipeline is not valid to be deserialized."
            )
        described = {
            "object": type(value).__qualname__,
            "module": type(value).__module__,
            "arguments": {name: describe(item) for name, item in value.arguments().items()},
        }
        child = getattr(value, "child_sampler", None)
        if child is not None:
            described["child_sampler"] = describe(child)
        return described
    if isinstance(value, enum.Enum):
        return {"enum": type(value).__qualname__, "module": type(value).__module__, "name": value.name}
    if isinstance(value, mstype.Type):
        return {"type": "string" if value == mstype.string else str(mstype.to_numpy(value))}
    if isinstance(value, np.dtype) or isinstance(value, type) and issubclass(value, np.generic):
        return {"dtype": np.dtype(value).str}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "parse_columns"):
        return {"schema": json.loads(value.to_json()), "module": type(value).__module__, "name": type(value).__name__}
    if isinstance(value, tuple):
        return {"tuple": [describe(item) for item in value]}
    if isinstance(value, list):
        return [describe(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[describe(key), describe(item)] for key, item in value.items()]}
    if isinstance(value, (int, float, str, bool)) or value is None:
        return value
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    _log.warning(
        "Serialization of user-defined Python functions is not supported. Any produced serialized JSON file "
        "output for this dataset pipeline is not valid to be deserialized."
    )
    return {"function": getattr(value, "__name__", type(value).__name__)}


def restore(value: Any):
    """The value that `describe` described.

    Raises:
        RuntimeError: the description is damaged, names what is none of this package's classes, or holds user functions.
    """
    try:
        return _restored(value)
    except (KeyError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        refuse(f"it is damaged ({type(error).__name__}: {error})")


def _restored(value):
    if isinstance(value, list):
        return [_restored(item) for item in value]
    if not isinstance(value, dict):
        return value
    for key, make in _MADE_FROM.items():
        if key in value:
            return make(value)
    raise RuntimeError(
        f"Deserialization of user-defined Python functions is not supported, but got: {value.get('function')}."
    )


def _restored_object(value):
    kind = named_class(value["module"], value["object"], (Operation, BuiltinSampler))
    made = _made(kind, {name: _restored(item) for name, item in value["arguments"].items()})
    if "child_sampler" in value:
        child = _restored(value["child_sampler"])
        if not isinstance(made, BuiltinSampler) or not isinstance(child, BuiltinSampler):
            refuse(f"{value['object']} can not have the child sampler {type(child).__name__}")
        made.add_child(child)
    return made


def _restored_enum(value):
    kind = named_class(value["module"], value["enum"], enum.Enum)
    if value["name"] not in kind.__members__:
        refuse(f"{value['enum']} has no member {value['name']!r}")
    return kind.__members__[value["name"]]


def _restored_array(value):
    kind, content = plain_dtype(value["dtype"]), value["array"]
    if kind.kind in "SU":
        plain = np.array(content)
        if plain.dtype.kind not in "SU" or plain.size * kind.itemsize > max(_TEXT_BYTES, 8 * plain.nbytes):
            refuse(f"an array of {kind} does not fit its texts")
    return np.array(content, kind)


def _restored_schema(value):
    kind = named_class(value["module"], value["name"], object)
    if not hasattr(kind, "parse_columns"):
        refuse(f"{value['name']} is not a schema")
    schema = kind()
    schema.from_json(value["schema"])
    return schema


def _restored_slice(value):
    parts = value["slice"]
    if not isinstance(parts, list) or len(parts) != 3 or not all(p is None or type(p) is int for p in parts):
        refuse("a slice is three integers or null")
    return slice(*parts)


def _restored_type(value):
    return mstype.string if value["type"] == "string" else mstype.from_numpy(plain_dtype(value["type"]))


def _restored_node(tree):
    kind = named_node(tree["class"])
    children = [_restored(child) for child in tree["children"]]
    if not all(isinstance(child, Dataset) for child in children):
        refuse(f"the children of {tree['class']} are not datasets")
    given = {name: _restored(item) for name, item in tree["arguments"].items()}
    if children:
        names = list(inspect.signature(kind.__init__).parameters)
        given[names[1]] = children if names[1] == "datasets" else children[0]
    node = _made(kind, given)
    if "sampler" in tree:
        node.sampler = _restored(tree["sampler"])
    return node


# what a description is recognized by, and what makes the value of it; in this order
_MADE_FROM = {
    "class": _restored_node,
    "object": _restored_object,
    "enum": _restored_enum,
    "type": _restored_type,
    "array": _restored_array,
    "dtype": lambda value: plain_dtype(value["dtype"]),
    "schema": _restored_schema,
    "tuple": lambda value: tuple(_restored(item) for item in value["tuple"]),
    "dict": lambda value: {_restored(key): _restored(item) for key, item in value["dict"]},
    "ellipsis": lambda value: Ellipsis,
    "slice": _restored_slice,
}


def serialize(dataset: Dataset, json_filepath: str = ""):
    """The pipeline as a dict, also written to a JSON file if a path is given.

    Args:
        dataset (Dataset): the last node.
        json_filepath (str): path of the file; "" writes none.

    Returns:
        dict. User functions are named in it, but cannot be restored from it.

    Example:
        >>> import msjax.dataset as ds
        >>> tree = ds.serialize(ds.NumpySlicesDataset([1, 2, 3], "x", shuffle=False).batch(2))
        >>> ds.deserialize(input_dict=tree).get_dataset_size()
        2
    """
    return dataset.to_json(json_filepath)


def deserialize(input_dict: dict | None = None, json_filepath: str | None = None):
    """The pipeline that `serialize` described, from the dict or from the file.

    A description may name the datasets, operations, samplers and enumerations of this package and nothing else; it chooses which files
    the pipeline reads.

    Raises:
        ValueError: the file does not exist.
        RuntimeError: the pipeline holds user functions or names something else, or the description is damaged.
    """
    if input_dict:
        return _restored_dataset(input_dict)
    if json_filepath:
        check(os.path.isfile(json_filepath), f"The file {json_filepath} does not exist or permission denied!")
        with open(json_filepath, encoding="utf-8") as stream:
            try:
                tree = json.load(stream)
            except (ValueError, RecursionError) as error:
                refuse(f"{json_filepath} is no JSON ({error})")
        return _restored_dataset(tree)
    return None


def _restored_dataset(tree):
    found = restore(tree)
    if not isinstance(found, Dataset):
        refuse(f"it describes a {type(found).__name__} and no dataset")
    return found


class DeserializedDataset(Dataset):
    """The pipeline that a dict or a JSON file of `serialize` describes.

    Args:
        input_obj (Union[dict, str]): the dict, or the path of the file.
    """

    def __init__(self, input_obj: dict | str):
        super().__init__(
            children=deserialize(input_obj) if isinstance(input_obj, dict) else deserialize(json_filepath=input_obj)
        )
        self.input_obj = input_obj

    def blocks(self, run: Any, epoch: int):
        return self.children[0].blocks(run, epoch)

    def _count(self):
        return self.children[0].get_dataset_size()


def show(dataset: Dataset, indentation: int = 2):
    """Writes the pipeline to the log (level INFO) and returns nothing."""
    _log.info("%s", json.dumps(dataset.to_json(), indent=indentation))


def compare(pipeline1: Any, pipeline2: Any):
    """Whether two pipelines are described alike."""
    return pipeline1.to_json() == pipeline2.to_json()


class Serializer:
    """The writer behind Dataset.to_json."""

    describe = staticmethod(describe)


register_service("Serializer", Serializer)
