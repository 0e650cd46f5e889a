"""Bases of operations that users write."""


class TensorOperation:
    """Base for operations written by users: a subclass defines `__call__`, or `_execute_py(*columns)`."""

    def __init__(self):
        self.implementation = None
        self.device_target = "CPU"

    def __call__(self, *columns):
        return self._execute_py(*columns)

    def _execute_py(self, *columns):
        raise NotImplementedError(f"{type(self).__name__} has to implement __call__() or _execute_py().")


class PyTensorOperation(TensorOperation):
    """Base for operations written by users, with a `_execute_py(*columns)`; MindSpore's old name for Python operations.

    Example:
        >>> from msjax.dataset.transforms.transforms import PyTensorOperation
        >>> class Double(PyTensorOperation):
        ...     def _execute_py(self, x):
        ...         return x * 2
        >>> Double()(3)
        6
    """

    def __init__(self):
        super().__init__()
        self.transforms = []
        self.output_type = None
