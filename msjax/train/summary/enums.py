"""Names of MindSpore's inner modules of the summary: kinds of data, and modes."""

from enum import Enum


class BaseEnum(Enum):
    """An enumeration that gives its values as a list."""

    @classmethod
    def to_list(cls):
        """The values."""
        return [member.value for member in cls]


class PluginEnum(BaseEnum):
    """The kinds of data in a summary."""

    GRAPH = "graph"
    SCALAR = "scalar"
    IMAGE = "image"
    TENSOR = "tensor"
    HISTOGRAM = "histogram"
    TRAIN_LINEAGE = "train_lineage"
    EVAL_LINEAGE = "eval_lineage"
    CUSTOM_LINEAGE_DATA = "custom_lineage_data"
    DATASET_GRAPH = "dataset_graph"
    EXPLAINER = "explainer"
    LANDSCAPE = "landscape"


class WriterPluginEnum(Enum):
    """The writers of a summary."""

    EXPORTER = "exporter"
    EXPLAINER = "explainer"
    SUMMARY = "summary"
    LINEAGE = "lineage"


class ModeEnum(BaseEnum):
    """The modes of a record."""

    TRAIN = "train"
    EVAL = "eval"


_DEFAULT_EXPORT_OPTIONS = {"tensor_format": {"npy", None}}
