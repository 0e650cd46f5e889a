"""imshow_det_bbox: draws boxes and masks on an image."""

import os
import sys

import numpy as np


def _is_array(value, ranks, name, form):
    assert isinstance(value, np.ndarray) and value.ndim == ranks, f"{name} must be a ndarray in {form} format."


def _check(
    image,
    bboxes,
    labels,
    segm,
    class_names,
    colors,
    thickness,
    font_size,
    show,
    win_name,
    wait_time,
    out_file,
    score_threshold,
):
    _is_array(image, 3, "image", "(H, W, C) or (C, H, W)")
    assert 3 in (image.shape[0], image.shape[2]), "image must be a ndarray in (H, W, C) or (C, H, W) format."
    if bboxes is not None:
        _is_array(bboxes, 2, "bboxes", "(N, 4) or (N, 5)")
        assert bboxes.shape[1] in (4, 5), "bboxes must be a ndarray in (N, 4) or (N, 5) format."
        _is_array(labels, 2, "labels", "(N, 1)")
        assert labels.shape == (len(bboxes), 1), "labels must be a ndarray in (N, 1) format and has same N with bboxes."
    if segm is not None:
        _is_array(segm, 3, "segm", "(M, H, W)")
        size = image.shape[:2] if image.shape[2] == 3 else image.shape[1:]
        assert segm.shape[1:] == size, "segm must has same height and width with image."
        assert bboxes is None or len(bboxes) <= len(segm), (
            "number of segm masks must not be less than the number of bboxes."
        )
    assert class_names is None or isinstance(class_names, (tuple, list, dict)), (
        "class_names must be a list, tuple or dict."
    )
    for name, color in colors.items():
        assert isinstance(color, tuple) and len(color) == 3, f"{name} must be a three tuple, formatted (B, G, R)."
    for name, value, kind, text in (
        ("thickness", thickness, int, "an int"),
        ("font_size", font_size, (int, float), "an int or float"),
        ("wait_time", wait_time, int, "an int"),
    ):
        assert isinstance(value, kind), f"{name} must be {text}."
        assert value >= 0, f"{name} must be larger than or equal to zero."
    assert isinstance(show, bool), "show must be a bool."
    assert isinstance(win_name, str), "win_name must be a str."
    assert out_file is None or isinstance(out_file, str), "out_file must be a str."
    assert show or out_file is not None, "out_file must be given when the image is not shown."
    assert score_threshold <= 0 or bboxes is not None and bboxes.shape[1] == 5, (
        "score_threshold needs bboxes with scores, in (N, 5) format."
    )


def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray,
    labels: np.ndarray,
    segm: np.ndarray | None = None,
    class_names: list[str] | tuple[str, ...] | dict | None = None,
    score_threshold: float = 0,
    bbox_color: tuple[int, ...] = (0, 255, 0),
    text_color: tuple[int, ...] = (203, 192, 255),
    mask_color: tuple[int, ...] = (128, 0, 128),
    thickness: int = 2,
    font_size: int | float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
):
    """Draws boxes with labels, and masks, on an image; shows it or writes it to a file.

    Args:
        image (numpy.ndarray): RGB, of shape (H, W, 3) or (3, H, W).
        bboxes (numpy.ndarray): boxes as x, y, width, height and perhaps a score, of shape (N, 4) or (N, 5).
        labels (numpy.ndarray): their labels, of shape (N, 1).
        segm (numpy.ndarray, optional): masks, of shape (M, H, W), one for each box.
        class_names (Union[list[str], tuple[str], dict], optional): label to name.
        score_threshold (float): boxes with a smaller score are left out.
        bbox_color (tuple[int]): colour of the boxes, as blue, green, red.
        text_color (tuple[int]): colour of the labels.
        mask_color (tuple[int]): colour of the masks.
        thickness (int): of lines, in pixels.
        font_size (Union[int, float]): scale of the labels.
        show (bool): whether a window shows the image; Escape ends the program.
        win_name (str): name of the window.
        wait_time (int): how long it is shown, in milliseconds.
        out_file (str, optional): where the image is written; its ending says how it is compressed.

    Returns:
        numpy.ndarray, the image with what was drawn, as blue, green, red.

    Raises:
        AssertionError: an argument is not as it must be.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from msjax.dataset.utils import imshow_det_bbox
        >>> path = os.path.join(tempfile.mkdtemp(), "boxes.png")
        >>> image, boxes, labels = np.zeros((20, 20, 3), np.uint8), np.array([[2, 2, 9, 9]]), np.array([[0]])
        >>> imshow_det_bbox(image, boxes, labels, class_names=["cat"], show=False, out_file=path).shape
        (20, 20, 3)
    """
    import cv2  # here: it takes a tenth of a second

    _check(
        image,
        bboxes,
        labels,
        segm,
        class_names,
        {"bbox_color": bbox_color, "text_color": text_color, "mask_color": mask_color},
        thickness,
        font_size,
        show,
        win_name,
        wait_time,
        out_file,
        score_threshold,
    )
    if image.shape[0] == 3:
        image = image.transpose((1, 2, 0))
    drawn = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2BGR)

    def tint(mask):
        mask = mask.astype(bool)
        drawn[mask] = drawn[mask] * 0.5 + np.array(mask_color) * 0.5

    for i, box in enumerate(() if bboxes is None else bboxes):
        if len(box) > 4 and box[4] < score_threshold:
            continue
        left, top, right, bottom = int(box[0]), int(box[1]), int(box[0] + box[2]), int(box[1] + box[3])
        cv2.rectangle(drawn, (left, top), (right, bottom), bbox_color, thickness)
        label = labels[i][0]
        try:
            text = str(class_names[label]) if class_names is not None else f"class {label}"
        except (IndexError, KeyError):
            text = f"class {label}"
        if len(box) > 4:
            text += f"|{box[-1]:.02f}"
        cv2.putText(drawn, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, font_size, text_color, thickness)
        if segm is not None:
            tint(segm[i])
    if bboxes is None and segm is not None:
        for mask in segm:
            tint(mask)
    if show:
        cv2.imshow(win_name, drawn)
        if cv2.waitKey(wait_time) == 27:
            sys.exit()
    if out_file:
        cv2.imwrite(out_file, drawn)
        os.chmod(out_file, 0o600)
    return drawn
