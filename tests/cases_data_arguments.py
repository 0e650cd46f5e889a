"""Which values the transforms, sources, samplers and operations of `mindspore.dataset` take: each argument of each in turn is replaced by
each of VALUES. Recorded and compared as `cases_constructors` is, in `goldens/data_arguments.jsonl`.
"""

import enum
import inspect
import pathlib

import cases_constructors
import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import audio, config, text, transforms, vision

VALUES = {
    **{title: value for title, value in cases_constructors.VALUES.items() if title not in ("nan", "integer dtype", "Cell")},
    "byte and more": 256,
    "long": 2**40,
    "real long": 2.0**30,
    "minus pair": (-1, 2),
    "falling pair": (2, 1),
    "four": [1, 2, 3, 4],
    "pair of texts": ["a", "b"],
    "pairs": [[1, 2], [3, 4]],
    "bytes": b"abc",
    "function": len,
    "transform": vision.HorizontalFlip(),
    "Shuffle": ds.Shuffle.FILES,
    "Inter": vision.Inter.CUBIC,
    "array": np.ones(3, np.float32),
}  # fmt: skip

# Required arguments by name: of a parameter in all, or of one subject.
GIVEN = {
    "dataset_dir": "folder", "dataset_files": "folder/a.txt", "dataset_file": "folder/a.json", "annotation_file": "folder/a.json",
    "size": 4, "degrees": (0.5, 1.5), "sample_rate": 44100, "central_freq": 200.0, "center_freq": 200.0, "cutoff_freq": 200.0, "gain": 1.0,
    "alpha": 1.0, "prob": 0.5, "vocab": None, "data_type": ms.float32, "width": 2, "n_freqs": 8, "f_min": 0.0, "f_max": 50.0,
}  # fmt: skip
OF = {
    "vision.Affine": {"degrees": 15.0, "translate": (0.2, 0.2), "scale": 1.5, "shear": 1.0},
    "vision.Perspective": {"start_points": [[0, 3], [3, 3], [3, 0], [0, 0]], "end_points": [[0, 2], [2, 2], [2, 0], [0, 0]]},
    "vision.AdjustBrightness": {"brightness_factor": 1.0},
    "vision.AdjustContrast": {"contrast_factor": 1.0},
    "vision.AdjustGamma": {"gamma": 1.0},
    "vision.AdjustHue": {"hue_factor": 0.1},
    "vision.AdjustSaturation": {"saturation_factor": 1.0},
    "vision.AdjustSharpness": {"sharpness_factor": 1.0},
    "vision.BoundingBoxAugment": {"transform": vision.HorizontalFlip()},
    "vision.ConvertColor": {"convert_mode": vision.ConvertMode.COLOR_BGR2RGB},
    "vision.Crop": {"coordinates": (0, 1)},
    "vision.CutMixBatch": {"image_batch_format": vision.ImageBatchFormat.NHWC},
    "vision.CutOut": {"length": 2},
    "vision.Erase": {"top": 1, "left": 1, "height": 2, "width": 2},
    "vision.GaussianBlur": {"kernel_size": 3},
    "vision.LinearTransformation": {"transformation_matrix": np.ones((4, 4)), "mean_vector": np.ones(4)},
    "vision.MixUp": {"batch_size": 2},
    "vision.Normalize": {"mean": [1.0, 2.0], "std": [1.0, 2.0]},
    "vision.NormalizePad": {"mean": [1.0, 2.0], "std": [1.0, 2.0]},
    "vision.Pad": {"padding": 1},
    "vision.Posterize": {"bits": 4},
    "vision.RandomAdjustSharpness": {"degree": 1.0},
    "vision.RandomAffine": {"degrees": 15.0},
    "vision.RandomSelectSubpolicy": {"policy": [[(vision.HorizontalFlip(), 0.5)]]},
    "vision.Rescale": {"rescale": 0.5, "shift": 1.0},
    "vision.ResizedCrop": {"top": 0, "left": 0, "height": 2, "width": 2},
    "vision.RandomRotation": {"degrees": 15.0},
    "vision.Rotate": {"degrees": 15.0},
    "vision.Solarize": {"threshold": 5},
    "vision.UniformAugment": {"transforms": [vision.HorizontalFlip(), vision.VerticalFlip()]},
    "audio.Biquad": dict.fromkeys(("b0", "b1", "b2", "a0", "a1", "a2"), 0.5),
    "audio.DBToAmplitude": {"ref": 1.0, "power": 1.0},
    "audio.DCShift": {"shift": 0.5},
    "audio.Filtfilt": {"a_coeffs": [0.5, 0.2], "b_coeffs": [0.5, 0.2]},
    "audio.LFilter": {"a_coeffs": [0.5, 0.2], "b_coeffs": [0.5, 0.2]},
    "audio.InverseMelScale": {"n_stft": 8, "n_mels": 4},
    "audio.MaskAlongAxis": {"mask_start": 0, "mask_width": 2, "mask_value": 1.0, "axis": 1},
    "audio.MaskAlongAxisIID": {"mask_param": 2, "mask_value": 1.0, "axis": 1},
    "audio.PhaseVocoder": {"rate": 1.5, "phase_advance": np.ones((3, 1), np.float32)},
    "audio.PitchShift": {"n_steps": 2},
    "audio.create_dct": {"n_mfcc": 4, "n_mels": 8},
    "audio.linear_fbanks": {"n_filter": 4},
    "audio.melscale_fbanks": {"n_mels": 4},
    "text.AddToken": {"token": "a"},
    "text.JiebaTokenizer": {"hmm_path": "folder/a.txt", "mp_path": "folder/a.json"},
    "text.Ngram": {"n": 2},
    "text.RegexReplace": {"pattern": "a", "replace": "b"},
    "text.RegexTokenizer": {"delim_pattern": "a"},
    "text.PythonTokenizer": {"tokenizer": str.split},
    "text.Truncate": {"max_seq_len": 2},
    "text.TruncateSequencePair": {"max_length": 2},
    "text.Vocab.from_dict": {"word_dict": {"a": 0, "b": 1}},
    "text.Vocab.from_list": {"word_list": ["a", "b"]},
    "text.Vocab.from_file": {"file_path": "folder/a.txt"},
    "text.to_bytes": {"array": np.array(["a"])},
    "text.to_str": {"array": np.array([b"a"])},
    "transforms.Compose": {"transforms": [vision.HorizontalFlip()]},
    "transforms.RandomApply": {"transforms": [vision.HorizontalFlip()]},
    "transforms.RandomChoice": {"transforms": [vision.HorizontalFlip()]},
    "transforms.RandomOrder": {"transforms": [vision.HorizontalFlip()]},
    "transforms.Fill": {"fill_value": 1},
    "transforms.Mask": {"operator": transforms.Relational.EQ, "constant": 1},
    "transforms.OneHot": {"num_classes": 4},
    "transforms.PadEnd": {"pad_shape": [4]},
    "dataset.EMnistDataset": {"name": "mnist"},
    "dataset.PhotoTourDataset": {"name": "liberty"},
    "dataset.TedliumDataset": {"release": "release1"},
    "dataset.GeneratorDataset": {"source": [(1,), (2,)], "column_names": ["a"]},
    "dataset.NumpySlicesDataset": {"data": [1, 2]},
    "dataset.PaddedDataset": {"padded_samples": [{"a": np.ones(2)}]},
    "dataset.RandomDataset": {"total_rows": 2},
    "dataset.DistributedSampler": {"num_shards": 2, "shard_id": 0},
    "dataset.SubsetRandomSampler": {"indices": [0, 1]},
    "dataset.SubsetSampler": {"indices": [0, 1]},
    "dataset.PKSampler": {"num_val": 2},
    "dataset.WeightedRandomSampler": {"weights": [0.5, 0.5]},
    "dataset.Schema.add_column": {"name": "a", "de_type": ms.int32},
    "Dataset.apply": {"apply_func": lambda data: data},
    "Dataset.batch": {"batch_size": 2},
    "Dataset.bucket_batch_by_length": {
        "column_names": ["a"], "bucket_boundaries": [1, 2], "bucket_batch_sizes": [1, 1, 1], "element_length_function": len,
    },
    "Dataset.concat": {"datasets": [ds.NumpySlicesDataset([1])]},
    "Dataset.filter": {"predicate": bool},
    "Dataset.flat_map": {"func": len},
    "Dataset.map": {"operations": [len]},
    "Dataset.padded_batch": {"batch_size": 2},
    "Dataset.project": {"columns": ["a"]},
    "Dataset.rename": {"input_columns": ["a"], "output_columns": ["b"]},
    "Dataset.shuffle": {"buffer_size": 2},
    "Dataset.skip": {"count": 1},
    "Dataset.split": {"sizes": [2, 1], "randomize": False},
    "Dataset.sync_wait": {"condition_name": "a"},
    "Dataset.set_init_step": {"init_step": 1},
    "Dataset.zip": {"datasets": ds.NumpySlicesDataset([1], column_names="z")},
    "Dataset.create_dict_iterator": {},
    "Dataset.create_tuple_iterator": {},
    "Dataset.repeat": {},
    "Dataset.take": {},
}  # fmt: skip
# Settings of the process: each call is followed by one with the value that stood before.
SETTINGS = (
    "seed", "prefetch_size", "num_parallel_workers", "numa_enable", "monitor_sampling_interval", "callback_timeout", "auto_num_workers",
    "enable_shared_mem", "autotune_interval", "auto_offload", "enable_watchdog", "fast_recovery", "multiprocessing_timeout_interval",
    "multiprocessing_start_method",
)  # fmt: skip
# What takes what a user defines, needs a server, a chip or large files, is no constructor of its own, or changes the process.
_LEFT_OUT = {
    "vision.DecodeVideo", "vision.VideoDecoder", "vision.read_file", "vision.read_image", "vision.read_video", "vision.read_video_timestamps",
    "vision.write_file", "vision.write_jpeg", "vision.write_png", "vision.encode_jpeg", "vision.encode_png", "vision.not_random",
    "vision.get_image_size", "vision.get_image_num_channels", "text.SentencePieceTokenizer", "text.SentencePieceVocab", "text.Vocab",
    "text.Vectors", "text.GloVe", "text.FastText", "text.CharNGram", "text.ToVectors", "transforms.Plugin", "transforms.not_random",
    "transforms.Slice", "dataset.MindDataset", "dataset.OBSMindDataset", "dataset.DatasetCache", "dataset.compare", "dataset.deserialize",
    "dataset.serialize", "dataset.show", "dataset.sync_wait_for_dataset", "dataset.zip", "dataset.Dataset", "dataset.Schema",
    "audio.GriffinLim", "dataset.GeneratorDataset", "dataset.SourceDataset", "dataset.MappableDataset", "dataset.AudioBaseDataset",
    "dataset.TextBaseDataset", "dataset.UnionBaseDataset", "dataset.VisionBaseDataset", "dataset.WaitedDSCallback",
}  # fmt: skip
TAKEN_HERE = {
    "num_parallel_workers": "more workers than the machine has cores, as in a script written for a large server",
    ("config.set_num_parallel_workers", "num"): "the same",
    ("Dataset.padded_batch", "batch_size"): "-1 is one batch of all rows, as for batch()",
    ("Dataset.create_dict_iterator", "num_epochs"): "as many epochs as a Python number says",
    ("Dataset.create_tuple_iterator", "num_epochs"): "as many epochs as a Python number says",
    ("Dataset.create_tuple_iterator", "columns"): "an unknown column raises where the first row is read",
    ("Dataset.map", "operations"): "a string is refused where the first row is read",
    (
        "Dataset.bucket_batch_by_length",
        "column_names",
    ): "one column may be named without a list, as in other operations",
    ("text.Vocab.from_file", "delimiter"): "a delimiter that no line has takes nothing away",
    ("text.Vocab.from_file", "vocab_size"): "as many words as a Python number says",
}
_ROOMS = {"vision": vision, "audio": audio, "text": text, "transforms": transforms, "dataset": ds}
_KINDS = ("Dataset", "Sampler", "DSCallback")


def names():
    """The names that are asked, those of Dataset's methods and of settings, too."""
    found = []
    for room, module in _ROOMS.items():
        for own, value in vars(module).items():
            wanted = own.endswith(_KINDS) if room == "dataset" else isinstance(value, type) or f"{room}.{own}" in OF
            if (
                wanted
                and own[0] != "_"
                and callable(value)
                and not (isinstance(value, type) and issubclass(value, enum.Enum))
            ):
                found.append(f"{room}.{own}")
    found += [name for name in OF if name.startswith(("Dataset.", "text.Vocab.", "dataset.Schema."))]
    return sorted({*found, *(f"config.set_{setting}" for setting in SETTINGS)} - _LEFT_OUT)


def files():
    """Makes the folder that the cases name."""
    folder = pathlib.Path("folder")
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text("a\nb\n")
    (folder / "a.json").write_text("{}")


def outcomes(name, titles=tuple(VALUES)):
    """{argument: {title of a value: "ok", or the type of the exception}} of one name; `files()` were made."""
    room, _, own = name.partition(".")
    call, before = _called(room, own)
    parameters = [
        p
        for p in _signature(call).parameters.values()
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self"
    ]
    given = {p.name: GIVEN[p.name] for p in parameters if p.default is p.empty and p.name in GIVEN} | OF.get(name, {})
    if "vocab" in given:
        given["vocab"] = text.Vocab.from_list(["a", "b"], special_tokens=["[UNK]"])
    if room == "config":
        given = {parameters[0].name: before}
    call(**given)
    made = {p.name: cases_constructors.answers(call, given, p.name, {t: VALUES[t] for t in titles}) for p in parameters}
    if room == "config":
        call(before)
    return made


def _called(room, own):
    """What is called, and the setting as it was."""
    if room == "config":
        return getattr(config, own), getattr(config, own.replace("set_", "get_", 1))()
    if room == "Dataset":
        return lambda_of(own), None
    call = _ROOMS[room]
    for part in own.split("."):
        call = call() if part == "add_column" else call
        call = getattr(call, part)
    return call, None


def lambda_of(method):
    """The method of a new dataset each time, since some change what they are called on."""

    def call(**given):
        return getattr(ds.NumpySlicesDataset([1, 2, 3], column_names=["a"]), method)(**given)

    call.__signature__ = inspect.signature(getattr(ds.NumpySlicesDataset, method))
    return call


def _signature(call):
    return cases_constructors.parameters(call) if isinstance(call, type) else inspect.signature(call)
