"""The dataset that training goes on with after a fault."""

from ..check import check

_training = {"dataset": None}


def _set_training_dataset(dataset):
    """Keeps the dataset or iterator that training reads."""
    _training["dataset"] = dataset


def _get_training_dataset():
    """The value of `_set_training_dataset`, or None."""
    return _training["dataset"]


def _reset_training_dataset(global_step, dataset_size):
    """Makes that dataset go on at step `global_step`, counted over epochs of `dataset_size` steps."""
    check(_training["dataset"] is not None, "Training dataset is not set.", RuntimeError)
    _training["dataset"]._reset(global_step, dataset_size)
