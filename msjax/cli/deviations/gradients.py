"""Rows of the table of deviations about gradients."""

ROWS = (
    ("gradient of Stack()(x, y), Tensors given one by one", "the inputs themselves", "The gradient."),
    ("gradients of LSTM with float64 or float16 inputs on CPU", "zeros", "The gradients."),
    ("second gradients of mint.matmul, numpy.matrix_power in PYNATIVE_MODE", "zero", "The second derivative."),
    (
        "second gradients through sums, means, std, prod, reshape, expand_dims, concat, tile, dense of three axes, pools, losses in PYNATIVE_MODE",
        "a part is missing, or zeros",
        "The second derivative, as in GRAPH_MODE.",
    ),
    (
        "gradient of cholesky_inverse with upper=False",
        "-L C, where the derivative is -C L (C: A^-1 (D + D^T) A^-1)",
        "The derivative; with upper=True they are equal.",
    ),
    (
        "gradient of np.float64(2) * x, of an operator that has a NumPy number or array on its left, in PYNATIVE_MODE",
        "zeros: what NumPy gives is no Tensor",
        "The gradient, as in GRAPH_MODE; without a gradient the result is NumPy's, too.",
    ),
    ("gradient of the Primitive InplaceUpdateV2", "zeros", "The gradient, as of tensor_scatter_update."),
    (
        "CTCLoss of sequences that end before the longest: its gradient past their ends",
        "what the memory holds",
        "0: the loss does not depend on it.",
    ),
    (
        "CTCLoss where the last label is the blank itself",
        "the gradient of the last step lacks one of the two places where a path may end",
        "The derivative of the loss.",
    ),
    ("gradient of index_fill for the value, a Tensor", "0", "The sum of the gradients of what was filled."),
    ("ROIAlign with roi_end_mode 0", "a gradient that is not that of its result", "The derivative of the result."),
    (
        "nn.LGamma, nn.LBeta, nn.DiGamma, nn.IGamma at whole numbers",
        "NaN for most elements, among them 3 and 5, where the function is smooth",
        "The derivative; at the poles infinite or NaN.",
    ),
    (
        "gather, index_select, x[Tensor] at negative indices",
        "the gradient of what they took is lost",
        "It goes where the value came from.",
    ),
    (
        "gradients of an integer Tensor that goes straight into sqrt, reciprocal, or a division by a number",
        "float32",
        "Of the Tensor's own type, cut to whole numbers, as after every other operator.",
    ),
    (
        "a Parameter read by its own name after a variable that names it was changed by `out *= x`, in GRAPH_MODE",
        "no gradient flows to x through that read",
        "The gradient of what was computed, as through the variable.",
    ),
    (
        "gradients of COOTensor and CSRTensor in GRAPH_MODE",
        "a sparse Tensor whose indices are zeros",
        "A sparse Tensor with the indices of the input.",
    ),
    (
        "gradients of functions that return a COOTensor or CSRTensor beside a Tensor in PYNATIVE_MODE",
        "without the sparse one",
        "Of both, as in GRAPH_MODE.",
    ),
    ("gradients of mutable numbers in GRAPH_MODE", "0, a number", "The derivative, a Tensor."),
    (
        "a hook that compiled code registers on a Tensor it has used before",
        "sees the gradient of all uses",
        "Sees that of the uses after it; in PYNATIVE_MODE of all.",
    ),
    ("gradients of complex functions", "TypeError for some operators", "Computed, in the same convention."),
    (
        "GradOperation(get_by_list=True) without weights",
        "no gradients in GRAPH_MODE; in compiled code of PYNATIVE_MODE those of the Parameters used, in an order of its own",
        "In GRAPH_MODE those of all trainable Parameters in their order; else of those used, one compiled call's in that of their making.",
    ),
    (
        "in GRAPH_MODE loss = g(x), then an optimizer's step on a weight of g, then ops.grad(g)(x): the steps of many GANs",
        "the gradient at the weights before the step: the two runs of g are one",
        "At the weights that are there, as in PYNATIVE_MODE.",
    ),
    (
        "grad of a tuple of Tensors, in PYNATIVE_MODE of a mutable dict of them, in GRAPH_MODE of such a dict past sorted(d)",
        "an empty tuple; the last TypeError or zeros",
        "The gradients, nested as the input.",
    ),
    (
        "gradients of numpy.flip, numpy.cumprod with a 0, Coalesce",
        "a column lost, NaN, a wrong shape",
        "The derivative.",
    ),
    (
        "a network called before it is differentiated in the same compiled step",
        "runs once",
        "Runs once: BatchNorm statistics move once, dropout draws one mask. In PYNATIVE_MODE it runs twice, and once after set_grad(), as in MindSpore.",
    ),
    (
        "gradients through w[0] = v with w a Parameter, w.copy(), or x[0] = (x * x).sum() in PYNATIVE_MODE",
        "as if w were unchanged, none through the copy, and with the x after the change",
        "The derivative.",
    ),
    (
        "second gradients of ops.norm, nn.RMSELoss, cov, numpy.std, MatrixDeterminant, of products of vectors",
        "a term is missing, or zeros",
        "The second derivative.",
    ),
    (
        "gradients of fftshift, of Zeta for x, of MatrixDiagV3 for the padding, of EmbeddingLookup with an offset, of RGBToHSV where "
        "channels are equal, of x - y with no elements beside some, of numpy.sign at 0",
        "as if nothing were shifted; 0; NaN; ones",
        "The derivative.",
    ),
    (
        "scipy.linalg.eigh: gradient",
        "in the lower triangle, doubled",
        "Half of it in each triangle: equal for symmetric changes.",
    ),
    (
        "second gradients of ReduceProd, of logaddexp of equal elements, of CholeskyInverse; the gradient of bessel_i1 at 0",
        "zeros, 1 for a half",
        "The derivative.",
    ),
    (
        "gradients of numpy.polymul for the second factor, of tensor_scatter_mul and _div for updates at one position, of ScatterMax",
        "0, or without the other updates",
        "The derivative.",
    ),
    (
        "x[Tensor] = v and TensorScatterUpdate where one position stands twice: the gradient of v",
        "counts the position for each of its values, though one of them stays",
        "The derivative: that of the value that stays.",
    ),
    ("gradient of ops.real of a real Tensor", "complex64", "Real, as the input."),
    (
        "second gradients through a bprop that gives more than zeros for a dout of zeros",
        "the bprop is not called where its result does not count",
        "It is called with zeros, and what it gives is added.",
    ),
    (
        "gradients of ms.jvp: of its tangents, and in GRAPH_MODE of all it is given",
        "a part is missing, or zeros",
        "The derivative; finite differences agree.",
    ),
    (
        "gradients of compiled code, and ms.jvp, past items.insert(i, x) and items.pop(i) of a list",
        "0 in GRAPH_MODE; jvp gives 0 in both modes, or raises",
        "The derivative, as PYNATIVE_MODE gives it.",
    ),
    (
        "register_backward_hook, register_backward_pre_hook of a Cell with a bprop, in GRAPH_MODE; register_forward_pre_hook of such a Cell",
        "the hooks of the gradient are not called; bprop is asked for the gradient of what the hook was given, not of what it gave",
        "They are called, and the hook has its part in the gradient, as in PYNATIVE_MODE with one input. Neither mode calls forward hooks of such a Cell.",
    ),
    (
        "HookBackward in GRAPH_MODE",
        "its function is not called; with several inputs RuntimeError",
        "It is called, as in PYNATIVE_MODE.",
    ),
    (
        "ms.jvp of a function that changes Parameters, attributes or dicts",
        "it runs twice: what is changed is changed twice, and the derivative is that of the second run",
        "It runs once.",
    ),
    (
        "jvp along parts of numbers through a cast to integers",
        "the tangent is cut to whole numbers by the cast",
        "Passed on as it is. jacfwd, whose tangents are whole, agrees.",
    ),
    ("gradients of ops.Betainc for a and b", "0", "They raise: no formula is known."),
    (
        "gradients of Inplace*, inplace_*, cholesky_*, nearest grid_sample, StridedSlice with masks, ReduceProd at 0, numpy.select",
        "missing or not those of the function",
        "Those of the function; finite differences agree.",
    ),
    (
        "GradOperation(sens_param=True) of a single number, with sens of more elements",
        "its first element counts",
        "ValueError.",
    ),
    (
        "gradients through ops.vjp and GradOperation(sens_param=True), whose results depend on x again, in PYNATIVE_MODE",
        "the part that comes through the given cotangent and some second derivatives are missing",
        "The derivative, as in GRAPH_MODE.",
    ),
    (
        "gradients of padding with a constant (ops.pad, PadV3, ZeroPad, ConstantPad) in GRAPH_MODE, with negative widths in PYNATIVE_MODE, too",
        "right at the first call of what was compiled, then those of other calls, cut off",
        "The derivative at each call.",
    ),
    (
        "cells_and_names and print of a network with recompute()",
        "tell of wrappers within each recomputed Cell (_RecomputeCell, _WrapCell), and the Cell again in them",
        "The network's own Cells.",
    ),
    (
        "BatchNorm within a Cell of recompute(), gradients in PYNATIVE_MODE",
        "updates the moving statistics twice, in the forward and in its repetition",
        "Updates them once, as in GRAPH_MODE.",
    ),
    (
        "a Cell with bprop and recompute() in PYNATIVE_MODE",
        "its bprop is not called: the gradient is that of construct",
        "bprop gives the gradient.",
    ),
    (
        "gradients of the queries, the keys and x of self-attention in TransformerEncoderLayer and TransformerDecoderLayer, in PYNATIVE_MODE",
        "other numbers: that of a key's bias, which changes nothing, is not 0; nn.MultiheadAttention alone is right",
        "The derivative; finite differences agree.",
    ),
    (
        "second gradients of a network that computes gradients for its Parameters by GradOperation(get_by_list=True) in PYNATIVE_MODE",
        "as if these gradients were constants",
        "The derivative; finite differences agree.",
    ),
    (
        "xlogy(0, y) with y 0, negative, infinite or NaN; gradients of MulNoNan for infinite factors",
        "NaN; infinite",
        "0, as documented; NaN.",
    ),
    ("gradient of ops.selu below 0", "too small on CPU", "That of the documented formula."),
    (
        "gradient of nn.ZeroPad2d and nn.ConstantPad2d in GRAPH_MODE, from the second call on, where what flows back is a constant",
        "that of other elements: a part of the part that was cut out before",
        "The same at each call.",
    ),
    (
        "gradient of the mean of binary_cross_entropy_with_logits, BCEWithLogitsLoss for a batch of another size than the first",
        "divided by the number of elements that the first had",
        "Divided by its own.",
    ),
    (
        "gradients of L2Normalize for vectors shorter than the root of epsilon, ops.hypot at (0, 0)",
        "as if they were longer: too large, or too small; NaN",
        "Those of the function.",
    ),
    (
        "gradients through an attribute that compiled code sets and reads: self.h = x * 2; return self.h",
        "none through it, nor of what is multiplied with it",
        "The derivative, as in PYNATIVE_MODE.",
    ),
    (
        "gradients through self.f = ops.partial(ops.mul, 0.5), an attribute that compiled code calls",
        "0",
        "The derivative.",
    ),
    (
        "gradients of float16 for what gather, index_select and x[index] read many times over",
        "added up in float16 by the CPU kernel: 3,000 times 0.37 are 1024",
        "Added up in float32, as MindSpore does for gather_nd, gather_elements and take: 1110.",
    ),
    (
        "norm(ord=inf) and of -inf, norms of 1 and -1 of matrices: the gradient where several elements or rows are equal",
        "the whole gradient for each of them",
        "Its part for each, as of amax: moved together they change the norm once.",
    ),
    (
        "gradients of var and var_mean where the variance is 0, too small or too large for float32; of fast_gelu, gelu(approximate='tanh') and "
        "ReduceLogSumExp of large numbers; of logcumsumexp",
        "NaN; 0 instead of 2 for the one element that counts",
        "The derivative.",
    ),
    (
        "gradient of nn.BCELoss for labels where a probability is 0 or 1",
        "infinite, though the loss is clipped",
        "That of the clipped loss: 27.6.",
    ),
)
