"""Files as `torch.save` writes them, made without PyTorch."""

import io
import pickle
import zipfile


class _Storage:
    def __init__(self, kind, key, array):
        self.kind, self.key, self.array = kind, key, array


def torch_file(path, content, extra=None):
    """A file as torch.save writes it, made without torch: `content` maps names to (storage class, array, stride)."""
    storages = []

    class Pickler(pickle._Pickler):  # the Python one can be told to write any global
        def persistent_id(self, value):
            return ("storage", value.kind, value.key, "cpu", value.array.size) if isinstance(value, _Storage) else None

    class Global:
        def __init__(self, module, name):
            self.module, self.name = module, name

    def save_global(self, value):
        self.write(pickle.GLOBAL + f"{value.module}\n{value.name}\n".encode())

    class Tensor:
        def __init__(self, storage, shape, stride):
            self.parts = storage, shape, stride

    def save_tensor(self, value):
        storage, shape, stride = value.parts
        save_global(self, Global("torch._utils", "_rebuild_tensor_v2"))
        self.save((storage, 0, shape, stride, False, {}))
        self.write(pickle.REDUCE)

    Pickler.dispatch = {**pickle._Pickler.dispatch, Global: save_global, Tensor: save_tensor}
    state = dict(extra or {})
    for i, (name, (kind, array, shape, stride)) in enumerate(content.items()):
        storages.append(_Storage(Global("torch", kind), str(i), array))
        state[name] = Tensor(storages[-1], shape, stride)
    stream = io.BytesIO()
    Pickler(stream, 2).dump(state)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", stream.getvalue())
        for storage in storages:
            archive.writestr(f"archive/data/{storage.key}", storage.array.tobytes())
    return str(path)
