"""Models of toolkits, trained for a step on one back end: what `tools/toolkits.py --train` compares.

    python tools/toolkit_cases.py CASE WEIGHTS RESULT [--mode graph|pynative] [--backend msjax|mindspore]

WEIGHTS: a `.npz` with the initial weights; it is written if it is not there, so that the second back end starts from the first one's.
RESULT: a `.npz` with the outputs, the loss, each gradient, and all Parameters (statistics of BatchNorm among them) after one step.
Layers that draw random numbers (dropout, drop path) are off.
"""

import argparse
import importlib
import os
import sys
import zlib

import numpy as np

# one small model of each family of MindCV, with the size of its images
MINDCV = {
    64: "BiT_resnet50 densenet121 dpn92 edgenext_xx_small efficientnet_b0 ghostnet_050 hrnet_w32 mixnet_s mnasnet_050 "
    "mobilenet_v1_025 mobilenet_v2_035_128 mobilenet_v3_small_075 mobilevit_xx_small poolformer_s12 regnet_x_200mf repvgg_a0 res2net50 "
    "resnest14 resnet18 resnetv2_50 rexnet_09 seresnet18 shufflenet_v1_g3_05 shufflenet_v2_x0_5 skresnet18 squeezenet1_0 "
    "convnext_tiny convnextv2_atto xception coat_lite_tiny pvt_v2_b0",
    128: "googlenet vgg11 nasnet_a_4x1056 inception_v3 inception_v4 pnasnet halonet_50t",
    224: "cait_xxs24_224 cmt_tiny convit_tiny crossvit_9 mlp_mixer_s_p32 pit_ti pvt_tiny repmlp_t224 swin_tiny visformer_tiny "
    "vit_b_32_224 volo_d1 xcit_tiny_12_p16_224 mae_b_16_224_finetune",
    256: "swinv2_tiny_window8",
}


def mindcv(name, size):
    """(network, loss of its outputs, inputs) of a model of MindCV."""
    import mindspore as ms
    from mindspore import ops

    create_model = importlib.import_module("mindcv.models").create_model
    net = create_model(name, num_classes=10)
    rng = np.random.default_rng(1)
    images = ms.Tensor(rng.normal(size=(2, 3, size, size)).astype(np.float32))
    labels = ms.Tensor([1, 7], ms.int32)

    def loss(outputs):
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return sum(ops.cross_entropy(o, labels) for o in outputs)

    return net, loss, (images,)


def run(case, weights, result, mode):
    """Train one step; see the module's text."""
    import mindspore as ms
    from mindspore import nn, ops

    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    np.random.seed(1)
    toolkit, name, *options = case.split(":")
    net, loss, inputs = globals()[toolkit](name, *map(int, options))
    parameters = {p.name: p for p in net.get_parameters()}
    if os.path.exists(weights):
        with np.load(weights) as kept:
            for key, p in parameters.items():
                p.set_data(ms.Tensor(kept[key]))
    else:
        # what initializers leave at zero would hide everything behind it
        for key, p in parameters.items():
            value = p.asnumpy()
            if not value.any() and "moving" not in key and value.dtype == np.float32:
                value = np.random.default_rng(zlib.crc32(key.encode())).normal(size=value.shape, scale=0.02)
                p.set_data(ms.Tensor(value.astype(np.float32)))
        np.savez(weights, **{key: p.asnumpy() for key, p in parameters.items()})
    net.set_train()
    for _, cell in net.cells_and_names():
        if "drop" in type(cell).__name__.lower():
            cell.set_train(False)
    trainable = net.trainable_params()
    optimizer = nn.Momentum(trainable, 0.01, 0.9)

    def forward(*values):
        outputs = net(*values)
        return loss(outputs), outputs

    (value, outputs), gradients = ms.value_and_grad(forward, None, trainable, has_aux=True)(*inputs)
    outputs = [o for o in (outputs if isinstance(outputs, (tuple, list)) else [outputs])]
    kept = {f"output {i}": o.astype(ms.float32).asnumpy() for i, o in enumerate(outputs)}
    kept["loss"] = value.asnumpy()
    kept |= {f"gradient {p.name}": g.asnumpy() for p, g in zip(trainable, gradients)}
    ops.depend(optimizer(gradients), None) if mode == "none" else optimizer(gradients)
    kept |= {f"after {key}": p.asnumpy() for key, p in parameters.items()}
    np.savez(result, **kept)


def differences(one, other):
    """{kind of value: largest difference, relative to the largest value of its kind}; gradients by the largest of all of them."""
    with np.load(one) as a, np.load(other) as b:
        found = {}
        largest = max((np.abs(a[k]).max(initial=0) for k in a if k.startswith("gradient")), default=1)
        for key in a:
            kind = key.split()[0]
            if kind == "after" and ("moving" in key or "running" in key):
                kind = "statistics"
            scale = (
                largest
                if kind == "gradient"
                else max(np.abs(a[key]).max(initial=0), 1e-6 if kind == "statistics" else 1e-3)
            )
            with np.errstate(all="ignore"):
                off = np.abs(a[key].astype(np.float64) - b[key].astype(np.float64)).max(initial=0) / scale
            found[kind] = max(found.get(kind, 0.0), float(off) if np.isfinite(off) else float("inf"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case")
    parser.add_argument("weights")
    parser.add_argument("result")
    parser.add_argument("--mode", default="graph", choices=["graph", "pynative"])
    parser.add_argument("--backend", default="msjax", choices=["msjax", "mindspore"])
    given = parser.parse_args()
    if given.backend == "msjax":
        import msjax
        from msjax.alias import old_numpy

        msjax.install()
        old_numpy.give_back()
    run(given.case, given.weights, given.result, given.mode)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
