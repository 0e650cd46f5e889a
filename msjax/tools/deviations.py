"""Where msjax differs from MindSpore, by hand: read by `matrix.py` into compat_matrix.md, and by `msjax scan`."""

# (what, in MindSpore 2.10, here and why)
DEVIATIONS = (
    ("x[np.array], x[range], x[np.int64(0)]", "IndexError", "They index, as in NumPy."),
    ("x[::-1] = v", "fails on CPU", "Assigns, as in NumPy."),
    ("Tensor.add_ and other in-place methods", "leave the Tensor unchanged on CPU", "They change it, as documented."),
    ("maximum, minimum, max, min with NaN", "the CPU kernels pass over NaN", "NaN is passed on, as on Ascend and GPU."),
    ("device_target that is not there", "RuntimeError", "The best device that JAX has is used, said once."),
    ("numpy.std, numpy.var of integers", "the mean is cut to an integer first", "The mean is a float."),
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
        "mint.distributed, communication operators",
        "exchange Tensors of processes",
        "One process: groups of one member. Several processes: RuntimeError, one program over all devices instead.",
    ),
    (
        "mint.nn.SyncBatchNorm",
        "statistics over processes",
        "The batch spans all devices of the program, so do its statistics.",
    ),
    (
        "random numbers",
        "Philox on each device",
        "JAX's threefry: other numbers for the same seed, equal on every device.",
    ),
    ("Dropout masks", "those of MindSpore's generator", "Other positions for the same seed."),
    # --- the engine
    ("gradients of integer inputs", "cotangents are cast to the integer type", "Zeros: gradients stop at integers, as in mathematics."),
    ("gradients of complex functions", "TypeError for some operators", "Computed, by JAX's convention."),
    ("grad of a tuple of Tensors", "an empty tuple", "The gradients, nested as the input."),
    ("vmap of matmul with in_axes=1", "maps the other axis on CPU", "Maps the axis that was named."),
    ("UnravelIndex", "the CPU kernel gives the matrix transposed", "One row for each index, as documented."),
    ("ApplyAdagradDA", "the CPU kernel adds the L1 limit to negative sums", "The documented formula."),
    (
        "gradients of numpy.flip, numpy.cumprod with a 0, Coalesce",
        "a column lost, NaN, a wrong shape",
        "The derivative.",
    ),
    ("relu, relu6 of NaN", "0 on CPU", "NaN: hidden, it would come back as a wrong number elsewhere."),
    ("a changed attribute or replaced Parameter of a compiled Cell", "the old one stays in use", "Traced again."),
    ("arguments changed in place in compiled code", "x[0] = 1 stays inside", "The caller's Tensor changes, as in PYNATIVE_MODE."),
    (
        "a network called before it is differentiated in the same compiled step",
        "runs once",
        "Runs once: BatchNorm statistics move once, dropout draws one mask. In PYNATIVE_MODE it runs twice, as in MindSpore.",
    ),
    (
        "y = x if c else z with c a traced Tensor, then y += 1",
        "-",
        "Neither x nor z changes: which one y was is not known when the code is compiled.",
    ),
    ("positions out of range in compiled code", "an error on some devices", "JAX clamps them; eager code raises IndexError."),
    ("NumPy array or number on the left of a Tensor", "a NumPy array", "A Tensor, also inside compiled code and gradients."),
    ("list of ints // bool Tensor", "bool", "int64, as with every other operator."),
    ("export with MINDIR", "MindSpore's MindIR", "StableHLO and weights, for `load` and `nn.GraphCell` here; said when it is written."),
    ("data sinking on CPU", "switched off", "Works; steps run one by one there, since XLA's loops slow convolutions down. On GPU and TPU lax.scan."),
    # --- training
    ("RootMeanSquareDistance", "one direction: the mean square; two: the mean of both means", "The documented root, over all edge points."),
    ("ConfusionMatrixMetric with decrease='mean_batch'", "TypeError", "The mean over the batch."),
    ("Precision, Recall of multilabel float32 rows without positives, average=True", "nan", "0, as without average."),
    ("EarlyStopping(patience=0)", "stops after the first epoch", "Stops at the first epoch that is not better, as documented."),
    ("eval_loss of Model.fit", "the last batch's", "The mean over the dataset."),
    ("OnRequestExit", "stops only with MS_ENABLE_GRACEFUL_EXIT and Parameters of that name", "Stops after the step, as documented."),
    ("summary files", "MindInsight's format", "TensorBoard's event files; lineage, graph and dataset as texts."),
    ("Profiler", "files of Ascend's profiler", "Traces of XLA for TensorBoard and Perfetto, op_summary.csv; settings of Ascend are accepted."),
    ("boost: less_bn, grad_freeze, adasum, dim_reduce", "change what is computed", "Left out; gradient accumulation is real."),
    ("strategy files of sliced checkpoints", "slices of MindSpore's compiler", "RuntimeError: files are whole; merge_sliced_parameter merges slices."),
    ("rewrite.SymbolTree, Node", "edit the source of a network", "RuntimeError: exchange Cells of the network itself."),
    ("runtime: memory pools and allocators", "MindSpore's memory manager", "RuntimeError: the memory is JAX's. Limits and launch settings are recorded."),
    # --- datasets: where MindSpore's build contradicts its documentation
    ("vision.NormalizePad of HWC images", "scrambled", "As documented."),
    ("vision.Rotate, RandomRotation: fill_value", "in BGR order", "In RGB order."),
    ("vision.AdjustGamma of float images", "the gain counts twice", "Once."),
    ("vision.AdjustHue of float images", "taken for bytes", "In [0, 1]."),
    ("vision.RandAugment, TrivialAugmentWide: translations", "black images", "Translated."),
    ("vision.RandomAffine of Pillow images", "ignores the fill value", "Uses it."),
    ("audio.AmplitudeToDB, Spectrogram(power=0), InverseSpectrogram(pad)", "ignore or lose an argument", "As documented."),
    ("audio.MelSpectrogram of float64", "reads other memory", "Computed."),
    ("audio.Vad", "never triggers on CPU", "As documented."),
    ("text.RegexReplace, FilterWikipediaXML of string arrays", "mix the strings up", "Each by itself."),
    ("text.WordpieceTokenizer offsets of unknown words", "wrong", "Right."),
    ("dataset: more workers than cores; DatasetCache", "ValueError; a cache server", "Allowed; accepted, caches nothing."),
    ("sources over several files", "rows mixed by worker", "File after file."),
)

# name below `mindspore` -> why it is supported in part only
PARTIAL = {
    "ops.Custom": "func_type 'pyfunc' and 'hybrid'; code compiled for one vendor's device is refused",
    "load_mindir": "MindIR is a format of MindSpore's own compiler",
}
