"""Communication in a group of one; recorded under `msrun --worker_num=1`, as MindSpore needs a scheduler even for that."""

from golden_cases import Table, arr

C = Table()
C("ops.AllReduce()", arr(2, 4))
C("lambda x: ops.AllReduce()(x * 2) * x", arr(2, 4))
C("ops.AllReduce(ops.ReduceOp.MAX)", arr(2, 4), _like="lambda x: x")
C("ops.AllGather()", arr(2, 4), _like="lambda x: x")
C("ops.ReduceScatter()", arr(2, 4), _like="lambda x: x")
C("ops.Broadcast(0)", (arr(2, 4),), _grad=False)
C("lambda: (ops.ReduceOp.SUM, ops.ReduceOp.MAX, ops.ReduceOp.MIN, ops.ReduceOp.PROD)")
