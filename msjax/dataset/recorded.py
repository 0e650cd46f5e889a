"""Objects that remember their constructor arguments, so that a pipeline can be serialized and rebuilt."""

import inspect


class Recorded:
    """Base that keeps the arguments of each instance's constructor."""

    def __new__(cls, /, *args, **kwargs):
        self = super().__new__(cls)
        self._called_with = args, kwargs
        return self

    def arguments(self):
        """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
        args, kwargs = self._called_with
        try:
            bound = inspect.signature(type(self).__init__).bind(self, *args, **kwargs)
        except TypeError:  # copied or unpickled: made without arguments
            return {}
        given = {}
        for name, value in list(bound.arguments.items())[1:]:
            kind = bound.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD:
                given.update(value)
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                given["*"] = list(value)
            else:
                given[name] = value
        return given

    def parse(self):
        """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
        return {"name": type(self).__name__, "arguments": self.arguments()}
