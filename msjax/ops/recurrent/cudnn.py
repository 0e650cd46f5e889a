"""`CudnnGRU`, the GRU that `nn.GRU` of MindSpore runs on NVIDIA GPUs: user code that copies that layer calls it too."""

from typing import Any

from ...core.operators.record import composite, records
from ...core.operators.rows import Prim


@composite(prim=Prim("CudnnGRU", inputs=("input", "h", "w")), ops=False, name="cudnn_gru")
def cudnn_gru(
    input: Any,
    h: Any,
    w: Any,
    input_size: Any,
    hidden_size: Any,
    num_layers: Any,
    has_bias: Any,
    bidirectional: Any,
    dropout: Any,
):
    """(outputs (T, B, H), h_n (1, B, H), reserve, state) of one GRU layer; the last two are empty.

    Args:
        input: (T, B, I).
        h: (1, B, H).
        w: the weights (3 H, I) and (3 H, H) and, with has_bias, the two biases (3 H,), all flat one after the other; gates r, z, n.
        num_layers, bidirectional: only 1 and False, as `nn.GRU` gives them; for more layers use `nn.GRU`.

    Raises:
        ValueError: more layers or directions, or sizes that do not fit.
    """
    if num_layers != 1 or bidirectional:
        raise ValueError(
            f"For 'CudnnGRU', 'num_layers' must be 1 and 'bidirectional' False (use nn.GRU for more), but got {num_layers} and {bidirectional}."
        )
    if input.ndim != 3 or input.shape[2] != input_size or h.shape != (1, input.shape[1], hidden_size):
        raise ValueError(
            f"For 'CudnnGRU', the shapes of 'input' and 'h' must be (T, B, {input_size}) and (1, B, {hidden_size}), but got {input.shape} "
            f"and {h.shape}."
        )
    gates = 3 * hidden_size
    total = gates * (input_size + hidden_size) + (2 * gates if has_bias else 0)
    if w.size != total:
        raise ValueError(f"For 'CudnnGRU', the size of 'w' must be {total}, but got {w.size}.")
    shapes = ((gates, input_size), (gates, hidden_size), *(((gates,),) * 2 if has_bias else ()))
    out, last = records["gru_layer"](input, h[0], *records["cut_weights"](w, shapes))
    empty = records["zeros"]((1,), input.dtype)
    return out, last.expand_dims(0), empty, empty
