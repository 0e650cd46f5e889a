"""Parts of recurrent layers that libraries' own layers import from mindspore.nn.layer.rnns."""

import mindspore
import numpy as np
import pytest
from mindspore import Tensor, nn
from mindspore.nn.layer import rnns


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize(("mode", "make"), [("LSTM", nn.LSTM), ("GRU", nn.GRU), ("RNN_TANH", nn.RNN)])
def test_the_layer_of_any_mode_is_that_of_the_public_layer(mode, make, ragged):
    whole = make(4, 5)
    x = Tensor(np.random.default_rng(0).normal(size=(3, 2, 4)).astype(np.float32))
    lengths = Tensor([1, 3], mindspore.int32) if ragged else None
    weights = [getattr(whole, f"{part}_list")[0] for part in ("w_ih", "w_hh", "b_ih", "b_hh")]
    out, state = rnns._DynamicRNNBase(mode)(
        x, rnns._init_state((2, 5), mindspore.float32, mode == "LSTM"), lengths, *weights
    )
    expected, last = whole(x, None, lengths)
    assert np.array_equal(out.asnumpy(), expected.asnumpy())
    pairs = zip(state, last, strict=True) if mode == "LSTM" else [(state, last)]
    assert all(np.array_equal(one.asnumpy(), other.asnumpy()[0]) for one, other in pairs)


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="Unrecognized RNN mode: SRU"):
        rnns._DynamicRNNBase("SRU")


def test_masks_and_last_states():
    lengths, out = Tensor([1, 3], mindspore.int32), Tensor(np.arange(1, 13, dtype=np.float32).reshape(3, 2, 2))
    mask = rnns.sequence_mask(lengths, 3)
    assert mask.dtype == mindspore.int32 and mask.asnumpy().tolist() == [[1, 0, 0], [1, 1, 1]]
    kept = out.asnumpy() * mask.asnumpy().T[:, :, None]
    assert np.array_equal(rnns.select_by_mask(out, mask).asnumpy(), kept)
    assert rnns.get_hidden(out, lengths).asnumpy().tolist() == [[1, 2], [11, 12]]
