"""Where rows come from: one file a family of sources."""

from msjax.dataset.sources.arrays import (
    Cifar10Dataset,
    Cifar100Dataset,
    EMnistDataset,
    FashionMnistDataset,
    KMnistDataset,
    QMnistDataset,
    SemeionDataset,
    STL10Dataset,
    SVHNDataset,
    USPSDataset,
)
from msjax.dataset.sources.audio import (
    CMUArcticDataset,
    GTZANDataset,
    LibriTTSDataset,
    LJSpeechDataset,
    SpeechCommandsDataset,
    TedliumDataset,
    YesNoDataset,
)
from msjax.dataset.sources.detection import (
    CelebADataset,
    CocoDataset,
    KITTIDataset,
    LFWDataset,
    ManifestDataset,
    VOCDataset,
    WIDERFaceDataset,
)
from msjax.dataset.sources.folders import (
    Caltech101Dataset,
    Caltech256Dataset,
    CityscapesDataset,
    FlickrDataset,
    Flowers102Dataset,
    Food101Dataset,
    ImageFolderDataset,
    LSUNDataset,
    OmniglotDataset,
    Places365Dataset,
    RenderedSST2Dataset,
    SBUDataset,
    SUN397Dataset,
)
from msjax.dataset.sources.generator import GeneratorDataset
from msjax.dataset.sources.graph import Graph, GraphData, InMemoryGraphDataset, OutputFormat, SamplingStrategy
from msjax.dataset.sources.mindrecord import MindDataset, OBSMindDataset
from msjax.dataset.sources.mnist import MnistDataset
from msjax.dataset.sources.paired import DIV2KDataset, FakeImageDataset, PhotoTourDataset, RandomDataset, SBDataset
from msjax.dataset.sources.schema import Schema
from msjax.dataset.sources.slices import NumpySlicesDataset, PaddedDataset
from msjax.dataset.sources.tables import (
    AGNewsDataset,
    AmazonReviewDataset,
    CLUEDataset,
    CSVDataset,
    DBpediaDataset,
    IMDBDataset,
    SogouNewsDataset,
    SQuADDataset,
    SST2Dataset,
    YahooAnswersDataset,
    YelpReviewDataset,
)
from msjax.dataset.sources.texts import (
    CoNLL2000Dataset,
    EnWik9Dataset,
    IWSLT2016Dataset,
    IWSLT2017Dataset,
    Multi30kDataset,
    PennTreebankDataset,
    TextFileDataset,
    UDPOSDataset,
    WikiTextDataset,
)
from msjax.dataset.sources.tfrecord import TFRecordDataset

__all__ = [
    "AGNewsDataset", "AmazonReviewDataset", "CLUEDataset", "CMUArcticDataset", "CSVDataset", "Caltech101Dataset",
    "Caltech256Dataset", "CelebADataset", "Cifar100Dataset", "Cifar10Dataset", "CityscapesDataset",
    "CoNLL2000Dataset", "CocoDataset", "DBpediaDataset", "DIV2KDataset", "EMnistDataset", "EnWik9Dataset",
    "FakeImageDataset", "FashionMnistDataset", "FlickrDataset", "Flowers102Dataset", "Food101Dataset",
    "GTZANDataset", "GeneratorDataset", "Graph", "GraphData", "IMDBDataset", "IWSLT2016Dataset", "IWSLT2017Dataset",
    "ImageFolderDataset", "InMemoryGraphDataset", "KITTIDataset", "KMnistDataset", "LFWDataset", "LJSpeechDataset",
    "LSUNDataset", "LibriTTSDataset", "ManifestDataset", "MindDataset", "MnistDataset", "Multi30kDataset",
    "NumpySlicesDataset", "OBSMindDataset", "OmniglotDataset", "OutputFormat", "PaddedDataset",
    "PennTreebankDataset", "PhotoTourDataset", "Places365Dataset", "QMnistDataset", "RandomDataset",
    "RenderedSST2Dataset", "SBDataset", "SBUDataset", "SQuADDataset", "SST2Dataset", "STL10Dataset",
    "SUN397Dataset", "SVHNDataset", "SamplingStrategy", "Schema", "SemeionDataset", "SogouNewsDataset",
    "SpeechCommandsDataset", "TFRecordDataset", "TedliumDataset", "TextFileDataset", "UDPOSDataset", "USPSDataset",
    "VOCDataset", "WIDERFaceDataset", "WikiTextDataset", "YahooAnswersDataset", "YelpReviewDataset", "YesNoDataset",
]
