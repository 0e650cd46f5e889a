"""Models of toolkits that write PyTorch's API on MindSpore, trained on them here and on PyTorch itself: what they give is the same file
of results as `toolkit_cases.py` writes.

    python tools/toolkit_modules.py TOOLKIT FOLDER NAME [--backend msjax|torch]

Such toolkits have Parameters, gradients and optimizers of their own and run in PYNATIVE_MODE only. Weights are those that PyTorch
(with its transformers) drew; the steps are plain SGD (that of mindnlp 0.4 forgets its momentum).
"""

import argparse
import importlib
import os
import pathlib
import tempfile
import traceback

import numpy as np
from toolkit_paths import path_of, result_end

STEPS = 3
_PROMPT = np.array([[5, 9, 4, 7, 11, 6]])
_SMALL = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 32,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 59,
    "attn_implementation": "eager",
}
_STILL = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_GPT2 = {"vocab_size": 60, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32, "bos_token_id": 1}
_GPT2 |= {"eos_token_id": 59, "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "pad_token_id": 0}
_T5 = {"vocab_size": 60, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0}
_T5 |= {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 59}
_VIT = {key: _SMALL[key] for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")}
_VIT |= {"image_size": 32, "patch_size": 8, "num_labels": 5, **_STILL}

# name: (configuration, its arguments, whether it generates)
MODELS = {
    "BertForMaskedLM": ("BertConfig", {**_SMALL, **_STILL}, False),
    "RobertaForMaskedLM": ("RobertaConfig", {**_SMALL, **_STILL}, False),
    "GPT2LMHeadModel": ("GPT2Config", _GPT2, True),
    "LlamaForCausalLM": ("LlamaConfig", _SMALL, True),
    "Qwen2ForCausalLM": ("Qwen2Config", {**_SMALL, "num_key_value_heads": 2}, True),
    "T5ForConditionalGeneration": ("T5Config", _T5, True),
    "ViTForImageClassification": ("ViTConfig", _VIT, False),
}
NETS = {
    "convolutions": (
        lambda nn: [
            nn.Conv2d(2, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 6, 3, stride=2),
        ],
        (2, 2, 12, 12),
    ),
    "dense layers": (
        lambda nn: [
            nn.Linear(10, 16),
            nn.LayerNorm(16),
            nn.GELU(),
            nn.Dropout(0.0),
            nn.Linear(16, 5),
            nn.LogSoftmax(-1),
        ],
        (4, 10),
    ),
    "groups": (
        lambda nn: [nn.Conv2d(4, 8, 3, groups=2), nn.GroupNorm(2, 8), nn.SiLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten()],
        (2, 4, 9, 9),
    ),
    "transposed": (
        lambda nn: [
            nn.ConvTranspose2d(3, 4, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2),
            nn.Upsample(scale_factor=2),
            nn.Tanh(),
        ],
        (2, 3, 6, 6),
    ),
    "one axis": (
        lambda nn: [nn.Conv1d(3, 6, 3, padding=1), nn.BatchNorm1d(6), nn.Sigmoid(), nn.AvgPool1d(2), nn.PReLU()],
        (2, 3, 12),
    ),
}
CASES = {"mindnlp 0.4": MODELS, "mindtorch": NETS}


def _inputs(name):
    rng = np.random.default_rng(1)
    if name.startswith("ViT"):
        return {"pixel_values": rng.normal(size=(2, 3, 32, 32)).astype(np.float32), "labels": np.array([1, 3])}
    ids = rng.integers(3, 50, (2, 12))
    return {"input_ids": ids, "labels": rng.integers(3, 50, (2, 8)) if name.startswith("T5") else ids}


class Torch:
    """PyTorch itself."""

    def __init__(self):
        self.torch, self.networks = importlib.import_module("torch"), importlib.import_module("transformers")
        self.nn = self.torch.nn
        self.torch.manual_seed(1)

    def tensor(self, array):
        return self.torch.tensor(array)

    def array(self, tensor):
        return tensor.detach().numpy()

    def set(self, parameter, array):
        parameter.data.copy_(self.torch.tensor(array))

    def optimizer(self, parameters):
        return self.torch.optim.SGD(parameters, lr=0.01)

    def step(self, forward, parameters, optimizer):
        """(the outputs, the gradients) after a step."""
        optimizer.zero_grad()
        outputs = forward()
        outputs[0].backward()
        gradients = [p.grad.numpy().copy() for p in parameters]
        optimizer.step()
        return outputs, gradients

    def save(self, net, path):
        self.torch.save(net.state_dict(), path)

    def load(self, net, path):
        net.load_state_dict(self.torch.load(path))


class OfMindNLP:
    """`mindnlp.core` of mindnlp 0.4."""

    def __init__(self):
        import msjax
        from msjax.alias import old_names

        msjax.install()
        old_names.give_back()
        importlib.import_module("mindnlp")
        self.networks = importlib.import_module("mindnlp.transformers")
        self.core, self.ms = importlib.import_module("mindnlp.core"), importlib.import_module("mindspore")

    def tensor(self, array):
        return self.ms.Tensor(array)

    def array(self, tensor):
        return tensor.asnumpy()

    def set(self, parameter, array):
        parameter.assign_value(self.ms.Tensor(array))

    def optimizer(self, parameters):
        return self.core.optim.SGD(parameters, lr=0.01)

    def step(self, forward, parameters, optimizer):
        optimizer.zero_grad()
        value, others = self.core.autograd.value_and_grad(forward, tuple(parameters), has_aux=True)()
        gradients = [p.grad.asnumpy().copy() for p in parameters]
        optimizer.step()
        return (value, *others), gradients

    def save(self, net, path):
        self.core.serialization.save(net.state_dict(), path)

    def load(self, net, path):
        net.load_state_dict(self.core.serialization.load(path))


class OfMindTorch(OfMindNLP):
    """`mindtorch.torch` of mindtorch 0.4."""

    def __init__(self):
        import msjax

        msjax.install()
        self.torch, self.ms = importlib.import_module("mindtorch.torch"), importlib.import_module("mindspore")
        self.nn = self.torch.nn

    def tensor(self, array):
        return self.torch.tensor(array)

    def set(self, parameter, array):
        parameter.set_data(self.ms.Tensor(array))

    def optimizer(self, parameters):
        return self.torch.optim.SGD(parameters, lr=0.01)

    def step(self, forward, parameters, optimizer):
        outputs, gradients = self.ms.value_and_grad(forward, None, list(parameters), has_aux=True)()
        optimizer.step(gradients)
        return outputs, [g.asnumpy().copy() for g in gradients]

    def save(self, net, path):
        self.torch.save(net.state_dict(), path)

    def load(self, net, path):
        net.load_state_dict(self.torch.load(path))


def _language_model(library, name):
    """(the network, what gives (loss, output), what generates or None)"""
    config, sizes, generates = MODELS[name]
    net = getattr(library.networks, name)(getattr(library.networks, config)(**sizes))
    given = {key: library.tensor(array) for key, array in _inputs(name).items()}

    def generate():
        return net.generate(library.tensor(_PROMPT), max_length=12, do_sample=False, use_cache=True)

    return net, lambda: net(**given, return_dict=False)[:2], generate if generates else None


def _layers(library, name):
    make, shape = NETS[name]
    net = library.nn.Sequential(*make(library.nn))
    x = library.tensor(np.random.default_rng(1).normal(size=shape).astype(np.float32))

    def forward():
        out = net(x)
        return ((out - 0.1) ** 2).mean(), out

    return net, forward, None


def run(library, weights, name):
    """Train some steps; what is compared of it, by name."""
    net, forward, generate = (_language_model if name in MODELS else _layers)(library, name)
    parameters = dict(net.named_parameters())
    if weights.exists():
        with np.load(weights) as kept:
            for key, parameter in parameters.items():
                library.set(parameter, kept[key])
    else:
        np.savez(weights, **{key: library.array(p) for key, p in parameters.items()})
    net.train()
    optimizer = library.optimizer(list(parameters.values()))
    kept, losses = {}, []
    for number in range(STEPS):
        outputs, gradients = library.step(forward, list(parameters.values()), optimizer)
        losses.append(float(library.array(outputs[0])))
        if number == 0:
            kept["output 0"] = np.array(library.array(outputs[1]))
            kept |= {f"gradient {key}": gradient for key, gradient in zip(parameters, gradients)}
        if number in (0, STEPS - 1):
            when = "after" if number == 0 else "last"
            kept |= {f"{when} {key}": np.array(library.array(p)) for key, p in parameters.items()}
    kept["loss"] = np.array(losses)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.pt")
        library.save(net, path)
        before = {key: np.array(library.array(p)) for key, p in parameters.items()}
        for parameter in parameters.values():
            library.set(parameter, np.zeros(parameter.shape, np.float32))
        library.load(net, path)
        kept["checkpoint"] = np.array(
            all(np.array_equal(before[k], library.array(p)) for k, p in net.named_parameters())
        )
    if generate:
        net.eval()
        kept["generated"] = np.array(library.array(generate()))
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", choices=sorted(CASES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("name", choices=sorted(MODELS | NETS))
    parser.add_argument("--backend", default="msjax", choices=["msjax", "torch"])
    parser.add_argument("--mode", default="pynative", choices=["pynative"])
    given = parser.parse_args()
    end = result_end(given.backend, given.mode)
    try:
        library = (
            Torch()
            if given.backend == "torch"
            else {"mindnlp 0.4": OfMindNLP, "mindtorch": OfMindTorch}[given.toolkit]()
        )
        kept = run(library, path_of(given.folder, given.name, "weights.npz"), given.name)
        np.savez(path_of(given.folder, given.name, end), **kept)
        print(given.toolkit, given.name, end, flush=True)
    except Exception as error:
        path_of(given.folder, given.name, end + ".txt").write_text(traceback.format_exc())
        print(given.name, end, f"{type(error).__name__}: {error}"[:300], flush=True)
    os._exit(0)  # toolkits leave threads behind


if __name__ == "__main__":
    main()
