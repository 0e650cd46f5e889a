"""Tokens a second of generation: msjax, hand-written JAX and PyTorch's `generate` (where torch and transformers are installed), in turn.

    python benchmarks/generate.py --nets gpt2 llama --kinds float32 bfloat16 int8 --batches 1 8

Greedy, random weights, caches of keys and values. The contenders run in turn; each figure is the best of some rounds; the first token is what a
call with one new token takes, and processor ms what a token after it takes of all processors. Bytes are those of the weights and of the cache,
and of what the compiled step needs besides.
"""

import argparse
import functools
import json
import pathlib
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "generation"))

import msjax  # noqa: E402

msjax.install()
import decoders  # noqa: E402

SIZES = {
    "gpt2": {
        "vocab_size": 50257,
        "hidden_size": 768,
        "num_layers": 12,
        "num_heads": 12,
        "max_position_embeddings": 1024,
    },
    "llama": {
        "vocab_size": 32000,
        "hidden_size": 768,
        "num_layers": 12,
        "num_heads": 12,
        "num_kv_heads": 4,
        "intermediate_size": 2048,
        "max_position_embeddings": 1024,
    },
    "tiny": {"vocab_size": 500, "hidden_size": 64, "num_layers": 2, "num_heads": 4, "max_position_embeddings": 256},
}
KIND = {"gpt2": "tuples", "llama": "objects", "tiny": "tuples"}


def in_turn(runs, new, repeats):
    """{name: (seconds, processor seconds) of the first token, of the tokens after it}: the best of some rounds.

    In a round each contender runs once with one token and once with all, so what else the machine does meets all of them. Each has run before.
    """
    taken = {name: [] for name in runs}
    for run in runs.values():
        run(1)
        run(new)
    for _ in range(repeats):
        for name, run in runs.items():
            row = []
            for count in (1, new):
                start = time.perf_counter(), time.process_time()
                run(count)
                row.append((time.perf_counter() - start[0], time.process_time() - start[1]))
            taken[name].append(row)
    found = {}
    for name, rounds in taken.items():
        first = [min(r[0][clock] for r in rounds) for clock in range(2)]
        found[name] = first, [min(r[1][clock] for r in rounds) - first[clock] for clock in range(2)]
    return found


# --- msjax
def ours(net, ids, new, kind, length):
    """(function of the number of new tokens, bytes of weights, of the cache, of what the step needs besides)"""
    weights = None if kind == "float32" else kind
    batch = len(ids)
    made = msjax.TextGenerator(net, batch, length, weights=weights, check=False, steps=16)
    made._together = True

    def run(count):
        for request in [made.submit(row, count) for row in ids]:
            request.result()

    held = made._weights.now()
    memory = made.programs.lowered(held, made.programs.view_length(ids.shape[1] + new)).compile().memory_analysis()
    sizes = [sum(a.nbytes for a in jax.tree.leaves(tree)) for tree in (held, made._cache)]
    return run, *sizes, memory.temp_size_in_bytes


# --- hand-written JAX
def _norm(x, weight, bias=None):
    wide = x.astype(jnp.float32)
    if bias is None:
        return weight * (wide * lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-6)).astype(x.dtype)
    wide = wide - wide.mean(-1, keepdims=True)
    return (wide * lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-5)).astype(x.dtype) * weight + bias


def _turned(x, places):
    half = x.shape[-1] // 2
    angles = places[..., None].astype(jnp.float32) * (10000.0 ** (-jnp.arange(half) / half))
    cos, sin = (f(angles)[:, None].astype(x.dtype) for f in (jnp.cos, jnp.sin))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def _forward(config, which, w, ids, places, cache, start):
    """(scores of the last token, cache) of tokens (B, S) at `places` (B, S), the first of which is at `start`."""
    batch, new = ids.shape
    heads, kv = config.num_heads, config.num_kv_heads if which == "llama" else config.num_heads
    gpt = which != "llama"
    x = (
        (w["wte.embedding_table"][ids] + w["wpe.embedding_table"][places])
        if gpt
        else w["embed_tokens.embedding_table"][ids]
    )
    keys = jnp.arange(cache[0][0].shape[2])
    bias = jnp.where(keys <= places[:, None, :, None], 0, -1e9).astype(x.dtype)
    made = []
    for i, (key, value) in enumerate(cache):
        at = (lambda name: w[f"h.{i}.{name}"]) if gpt else (lambda name: w[f"layers.{i}.{name}"])  # noqa: B023
        if gpt:
            normed = _norm(x, at("ln_1.gamma"), at("ln_1.beta"))
            q, k, v = jnp.split(normed @ at("c_attn.weight").T + at("c_attn.bias"), 3, -1)
        else:
            normed = _norm(x, at("input_layernorm.weight"))
            q, k, v = (normed @ at(f"{n}_proj.weight").T for n in "qkv")
        q, k, v = (a.reshape(batch, new, n, -1).transpose(0, 2, 1, 3) for a, n in ((q, heads), (k, kv), (v, kv)))
        if not gpt:
            q, k = _turned(q, places), _turned(k, places)
        key = lax.dynamic_update_slice(key, k, (0, 0, start, 0))
        value = lax.dynamic_update_slice(value, v, (0, 0, start, 0))
        made.append((key, value))
        scores = jnp.einsum("bkqd,bktd->bkqt", q.reshape(batch, kv, -1, q.shape[-1]), key) / q.shape[-1] ** 0.5
        scores = scores.reshape(batch, heads, new, -1) + bias
        probs = jax.nn.softmax(scores.astype(jnp.float32), -1).astype(x.dtype)
        out = jnp.einsum("bkqt,bktd->bkqd", probs.reshape(batch, kv, -1, probs.shape[-1]), value)
        out = out.reshape(batch, heads, new, -1).transpose(0, 2, 1, 3).reshape(x.shape)
        if gpt:
            x = x + out @ at("c_proj.weight").T + at("c_proj.bias")
            normed = _norm(x, at("ln_2.gamma"), at("ln_2.beta"))
            x = (
                x
                + jax.nn.gelu(normed @ at("c_fc.weight").T + at("c_fc.bias")) @ at("mlp_proj.weight").T
                + at("mlp_proj.bias")
            )
        else:
            x = x + out @ at("o_proj.weight").T
            normed = _norm(x, at("post_attention_layernorm.weight"))
            gate = jax.nn.silu(normed @ at("gate_proj.weight").T) * (normed @ at("up_proj.weight").T)
            x = x + gate @ at("down_proj.weight").T
    x = x[:, -1]
    if gpt:
        return _norm(x, w["ln_f.gamma"], w["ln_f.beta"]) @ w["wte.embedding_table"].T, made
    return _norm(x, w["norm.weight"]) @ w["lm_head.weight"].T, made


def by_hand(net, which, ids, dtype, length):
    """Function of the number of new tokens: one program for the prompt, one loop for all steps, the cache donated."""
    config, batch, width = net.config, *ids.shape
    values = {p.name: jnp.asarray(p.asnumpy(), dtype) for p in net.get_parameters()}
    kv = config.num_kv_heads if which == "llama" else config.num_heads
    ids = jnp.asarray(ids)

    def empty():
        shape = (batch, kv, length, config.head_size)
        return [(jnp.zeros(shape, dtype), jnp.zeros(shape, dtype)) for _ in range(config.num_layers)]

    @functools.partial(jax.jit, donate_argnums=1)
    def prompt(values, cache):
        places = jnp.broadcast_to(jnp.arange(width), (batch, width))
        scores, cache = _forward(config, which, values, ids, places, cache, 0)
        return scores.argmax(-1), cache

    @functools.partial(jax.jit, donate_argnums=1)
    def steps(values, cache, token, count):
        def step(i, carried):
            token, cache, out = carried
            place = width + i
            scores, cache = _forward(config, which, values, token[:, None], jnp.full((batch, 1), place), cache, place)
            token = scores.argmax(-1)
            return token, cache, out.at[:, i].set(token)

        return lax.fori_loop(0, count, step, (token, cache, jnp.zeros((batch, length), token.dtype)))

    kept = [empty()]

    def run(count):
        token, kept[0] = prompt(values, kept[0])
        if count > 1:
            token, kept[0], out = steps(values, kept[0], token, count - 1)
        np.asarray(token)

    return run


# --- PyTorch
def by_torch(which, config, ids, kind):
    """Function of the number of new tokens by transformers' `generate`; None where it is not installed or has no such kind."""
    try:
        import torch
        import transformers
    except ImportError:
        return None
    if which == "llama":
        made = transformers.LlamaForCausalLM(
            transformers.LlamaConfig(
                vocab_size=config.vocab_size,
                hidden_size=config.hidden_size,
                num_hidden_layers=config.num_layers,
                num_attention_heads=config.num_heads,
                num_key_value_heads=config.num_kv_heads,
                intermediate_size=config.intermediate_size,
                max_position_embeddings=config.max_position_embeddings,
            )
        )
    else:
        made = transformers.GPT2LMHeadModel(
            transformers.GPT2Config(
                vocab_size=config.vocab_size,
                n_embd=config.hidden_size,
                n_layer=config.num_layers,
                n_head=config.num_heads,
                n_positions=config.max_position_embeddings,
            )
        )
    made = made.eval()
    if kind == "bfloat16":
        made = made.to(torch.bfloat16)
    if kind == "int8":
        if which != "llama":  # its layers are Conv1D, which PyTorch does not quantise
            return None
        made = torch.ao.quantization.quantize_dynamic(made, {torch.nn.Linear}, torch.qint8)
    tokens = torch.tensor(ids.astype(np.int64))

    def run(count):
        with torch.inference_mode():
            made.generate(
                tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=count, min_new_tokens=count, do_sample=False, pad_token_id=0
            )  # fmt: skip

    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nets", nargs="+", default=["gpt2", "llama"], choices=list(SIZES))
    parser.add_argument("--kinds", nargs="+", default=["float32", "bfloat16", "int8"])
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 8])
    parser.add_argument("--contenders", nargs="+", default=["msjax", "jax", "torch"])
    parser.add_argument("--prompt", type=int, default=64)
    parser.add_argument("--new", type=int, default=33)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    rows = []
    print(
        "net    kind      batch  contender  tokens/s  first token ms  processor ms   weights MB  cache MB  besides MB"
    )
    for which in given.nets:
        net = decoders.make(KIND[which], **SIZES[which])
        for kind in given.kinds:
            for batch in given.batches:
                ids = (
                    np.random.default_rng(0).integers(1, net.config.vocab_size, (batch, given.prompt)).astype(np.int32)
                )
                run, *bytes_ = ours(net, ids, given.new, kind, given.length)
                runs = {"msjax": run}
                if kind != "int8" and "jax" in given.contenders:
                    runs["jax"] = by_hand(net, which, ids, kind, given.length)
                if "torch" in given.contenders:
                    runs["torch"] = by_torch(which, net.config, ids, kind)
                runs = {name: run for name, run in runs.items() if run is not None}
                for name, (first, after) in in_turn(runs, given.new, given.repeats).items():
                    speed = batch * (given.new - 1) / after[0]
                    busy = after[1] / (batch * (given.new - 1))
                    row = {
                        "net": which,
                        "kind": kind,
                        "batch": batch,
                        "who": name,
                        "tokens_s": speed,
                        "first_ms": first[0] * 1e3,
                        "processor_ms": busy * 1e3,
                    }
                    shown = ""
                    if name == "msjax":
                        row |= dict(zip(("weights", "cache", "besides"), bytes_))
                        shown = "".join(f"{b / 1e6:11.1f}" for b in bytes_)
                    rows.append(row)
                    print(
                        f"{which:6} {kind:9} {batch:5}  {name:9} {speed:9.1f} {first[0] * 1e3:15.1f} {busy * 1e3:12.1f}{shown}",
                        flush=True,
                    )
                    if given.json:
                        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
