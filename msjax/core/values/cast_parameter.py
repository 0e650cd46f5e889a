"""A Parameter as a Cell of `to_float` reads it: cast, but what is written to it in place is written to the Parameter."""

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from .tensor import Tensor, flatten, unflatten

if TYPE_CHECKING:
    from .dtype import Type
    from .parameter import Parameter


class CastParameter(Tensor):
    """The content of a Parameter in another dtype, with the name, the flags and the methods of the Parameter."""

    __slots__ = ()

    @classmethod
    def of(cls, parameter: "Parameter", dtype: "Type"):
        """The Parameter, cast to `dtype`."""
        made = parameter.astype(dtype)
        made.__class__ = cls
        made.__dict__["parameter"] = parameter
        return made

    def __getattr__(self, name):
        parameter = self.__dict__["parameter"]
        return getattr(parameter, name) if name[0] != "_" and hasattr(parameter, name) else super().__getattr__(name)

    def read_again(self):
        """Hold what the Parameter holds by now."""
        new = self.parameter.astype(self.dtype)
        super()._assign(new.jax_array, new._var)

    def _assign(self, array, var=None):
        """Hold `array`, and write to the Parameter what is new in it: the other elements keep the digits that the cast took."""
        before = self.jax_array
        super()._assign(array, var)
        present = self.parameter.jax_array
        new = array.astype(present.dtype)
        same_shape = array.shape == before.shape == present.shape
        self.parameter._assign(jnp.where(array == before, present, new) if same_shape else new)


jax.tree_util.register_pytree_node(CastParameter, flatten, unflatten)
