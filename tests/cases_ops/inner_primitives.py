"""Primitives that MindSpore has in its inner modules alone: sparse Tensors by positions and by rows, second versions of operators."""

from golden_cases import Table, arr, lit

C = Table()
N = {"_grad": False, "_jit": False}  # positions must be values


def of(name, module="sparse_ops"):
    return f"getattr(__import__('mindspore.ops.operations.{module}', fromlist=['x']), '{name}')"


def i64(values):
    return lit(values, "int64")


def f32(values):
    return lit(values, "float32")


X = (i64([[0, 1], [1, 0], [1, 2]]), f32([1.5, -2.0, 0.5]), i64([2, 3]))
Y = (i64([[0, 1], [1, 1]]), f32([2.0, -1.0]), i64([2, 3]))
# two rows, three columns; columns of row 0: 1; of row 1: 0 and 2
M = (i64([2, 3]), i64([0, 3]), i64([0, 1, 3]), i64([1, 0, 2]), f32([1.5, -2.0, 0.5]))

for name in ("SparseDenseCwiseAdd", "SparseDenseCwiseMul"):
    C(f"{of(name)}()", *X, f32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), **N)
for name in ("SparseSparseMaximum", "SparseSparseMinimum"):
    C(f"{of(name)}()", *X, *Y, **N)
C(f"{of('SparseAdd')}()", *X, *Y, f32(0.0), **N)
C(f"{of('SparseReorder')}()", i64([[1, 0], [0, 1]]), f32([1.0, 2.0]), i64([2, 3]), **N)
C(f"{of('SparseToDenseV2')}()", X[0], X[2], X[1], f32(9.0), **N)
C(f"{of('SparseSoftmax')}()", *X, **N)
C(f"{of('SparseAddmm')}()", *X, arr(3, 2), arr(2, 2), f32([2.0]), f32([0.5]), **N)
C(f"{of('SparseConcat')}(1)", (X[0], Y[0]), (X[1], Y[1]), (X[2], Y[2]), **N)
C(f"{of('SparseFillEmptyRows')}()", i64([[0, 1], [2, 0]]), f32([1.0, 2.0]), i64([4, 3]), f32(7.0), **N)
for operation in ("a-b", "b-a", "intersection", "union"):
    C(f"{of('DenseToDenseSetOperation')}('{operation}')", i64([[1, 2], [3, 4]]), i64([[2, 5], [3, 4]]), **N)
SEGMENTS = (arr(4, 2), lit([0, 2, 1], "int32"), lit([0, 0, 1], "int32"))
for name in ("SparseSegmentSum", "SparseSegmentSqrtN"):
    C(f"{of(name)}()", *SEGMENTS, **N)
    C(f"{of(name + 'WithNumSegments')}()", *SEGMENTS, lit([4], "int32"), **N)
C(f"{of('SparseSegmentMean', 'math_ops')}()", *SEGMENTS, **N)
C(f"{of('SparseSegmentMeanWithNumSegments')}()", *SEGMENTS, lit([4], "int32"), **N)
C(f"{of('SparseCountSparseOutput')}()", i64([[0, 0], [0, 1], [1, 0]]), i64([2, 2, 1]), i64([2, 2]), i64([5, 6, 7]), **N)

for name in ("CSRSparseMatrixToDense", "CSRSparseMatrixToSparseTensor", "SparseMatrixNNZ", "SparseMatrixTranspose"):
    C(f"{of(name)}()", *M, **N)
C(f"{of('SparseTensorToCSRSparseMatrix')}()", *X[:2], X[2], **N)
C(f"{of('DenseToCSRSparseMatrix')}()", arr(2, 3), X[0], **N)
C(f"{of('SparseMatrixAdd')}()", *M, *M, f32(2.0), f32(-1.0), **N)
C(f"{of('SparseMatrixMatMul')}()", *M, arr(3, 2), **N)
C(f"{of('SparseMatrixMatMul')}(transpose_x1=True)", *M, arr(2, 2), **N)

C(f"{of('AddV2', 'math_ops')}()", arr(2, 3), arr(2, 3))
C(f"{of('ConcatOffsetV1', 'array_ops')}()", lit(1, "int32"), (lit([1, 2], "int32"), lit([1, 5], "int32")), **N)
C(f"{of('RangeV2', 'array_ops')}()", lit(1, "int32"), lit(7, "int32"), lit(2, "int32"), **N)
C(f"{of('ReLUV3', 'nn_ops')}()", arr(2, 3), **N)
C(f"{of('SparseSoftmaxCrossEntropyWithLogitsV2', 'nn_ops')}()", arr(2, 3), lit([0, 2], "int32"), **N)
C(f"{of('AdjustContrastv2', 'image_ops')}()", arr(2, 3, 3), f32(2.0), **N)
C(f"{of('TridiagonalSolve', 'math_ops')}()", f32([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]]), arr(3, 2), **N)
C(f"{of('ClipByNorm', '_inner_ops')}()", arr(2, 3), f32(0.5), **N)
C(f"{of('DynamicBroadcastTo', '_inner_ops')}()", arr(3), (2, 3), **N)
