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
for _call in (
    "standard_normal((2,), {})",
    "standard_laplace((2,), {})",
    "normal((2,), 0.0, 1.0, {})",
    "laplace((2,), Tensor(0.0), Tensor(1.0), {})",
    "gamma((2,), Tensor(1.0), Tensor(1.0), {})",
    "poisson((2,), Tensor(1.0), {})",
    "uniform((2,), Tensor(0.0), Tensor(1.0), {})",
    "random_gamma(Tensor([2]), Tensor(1.0), {})",
    "random_poisson(Tensor([2]), Tensor(1.0), {})",
    "rand(2, seed={})",
    "randn(2, seed={})",
    "rand_like(Tensor([1.0]), {})",
    "randn_like(Tensor([1.0]), {})",
    "randint(0, 3, (2,), {})",
    "randint_like(Tensor([1]), 0, 3, {})",
    "shuffle(Tensor([1, 2]), {})",
    "multinomial(Tensor([0.5, 0.5]), 2, True, {})",
    "choice_with_mask(Tensor([True, False]), 2, {})",
    "dropout(Tensor([1.0]), 0.5, True, {})",
    "uniform_candidate_sampler(Tensor([[1, 2]]), 2, 3, True, 5, {})",
    "log_uniform_candidate_sampler(Tensor([[1, 2]]), 2, 3, True, 5, {})",
):
    C(f"lambda: ops.{_call.format(-1)}", _raises="ValueError")
    C(f"lambda: ops.{_call.format(True)}", _raises="TypeError")
for _call in ("standard_normal((2,), {})", "rand(2, seed={})"):
    C(f"lambda: ops.{_call.format(False)}", _random=True)
    C(f"lambda: ops.{_call.format('np.int32(3)')}", _raises="TypeError")
for _line in (
    "ops.bernoulli(Tensor([1.0]), Tensor(0.5), True)",
    "ops.bernoulli(Tensor([1.0]), 1)",
    "ops.bernoulli(Tensor([1.0]), Tensor(1))",
    "ops.bernoulli(Tensor([1.0], ms.float16), 0.5)",
    "ops.randperm(4, seed=True)",
    "ops.randperm(4, offset=True)",
    "ops.randperm(4, dtype=ms.uint16)",
    "ops.randperm(4, dtype=ms.bool_)",
    "ops.random_categorical(Tensor([[0.1, 0.9]]), 4, True)",
    "ops.random_categorical(Tensor([[0.1, 0.9]]), True)",
    "ops.random_categorical(Tensor([[0.1, 0.9]]), 2, 0, ms.float32)",
    "ops.random_categorical(Tensor([[1, 9]]), 2)",
    "ops.multinomial(Tensor([True, False]), 2)",
    "ops.Multinomial(dtype=ms.float32)(Tensor([0.1, 0.9]), 2)",
    "ops.multinomial_with_replacement(Tensor([0.1, 0.9]), 1.0, 0, 2, True)",
    "ops.choice_with_mask(Tensor([1, 0]), 2)",
    "ops.choice_with_mask(Tensor([True, False]), Tensor(2))",
    "ops.StandardNormal()(2)",
    "ops.StandardNormal()([2, 2])",
    "ops.StandardNormal()(Tensor([2], ms.int16))",
    "ops.StandardNormal(np.int32(3))((2,))",
    "ops.StandardLaplace()(Tensor([2], ms.uint8))",
    "ops.normal(2, 0.0, 1.0)",
    "ops.normal([2], 0.0, 1.0)",
    "ops.normal(Tensor([2]), 0.0, 1.0)",
    "ops.laplace((2,), 0.0, 1.0)",
    "ops.laplace((2,), Tensor(0), Tensor(1.0))",
    "ops.gamma((2,), 1.0, Tensor(1.0))",
    "ops.gamma((2,), Tensor(1), Tensor(1.0))",
    "ops.poisson((2,), 1.0)",
    "ops.poisson([2], Tensor(1.0))",
    "ops.random_poisson(Tensor([2], ms.int16), Tensor(1.0))",
    "ops.random_poisson(Tensor([2], ms.uint8), Tensor(1.0))",
    "ops.random_poisson(Tensor([2]), True)",
    "ops.random_gamma(Tensor([2], ms.int16), Tensor(1.0))",
    "ops.random_gamma(Tensor([2]), 1.0)",
    "ops.TruncatedNormal()((2, 2))",
    "ops.TruncatedNormal()(Tensor([2, 2], ms.int8))",
    "ops.TruncatedNormal(dtype=ms.int32)(Tensor([2, 2]))",
    "ops.NonDeterministicInts()((2, 2))",
    "ops.NonDeterministicInts(dtype=ms.int8)(Tensor([2, 2]))",
    "ops.ParameterizedTruncatedNormal()((2, 2), Tensor(0.0), Tensor(1.0), Tensor(-2.0), Tensor(2.0))",
    "ops.UniformInt()((2,), 0, Tensor(5, ms.int32))",
    "ops.UniformInt()((2,), Tensor(0), Tensor(5, ms.int32))",
    "ops.Cauchy((2,))()",
    "ops.LogNormalReverse(1.0, Tensor(1.0))(Tensor([1.0]))",
    "ops.LogNormalReverse()(Tensor([1]))",
    "Tensor([1.0]).log_normal(1, 1.0)",
    "Tensor([1.0]).cauchy(1, 1.0)",
    "ops.rand(Tensor([2]))",
    "ops.randn(Tensor([2]))",
    "mint.rand(Tensor([2, 2]))",
    "mint.bernoulli(0.5)",
    "mint.bernoulli(Tensor([1, 0]))",
    "Tensor([True, False]).bernoulli()",
    "ops.bernoulli_ext(Tensor([1, 0], ms.uint8))",
    "ops.Dropout(0.5, Seed0=True)(Tensor([1.0]))",
    "ms.set_seed(np.int32(3))",
):
    C(f"lambda: {_line}", _raises="TypeError")
for _line in (
    "ops.randperm(4, offset=-1)",
    "ops.randperm(0)",
    "ops.randperm(Tensor(0))",
    "ops.RandpermV2()(0)",
    "ops.random_categorical(Tensor([[0.1, 0.9]]), 0)",
    "ops.MultinomialWithReplacement(0, True)(Tensor([0.1, 0.9]), Tensor(1), Tensor(0))",
    "ops.choice_with_mask(Tensor([True, False]), 0)",
    "ops.normal((2, 0), 0.0, 1.0)",
    "ops.laplace((0,), Tensor(0.0), Tensor(1.0))",
    "ops.gamma((2, 0), Tensor(1.0), Tensor(1.0))",
    "ops.poisson((0,), Tensor(1.0))",
    "ops.random_gamma(Tensor([2, 0]), Tensor(1.0))",
    "ops.TruncatedNormal()(Tensor([2]))",
    "ops.TruncatedNormal()(Tensor([2, 0]))",
    "ops.NonDeterministicInts()(Tensor([2]))",
    "ops.UniformInt()((2,), Tensor([0], ms.int32), Tensor(5, ms.int32))",
    "ms.set_seed(2**32)",
):
    C(f"lambda: {_line}", _raises="ValueError")
for _line in (
    "ops.multinomial(Tensor([0.1, 0.9]), 0)",
    "ops.random_poisson(Tensor([2, 0]), Tensor(1.0))",
    "ops.standard_normal((2, 0))",
    "ops.normal((2,), Tensor(0.0, ms.float64), Tensor(1.0))",
    "ops.normal((2,), Tensor(0.0, ms.float16), 1.0)",
    "ops.RandomChoiceWithMask(2, -1)(Tensor([True, False]))",
    "ops.RandomPoisson(-1)(Tensor([2]), Tensor(1.0))",
    "ops.bernoulli(Tensor([1.0]), 0.5, -1)",
):
    C(f"lambda: {_line}", _random=True)
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
