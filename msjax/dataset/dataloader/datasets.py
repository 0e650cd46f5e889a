"""Datasets for DataLoader."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from ..check import check

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """Base of datasets with random access: a subclass defines `__getitem__(index)` and `__len__()`."""

    def __init__(self) -> None:
        """There is nothing to set up."""

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} must implement __getitem__ method.")


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """Base of datasets that can only be run through: a subclass defines `__iter__()`."""

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} must implement __iter__ method.")


class TensorDataset(Dataset):
    """Tensors side by side; a sample is a tuple of their slices along the first axis.

    Args:
        tensors (Tensor): of one size along the first axis.

    Raises:
        ValueError: the sizes differ.
    """

    def __init__(self, *tensors) -> None:
        super().__init__()
        check(
            all(tensor.shape[0] == tensors[0].shape[0] for tensor in tensors),
            "All tensors must have the same size in the first dimension.",
        )
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]
