"""Small models of public toolkits, each built with the toolkit's own classes: what `toolkit_cases.py` trains.

`CASES[toolkit][name]` is a function without arguments. It gives a `Model` (a network, its inputs, the loss of its outputs), or, for what
is not trained by gradients of a network (attacks, training methods of a toolkit's own), a dictionary of named results.
Toolkits and MindSpore are imported inside the functions: which MindSpore that is, the caller decides.
"""

import dataclasses
import importlib
from collections.abc import Callable

import numpy as np

CASES = {}
PACKAGES = {"mindspore-quaternion": "quaternion"}  # where the package has another name than the toolkit


@dataclasses.dataclass
class Model:
    """net(*inputs, **keywords) is differentiated through loss(outputs); None: the network gives its loss, or a tuple that begins with it.

    generate: a function of the trained network that gives what it generates, as an array. rate: how far a step goes.
    """

    net: object
    inputs: tuple
    loss: Callable | None = None
    generate: Callable | None = None
    keywords: dict = dataclasses.field(default_factory=dict)
    rate: float = 0.01


def case(toolkit, name):
    """Decorator: file a function in CASES."""

    def file(function):
        CASES.setdefault(toolkit, {})[name] = function
        return function

    return file


def member(module, name):
    """A name of a module of a toolkit."""
    return getattr(importlib.import_module(module), name)


def numbers(*shape, seed=1, scale=1.0):
    """A float32 Tensor of normal numbers."""
    import mindspore as ms

    return ms.Tensor((np.random.default_rng(seed).normal(size=shape) * scale).astype(np.float32))


def tokens(*shape, below=50, seed=1, first=3):
    """An int32 Tensor of token numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.default_rng(seed).integers(first, below, shape).astype(np.int32))


def square(outputs):
    """A loss that every output takes part in."""
    from mindspore import ops

    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    return sum(ops.square(o - 0.1).mean() for o in outputs)


# ---- mindyolo -----------------------------------------------------------------------------------------------------------------------

_STRIDE = [8, 16, 32]
_ANCHORS = [[10, 13, 16, 30, 33, 23], [30, 61, 62, 45, 59, 119], [116, 90, 156, 198, 373, 326]]


def _yolo_body(block, short, repeats=1):
    """Backbone and neck of YOLOv5 and its successors: three scales, down and up again; block: the class of a stage."""
    conv, up = "ConvNormAct", [-1, 1, "Upsample", ["None", 2, "nearest"]]
    backbone = [[-1, 1, conv, [32, 3, 2]], [-1, 1, conv, [64, 3, 2]], [-1, repeats, block, [64, *short]]]
    for width in (128, 256, 512):
        backbone += [[-1, 1, conv, [width, 3, 2]], [-1, repeats, block, [width, *short]]]
    backbone.append([-1, 1, "SPPF", [512, 5]])
    off = [False] if block != "Bottleneck" else []
    head = [up, [[-1, 6], 1, "Concat", [1]], [-1, 1, block, [256, *off]]]  # 12
    head += [up, [[-1, 4], 1, "Concat", [1]], [-1, 1, block, [128, *off]]]  # 15
    head += [[-1, 1, conv, [128, 3, 2]], [[-1, 12], 1, "Concat", [1]], [-1, 1, block, [256, *off]]]  # 18
    head += [[-1, 1, conv, [256, 3, 2]], [[-1, 9], 1, "Concat", [1]], [-1, 1, block, [512, *off]]]  # 21
    return backbone, head


def _yolo(version, block, short, head, loss, options):
    def build():
        import mindspore as ms

        config = member("mindyolo.utils.config", "Config")
        backbone, neck = _yolo_body(block, short)
        form = {"stride": _STRIDE, "depth_multiple": 1.0, "width_multiple": 0.25, "max_channels": None, "scale": "n"}
        form |= {
            "backbone": backbone,
            "head": [*neck, [[15, 18, 21], 1, *head]],
            "anchors": _ANCHORS,
            "reg_max": 16,
            "nc": 4,
        }
        net = member("mindyolo.models.model_factory", "create_model")(
            version, config(form), num_classes=4, sync_bn=False
        )
        importlib.import_module("mindyolo.models.losses")
        measure = member("mindyolo.models.losses.loss_factory", "create_loss")(
            loss, anchors=_ANCHORS, stride=_STRIDE, nc=4, **options
        )
        images = numbers(2, 3, 64, 64)
        boxes = [
            [[0, 1, 0.4, 0.5, 0.3, 0.4], [0, 3, 0.7, 0.2, 0.2, 0.3]],
            [[1, 0, 0.5, 0.5, 0.6, 0.5], [1, -1, 0, 0, 0, 0]],
        ]
        targets = ms.Tensor(np.array(boxes, np.float32))

        def total(outputs):
            return measure(outputs, targets, images)[0]

        return Model(net, (images,), total)

    return build


_ANCHOR_LOSS = {
    "box": 0.05,
    "obj": 1.0,
    "cls": 0.5,
    "anchor_t": 4.0,
    "label_smoothing": 0.0,
    "fl_gamma": 0.0,
    "cls_pw": 1.0,
    "obj_pw": 1.0,
}
_FREE_LOSS = {"box": 7.5, "cls": 0.5, "dfl": 1.5, "reg_max": 16}
CASES["mindyolo"] = {
    "yolov3": _yolo(
        "yolov3", "Bottleneck", [], ["YOLOv3Head", ["nc", "anchors", "stride"]], "YOLOv3Loss", _ANCHOR_LOSS
    ),
    "yolov5": _yolo("yolov5", "C3", [], ["YOLOv5Head", ["nc", "anchors", "stride"]], "YOLOv5Loss", _ANCHOR_LOSS),
    "yolov7": _yolo("yolov7", "C3", [], ["YOLOv7Head", ["nc", "anchors", "stride"]], "YOLOv7Loss", _ANCHOR_LOSS),
    "yolov8": _yolo("yolov8", "C2f", [True], ["YOLOv8Head", ["nc", "reg_max", "stride"]], "YOLOv8Loss", _FREE_LOSS),
    "yolov11": _yolo("yolov11", "C3k2", [], ["YOLOv11Head", ["nc", "reg_max", "stride"]], "YOLOv11Loss", _FREE_LOSS),
}

# ---- mindocr ------------------------------------------------------------------------------------------------------------------------


def _mask(*shape, seed):
    import mindspore as ms

    return ms.Tensor((np.random.default_rng(seed).random(shape) > 0.5).astype(np.float32))


def _ocr(config):
    return member("mindocr.models", "build_model")(config)


@case("mindocr", "dbnet")
def _dbnet():
    net = _ocr(
        {
            "type": "det",
            "backbone": {"name": "det_resnet18", "pretrained": False},
            "neck": {"name": "DBFPN", "out_channels": 32, "bias": False},
            "head": {"name": "DBHead", "k": 50, "bias": False, "adaptive": True},
        }
    )
    loss, maps = member("mindocr.losses.det_loss", "DBLoss")(), [_mask(2, 64, 64, seed=s) for s in range(4)]
    return Model(net, (numbers(2, 3, 64, 64),), lambda outputs: loss(outputs, maps[0], maps[1], maps[2], maps[3]))


@case("mindocr", "east")
def _east():
    net = _ocr(
        {
            "type": "det",
            "backbone": {"name": "det_resnet18", "pretrained": False},
            "neck": {"name": "EASTFPN", "out_channels": 32},
            "head": {"name": "EASTHead"},
        }
    )
    loss = member("mindocr.losses.det_loss", "EASTLoss")()
    maps = [_mask(2, 1, 16, 16, seed=1), numbers(2, 5, 16, 16, scale=0.1).abs() + 1.0, _mask(2, 1, 16, 16, seed=2)]
    return Model(net, (numbers(2, 3, 64, 64),), lambda outputs: loss(outputs, *maps))


def _ctc(net, steps, images):
    loss = member("mindocr.losses.rec_loss", "CTCLoss")(pred_seq_len=steps, max_label_len=6, batch_size=2)
    labels = tokens(2, 6, below=36, first=1)
    return Model(net, (images,), lambda outputs: loss(outputs, labels))


@case("mindocr", "crnn")
def _crnn():
    net = _ocr(
        {
            "type": "rec",
            "backbone": {"name": "rec_vgg7", "pretrained": False},
            "neck": {"name": "RNNEncoder", "hidden_size": 32},
            "head": {
                "name": "CTCHead",
                "out_channels": 37,
                "weight_init": "crnn_customised",
                "bias_init": "crnn_customised",
            },
        }
    )
    return _ctc(net, 9, numbers(2, 3, 32, 40))


@case("mindocr", "svtr")
def _svtr():
    net = _ocr(
        {
            "type": "rec",
            "backbone": {
                "name": "SVTRNet",
                "pretrained": False,
                "img_size": [32, 64],
                "out_channels": 48,
                "patch_merging": "Conv",
                "embed_dim": [16, 32, 48],
                "depth": [1, 2, 1],
                "num_heads": [2, 4, 4],
                "mixer": ["Local", "Local", "Global", "Global"],
                "local_mixer": [[7, 11], [7, 11], [7, 11]],
                "last_stage": True,
                "prenorm": False,
            },
            "neck": {"name": "Img2Seq"},
            "head": {"name": "CTCHead", "out_channels": 37},
        }
    )
    return _ctc(net, 16, numbers(2, 3, 32, 64))


@case("mindocr", "rare")
def _rare():
    net = _ocr(
        {
            "type": "rec",
            "backbone": {"name": "rec_vgg7", "pretrained": False},
            "neck": {"name": "RNNEncoder", "hidden_size": 32},
            "head": {"name": "AttentionHead", "hidden_size": 32, "out_channels": 38, "batch_max_length": 5},
        }
    )
    labels = tokens(2, 7, below=37, first=1)
    loss = member("mindocr.losses.rec_loss", "AttentionLoss")()
    return Model(net, (numbers(2, 3, 32, 40), labels), lambda outputs: loss(outputs, labels))


@case("mindocr", "cls_mobilenet_v3")
def _direction():
    import mindspore as ms

    net = member("mindocr.models", "build_model")("cls_mobilenet_v3_small_100_model", pretrained_backbone=False)
    loss = member("mindocr.losses.cls_loss", "CrossEntropySmooth")(smoothing=0.1)
    labels = ms.Tensor([0, 1], ms.int32)
    return Model(net, (numbers(2, 3, 48, 64),), lambda outputs: loss(outputs, labels))


# ---- mindarmour ---------------------------------------------------------------------------------------------------------------------


def _victim():
    from mindspore import nn

    return nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(6 * 4 * 4, 10)
    )


def _attack(module, name, **options):
    def build():
        return Model(
            _victim(),
            (numbers(4, 1, 12, 12, scale=0.2) + 0.5,),
            square,
            lambda net: _attacked(member(module, name), net, options),
        )

    return build


def _attacked(attack, net, given):
    """What an attack makes of four images."""
    options = dict(given)
    images = np.clip(np.random.default_rng(1).normal(size=(4, 1, 12, 12), scale=0.2) + 0.5, 0, 1).astype(np.float32)
    labels = np.array([1, 3, 5, 7], np.int32)
    if options.pop("one_hot", False):
        labels = np.eye(10, dtype=np.float32)[labels]
    if options.pop("with_loss", False):
        from mindspore import nn

        options["loss_fn"] = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    net.set_train(False)
    return np.asarray(attack(net, **options).generate(images, labels))


_GRADIENTS = "mindarmour.adv_robustness.attacks"
CASES["mindarmour"] = {
    "FGSM": _attack(_GRADIENTS, "FastGradientSignMethod", is_targeted=False, with_loss=True),
    "RandomFGSM": _attack(_GRADIENTS, "RandomFastGradientSignMethod", is_targeted=False, with_loss=True),
    "BIM": _attack(_GRADIENTS, "BasicIterativeMethod", nb_iter=3, with_loss=True),
    "MIM": _attack(_GRADIENTS, "MomentumIterativeMethod", nb_iter=3, with_loss=True),
    "PGD": _attack(_GRADIENTS, "ProjectedGradientDescent", nb_iter=3, with_loss=True),
    "DeepFool": _attack(_GRADIENTS, "DeepFool", num_classes=10, max_iters=3),
    "CarliniWagner": _attack(_GRADIENTS, "CarliniWagnerL2Attack", num_classes=10, max_iterations=3, bin_search_steps=1),
    "LBFGS": _attack(_GRADIENTS, "LBFGS", is_targeted=False, nb_iter=2, one_hot=True),
}


@case("mindarmour", "adversarial training")
def _defence():
    from mindspore import nn

    def losses(net):
        net.set_train()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
        defence = member("mindarmour.adv_robustness.defenses", "AdversarialDefense")(net, loss, optimizer)
        images = np.random.default_rng(2).random((4, 1, 12, 12)).astype(np.float32)
        return np.array(
            [float(np.asarray(defence.defense(images, np.array([1, 3, 5, 7], np.int32)))) for _ in range(3)]
        )

    return Model(_victim(), (numbers(4, 1, 12, 12),), square, losses)


# ---- mindflow -----------------------------------------------------------------------------------------------------------------------


def _flow(name, shape, *arguments, module="mindflow.cell", **options):
    def build():
        return Model(member(module, name)(*arguments, **options), (numbers(*shape),), square)

    return build


def _flow_vit():
    import mindspore as ms

    sizes = {"image_size": (32, 32), "in_channels": 3, "patch_size": 8}
    sizes |= {f"{part}_embed_dim": 32 for part in ("encoder", "decoder")}
    sizes |= {f"{part}_num_heads": 4 for part in ("encoder", "decoder")} | {"encoder_depths": 2, "decoder_depths": 1}
    # in float16, its default, it multiplies 0 by -1e10, which is no number there
    return Model(member("mindflow.cell", "ViT")(**sizes, compute_dtype=ms.float32), (numbers(2, 3, 32, 32),), square)


CASES["mindflow"] = {
    "FNO1D": _flow(
        "FNO1D", (2, 32, 2), in_channels=2, out_channels=1, n_modes=4, resolutions=32, hidden_channels=8, n_layers=2
    ),
    "FNO2D": _flow(
        "FNO2D", (2, 16, 16, 2), in_channels=2, out_channels=1, n_modes=4, resolutions=16, hidden_channels=8, n_layers=2
    ),
    "FNO3D": _flow(
        "FNO3D", (1, 8, 8, 8, 2), in_channels=2, out_channels=1, n_modes=3, resolutions=8, hidden_channels=6, n_layers=2
    ),
    "KNO1D": _flow("KNO1D", (2, 32, 2), in_channels=2, channels=8, modes=4, depths=2, resolution=32),
    "KNO2D": _flow("KNO2D", (2, 16, 16, 2), in_channels=2, channels=8, modes=4, depths=2, resolution=16),
    "PDENet": lambda: Model(
        member("mindflow.cell", "PDENet")(height=16, width=16, channels=1, kernel_size=5, max_order=3),
        (numbers(2, 1, 16, 16, scale=0.01),),  # three steps from larger values end in infinity
        square,
    ),
    "UNet2D": _flow("UNet2D", (2, 16, 16, 3), in_channels=3, out_channels=2, base_channels=4),
    "ViT": _flow_vit,
    "MultiScaleFCSequential": _flow(
        "MultiScaleFCSequential",
        (8, 3),
        in_channels=3,
        out_channels=2,
        layers=4,
        neurons=16,
        residual=True,
        num_scales=2,
    ),
    "DiT": lambda: Model(
        member("mindflow.cell", "DiffusionTransformer")(
            in_channels=4, out_channels=4, hidden_channels=16, layers=2, heads=2
        ),
        (numbers(2, 8, 4), tokens(2, below=100)),
        square,
    ),
}

# ---- mindaudio ----------------------------------------------------------------------------------------------------------------------


class Settings(dict):
    """A configuration whose entries are attributes."""

    __getattr__ = dict.__getitem__


def _audio(module, name, inputs, *arguments, **options):
    def build():
        return Model(member(f"mindaudio.models.{module}", name)(*arguments, **options), inputs(), square)

    return build


CASES["mindaudio"] = {
    "TasNet": _audio("tasnet", "TasNet", lambda: (numbers(2, 6, 8).abs(),), 8, 12, 10, 1),
    "ECAPA-TDNN": _audio(
        "ecapatdnn",
        "EcapaTDNN",
        lambda: (numbers(3, 20, 10),),
        10,
        lin_neurons=8,
        channels=(16, 16, 16, 16, 48),
        attention_channels=8,
        se_channels=8,
        res2net_scale=4,
    ),
    "DeepSpeech2": _audio(
        "deepspeech2",
        "DeepSpeechModel",
        lambda: (numbers(2, 1, 161, 24), tokens(2, below=24, first=24 - 1)),
        batch_size=2,
        labels=list("_'ABC "),
        rnn_hidden_size=12,
        nb_layers=1,
        audio_conf=Settings(sample_rate=16000, window_size=0.02),
    ),
    "Conformer encoder": _audio(
        "conformer",
        "ConformerEncoder",
        lambda: (numbers(2, 30, 20), _ones(2, 1, 6), _ones(2, 1, 6)),
        20,
        output_size=16,
        attention_heads=2,
        linear_units=24,
        num_blocks=1,
        dropout_rate=0.0,
        positional_dropout_rate=0.0,
        attention_dropout_rate=0.0,
    ),
}


def _ones(*shape):
    import mindspore as ms

    return ms.Tensor(np.ones(shape, np.float32))
