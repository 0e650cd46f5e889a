"""What a call of Compose gives: recorded from MindSpore 2.10."""

import mindspore.dataset as ds
import mindspore.dataset.transforms as T
import mindspore.dataset.vision as V
import numpy as np
import pytest
from PIL import Image

IMAGE = np.random.RandomState(0).randint(0, 255, (8, 10, 3)).astype(np.uint8)


def _same(x):
    return x


def _twice(x):
    return x, x


@pytest.mark.parametrize(
    "operations,of_array,of_image",
    [
        ([V.ToPIL()], ("Image",), ("Image",)),
        ([V.ToPIL(), V.ToTensor()], ("ndarray",), ("ndarray",)),
        ([V.ToPIL(), V.Resize(5)], ("Image",), ("Image",)),
        ([V.Resize(5)], "ndarray", ("Image",)),
        ([V.ToTensor()], "ndarray", ("ndarray",)),
        ([V.Resize(5), V.ToTensor()], "ndarray", ("ndarray",)),
        ([V.ToPIL(), _same], ("Image",), ("Image",)),
        ([V.ToPIL(), _twice], ("Image", "Image"), ("Image", "Image")),
        ([T.Compose([V.ToPIL()]), V.ToTensor()], ("ndarray",), ("ndarray",)),
        ([V.ToTensor(), V.RandomErasing(1.0)], ("ndarray",), ("ndarray",)),
        ([_same], "ndarray", ("Image",)),
    ],
    ids=[
        "PIL",
        "PIL tensor",
        "PIL resize",
        "resize",
        "tensor",
        "resize tensor",
        "PIL function",
        "PIL two",
        "nested",
        "erasing",
        "function",
    ],
)
def test_a_call_gives_a_tuple_where_pillow_works(operations, of_array, of_image):
    compose = T.Compose(operations)
    for given, want in ((IMAGE, of_array), (Image.fromarray(IMAGE), of_image)):
        got = compose(given)
        if isinstance(want, tuple):
            assert isinstance(got, tuple) and tuple(type(one).__name__ for one in got) == want
        else:
            assert type(got).__name__ == want


def test_the_usual_index_takes_the_image():
    compose = T.Compose([V.ToPIL(), V.CenterCrop(4), V.ToTensor()])
    np.testing.assert_allclose(compose(IMAGE)[0], IMAGE[2:6, 3:7].transpose(2, 0, 1) / np.float32(255), rtol=1e-6)


PILLOWS = T.Compose([V.ToPIL(), V.Resize(3)])


@pytest.mark.parametrize(
    "operation,want",
    [
        (T.RandomApply([PILLOWS], 1.0), ("Image",)),
        (T.RandomChoice([PILLOWS]), ("Image",)),
        (T.RandomApply([V.ToPIL()], 1.0), "Image"),
        (T.RandomApply([PILLOWS], 0.0), "ndarray"),
        (T.Compose([T.RandomApply([V.ToPIL()], 1.0), V.ToTensor()]), ("ndarray",)),
        (T.Compose([V.ToPIL(), lambda x: 3]), ("int",)),
        (T.Compose([V.ToPIL(), lambda x: None]), ("NoneType",)),
        (T.Compose([lambda x: 3]), "ndarray"),
    ],
    ids=["apply", "choice", "apply PIL", "not applied", "applied inside", "number", "nothing", "number of array"],
)
def test_what_holds_a_compose_hands_its_tuple_on(operation, want):
    got = operation(IMAGE)
    if isinstance(want, tuple):
        assert isinstance(got, tuple) and tuple(type(one).__name__ for one in got) == want
    else:
        assert type(got).__name__ == want


def test_in_a_pipeline_the_columns_are_the_same():
    data = ds.NumpySlicesDataset({"x": IMAGE[None]}, shuffle=False)
    for held in (PILLOWS, T.RandomApply([PILLOWS], 1.0), T.RandomChoice([PILLOWS])):
        (row,) = data.map([held, V.ToTensor()], "x").create_tuple_iterator(output_numpy=True)
        assert row[0].shape == (3, 3, 3)


def test_a_call_of_nothing():
    with pytest.raises(TypeError, match="without an image"):
        PILLOWS()
    with pytest.raises(RuntimeError):
        T.Compose([V.Resize(3)])()


def test_images_of_functions_go_on_as_arrays():
    """Recorded from MindSpore: where nothing is bound to Pillow, the next function and the caller are given arrays."""
    seen = []
    found = T.Compose([Image.fromarray, lambda x: seen.append(type(x).__name__) or Image.fromarray(x)])(IMAGE)
    assert seen == ["ndarray"] and isinstance(found, np.ndarray)


@pytest.mark.parametrize("holder", [T.Compose, T.RandomApply, T.RandomChoice, T.RandomOrder])
def test_classes_are_no_transforms(holder):
    with pytest.raises(ValueError, match="not of classes"):
        holder([V.Resize(5), V.HWC2CHW])
