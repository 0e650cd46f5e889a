"""Rows of the table of deviations about operators: values, types and indices."""

ROWS = (
    (
        "whole numbers beyond int64 as operands, in `x[mask] = 2**63`, `x[Tensor([0])] = 2**63`, clamp",
        "SystemError from some kernels, RuntimeError from others",
        "RuntimeError; operators that fill take numbers of uint64.",
    ),
    (
        "masked_fill of an integer Tensor with a whole number",
        "rounds the number to float32: 2**24 + 1 becomes 2**24",
        "Writes the number; its low bits where it does not fit.",
    ),
    (
        "x % 0 and integer powers that overflow, of integers",
        "the least number of 32 or 64 bits, which is C's conversion of NaN; remainder gives x",
        "x % 0 is x, as remainder gives; powers wrap round, as products do. // 0 is MindSpore's.",
    ),
    ("Tensor.fill of a complex number", "drops the imaginary part", "TypeError, as fill_ and masked_fill raise."),
    ("x[np.array], x[range], x[np.int64(0)]", "IndexError", "They index, as in NumPy."),
    (
        "Tensor(shape=..., dtype=..., init=False), a number instead of an Initializer",
        "is taken; computing with the Tensor is RuntimeError: it is uninitialized",
        "A Tensor that holds the number, as programs that are written so mean it.",
    ),
    (
        "nn.ClipByNorm, ops.clip_by_norm with an axis that leaves others, as axis=0 of (2, 3); nn.EmbeddingLookup(max_norm) of ids with two axes",
        "the CPU kernel divides most rows by the norm of other elements: [[1.5, -2, 3], [0, 5, -1]] clipped to 1 holds 2.5",
        "Each norm is taken over the named axes.",
    ),
    ("x[::-1] = v", "fails on CPU", "Assigns, as in NumPy."),
    (
        "x[[[2, 1], [-2, 0]]] = v: negative numbers in nested lists",
        "counted along the first axis, wherever they stand; the list itself is changed",
        "Counted along their own axis, as in reading; the list stays.",
    ),
    (
        "integers // 0 and integers % 0",
        "the largest integer or 0 on CPU",
        "What the processor gives: as NumPy, no value to rely on.",
    ),
    (
        "ops.any, ReduceAny of numbers",
        "reads bytes of the numbers as bools: any of [0., 2.] is False in float32, float64, int32 and int64, True in float16",
        "Whether a number is not 0. Of uint8 the result is uint8, as there.",
    ),
    (
        "np functions of a Tensor that take out= (np.sum, np.mean, np.all, ...), array on the right of a Tensor",
        "TypeError",
        "The number or array that NumPy gives; Tensor * array is a Tensor.",
    ),
    (
        "Tensor.repeat(2, 0)",
        "Ascend only: no copies along the second axis",
        "Each element twice along axis 0, as in 1.x.",
    ),
    (
        "x[i, ::-1], x[i, ::-2] with Tensors, lists or masks beside the slice",
        "the CPU build takes a negative step for an empty slice, or for +1",
        "The elements in turned order, as in NumPy.",
    ),
    (
        "x[uint8 Tensor], x[int8 Tensor] = v, x[True, list], x[i] = np.float32(1)",
        "some forms raise IndexError, TypeError or ValueError",
        "They index and assign, as in NumPy.",
    ),
    (
        "indices outside: tensor_scatter_elements, scatter, one_hot, CTC labels, SparseSoftmaxCrossEntropyWithLogits",
        "the CPU kernels read or write beside the memory, or give infinity",
        "Left out (tensor_scatter_elements, scatter, one_hot, as documented) or RuntimeError.",
    ),
    (
        "Tensor.add_ and other in-place methods",
        "leave the Tensor unchanged on CPU; a bool Tensor gives a float one",
        "They change it, as documented; TypeError where its dtype can not hold the result.",
    ),
    (
        "NaN in LPPool, MaxPool, softplus, L2Normalize, norm(ord=inf)",
        "0; the largest of the others; inf; rows of large numbers",
        "NaN.",
    ),
    (
        "logsumexp, logaddexp, logaddexp2, logcumsumexp of rows whose largest element is infinite, or -inf throughout; fast_gelu(inf); "
        "ReduceLogSumExp of rows beside such a one",
        "NaN",
        "inf, or -inf; each row by itself.",
    ),
    (
        "L2Normalize, norm(ord=3), norm(ord=-2), var, clip_by_norm, clip_by_global_norm of float16 whose squares or powers do not fit float16",
        "0: computed in float16 on CPU",
        "Computed in float32.",
    ),
    (
        "ops.clip_by_norm(norm_type=1.0) and other odd orders",
        "the powers lack the absolute value: [3, -4] clipped to 1 is [-3, 4]; where their sum is negative nothing is clipped for order 3",
        "The norm of that order.",
    ),
    (
        "maximum, minimum, max, min, clip, hardtanh with NaN, their gradients and those of HShrink, SoftShrink; KLDivLoss and its gradient; histc",
        "the CPU kernels pass over NaN, histc counts it in the first bin",
        "NaN is passed on, as on Ascend and GPU; histc leaves it out.",
    ),
    ("copysign(x, -0.0), copysign(x, -NaN)", "positive", "Negative: the sign is that bit, as in NumPy."),
    (
        "ops.any, sub_, numpy.cumprod, unsorted_segment_max of complex Tensors",
        "look at the real part, or give zeros",
        "Count the imaginary part.",
    ),
    (
        "reductions of an empty Tensor, Median along an empty axis, x[:, i] of an empty axis",
        "read other memory on CPU",
        "0 for sums, 1 for products; ValueError where there is no element to give.",
    ),
    (
        "gradient Primitives (LogitGrad, StridedSliceGrad, ROIAlignGrad, NLLLossGrad, BinaryCrossEntropyGrad, ...) with a gradient or "
        "weight of another shape; Maximum/MinimumGradGrad",
        "read or write beside the memory on CPU; leave their first results unset",
        "ValueError that names both shapes; zeros, the second derivative.",
    ),
    (
        "sizes that MindSpore's build does not check: pad(mode='circular') that cuts an axis away, fold with too few channels, "
        "numpy.take_along_axis and Tensor - COOTensor of shapes that do not fit, scatter_* into no elements, "
        "probabilities of another shape in cross_entropy, GatherDGradV2 along an axis that is not there",
        "other memory, or numbers without meaning",
        "ValueError or RuntimeError.",
    ),
    ("MatrixTriangularSolve with one matrix for several right sides", "zeros for all but the first", "Each is solved."),
    (
        "rfft2, rfftn of complex Tensors; hfft, ihfft after calls of other shapes",
        "rows shifted into one another; now and then the conjugate",
        "The frequencies up to half of the length, row by row; as documented.",
    ),
    (
        "sort, argsort and topk of numbers with NaN among them",
        "any order: what is compared with NaN stays where it is",
        "NaN is the greatest, as in NumPy.",
    ),
    (
        "topk of equal elements, scatter to one position twice",
        "any of them",
        "The first of equal elements; on CPU the last of what is written.",
    ),
    (
        "float64 in cross_entropy(label_smoothing), softplus, celu, ldexp, ResizeBilinearV2; numpy.logaddexp2",
        "computed with float32 on the way",
        "Computed in the dtype of the input.",
    ),
    (
        "ApplyRMSProp, ApplyCenteredRMSProp, FusedSparse*: the value of the call",
        "zeros or old content on CPU; the Parameters are right",
        "The new values.",
    ),
    (
        "ops.norm over two axes with a Tensor as ord, which is not documented",
        "the Frobenius norm, whatever the number is",
        "The norm of that number, as with an int.",
    ),
    (
        "integers that do not fit the floats which the CPU kernels compute with: ops.mean (float32), div(rounding_mode='trunc') (float32), "
        "round, // and % (float64); nansum of uint64, and sums of integers beyond their dtype",
        "16777218 for the mean of three times 16777217",
        "Computed with integers.",
    ),
    (
        "ops.div with rounding_mode where one operand has no axes: int32 beside a number, float16 beside a float, int16 beside an int32 Tensor",
        "int64 for the first; the other two have the type of the Tensor with axes, and on CPU other memory for values: 0 for 2",
        "The type and value that / and // give.",
    ),
    (
        "ops.norm with an ord of a Tensor that has no, or more than two axes, and no axis is named",
        "None",
        "The norm of all elements; TypeError for 'fro' and 'nuc'.",
    ),
    (
        "ops.slice_scatter with a start, ops.select_scatter with an index before the first element",
        "writes to other slices: the index 5 places before the end of 4 elements counts on from there",
        "slice_scatter begins at the first element, as a slice does; select_scatter raises ValueError, as for an index behind the last.",
    ),
    ("Tensor.cumsum(dtype=x.dtype) of uint8, int8 and int16", "int32", "The type that was asked for."),
    ("numpy.cbrt of 0", "NaN: it divides by the number for its sign", "0."),
    ("Tensor.choose of floats", "cut to whole numbers: 4.0 for 4.5", "As they are."),
    (
        "ops.any of float32, int32 along an axis",
        "now and then False on CPU though numbers are not 0",
        "Each is looked at.",
    ),
    (
        "numpy.nanmean, nanstd, nanvar of bools",
        "sums and counts of bools are bools: any of them",
        "Computed with 0 and 1.",
    ),
    (
        "numpy.geomspace between Tensors of whole numbers",
        "their quotient is cut to an integer",
        "Computed with floats.",
    ),
    ("numpy.diag of infinities and NaN", "NaN beside them: it multiplies with zeros", "Zeros beside the diagonal."),
    ("numpy.tril_indices, triu_indices that are empty", "float32", "int32, as the others."),
    (
        "std, var of integers (ops, Tensor, numpy); norm of integers of 8 bits, or of a negative order",
        "the mean is cut to an integer first, squares overflow: 8.5 for 8584",
        "Computed with floats.",
    ),
    (
        "norm of integers",
        "int64 for ord 1 of a matrix, int32 for inf, TypeError for other norms of vectors",
        "float32.",
    ),
    ("xlogy of 0 and 0, a negative number or NaN", "NaN on CPU, though its text says zero", "0."),
    (
        "numbers and NumPy arrays in a list of Tensors: stack([x, 1]), addn, hstack, vstack, column_stack, accumulate_n, block_diag",
        "TypeError",
        "They count as Tensors.",
    ),
    (
        "NumPy arrays for Tensors in calls of operators: ops.exp(array), x + array",
        "TypeError",
        "They are taken, as functions that other packages call with arrays hand them on.",
    ),
    ("Python's complex numbers beside Tensors: x * 1j", "TypeError", "Computed."),
    ("numpy.gcd, numpy.lcm of floats", "some number", "Computed on the integer parts."),
    ("numpy.cumprod of a Python list", "int64", "int32, as in all other functions of mindspore.numpy."),
    ("COOTensor with int32 positions", "+, -, coalesce raise on CPU", "They work for int16, int32 and int64."),
    ("CSRTensor products and conversions", "need a compiler beside MindSpore on CPU", "They run on every device."),
    ("ops.Morph in PYNATIVE_MODE", "RuntimeError", "Runs its function, as in GRAPH_MODE."),
    (
        "ops.flash_attention_score with real_shift",
        "documented as added after the scaling; its Primitive and the kernel add it before",
        "Added before the scaling.",
    ),
    (
        "bfloat16 for operators that take float16 and not bfloat16 (pools, SoftSign, ...), float64 for those that take float32 alone "
        "(convolutions, ReLU6, LpNorm, ...)",
        "TypeError",
        "Computed: bfloat16 is the half precision of TPUs, and float64 serves to check networks. Other types that MindSpore refuses "
        "raise TypeError, as there.",
    ),
    (
        "attention and routing kernels of Ascend",
        "limits on dtypes and lengths; quantised forms",
        "The documented formulas in any float dtype and length; arguments of quantised forms raise. Scores and maxima are given also when not asked for.",
    ),
    (
        "random numbers of operators",
        "Philox on each device",
        "JAX's threefry: other numbers for the same seed, equal on every device. Initial weights are MindSpore's.",
    ),
    ("numpy.cbrt(0)", "NaN", "0."),
    (
        "Dropout masks",
        "those of its CPU generator; from the sixth call of a layer on its threads share it, and a run does not repeat",
        "Other positions for the same seed, and a run repeats.",
    ),
    (
        "ROIAlign with sample_num 0 of a region smaller than its bins",
        "NaN: the mean of no samples",
        "One sample in each bin.",
    ),
    (
        "LpNorm of a high order",
        "infinite where a power is too large for float32",
        "The norm: numbers are divided by the largest first.",
    ),
    (
        "random functions with a seed: randperm, bernoulli, random_categorical",
        "give the same numbers at each call in PYNATIVE_MODE, while their siblings go on",
        "All go on with the stream of that seed, as in a graph.",
    ),
    ("gradient of maximum and minimum where an operand is NaN", "goes to both", "Goes to neither."),
    ("vmap of matmul with in_axes=1", "maps the other axis on CPU", "Maps the axis that was named."),
    ("UnravelIndex", "the CPU kernel gives the matrix transposed", "One row for each index, as documented."),
    ("relu, relu6, hardshrink of NaN", "0 on CPU", "NaN: hidden, it would come back as a wrong number elsewhere."),
    ("list of ints // bool Tensor", "bool", "int64, as with every other operator."),
    (
        "a Tensor of integers +, -, // or ** a list of floats, or of Tensors of another type: Tensor([1, 2]) + [1.5, 2.5]",
        "cuts the floats to integers: [2, 4]",
        "The floats keep their fractions, as in a Tensor: [2.5, 4.5]. MindSpore refuses lists for *, / and %, and for comparisons; "
        "they serve, too.",
    ),
    (
        "a Python float beside a Tensor of float64: x * 0.1, x < 0.1, ops.clamp(x, 0.1)",
        "rounded to float32 in both modes: 0.10000000149011612, and inf for 1e300",
        "Python's own number: float64 keeps its precision.",
    ),
    (
        "remainders of quotients above 2 ** 29: 1e30 % x",
        "what is left of rounded quotients in float64",
        "The exact remainder.",
    ),
    (
        "Parameter.copy() in PYNATIVE_MODE",
        "a Parameter of the same name, through which no gradient goes; in GRAPH_MODE a Tensor with its gradient",
        "A Tensor with its gradient in both modes.",
    ),
    (
        "Tensor.transpose(0, 1) of a matrix",
        "exchanges the axes in PYNATIVE_MODE, leaves them in GRAPH_MODE",
        "Exchanges them: two numbers are two axes. transpose((0, 1)) is a permutation.",
    ),
    ("Tensor.delete_, Tensor.index", "Ascend only", "On every device; what uses a released Tensor raises ValueError."),
    (
        "Tensor(shape=[None, 3]) used in an operator",
        "an empty Tensor, or a crash",
        "ValueError: it describes an input and has no content.",
    ),
    (
        "SoftmaxCrossEntropyWithLogits(sparse=True) where the label's logit lies 104 or more below the largest",
        "inf: the logarithm of a probability that is 0",
        "The loss.",
    ),
    (
        "LayerNorm, GroupNorm, LRN and cosine_similarity of float32 numbers from 1e18 on, and the gradient of BatchNorm there",
        "added up in float64 on CPU: the squares fit",
        "The squares are infinite, and the result is 0.",
    ),
    (
        "softmax of rows of which one is -inf throughout",
        "zeros in that row, and on CPU in others, too",
        "NaN in that row, as in NumPy; the others are not touched.",
    ),
    (
        "tanh of float32 on CPU, and what has it inside",
        "off by up to 1e-4, its gradient below 0 at 5.0",
        "Within 3e-7.",
    ),
    (
        "Primitives that write (Assign, AssignAdd, ScatterUpdate, ApplyMomentum, ...): NumPy arrays for values, indices and gradients",
        "TypeError",
        "They serve, as Tensors of them do. Lists raise TypeError, as there.",
    ),
    (
        "vmap: an entry of in_axes for a nested argument that is longer than the argument",
        "what is too much is ignored",
        "RuntimeError, as for an in_axes that is too long itself.",
    ),
    (
        "cross_entropy of logits of -inf, and of float16 logits whose log-probabilities do not sum up within float16",
        "NaN, also without label_smoothing: their sum, which is infinite, is multiplied by 0",
        "The loss: finite, or infinite where the label's own logit is -inf.",
    ),
    (
        "ops.max_pool2d(return_indices=True) and nn.MaxPool2d: positions of windows that lie within the padding; ops.max_pool2d of such a window",
        "positions behind the last; the least finite number, where nn.MaxPool2d and max_pool3d give -inf",
        "The last position; -inf.",
    ),
    (
        "x[[False, False]] = v of a list without True in PYNATIVE_MODE, x[[5], 0] = v with a place out of range in a list",
        "writes to all elements, or to others",
        "Writes nothing; IndexError.",
    ),
    (
        "y[...] = x, x and y with one element each, then x += 1",
        "y holds x's memory from then on, and changes, too",
        "y stays.",
    ),
    (
        "index_add of a Tensor in PYNATIVE_MODE; negative indices in a Tensor for gather_elements, gather_d, index_fill, Tensor.index_put",
        "the CPU kernel changes x, as it does a Parameter; the kernels make the caller's indices positive",
        "What is given stays; a Parameter is written by ops.index_add.",
    ),
    (
        "ops.mish from 45 on; ops.logsigmoid from -89 down, of float16 from -11.1 down, and its gradient there",
        "NaN; -inf, and NaN as the gradient, on CPU",
        "x; x, and 1 as the gradient.",
    ),
    ("ops.full of a float or a bool without dtype", "int64: 1.5 becomes 1", "The value's dtype: float32, bool."),
    (
        "singular values of a matrix that holds an infinity: svd, pinv, cond, lstsq, norm(ord='nuc')",
        "some number, as for NaN",
        "NaN, as for NaN.",
    ),
)
