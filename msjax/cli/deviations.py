"""Where msjax differs from MindSpore, by hand: read by `matrix.py` into compat_matrix.md, and by `msjax scan`."""

# (what, in MindSpore 2.10, here and why)
DEVIATIONS = (
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
    ("gradients of LSTM with float64 inputs on CPU", "zeros", "The gradients."),
    ("Tensor.fill of a complex number", "drops the imaginary part", "TypeError, as fill_ and masked_fill raise."),
    (
        "h = x * 1; r = h; h *= 3 in compiled code, also += -= /= //= %=",
        "changes the Tensor in place: r is changed too, and so is an argument of the function; an attribute is changed at every call, while "
        "what was computed from it is folded (mask = self.mask; mask /= mean(mask) divides again and again)",
        "Makes a new Tensor, as in PYNATIVE_MODE: r, the argument and the attribute keep their values. A Parameter is written in place, as there.",
    ),
    (
        "lists, globals, closures and class attributes changed by compiled code, or between its calls",
        "changes are dropped or frozen, for dicts some of them",
        "As in Python: what is changed is seen, by the caller and by the next call; but a list or dict that is an argument of "
        "@jit is a copy, and x += [1] makes a new list, as in MindSpore's graphs.",
    ),
    (
        'the text of a constant Tensor or NumPy array in an f-string in compiled code: f"{x}" of x = Tensor([1, 2])',
        "'Tensor(shape=[2], dtype=Int64, value=[1 2])', but '[1 2]' for str(x), for \"{}\".format(x) and where another Tensor of the "
        "f-string is not constant; an array is 'PythonObject(...)'",
        "The text of str(x) in all of them.",
    ),
    (
        "two Parameters of one name in one compiled program; range of a Tensor, comprehensions with two loops, get_parameters, "
        "untrainable_params, initializer, set_data and get_context in compiled code",
        "RuntimeError or TypeError (the forward of a Cell with two Parameters of one name runs)",
        "They run, as in PYNATIVE_MODE.",
    ),
    (
        "a Tensor comparison beside True or False as results of two branches",
        "TypeError",
        "They are joined to a bool Tensor.",
    ),
    (
        "Cell.set_inputs, enable_dynamic: lengths left open; a call by keyword; one that leaves a declared argument out",
        "one program for all lengths; ValueError; IndexError",
        "The inputs are checked alike. XLA compiles for whole shapes: one program for lengths up to the next power of two, where padding is "
        "exact (docs/guide/performance.md); where not, each length is a program of its own, with a warning that says why. The calls are served.",
    ),
    ("x[np.array], x[range], x[np.int64(0)]", "IndexError", "They index, as in NumPy."),
    (
        "Tensor(shape=..., dtype=..., init=False), a number instead of an Initializer",
        "is taken; computing with the Tensor is RuntimeError: it is uninitialized",
        "A Tensor that holds the number, as programs that are written so mean it.",
    ),
    ("x[::-1] = v", "fails on CPU", "Assigns, as in NumPy."),
    (
        "x[[[2, 1], [-2, 0]]] = v: negative numbers in nested lists",
        "counted along the first axis, wherever they stand; the list itself is changed",
        "Counted along their own axis, as in reading; the list stays.",
    ),
    (
        "x in (6, -6), x in [Tensor of another dtype] in compiled code, x a Tensor of one element",
        "never true, though it is in PYNATIVE_MODE",
        "True where one of them equals x, in both modes.",
    ),
    (
        "integers // 0 and integers % 0",
        "the largest integer or 0 on CPU",
        "What the processor gives: as NumPy, no value to rely on.",
    ),
    (
        "branches of an if that give unlike types, shapes or structures in compiled code",
        "refused: TypeError, ValueError or RuntimeError when the graph is built",
        "The function runs, eagerly for that signature where the compiler cannot join them, with one warning.",
    ),
    (
        "ApplyMomentum(use_nesterov=True), nn.Momentum(use_nesterov=True)",
        "the CPU build steps as without it on some processors",
        "The documented formula.",
    ),
    (
        "any, ReduceAny of numbers",
        "reads bytes of the numbers as bools: any of [0., 2.] is False in float32, float64, int32 and int64, True in float16",
        "Whether a number is not 0. Of uint8 the result is uint8, as there.",
    ),
    ("second gradients of mint.matmul, numpy.matrix_power in PYNATIVE_MODE", "zero", "The second derivative."),
    ("ROIAlign with roi_end_mode 0", "a gradient that is not that of its result", "The derivative of the result."),
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
        "gather, index_select, x[Tensor] at negative indices",
        "the gradient of what they took is lost",
        "It goes where the value came from.",
    ),
    (
        "indices outside: tensor_scatter_elements, scatter, one_hot, CTC labels, SparseSoftmaxCrossEntropyWithLogits",
        "the CPU kernels read or write beside the memory, or give infinity",
        "Left out (tensor_scatter_elements, scatter, one_hot, as documented) or RuntimeError.",
    ),
    (
        "indices outside in compiled code (GRAPH_MODE, @jit)",
        "RuntimeError on CPU",
        "Zeros, NaN or the nearest element, as on Ascend; with set_context(check_indices=True) or MSJAX_CHECK=1 they raise, and so does "
        "the first NaN, at the user's line.",
    ),
    (
        "Tensor.add_ and other in-place methods",
        "leave the Tensor unchanged on CPU; a bool Tensor gives a float one",
        "They change it, as documented; TypeError where its dtype can not hold the result.",
    ),
    (
        "maximum, minimum, max, min, clip, hardtanh with NaN, their gradients and those of HShrink, SoftShrink, KLDivLoss; histc",
        "the CPU kernels pass over NaN, histc counts it in the first bin",
        "NaN is passed on, as on Ascend and GPU; histc leaves it out.",
    ),
    ("copysign(x, -0.0), copysign(x, -NaN)", "positive", "Negative: the sign is that bit, as in NumPy."),
    (
        "any, sub_, numpy.cumprod, unsorted_segment_max of complex Tensors",
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
        "numpy.take_along_axis, numpy.tensordot and Tensor - COOTensor of shapes that do not fit, scatter_* into no elements, "
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
        "topk of equal elements, scatter to one position twice",
        "any of them",
        "The first of equal elements; on CPU the last of what is written.",
    ),
    (
        "float64 in cross_entropy(label_smoothing), softplus, ResizeBilinearV2; numpy.logaddexp2",
        "computed with float32 on the way",
        "Computed in the dtype of the input.",
    ),
    (
        "ApplyRMSProp, ApplyCenteredRMSProp, FusedSparse*: the value of the call",
        "zeros or old content on CPU; the Parameters are right",
        "The new values.",
    ),
    ("numpy.diag of infinities and NaN", "NaN beside them: it multiplies with zeros", "Zeros beside the diagonal."),
    ("numpy.tril_indices, triu_indices that are empty", "float32", "int32, as the others."),
    (
        "set_context, set_seed in another thread than the main one",
        "change the whole process",
        "They hold in that thread, so that threads train in different modes at the same time. A new thread sees what the main one has set.",
    ),
    ("device_target that is not there", "RuntimeError", "The best device that JAX has is used, said once."),
    (
        "std, var of integers (ops, Tensor, numpy); norm of integers of 8 bits",
        "the mean is cut to an integer first, squares overflow: 8.5 for 8584",
        "Computed with floats.",
    ),
    (
        "numbers and NumPy arrays in a list of Tensors: stack([x, 1]), addn, hstack, vstack, column_stack, accumulate_n, block_diag",
        "TypeError",
        "They count as Tensors.",
    ),
    ("numpy.gcd, numpy.lcm of floats", "some number", "Computed on the integer parts."),
    ("numpy.cumprod of a Python list", "int64", "int32, as in all other functions of mindspore.numpy."),
    ("COOTensor with int32 positions", "+, -, coalesce raise on CPU", "They work for int16, int32 and int64."),
    ("CSRTensor products and conversions", "need a compiler beside MindSpore on CPU", "They run on every device."),
    (
        "ops.Custom with func_type 'aot', 'tbe', 'akg', 'aicpu'",
        "compiled code for one vendor's device",
        "ValueError: use 'pyfunc' or msjax.register_op.",
    ),
    (
        "ops.Send, Receive, BatchISendIRecv, NeighborExchange in a group of one",
        "exchange Tensors of processes",
        "The process receives what it sent to itself; Send only outside compiled code. NeighborExchangeV2: only without neighbours.",
    ),
    (
        "ops.CustomOpBuilder.build, load",
        "compile C++ sources against MindSpore",
        "RuntimeError: use msjax.register_op, or ops.Custom with 'pyfunc'.",
    ),
    ("ops.Push, ops.Pull", "talk to a parameter server", "RuntimeError: weights and optimizer are in this process."),
    ("ops.Morph in PYNATIVE_MODE", "RuntimeError", "Runs its function, as in GRAPH_MODE."),
    (
        "softmax(scale * Q K^T) V of plain operators in a compiled program, with a constant mask that hides all later keys",
        "each operator rounds its result",
        "On TPU and GPU the device's attention kernel, which keeps scores in float32, where it takes such inputs.",
    ),
    (
        "ops.flash_attention_score with real_shift",
        "documented as added after the scaling; its Primitive and the kernel add it before",
        "Added before the scaling.",
    ),
    (
        "nn.MultiheadAttention, nn.transformer, causal masks of -1e4",
        "added to the scores, so a later key whose score is 10,000 greater than all others is seen",
        "Beyond 4 million scores, and on accelerators, later keys are hidden: the kernels need not read the mask.",
    ),
    (
        "attention and routing kernels of Ascend",
        "limits on dtypes and lengths; quantised forms",
        "The documented formulas in any float dtype and length; arguments of quantised forms raise. Scores and maxima are given also when not asked for.",
    ),
    (
        "ops.moe_distribute_dispatch, moe_distribute_combine",
        "work between 2 and more processes",
        "One process: world sizes of 1 only, else RuntimeError.",
    ),
    (
        "random numbers",
        "Philox on each device",
        "JAX's threefry: other numbers for the same seed, equal on every device.",
    ),
    ("Dropout masks", "those of MindSpore's generator", "Other positions for the same seed."),
    # --- the engine
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
    ("grad of a tuple of Tensors", "an empty tuple", "The gradients, nested as the input."),
    ("vmap of matmul with in_axes=1", "maps the other axis on CPU", "Maps the axis that was named."),
    ("UnravelIndex", "the CPU kernel gives the matrix transposed", "One row for each index, as documented."),
    (
        "ApplyAdagradDA, ApplyFtrl, nn.FTRL with l1",
        "the CPU kernel adds the L1 limit to negative sums",
        "The documented formula.",
    ),
    (
        "gradients of numpy.flip, numpy.cumprod with a 0, Coalesce",
        "a column lost, NaN, a wrong shape",
        "The derivative.",
    ),
    ("relu, relu6, hardshrink of NaN", "0 on CPU", "NaN: hidden, it would come back as a wrong number elsewhere."),
    ("a changed attribute or replaced Parameter of a compiled Cell", "the old one stays in use", "Traced again."),
    (
        "arguments changed in place in compiled code",
        "x[0] = 1 stays inside",
        "The caller's Tensor changes, as in PYNATIVE_MODE.",
    ),
    (
        "a network called before it is differentiated in the same compiled step",
        "runs once",
        "Runs once: BatchNorm statistics move once, dropout draws one mask. In PYNATIVE_MODE it runs twice, and once after set_grad(), as in MindSpore.",
    ),
    (
        "y = x if c else z with c a traced Tensor, then y += 1",
        "-",
        "Neither x nor z changes: which one y was is not known when the code is compiled.",
    ),
    (
        "positions out of range in compiled code",
        "an error on some devices",
        "JAX clamps them; eager code raises IndexError.",
    ),
    ("list of ints // bool Tensor", "bool", "int64, as with every other operator."),
    (
        "export with MINDIR",
        "MindSpore's MindIR",
        "StableHLO and weights, for `load` and `nn.GraphCell` here; said when it is written.",
    ),
    (
        "data sinking on CPU",
        "switched off",
        "Works; steps run one by one there, since XLA's loops slow convolutions down. On GPU and TPU lax.scan.",
    ),
    (
        "Tensor.transpose(0, 1) of a matrix",
        "exchanges the axes in PYNATIVE_MODE, leaves them in GRAPH_MODE",
        "Exchanges them: two numbers are two axes. transpose((0, 1)) is a permutation.",
    ),
    # --- memory, and the graph compiler
    (
        "Tensor.asnumpy, Tensor.from_numpy, dlpack: writing into the array afterwards",
        "changes the Tensor too, and the other way round: they share memory",
        "The array is a copy: JAX's arrays never change. Write t[...] = v.",
    ),
    (
        "Python floats in compiled code: 1 / 3, 0.1 + 0.2, x * 0.1 of a float64 Tensor, 1e300",
        "rounded to float32: 0.30000001192092896, and inf for 1e300",
        "Python's own numbers, as in PYNATIVE_MODE: a float64 Tensor keeps its precision.",
    ),
    (
        "a method of a Cell without self, def func(x, y), called as self.func(x, y)",
        "runs in GRAPH_MODE; TypeError in PYNATIVE_MODE",
        "Python's TypeError in both.",
    ),
    (
        "float(x.asnumpy()), int(x.asnumpy()) of one element in rank 1 or more",
        "NumPy 1 gives the number",
        "TypeError of NumPy 2, which JAX needs; x.asnumpy().item() works in both.",
    ),
    ("Tensor.parent_tensor_, index_of_parent_", "a slice knows what it was cut from", "None, though views know it."),
    (
        "views in PYNATIVE_MODE: x[0][1] = v, y = x.reshape(-1); y[0] = v",
        "parts share memory; while a gradient is computed, reshape, T and the like copy, and a part does not see x[0] = v",
        "They share content, gradients included. Copies are: Tensor(x), mindspore.tensor(x), x.value(), x.H, x.resize, meshgrid, deepcopy, "
        "mindspore.numpy, chains of more "
        "than 8 views.",
    ),
    (
        "p.data.set_data(x), p.data.name, p.data.requires_grad",
        "AttributeError: `p.data` is a Tensor; until MindSpore 2.2 it was p itself",
        "What a Parameter has and a Tensor has not is p's. `p.data` is a Tensor that shares p's content, as in MindSpore 2.10.",
    ),
    (
        "x[1:][0] = v in compiled code: first a slice, then an item",
        "writes nothing",
        "Writes to x, as in PYNATIVE_MODE.",
    ),
    (
        "y = x; y[0] = v in compiled code; rows = [x[0]]; rows[0][1] = v",
        "x keeps its elements",
        "y is x, as in Python, so that x is changed.",
    ),
    (
        "x[1:] = x[:-1], x[:, 1:] = x[:, :-1], x[:] = x.T: a part written to one that it overlaps",
        "RuntimeError, or elements that were written before are read",
        "The elements as they were before, as in NumPy.",
    ),
    ("ops.assign(x[0], v)", "RuntimeError on CPU", "Assigns, and x changes."),
    (
        "gradients through w[0] = v with w a Parameter, w.copy(), or x[0] = (x * x).sum() in PYNATIVE_MODE",
        "as if w were unchanged, none through the copy, and with the x after the change",
        "The derivative.",
    ),
    (
        "self.w = t with w a Parameter and t a Tensor",
        "both share memory from then on: ops.assign(self.w, v) changes t too",
        "The Parameter takes the value; t stays.",
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
        "x[Tensor] = v where one position stands twice: the gradient of v",
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
        "jvp along parts of numbers through a cast to integers",
        "the tangent is cut to whole numbers by the cast",
        "Passed on as it is. jacfwd, whose tangents are whole, agrees.",
    ),
    (
        "Parameter(device='CPU'), Adam(use_offload=True), MindFormers' swap: True",
        "the state lies in the host's memory",
        "It stays on the device, which a GPU or TPU tells once; enable_parallel_optimizer divides it. Cell.offload moves intermediate values.",
    ),
    ("Tensor.offload", "the memory is given up", "The file is written; the content stays in memory too."),
    ("Tensor.delete_, Tensor.index", "Ascend only", "On every device; what uses a released Tensor raises ValueError."),
    (
        "Tensor.getitem_index_info, setitem_index_info, set_device_address; utils._reuse_data_ptr",
        "plans for MindSpore's kernels, addresses of its memory",
        "RuntimeError: XLA indexes, and memory is JAX's.",
    ),
    (
        "Tensor(shape=[None, 3]) used in an operator",
        "an empty Tensor, or a crash",
        "ValueError: it describes an input and has no content.",
    ),
    ("UntypedStorage.resize_", "resizes the memory", "Records the length; JAX frees memory when nothing refers to it."),
    (
        "common._Function in compiled code; set_materialize_grads(False)",
        "PYNATIVE_MODE only; None for gradients that are zero",
        "Works in both modes; zeros.",
    ),
    (
        "MsDispatchMode",
        "sees the primitives of MindSpore's kernels",
        "Sees msjax's records: names without Ext; functions of several operators show those.",
    ),
    (
        "ops.J, array_reduce, distribute, make_map_parameter, geswitch, merge, GeSwitch, Merge, GetNext",
        "nodes of MindSpore's graphs; raise in eager code",
        "They raise when they are called and say what to use.",
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
        "ops.zip_operation, ms_next, ms_hasnext, iter_converter, recompute_block",
        "None in eager code",
        "What they mean in a graph, on Python sequences.",
    ),
    (
        "mindspore.graph: custom passes, backends, infer functions, wrappers",
        "plug-ins for MindSpore's compiler",
        "RuntimeError: XLA compiles. MsDispatchMode gets operator calls.",
    ),
    (
        "obfuscate_ckpt, load_obf_params_into_net",
        "weights times random factors",
        "RuntimeError: encrypt the file (enc_key, dec_key).",
    ),
    (
        "utils.RSCPluginHandle, _tft_handler",
        "fault tolerance of Ascend clusters",
        "Off; starting it raises RuntimeError. OnRequestExit and ModelCheckpoint serve.",
    ),
    # --- training
    (
        "BatchNorm trained on one value a channel: its moving variance",
        "NaN on CPU",
        "The variance of the batch counts without the correction for its size.",
    ),
    (
        "to_float in PYNATIVE_MODE: Cells that only cut, reshape or pass on (Identity, PixelShuffle, x.reshape(-1))",
        "float32: views are not cast",
        "Cast, as in GRAPH_MODE.",
    ),
    (
        "to_float(float16) in PYNATIVE_MODE: ops.full, ops.fill, ops.one_hot, nn.OneHot, mnp.zeros with a dtype of floats",
        "float16, whatever dtype was named: the kernel's value is cast, too",
        "The dtype that was named, as in GRAPH_MODE.",
    ),
    (
        "to_float in PYNATIVE_MODE: ops.zeros_like(x), ops.ones_like(x) of the Cell's input",
        "float32",
        "The dtype of to_float, as in GRAPH_MODE.",
    ),
    ("ops.full of a float or a bool without dtype", "int64: 1.5 becomes 1", "The value's dtype: float32, bool."),
    (
        "A compiled function that returns a Tensor made of constants in it",
        "The same memory at each call: a write changes later results",
        "A new Tensor at each call.",
    ),
    ("ConfusionMatrixMetric with decrease='mean_batch'", "TypeError", "The mean over the batch."),
    ("Precision, Recall of multilabel float32 rows without positives, average=True", "nan", "0, as without average."),
    (
        "EarlyStopping(patience=0)",
        "stops after the first epoch",
        "Stops at the first epoch that is not better, as documented.",
    ),
    ("EarlyStopping(baseline=)", "takes min_delta's value for it", "The baseline that was given."),
    ("eval_loss of Model.fit", "the last batch's", "The mean over the dataset."),
    ("values of metrics", "numpy.float64", "Python numbers, so that json takes them."),
    (
        "LossMonitor between the steps that it prints",
        "waits for each loss to see whether it is NaN",
        "Looks at a loss once the device has it: ValueError names the step, but may come some steps later.",
    ),
    (
        "load_checkpoint(filter_prefix=, specify_prefix=) of safetensors",
        "ignored",
        "They choose, as they do for .ckpt files.",
    ),
    (
        "save_checkpoint of a dict",
        "leaves Tensors out, or raises UnboundLocalError; so it does for numbers",
        "Tensors are saved; TypeError for what cannot be.",
    ),
    (
        "save_checkpoint, load_checkpoint: names of files",
        "TypeError for pathlib.Path; FileNotFoundError where the folder is missing",
        "Paths serve; folders are made.",
    ),
    (
        "safetensors files: strings, damage",
        "safetensors' SafetensorError",
        "TypeError for strings, ValueError that names a damaged file.",
    ),
    ("load_checkpoint of an encrypted file with crc_check", "ValueError", "Decrypts, and checks."),
    ("load_checkpoint(choice_func=3)", "ValueError for .ckpt, TypeError for safetensors", "TypeError."),
    (
        "ModelCheckpoint: <prefix>-graph.meta",
        "the graph in MindSpore's own format",
        "The compiled step as StableHLO, as text.",
    ),
    ("load_param_into_net with a weight that does not fit", "those before it are loaded", "Nothing is changed."),
    (
        "OnRequestExit",
        "stops only with MS_ENABLE_GRACEFUL_EXIT and Parameters of that name",
        "Stops after the step, as documented.",
    ),
    (
        "print(type(net)), nn.Dense.__module__",
        "mindspore.nn.layer.basic.Dense",
        "msjax.nn.layer.basic.Dense, where it is defined; Tensor and Parameter are printed as MindSpore's. Cells have the plain "
        "metaclass, so that users' own ones can be joined.",
    ),
    (
        "optimizers: a list of gradients; float16 and int gradients of RMSProp, AdamOffload, LARS; too few or too many of Adadelta, ASGD, Rprop",
        "RuntimeError; TypeError; those that have no Parameter are left out",
        "Lists serve as tuples do, gradients are cast. Gradients that are not as many as the Parameters are refused.",
    ),
    (
        "optimizers: a number for a gradient",
        "ValueError from Adam's MultitypeFuncGraph, TypeError from SGD and Momentum",
        "TypeError that names the gradient.",
    ),
    ("Model.train on a list of batches", "AttributeError", "Any sized iterable of batches serves."),
    (
        "FlopsUtilizationCollector",
        "counts MatMul, BatchMatMul, Conv2D and attention; ops.matmul is left out; a convolution in groups or transposed raises",
        "All products of matrices and convolutions count, as XLA runs them.",
    ),
    (
        "summary files",
        "MindInsight's format; the last step of an epoch is there twice where it is due",
        "TensorBoard's event files; lineage, graph and dataset as texts; each step once.",
    ),
    (
        "Profiler",
        "files of Ascend's profiler",
        "Traces of XLA for TensorBoard and Perfetto, MindSpore's tables of a CPU run and its timeline, a flame picture; what XLA "
        "merges counts for the operator that most of it comes from. Settings of Ascend are accepted.",
    ),
    (
        "boost: less_bn, grad_freeze, adasum, dim_reduce",
        "change what is computed",
        "Left out; gradient accumulation is real.",
    ),
    (
        "pipeline_scheduler seqpipe, seqvpp, seqsmartvpp, zero_bubble_v, pipeline_interleave",
        "other orders of the parts of a batch",
        "The order of gpipe where it is asked for, else that of 1f1b: the results are the same.",
    ),
    (
        "rewrite.SymbolTree: functions of MindSpore itself",
        "read, too, and copied into the rewritten source (concat_opt)",
        "One node that calls the function; arguments are evaluated from left to right.",
    ),
    (
        "runtime: memory pools and allocators",
        "MindSpore's memory manager",
        "RuntimeError: the memory is JAX's. Limits and launch settings are recorded.",
    ),
    # --- datasets: where MindSpore's build contradicts its documentation
    ("vision.NormalizePad of HWC images", "scrambled", "As documented."),
    ("vision.Rotate, RandomRotation: fill_value", "in BGR order", "In RGB order."),
    ("vision.AdjustGamma of float images", "the gain counts twice", "Once."),
    ("vision.AdjustHue of float images", "taken for bytes", "In [0, 1]."),
    ("vision.RandAugment, TrivialAugmentWide: translations", "black images", "Translated."),
    ("vision.RandomAffine of Pillow images", "ignores the fill value", "Uses it."),
    (
        "audio.AmplitudeToDB, Spectrogram(power=0), InverseSpectrogram(pad)",
        "ignore or lose an argument",
        "As documented.",
    ),
    ("audio.MelSpectrogram of float64", "reads other memory", "Computed."),
    ("audio.GriffinLim: length of more or fewer frames", "reads other memory", "Cut or filled at the end."),
    ("audio.Vad", "never triggers on CPU", "As documented."),
    ("text.RegexReplace, FilterWikipediaXML of string arrays", "mix the strings up", "Each by itself."),
    (
        "CoNLL2000Dataset, UDPOSDataset: words after the last empty line of a file; lines that end with a carriage return, or have two words",
        "left out in silence; the process crashes; get_dataset_size counts words",
        "Left out, as there, with a warning; read; RuntimeError that names the line. get_dataset_size counts sentences.",
    ),
    (
        "text.BasicTokenizer, BertTokenizer(lower_case=True): a text that begins with an unused token",
        "has it twice",
        "Once.",
    ),
    (
        "dataset: more workers than cores; DatasetCache",
        "ValueError; a cache server",
        "Allowed; accepted, caches nothing.",
    ),
    ("sources over several files, num_shards", "the rows of a shard mixed by worker", "File after file."),
    (
        "onnx.export(export_params=False), keep_initializers_as_inputs=True",
        "weights are inputs of the ONNX file",
        "ValueError: they are constants of it.",
    ),
    (
        "nn.transformer.FixedSparseAttention",
        "kernels for Ascend, until 1.9",
        "RuntimeError: nn.transformer.MultiHeadAttention with a mask of the same pattern.",
    ),
    (
        "experimental.optim.Adam(amsgrad=True)",
        "amsgrad is ignored",
        "The largest second moment is used, as documented.",
    ),
    (
        'param_groups[i]["lr"] of experimental optimizers set to an int, a Tensor or a Parameter',
        "reads back, and the step goes on with the rate of before; a float counts",
        "It is the rate of the next step.",
    ),
    (
        'eval_results["eval_loss"] of Model.fit, which EarlyStopping and ReduceLROnPlateau read',
        "the loss of the last batch of the evaluation",
        "The mean over its batches, as the metric Loss.",
    ),
    (
        "nn.RMSProp with a large epsilon",
        "eight elements at once: epsilon outside the root",
        "Inside the root, as documented.",
    ),
    ("mint.optim on CPU", "no kernels, or Parameters stay as they are", "They work on every device."),
    ("VarianceScaling with 'truncated_normal'", "draws uniformly", "Draws as documented, of the same variance."),
    (
        "nn.MultiheadAttention with a bool key_padding_mask and a float attn_mask",
        "True adds 1 to the scores",
        "True hides the key, as documented.",
    ),
    (
        "ops.multi_head_attention_forward(is_causal=True)",
        "adds 1 to earlier scores",
        "Hides later keys, as documented.",
    ),
    ("gradients of ops.Betainc for a and b", "0", "They raise: no formula is known."),
    (
        "gradients of Inplace*, inplace_*, cholesky_*, nearest grid_sample, StridedSlice with masks, ReduceProd at 0, numpy.select",
        "missing or not those of the function",
        "Those of the function; finite differences agree.",
    ),
    ("gradient of ops.selu below 0", "too small on CPU", "That of the documented formula."),
    (
        "hyper_parallel: DTensor.from_local, to_local",
        "each rank is a process of its own, and brings and takes its own part",
        "One process has all devices: from_local means that each brings an equal part, to_local gives that of the first device, and raises "
        "where a gradient is recorded of a Tensor that is split (custom_shard runs a function on all parts). In several processes it raises.",
    ),
    (
        "hyper_parallel: Partial, gradients of fully_shard and hsdp, offloading, policies for single operators",
        "terms and gradients are added up by calls that can be put off; activations and Parameters can be moved to the host",
        "XLA adds up at once, so switches of communication are recorded alone; moving to the host raises.",
    ),
)

# name below `mindspore` -> why it is supported in part only
PARTIAL = {
    "ops.GetNext": "there is no queue of batches on the device; iterate the dataset",
    "ops.GeSwitch": "a node of MindSpore's graphs; use Python's if",
    "ops.Merge": "a node of MindSpore's graphs; use Python's if",
    "ops.geswitch": "a node of MindSpore's graphs; use Python's if",
    "ops.merge": "a node of MindSpore's graphs; use Python's if",
    "ops.J": "a node of MindSpore's graphs; use ops.vjp or ops.grad",
    "ops.array_reduce": "a node of MindSpore's graphs",
    "ops.distribute": "a node of MindSpore's graphs; use ops.reshard",
    "ops.make_map_parameter": "use mindspore.experimental.MapParameter",
    "Tensor.getitem_index_info": "a plan for MindSpore's own kernels; index the Tensor",
    "Tensor.setitem_index_info": "a plan for MindSpore's own kernels; index the Tensor",
    "Tensor.set_device_address": "memory is JAX's",
    "graph.register_custom_pass": "XLA compiles; use msjax.register_op",
    "graph.register_custom_backend": "JAX finds its own backends",
    "graph.register_op_infer": "operators carry no attributes of a graph",
    "graph.register_op_wrapper": "use mindspore.MsDispatchMode",
    "obfuscate_ckpt": "use save_checkpoint(enc_key=...)",
    "load_obf_params_into_net": "use load_checkpoint(dec_key=...)",
    "safeguard.obfuscate_ckpt": "use save_checkpoint(enc_key=...)",
    "safeguard.load_obf_params_into_net": "use load_checkpoint(dec_key=...)",
    "ops.CustomOpBuilder": "C++ against MindSpore's classes can not be built; use msjax.register_op",
    "ops.Push": "there is no parameter server",
    "ops.Pull": "there is no parameter server",
    "ops.speed_fusion_attention": "pse_type 0 and 1",
    "ops.moe_distribute_dispatch": "one process, not quantised",
    "ops.moe_distribute_combine": "one process, not quantised",
    "ops.Custom": "func_type 'pyfunc' and 'hybrid'; code compiled for one vendor's device is refused",
    "load_mindir": "MindIR is a format of MindSpore's own compiler",
}
