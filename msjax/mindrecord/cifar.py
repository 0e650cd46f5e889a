"""Readers of the Python version of CIFAR-10 and CIFAR-100: pickled dicts of arrays."""

import os
import pickle

import numpy as np

from ..core.spec.checking import compare
from ..core.spec.rules import AsValue
from ..files.unpickling import unpickle
from .constants import check_filename


def _load(path, what):
    try:
        with open(path, "rb") as stream:
            content = unpickle(stream.read(), encoding="bytes")
        if not isinstance(content, dict):
            raise ValueError(f"it holds a {type(content).__name__} and no dict")
        return content
    except (pickle.UnpicklingError, ValueError) as error:
        raise RuntimeError(f"Not a valid {what} Dataset: {path} ({error}).") from error


def _images(content):
    return np.asarray(content[b"data"]).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)


def _one_hot(labels, classes):
    out = np.zeros((len(labels), classes))
    out[np.arange(len(labels)), labels[:, 0]] = 1
    return out


class _Split:
    """Images and labels of one part of the data."""

    images = None


class _Cifar:
    """Arrays of a folder with the pickled files.

    Args:
        path (str): the folder.
        one_hot (bool, optional): give labels as rows of zeros with a one. Default: True.

    Raises:
        ParamValueError: `path` is not a valid name.
        ValueError: `one_hot` is not bool.
    """

    name = ""
    labels_of = ()  # (key in the file, attribute, number of classes)

    def __init__(self, path, one_hot=True):
        check_filename(path)
        compare("Cifar", "one_hot", one_hot, AsValue[bool])
        self.path, self.one_hot = path, one_hot
        self.images = None
        self.Test = _Split()

    def files(self):
        """Names of the files with the training images, and of the one with the test images."""
        raise NotImplementedError

    def load_data(self):
        """Read the files.

        Returns:
            list of the training images (uint8, [N, 32, 32, 3]) and labels, then the test images and labels.

        Raises:
            RuntimeError: a file is damaged.
        """
        train, test = self.files()
        result = []
        for split, names in ((self, train), (self.Test, [test])):
            contents = [_load(os.path.join(self.path, name), self.name) for name in names]
            try:
                split.images = np.concatenate([_images(content) for content in contents])
            except (KeyError, ValueError, TypeError) as error:
                raise RuntimeError(f"Not a valid {self.name} Dataset: {self.path} ({error!r}).") from error
            result.append(split.images)
            for key, attribute, classes in self.labels_of:
                try:
                    labels = np.concatenate([np.asarray(content[key]) for content in contents]).reshape(-1, 1)
                    labels = _one_hot(labels, classes) if self.one_hot else labels
                except (KeyError, IndexError, ValueError, TypeError) as error:
                    raise RuntimeError(f"Not a valid {self.name} Dataset: {self.path} ({error!r}).") from error
                setattr(split, attribute, labels)
                result.append(labels)
        return result


class Cifar10(_Cifar):
    __doc__ = _Cifar.__doc__
    name = "Cifar10"
    labels_of = ((b"labels", "labels", 10),)

    def files(self):
        names = sorted(os.listdir(self.path))
        return [name for name in names if name.startswith("data_batch_")], "test_batch"


class Cifar100(_Cifar):
    __doc__ = _Cifar.__doc__
    name = "Cifar100"
    labels_of = ((b"fine_labels", "fine_labels", 100), (b"coarse_labels", "coarse_labels", 20))

    def files(self):
        return ["train"], "test"
