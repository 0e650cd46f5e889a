"""YOLO on drawn shapes: a small YOLOv8 (anchor-free heads at three strides, task-aligned matching, box loss by CIoU and distribution
focal loss) learns to find circles, squares and triangles in pictures that it draws itself.

python -m msjax examples/yolo_shapes.py [--steps 600] [--out yolo_out]

A port: the blocks and losses are those of MindYOLO's yolov8, written for MindSpore, at a sixteenth of its width. It prints the mean
average precision at an overlap of one half on 64 pictures that it has not seen, and saves a picture of what it finds there.
"""

import argparse
import os

import mindspore as ms
import numpy as np
from lenet import save_picture
from mindspore import Tensor, nn, ops

SIZE, CLASSES, BINS = 96, ("circle", "square", "triangle"), 8
STRIDES = (8, 16, 32)


# --- pictures
def draw(rng):
    """(picture (3, SIZE, SIZE), boxes (n, 5): class, x1, y1, x2, y2 in pixels)"""
    image = rng.uniform(0, 0.35, (SIZE, SIZE, 1)) + rng.normal(0, 0.03, (SIZE, SIZE, 3))
    y, x = np.mgrid[:SIZE, :SIZE] + 0.5
    boxes = []
    for _ in range(rng.integers(1, 5)):
        half = rng.uniform(7, 18)
        cx, cy = rng.uniform(half + 1, SIZE - half - 1, 2)
        if any(max(abs(cx - (b[1] + b[3]) / 2), abs(cy - (b[2] + b[4]) / 2)) < half + (b[3] - b[1]) / 2 for b in boxes):
            continue  # shapes do not cover each other
        kind = int(rng.integers(3))
        if kind == 0:
            mask = (x - cx) ** 2 + (y - cy) ** 2 < half**2
        elif kind == 1:
            mask = (abs(x - cx) < half) & (abs(y - cy) < half)
        else:
            mask = (y < cy + half) & (y > cy - half + 2 * abs(x - cx))
        image[mask] = rng.uniform(0.4, 1, 3) + rng.normal(0, 0.03, (int(mask.sum()), 3))
        boxes.append((kind, cx - half, cy - half, cx + half, cy + half))
    return image.transpose(2, 0, 1).astype(np.float32), np.array(boxes, np.float32).reshape(-1, 5)


def batch(rng, count, most=4):
    """(pictures, classes (count, most), -1 where there is none, boxes (count, most, 4))"""
    images, kinds, places = [], np.full((count, most), -1, np.int32), np.zeros((count, most, 4), np.float32)
    for i in range(count):
        image, boxes = draw(rng)
        images.append(image)
        kinds[i, : len(boxes)] = boxes[:, 0]
        places[i, : len(boxes)] = boxes[:, 1:]
    return Tensor(np.stack(images)), Tensor(kinds), Tensor(places)


# --- the network
class ConvNormAct(nn.Cell):
    def __init__(self, c1, c2, k=1, s=1):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, "pad", k // 2, has_bias=False)
        self.bn = nn.BatchNorm2d(c2, momentum=0.97, eps=1e-3)
        self.act = nn.SiLU()

    def construct(self, x):
        return self.act(self.bn(self.conv(x)))


class Bottleneck(nn.Cell):
    def __init__(self, c, shortcut):
        super().__init__()
        self.conv1, self.conv2 = ConvNormAct(c, c, 3), ConvNormAct(c, c, 3)
        self.add = shortcut

    def construct(self, x):
        y = self.conv2(self.conv1(x))
        return x + y if self.add else y


class C2f(nn.Cell):
    """Two halves, of which one goes through bottlenecks; all stages are joined."""

    def __init__(self, c1, c2, n=1, shortcut=True):
        super().__init__()
        self.c = c2 // 2
        self.cv1, self.cv2 = ConvNormAct(c1, c2), ConvNormAct((2 + n) * self.c, c2)
        self.m = nn.CellList([Bottleneck(self.c, shortcut) for _ in range(n)])

    def construct(self, x):
        parts = list(ops.split(self.cv1(x), self.c, axis=1))
        for block in self.m:
            parts.append(block(parts[-1]))
        return self.cv2(ops.cat(parts, 1))


class SPPF(nn.Cell):
    """Poolings of growing size, joined."""

    def __init__(self, c):
        super().__init__()
        self.cv1, self.cv2 = ConvNormAct(c, c // 2), ConvNormAct(c * 2, c)
        self.pool = nn.MaxPool2d(5, 1, pad_mode="same")

    def construct(self, x):
        a = self.cv1(x)
        b = self.pool(a)
        c = self.pool(b)
        return self.cv2(ops.cat((a, b, c, self.pool(c)), 1))


class YOLOv8(nn.Cell):
    """Scores (batch, places, classes), and distances to the four sides as distributions over BINS (batch, places, 4 * BINS)."""

    def __init__(self, w=16):
        super().__init__()
        self.stem = nn.SequentialCell(ConvNormAct(3, w, 3, 2), ConvNormAct(w, w * 2, 3, 2), C2f(w * 2, w * 2))
        self.p3 = nn.SequentialCell(ConvNormAct(w * 2, w * 2, 3, 2), C2f(w * 2, w * 2))
        self.p4 = nn.SequentialCell(ConvNormAct(w * 2, w * 4, 3, 2), C2f(w * 4, w * 4))
        self.p5 = nn.SequentialCell(ConvNormAct(w * 4, w * 4, 3, 2), C2f(w * 4, w * 4), SPPF(w * 4))
        self.up4, self.up3 = C2f(w * 8, w * 4, 1, False), C2f(w * 6, w * 2, 1, False)
        self.down4, self.n4 = ConvNormAct(w * 2, w * 2, 3, 2), C2f(w * 6, w * 4, 1, False)
        self.down5, self.n5 = ConvNormAct(w * 4, w * 4, 3, 2), C2f(w * 8, w * 4, 1, False)
        widths = (w * 2, w * 4, w * 4)
        self.box = nn.CellList([self._head(c, w * 2, 4 * BINS, 1.0) for c in widths])
        few = [float(np.log(5 / len(CLASSES) / (SIZE / s) ** 2)) for s in STRIDES]
        self.cls = nn.CellList([self._head(c, w * 2, len(CLASSES), b) for c, b in zip(widths, few)])

    @staticmethod
    def _head(c1, c, c2, bias):
        last = nn.Conv2d(c, c2, 1, has_bias=True, bias_init=bias)
        return nn.SequentialCell(ConvNormAct(c1, c, 3), last)

    def construct(self, x):
        p3 = self.p3(self.stem(x))
        p4 = self.p4(p3)
        p5 = self.p5(p4)
        n4 = self.up4(ops.cat((ops.interpolate(p5, size=p4.shape[2:], mode="nearest"), p4), 1))
        n3 = self.up3(ops.cat((ops.interpolate(n4, size=p3.shape[2:], mode="nearest"), p3), 1))
        n4 = self.n4(ops.cat((self.down4(n3), n4), 1))
        n5 = self.n5(ops.cat((self.down5(n4), p5), 1))
        boxes, scores = [], []
        for feature, box, score in zip((n3, n4, n5), self.box, self.cls):
            boxes.append(box(feature).flatten(start_dim=2))
            scores.append(score(feature).flatten(start_dim=2))
        return ops.cat(scores, 2).swapaxes(1, 2), ops.cat(boxes, 2).swapaxes(1, 2)


def grid():
    """Centres of all places (n, 2) in pixels, and the stride of each (n, 1)."""
    centres, strides = [], []
    for s in STRIDES:
        y, x = np.mgrid[: SIZE // s, : SIZE // s]
        centres.append((np.stack((x, y), -1).reshape(-1, 2) + 0.5) * s)
        strides.append(np.full((centres[-1].shape[0], 1), s))
    return Tensor(np.concatenate(centres).astype(np.float32)), Tensor(np.concatenate(strides).astype(np.float32))


CENTRES, STRIDE = grid()


def decode(distances):
    """Boxes (batch, places, 4) in pixels: the mean of each side's distribution, from the place's centre."""
    weights = ops.softmax(distances.reshape(*distances.shape[:2], 4, BINS), -1)
    sides = (weights * ops.arange(BINS).astype(ms.float32)).sum(-1) * STRIDE
    return ops.cat((CENTRES - sides[..., :2], CENTRES + sides[..., 2:]), -1)


def ciou(a, b):
    """Overlap of boxes by the union, less the distance of the centres and the difference of the aspect ratios (Zheng et al., 2020)."""
    low, high = ops.maximum(a[..., :2], b[..., :2]), ops.minimum(a[..., 2:], b[..., 2:])
    common = ops.clamp(high - low, 0).prod(-1)
    sizes = [ops.clamp(v[..., 2:] - v[..., :2], 1e-3) for v in (a, b)]
    overlap = common / (sizes[0].prod(-1) + sizes[1].prod(-1) - common + 1e-6)
    around = ops.maximum(a[..., 2:], b[..., 2:]) - ops.minimum(a[..., :2], b[..., :2])
    centre = (a[..., :2] + a[..., 2:] - b[..., :2] - b[..., 2:]) / 2
    ratio = [ops.atan(s[..., 0] / s[..., 1]) for s in sizes]
    v = 4 / np.pi**2 * (ratio[0] - ratio[1]) ** 2
    alpha = ops.stop_gradient(v / (1 + v - overlap + 1e-6))
    return overlap - (centre**2).sum(-1) / ((around**2).sum(-1) + 1e-6) - alpha * v, overlap


def loss(scores, distances, kinds, places, top=8):
    """Loss of YOLOv8: each shape takes the `top` places in it that already fit it best, and teaches these."""
    boxes = decode(distances)
    real = kinds >= 0
    inside = (
        ops.stack([CENTRES - places[:, :, None, :2], places[:, :, None, 2:] - CENTRES], -1).min((-1, -2)) > 0
    )  # (batch, shapes, places)
    quality, overlap = ciou(ops.stop_gradient(boxes)[:, None], places[:, :, None])
    chance = ops.sigmoid(ops.stop_gradient(scores)).swapaxes(1, 2)
    chosen = ops.one_hot(ops.maximum(kinds, 0), len(CLASSES), Tensor(1.0), Tensor(0.0)) @ chance  # of the shape's class
    align = chosen.sqrt() * ops.clamp(overlap, 0) ** 6 * inside * real[..., None]
    best, _ = ops.topk(align, top)
    taken = (align >= ops.maximum(best[..., -1:], 1e-9)) & inside & real[..., None]
    taken = taken & (overlap == overlap.max(1, keepdims=True))  # a place belongs to one shape
    taken = taken.astype(ms.float32)
    weight = align * taken
    weight = weight / (weight.max(-1, keepdims=True) + 1e-9) * (overlap * taken).max(-1, keepdims=True)
    wanted = (
        weight[..., None] * ops.one_hot(ops.maximum(kinds, 0), len(CLASSES), Tensor(1.0), Tensor(0.0))[:, :, None]
    ).sum(1)
    wanted, weight = ops.stop_gradient(wanted), ops.stop_gradient(weight.sum(1))
    total = ops.maximum(wanted.sum(), 1.0)
    by_class = ops.binary_cross_entropy_with_logits(scores, wanted, ops.ones_like(scores), ops.ones_like(scores), "sum")
    target = ops.stop_gradient((taken[..., None] * places[:, :, None]).sum(1))
    fit = ((1 - ciou(boxes, target)[0]) * weight).sum()
    sides = ops.clamp(ops.cat((CENTRES - target[..., :2], target[..., 2:] - CENTRES), -1) / STRIDE, 0, BINS - 1.01)
    left = sides.floor()
    logs = ops.log_softmax(distances.reshape(*distances.shape[:2], 4, BINS), -1)
    at = [ops.gather_elements(logs, 3, (left + i).astype(ms.int32)[..., None])[..., 0] for i in (0, 1)]
    focal = -(at[0] * (1 - sides + left) + at[1] * (sides - left)).mean(-1)
    return (0.5 * by_class + 7.5 * fit + 1.5 * (focal * weight).sum()) / total


# --- what it finds
def find(network, images, least=0.05, most_overlap=0.6):
    """For each picture a list of (class, score, box), best first, of overlapping ones the best."""
    network.set_train(False)
    scores, distances = network(images)
    chance, boxes = ops.sigmoid(scores).asnumpy(), decode(distances).asnumpy()
    found = []
    for c, b in zip(chance, boxes):
        kinds, best, kept = c.argmax(-1), c.max(-1), []
        for i in best.argsort()[::-1]:
            if best[i] < least or len(kept) == 20:
                break
            if all(over(b[i], other) < most_overlap for _, _, other in kept):
                kept.append((int(kinds[i]), float(best[i]), b[i]))
        found.append(kept)
    return found


def over(a, b):
    common = np.prod(np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None))
    return common / (np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - common + 1e-9)


def precision(found, kinds, places):
    """Mean over the classes of the area below precision over recall, at an overlap of one half."""
    areas = []
    for kind in range(len(CLASSES)):
        guesses = sorted(
            ((s, i, b) for i, some in enumerate(found) for k, s, b in some if k == kind), key=lambda g: -g[0]
        )
        left = {(i, j) for i, row in enumerate(kinds) for j, k in enumerate(row) if k == kind}
        count, right = len(left), []
        for _, i, box in guesses:
            hit = next((t for t in left if t[0] == i and over(box, places[t]) >= 0.5), None)
            left.discard(hit)
            right.append(hit is not None)
        hits = np.cumsum(right)
        exact = hits / np.arange(1, len(hits) + 1)
        exact = np.maximum.accumulate(exact[::-1])[::-1]  # the best precision at this recall or more
        areas.append(float((exact * right).sum() / max(count, 1)))
    return float(np.mean(areas))


def picture(plt, images, found, losses):
    figure, axes = plt.subplots(2, 6, figsize=(13, 6.4), gridspec_kw={"bottom": 0.34, "hspace": 0.15})
    colours = ("#ff5050", "#40d0ff", "#ffd040")
    for axis, image, some in zip(axes.flat, images, found):
        axis.imshow(np.clip(image.transpose(1, 2, 0), 0, 1))
        for kind, score, (x1, y1, x2, y2) in some:
            if score < 0.3:
                continue
            axis.add_patch(plt.Rectangle((x1, y1), x2 - x1, y2 - y1, fill=False, color=colours[kind], lw=2))
            axis.text(x1, max(y1 - 2, 5), f"{CLASSES[kind]} {score:.2f}", color=colours[kind], fontsize=7)
        axis.axis("off")
    curve = figure.add_axes((0.07, 0.09, 0.88, 0.2))
    curve.plot(losses)
    curve.set_xlabel("step")
    curve.set_ylabel("loss")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--out", default="yolo_out", help="folder of the checkpoint and the picture")
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    rng = np.random.default_rng(1)
    network = YOLOv8()
    rate = nn.cosine_decay_lr(1e-5, 4e-3, given.steps, 1, given.steps)
    optimizer = nn.AdamWeightDecay(network.trainable_params(), rate, weight_decay=1e-3)

    def forward(images, kinds, places):
        scores, distances = network(images)
        return loss(scores, distances, kinds, places)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(images, kinds, places):
        value, gradients = gradient(images, kinds, places)
        return ops.depend(value, optimizer(ops.clip_by_global_norm(gradients, 10.0)))

    network.set_train()
    losses = []
    for i in range(given.steps):
        losses.append(float(step(*batch(rng, 16)).asnumpy()))
        if (i + 1) % max(given.steps // 10, 1) == 0:
            print(f"step {i + 1:4d}/{given.steps} loss {np.mean(losses[-20:]):.3f}", flush=True)
    images, kinds, places = batch(np.random.default_rng(2), 64)
    found = find(network, images)
    value = precision(found, kinds.asnumpy(), places.asnumpy())
    checkpoint, path = (os.path.join(given.out, name) for name in ("yolo_shapes.ckpt", "yolo_shapes.png"))
    ms.save_checkpoint(network, checkpoint)
    print(f"mean average precision on 64 new pictures: {value:.1%}")
    save_picture(picture, checkpoint, path, images.asnumpy(), found, losses)
    return value


if __name__ == "__main__":
    main()
