"""The first program of a thread that draws random numbers is traced once: its generator is there before."""

import threading

import numpy as np

import msjax as ms
from msjax import nn
from msjax.core.trace import compile as tracing


def test_the_first_draw_of_a_thread_is_traced_once(monkeypatch):
    traced = []
    plain = tracing._Trace.run
    monkeypatch.setattr(
        tracing._Trace, "run", lambda self, *given: traced.append(self.compiled.name) or plain(self, *given)
    )
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dense(3, 3), nn.Dropout(p=0.5))
    net.set_train()
    thread = threading.Thread(target=lambda: net(ms.Tensor(np.ones((2, 3), np.float32))))
    thread.start()
    thread.join()
    assert len(traced) == 1
