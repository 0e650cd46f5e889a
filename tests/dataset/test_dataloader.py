"""mindspore.dataset.dataloader: DataLoader, its samplers and collation."""

import collections
import contextvars

import mindspore as ms
import numpy as np
import pytest
from mindspore.dataset.dataloader import (
    BatchSampler,
    DataLoader,
    DistributedSampler,
    RandomSampler,
    TensorDataset,
    default_collate,
    default_convert,
    get_worker_info,
)
from worker_cases import Squares, Stream

from msjax.dataset.dataloader.work import WorkerFetcher

Point = collections.namedtuple("Point", "x y")


def values(loader, key="y"):
    return [batch[key].asnumpy().tolist() for batch in loader]


@pytest.mark.parametrize("workers", [0, 2])
def test_batches(workers):
    loader = DataLoader(Squares(), 4, num_workers=workers)
    batches = list(loader)
    assert len(loader) == 3 and [batch["name"] for batch in batches] == [list("0123"), list("4567"), list("89")]
    assert batches[0]["x"].shape == (4, 2) and batches[0]["x"].dtype == ms.float32
    assert batches[2]["y"].asnumpy().tolist() == [64, 81]
    assert values(DataLoader(Squares(), 4, drop_last=True, num_workers=workers)) == [[0, 1, 4, 9], [16, 25, 36, 49]]


@pytest.mark.parametrize("workers,expected", [(0, [[0, 1, 2], [3, 4, 5], [6]]), (2, [[0, 2, 4], [1, 3, 5], [6]])])
def test_stream(workers, expected):
    loader = DataLoader(Stream(), 3, num_workers=workers)
    assert [batch.asnumpy().tolist() for batch in loader] == expected and len(loader) == 3


def test_without_batches():
    assert [int(item) for item in DataLoader(Stream(), None)] == list(range(7))
    assert DataLoader(Squares(), None, sampler=[3]).__iter__().__next__()["y"] == 9


def test_shuffle_follows_the_generator():
    def order(seed):
        return sum(values(DataLoader(Squares(), 3, shuffle=True, generator=np.random.default_rng(seed))), [])

    orders = [order(seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2] and sorted(orders[0]) == [i * i for i in range(10)]


def test_workers_that_persist():
    loader = DataLoader(Squares(), 5, shuffle=True, num_workers=2, persistent_workers=True)
    first = [batch for batch in loader]
    pids = [worker.process.pid for worker in loader._team.workers]
    second = [batch for batch in loader]
    assert pids == [worker.process.pid for worker in loader._team.workers]
    assert len(first) == len(second) == 2
    next(iter(loader))  # left early: the next epoch must not see its batches
    assert sorted(sum(values(loader), [])) == [i * i for i in range(10)]


def test_worker_errors():
    with pytest.raises(RuntimeError, match="no such square"):
        list(DataLoader(Squares(), batch_sampler=[[1], [99]], num_workers=1))
    with pytest.raises(KeyError, match="no such square"):
        list(DataLoader(Squares(), batch_sampler=[[1], [99]]))

    def die(number):
        import os

        os._exit(4)

    with pytest.raises(RuntimeError, match="exited unexpectedly.*exit code 4"):
        list(DataLoader(Squares(), num_workers=1, worker_init_fn=die))

    class Slow(Squares):
        def __getitem__(self, index):
            import time

            time.sleep(20)

    with pytest.raises(RuntimeError, match="timed out waiting for data after 0.2 seconds"):
        list(DataLoader(Slow(), num_workers=1, timeout=0.2))


def test_a_process_that_serves_two_loaders_knows_for_which_it_works():
    class WhoAmI:
        def __getitem__(self, index):
            return get_worker_info().id

    fetchers = [WorkerFetcher(WhoAmI(), (False, None, False), number, 2, 0, None) for number in (0, 1)]
    run = contextvars.copy_context().run  # this is no worker
    assert [run(fetchers[i], 0) for i in (0, 1, 0)] == [0, 1, 0] and get_worker_info() is None


def test_collate():
    batch = default_collate([(1, 2.5, "a", np.float32(1), True, Point(1, [2]))] * 2)
    assert isinstance(batch, list) and batch[2] == ["a", "a"] and isinstance(batch[5], Point)
    assert [str(batch[i].dtype) for i in (0, 1, 3, 4)] == ["Int64", "Float64", "Float32", "Bool"]
    assert default_collate([ms.Tensor([1, 2]), ms.Tensor([3, 4])]).asnumpy().tolist() == [[1, 2], [3, 4]]
    for wrong, error in (([np.array("a")], TypeError), ([{1}], TypeError), ([[1], [1, 2]], RuntimeError)):
        with pytest.raises(error):
            default_collate(wrong)
    assert default_convert((1, "a", np.ones(2)))[2].shape == (2,)


def test_samplers():
    assert list(BatchSampler(range(5), 2, False)) == [[0, 1], [2, 3], [4]] and len(BatchSampler(range(5), 2, True)) == 2
    assert sorted(RandomSampler(range(5))) == [0, 1, 2, 3, 4] and len(list(RandomSampler(range(3), True, 50))) == 50
    assert len(list(RandomSampler(range(3), num_samples=7))) == 7
    shards = [list(DistributedSampler(range(10), 4, rank, shuffle=False)) for rank in range(4)]
    assert shards == [[0, 4, 8], [1, 5, 9], [2, 6, 0], [3, 7, 1]]
    assert [len(DistributedSampler(range(10), 4, rank, drop_last=True)) for rank in range(4)] == [2] * 4
    sampler = DistributedSampler(range(10), 2, 0)
    first = list(sampler)
    sampler.set_epoch(1)
    assert list(sampler) != first


def test_tensor_dataset():
    data = TensorDataset(ms.Tensor(np.arange(4)), ms.Tensor(np.ones((4, 2), np.float32)))
    x, y = next(iter(DataLoader(data, 2)))
    assert x.asnumpy().tolist() == [0, 1] and y.shape == (2, 2) and len(data) == 4
    with pytest.raises(ValueError, match="same size"):
        TensorDataset(ms.Tensor([1]), ms.Tensor([1, 2]))


@pytest.mark.parametrize(
    "arguments,error",
    [
        ({"batch_size": 0}, ValueError),
        ({"batch_size": True}, TypeError),
        ({"num_workers": -1}, ValueError),
        ({"shuffle": True, "sampler": [1]}, ValueError),
        ({"batch_sampler": [[1]], "batch_size": 2}, ValueError),
        ({"prefetch_factor": 2}, ValueError),
        ({"persistent_workers": True}, ValueError),
        ({"timeout": -1}, ValueError),
        ({"generator": 1}, TypeError),
        ({"drop_last": 1}, TypeError),
        ({"shuffle": 1}, TypeError),
        ({"multiprocessing_context": 3}, ValueError),
        ({"multiprocessing_context": 3, "num_workers": 1}, TypeError),
        ({"prefetch_factor": True, "num_workers": 1}, TypeError),
        ({"prefetch_factor": 0, "num_workers": 1}, ValueError),
    ],
)
def test_bad_arguments(arguments, error):
    with pytest.raises(error):
        DataLoader(Squares(), **arguments)
    with pytest.raises(ValueError, match="iterable style"):
        DataLoader(Stream(), shuffle=True)
    with pytest.raises(NotImplementedError, match="__getitem__"):
        DataLoader(3)
    assert DataLoader(Squares(), timeout=float("inf"), collate_fn=3).collate_fn == 3  # which MindSpore does not look at


@pytest.mark.parametrize(
    "make,error",
    [
        (lambda: RandomSampler([1], replacement=1), TypeError),
        (lambda: RandomSampler([1], num_samples=0), ValueError),
        (lambda: RandomSampler([1], generator=1), TypeError),
        (lambda: BatchSampler([1], 0, False), ValueError),
        (lambda: BatchSampler([1], 2, None), TypeError),
        (lambda: DistributedSampler([1], 0), ValueError),
        (lambda: DistributedSampler([1], 2, 2), ValueError),
        (lambda: DistributedSampler([1], 2, 1.0), TypeError),
        (lambda: DistributedSampler([1], 2, 1, seed=None), TypeError),
        (lambda: DistributedSampler([1], 2, 1).set_epoch(True), TypeError),
    ],
    ids=range(10),
)
def test_bad_arguments_of_samplers(make, error):
    with pytest.raises(error):
        make()
