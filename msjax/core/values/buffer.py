"""Buffer: a Tensor that becomes a buffer of the Cell that it is set as an attribute of."""

from .tensor import Tensor, wrap


class _BufferMeta(type(Tensor)):
    def __instancecheck__(cls, instance):
        return getattr(instance, "_is_buffer", False) is True or super().__instancecheck__(instance)


class _Buffer(Tensor, metaclass=_BufferMeta):
    """A Tensor that becomes a buffer of the Cell that it is set as an attribute of; see `Cell.register_buffer`.

    Args:
        data: the Tensor; no gradient flows on through it.
        persistent: whether it is part of state dicts.

    Raises:
        ValueError: data is None. TypeError: data is not a Tensor.
    """

    def __new__(cls, data, *, persistent=True):
        if data is None:
            raise ValueError("For '_Buffer', the 'data' must not be None.")
        if not isinstance(data, Tensor):
            raise TypeError(f"For '_Buffer', the type of 'data' must be Tensor, but got {type(data).__name__}.")
        made = wrap(data._data)
        made._is_buffer, made.persistent = True, persistent
        return made
