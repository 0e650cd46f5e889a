"""Symbol: the known properties of an axis whose length is not fixed."""

__all__ = ["Symbol"]


class Symbol:
    """An axis of unknown length in `Tensor(shape=(None, symbol), dtype=...)`. Its options are recorded; msjax compiles
    for the actual lengths.

    Args:
        max: largest length, if greater than `min`. min: smallest length. divisor, remainder: the length is
            divisor * n + remainder with n >= 1. unique: all axes of this Symbol have one length.

    Raises:
        TypeError: an argument of another type. ValueError: `min` or `divisor` below 1, `remainder` outside [0, divisor).

    Example:
        >>> from mindspore import Symbol
        >>> Tensor(shape=(None, Symbol(max=32)), dtype=mindspore.float32).shape
        (-1, -1)
    """

    def __init__(
        self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False, **kwargs
    ):
        for name, value in (("max", max), ("min", min), ("divisor", divisor), ("remainder", remainder)):
            if not isinstance(value, int):
                raise TypeError(f"For 'Symbol', the argument '{name}' must be int, but got {type(value)}")
        if not isinstance(unique, bool):
            raise TypeError(f"For 'Symbol', the argument 'unique' must be bool, but got {type(unique)}")
        for name, value in (("min", min), ("divisor", divisor)):
            if value <= 0:
                raise ValueError(f"For 'Symbol', the '{name}' value should be positive, but got {value}")
        if not 0 <= remainder < divisor:
            raise ValueError(
                f"For 'Symbol', the 'remainder' value should be in the range '[0, {divisor})', but got {remainder}"
            )
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique
        self.id = id(self)

    def __str__(self):
        return str(self.to_dict())

    def to_dict(self):
        """The known properties, as a dict, without those that are unrestricted."""
        smallest = self.divisor + self.remainder  # n is at least 1
        known = {
            "max": self.max if self.max > self.min else None,
            "min": self.min if self.min > smallest else None,
            "divisor": self.divisor if self.divisor != 1 else None,
            "remainder": self.remainder or None,
            "id": self.id if self.unique else None,
        }
        return {name: value for name, value in known.items() if value is not None}
