"""Networks of equal layers in compiled functions: one loop, with weights that stay in stacks; Parameters, files, hooks and failures as without."""

import copy
import signal
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn, ops
from msjax.core.values import rows
from msjax.core.values.rows import Row
from msjax.train.dataset_helper import run_steps


def numbers(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) * 0.2


class Block(nn.Cell):
    def __init__(self, dropout):
        super().__init__()
        self.norm, self.dense, self.act = nn.LayerNorm((4,)), nn.Dense(4, 4), nn.GELU()
        self.dropout = nn.Dropout(p=0.5) if dropout else None

    def construct(self, x):
        y = self.act(self.dense(self.norm(x)))
        return x + (y if self.dropout is None else self.dropout(y))


def trained(fold, dropout=False, recompute=False):
    ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
    ms.set_seed(3)
    net = nn.SequentialCell(*[Block(dropout) for _ in range(6)], nn.Dense(4, 2))
    if recompute:
        for i in range(6):
            net[i].recompute()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)).set_train()
    losses = [step(Tensor(numbers(5, 4)), Tensor(numbers(5, 2))).asnumpy() for _ in range(3)]
    entry = step.entry_for(Tensor(numbers(5, 4)), Tensor(numbers(5, 2)))
    return losses, {p.name: p.asnumpy() for p in step.get_parameters()}, lengths_of(entry, numbers(5, 4), numbers(5, 2))


def program_of(entry, *inputs):
    """The program of a compiled function, as it is started."""
    return jax.make_jaxpr(entry.program.packed)(*entry.state.shapes(), [jnp.asarray(x) for x in inputs])


def lengths_of(entry, *inputs):
    """The lengths of the loops in it."""
    return [e.params["length"] for e in program_of(entry, *inputs).jaxpr.eqns if e.primitive.name == "scan"]


@pytest.fixture
def folding():
    """Equal layers are folded; afterwards the settings are put back."""
    mode, folds = ms.get_context("mode"), ms.get_context("fold_layers")
    ms.set_context(fold_layers=True)
    yield
    ms.set_context(mode=mode, fold_layers=folds)


@pytest.mark.parametrize("kind", ["plain", "recompute", "dropout"])
def test_cells_in_a_sequence_train_as_without(folding, kind):
    losses, kept, lengths = trained(True, dropout=kind == "dropout", recompute=kind == "recompute")
    assert [n >= 5 for n in lengths] == [True, True] or kind == "dropout"
    wanted, state, none = trained(False, dropout=kind == "dropout", recompute=kind == "recompute")
    assert none == [] and list(kept) == list(state)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    for name, value in state.items():
        np.testing.assert_allclose(kept[name], value, rtol=2e-4, atol=1e-5, err_msg=name)


class Normed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 3, 3, has_bias=True), nn.BatchNorm2d(3)

    def construct(self, x):
        return x + ops.relu(self.norm(self.conv(x)))


class Stacked(nn.Cell):
    """Blocks in a CellList, with one that differs in the middle."""

    def __init__(self, make, count, other=None, width=4):
        super().__init__()
        cells = [make() for _ in range(count)]
        if other is not None:
            cells.insert(count // 2, other)
        self.first, self.blocks, self.last = nn.Dense(width, width), nn.CellList(cells), nn.Dense(width, 2)

    def construct(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return self.last(x)


def step_of(net, optimizer=None):
    optimizer = optimizer or nn.Adam(net.trainable_params(), 0.01)
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()


def both(make, *inputs, steps=3, between=None):
    """(step, losses, Parameters) of a network that is made and trained with equal layers folded, and the lengths of its loops; held against
    the same without.
    """
    found = []
    for fold in (True, False):
        ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
        ms.set_seed(5)
        step, losses = make(), []
        for i in range(steps):
            losses.append(step(*map(Tensor, inputs)).asnumpy())
            if between is not None:
                losses.append(between(step, i))
        entry = step.entry_for(*map(Tensor, inputs))
        found.append((step, losses, {p.name: p.asnumpy() for p in step.get_parameters()}, lengths_of(entry, *inputs)))
    (step, losses, state, lengths), (_, wanted, plain, none) = found
    assert none == [] and list(state) == list(plain)
    np.testing.assert_allclose(losses, wanted, rtol=2e-5)
    for name, value in plain.items():
        np.testing.assert_allclose(state[name], value, rtol=2e-4, atol=1e-5, err_msg=name)
    return step, losses, state, lengths


def plain_block():
    return Block(False)


X4, Y2 = numbers(5, 4), numbers(5, 2)


def test_a_step_keeps_weights_and_moments_of_equal_layers_in_stacks(folding):
    step, _, _, lengths = both(lambda: step_of(Stacked(plain_block, 6)), X4, Y2)
    assert lengths == [6, 6]


def test_the_state_comes_and_goes_as_one_array_for_each_weight_of_a_layer(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Stacked(plain_block, 6))
    step(Tensor(X4), Tensor(Y2))
    entry = step.entry_for(Tensor(X4), Tensor(Y2))
    shapes = [a.shape for a in entry.state.shapes()[0]]
    assert (
        shapes.count((6, 4, 4)) == 3 and shapes.count((6, 4)) == 9
    )  # weight; gamma, beta, bias: each with two moments
    names = [e.primitive.name for e in program_of(entry, X4, Y2).jaxpr.eqns]
    assert "concatenate" not in names


def test_a_cell_that_differs_ends_the_loop(folding):
    *_, lengths = both(lambda: step_of(Stacked(plain_block, 8, nn.Dense(4, 4))), X4, Y2)
    assert sorted(lengths) == [4, 4, 4, 4]


def test_running_statistics_of_each_layer(folding):
    x, y = numbers(2, 3, 5, 5), numbers(2, 3, 5, 5)

    def make():
        net = nn.SequentialCell(nn.Conv2d(3, 3, 1), *[Normed() for _ in range(5)])
        return step_of(net, nn.Momentum(net.trainable_params(), 0.05, 0.9))

    _, _, state, lengths = both(make, x, y)
    assert lengths and max(lengths) >= 4
    assert len([name for name in state if name.endswith("moving_mean")]) == 5


def test_weights_can_be_read_and_written_between_steps(folding):
    def between(step, i):
        block = step.network._backbone.blocks[2]
        held = block.dense.weight.value()  # a Tensor of its own: the next step does not change it
        seen = held.asnumpy().copy()
        if i == 1:
            block.dense.weight.set_data(block.dense.weight * 0.5)
            step.network._backbone.blocks[3].dense.bias.set_data(Tensor(np.ones(4, np.float32)))
        step(Tensor(X4), Tensor(Y2))
        np.testing.assert_array_equal(held.asnumpy(), seen)
        return seen.sum()

    both(lambda: step_of(Stacked(plain_block, 5)), X4, Y2, between=between)


def test_evaluation_between_steps_takes_the_same_stacks(folding):
    def between(step, i):
        net = step.network._backbone
        net.set_train(False)
        out = net(Tensor(X4)).asnumpy().sum()
        net.set_train(True)
        return out

    step, *_ = both(lambda: step_of(Stacked(plain_block, 5)), X4, Y2, between=between)
    ms.set_context(fold_layers=True)  # which the step was compiled with
    weight = step.network._backbone.blocks[1].dense.weight
    step(Tensor(X4), Tensor(Y2))
    stack = weight._raw.stack
    between(step, 0)
    step(Tensor(X4), Tensor(Y2))
    assert weight._raw.stack is stack


def test_clones_copies_and_files_have_values_of_their_own(folding, tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Stacked(plain_block, 5))
    net = step.network._backbone
    step(Tensor(X4), Tensor(Y2))
    weight = net.blocks[1].dense.weight
    wanted = weight.asnumpy()
    twin, copied = weight.clone(), copy.deepcopy(net)
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    step(Tensor(X4), Tensor(Y2))
    assert not np.array_equal(weight.asnumpy(), wanted)
    np.testing.assert_array_equal(twin.asnumpy(), wanted)
    np.testing.assert_array_equal(copied.blocks[1].dense.weight.asnumpy(), wanted)
    kept = ms.load_checkpoint(str(tmp_path / "net.ckpt"))
    np.testing.assert_array_equal(kept["blocks.1.dense.weight"].asnumpy(), wanted)
    ms.load_param_into_net(net, kept)
    np.testing.assert_array_equal(weight.asnumpy(), wanted)
    copied(Tensor(X4))
    step(Tensor(X4), Tensor(Y2))
    np.testing.assert_array_equal(copied.blocks[1].dense.weight.asnumpy(), wanted)


def test_eager_code_and_other_programs_see_the_present_weights(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Stacked(plain_block, 5))
    net = step.network._backbone
    one = ms.jit(lambda x: net.blocks[2](x))  # too few layers for a loop: it takes arrays
    before = one(Tensor(X4)).asnumpy()
    step(Tensor(X4), Tensor(Y2))
    after = one(Tensor(X4)).asnumpy()
    assert not np.array_equal(before, after)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(net.blocks[2](Tensor(X4)).asnumpy(), after, rtol=1e-5, atol=1e-6)


def test_a_hook_on_a_layer_is_called(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Stacked(plain_block, 6))
    step.network._backbone.blocks[3].register_forward_hook(lambda cell, inputs, output: output * 0)
    out = step.network._backbone(Tensor(X4)).asnumpy()
    later = step.network._backbone.blocks[4:]
    x = Tensor(np.zeros((5, 4), np.float32))
    for cell in later:
        x = cell(x)
    np.testing.assert_allclose(out, step.network._backbone.last(x).asnumpy(), rtol=1e-5, atol=1e-6)


def test_many_steps_in_one_program(folding):
    batches = [(numbers(5, 4) * k, numbers(5, 2)) for k in (1, 2, 3)]
    found = []
    for fold in (True, False):
        ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
        ms.set_seed(5)
        step = step_of(Stacked(plain_block, 5))
        run_steps(step, batches)
        found.append([p.asnumpy() for p in step.get_parameters()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


def test_an_optimizer_alone_is_left_as_it_is(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    weights = [ms.Parameter(Tensor(w), name=f"w{i}") for i, w in enumerate([numbers(3, 3)] * 12)]
    optimizer = nn.Adam(weights, 0.1)
    optimizer(tuple(Tensor(w) for w in [numbers(3, 3)] * 12))
    assert all(isinstance(w._raw, jax.Array) for w in weights)


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_float16_with_a_scaled_loss(folding, level):
    def make():
        net = Stacked(plain_block, 6)
        optimizer, manager = nn.Momentum(net.trainable_params(), 0.1, 0.9), ms.DynamicLossScaleManager(2**8, 2, 2)
        return ms.amp.build_train_network(net, optimizer, nn.MSELoss(), level=level, loss_scale_manager=manager)

    found = []
    for fold in (True, False):
        ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
        ms.set_seed(5)
        step = make().set_train()
        losses = [float(step(Tensor(X4), Tensor(Y2))[0].asnumpy()) for _ in range(3)]
        entry = step.entry_for(Tensor(X4), Tensor(Y2))
        found.append((losses, [p.asnumpy() for p in step.get_parameters()], lengths_of(entry, X4, Y2)))
    (losses, state, _), (wanted, plain, none) = found
    assert none == []
    np.testing.assert_allclose(losses, wanted, rtol=5e-3)
    for one, other in zip(state, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-2, atol=2e-3)


def test_gradients_are_equal(folding):
    found = []
    for fold in (True, False):
        ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
        ms.set_seed(5)
        net = Stacked(plain_block, 6)
        gradients = ms.jit(ms.grad(lambda x: net(x).sum(), None, net.trainable_params()))
        found.append([g.asnumpy() for g in gradients(Tensor(X4))])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


# --- failures, Ctrl-C, other threads
def state_of(step):
    return {p.name: p.asnumpy() for p in step.get_parameters()}


@pytest.fixture
def trained_once(folding):
    """(step, inputs, entry, state after one step, state after two)"""
    ms.set_context(mode=ms.GRAPH_MODE, fold_layers=True)
    inputs = Tensor(X4), Tensor(Y2)
    ms.set_seed(5)
    twin = step_of(Stacked(plain_block, 5))
    ms.set_seed(5)
    step = step_of(Stacked(plain_block, 5))
    after = []
    for _ in range(2):
        twin(*inputs)
        after.append(state_of(twin))
    step(*inputs)
    entry = step.entry_for(*inputs)
    assert entry.state.packings[0].groups
    return step, inputs, entry, *after


def assert_state(step, wanted):
    for name, value in state_of(step).items():
        np.testing.assert_allclose(value, wanted[name], rtol=1e-5, atol=1e-7, err_msg=name)


def test_a_step_that_fails_changes_nothing(trained_once):
    step, inputs, entry, before, after = trained_once
    program = entry.program.run

    def failing(*given):
        raise RuntimeError("no memory")

    entry.program.run = failing
    with pytest.raises(RuntimeError, match="no memory"):
        step(*inputs)
    assert_state(step, before)
    entry.program.run = program
    step(*inputs)
    assert_state(step, after)


def test_ctrl_c_while_a_step_runs_comes_after_it(trained_once):
    step, inputs, entry, _, after = trained_once
    program = entry.program.run

    def interrupted(*given):
        found = program(*given)
        signal.raise_signal(signal.SIGINT)
        return found

    entry.program.run = interrupted
    with pytest.raises(KeyboardInterrupt):
        step(*inputs)
    entry.program.run = program
    assert_state(step, after)


@pytest.mark.parametrize("at", [0, 3, 7])
def test_ctrl_c_while_stacks_are_made_loses_no_parameter(trained_once, monkeypatch, at):
    step, inputs, _, before, after = trained_once
    for p in step.get_parameters():
        p.set_data(Tensor(before[p.name]))  # no row any more
    put, count = rows.joined, iter(range(100))

    def interrupted(*given):
        if next(count) == at:
            raise KeyboardInterrupt
        return put(*given)

    monkeypatch.setattr(rows, "joined", interrupted)
    with pytest.raises(KeyboardInterrupt):
        step(*inputs)
    monkeypatch.undo()
    assert_state(step, before)
    step(*inputs)
    assert_state(step, after)


def test_a_rolled_back_function_puts_rows_back(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Stacked(plain_block, 5))
    step(Tensor(X4), Tensor(Y2))
    before = state_of(step)
    ms.set_context(mode=ms.PYNATIVE_MODE)

    class Failing(nn.Cell):
        def construct(self, x, y):
            compiled(x, y)
            raise ValueError("too late")

    compiled = ms.jit(lambda x, y: step(x, y))
    with pytest.raises(ValueError, match="too late"):
        Failing()(Tensor(X4), Tensor(Y2))
    for name, value in state_of(step).items():
        np.testing.assert_array_equal(value, before[name])


def test_reading_changes_nothing(trained_once):
    step, inputs, _, _, after = trained_once
    weight = step.network._backbone.blocks[2].dense.weight
    stack = weight._raw.stack
    held = weight.value(), weight.asnumpy(), np.asarray(weight._made()), weight + 0, repr(weight), weight.clone()
    assert type(weight._raw) is Row and weight._raw.stack is stack
    step(*inputs)
    assert weight._raw.stack is stack
    assert_state(step, after)
    np.testing.assert_array_equal(held[0].asnumpy(), held[1])
    np.testing.assert_array_equal(held[5].asnumpy(), held[1])


def test_two_parameters_that_share_an_array(folding):
    def make():
        net = Stacked(plain_block, 5)
        net.blocks[3].dense.weight = net.blocks[1].dense.weight  # one Parameter in two layers
        net.blocks[4].dense.bias.set_data(net.blocks[0].dense.bias)
        return step_of(net)

    *_, state, _ = both(make, X4, Y2)
    assert len([name for name in state if name.endswith("dense.weight")]) == 4 * 3  # and two moments of each


def test_networks_that_share_layers_take_turns(folding):
    def make():
        shared = Stacked(plain_block, 6)

        class Some(nn.Cell):
            def __init__(self):
                super().__init__()
                self.blocks, self.last = nn.CellList(list(shared.blocks)[:5]), nn.Dense(4, 2)

            def construct(self, x):
                for block in self.blocks:
                    x = block(x)
                return self.last(x)

        step = step_of(shared)
        step.other = step_of(Some())
        return step

    def between(step, i):
        return step.other(Tensor(X4), Tensor(Y2)).asnumpy()

    *_, lengths = both(make, X4, Y2, between=between)
    assert lengths == [6, 6]


def test_another_thread_reads_while_this_one_trains(folding):
    ms.set_context(mode=ms.GRAPH_MODE)
    found, ended, seen, wrong = [], threading.Event(), [], []

    def read(step):
        parameters = list(step.get_parameters())
        while not ended.is_set():
            for p in parameters:
                try:
                    seen.append(p.asnumpy().shape)
                    p.value()
                except (RuntimeError, ValueError) as error:  # it was just given to the step
                    if "deleted" not in str(error):
                        wrong.append(error)

    for watched in (False, True):
        ms.set_seed(5)
        step = step_of(Stacked(plain_block, 5))
        step(Tensor(X4), Tensor(Y2))
        reader = threading.Thread(target=read, args=(step,))
        if watched:
            reader.start()
        for _ in range(50):
            step(Tensor(X4), Tensor(Y2))
        ended.set()
        if watched:
            reader.join()
        ended.clear()
        found.append(state_of(step))
    assert seen and not wrong
    for name, value in found[0].items():
        np.testing.assert_array_equal(found[1][name], value, err_msg=name)
