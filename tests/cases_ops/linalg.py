"""Matrix products and decompositions, FFT."""

from golden_cases import Table, arr, ints, lit

C = Table()
SPD = lit([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], "float32")
SPD64 = lit([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], "float64")
SQUARE = lit([[2.0, -1.0, 0.5], [0.25, 3.0, 1.0], [-1.5, 0.75, 1.0]], "float32")

for a, b in [
    ((3, 4), (4, 2)),
    ((4,), (4,)),
    ((3, 4), (4,)),
    ((4,), (4, 2)),
    ((2, 3, 4), (4, 2)),
    ((2, 1, 3, 4), (5, 4, 2)),
]:
    C("ops.matmul", arr(*a), arr(*b))
    C("lambda x, y: x @ y", arr(*a), arr(*b))
C("ops.matmul", ints(3, 4, low=-3), ints(4, 2))
C("ops.matmul", arr(3, 4, dtype="float16"), arr(4, 2, dtype="float16"), _rtol=4e-3, _atol=1e-2)
C("ops.matmul", arr(3, 4), arr(3, 2), _raises="RuntimeError")
C("ops.MatMul()", arr(3, 4), arr(4, 2))
C("ops.MatMul(transpose_a=True)", arr(4, 3), arr(4, 2))
C("ops.MatMul(False, True)", arr(3, 4), arr(2, 4))
C("ops.MatMul()", arr(3, 4), arr(3, 2), _raises="ValueError")
C("ops.BatchMatMul()", arr(2, 3, 4), arr(2, 4, 2))
C("ops.BatchMatMul(True, True)", arr(2, 4, 3), arr(2, 2, 4))
C("Tensor.matmul", arr(3, 4), arr(4, 2))
C("mint.matmul", arr(2, 3, 4), arr(4, 2))
C("mint.mm", arr(3, 4), arr(4, 2), _like="ops.mm")
C("mint.bmm", arr(2, 3, 4), arr(2, 4, 2))
C("mnp.matmul", arr(3, 4), arr(4, 2))
C("ops.mm", arr(3, 4), arr(4, 2))
C("ops.bmm", arr(2, 3, 4), arr(2, 4, 2))
C("ops.mv", arr(3, 4), arr(4))
C("ops.dot", arr(3, 4), arr(4, 2))
C("mnp.dot", arr(3, 4), arr(4))
C("mnp.dot", arr(2, 3, 4), arr(4, 2))
C("ops.inner", arr(3), arr(3))
C("ops.inner", arr(2, 3), arr(4, 3))
C("mnp.inner", arr(2, 3), arr(4, 3))
C("ops.outer", arr(3), arr(2))
C("mnp.outer", arr(3), arr(2))
C("mint.outer", arr(3), arr(2), _like="ops.outer")
C("ops.ger", arr(3), arr(2))
C("ops.kron", arr(2, 2), arr(1, 3))
C("ops.kron", lit([[3, 1]], "int32"), lit(2, "int64"))
C("ops.kron", lit([[3, 1]], "float16"), lit(2.0, "float32"))
C("mnp.kron", arr(2, 2), arr(1, 3))
C("ops.cross", arr(2, 3), arr(2, 3), 1)
C("ops.Cross(1)", arr(2, 3), arr(2, 3))
C("mnp.cross", arr(2, 3), arr(2, 3))
C("ops.addmm", arr(3, 2), arr(3, 4), arr(4, 2), beta=0.5, alpha=2)
C("mint.addmm", arr(3, 2), arr(3, 4), arr(4, 2), beta=0.5, alpha=2, _like="ops.addmm")
C("ops.addmv", arr(3), arr(3, 4), arr(4))
C("ops.addbmm", arr(3, 2), arr(2, 3, 4), arr(2, 4, 2))
C("ops.addr", arr(3, 2), arr(3), arr(2))
C("ops.baddbmm", arr(2, 3, 2), arr(2, 3, 4), arr(2, 4, 2), beta=0.5, alpha=2)
C("mint.baddbmm", arr(2, 3, 2), arr(2, 3, 4), arr(2, 4, 2), beta=0.5, alpha=2, _like="ops.baddbmm")
C("ops.tensor_dot", arr(2, 3, 4), arr(4, 3, 2), ((1, 2), (1, 0)))
C("ops.tensor_dot", arr(2, 3), arr(3, 4), 1)
C("mnp.tensordot", arr(2, 3, 4), arr(4, 3, 2), ((1, 2), (1, 0)))
for _dot in ("ops.tensor_dot", "mnp.tensordot"):
    C(_dot, arr(2, 3), arr(3, 2), 2)  # lengths that fit in the opposite order only
    C(_dot, arr(2, 3, 4), arr(4, 2, 3), ((1, 0), (1, 2)))
    C(_dot, arr(2, 3), arr(3, 2), -1, _raises="ValueError")
    C(_dot, arr(2, 3), arr(3, 2), 3, _raises="ValueError")
C("ops.batch_dot", arr(2, 3, 4), arr(2, 4, 5), (2, 1))
C("ops.vecdot", arr(2, 3), arr(2, 3))
C("mnp.multi_dot", [arr(2, 3), arr(3, 4), arr(4, 2)])
for equation, like, *shapes in (
    ("ij,jk->ik", "x @ y", (2, 3), (3, 4)),
    ("bij,bjk->bik", "x @ y", (2, 2, 3), (2, 3, 2)),
    ("ii", "ops.trace(x)", (3, 3)),
    ("ij->ji", "x.T", (2, 3)),
    ("i,j->ij", "ops.outer(x, y)", (3,), (2,)),
    ("ij,ij->", "(x * y).sum()", (2, 3), (2, 3)),
    ("bhqd,bhkd->bhqk", "x @ y.swapaxes(2, 3)", (1, 2, 3, 4), (1, 2, 5, 4)),
    ("ij->j", "x.sum(0)", (2, 3)),
):
    C("ops.einsum", equation, *[arr(*s) for s in shapes], _like=f"lambda equation, x, y=None: {like}")
C("mint.einsum", "ij,jk->ik", arr(2, 3), arr(3, 4), _like="lambda equation, x, y: x @ y")
C("ops.Einsum('ij,jk->ik')", (arr(2, 3), arr(3, 4)), _like="lambda x: x[0] @ x[1]")
C("ops.BiasAdd()", arr(2, 3), arr(3))
C("ops.BiasAdd()", arr(2, 3, 4, 4), arr(3))
C("ops.BiasAdd('nhwc')", arr(2, 3, 4, 5), arr(5))
C("ops.BiasAdd('Nchw')", arr(2, 3, 4, 5), arr(3))
C("ops.BiasAdd('NDHWC')", arr(2, 3, 2, 2, 3), arr(3), _raises="ValueError")
C("ops.bias_add", arr(2, 3), arr(3))
C("ops.dense", arr(2, 3), arr(4, 3), arr(4))
C("F.linear", arr(2, 3), arr(4, 3), arr(4), _like="ops.dense")
C("ops.bidense", arr(2, 3), arr(2, 4), arr(5, 3, 4), arr(5))
C("ops.inverse", SQUARE, _grad_rtol=1e-3)
C("ops.MatrixInverse()", SQUARE, _grad_rtol=1e-3)
C("ops.det", SQUARE, _grad_rtol=1e-3)
C("ops.MatrixDeterminant()", SQUARE, _grad_rtol=1e-3)
C("ops.slogdet", SQUARE, _grad_rtol=1e-3)
C("ops.logdet", SPD, _grad_rtol=1e-3)
C("ops.cholesky", SPD, _grad_rtol=1e-3)
C("ops.cholesky", SPD64, True)
C("ops.cholesky_inverse", lit([[2.0, 0.0], [0.5, 1.5]], "float32"), _grad=False)
C("ops.cholesky_solve", arr(3, 2), SPD, _grad=False)
C("ops.matrix_solve", SQUARE, arr(3, 2), _grad_rtol=1e-3)
C("ops.MatrixSolve()", SQUARE, arr(3, 2), _grad_rtol=1e-3)
C("ops.MatrixTriangularSolve()", SPD, arr(3, 2))
C("ops.lu_solve", arr(3, 2), SPD, lit([1, 2, 3], "int32"), _grad=False)
C("lambda x: ops.svd(x)[0]", arr(3, 2), _rtol=1e-4)
C("lambda x: ops.svd(x, compute_uv=False)", arr(3, 2), _rtol=1e-4)
C("lambda x: (lambda s, u, v: u @ ops.diag(s) @ v.swapaxes(-1, -2))(*ops.svd(x))", arr(3, 2), _rtol=1e-4, _atol=1e-5)
C("lambda x: (lambda q, r: q @ r)(*ops.qr(x))", arr(3, 3), _grad=False, _rtol=1e-4, _atol=1e-5)
C("lambda x: ops.abs(ops.qr(x)[1])", arr(3, 3), _grad=False, _rtol=1e-4, _atol=1e-5)
C("lambda x: ops.pinv(x)", arr(3, 2), _rtol=1e-3, _atol=1e-4)
C("lambda x: ops.pinv(x, hermitian=True)", arr(3, 3), _rtol=1e-3, _atol=1e-4)
C("ops.matrix_exp", SQUARE, _grad=False, _rtol=1e-4)
C("ops.matrix_power", SQUARE, 3, _grad_rtol=1e-3)
C("ops.matrix_power", SQUARE, -2, _rtol=1e-3)
C("ops.geqrf", arr(3, 2), _grad=False, _rtol=1e-4)
C("ops.orgqr", arr(3, 2), arr(2), _grad=False, _rtol=1e-4)
C("ops.adjoint", arr(2, 3))
C("ops.matrix_band_part", arr(3, 4), 1, 0)
C("ops.matrix_diag", arr(2, 3))
C("ops.matrix_diag_part", arr(3, 3), lit(0, "int32"), lit(0.0, "float32"))
C("ops.matrix_set_diag", arr(3, 3), arr(3))
C("ops.cond", SQUARE, _rtol=1e-3)
C("msp.linalg.cho_factor", SPD, _grad=False)
C("msp.linalg.inv", SQUARE, _rtol=1e-4)
C("msp.linalg.det", SQUARE, _rtol=1e-4)
C("msp.linalg.solve_triangular", SPD, arr(3), lower=True, _rtol=1e-4)
C("msp.linalg.block_diag", arr(2, 2), arr(1, 3))
C("lambda x: msp.linalg.eigh(x, eigvals_only=True)", SPD, _grad=False, _rtol=1e-4)
C("msp.linalg.lu", SQUARE, _grad=False, _rtol=1e-4, _atol=1e-5)
C(
    "lambda x: ops.FFTWithSize(signal_ndim=1, inverse=False, real=False)(x)",
    arr(4, dtype="complex64"),
    _grad=False,
    _atol=1e-4,
)
C(
    "lambda x: ops.FFTWithSize(signal_ndim=1, inverse=True, real=False)(x)",
    arr(4, dtype="complex64"),
    _grad=False,
    _atol=1e-4,
)
C("lambda x: ops.FFTWithSize(signal_ndim=2, inverse=False, real=True)(x)", arr(4, 4), _grad=False, _atol=1e-4)
C.each("ops.{}", "fft ifft fft2 ifft2 fftn ifftn", arr(4, 4, dtype="complex64"), _grad=False, _atol=1e-4)
C.each("ops.{}", "fft rfft rfft2 rfftn hfft ihfft", arr(4, 4), _atol=1e-4)
C.each("ops.{}", "irfft irfft2", arr(4, 3, dtype="complex64"), _grad=False, _atol=1e-4)
PARTS = "lambda a, b: (lambda z: ops.real(z) + ops.imag(z) * 2)({}(ops.Complex()(a, b)))"  # gradients between real ends
C(PARTS.format("ops.FFTWithSize(signal_ndim=1, inverse=True, real=True)"), arr(2, 1), arr(2, 1), _raises="ValueError")
for inverse in (False, True):
    C(PARTS.format(f"ops.FFTWithSize(signal_ndim=1, inverse={inverse}, real=False)"), arr(2, 4), arr(2, 4), _atol=1e-4)
C("lambda x: ops.abs(ops.FFTWithSize(signal_ndim=1, inverse=False, real=True)(x))", arr(2, 4), _atol=1e-4)
C(
    "lambda a, b: ops.FFTWithSize(signal_ndim=1, inverse=True, real=True)(ops.Complex()(a, b))",
    arr(2, 3),
    arr(2, 3),
    _atol=1e-4,
)
for name in "fft ifft fft2 ifft2 fftn ifftn".split():
    C(PARTS.format(f"ops.{name}"), arr(4, 4), arr(4, 4), _atol=1e-4)
C.each("lambda x: ops.abs(ops.{}(x))", "rfft rfft2 rfftn ihfft", arr(4, 4), _atol=1e-4)
C.each("lambda a, b: ops.{}(ops.Complex()(a, b))", "irfft irfft2 hfft", arr(4, 3), arr(4, 3), _atol=1e-4)
C("ops.fftshift", arr(4))
C("ops.ifftshift", arr(5))
C("ops.fftfreq", 5, 0.5)
C("ops.rfftfreq", 5)
C("ops.stft", arr(16), 8, 4, _grad=False, _atol=1e-4)
