"""Records small checkpoint files of every kind that MindSpore writes: tests/goldens/checkpoint.jsonl holds their bytes.

python tests/goldens/record_checkpoint.py
"""

import pathlib
import tempfile

import numpy as np
from oracle import ms

# isort: split
import golden_files

KEY = b"0123456789abcdef"
TYPES = (
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 bool_ bfloat16 complex64 float8_e4m3fn"
).split()


def save(folder, entries, name="file.ckpt", **options):
    """The bytes of the file that MindSpore writes for name -> Tensor."""
    path = folder / name
    ms.save_checkpoint([{"name": n, "data": v} for n, v in entries.items()], str(path), **options)
    return np.frombuffer(path.read_bytes(), np.uint8)


def main():
    """Write all files."""
    net = {
        "conv.weight": ms.Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4)),
        "moments.fc.bias": ms.Tensor(np.array([-1.5, 2.5]), ms.float16),
        "global_step": ms.Tensor(7, ms.int32),
    }
    files = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files["plain"] = save(folder, net)
        files["crc"] = save(folder, net, crc_check=True)
        for mode in ("AES-GCM", "AES-CBC", "SM4-CBC"):
            files[mode] = save(folder, net, enc_key=KEY, enc_mode=mode)
        files["types"] = save(folder, {kind: ms.Tensor(np.array([[0, 1, 2]]), getattr(ms, kind)) for kind in TYPES})
        extra = {"epoch": 3, "lr": 0.5, "flag": True, "note": "héllo 世", "nothing": "", "more": ms.Tensor([1, 2])}
        files["append_dict"] = save(folder, net, append_dict=extra)
        files["safetensors"] = save(folder, net, "file.safetensors", format="safetensors", crc_check=True)
    golden_files.write("checkpoint", files)


if __name__ == "__main__":
    main()
