"""A wrong plan cannot be overlooked: faults that are planted in a script are named with their lines, and a right one has none."""

import json
import os
import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn
from msjax.planning import findings, memory, topology
from msjax.planning.chips import shape_of
from msjax.planning.collectives import collective, groups, payload
from msjax.planning.hlo import Program, bytes_moved, operations

HERE = pathlib.Path(__file__).parent
PLANTED = HERE / "planted.py"


def run_plan(*arguments, devices=4):
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "MSJAX_CACHE_DIR": "",
        "PYTHONPATH": str(HERE.parents[1]),
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}",
    }
    command = [sys.executable, "-m", "msjax", "plan", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "plan.json"
    done = run_plan(PLANTED, "--topology", "cpu:4", "--json", path)
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text()), done.stdout


@pytest.mark.parametrize("mark", ["replicated", "replicated, by a strategy of ones", "gathered", "kernel", "float32"])
def test_a_planted_fault_is_named_with_its_line(planted, mark):
    kind = mark.partition(",")[0]
    line = next(i for i, text in enumerate(PLANTED.read_text().splitlines(), 1) if text.endswith(f"# {mark}"))
    found = [f for f in planted[0]["findings"] if f["kind"] == kind]
    assert [str(PLANTED), line] in [f["line"] for f in found]
    assert all(f["text"] in planted[1] for f in found)


def test_the_report_of_a_script_has_its_figures(planted):
    plan = planted[0]
    assert plan["chips"] == 4 and plan["fits"]
    assert plan["memory"]["weights"] == 4 * (4096 * 256 + 2 * 256 * 2048)
    assert plan["memory"]["optimizer state"] == 2 * plan["memory"]["weights"]
    assert {c["kind"] for c in plan["collectives"]} >= {"all-gather", "all-reduce"}
    assert plan["largest"][0]["line"][0] == str(PLANTED)
    products = 1024 * 256 * 2048 * 2 * 2 * 3 / 4  # two products, forward and twice backward, a quarter on each chip
    assert 0.9 * products < plan["work"]["operations"] < 2.5 * products


@pytest.mark.parametrize(
    "code, said",
    [
        ("from mindspore import Tensor\nTensor([1]) + 1\n", "before a compiled training step was started"),
        (
            "import mindspore as ms\nfrom mindspore import nn\nprint(nn.Dense(2000, 2000).weight.asnumpy().sum())\n",
            ":3: the value of Parameter 'weight' (shape [2000, 2000], 16,000,000 bytes) is read",
        ),
        (
            "import numpy as np\nimport mindspore as ms\nfrom mindspore import Tensor, nn\nnet = nn.Dense(3, 4)\n"
            "optimizer = nn.Adam(net.trainable_params(), 0.1)\nx = Tensor(np.ones((2, 3), np.float32))\n"
            "optimizer(ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)(x)[1])\n",
            "its step runs operator by operator",
        ),
        ("import os\nraise ValueError('of 3 chips')\n", "line 2"),
        ("import os\nraise ValueError('of 3 chips')\n", "it ended with ValueError before its step was compiled"),
    ],
)
def test_a_script_without_a_plan_says_why(tmp_path, code, said):
    script = tmp_path / "script.py"
    script.write_text(code)
    done = run_plan("--topology", "cpu", script, devices=1)
    assert done.returncode == 2 and said in done.stderr


def test_an_unknown_topology_lists_the_known_ones():
    for name in ("v9:2x2", "v5e:two", "tpu"):
        with pytest.raises(ValueError, match="known are v5e"):
            msjax_plan(topology=name)


def test_what_stops_the_compiler_is_told():
    told = [
        topology._told(RuntimeError(text), "v5e:2x2", "msjax[plan]", "libtpu")
        for text in (
            "The TPU is already in use by pid 7. /tmp/libtpu_lockfile",
            "JAX TPU support not installed",
            "INVALID_ARGUMENT: Topology layout",
        )
    ]
    assert [type(t) for t in told] == [topology.NoCompiler, topology.NoCompiler, ValueError]
    assert (
        "Another process" in str(told[0])
        and "pip install 'msjax[plan]'" in str(told[1])
        and "known are" in str(told[2])
    )


def test_so_many_chips_take_the_nearest_shape():
    assert [shape_of(name, count)[1] for name, count in (("v5e", 256), ("v5p", 64), ("v5e", 8), ("v4", 1))] == [
        (16, 16),
        (4, 4, 4),
        (2, 4),
        (1, 1, 1),
    ]
    with pytest.raises(ValueError, match="7 chips"):
        shape_of("v5e", 7)


def msjax_plan(topology="cpu", **options):
    net = nn.WithLossCell(nn.SequentialCell(nn.Dense(64, 512), nn.ReLU(), nn.Dense(512, 4)), nn.MSELoss())
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.1)).set_train()
    before = net.trainable_params()[0].asnumpy()
    plan = ms.plan(
        step, Tensor(np.ones((8, 64), np.float32)), Tensor(np.ones((8, 4), np.float32)), topology=topology, **options
    )
    np.testing.assert_array_equal(net.trainable_params()[0].asnumpy(), before)
    return plan


def test_a_step_that_is_right_has_no_findings():
    plan = msjax_plan()
    assert plan.findings == [] and plan.fits and plan.chips == 1
    weights = 4 * (64 * 512 + 512 + 512 * 4 + 4)
    assert plan.memory["weights"] == weights and plan.memory["optimizer state"] == 2 * weights
    assert "Nothing was found that is wrong." in str(plan)
    assert json.loads(json.dumps(plan.as_dict()))["name"] == "TrainOneStepCell"


class Recomputed(nn.Cell):
    def __init__(self, activation):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(16, 32), *activation, nn.Dense(32, 4))
        self.layers[0].recompute()
        self.layers.recompute() if activation else None

    def construct(self, x):
        return self.layers(x).sum()


@pytest.mark.parametrize("activation, idle", [((), True), ((nn.Tanh(),), False)])
def test_recomputation_of_what_nothing_needs_is_named(activation, idle):
    net = Recomputed(activation)
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-3)).set_train()
    plan = ms.plan(step, Tensor(np.ones((8, 16), np.float32)), topology="cpu")
    told = [f for f in plan.findings if "needs nothing that it computes" in f["text"]]
    assert bool(told) == idle
    assert all(f["line"][0] == __file__ and f["kind"] == "recompute" for f in told)


def test_recomputation_of_a_last_product_is_named():
    """The backward of a product needs what it was given, its weight the other way round: nothing is computed again."""
    net = nn.SequentialCell(nn.Dense(16, 32), nn.Tanh(), nn.Dense(32, 4))
    net[2].recompute()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.L1Loss()), nn.Adam(net.trainable_params(), 1e-3)).set_train()
    plan = ms.plan(step, Tensor(np.ones((8, 16), np.float32)), Tensor(np.ones((8, 4), np.float32)), topology="cpu")
    (told,) = [f for f in plan.findings if f["kind"] == "recompute"]
    assert told["line"][0] == __file__ and "2 has no effect" in told["text"]


# --- the text of a TPU's program
@pytest.fixture(scope="module")
def program():
    return Program((HERE / "recorded.hlo").read_text())


def test_bodies_of_loops_count_by_their_trips(program):
    assert program.times == {"main": 1, "body": 12, "condition": 13}
    product, times = next((i, n) for i, n in program.running() if i.name == "fusion.1")
    assert (operations(program, product), times) == (2 * 512**3, 12)
    assert bytes_moved(program, product) == 3 * 512 * 512 * 2


NESTED = """%inner (p.0: f32[11,512,512], p.1: s32[]) -> f32[512,512] {
  %p.0 = f32[11,512,512]{2,1,0} parameter(0)
  %p.1 = s32[] parameter(1)
  %zero = s32[] constant(0)
  %row = f32[1,512,512]{2,1,0} dynamic-slice(%p.0, %p.1, %zero, %zero), dynamic_slice_sizes={1,512,512}
  ROOT %flat = f32[512,512]{1,0} bitcast(%row)
}

%outer (q.0: f32[11,512,512], q.1: s32[], q.2: f32[512,512]) -> f32[512,512] {
  %q.0 = f32[11,512,512]{2,1,0} parameter(0)
  %q.1 = s32[] parameter(1)
  %q.2 = f32[512,512]{1,0} parameter(2)
  %taken = f32[512,512]{1,0} fusion(%q.0, %q.1), kind=kLoop, calls=%inner
  ROOT %product = f32[512,512]{1,0} dot(%taken, %q.2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY %main (x: f32[11,512,512], at: s32[], y: f32[512,512]) -> f32[512,512] {
  %x = f32[11,512,512]{2,1,0} parameter(0)
  %at = s32[] parameter(1)
  %y = f32[512,512]{1,0} parameter(2)
  ROOT %fusion = f32[512,512]{1,0} fusion(%x, %at, %y), kind=kOutput, calls=%outer
}
"""


def test_a_row_that_a_fusion_within_a_fusion_takes_counts_as_a_row():
    program = Program(NESTED)
    assert bytes_moved(program, program.by_name["main"]["fusion"]) == 3 * 512 * 512 * 4 + 4


def test_the_trips_of_a_loop_with_a_counter_of_64_bits_are_read():
    text = """%cond (a: (u32[], u32[])) -> pred[] {
  %zero = u32[]{:T(128)} constant(0)
  %end = u32[]{:T(128)} constant(128)
  %signed = s32[]{:T(128)} constant(0)
  %a = (u32[], u32[]) parameter(0)
  %high = u32[] get-tuple-element(%a), index=1
  %same = pred[] compare(%high, %zero), direction=EQ
  %low = u32[] get-tuple-element(%a), index=0
  %less = pred[] compare(%low, %end), direction=LT
  %both = pred[] and(%same, %less)
  %cast = s32[] bitcast-convert(%high)
  %minus = pred[] compare(%cast, %signed), direction=LT
  ROOT %or = pred[] or(%minus, %both)
}

%body (b: (u32[], u32[])) -> (u32[], u32[]) {
  ROOT %b = (u32[], u32[]) parameter(0)
}

ENTRY %main (x: (u32[], u32[])) -> (u32[], u32[]) {
  %x = (u32[], u32[]) parameter(0)
  ROOT %while.1 = (u32[], u32[]) while(%x), condition=%cond, body=%body
}
"""
    assert Program(text).times == {"main": 1, "body": 128, "cond": 129}


def test_an_instruction_knows_its_line_and_cell(program):
    product = program.by_name["body"]["fusion.1"]
    assert program.frames(product) == [("/home/u/net.py", 7, "Net.construct"), ("/home/u/train.py", 30, "<module>")]
    assert findings.user_line(program, product) == ("/home/u/net.py", 7)


def test_groups_of_collectives_and_memory_on_the_chip(program):
    gather = program.by_name["main"]["all-gather.1"]
    assert collective(program, gather) == "all-gather" and groups(program, gather) == [[0, 2], [1, 3]]
    assert bytes_moved(program, gather) == 512 * 512 * 2  # what it writes lies on the chip


WINDOWS = """ENTRY %main (x: f32[4,2000]) -> (f32[4,2000], f32[4,1000]) {
  %x = f32[4,2000]{1,0:T(8,128)} parameter(0)
  %low = f32[]{:T(128)} constant(-inf)
  %all = f32[4,2000]{1,0:T(8,128)} reduce-window(%x, %low), window={size=1x3999 pad=0_0x1999_1999}, to_apply=%max
  %pairs = f32[4,1000]{1,0:T(8,128)} reduce-window(%x, %low), window={size=1x2 stride=1x2}, to_apply=%max
  ROOT %both = (f32[4,2000]{1,0:T(8,128)}, f32[4,1000]{1,0:T(8,128)}) tuple(%all, %pairs)
}
"""


def test_a_window_over_a_whole_axis_is_one_reduction():
    """The compiler writes a softmax's largest element so, beside each element of the row: it was counted as 2,000 * 3,999 comparisons."""
    made = Program(WINDOWS)
    assert [operations(made, made.by_name["main"][name]) for name in ("all", "pairs")] == [8000, 8000]


HELD = """%body (b: f32[1024]) -> f32[1024] {
  %b = f32[1024]{0:T(1024)} parameter(0)
  %much = f32[4096]{0:T(1024)} broadcast(%b)
  ROOT %next = f32[1024]{0:T(1024)} slice(%much)
}

%condition (c: f32[1024]) -> pred[] {
  %c = f32[1024]{0:T(1024)} parameter(0)
  ROOT %false = pred[] constant(false)
}

ENTRY %main (x: f32[1024]) -> f32[1024] {
  %x = f32[1024]{0:T(1024)} parameter(0)
  %first = f32[1024]{0:T(1024)} negate(%x)
  %chip = f32[8192]{0:T(1024)S(1)} broadcast(%x)
  %while.1 = f32[1024]{0:T(1024)} while(%first), condition=%condition, body=%body
  %second = f32[2048]{0:T(1024)} broadcast(%while.1)
  ROOT %sum = f32[1024]{0:T(1024)} fusion(%second, %chip), kind=kLoop, calls=%condition
}
"""


def test_what_lies_on_the_chip_is_not_held():
    """What a loop makes stands beside what lives outside of it; the state comes from the compiler."""
    made = types.SimpleNamespace(program=Program(HELD), memory={"peak": 100_000, "temporary": 90_000})
    assert memory.held(made) == 10_000 + 4 * (1024 + 4096)


def test_padding_of_tiles_is_counted(program):
    thin = program.by_name["main"]["thin.1"].shape[0]
    assert (thin.nbytes, thin.held) == (4096 * 4 * 3 * 4, 4096 * 4 * 128 * 4)
    assert operations(program, program.by_name["main"]["thin.1"]) == 1000


HEADS = """FileNames
1 "/home/u/attention.py"

FunctionNames
1 "Attention.construct"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=1 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


ENTRY %main (x: bf16[8,1024,1280]) -> bf16[8,16,1024,80] {
  %x = bf16[8,1024,1280]{2,1,0:T(8,128)(2,1)} parameter(0), metadata={op_name="leaves[0]"}
  ROOT %heads.1 = bf16[8,16,1024,80]{3,2,1,0:T(8,128)(2,1)} copy(%x), metadata={op_name="jit(f)/jvp(net-Net)/attention-Attention/split" stack_frame_id=1}
}
"""


@pytest.mark.parametrize("width, wasted", [(80, 8 * 16 * 1024 * 48 * 2), (64, 8 * 16 * 1024 * 64 * 2), (128, 0)])
def test_heads_that_are_padded_to_a_tile_are_named_with_their_line(width, wasted):
    """Heads of 80 take tiles of 128: a third of the buffer is padding."""
    text = HEADS.replace("1280", str(16 * width)).replace("1024,80]", f"1024,{width}]")
    found = findings.padding(types.SimpleNamespace(program=Program(text), inputs=[]))
    assert [(f.line, f.bytes) for f in found] == ([(("/home/u/attention.py", 12), wasted)] if wasted else [])
    assert all(f"[8, 16, 1024, {width}]" in f.text and "attention" in f.where for f in found)


def test_a_collective_beside_fusions_counts_once_and_the_fusions_their_own_bytes():
    program = Program((HERE / "beside.hlo").read_text())
    fusions = [program.by_name["main"][f"fusion.{i}"] for i in (1, 2, 3)]
    assert [collective(program, f) for f in fusions] == ["all-gather", None, None]
    assert payload(program, fusions[0]) == 1024 * 512 * 4 and groups(program, fusions[0]) == [[0, 1]]
    assert [bytes_moved(program, f) for f in fusions] == [3 * 512 * 512 * 4, 3 * 512 * 512 * 2, 0]
    assert operations(program, fusions[1]) == 2 * 512**3
    assert findings.gathered(program) == []  # a weight: it comes from the program's inputs
