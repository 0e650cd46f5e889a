"""Pipelines as JSON and back: serialize, deserialize, show, compare."""

import enum
import importlib
import inspect
import json
import logging
import os

import numpy as np

from ...core.values import dtype as mstype
from ..check import check
from ..operation import Operation
from .node import Dataset, MappableDataset, find_node, register_service
from .samplers import BuiltinSampler

__all__ = ["DeserializedDataset", "compare", "deserialize", "serialize", "show"]

_log = logging.getLogger("msjax.dataset")
_OWN = "msjax.dataset."  # only classes of this package are made from JSON


def _made(kind, arguments):
    arguments = dict(arguments)
    return kind(*arguments.pop("*", ()), **arguments)


def describe(value):
    """A value as something JSON can hold."""
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


def _class(module, name):
    check(
        module.startswith(_OWN), f"Invalid json content: {module} is not a module of the dataset package.", RuntimeError
    )
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def restore(value):
    """The value that `describe` described."""
    if isinstance(value, list):
        return [restore(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "class" in value:
        return _restore_node(value)
    if "object" in value:
        made = _made(_class(value["module"], value["object"]), {k: restore(v) for k, v in value["arguments"].items()})
        if "child_sampler" in value:
            made.add_child(restore(value["child_sampler"]))
        return made
    if "enum" in value:
        return _class(value["module"], value["enum"])[value["name"]]
    if "type" in value:
        return mstype.string if value["type"] == "string" else mstype.from_numpy(np.dtype(value["type"]))
    if "array" in value:
        return np.array(value["array"], np.dtype(value["dtype"]))
    if "dtype" in value:
        return np.dtype(value["dtype"])
    if "schema" in value:
        schema = _class(value["module"], value["name"])()
        schema.from_json(value["schema"])
        return schema
    if "tuple" in value:
        return tuple(restore(item) for item in value["tuple"])
    if "dict" in value:
        return {restore(key): restore(item) for key, item in value["dict"]}
    if "ellipsis" in value:
        return Ellipsis
    if "slice" in value:
        return slice(*value["slice"])
    raise RuntimeError(
        f"Deserialization of user-defined Python functions is not supported, but got: {value.get('function')}."
    )


def _restore_node(tree):
    kind = find_node(tree["class"])
    children = [restore(child) for child in tree["children"]]
    given = {name: restore(item) for name, item in tree["arguments"].items()}
    if children:
        names = list(inspect.signature(kind.__init__).parameters)
        given[names[1]] = children if names[1] == "datasets" else children[0]
    node = _made(kind, given)
    if "sampler" in tree:
        node.sampler = restore(tree["sampler"])
    return node


def serialize(dataset, json_filepath=""):
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


def deserialize(input_dict=None, json_filepath=None):
    """The pipeline that `serialize` described, from the dict or from the file.

    Raises:
        ValueError: the file does not exist.
        RuntimeError: the pipeline holds user functions.
    """
    if input_dict:
        return restore(input_dict)
    if json_filepath:
        check(os.path.isfile(json_filepath), f"The file {json_filepath} does not exist or permission denied!")
        with open(json_filepath, encoding="utf-8") as stream:
            return restore(json.load(stream))
    return None


class DeserializedDataset(Dataset):
    """The pipeline that a dict or a JSON file of `serialize` describes.

    Args:
        input_obj (Union[dict, str]): the dict, or the path of the file.
    """

    def __init__(self, input_obj):
        super().__init__(
            children=deserialize(input_obj) if isinstance(input_obj, dict) else deserialize(json_filepath=input_obj)
        )
        self.input_obj = input_obj

    def blocks(self, run, epoch):
        return self.children[0].blocks(run, epoch)

    def _count(self):
        return self.children[0].get_dataset_size()


def show(dataset, indentation=2):
    """Writes the pipeline to the log (level INFO) and returns nothing."""
    _log.info("%s", json.dumps(dataset.to_json(), indent=indentation))


def compare(pipeline1, pipeline2):
    """Whether two pipelines are described alike."""
    return pipeline1.to_json() == pipeline2.to_json()


class Serializer:
    """What Dataset.to_json calls."""

    describe = staticmethod(describe)


register_service("Serializer", Serializer)
