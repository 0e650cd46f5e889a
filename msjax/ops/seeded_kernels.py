"""Random kernels of MindSpore's generated code that take a seed and an offset, as `Generator._step` gives them: `DropoutExt()(x, p, seed,
offset)`. The same two draw the same numbers.
"""

from collections.abc import Sequence
from typing import Any

from ..core.operators import faces
from ..core.operators import record as registry
from ..core.operators.random import At
from ..core.operators.record import records
from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor


def _mint(name):
    return faces.function(registry.mint_functions, name, "mindspore.mint")


def dropout_ext(input: Tensor, p: float, seed: Any, offset: Any):
    """(the Tensor with elements dropped, which were kept)."""
    return records["dropout_and_mask"](input, p, At(seed, offset))


def func_dropout_ext(input: Tensor, p: float, training: bool, inplace: bool, seed: Any, offset: Any):
    """The Tensor with elements dropped, while training; into itself if `inplace`."""
    out = dropout_ext(input, p, seed, offset)[0] if training else input
    return input.copy_(out) if inplace and training else out


def dropout_gen_mask_ext(shape: Any, p: float, seed: Any, offset: Any, dtype: Any = None):
    """Which elements of a shape are kept."""
    return dropout_ext(_mint("ones")(shape, dtype=mstype.float32), p, seed, offset)[1]


def dropout_do_mask_ext(input: Tensor, mask: Any, p: float):
    """The Tensor with the elements that a mask leaves out dropped."""
    return input * mask.astype(input.dtype) * (1 / (1 - p) if p < 1 else 0)


def uniform_ext(tensor: Tensor, a: int | float, b: int | float, seed: Any, offset: Any):
    """Random numbers between a and b, in the shape of the Tensor."""
    return _inplace("uniform_")(tensor.copy(), a, b, seed, offset)


def normal(mean: Any, std: Any, seed: Any, offset: Any):
    """Normal numbers around each mean, or with each deviation."""
    return _mint("normal")(mean, std, generator=At(seed, offset))


def normal_float_float(mean: Any, std: Any, size: Sequence[int], seed: Any, offset: Any):
    """Normal numbers of a size."""
    return _mint("normal")(mean, std, size, generator=At(seed, offset))


def _of_shape(name):
    def kernel(shape, seed, offset, dtype=None, device=None):
        return _mint(name)(*shape, generator=At(seed, offset), dtype=dtype)

    return kernel


def _like(name):
    def kernel(tensor, seed, offset, dtype=None, device=None):
        return _mint(name)(*tensor.shape, generator=At(seed, offset), dtype=dtype or tensor.dtype)

    return kernel


def rand_int(low: int, high: int, shape: Any, seed: Any, offset: Any, dtype: Any = None, device: str | None = None):
    """Whole numbers below `high`."""
    return _mint("randint")(low, high, tuple(shape), generator=At(seed, offset), dtype=dtype)


def rand_int_like(
    input: Tensor, low: int, high: int, seed: Any, offset: Any, dtype: Any = None, device: str | None = None
):
    """Random integers below `high`, in the shape of the Tensor."""
    return rand_int(low, high, input.shape, seed, offset, dtype or input.dtype)


def randperm_ext(n: int, seed: Any, offset: Any, dtype: Any = mstype.int64):
    """The numbers below n in an order that is drawn."""
    return _mint("randperm")(n, generator=At(seed, offset), dtype=dtype)


def bernoulli_ext(input: Tensor, seed: Any, offset: Any):
    """1 with the probability in each element, else 0."""
    return _mint("bernoulli")(input, generator=At(seed, offset))


def multinomial_ext(input: Tensor, num_samples: int, replacement: bool, seed: Any, offset: Any):
    """Places that are drawn by their weights."""
    return _mint("multinomial")(input, num_samples, replacement, generator=At(seed, offset))


def _inplace(method):
    def kernel(input, *args):
        *numbers, seed, offset = args
        numbers = [float(n) if isinstance(n, Tensor) and n.ndim == 0 else n for n in numbers]
        return getattr(input, method)(*numbers, generator=At(seed, offset))

    return kernel


def inplace_random(input: Tensor, from_: int = 0, to: int | None = None, seed: Any = 0, offset: Any = 0):
    """Fill the Tensor with whole numbers."""
    return input.random_(from_, to, generator=At(seed, offset))


KERNELS = {
    "BernoulliExt": bernoulli_ext,
    "DropoutDoMaskExt": dropout_do_mask_ext,
    "DropoutExt": dropout_ext,
    "DropoutGenMaskExt": dropout_gen_mask_ext,
    "FuncDropoutExt": func_dropout_ext,
    "InplaceBernoulliScalar": _inplace("bernoulli_"),
    "InplaceBernoulliTensor": _inplace("bernoulli_"),
    "InplaceExponential": _inplace("exponential_"),
    "InplaceNormal": _inplace("normal_"),
    "InplaceRandom": inplace_random,
    "InplaceUniform": _inplace("uniform_"),
    "MultinomialExt": multinomial_ext,
    "NormalFloatFloat": normal_float_float,
    "NormalFloatTensor": normal,
    "NormalTensorFloat": normal,
    "NormalTensorTensor": normal,
    "RandExt": _of_shape("rand"),
    "RandInt": rand_int,
    "RandIntLike": rand_int_like,
    "RandLikeExt": _like("rand"),
    "Randn": _of_shape("randn"),
    "RandnLike": _like("randn"),
    "RandpermExt": randperm_ext,
    "UniformExt": uniform_ext,
}
