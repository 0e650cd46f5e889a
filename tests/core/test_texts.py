"""Docstrings that `help` shows: completed from annotations, records and tables, and at least as long as users need."""

import contextlib
import importlib
import inspect
import io
import pydoc

import pytest
from mindspore import Model, Tensor, mint, nn, ops, train

import msjax  # noqa: F401  (answers for the engine)
from msjax.cli.known_differences import differences
from msjax.core.operators.record import functions
from msjax.core.spec import texts

LAYERS = [name for name in nn.__all__ if isinstance(getattr(nn, name), type)]
OPERATORS = sorted(name for name in functions if "." not in name)


def help_of(value):
    """What `help(value)` prints, without bold letters."""
    shown = io.StringIO()
    pydoc.Helper(output=shown)(value)
    return pydoc.plain(shown.getvalue())


def test_help_of_a_layer_tells_types_limits_defaults_and_devices():
    shown = help_of(nn.Conv2d)
    for part in (
        "stride: int | tuple[int, int] = 1",
        "pad_mode: Literal['valid', 'same', 'pad'] = 'same'",
        "in_channels (an int >= 1)",
        "pad_mode (one of 'valid', 'same', 'pad'; default 'same')",
        "Raises:",
        ">>> nn.Conv2d(",
        "Devices: runs on CPU; lowers for GPU and TPU.",
    ):
        assert part in shown, part


def test_help_of_an_operator_tells_its_spellings_devices_and_differences():
    shown = inspect.getdoc(ops.relu)
    for part in (
        "input (Tensor)",
        "inplace (default False)",
        "Also spelled ops.ReLU, mint.nn.functional.relu.",
        "Devices: runs on CPU; lowers for GPU and TPU.",
        "Differs from MindSpore: relu, relu6, hardshrink of NaN",
    ):
        assert part in shown, part
    assert inspect.getdoc(ops.relu).index("Parameters:") < inspect.getdoc(ops.relu).index("Example:")


def test_help_of_a_primitive_has_settings_and_inputs():
    shown = inspect.getdoc(ops.Conv2D)
    assert shown.index("Parameters:") < shown.index("out_channel") < shown.index("Inputs:") < shown.index("x (Tensor)")


def test_help_of_a_method_of_tensor():
    shown = inspect.getdoc(Tensor.sum)
    assert (
        "axis (int | Sequence[int] | None | Tensor; default None)" in shown
        and "dtype (dtype | None; default None)" in shown
    )


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_described(name):
    layer = getattr(nn, name)
    text = inspect.getdoc(layer)
    wanted = [p for p in inspect.signature(layer).parameters if p not in ("args", "kwargs")]
    assert len(text) > 20 and all(p in text for p in wanted), text
    assert " at 0x" not in text + str(inspect.signature(layer))


def test_operators_are_described():
    for name in OPERATORS:
        face = getattr(ops, name)
        text = inspect.getdoc(face)
        assert all(p in text for p in face.__signature__.documented()), name
        assert " at 0x" not in text, name


def test_layers_of_mint_and_training_are_described():
    assert "kernel_size" in inspect.getdoc(mint.nn.Conv2d)
    assert "amp_level (one of 'O0', 'O1', 'O2', 'O3', 'auto'; default 'O0')" in inspect.getdoc(Model)
    assert str(inspect.signature(Model)).startswith("(network: Cell, loss_fn: Any = None")
    assert "keep_checkpoint_max" in inspect.getdoc(train.CheckpointConfig)


def test_a_class_of_a_user_keeps_its_own_text_and_signature():
    class Net(nn.Cell):
        """Mine."""

        def __init__(self, width: int, depth=2):
            super().__init__()

    class Plain(nn.Cell):
        pass

    assert Net.__doc__ == "Mine." and str(inspect.signature(Net)) == "(width: int, depth=2)"
    assert Plain.__doc__ is None and list(inspect.signature(Plain).parameters) == ["auto_prefix", "flags"]
    assert str(inspect.signature(Net(1))) == "(*args, **kwargs)"  # of an instance: of its call


def test_what_is_written_is_still_there_alone():
    assert texts.written(nn.Conv2d).startswith("Convolution of") and "Parameters:" not in texts.written(nn.Conv2d)
    assert "Also spelled" not in texts.written(ops.relu)


def test_devices_name_what_does_not_lower():
    assert texts.devices("bessel_j0") == (
        "Devices: runs on CPU; lowers for GPU, not for TPU (computes in float64, which TPU has not)."
    )
    assert texts.devices("no operator") == ""


def test_differences_are_those_of_the_name():
    assert not any("np.sum" in row for row in differences("Tensor.sum"))
    assert any("experimental.optim.Adam" in row for row in differences("Adam"))
    assert not any("experimental.optim.Adam" in row for row in differences("nn.Adam"))


def test_plain_words_of_a_difference_are_no_names():
    assert not differences("mint.all") and not differences("ops.negative")
    assert not any("usage all" in row or "hides all" in row for row in differences("ops.all"))
    assert any("ops.where" in row for row in differences("ops.where"))
    assert not any("mish" in row or "trunc'" in row for row in differences("ops.trunc"))
    assert any("CellList's" in row for row in differences("nn.CellList"))


PACKAGES = """ops mint numpy nn train amp scipy.linalg parallel communication mindrecord dataset dataset.vision dataset.text
dataset.audio dataset.transforms experimental.optim nn.probability.distribution""".split()


@pytest.mark.parametrize("package", ["", *PACKAGES])
def test_signatures_print_plain_types(package):
    """Also those of the methods of the package's classes."""
    module = importlib.import_module(f"mindspore.{package}".rstrip("."))
    made = [getattr(module, name) for name in dir(module) if name[0] != "_"]
    made += [getattr(v, name) for v in made if isinstance(v, type) for name in vars(v) if name[0] != "_"]
    told = []
    for value in {id(v): v for v in made if callable(v)}.values():
        with contextlib.suppress(ValueError):  # of a class made in C
            told.append(str(inspect.signature(value)))
    assert told
    assert [text for text in told if "Annotated[" in text or " object at 0x" in text] == []
