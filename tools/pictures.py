"""Makes docs/plot.png, docs/summary.png and docs/flame.svg from a real run of the LeNet example's network: python tools/pictures.py"""

import pathlib
import subprocess
import sys
import tempfile

import msjax

msjax.install()
ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
DIGITS = str(ROOT / "examples" / "data" / "mnist" / "train")
sys.path.insert(0, str(ROOT / "examples"))

import lenet  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("agg")
import mindspore as ms  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from mindspore import nn  # noqa: E402
from mindspore.train import Model, SummaryCollector  # noqa: E402


def main():
    ms.set_seed(1)
    net = lenet.LeNet5()
    table = str(msjax.summary(net, ms.Tensor(np.zeros((32, 1, 32, 32), np.float32))))
    print(table)
    lines = table.splitlines()
    figure = pyplot.figure(figsize=(max(map(len, lines)) * 0.087, len(lines) * 0.19), dpi=110)
    figure.text(0.01, 0.98, table, family="monospace", fontsize=10, va="top", linespacing=1.25)
    figure.savefig(DOCS / "summary.png")
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9))
    with tempfile.TemporaryDirectory() as folder:
        collector = SummaryCollector(folder, collect_freq=1)
        model.train(5, lenet.digits(DIGITS, 32, True), callbacks=[collector])
        command = [sys.executable, "-m", "msjax", "plot"]
        subprocess.run([*command, folder, "-o", str(DOCS / "plot.png")], check=True)
        traces = str(pathlib.Path(folder, "trace"))
        ms.set_context(mode=ms.GRAPH_MODE)  # one program, in which the Cells are named
        model.train(1, lenet.digits(DIGITS, 32, True))
        with ms.Profiler(output_path=traces):
            model.train(1, lenet.digits(DIGITS, 32, True))
        subprocess.run([*command, traces, "-o", str(DOCS / "flame.svg")], check=True)


if __name__ == "__main__":
    main()
