"""What a Primitive refuses when it is made, by the table recorded from MindSpore (tests/goldens/record_settings.py)."""

import inspect

import pytest
from mindspore import ops

from msjax.core.operators import faces, primitive_settings, record

LSTM = {"input_size": 3, "hidden_size": 2, "num_layers": 1, "has_bias": True, "bidirectional": False, "dropout": 0.0}


@pytest.mark.parametrize(
    "name, settings, error",
    [
        ("Softmax", {"axis": "a"}, TypeError),
        ("Conv2D", {"out_channel": "a", "kernel_size": 3}, TypeError),
        ("Conv2D", {"out_channel": 3, "kernel_size": 3, "pad_mode": "none"}, ValueError),
        ("MaxPool", {"kernel_size": -1}, ValueError),
        ("MaxPool", {"kernel_size": [2, 2]}, TypeError),
        ("TopK", {"sorted": 1}, TypeError),
        ("L2Normalize", {"epsilon": "a"}, TypeError),
        ("LRN", {"depth_radius": "a"}, TypeError),
        ("SpaceToDepth", {"block_size": 0}, ValueError),
        ("MirrorPad", {"mode": "CONSTANT"}, ValueError),
        ("KLDivLoss", {"reduction": 1}, ValueError),
        ("Adam", {"use_locking": 1}, TypeError),
        ("Pad", {"paddings": 1}, TypeError),
        ("HShrink", {"lambd": "a"}, TypeError),
        ("LSTM", {"proj_size": -1, **LSTM}, ValueError),
        ("LSTM", {"hidden_size": 0, **{k: v for k, v in LSTM.items() if k != "hidden_size"}}, ValueError),
        (
            "STFT",
            {
                "n_fft": 2.5,
                "hop_length": 2,
                "win_length": 4,
                "normalized": True,
                "onesided": True,
                "return_complex": True,
            },
            TypeError,
        ),
        ("Dilation2D", {"data_format": "NHWC", "stride": 1, "dilation": 1}, ValueError),
        ("MaxPool3D", {"data_format": "NDHWC"}, ValueError),
        ("BiasAdd", {"data_format": "neither"}, ValueError),
        ("SparseApplyFtrl", {"lr": 0.0, "l1": 0.0, "l2": 0.0, "lr_power": -0.5}, ValueError),
    ],
)
def test_settings_that_mindspore_refuses(name, settings, error):
    """The text names the Primitive and the setting."""
    with pytest.raises(
        error,
        match=f"For '{name}', the .*'{list(settings)[-1] if name == 'Conv2D' and error is ValueError else next(iter(settings))}'",
    ):
        getattr(ops, name)(**settings)


def test_defaults_are_taken():
    """No default of ours is refused: a Primitive can be made as before."""
    refused = []
    for name in primitive_settings._table():
        for p in inspect.signature(faces.primitive(name).__init__).parameters.values():
            letters = primitive_settings.refused(name).get(p.name, [None])
            kind = primitive_settings.kind_of(p.default)
            if letters[0] and kind and p.default is not p.empty and p.default not in letters[1:]:
                if letters[0][list(primitive_settings.PROBES).index(kind)] != ".":
                    refused.append((name, p.name, p.default))
    assert record.primitives and not refused


def test_words_are_taken_as_mindspore_takes_them():
    """MaxPool takes its pad_mode in either case."""
    assert ops.MaxPool(2, 2, "SAME").pad_mode.lower() == ops.MaxPool(2, 2, "same").pad_mode.lower() == "same"
