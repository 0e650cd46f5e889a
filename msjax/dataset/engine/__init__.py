"""The pipeline engine: nodes, samplers, iterators, workers."""

from msjax.dataset.engine.batch import BatchDataset, BatchInfo, BucketBatchByLengthDataset, PaddedBatchDataset
from msjax.dataset.engine.cache import DatasetCache, sync_wait_for_dataset
from msjax.dataset.engine.callbacks import DSCallback, WaitedDSCallback
from msjax.dataset.engine.iterators import DictIterator, DummyIterator, Iterator, TupleIterator
from msjax.dataset.engine.map import MapDataset
from msjax.dataset.engine.node import (
    AudioBaseDataset,
    Dataset,
    MappableDataset,
    SourceDataset,
    TextBaseDataset,
    UnionBaseDataset,
    VisionBaseDataset,
    flatten_single_lists,
    to_list,
)
from msjax.dataset.engine.processes import close_worker, worker_is_alive
from msjax.dataset.engine.samplers import (
    BuiltinSampler,
    DistributedSampler,
    IterSampler,
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Shuffle,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
    select_sampler,
)
from msjax.dataset.engine.serialize import DeserializedDataset, compare, deserialize, serialize, show
from msjax.dataset.engine.stream import (
    BlockReleasePair,
    ConcatDataset,
    FilterDataset,
    ProjectDataset,
    RenameDataset,
    RepeatDataset,
    ShuffleDataset,
    SkipDataset,
    SyncWaitDataset,
    TakeDataset,
    ZipDataset,
)
from msjax.dataset.engine.transfer import TransferDataset

__all__ = [
    "AudioBaseDataset", "BatchDataset", "BatchInfo", "BlockReleasePair", "BucketBatchByLengthDataset",
    "BuiltinSampler", "ConcatDataset", "DSCallback", "Dataset", "DatasetCache", "DeserializedDataset",
    "DictIterator", "DistributedSampler", "DummyIterator", "FilterDataset", "IterSampler", "Iterator", "MapDataset",
    "MappableDataset", "PKSampler", "PaddedBatchDataset", "ProjectDataset", "RandomSampler", "RenameDataset",
    "RepeatDataset", "Sampler", "SequentialSampler", "Shuffle", "ShuffleDataset", "SkipDataset", "SourceDataset",
    "SubsetRandomSampler", "SubsetSampler", "SyncWaitDataset", "TakeDataset", "TextBaseDataset", "TransferDataset",
    "TupleIterator", "UnionBaseDataset", "VisionBaseDataset", "WaitedDSCallback", "WeightedRandomSampler",
    "ZipDataset", "close_worker", "compare", "deserialize", "flatten_single_lists", "select_sampler", "serialize",
    "show", "sync_wait_for_dataset", "to_list", "worker_is_alive",
]
