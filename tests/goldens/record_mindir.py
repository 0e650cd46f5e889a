"""Records a small MindIR file, whose weights the tests read: run with a Python that has MindSpore 2.10.

python tests/goldens/record_mindir.py
"""

import pathlib

import mindspore as ms
import numpy as np

if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    net = ms.nn.SequentialCell(ms.nn.Dense(3, 2), ms.nn.ReLU())
    net[0].weight.set_data(ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)))
    path = pathlib.Path(__file__).resolve().parent / "net.mindir"
    path.unlink(missing_ok=True)
    ms.export(net, ms.Tensor(np.ones((1, 3), np.float32)), file_name=str(path), file_format="MINDIR")
