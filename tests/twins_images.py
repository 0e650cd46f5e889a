"""Networks of images that compute as those of `transformers` do, under the names of MindCV and MindFormers. Width 32, 4 heads, 2 layers."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from twins import Linear, Twin, attention, causal, dense, gelu, norm, quick_gelu, value

WIDTH, HEADS, LAYERS = 32, 4, 2

MINDCV = {
    "class": "cls_token", "distilled": "dist_token", "pos": "pos_embed", "patch": "patch_embed.proj", "norm": "norm", "head": "head",
    **{role: f"blocks.{{}}.{path}" for role, path in {
        "norm1": "norm1", "norm2": "norm2", "qkv": "attn.qkv", "q": "attn.q", "k": "attn.k", "v": "attn.v", "o": "attn.proj",
        "up": "mlp.fc1", "down": "mlp.fc2"}.items()},
}  # fmt: skip
MINDFORMERS = {
    "class": "vit.cls_tokens", "pos": "vit.pos_embed", "patch": "vit.patch_embed.proj", "norm": "vit.fc_norm", "head": "head",
    **{role: f"vit.blocks.{{}}.{path}" for role, path in {
        "norm1": "layernorm1", "norm2": "layernorm2", "q": "attention.dense1", "k": "attention.dense2", "v": "attention.dense3",
        "o": "attention.projection", "up": "output.mapping", "down": "output.projection"}.items()},
}  # fmt: skip


def convolution(inside, out, size, stride, bias=False, padding=0):
    return nn.Conv2d(inside, out, size, stride, pad_mode="pad", padding=padding, has_bias=bias)


def layer(p, i, x, heads, added=None, act=gelu, joined=False):
    """One layer whose norms stand before what they are of."""
    y = p["norm1", i](x)
    q, k, v = ops.split(p["qkv", i](y), y.shape[-1], -1) if joined else (p[n, i](y) for n in "qkv")
    x = x + p["o", i](attention(q, k, v, heads, added))
    return x + p["down", i](act(p["up", i](p["norm2", i](x))))


def layers_of(p, count, width, joined=False, products=dense, prefix="", eps=1e-12):
    for i in range(count):
        p.update({(prefix + n, i): norm(width, eps) for n in ("norm1", "norm2")})
        if joined:
            p[prefix + "qkv", i] = dense(width, 3 * width)
        else:
            p.update({(prefix + n, i): dense(width, width) for n in "qkv"})
        p[prefix + "o", i] = products(width, width)
        p.update({(prefix + "up", i): products(width, 48), (prefix + "down", i): products(48, width)})


def vit(names, joined, products=dense, distilled=False):
    p = {"class": value(1, 1, WIDTH)}
    if distilled:
        p["distilled"] = value(1, 1, WIDTH)
    p |= {"pos": value(1, 5 + distilled, WIDTH), "patch": convolution(3, WIDTH, 8, 8, bias=True)}
    layers_of(p, LAYERS, WIDTH, joined, products)
    p |= {"norm": norm(WIDTH, 1e-12), "head": dense(WIDTH, 2)}

    def forward(p, image):
        x = p["patch"](image).reshape(image.shape[0], WIDTH, -1).swapaxes(1, 2)
        first = [p["class"], p["distilled"]] if distilled else [p["class"]]
        x = ops.concat([*(ops.tile(f, (image.shape[0], 1, 1)) for f in first), x], 1) + p["pos"]
        for i in range(LAYERS):
            x = layer(p, i, x, HEADS, joined=joined)
        return p["head"](p["norm"](x)[:, 0])

    return Twin(p, names, forward)


CLIP = {
    "v_class": "image_encoder.class_embedding", "v_pos": "image_encoder.positional_embedding", "v_patch": "image_encoder.conv1",
    "v_before": "image_encoder.ln_pre", "v_norm": "image_encoder.ln_post", "v_out": "image_encoder.proj", "t_out": "text_encoder.proj",
    "t_embed": "text_encoder.token_embedding.embedding_table", "t_pos": "text_encoder.positional_embedding", "t_norm": "text_encoder.ln_final",
    "scale": "logit_scale",
    **{f"{side[0]}_{role}".replace("i_", "v_"): f"{side}_encoder.transformer.resblocks.{{}}.{path}" for side in ("image", "text") for role, path in {
        "norm1": "ln_1", "norm2": "ln_2", "q": "attn.q", "k": "attn.k", "v": "attn.v", "o": "attn.out_proj", "up": "mlp.c_fc",
        "down": "mlp.c_proj"}.items()},
}  # fmt: skip


def clip():
    p = {"v_class": value(WIDTH), "v_pos": value(5, WIDTH), "v_patch": convolution(3, WIDTH, 8, 8), "v_before": norm(WIDTH), "v_norm": norm(WIDTH),
         "v_out": dense(WIDTH, 16, False), "t_out": dense(WIDTH, 16, False), "t_embed": value(96, WIDTH), "t_pos": value(16, WIDTH),
         "t_norm": norm(WIDTH), "scale": value()}  # fmt: skip
    for side in "vt":
        layers_of(p, LAYERS, WIDTH, prefix=f"{side}_", eps=1e-5)

    def forward(p, ids, image):
        def encoded(side, x, added=None):
            own = {(role[0][2:], role[1]): part for role, part in p.items() if role[0][:2] == f"{side}_"}
            for i in range(LAYERS):
                x = layer(own, i, x, HEADS, added, quick_gelu)
            return x

        x = p["v_patch"](image).reshape(image.shape[0], WIDTH, -1).swapaxes(1, 2)
        x = ops.concat([ops.tile(p["v_class"].reshape(1, 1, -1), (image.shape[0], 1, 1)), x], 1) + p["v_pos"]
        seen = p["v_out"](p["v_norm"](encoded("v", p["v_before"](x))[:, 0]))
        x = encoded("t", ops.gather(p["t_embed"], ids, 0) + p["t_pos"][: ids.shape[1]], causal(ids.shape[1]))
        last = ids.argmax(1)
        said = p["t_out"](p["t_norm"](x)[ms.Tensor(np.arange(ids.shape[0])), last])
        seen, said = (a / ops.sqrt((a * a).sum(-1, keepdims=True)) for a in (seen, said))
        return ops.matmul(seen, said.T) * ops.exp(p["scale"])

    return Twin(p, CLIP, forward)


RESNET = {"conv1": "conv1", "bn1": "bn1", "head": "classifier"}
for _stage in (0, 1):
    for _block in (0, 1):
        for _role, _path in {
            "conv1": "conv1",
            "bn1": "bn1",
            "conv2": "conv2",
            "bn2": "bn2",
            "down": "down_sample.0",
            "down_bn": "down_sample.1",
        }.items():
            RESNET[f"{_stage}{_block}{_role}"] = f"layer{_stage + 1}.{_block}.{_path}"  # fmt: skip


def resnet():
    p = {"conv1": convolution(3, 8, 7, 2, padding=3), "bn1": nn.BatchNorm2d(8)}
    blocks = {"00": (8, 8, 1), "10": (8, 16, 2), "11": (16, 16, 1)}
    for at, (inside, out, stride) in blocks.items():
        p[f"{at}conv1"], p[f"{at}bn1"] = convolution(inside, out, 3, stride, padding=1), nn.BatchNorm2d(out)
        p[f"{at}conv2"], p[f"{at}bn2"] = convolution(out, out, 3, 1, padding=1), nn.BatchNorm2d(out)
        if inside != out:
            p[f"{at}down"], p[f"{at}down_bn"] = convolution(inside, out, 1, stride), nn.BatchNorm2d(out)
    p["head"] = dense(16, 2)

    def forward(p, image):
        x = ops.relu(p["bn1"](p["conv1"](image)))
        x = ops.max_pool2d(x, 3, 2, 1)
        for at in blocks:
            y = ops.relu(p[f"{at}bn1"](p[f"{at}conv1"](x)))
            y = p[f"{at}bn2"](p[f"{at}conv2"](y))
            x = p[f"{at}down_bn"](p[f"{at}down"](x)) if f"{at}down" in p else x
            x = ops.relu(x + y)
        return p["head"](x.mean((2, 3)))

    return Twin(p, RESNET, forward)


SWIN = {
    "patch": "patch_embed.proj", "patch_norm": "patch_embed.norm", "norm": "norm", "head": "head",
    "down": "layers.0.downsample.reduction", "down_norm": "layers.0.downsample.norm",
    **{role: f"layers.{{}}.blocks.{{}}.{path}" for role, path in {
        "norm1": "norm1", "norm2": "norm2", "qkv": "attn.qkv", "o": "attn.proj", "bias": "attn.relative_position_bias_table", "up": "mlp.fc1",
        "down_": "mlp.fc2"}.items()},
}  # fmt: skip


def swin():
    """Two stages of two blocks, 8 x 8 patches, windows of 4 x 4."""
    heads, window = (2, 4), 4
    p = {"patch": convolution(3, 16, 4, 4, bias=True), "patch_norm": norm(16)}
    for stage, width in enumerate((16, 32)):
        for block in range(2):
            at = stage, block
            p.update({("norm1", *at): norm(width), ("norm2", *at): norm(width), ("qkv", *at): dense(width, 3 * width)})
            p.update({("o", *at): dense(width, width), ("bias", *at): value((2 * window - 1) ** 2, heads[stage])})
            p.update({("up", *at): dense(width, 2 * width), ("down_", *at): dense(2 * width, width)})
    p |= {"down": dense(64, 32, False), "down_norm": norm(64), "norm": norm(32), "head": dense(32, 2)}
    grid = np.stack(np.meshgrid(np.arange(window), np.arange(window), indexing="ij")).reshape(2, -1)
    away = grid[:, :, None] - grid[:, None] + window - 1
    index = ms.Tensor(away[0] * (2 * window - 1) + away[1])

    def windows(x, side):
        batch, width = x.shape[0], x.shape[-1]
        x = x.reshape(batch, side // window, window, side // window, window, width)
        return x.transpose(0, 1, 3, 2, 4, 5).reshape(-1, window * window, width)

    def mask(side, shift):
        area = np.zeros((1, side, side, 1), np.float32)
        cuts = (slice(0, -window), slice(-window, -shift), slice(-shift, None))
        for n, (rows, columns) in enumerate((r, c) for r in cuts for c in cuts):
            area[:, rows, columns] = n
        own = (
            area.reshape(side // window, window, side // window, window)
            .transpose(0, 2, 1, 3)
            .reshape(-1, window * window)
        )
        return np.where(own[:, None] != own[:, :, None], np.float32(-100), np.float32(0))

    def block(p, at, x, side):
        batch, _, width = x.shape
        shift = window // 2 if at[1] % 2 and side > window else 0
        y = p["norm1", *at](x).reshape(batch, side, side, width)
        y = ops.roll(y, (-shift, -shift), (1, 2)) if shift else y
        y = windows(y, side)
        added = p["bias", *at][index].transpose(2, 0, 1)[None]
        if shift:
            added = added + ms.Tensor(np.tile(mask(side, shift), (batch, 1, 1)))[:, None]
        q, k, v = ops.split(p["qkv", *at](y), width, -1)
        y = p["o", *at](attention(q, k, v, heads[at[0]], added))
        y = y.reshape(batch, side // window, side // window, window, window, width)
        y = y.transpose(0, 1, 3, 2, 4, 5).reshape(batch, side, side, width)
        y = ops.roll(y, (shift, shift), (1, 2)) if shift else y
        x = x + y.reshape(batch, side * side, width)
        return x + p["down_", *at](gelu(p["up", *at](p["norm2", *at](x))))

    def forward(p, image):
        x = p["patch"](image)
        side = x.shape[-1]
        x = p["patch_norm"](x.reshape(x.shape[0], 16, -1).swapaxes(1, 2))
        for n in range(2):
            x = block(p, (0, n), x, side)
        x = x.reshape(x.shape[0], side, side, 16)
        x = ops.concat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        side //= 2
        x = p["down"](p["down_norm"](x.reshape(x.shape[0], side * side, 64)))
        for n in range(2):
            x = block(p, (1, n), x, side)
        return p["head"](p["norm"](x).mean(1))

    return Twin(p, SWIN, forward)


CONVNEXT = {
    "stem": "stem.conv", "stem_norm": "stem.norm", "norm": "norm", "head": "head",
    **{role: f"stages.{{}}.{path}" for role, path in {"down_norm": "downsample.norm", "down": "downsample.conv"}.items()},
    **{role: f"stages.{{}}.blocks.{{}}.{path}" for role, path in {
        "depth": "dw_conv", "block_norm": "norm", "up": "point1", "narrow": "pwconv2", "scale": "layer_scale"}.items()},
}  # fmt: skip


def convnext():
    widths, depths = (8, 16), (1, 2)
    p = {"stem": convolution(3, 8, 4, 4, bias=True), "stem_norm": norm(8, 1e-6)}
    for stage, (width, depth) in enumerate(zip(widths, depths)):
        if stage:
            p["down_norm", stage] = norm(widths[stage - 1], 1e-6)
            p["down", stage] = convolution(widths[stage - 1], width, 2, 2, bias=True)
        for at in ((stage, block) for block in range(depth)):
            p["depth", *at] = nn.Conv2d(width, width, 7, pad_mode="pad", padding=3, group=width, has_bias=True)
            p.update({("block_norm", *at): norm(width, 1e-6), ("scale", *at): value(width)})
            p.update({("up", *at): dense(width, 4 * width), ("narrow", *at): dense(4 * width, width)})
    p |= {"norm": norm(16, 1e-12), "head": dense(16, 2)}

    def last(x, normalized):
        return normalized(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)

    def forward(p, image):
        x = last(p["stem"](image), p["stem_norm"])
        for stage, depth in enumerate(depths):
            if stage:
                x = p["down", stage](last(x, p["down_norm", stage]))
            for at in ((stage, block) for block in range(depth)):
                y = p["block_norm", *at](p["depth", *at](x).transpose(0, 2, 3, 1))
                y = p["scale", *at] * p["narrow", *at](gelu(p["up", *at](y)))
                x = x + y.transpose(0, 3, 1, 2)
        return p["head"](p["norm"](x.mean((2, 3))))

    return Twin(p, CONVNEXT, forward)


IMAGE_TWINS = {
    "ConvNextForImageClassification": convnext,
    "ViTForImageClassification": lambda: vit(MINDCV, True),
    "ViTForImageClassification MindFormers": lambda: vit(MINDFORMERS, False, Linear),
    "DeiTForImageClassification": lambda: vit(MINDCV, True, distilled=True),
    "CLIPModel": clip,
    "ResNetForImageClassification": resnet,
    "SwinForImageClassification": swin,
}
