"""Checks of MindSpore's datasets that programs put on their own: messages recorded from MindSpore 2.10."""

import pytest
from mindspore.dataset.core.validator_helpers import INT32_MAX, check_odd, check_uint8, check_value, parse_user_args
from mindspore.dataset.engine.validators import check_batch
from mindspore.dataset.transforms.validators import check_random_transform_ops


class Mine:
    @check_batch
    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, **kwargs):
        return batch_size

    @check_random_transform_ops
    def choose(self, transforms, prob=0.5):
        return prob


def test_helpers():
    assert INT32_MAX == 2147483647
    assert parse_user_args(lambda a, b=2: 0, 1) == ([1, 2], {"a": 1, "b": 2})
    for call, message in (
        (lambda: check_value(0, (0, 2), "", True, True), r"Input is not within the required interval of \(0, 2\)."),
        (lambda: check_odd(2, "o"), "Input o is not an odd value."),
        (lambda: check_uint8(300, "u"), r"Input u is not within the required interval of \[0, 255\]."),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_decorators():
    mine = Mine()
    assert (mine.batch(2), mine.choose([abs])) == (2, 0.5)
    for error, call in (
        (ValueError, lambda: mine.batch(0)),
        (TypeError, lambda: mine.batch(1.5)),
        (TypeError, lambda: mine.batch(2, 3)),
        (ValueError, lambda: mine.choose([])),
        (TypeError, lambda: mine.choose([1])),
        (ValueError, lambda: mine.choose([int])),
        (ValueError, lambda: mine.choose([abs], 2)),
    ):
        with pytest.raises(error):
            call()
