"""A guest in the process: importing changes nothing of the host's, `uninstall` undoes what `install` did, 64 bits are on in our calls alone."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

import msjax

STATE = """
import collections, gc, multiprocessing.spawn, os, sys, time
import absl.flags  # which optax imports: it puts a finder of its own
import jax
import numpy as np
import PIL.Image

def state():
    "What a library shall leave alone."
    return {
        "jax": {k: str(v) for k, v in jax.config.values.items()},
        "gc": (gc.isenabled(), gc.get_freeze_count(), list(gc.callbacks)),
        "finders": list(sys.meta_path),
        "hooks": (sys.excepthook, sys.displayhook),
        "printing": np.get_printoptions(),
        "spawn": multiprocessing.spawn.get_preparation_data,
        "environment": dict(os.environ),
        "path": list(sys.path),
        "names": [getattr(vars(m).get("__getattr__"), "__qualname__", None) for m in (np, collections, time, PIL.Image, PIL, multiprocessing)],
        "old names": [hasattr(np, "float_"), hasattr(collections, "Iterable"), hasattr(PIL.Image, "ANTIALIAS")],
    }

def changed(before):
    after = state()
    return [name for name in after if after[name] != before[name]]

before = state()
"""


def run(code, *command, **env):
    command = command or (sys.executable, "-W", "error", "-c")
    own = ("MSJAX_CACHE_DIR", "MSJAX", "MSJAX_PREFIX")  # what the tests themselves run under
    outside = {k: v for k, v in os.environ.items() if k not in own}
    env = {**outside, "PYTHONPATH": str(pathlib.Path(msjax.__file__).parents[1]), **env}
    done = subprocess.run([*command, code], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_importing_and_computing_leaves_the_host_as_it_was():
    code = """
import msjax, msjax.nn, msjax.train, msjax.dataset
print(changed(before))
net = msjax.nn.Dense(3, 2)
for mode in (msjax.PYNATIVE_MODE, msjax.GRAPH_MODE):
    msjax.set_context(mode=mode)
    msjax.grad(lambda x: net(x).sum())(msjax.Tensor(np.ones((2, 3), np.float32)))
print(changed(before))
"""
    assert run(STATE + code) == ["[]", "[]"]


def test_uninstall_undoes_what_install_did():
    code = """
import msjax
msjax.install()
import mindspore
print(sorted(set(changed(before)) - {"finders", "spawn", "environment", "hooks", "names"}))
msjax.uninstall()
print(changed(before))
"""
    assert run(STATE + code) == ["[]", "[]"]


def test_uninstall_undoes_what_a_notebook_was_given():
    code = """
import msjax
from msjax.alias import old_names
msjax.install(), old_names.give_back()
assert np.float_ is np.float64 and collections.Iterable and PIL.Image.ANTIALIAS is not None and repr(np.float32(1)) == "1.0"
msjax.uninstall()
print(changed(before))
"""
    assert run(STATE + code) == ["[]"]


def test_the_hosts_jax_has_32_bits_and_msjax_64():
    code = """
import jax.numpy as jnp, numpy as np
import msjax as ms
from msjax import Tensor, nn, ops

x = Tensor(np.array([0.1, 2.0]))
print(jnp.ones(3).dtype, jnp.arange(3).dtype, Tensor([1, 2]).dtype, x.dtype, Tensor([1, 2])[0].dtype, (Tensor([1]) * 2**40).item())
print((x * 0.1)[0].item() == 0.1 * 0.1, ops.tanh(x).dtype, ops.arange(3).dtype, x.sum().dtype, ms.grad(lambda v: (v * v).sum())(x).dtype)
print(ms.jit(lambda v: v + 2**40)(Tensor([1])).item() - 2**40, x.copy().dtype, ops.zeros((2,), ms.int64).dtype)
print(Tensor(x.jax_array).dtype, ms.Parameter(x, name="p").dtype, jnp.ones(3).dtype)
"""
    assert run(code) == [
        "float32 int32 Int64 Float64 Int64 1099511627776",
        "True Float64 Int64 Float64 Float64",
        "1 Float64 Int64",
        "Float64 Float64 float32",
    ]


def test_in_construct_64_bits_are_on_in_both_modes_and_outside_they_are_not():
    code = """
import jax.numpy as jnp, numpy as np
import msjax as ms
from msjax import Tensor, nn
seen = []

class Net(nn.Cell):
    def construct(self, x):
        seen.append(str(jnp.arange(2).dtype))
        return x + Tensor(jnp.arange(2))

class Fails(nn.Cell):
    def construct(self, x):
        raise KeyError(1)

for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    print(Net()(Tensor([1, 2])).dtype, seen.pop(), jnp.arange(2).dtype)
    try:
        Fails()(Tensor([1]))
    except KeyError:
        print(jnp.arange(2).dtype)
"""
    assert run(code) == ["Int64 int64 int32", "int32"] * 2


def test_programs_that_are_lowered_by_themselves_have_64_bits():
    code = """
import warnings
import numpy as np
import msjax
msjax.install()
import mindspore as ms
from mindspore import Tensor, nn, ops
from msjax.train.callback.flops import lowered_step

class Net(nn.Cell):
    def construct(self, x):
        index, value = ops.ArgMaxWithValue(1)(x)
        return ops.cast(index, ms.int64) * 2, value

warnings.simplefilter("error")
ms.set_context(mode=ms.GRAPH_MODE)
net, x = Net(), Tensor(np.ones((2, 3), np.float32))
assert "i64" in msjax.lower(net, x, platforms="tpu")
assert "i64" in lowered_step(net, (x,)).as_text()
assert "Net" in str(msjax.summary(net, x))
"""
    assert run(code) == []


def test_a_float64_tensor_in_the_hosts_jax_is_what_jax_makes_of_it():
    code = """
import jax, jax.numpy as jnp, numpy as np
from msjax import Tensor
x = Tensor(np.array([0.5]))
print(jnp.tanh(x).dtype)
with jax.enable_x64(True):
    print((jnp.asarray(x) * 2).dtype, jnp.sum(x).dtype)
"""
    assert run(code) == ["float64", "float64 float64"]


def test_a_network_within_the_hosts_own_jit():
    code = """
import jax, jax.numpy as jnp, numpy as np
import msjax as ms
from msjax import Tensor, nn, ops
net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))

@jax.jit
def f(x):
    out = net(Tensor(x))
    return ops.cumsum(out, 1).jax_array

y = f(jnp.ones((2, 3)))
print(y.dtype, np.allclose(y, ops.cumsum(net(Tensor(np.ones((2, 3), np.float32))), 1).asnumpy(), 1e-5))
with jax.enable_x64(True):  # as the guide says, for what has 64 bits
    print(jax.jit(lambda x: ops.argmax(net(Tensor(x)), 1).jax_array)(jnp.ones((2, 3), jnp.float32)).dtype)
"""
    assert run(code) == ["float32 True", "int64"]


def test_threads_have_64_bits_in_their_own_calls():
    code = """
import threading
import jax.numpy as jnp, numpy as np
from msjax import Tensor, nn, ops
seen = []

def work(i):
    for _ in range(20):
        seen.append((str((Tensor([i]) * 2**40).dtype), str(jnp.arange(2).dtype)))

threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[t.start() for t in threads], [t.join() for t in threads]
print(set(seen))
"""
    assert run(code) == ["{('Int64', 'int32')}"]


@pytest.mark.parametrize("command", [("-m", "msjax", "-c")], ids=["python -m msjax"])
def test_a_process_of_its_own_is_wide_everywhere(command):
    code = "import jax, jax.numpy as jnp, numpy as np, collections; print(jnp.arange(3).dtype, np.float_.__name__, [np.float32(1.5)])"
    assert run(code, sys.executable, *command, MSJAX_CACHE_DIR="") == ["int64 float64 [1.5]"]


def test_doctor_tells_what_is_touched():
    from msjax.cli.doctor import _process

    told = "\n".join(_process())
    for name in ("64 bits", "compiled programs", "garbage", "multiprocessing", "NumPy"):
        assert name in told


def test_values_of_64_bits_reach_python_functions_whole_whatever_thread_the_runtime_calls_them_in(tmp_path):
    code = """
import threading, numpy as np, msjax
from msjax import Tensor, ops
threads = set()

def twice(x):
    threads.add(threading.get_ident())
    return x * 2

double = ops.Custom(twice, lambda shape: shape, lambda dtype: dtype, "pyfunc")

@msjax.jit
def late(x, wait):
    for _ in range(20):
        wait = ops.matmul(wait, wait)
    i = Tensor(0)
    while i < 3:
        i, x = i + 1, double(x + wait.sum().astype(x.dtype))
    return x, wait

wait = Tensor(np.zeros((500, 500), np.float32))
for x in (Tensor([2**40 + 1]), Tensor([0.1], msjax.float64), Tensor(np.array([0.1 + 0.2j]))):
    for _ in range(4):
        out, wait = late(x, wait)
    print(out.dtype, out.asnumpy()[0] == x.asnumpy()[0] * 8)
print(len(threads) > 1)
"""
    file = tmp_path / "loop.py"  # a `while` on a Tensor is compiled from its source
    file.write_text(code)
    assert run(str(file), sys.executable, "-W", "error") == ["Int64 True", "Float64 True", "Complex128 True", "True"]


def test_64_bits_are_the_same_in_a_hosts_process():
    """Whatever makes, moves or stores arrays: a checkpoint's int64 became int32, and 2**40 in it 0, in a host's process alone."""
    program = pathlib.Path(__file__).with_name("guest_values.py")
    in_host = run(f"import msjax, runpy\nmsjax.install()\nrunpy.run_path({str(program)!r}, run_name='__main__')")
    own = run(str(program), sys.executable, "-m", "msjax")
    assert len(own) > 60 and in_host == own


_PLACING = ("device_put", "make_array_from_callback", "make_array_from_process_local_data")
# Files whose functions without `wide` are called by one that has it, or move arrays that are JAX's already.
_OF_JAX_ALONE = {
    *("core/operators/layouts.py", "core/operators/meeting.py", "core/values/deferred.py"),
    *("parallel/launch.py", "parallel/pipeline.py", "parallel/shardings.py"),
    *("hyper_parallel/dtensor.py", "hyper_parallel/pipeline.py", "hyper_parallel/sharded_cells.py"),
}


def test_values_of_the_host_go_to_devices_with_64_bits():
    """A function that gives JAX arrays of NumPy is `wide`: JAX with 32 bits would cut them, without an error."""
    package, found = pathlib.Path(msjax.__file__).parent, set()
    for path in package.rglob("*.py"):
        file = path.relative_to(package).as_posix()
        if file.startswith("ops/"):  # operators run with 64 bits on
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            places = any(
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PLACING
                for node in ast.walk(function)
            )
            if places and not any(isinstance(d, ast.Name) and d.id == "wide" for d in function.decorator_list):
                found.add(file)
    assert found <= _OF_JAX_ALONE
