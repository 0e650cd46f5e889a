"""Communication operators in a group of one process: what each gives, and what it refuses."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, ops
from mindspore import dtype as mstype
from mindspore.ops import communication

X = np.arange(6, dtype=np.float32)
WORLD = "hccl_world_group"


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ops.AllGatherV()(x, [6]),
        lambda x: ops.AllGatherV()(x, Tensor([6])),
        lambda x: ops.ReduceScatterV()(x, (6,)),
        lambda x: ops.ReduceScatterV("max", WORLD)(x, Tensor([6])),
        lambda x: ops.AlltoAllV()(x, [6], [6]),
        lambda x: ops.AlltoAllV(block_size=2)(x, [3], (3,)),
        lambda x: ops.AlltoAllVC()(x, [6]),
        lambda x: ops.AlltoAllVC(WORLD, 3, True)(x, Tensor([[2]])),
        lambda x: ops.BatchISendIRecv(("isend", "irecv"), [0, 0], [(6,)], (mstype.float32,))((x,))[1],
        lambda x: ops.NeighborExchange([0], [0], ([6],), ([6],), mstype.float32)((x,))[0],
        lambda x: ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")(x.reshape(1, 1, 2, 3)).reshape(
            -1
        ),
        lambda x: ops.Reshard((ms.Layout((1,), ("dp",))("dp"),), (ms.Layout((1,), ("dp",))("dp"),), ((1,),))(x),
        lambda x: ops.reshard(x, ms.Layout((1,), ("dp",))("dp")),
        lambda x: ops.Send(3, 0)(x),
    ],
)
def test_one_process_gets_its_own_tensor_and_gradient(call):
    np.testing.assert_array_equal(call(Tensor(X)).asnumpy(), X)
    gradient = ms.grad(lambda x: (call(x) * x).sum())(Tensor(X))
    np.testing.assert_allclose(gradient.asnumpy(), 2 * X)


def test_empty_pieces_are_scalars():
    assert ops.AllGatherV()(Tensor(X[:0]), [0]).shape == ()
    assert ops.AlltoAllV()(Tensor(X[:0]), [0], [0]).shape == ()


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda x: ops.AllGatherV()(x, [3, 3]), ValueError, "one number for each process"),
        (lambda x: ops.AllGatherV()(x, [5]), ValueError, "all 6 elements"),
        (lambda x: ops.AllGatherV()(x.reshape(2, 3), [6]), ValueError, "one axis"),
        (lambda x: ops.AllGatherV()(x, [6.0]), TypeError, "ints"),
        (lambda x: ops.ReduceScatterV("prod")(x, [6]), ValueError, "prod"),
        (lambda x: ops.AlltoAllV(block_size=2.0)(x, [3], [3]), TypeError, "block_size"),
        (lambda x: ops.AlltoAllV()(x, [6], [5]), ValueError, "recv_numel_list"),
        (lambda x: ops.AlltoAllVC(group=3)(x, [6]), TypeError, "group"),
        (lambda x: ops.Send(0, 1), ValueError, "dest_rank"),
        (lambda x: ops.Receive(0, 0.0, [6], mstype.float32), TypeError, "src_rank"),
        (lambda x: ops.Receive("nobody", 0, [6], mstype.float32)(), RuntimeError, "nothing was sent"),
        (lambda x: ops.BatchISendIRecv("isend", [0]), TypeError, "op_types"),
        (lambda x: ops.BatchISendIRecv(("isend", "irecv"), [0]), ValueError, "remote_ranks"),
        (lambda x: ops.BatchISendIRecv(("isend", "irecv"), [0, 0], [()]), ValueError, "receive_dtypes"),
        (lambda x: ops.BatchISendIRecv(("isend",), [0]), ValueError, "isend"),
        (
            lambda x: ops.BatchISendIRecv(("isend", "irecv"), [0, 0], [(6,)], [mstype.float32])(()),
            RuntimeError,
            "as many",
        ),
        (
            lambda x: ops.BatchISendIRecv(("isend", "irecv"), [0, 0], [(5,)], [mstype.float32])((x,)),
            ValueError,
            "shape",
        ),
        (lambda x: ops.NeighborExchange([1], [0], ([6],), ([6],), mstype.float32), ValueError, "send_rank_ids"),
        (lambda x: ops.NeighborExchange([0], [0], ([6],), ([6],), mstype.int32)((x,)), ValueError, "Int32"),
        (
            lambda x: ops.NeighborExchangeV2([0] + [-1] * 7, [0] * 4, [-1] * 8, [0] * 4, "NCHW"),
            ValueError,
            "no neighbours",
        ),
        (lambda x: ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [1, 0, 0, 0], "NCHW"), ValueError, "nobody"),
        (lambda x: ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NHWC"), ValueError, "NCHW"),
        (lambda x: ops.Reshard(1, 1, 1), TypeError, "Layout"),
        (lambda x: ops.reshard(x, 1), TypeError, "Layout"),
    ],
)
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        call(Tensor(X))


def test_a_process_receives_what_it_sent_in_order_and_by_tag():
    for tag, value in ((0, 1.0), (1, 2.0), (0, 3.0)):
        ops.Send(sr_tag=tag, dest_rank=0)(Tensor([value]))
    got = [ops.Receive(tag, 0, [1], mstype.float32)().asnumpy()[0] for tag in (0, 0, 1)]
    assert got == [1, 3, 2]
    ops.Send(5, 0)(Tensor([1.0]))
    with pytest.raises(ValueError, match="shape"):
        ops.Receive(5, 0, [2], mstype.float32)()


def test_sending_in_compiled_code_is_refused():
    with pytest.raises(RuntimeError, match="outside compiled code"):
        ms.jit(lambda x: ops.Send(7, 0)(x), fullgraph=True)(Tensor([1.0]))


A = np.random.RandomState(0).randn(3, 4)
B = np.random.RandomState(1).randn(4, 5)


@pytest.mark.parametrize("transposed", [False, True])
def test_matrix_products_with_communication(transposed):
    a, b = Tensor(A, mstype.float32), Tensor(B.T if transposed else B, mstype.float32)
    out, gathered = ops.all_gather_matmul(a, b, WORLD, 1, trans_x2=transposed)
    np.testing.assert_allclose(out.asnumpy(), A @ B, rtol=1e-5)
    np.testing.assert_array_equal(gathered.asnumpy(), a.asnumpy())
    np.testing.assert_allclose(
        ops.matmul_reduce_scatter(a, b, WORLD, 1, trans_x2=transposed).asnumpy(), A @ B, rtol=1e-5
    )
    for fn in (
        lambda x, y: ops.all_gather_matmul(x, y, WORLD, 1, trans_x2=transposed)[0].sum(),
        lambda x, y: ops.matmul_reduce_scatter(x, y, WORLD, 1, trans_x2=transposed).sum(),
    ):
        da, db = ms.grad(fn, (0, 1))(a, b)
        np.testing.assert_allclose(da.asnumpy(), np.tile(B.sum(1), (3, 1)), rtol=1e-5)
        wanted = np.tile(A.sum(0)[:, None], (1, 5))
        np.testing.assert_allclose(db.asnumpy(), wanted.T if transposed else wanted, rtol=1e-5)


@pytest.mark.parametrize(
    "keywords, text",
    [
        ({"world_size": 2}, "one process"),
        ({"bias": Tensor([1.0])}, "bias"),
        ({"comm_turn": 1}, "comm_turn"),
        ({"trans_input": True}, "trans_input"),
        ({"x2": Tensor([1.0])}, "two axes"),
        ({"x2": Tensor(B, mstype.float16)}, "same dtype"),
        ({"x2": Tensor(B.T, mstype.float32)}, "inner lengths"),
    ],
)
def test_matrix_products_refuse(keywords, text):
    given = {
        "input": Tensor(A, mstype.float32),
        "x2": Tensor(B, mstype.float32),
        "group": WORLD,
        "world_size": 1,
        **keywords,
    }
    for fn in (ops.all_gather_matmul, ops.matmul_reduce_scatter):
        with pytest.raises(RuntimeError, match=text):
            fn(**given)
    with pytest.raises(RuntimeError, match="gather_index"):
        ops.all_gather_matmul(**{**given, "gather_index": 1})
    with pytest.raises(RuntimeError, match="reduce_op"):
        ops.matmul_reduce_scatter(**{**given, "reduce_op": "max"})


def test_gather_output_can_be_left_out():
    out = ops.all_gather_matmul(Tensor(A), Tensor(B), WORLD, 1, gather_output=False)
    assert out[1].shape == (0,)


@pytest.fixture
def new_tensors():
    ops.set_comm_ops_inplace(False)
    yield
    ops.set_comm_ops_inplace(True)


def test_functions_write_into_their_tensors_at_first():
    x, out = Tensor(X), Tensor(np.zeros(6, np.float32))
    assert ops.all_reduce(x) is None and communication.all_reduce is ops.all_reduce
    assert ops.all_to_all_v_c(out, x, [6]) is None
    np.testing.assert_array_equal(out.asnumpy(), X)
    handle = communication.all_to_all_v_c(out, x, [6], async_op=True)
    assert handle.wait() is None


def test_functions_give_new_tensors_when_asked(new_tensors):
    x = Tensor(X)
    for made, handle in (
        ops.all_reduce(x),
        ops.all_reduce(x, async_op=True),
        ops.all_gather_into_tensor(None, x),
        ops.reduce_scatter_tensor(None, x),
        ops.all_to_all_single(None, x),
    ):
        assert made is not x and (handle is None or handle.wait() is None)
        np.testing.assert_array_equal(made.asnumpy(), X)
    (made,), _ = ops.all_to_all([(6,)], [x])
    np.testing.assert_array_equal(made.asnumpy(), X)
    ops.send(x)
    place = Tensor(np.zeros(6, np.float32))
    np.testing.assert_array_equal(ops.recv(place).asnumpy(), X)
    assert not place.asnumpy().any()
    ops.isend(x)
    np.testing.assert_array_equal(ops.irecv(place)[0].asnumpy(), X)
    for call in (lambda: ops.all_to_all_v_c(place, x, [6]), lambda: ops.broadcast(x, 0), lambda: ops.reduce(x, 0)):
        with pytest.raises(ValueError, match="set_comm_ops_inplace"):
            call()
    assert mint.distributed.all_reduce(x) is None  # always writes


def test_set_comm_ops_inplace_checks():
    for arguments, error in (((1,), TypeError), ((False, "x"), TypeError), ((False, ["x"]), ValueError)):
        with pytest.raises(error, match="set_comm_ops_inplace"):
            ops.set_comm_ops_inplace(*arguments)


@pytest.mark.parametrize(
    "matrix, error", [((6,), TypeError), ([6.0], TypeError), ([3, 3, 3, 3], TypeError), ([5], ValueError)]
)
def test_all_to_all_v_c_checks(matrix, error):
    with pytest.raises(error, match="send_count_matrix"):
        ops.all_to_all_v_c(Tensor(X), Tensor(X), matrix)


def test_point_to_point_operations_of_ops():
    x, place = Tensor(X), Tensor(np.zeros(6, np.float32))
    ops.batch_isend_irecv([ops.P2POp(ops.irecv, place, 0), ops.P2POp(ops.isend, x, 0)])
    np.testing.assert_array_equal(place.asnumpy(), X)
