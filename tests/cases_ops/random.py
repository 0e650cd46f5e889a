"""Random operators: only dtypes and shapes can be compared."""

from golden_cases import Table, arr, ints, lit, pos

C = Table()
for line in (
    "ops.standard_normal((2, 3))",
    "ops.StandardNormal()((2, 3))",
    "ops.StandardLaplace()((2, 3))",
    "ops.UniformReal(1)((2, 3))",
    "ops.UniformInt()((2, 3), Tensor(0, ms.int32), Tensor(5, ms.int32))",
    "ops.uniform((2, 3), Tensor(0.0), Tensor(1.0))",
    "ops.uniform((2, 3), Tensor(0, ms.int32), Tensor(5, ms.int32), dtype=ms.int32)",
    "ops.normal((2, 3), 0.0, 1.0)",
    "ops.normal((2, 3), Tensor([0.0, 1.0, 2.0]), Tensor(1.0))",
    "ops.laplace((2, 3), Tensor(0.0), Tensor(1.0))",
    "ops.gamma((2, 3), Tensor(1.0), Tensor(1.0))",
    "ops.rand(2, 3)",
    "ops.randn(2, 3)",
    "ops.rand((2, 3))",
    "ops.randint(0, 5, (2, 3))",
    "ops.randperm(5)",
    "ops.multinomial(Tensor([0.1, 0.9]), 4, True)",
    "ops.Multinomial()(Tensor([[0.1, 0.9]]), 4)",
    "ops.bernoulli(Tensor([0.1, 0.9]))",
    "ops.bernoulli(Tensor([1, 2, 3], ms.int32), 0.5)",
    "ops.random_poisson(Tensor([2, 3], ms.int32), Tensor(1.0))",
    "ops.random_gamma(Tensor([2, 3], ms.int32), Tensor(1.0))",
    "ops.dropout(Tensor(np.ones((2, 3), np.float32)), 0.5)",
    "ops.Dropout(0.5)(Tensor(np.ones((2, 3), np.float32)))",
    "ops.dropout1d(Tensor(np.ones((1, 2, 3), np.float32)), 0.5)",
    "ops.dropout2d(Tensor(np.ones((1, 2, 3, 3), np.float32)), 0.5)",
    "ops.Dropout2D(0.5)(Tensor(np.ones((1, 2, 3, 3), np.float32)))",
    "ops.Dropout3D(0.5)(Tensor(np.ones((1, 2, 3, 3, 3), np.float32)))",
    "ops.shuffle(Tensor([1, 2, 3]))",
    "ops.gumbel_softmax(Tensor(np.ones((2, 3), np.float32)), 1.0, True)",
    "ops.RandomChoiceWithMask(count=3)(Tensor([[True, False], [True, True]]))",
    "ops.choice_with_mask(Tensor([True, False, True]), 2)",
    "ops.RandomCategorical()(Tensor([[0.1, 0.9]]), 4, 0)",
    "ops.random_categorical(Tensor([[0.1, 0.9]]), 4)",
    "ops.log_uniform_candidate_sampler(Tensor([[1, 2]]), 2, 3, True, 5)",
    "ops.uniform_candidate_sampler(Tensor([[1, 2]]), 2, 3, True, 5)",
    "ops.ParameterizedTruncatedNormal()(Tensor([2, 3], ms.int32), Tensor(0.0), Tensor(1.0), Tensor(-2.0), Tensor(2.0))",
    "ops.TruncatedNormal()(Tensor([2, 3], ms.int32))",
    "ops.rrelu(Tensor(np.ones((2, 3), np.float32)))",
    "mnp.rand(2, 3)",
    "mnp.randn(2, 3)",
    "mnp.randint(0, 5, (2, 3))",
    "nn.Dropout(p=0.5)(Tensor(np.ones((2, 3), np.float32)))",
    "ms.common.initializer.initializer('normal', [2, 3], ms.float16).init_data()",
):
    C(f"lambda: {line}", _random=True)
for _shape in ("(2,)", "[2]", "Tensor([2.0])", "np.array([2])"):
    C(f"lambda: ops.random_poisson({_shape}, Tensor([1.0]))", _raises="TypeError")
for _shape in ("Tensor(2)", "Tensor([[2]])", "Tensor([-2])"):
    C(f"lambda: ops.random_poisson({_shape}, Tensor([1.0]))", _raises="ValueError")
C.each(
    "lambda: ops.random_poisson(Tensor([2]), Tensor([1.0]), dtype=ms.{})", "int8 bool_ bfloat16", _raises="TypeError"
)
C("lambda: ops.random_poisson(Tensor([2]), Tensor([1], ms.int16))", _raises="TypeError")
C("lambda: ops.random_gamma((2,), Tensor([1.0]))", _raises="TypeError")
C("lambda: ops.random_gamma(Tensor(2), Tensor([1.0]))", _raises="ValueError")
C("lambda: ops.random_gamma(Tensor([2]), Tensor([1]))", _raises="TypeError")
C.each("ops.{}", "rand_like randn_like", arr(2, 3), _random=True)
C.each("ops.{}", "rand_like randn_like", arr(2, 3, dtype="float16"), _random=True)
C("ops.randn_like", ints(2, 3), _random=True)
C("ops.randint_like", ints(2, 3), 0, 5, _random=True)
for name, arguments, like in (
    ("rand", "2, 3", "rand(2, 3)"),
    ("randn", "2, 3", "randn(2, 3)"),
    ("randint", "0, 5, (2, 3)", "randint(0, 5, (2, 3))"),
    ("normal", "0.0, 1.0, (2, 3)", "normal((2, 3), 0.0, 1.0)"),
    ("randperm", "5", "randperm(5)"),
):
    C(f"lambda: mint.{name}({arguments})", _random=True, _like=f"lambda: ops.{like}")
C.each("mint.{}", "rand_like randn_like", arr(2, 3), _random=True, _like="ops.{}")
C("mint.bernoulli", lit([0.1, 0.9], "float32"), _random=True, _like="ops.bernoulli")
C(
    "mint.multinomial",
    lit([0.1, 0.9], "float32"),
    1,
    _random=True,
    _like="lambda x, n: ops.multinomial(x, n).astype(ms.int64)",
)
C("F.dropout", arr(2, 3), 0.5, True, _random=True, _like="ops.dropout")
C("Tensor.bernoulli", pos(2), 0.5, _random=True, _like="ops.bernoulli")
C("Tensor.multinomial", pos(4), 2, _random=True)
C("Tensor.uniform", arr(2, 3), _random=True)
