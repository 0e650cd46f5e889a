"""Options of `@ms.jit`; recorded from MindSpore 2.10."""

import mindspore as ms
import pytest
from mindspore import Tensor


def _next(x):
    return x + 1


@pytest.mark.parametrize(
    "options,error",
    [
        ({"capture_mode": "zz"}, ValueError),
        ({"capture_mode": 3}, ValueError),
        ({"jit_level": "O7"}, ValueError),
        ({"jit_level": "O2"}, ValueError),
        ({"jit_level": ""}, ValueError),
        ({"dynamic": 2}, ValueError),
        ({"dynamic": True}, TypeError),
        ({"dynamic": "a"}, TypeError),
        ({"fullgraph": 3}, TypeError),
        ({"fullgraph": "a"}, TypeError),
        ({"exec_order": "x"}, ValueError),
        ({"infer_boost": "x"}, ValueError),
        ({"disable_format_transform": 1}, TypeError),
        ({"ge_options": {"x": {}}}, ValueError),
        ({"ge_options": {"global": {"a": 1}}}, TypeError),
        ({"auto_offload": "x"}, ValueError),
    ],
    ids=str,
)
def test_a_wrong_value_is_refused_where_it_stands(options, error):
    with pytest.raises(error):
        ms.jit(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"capture_mode": "bytecode"},
        {"jit_level": "O1", "dynamic": 1, "fullgraph": True, "backend": "ms_backend"},
        {"infer_boost": "on", "exec_order": "bfs", "disable_format_transform": True},
        {"ge_options": {"global": {"ge.opSelectImplmode": "high_precision"}}},
        {"jit_config": ms.JitConfig("O1"), "mode": "PSJit", "hash_args": 1, "compile_once": True},
    ],
    ids=lambda options: " ".join(options),
)
def test_what_steers_other_compilers_changes_nothing(options):
    assert int(ms.jit(**options)(_next)(Tensor(1))) == 2


def test_an_unknown_option_is_taken():
    assert int(ms.jit(foo=1)(_next)(Tensor(1))) == 2
