"""SentencePiece: subwords learnt from a corpus. The algorithms are those of the `sentencepiece` library."""

import io
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ..check import check
from ..rules import UInt32
from .base import TextOperation, decoded, strings
from .enums import SentencePieceModel, SPieceTokenizerOutType

if TYPE_CHECKING:
    from ..engine.dataset import Dataset

__all__ = ["SentencePieceTokenizer", "SentencePieceVocab"]


def _library():
    """The `sentencepiece` module, imported when the first model is trained or read."""
    try:
        import sentencepiece  # an optional package with a C++ extension
    except ImportError as error:
        raise ImportError("SentencePiece needs the package 'sentencepiece': pip install sentencepiece") from error
    return sentencepiece


class SentencePieceVocab:
    """A SentencePiece model, trained on files or on a dataset.

    Example:
        >>> from msjax.dataset.text import SentencePieceModel, SentencePieceVocab
        >>> SentencePieceVocab.from_file(["corpus.txt"], 5000, 0.9995, SentencePieceModel.UNIGRAM, {})  # doctest: +SKIP
    """

    def __init__(self):
        self.model = None  # the model in SentencePiece's own format

    @classmethod
    @checked
    def from_dataset(
        cls,
        dataset: "Dataset",
        col_names: Sequence[str] | None,
        vocab_size: UInt32,
        character_coverage: float | None,
        model_type: str | SentencePieceModel | None,
        params: dict | None,
    ):
        """Trains a model on the strings of a dataset.

        Args:
            dataset (Dataset): the corpus.
            col_names (list[str]): columns with text, None for all.
            vocab_size (int): number of subwords.
            character_coverage (float): share of the characters covered.
            model_type (SentencePieceModel): the algorithm.
            params (dict): more options of SentencePiece's trainer.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `vocab_size` is out of range.
            RuntimeError: a column holds no strings, or the training fails.
        """

        def sentences():
            for row in dataset.create_tuple_iterator(columns=col_names or None, num_epochs=1, output_numpy=True):
                for array in row:
                    check(
                        array.dtype.kind in "US",
                        "Invalid datatype, SentencePieceVocab only supports string type of input, but got "
                        f"{array.dtype}",
                        RuntimeError,
                    )
                    yield from decoded(array).ravel().tolist()

        return cls._train(vocab_size, character_coverage, model_type, params, sentence_iterator=sentences())

    @classmethod
    @checked
    def from_file(
        cls,
        file_path: list | None,
        vocab_size: UInt32 | None,
        character_coverage: float | None,
        model_type: str | SentencePieceModel | None,
        params: dict | None,
    ):
        """Trains a model on text files.

        Args:
            file_path (list[str]): the files, one sentence a line.
            vocab_size (int): number of subwords.
            character_coverage (float): share of the characters covered.
            model_type (SentencePieceModel): the algorithm.
            params (dict): more options of SentencePiece's trainer.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `vocab_size` is out of range.
            RuntimeError: a file does not exist, or the training fails.
        """
        for path in file_path or ():
            check(os.path.isfile(path), f"SentencePieceVocab: the file {path} does not exist.", RuntimeError)
        return cls._train(vocab_size, character_coverage, model_type, params, input=",".join(file_path or ()))

    @classmethod
    def _train(cls, vocab_size, character_coverage, model_type, params, **source):
        options = dict(params or {})
        if vocab_size is not None:
            options["vocab_size"] = vocab_size
        if character_coverage is not None:
            options["character_coverage"] = character_coverage
        if isinstance(model_type, SentencePieceModel):
            options["model_type"] = model_type.name.lower()
        elif model_type is not None:
            options["model_type"] = model_type.lower()
        model = io.BytesIO()
        trainer = _library().SentencePieceTrainer
        try:
            trainer.train(model_writer=model, minloglevel=2, **source, **options)
        except (RuntimeError, OSError, ValueError) as error:
            raise RuntimeError(f"SentencePieceVocab: training failed: {error}") from error
        vocab = cls()
        vocab.model = model.getvalue()
        return vocab

    @classmethod
    @checked
    def save_model(cls, vocab: "SentencePieceVocab", path: str, filename: str):
        """Writes a model to a file, whole or not at all.

        Args:
            vocab (SentencePieceVocab): the model.
            path (str): the folder.
            filename (str): the name of the file.

        Raises:
            TypeError: an argument has the wrong type.
            RuntimeError: the model was not trained, or the folder does not exist.
        """
        check(vocab.model is not None, "SentencePieceVocab: the model was not built.", RuntimeError)
        check(os.path.isdir(path), f"SentencePieceVocab: the folder {path} does not exist.", RuntimeError)
        with tempfile.NamedTemporaryFile(dir=path, delete=False) as file:
            file.write(vocab.model)
        os.replace(file.name, os.path.join(path, filename))


class SentencePieceTokenizer(TextOperation):
    """Splits a string into the subwords of a SentencePiece model.

    Args:
        mode (Union[str, SentencePieceVocab]): the model, or the file that holds it.
        out_type (SPieceTokenizerOutType): return subwords, or their ids as int32.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the file cannot be read, or the input holds no strings.

    Example:
        >>> import msjax.dataset.text as text
        >>> tokenizer = text.SentencePieceTokenizer("m.model", text.SPieceTokenizerOutType.STRING)  # doctest: +SKIP
        >>> tokenizer("Hello world")  # doctest: +SKIP
    """

    ranks = (0,)

    @checked
    @with_arguments
    def __init__(self, mode: str | SentencePieceVocab, out_type: SPieceTokenizerOutType):
        keep(self)
        self._processor = None

    def __getstate__(self):
        return {**self.__dict__, "_processor": None}  # rebuilt in the other process

    def _load(self):
        if self._processor is None:
            processor = _library().SentencePieceProcessor()
            try:
                if isinstance(self.mode, str):
                    processor.Load(self.mode)
                else:
                    check(self.mode.model is not None, "SentencePieceTokenizer: the model was not built.", RuntimeError)
                    processor.LoadFromSerializedProto(self.mode.model)
            except (OSError, RuntimeError) as error:
                raise RuntimeError(f"SentencePieceTokenizer: cannot load the model: {error}") from error
            self._processor = processor
        return self._processor

    def compute(self, array: np.ndarray):
        text = self.out_type == SPieceTokenizerOutType.STRING
        encoded = self._load().Encode(array.item(), out_type=str if text else int)
        return strings(encoded or [""]) if text else np.array(encoded, np.int32)
