"""Cases of MindCV: one small model of each family, and smaller ones of those whose smallest is large."""

import functools

from toolkit_models import CASES, Model, member, numbers

# one small model of each family, with the size of its images
MINDCV = {
    64: "BiT_resnet50 mobilevit_xx_small repvgg_a0 resnet18 resnext50_32x4d resnetv2_50 seresnet18 seresnext26_32x4d skresnet18 "
    "ghostnet_050 mnasnet_050 res2net50 mobilenet_v1_025 mobilenet_v2_035_128 mobilenet_v3_small_075 regnet_x_200mf regnet_y_200mf "
    "rexnet_09 resnest14 shufflenet_v1_g3_05 shufflenet_v2_x0_5 squeezenet1_0 efficientnet_b0 efficientnet_v2_s mixnet_s hrnet_w32 "
    "dpn92 densenet121 edgenext_xx_small poolformer_s12 convnext_tiny convnextv2_atto xception "
    "pnasnet",
    128: "nasnet_a_4x1056 inception_v4 halonet_50t",
    160: "cmt_tiny",
    224: "coat_lite_tiny pvt_v2_b0 googlenet vgg11 cait_xxs24_224 convit_tiny crossvit_9 mlp_mixer_s_p32 pit_ti pvt_tiny repmlp_t224 "
    "swin_tiny visformer_tiny visformer_tiny_v2 vit_b_32_224 volo_d1 xcit_tiny_12_p16_224 mae_b_16_224_finetune",
    256: "swinv2_tiny_window8",
    299: "inception_v3",
}


def _hrnet():
    def stage(block, *channels):
        return {
            "num_modules": 1,
            "num_branches": len(channels),
            "block": block,
            "num_blocks": [1] * len(channels),
            "num_channels": list(channels),
        }

    stages = {f"stage{n}": stage("BASIC", *(8 << i for i in range(n))) for n in (2, 3, 4)}
    return member("mindcv.models.hrnet", "HRNet")({"stage1": stage("BOTTLENECK", 64)} | stages, num_classes=10)


def _efficientnet_v2():
    module = "mindcv.models.efficientnet"
    fused, plain = member(module, "FusedMBConvConfig"), member(module, "MBConvConfig")
    blocks = [
        *(fused(1, 3, 1, 24, 24, 1), fused(4, 3, 2, 24, 48, 1), fused(4, 3, 2, 48, 64, 1)),
        *(plain(4, 3, 2, 64, 128, 1), plain(6, 3, 1, 128, 160, 2)),
    ]
    return _shorter("efficientnet", "EfficientNet", "efficientnet_v2_s", 0.2, inverted_residual_setting=blocks)


def _volo():
    import mindspore as ms

    fold = member("mindcv.models.volo", "Fold")
    if not hasattr(fold, "begun"):  # its weights are float16, which goes with networks that are cast as a whole only
        fold.begun = fold.__init__

        def begin(self, *args, **kwargs):
            fold.begun(self, *args, **kwargs)
            self.weight = self.weight.astype(ms.float32)

        fold.__init__ = begin
    made = {"embed_dims": [48, 96, 96, 96], "num_heads": [3, 6, 6, 6], "mlp_ratios": [3] * 4, "post_layers": ["ca"]}
    first = [True, False, False, False]
    return _shorter(
        *("volo", "VOLO", [1, 1, 1, 1], 64), **made, downsamples=first, outlook_attention=first, stem_hidden_dim=16
    )


def _one_of_each(module, name, attribute, kept):
    """A network whose sequence keeps some of its blocks only."""
    from mindspore import nn

    net = member(f"mindcv.models.{module}", name)(num_classes=10)
    blocks = list(getattr(net, attribute))
    setattr(net, attribute, nn.SequentialCell([blocks[i] for i in kept]))
    return net


def _vgg():
    from mindspore import nn

    member("mindcv.models.vgg", "cfgs")["narrow"] = [16, "M", 32, "M", 64, 64, "M", 128, 128, "M", 128, 128, "M"]
    net = _shorter("vgg", "VGG", "narrow")
    last = nn.SequentialCell([nn.Dense(512, 64), nn.ReLU(), net.classifier[2], nn.Dense(64, 64), nn.ReLU()])
    net.classifier = nn.SequentialCell([*last, nn.Dense(64, 10)])
    return net


def _shorter(module, name, *args, **kwargs):
    return member(f"mindcv.models.{module}", name)(*args, num_classes=10, **kwargs)


# {name: (size of the images, how it is made)}
SMALLER = {
    "dpn, 5 blocks": (64, functools.partial(_shorter, "dpn", "DPN", 16, 32, 8, (1, 1, 2, 1))),
    "hrnet, 1 block a branch": (64, _hrnet),
    "efficientnet_v2, 6 blocks": (64, _efficientnet_v2),
    "swinv2, 5 blocks": (
        64,
        functools.partial(
            *(_shorter, "swintransformerv2", "SwinTransformerV2", 64),
            **{"embed_dim": 24, "depths": [1, 1, 2, 1], "num_heads": [1, 2, 4, 8], "window_size": 4},
        ),
    ),
    "halonet, 6 blocks": (
        256,
        functools.partial(
            *(
                _shorter,
                "halonet",
                "HaloNet",
                [1, 1, 2, 2],
                8,
                3,
                ["bottle"],
                ["bottle"],
                ["bottle", "attn"],
                ["bottle", "attn"],
            ),
            **{"chs_list": [64, 32, 64, 128, 256], "num_heads": [0, 4, 8, 8], "stride_list": [1, 2, 2, 2]},
            **{"hidden_chs": None, "act": "silu"},
        ),
    ),
    "mae finetune, 2 blocks": (
        224,
        functools.partial(_shorter, "vit", "VisionTransformer", embed_dim=192, depth=2, num_heads=3, global_pool="avg"),
    ),
    "repmlp, 4 blocks": (
        64,
        lambda: member("mindcv.models.repmlp", "RepMLPNet")(
            **{"num_class": 10, "channels": (16, 32, 64, 128), "hs": (16, 8, 4, 2), "ws": (16, 8, 4, 2)},
            **{"num_blocks": (1, 1, 1, 1), "reparam_conv_k": (1, 3), "sharesets_nums": (1, 4, 16, 32)},
        ),
    ),
    "volo, 5 blocks": (64, _volo),
    "inception_v4, a block of each kind": (
        96,
        functools.partial(_one_of_each, "inceptionv4", "InceptionV4", "features", (0, 1, 5, 6, 13, 14)),
    ),
    "inception_v3, no auxiliary": (96, functools.partial(_shorter, "inceptionv3", "InceptionV3", aux_logits=False)),
    "nasnet, 8 filters": (
        64,
        functools.partial(_shorter, "nasnet", "NASNetAMobile", stem_filters=8, penultimate_filters=192),
    ),
    "vgg11, narrow": (64, _vgg),
    "BiT, 4 blocks": (64, lambda: _bottlenecks("bit", "BiT_ResNet", "Bottleneck")),
    "res2net, 4 blocks": (64, lambda: _bottlenecks("res2net", "Res2Net", "Bottle2neck")),
    "resnetv2, 4 blocks": (64, lambda: _bottlenecks("resnetv2", "ResNet", "PreActBottleneck")),
    "resnext, 4 blocks": (64, lambda: _bottlenecks("resnet", "ResNet", "Bottleneck", groups=32, base_width=4)),
}


def _bottlenecks(module, name, block, **kwargs):
    return _shorter(module, name, member(f"mindcv.models.{module}", block), [1, 1, 1, 1], **kwargs)


def _case(size, make):
    def build():
        import mindspore as ms
        from mindspore import ops

        images = 4 if size < 128 else 2
        labels = ms.Tensor([1, 7, 3, 0][:images], ms.int32)

        def loss(outputs):
            outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
            return sum(ops.cross_entropy(o, labels) for o in outputs)

        # as they start, their gradients are so large that a step of the usual size ends in other numbers on any two machines
        return Model(make(), (numbers(images, 3, size, size),), loss, rate=1e-4)

    return build


def _named(name):
    return member("mindcv.models", "create_model")(name, num_classes=10)


CASES["mindcv"] = {
    name: _case(size, functools.partial(_named, name)) for size, names in MINDCV.items() for name in names.split()
} | {name: _case(size, make) for name, (size, make) in SMALLER.items()}
