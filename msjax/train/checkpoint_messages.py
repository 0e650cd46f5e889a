"""`train.checkpoint_pb2`: the messages of a `.ckpt` file for programs that read or write one themselves.

checkpoint = Checkpoint()
checkpoint.ParseFromString(open("net.ckpt", "rb").read())
for value in checkpoint.value:
    array = np.frombuffer(value.tensor.tensor_content, np.float32).reshape(value.tensor.dims)
"""

from .protobuf import field, fields, number_field

__all__ = ["Checkpoint", "MapTensorProto", "TensorProto"]


class _Repeated(list):
    """A repeated field of messages."""

    def __init__(self, kind):
        self._kind = kind

    def add(self, **values):
        """Append a new message, and give it."""
        self.append(self._kind(**values))
        return self[-1]


class _Message:
    """A message whose fields are rows: number -> (name, "bytes", "str", "dims", a class, or a list with a class)."""

    _rows: dict = {}

    def __init__(self, **values):
        self.Clear()
        for name, value in values.items():
            if isinstance(getattr(self, name), list):
                getattr(self, name).extend(value)
            else:
                setattr(self, name, value)

    def Clear(self):
        """Forget all fields."""
        self._present = set()
        for name, kind in self._rows.values():
            empty = {"bytes": b"", "str": "", "dims": []}.get(kind) if isinstance(kind, str) else None
            object.__setattr__(
                self, name, _Repeated(kind[0]) if isinstance(kind, list) else kind() if empty is None else empty
            )

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != "_present":
            self._present.add(name)

    def HasField(self, name):
        """Whether a field was given."""
        value = getattr(self, name)
        return name in self._present or (isinstance(value, _Message) and bool(value.SerializeToString()))

    def ParseFromString(self, serialized):
        """Read the message from bytes; their number."""
        self.Clear()
        for number, content in fields(memoryview(serialized), type(self).__name__):
            if number not in self._rows:
                continue
            name, kind = self._rows[number]
            if kind == "dims":
                getattr(self, name).append(content - (1 << 64) if content >> 63 else content)
            elif isinstance(kind, str):
                setattr(self, name, bytes(content) if kind == "bytes" else bytes(content).decode())
            elif isinstance(kind, list):
                getattr(self, name).add().ParseFromString(content)
            else:
                getattr(self, name).ParseFromString(content)
                self._present.add(name)
        return len(serialized)

    def SerializeToString(self):
        """The message as bytes."""
        out = []
        for number, (name, kind) in self._rows.items():
            value = getattr(self, name)
            if kind == "dims":
                out += [number_field(number, size) for size in value]
            elif isinstance(kind, list):
                out += [field(number, part.SerializeToString()) for part in value]
            elif isinstance(value, _Message):
                out += [field(number, value.SerializeToString())] if self.HasField(name) else []
            elif value or name in self._present:
                out.append(field(number, value.encode() if kind == "str" else bytes(value)))
        return b"".join(out)

    def __eq__(self, other):
        return type(self) is type(other) and self.SerializeToString() == other.SerializeToString()

    __hash__ = None


class TensorProto(_Message):
    """A tensor: `dims`, `tensor_type` ("Float32"), `tensor_content`."""

    _rows = {1: ("dims", "dims"), 2: ("tensor_type", "str"), 3: ("tensor_content", "bytes")}


class MapTensorProto(_Message):
    """The tensors of a MapParameter: keys, values, status."""

    _rows = {1: ("tensor", [TensorProto])}


class Checkpoint(_Message):
    """A file: `value`, one for each Parameter, with its name as `tag`."""

    class Value(_Message):
        """One Parameter: `tag`, and `tensor` or `maptensor`."""

        _rows = {1: ("tag", "str"), 2: ("tensor", TensorProto), 3: ("maptensor", MapTensorProto)}

    _rows = {1: ("value", [Value])}
