"""What tests send to worker processes, apart from the tests: a worker that imports this file does not load JAX."""

import time

import numpy as np

from msjax.dataset.dataloader import Dataset, IterableDataset, get_worker_info


class Squares(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        if index == 99:
            raise KeyError("no such square")
        return {"x": np.full(2, index, np.float32), "y": index * index, "name": str(index)}


class Stream(IterableDataset):
    def __len__(self):
        return 7

    def __iter__(self):
        info = get_worker_info()
        rows = range(7) if info is None else range(info.id, 7, info.num_workers)
        yield from (np.array(i) for i in rows)


def fail_at_five(x):
    time.sleep(0.002)  # worth a worker
    if x == 5:
        raise KeyError("no five")
    return x


class Source:
    def __init__(self, count=20, bad=None):
        self.count, self.bad = count, bad

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(0.002)  # worth a worker
        if index == self.bad:
            raise ZeroDivisionError("bad row")
        return np.array(index)
