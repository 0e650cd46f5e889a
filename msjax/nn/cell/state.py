"""State of a Cell besides its Parameters: buffers, state dicts, moving to another dtype."""

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.printing import tensor_repr, tensor_str
from ...core.values.tensor import Tensor, to_array

_EXTRA_STATE = "_extra_state"


class Buffer(Parameter):
    """A Tensor that a Cell keeps and saves but does not train. Like a Parameter it is read and written through
    transforms.
    """

    is_buffer = True

    def __init__(self, content: str, name: str):
        super().__init__(content, name=name, requires_grad=False)

    def __repr__(self):
        return tensor_repr(self.value())

    def __str__(self):
        return tensor_str(self.value())

    __hash__ = Tensor.__hash__


class IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The missing and the unexpected names of a loaded state dict."""

    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


class StateHandle:
    """Handle of a registered hook: `remove()` takes the hook away."""

    def __init__(self, table: Any):
        self._table = table

    def remove(self):
        """Take the hook away; a second time does nothing."""
        self._table.pop(id(self), None)


class CellState:
    """Mixin of Cell."""

    # --- buffers
    def register_buffer(self, name: str, tensor: Tensor, persistent: bool = True):
        """Keep a Tensor (or None) under a name; it is part of state dicts if `persistent`.

        Raises:
            TypeError: the name is not a str, or `tensor` is not a Tensor. KeyError: the name is empty, has a dot in it, or is
            taken.

        Example:
            >>> net.register_buffer("count", Tensor(0))
            >>> [name for name, _ in net.named_buffers()]
            ['count']
        """
        if not isinstance(name, str):
            raise TypeError(f"For 'register_buffer', the buffer name should be a string, but got {type(name)}.")
        if not name or "." in name:
            raise KeyError(
                f"For 'register_buffer', the buffer name can not be empty and can not contain \".\", but got '{name}'."
            )
        if name not in self._buffers and hasattr(self, name):
            raise KeyError(f"For 'register_buffer', the attribute '{name}' already exists.")
        self._buffers.pop(name, None)
        self._set_buffer(name, tensor)
        left_out = self._non_persistent()
        left_out.discard(name) if persistent else left_out.add(name)

    def _set_buffer(self, name, value):
        """Make a buffer hold another value; the box stays, so that a compiled function follows."""
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"For '{type(self).__name__}', the buffer '{name}' must be a Tensor or None, but got {type(value)}."
            )
        box = self._buffers.get(name)
        if value is not None and box is not None and box.shape == value.shape and box.dtype == value.dtype:
            if box is not value:
                box._assign(value.jax_array)
            return
        self._buffers[name] = None if value is None else value if isinstance(value, Buffer) else Buffer(value, name)
        self._note_change()

    def _non_persistent(self):
        return self.__dict__.setdefault("_non_persistent_buffers", set())

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True):
        """Pairs (path, buffer) of this Cell and, if `recurse`, of those below it."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name, box in cell._buffers.items():
                if box is not None and not (remove_duplicate and id(box) in seen):
                    seen.add(id(box))
                    yield f"{path}.{name}" if path else name, box

    def buffers(self, recurse: bool = True):
        """The buffers of this Cell and, if `recurse`, of those below it."""
        for _, box in self.named_buffers(recurse=recurse):
            yield box

    def get_buffer(self, target: Any):
        """The buffer of a path such as "block.count".

        Raises:
            AttributeError: there is none.
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if name not in cell._buffers:
            what = (
                f"`{name}` is not a buffer"
                if hasattr(cell, name)
                else f"{type(cell).__name__} has no attribute `{name}`"
            )
            raise AttributeError(f"For 'get_buffer', {what}.")
        return cell._buffers[name]

    def get_sub_cell(self, target: Any):
        """The Cell of a path such as "layers.0.conv"; this one for "".

        Raises:
            AttributeError: there is none.
        """
        cell = self
        for name in target.split(".") if target else ():
            if not hasattr(cell, name):
                raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
            cell = getattr(cell, name)
            if not isinstance(cell, CellState):
                raise AttributeError(f"`{name}` is not an nn.Cell")
        return cell

    # --- state dicts
    def get_extra_state(self):
        """Override it (and `set_extra_state`) to add something to the state dict."""
        raise RuntimeError(f"'{type(self).__name__}' must override 'get_extra_state' to have extra state.")

    def set_extra_state(self, state: Any):
        """Override it to restore the value of `get_extra_state`."""
        raise RuntimeError(f"'{type(self).__name__}' must override 'set_extra_state' to have extra state.")

    def _hook_table(self, kind):
        return self.__dict__.setdefault("_state_hooks", {}).setdefault(kind, OrderedDict())

    def _state_hook(self, kind, hook):
        if not callable(hook):
            raise TypeError(f"For '{type(self).__name__}', the 'hook' must be callable, but got {type(hook)}.")
        table = self._hook_table(kind)
        handle = StateHandle(table)
        table[id(handle)] = hook
        self.__dict__.setdefault("_handles", []).append(handle)  # keeps the ids unique
        return handle

    def register_state_dict_pre_hook(self, hook: Callable):
        """Call `hook(cell, prefix, keep_vars)` before `state_dict` collects; returns a handle."""
        return self._state_hook("save_pre", hook)

    def register_state_dict_post_hook(self, hook: Callable):
        """Call `hook(cell, state_dict, prefix, local_metadata)` after `state_dict` collected; it must return None.
        Returns a handle.
        """
        return self._state_hook("save_post", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable):
        """Call `hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`
        before loading; returns a handle.
        """
        return self._state_hook("load_pre", hook)

    def register_load_state_dict_post_hook(self, hook: Callable):
        """Call `hook(cell, incompatible_keys)` after loading; it must return None. Returns a handle."""
        return self._state_hook("load_post", hook)

    def _own_state(self):
        """Parameters and persistent buffers by attribute name."""
        left_out = self._non_persistent()
        both = [*self._params.items(), *((n, b) for n, b in self._buffers.items() if n not in left_out)]
        return {name: box for name, box in both if box is not None}

    def state_dict(self, *args, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> dict:
        """OrderedDict from path to Parameter or buffer, of this Cell and those below it.

        Args:
            destination: a dict to add to.
            prefix: put before the paths.
            keep_vars: accepted; the Parameters themselves are given anyway.

        Raises:
            TypeError: an argument of the wrong kind. RuntimeError: a post hook returned something.

        Example:
            >>> list(nn.Dense(2, 3).state_dict())
            ['weight', 'bias']
        """
        destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args) :])
        for what, value, kind in (
            ("destination", destination, (dict, type(None))),
            ("prefix", prefix, str),
            ("keep_vars", keep_vars, bool),
        ):
            if not isinstance(value, kind):
                raise TypeError(f"For 'state_dict', the '{what}' must be {kind}, but got {type(value)}.")
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._hook_table("save_pre").values()):
            hook(self, prefix, keep_vars)
        for name, box in self._own_state().items():
            destination[prefix + name] = box
        if type(self).get_extra_state is not CellState.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._hook_table("save_post").values()):
            if hook(self, destination, prefix, metadata) is not None:
                raise RuntimeError("A hook registered with 'register_state_dict_post_hook' must return None.")
        return destination

    def load_state_dict(self, state_dict: dict, strict: bool = True):
        """Copy the content of a state dict into this Cell and its sub-Cells; returns the missing and the unexpected
        names.

        Raises:
            TypeError: `state_dict` is not a mapping. RuntimeError: shapes differ, or (`strict`) keys are missing or
            unexpected.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"For 'load_state_dict', the 'state_dict' must be a mapping, but got {type(state_dict)}.")
        report = IncompatibleKeys([], [])
        errors = []
        self._load_tree(OrderedDict(state_dict), "", getattr(state_dict, "_metadata", {}), report, errors)
        if strict:
            for what, keys in (("Missing", report.missing_keys), ("Unexpected", report.unexpected_keys)):
                if keys:
                    errors.insert(0, f"{what} key(s) in state_dict: " + ", ".join(f'"{key}"' for key in keys) + ". ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return report

    def _load_tree(self, state, prefix, metadata, report, errors):
        for hook in list(self._hook_table("load_pre").values()):
            hook(self, state, prefix, metadata.get(prefix[:-1], {}), True, *report, errors)
        own = self._own_state()
        for name, box in own.items():
            key = prefix + name
            if key not in state:
                report.missing_keys.append(key)
            elif not isinstance(state[key], Tensor):
                errors.append(f'The value of "{key}" must be a Tensor, but got {type(state[key])}.')
            elif state[key].shape != box.shape:
                errors.append(
                    f"size mismatch for {key}: copying a param with shape {state[key].shape} from checkpoint, the "
                    f"shape in current model is {box.shape}."
                )
            else:
                box.set_data(Tensor(state[key].asnumpy(), dtype=box.dtype))
        extra = prefix + _EXTRA_STATE
        takes_extra = type(self).set_extra_state is not CellState.set_extra_state
        if takes_extra and extra in state:
            self.set_extra_state(state[extra])
        elif takes_extra:
            report.missing_keys.append(extra)
        for key in state:
            if key.startswith(prefix) and not (takes_extra and key == extra):
                first, _, rest = key[len(prefix) :].partition(".")
                if first not in (self._cells if rest else own):
                    report.unexpected_keys.append(key)
        for name, cell in self._cells.items():
            if cell is not None:
                inner = f"{prefix}{name}."
                cell._load_tree(
                    OrderedDict((k, v) for k, v in state.items() if k.startswith(inner)),
                    inner,
                    metadata,
                    report,
                    errors,
                )
        for hook in list(self._hook_table("load_post").values()):
            if hook(self, report) is not None:
                raise RuntimeError(
                    "A hook registered with 'register_load_state_dict_post_hook' must return None; "
                    "change the keys in place."
                )

    # --- dtype and device
    def to(self, *args, **kwargs):
        """Convert the floating Parameters and buffers to a dtype, in place: `to(dtype)`, `to(device)`, `to(device,
        dtype)`, `to(tensor)`.

        A device is accepted and has no effect: JAX places the arrays. Returns the Cell.

        Raises:
            TypeError: a dtype that is neither floating nor complex, or other arguments.
        """
        dtype = kwargs.pop("dtype", None)
        for ignored in ("device", "non_blocking"):
            kwargs.pop(ignored, None)
        if kwargs:
            raise TypeError(
                f"For 'Cell.to', the keywords must be 'device', 'dtype' and 'non_blocking', but got {sorted(kwargs)}."
            )
        for arg in args:
            if isinstance(arg, mstype.Type):
                dtype = arg
            elif isinstance(arg, Tensor):
                dtype = arg.dtype
            elif not isinstance(arg, (str, bool, type(None))):
                raise TypeError(
                    f"For 'Cell.to', an argument must be a device, a dtype or a Tensor, but got {type(arg)}."
                )
        if dtype is None:
            return self
        if dtype not in mstype.float_type and dtype not in mstype.complex_type:
            raise TypeError(f"For 'Cell.to', the 'dtype' must be a floating point or complex dtype, but got {dtype}.")
        for box in [*self.get_parameters(), *self.buffers()]:
            if box.dtype in mstype.float_type or box.dtype in mstype.complex_type:
                box.set_dtype(dtype)
        self._note_change()
        return self

    def to_empty(self, *, device: Any = None, recurse: bool = True):
        """Let go of the content of Parameters and buffers (it becomes zeros); returns the Cell."""
        for box in [*self.get_parameters(expand=recurse), *self.buffers(recurse)]:
            box._assign(to_array(None, box.dtype, box.shape))
        return self
