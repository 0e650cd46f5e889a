"""CPU time per sample of dataset pipelines: msjax against MindSpore and torch's DataLoader, in turn, in one run.

    python benchmarks/data.py [--mindspore-python PYTHON] [--torch-python PYTHON] [--rounds 3] [--only generator,mnist] [--samples 20000]

Each measurement is a process of its own. CPU time counts all threads and child processes, so that it holds up on a busy
machine; wall time is shown beside it. torch is measured where it is installed; its JPEG pipeline needs torchvision.
"""

import argparse
import json
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from contenders import add_torch, torch_python

BATCH = 64
MEAN, STD = (0.1307,), (0.3081,)
COLOR_MEAN, COLOR_STD = (0.485 * 255, 0.456 * 255, 0.406 * 255), (0.229 * 255, 0.224 * 255, 0.225 * 255)
BOUNDS = {"generator": 0.5, "slices": 0.5, "mnist": 0.5, "jpeg": 1.1}


class Digits:
    """Source of 28x28 images and labels with random access."""

    def __init__(self, count):
        rng = np.random.RandomState(0)
        self.images = rng.randint(0, 255, (count, 28, 28, 1)).astype(np.uint8)
        self.labels = rng.randint(0, 10, count).astype(np.int32)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def write_files(folder, samples, pictures):
    """idx files of digits, and a folder of JPEG pictures of 256x256 in four classes."""
    digits = Digits(samples)
    (folder / "train-images-idx3-ubyte").write_bytes(
        struct.pack(">4I", 2051, samples, 28, 28) + digits.images.tobytes()
    )
    (folder / "train-labels-idx1-ubyte").write_bytes(
        struct.pack(">2I", 2049, samples) + digits.labels.astype(np.uint8).tobytes()
    )
    if not pictures:
        return
    from PIL import Image

    rng = np.random.RandomState(0)
    for i in range(pictures):
        target = folder / "pictures" / f"class{i % 4}"
        target.mkdir(parents=True, exist_ok=True)
        coarse = Image.fromarray(rng.randint(0, 255, (32, 32, 3)).astype(np.uint8))
        noise = rng.randint(-12, 12, (256, 256, 3))
        pixels = np.asarray(coarse.resize((256, 256), Image.BICUBIC)).astype(int) + noise
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(target / f"{i}.jpg", quality=90)


def pipeline(library, name, folder, samples):
    """The pipeline `name` in `library`; both spell it alike."""
    if library == "mindspore":
        import mindspore.dataset as ds
        from mindspore.dataset import transforms, vision
    else:
        import msjax.dataset as ds
        from msjax.dataset import transforms, vision
    if name == "jpeg":
        data = ds.ImageFolderDataset(str(folder / "pictures"), num_parallel_workers=1)
        operations = [
            vision.RandomCropDecodeResize(224),
            vision.RandomHorizontalFlip(0.5),
            vision.Normalize(COLOR_MEAN, COLOR_STD),
            vision.HWC2CHW(),
        ]
        return data.map(operations, "image", num_parallel_workers=1).batch(32)
    if name == "generator":
        data = ds.GeneratorDataset(Digits(samples), ["image", "label"], num_parallel_workers=1)
    elif name == "slices":
        digits = Digits(samples)
        data = ds.NumpySlicesDataset((digits.images, digits.labels), ["image", "label"])
    else:
        data = ds.MnistDataset(str(folder), num_parallel_workers=1)
    operations = [vision.Rescale(1 / 255.0, 0.0), vision.Normalize(MEAN, STD), vision.HWC2CHW()]
    data = data.map(operations, "image", num_parallel_workers=1)
    data = data.map(transforms.TypeCast(np.int32), "label", num_parallel_workers=1)
    return data.shuffle(1000).batch(BATCH)


def torch_loader(name, folder, samples):
    """The same work by torch's DataLoader, or None where torch has no counterpart at hand."""
    import torch
    from torch.utils.data import DataLoader, Dataset

    torch.set_num_threads(1)
    if name == "jpeg":
        try:
            from torchvision import datasets, transforms
        except ImportError:
            return None
        mean, std = [m / 255 for m in COLOR_MEAN], [s / 255 for s in COLOR_STD]
        steps = [transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip()]
        steps += [transforms.ToTensor(), transforms.Normalize(mean, std)]
        return DataLoader(datasets.ImageFolder(folder / "pictures", transforms.Compose(steps)), 32, shuffle=True)

    class TorchDigits(Dataset):
        def __init__(self):
            self.source = Digits(samples)

        def __len__(self):
            return len(self.source)

        def __getitem__(self, index):
            image, label = self.source[index]
            return (torch.from_numpy(image).permute(2, 0, 1).float() / 255 - MEAN[0]) / STD[0], int(label)

    return DataLoader(TorchDigits(), BATCH, shuffle=True) if name in ("generator", "slices") else None


def measure(library, name, folder, samples):
    """(CPU, wall) microseconds a sample of the second epoch, and samples an epoch."""
    if library == "torch":
        loader = torch_loader(name, folder, samples)
        if loader is None:
            return None

        def epoch():
            return sum(len(label) for _, label in loader)
    else:
        iterator = pipeline(library, name, folder, samples).create_dict_iterator(num_epochs=2, output_numpy=True)

        def epoch():
            return sum(len(row["label"]) for row in iterator)

    def used():
        both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in both)

    epoch()
    cpu, wall = used(), time.perf_counter()
    count = epoch()
    return {"cpu": (used() - cpu) / count * 1e6, "wall": (time.perf_counter() - wall) / count * 1e6, "count": count}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", metavar="PYTHON", help="a Python in which MindSpore is installed")
    add_torch(parser)
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--only", help="comma-separated names of pipelines")
    parser.add_argument("--worker", nargs=3, metavar=("LIBRARY", "NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        library, name, folder = options.worker
        print("RESULT " + json.dumps(measure(library, name, Path(folder), options.samples)))
        return 0
    names = options.only.split(",") if options.only else list(BOUNDS)
    contenders = {"msjax": sys.executable}
    if options.mindspore_python:
        contenders["mindspore"] = options.mindspore_python
    if torch_python(options):
        contenders["torch"] = torch_python(options)
    path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    worst, kept = 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), options.samples, options.pictures if "jpeg" in names else 0)
        print(f"{'pipeline':10s} {'library':10s} {'CPU us':>8s} {'wall us':>8s} {'CPU / MindSpore':>16s}")
        for name in names:
            results = {library: [] for library in contenders}
            for _ in range(options.rounds):
                for library, python in contenders.items():
                    command = [python, __file__, "--samples", str(options.samples), "--worker", library, name, folder]
                    done = subprocess.run(command, env=environment, capture_output=True, text=True)
                    line = [text for text in done.stdout.splitlines() if text.startswith("RESULT ")]
                    if not line and library == "msjax":
                        sys.exit(f"{library} {name} failed:\n{done.stdout}\n{done.stderr}")
                    results[library].append(json.loads(line[0][7:]) if line else None)
            cpu = {
                library: statistics.median(run["cpu"] for run in runs) for library, runs in results.items() if runs[0]
            }
            for library in cpu:
                wall = statistics.median(run["wall"] for run in results[library])
                ratio = f"{cpu[library] / cpu['mindspore']:.2f}" if "mindspore" in cpu else "-"
                print(f"{name:10s} {library:10s} {cpu[library]:8.1f} {wall:8.1f} {ratio:>16s}", flush=True)
                kept.append({"workload": name, "contender": library, "cpu": cpu[library], "wall": wall})
            if options.json:
                options.json.write_text(json.dumps(kept, indent=1) + "\n")
            if "mindspore" in cpu:
                worst = max(worst, cpu["msjax"] / cpu["mindspore"] / BOUNDS[name])
    if worst > 1:
        print(f"above the bound by {worst:.2f} x")
    return worst > 1


if __name__ == "__main__":
    sys.exit(main())
