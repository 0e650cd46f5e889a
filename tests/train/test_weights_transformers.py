"""Weights of small random networks of `transformers`: over to MindSpore's names and back bit for bit; the same logits in a twin network.

Needs the packages torch and transformers: `python -m pytest tests/train/test_weights_transformers.py`.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from twins_images import IMAGE_TWINS
from twins_text import TEXT_TWINS

from msjax.train.weights import Entry, match, match_network, open_weights, torch_to_mindspore, write_weights
from msjax.train.weights.families import _filled, _numbers, families, family_of

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48)
LLAMA = {**TEXT, "num_key_value_heads": 2, "max_position_embeddings": 64, "tie_word_embeddings": False}
IMAGE = dict(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=16, patch_size=8
)
SPEECH = dict(vocab_size=96, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
              encoder_ffn_dim=48, decoder_ffn_dim=48, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
              num_mel_bins=8, max_source_positions=16,
              max_target_positions=24)  # fmt: skip
MODELS = {  # class: (configuration, its arguments)
    "LlamaForCausalLM": ("LlamaConfig", LLAMA),
    "MistralForCausalLM": ("MistralConfig", LLAMA),
    "Qwen2ForCausalLM": ("Qwen2Config", LLAMA),
    "Qwen3ForCausalLM": ("Qwen3Config", {**LLAMA, "head_dim": 8}),
    "GemmaForCausalLM": ("GemmaConfig", {**LLAMA, "head_dim": 8}),
    "Gemma2ForCausalLM": ("Gemma2Config", {**LLAMA, "head_dim": 8}),
    "Gemma3ForCausalLM": ("Gemma3TextConfig", {**LLAMA, "head_dim": 8}),
    "PhiForCausalLM": ("PhiConfig", TEXT),
    "Phi3ForCausalLM": ("Phi3Config", {**LLAMA, "pad_token_id": 0}),
    "GPT2LMHeadModel": ("GPT2Config", dict(vocab_size=96, n_embd=32, n_layer=2, n_head=4, n_positions=64)),
    "GPTNeoXForCausalLM": ("GPTNeoXConfig", TEXT),
    "BloomForCausalLM": ("BloomConfig", dict(vocab_size=96, hidden_size=32, n_layer=2, n_head=4)),
    "OPTForCausalLM": ("OPTConfig", dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=48, word_embed_proj_dim=32)),
    "BertForMaskedLM": ("BertConfig", TEXT),
    "AlbertForMaskedLM": ("AlbertConfig", {**TEXT, "embedding_size": 16}),
    "RobertaForMaskedLM": ("RobertaConfig", TEXT),
    "DistilBertForMaskedLM": ("DistilBertConfig", dict(vocab_size=96, dim=32, n_layers=2, n_heads=4, hidden_dim=48)),
    "T5ForConditionalGeneration": ("T5Config", dict(vocab_size=96, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0)),
    "ViTForImageClassification": ("ViTConfig", IMAGE),
    "DeiTForImageClassification": ("DeiTConfig", IMAGE),
    "SwinForImageClassification": ("SwinConfig", dict(image_size=32, patch_size=4, embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=4,
                                                      mlp_ratio=2.0)),
    "CLIPModel": ("CLIPConfig", dict(text_config={**TEXT, "max_position_embeddings": 16, "eos_token_id": 95}, vision_config=IMAGE, projection_dim=16)),
    "WhisperForConditionalGeneration": ("WhisperConfig", SPEECH),
    "FalconForCausalLM": ("FalconConfig", dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, bias=True)),
    "StableLmForCausalLM": ("StableLmConfig", LLAMA),
    "Starcoder2ForCausalLM": ("Starcoder2Config", LLAMA),
    "GraniteForCausalLM": ("GraniteConfig", LLAMA),
    "ElectraForMaskedLM": ("ElectraConfig", {**TEXT, "embedding_size": 16}),
    "DebertaV2ForMaskedLM": ("DebertaV2Config", {**TEXT, "relative_attention": True, "pos_att_type": ["c2p", "p2c"], "share_att_key": True}),
    "BartForConditionalGeneration": ("BartConfig", {**{n: v for n, v in SPEECH.items() if "max_" not in n and "mel" not in n},
                                                    "max_position_embeddings": 64}),
    "ConvNextForImageClassification": ("ConvNextConfig", dict(hidden_sizes=[8, 16], depths=[1, 2], num_stages=2, layer_scale_init_value=0.5)),
    "SegformerForSemanticSegmentation": ("SegformerConfig", dict(hidden_sizes=[8, 16, 24, 32], depths=[1] * 4, num_attention_heads=[1, 2, 2, 4],
                                                                 decoder_hidden_size=16)),
    "Dinov2ForImageClassification": ("Dinov2Config", IMAGE),
    "MobileNetV2ForImageClassification": ("MobileNetV2Config", dict(depth_multiplier=0.35)),
    "EfficientNetForImageClassification": ("EfficientNetConfig", dict(width_coefficient=0.25, depth_coefficient=0.5, hidden_dim=320)),
    "Wav2Vec2ForCTC": ("Wav2Vec2Config", {**TEXT, "conv_dim": [16] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}),
    "ResNetForImageClassification": ("ResNetConfig", dict(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 2], layer_type="basic")),
}  # fmt: skip


def made(name, seed=0):
    torch.manual_seed(seed)
    config, given = MODELS[name]
    net = getattr(transformers, name)(getattr(transformers, config)(**given)).eval()
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.05 * torch.randn_like(p))  # biases and scales that begin equal do not stay so
    return net


def arrays(net):
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


@pytest.mark.parametrize("name", MODELS)
def test_over_and_back_bit_for_bit(name, tmp_path):
    net = made(name)
    wanted = arrays(net)
    net.save_pretrained(tmp_path / "hf", max_shard_size="30KB")
    torch.save(net.state_dict(), tmp_path / "net.pth")
    from_folder, from_torch = open_weights(tmp_path / "hf"), open_weights(tmp_path / "net.pth")
    assert from_torch.keys() == wanted.keys()
    assert all(e.read().tobytes() == wanted[n].tobytes() and e.dtype == wanted[n].dtype for n, e in from_torch.items())
    contents = {a.tobytes() for a in wanted.values()}  # some networks are saved under older names
    assert all(e.read().tobytes() in contents for e in from_folder.values()) and len(from_folder) > 10
    write_weights(tmp_path / "net.ckpt", torch_to_mindspore(from_torch))
    there, shapes = (
        open_weights(tmp_path / "net.ckpt"),
        {n: Entry.of(a) for n, a in wanted.items() if "num_batches" not in n},
    )
    back = {p.target: p.entry(there, shapes[p.target].shape) for p in match(there, shapes)}
    assert back.keys() == shapes.keys()
    assert all(back[n].read().tobytes() == wanted[n].tobytes() for n in back)


@pytest.mark.parametrize(
    "one, other",
    [("BertForMaskedLM", "LlamaForCausalLM"), ("ViTForImageClassification", "ResNetForImageClassification")],
)
def test_a_wrong_pair_is_refused(one, other):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            for name, array in arrays(made(other)).items():
                self.insert_param_to_cell(name.replace(".", "_"), ms.Parameter(ms.Tensor(array), name=name), False)

    with pytest.raises(ValueError, match="another network|several possible"):
        match_network(Net(), {n: Entry.of(a) for n, a in arrays(made(one)).items()})


# --- Stable Diffusion: diffusers' networks under the names of MindONE, whose networks are those of the first release
def unet(**more):
    diffusers = pytest.importorskip("diffusers")
    sizes = dict(
        sample_size=8,
        block_out_channels=(16, 16, 32, 32),
        cross_attention_dim=8,
        attention_head_dim=8,
        norm_num_groups=8,
    )
    return diffusers.UNet2DConditionModel(**{**sizes, **more})  # fmt: skip


def autoencoder():
    diffusers = pytest.importorskip("diffusers")
    blocks = dict(down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4)
    return diffusers.AutoencoderKL(
        block_out_channels=(8, 8, 16, 16), layers_per_block=2, norm_num_groups=4, sample_size=16, **blocks
    )


@pytest.mark.parametrize(
    "family, build, own, plain",
    [
        ("stable_diffusion_unet", unet, "convert_ldm_unet_checkpoint", "model.diffusion_model."),
        ("stable_diffusion_unet", lambda: unet(use_linear_projection=True), "convert_ldm_unet_checkpoint", "model.diffusion_model."),
        ("stable_diffusion_vae", autoencoder, "convert_ldm_vae_checkpoint", "first_stage_model."),
    ],
    ids=["unet", "unet of version 2", "vae"],
)  # fmt: skip
def test_stable_diffusion_has_the_names_of_its_first_release(family, build, own, plain):
    """diffusers' own converter, from the names of the first release to its own, is the other way round."""
    torch.manual_seed(0)
    theirs = build()
    wanted = {n: a for n, a in arrays(theirs).items()}
    rules = families()[family]["rules"]
    file = {n: Entry.of(a) for n, a in wanted.items()}
    shapes = {}
    for name, array in wanted.items():  # MindONE's names
        for rule in rules:
            numbers = _numbers(rule[0], name)
            if numbers is not None:
                shapes.setdefault(_filled(rule[1], numbers), Entry.of(array))
    # an upsampler stands behind the attention where there is one
    attended = {n.split(".1.")[0] for n in shapes if n.startswith("output_blocks") and ".1.proj_in" in n}
    for name in [n for n in shapes if ".conv.conv." in n and n.startswith("output_blocks")]:
        if (name.split(".")[2] == "2") != (".".join(name.split(".")[:2]) in attended):
            del shapes[name]
    found, pairs = family_of(file, shapes)
    assert found == family and len(pairs) == len(wanted) == len(shapes)
    over = {p.target: p.entry(file, shapes[p.target].shape).read() for p in pairs}
    released = {plain + _released(n): torch.from_numpy(a) for n, a in over.items()}
    from diffusers.loaders import single_file_utils

    config = {**theirs.config, "num_head_channels": None}
    back = getattr(single_file_utils, own)(released, config)
    assert back.keys() == wanted.keys()
    assert all(back[n].reshape(wanted[n].shape).numpy().tobytes() == wanted[n].tobytes() for n in wanted)
    there = {n: Entry.of(a) for n, a in over.items()}
    again = {p.target: p.entry(there, wanted[p.target].shape).read() for p in family_of(there, file)[1]}
    assert all(again[n].tobytes() == wanted[n].tobytes() for n in wanted) and again.keys() == wanted.keys()


def _released(name):
    """MindONE's name as that of PyTorch's first release."""
    for ours, old in (("gamma", "weight"), ("beta", "bias"), ("in_layers_norm", "in_layers.0"), ("in_layers_conv.conv", "in_layers.2"),
                      ("out_layers_norm", "out_layers.0"), ("out_layers_conv.conv", "out_layers.3"), ("skip_connection.conv", "skip_connection"),
                      ("op.conv", "op"), ("conv.conv", "conv"), ("out.2.conv", "out.2"), ("input_blocks.0.0.conv", "input_blocks.0.0")):  # fmt: skip
        name = name.replace(ours, old)
    return name


# --- twins: networks of the same computation under other toolkits' names
TWINS = TEXT_TWINS | IMAGE_TWINS


def inputs(name):
    """Inputs of a network, as NumPy arrays by transformers' names."""
    random = np.random.RandomState(1)
    ids = random.randint(3, 95, (2, 12))
    ids[:, -1] = 95  # the largest number is where CLIP's text ends
    size = 32 if name.startswith("Swin") else 16
    image = random.standard_normal((2, 3, size, size)).astype(np.float32)
    if name.startswith("CLIP"):
        return {"input_ids": ids, "pixel_values": image}
    if "Image" in name:
        return {"pixel_values": image}
    if name.startswith("Whisper"):
        return {"input_features": random.standard_normal((2, 8, 32)).astype(np.float32), "decoder_input_ids": ids}
    return (
        {"input_ids": ids, "decoder_input_ids": ids[:, ::-1].copy()}
        if name.startswith(("T5", "Bart"))
        else {"input_ids": ids}
    )


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("name", TWINS)
def test_logits_of_a_twin(name, graph, tmp_path):
    theirs, ours = made(name.split()[0]), TWINS[name]()
    if graph:  # with every name, and as transformers writes its files: tied weights once, some under older names
        ms.set_context(mode=ms.GRAPH_MODE)
        theirs.save_pretrained(tmp_path / "hf")
        ms.load_checkpoint(str(tmp_path / "hf" / "model.safetensors"), ours)
    else:
        torch.save(theirs.state_dict(), tmp_path / "net.pth")
        ms.load_checkpoint(str(tmp_path / "net.pth"), ours)
    given = inputs(name)
    with torch.no_grad():
        out = theirs(**{n: torch.from_numpy(a) for n, a in given.items()})
    wanted = (out.logits_per_image if name == "CLIPModel" else out.logits).numpy()
    tensors = [ms.Tensor(a.astype(np.int32) if a.dtype.kind == "i" else a) for a in given.values()]
    got = ours.set_train(False)(*tensors).asnumpy()
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    if graph:
        return
    # and back, bit for bit; a tied weight has one of its names in the files of transformers
    write_weights(tmp_path / "ours.ckpt", {p.name: p.asnumpy() for p in ours.get_parameters()})
    there = open_weights(tmp_path / "ours.ckpt")
    shapes = {}
    for n, a in arrays(theirs).items():
        tied = (
            a.ndim
            and "running" not in n
            and any(e.shape == a.shape and np.array_equal(e.read(), a) for e in shapes.values())
        )
        if "num_batches" not in n and not tied:
            shapes[n] = Entry.of(a)
    known = family_of(there, shapes)
    pairs = known[1] if known else match(there, shapes)
    assert {p.target for p in pairs} == shapes.keys()
    for pair in pairs:
        assert pair.entry(there, shapes[pair.target].shape).read().tobytes() == shapes[pair.target].read().tobytes()
