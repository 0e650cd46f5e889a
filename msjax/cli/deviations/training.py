"""Rows of the table of deviations about layers, optimizers, training and the files that it writes and reads."""

ROWS = (
    (
        "ApplyMomentum(use_nesterov=True), nn.Momentum(use_nesterov=True)",
        "the CPU build steps as without it on some processors",
        "The documented formula.",
    ),
    (
        "nn.MultiheadAttention, nn.transformer, causal masks of -1e4",
        "added to the scores, so a later key whose score is 10,000 greater than all others is seen",
        "Beyond 4 million scores, and on accelerators, later keys are hidden: the kernels need not read the mask.",
    ),
    (
        "ApplyAdagradDA, ApplyFtrl, nn.FTRL with l1",
        "the CPU kernel adds the L1 limit to negative sums",
        "The documented formula.",
    ),
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
        "Parameter(device='CPU'), Adam(use_offload=True), MindFormers' swap: True",
        "the state lies in the host's memory",
        "It stays on the device, which a GPU or TPU tells once; enable_parallel_optimizer divides it. Cell.offload moves intermediate values.",
    ),
    (
        "BatchNorm trained on a batch without elements: its moving mean",
        "goes towards what the memory holds, 0 or another number; the moving variance towards 0",
        "Both go towards 0.",
    ),
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
        "to_float(float16) in PYNATIVE_MODE: what follows `x.astype(ms.float32)` in the Cell",
        "float16: each operator casts its inputs again",
        "float32, as in GRAPH_MODE.",
    ),
    (
        "nn.EmbeddingLookup(sparse=True) with indices that repeat, in GRAPH_MODE",
        "optimizers on CPU do not add the rows of one index up (Adam's first move is 0.141 for 0.1)",
        "Added up, as in PYNATIVE_MODE and as the FusedSparse operators do.",
    ),
    (
        "load_param_into_net between steps of SGD in PYNATIVE_MODE",
        "the weight that was loaded is not trained any more",
        "It is trained, as in GRAPH_MODE.",
    ),
    (
        "to_float in PYNATIVE_MODE: x.astype(mindspore.float32), x.float() of a Tensor of float32; ops.unstack",
        "rounded to float16 first; cast",
        "As they are: what computes with them casts them.",
    ),
    (
        "to_float: what ops.assign writes; a Parameter or a Tensor of the Cell that construct returns as it is",
        "rounded to float16 first; the Parameter as it is, the Tensor cast in GRAPH_MODE",
        "The value as it is; the Parameter cast, the Tensor as it is.",
    ),
    (
        "to_float in GRAPH_MODE: what a method, an inner function or a lambda is called with",
        "cast again",
        "As it is: float32 after x.astype(mindspore.float32).",
    ),
    (
        "to_float in GRAPH_MODE: a Parameter that is looked up (ops.gather, w[0], ops.where), that a matmul takes transposed, or that was written before",
        "float32, or a TypeError, as the compiler came to it",
        "Cast, as in PYNATIVE_MODE.",
    ),
    ("ConfusionMatrixMetric with decrease='mean_batch'", "TypeError", "The mean over the batch."),
    ("Precision, Recall of multilabel float32 rows without positives, average=True", "nan", "0, as without average."),
    (
        "EarlyStopping(patience=0)",
        "stops after the first epoch",
        "Stops at the first epoch that is not better, as documented.",
    ),
    (
        "TopKCategoricalAccuracy of k above the number of classes",
        "ValueError; a row of one class counts k times",
        "Each row counts once at most.",
    ),
    (
        "ROC of several classes",
        "mixes rows and classes unless there are as many of one as of the other",
        "One curve a class.",
    ),
    ("EarlyStopping(baseline=)", "takes min_delta's value for it", "The baseline that was given."),
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
    (
        "amp.auto_mixed_precision(nn.MultiheadAttention(..., batch_first=True), 'O1'), the layer itself",
        "its output is (L, N, E), not transposed back; NameError in GRAPH_MODE. Within a network it is right",
        "(N, L, E), in both modes.",
    ),
    (
        "print(net) after amp.auto_mixed_precision(net, 'O1') or 'auto'",
        "classes of a rewritten network: DenseOpt(...)",
        "Each Cell that computes in low precision within the one that casts its results.",
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
        "a gradient of NaN or infinity in AdaMax, Rprop, RMSProp(centered=True), ASGD, FTRL, ProximalAdagrad, Adadelta, Adam(use_amsgrad=True)",
        "the CPU kernels pass over it in some of the state; Rprop and RMSProp step as if it were 0, and FTRL sets the weight to 0",
        "NaN is passed on to the state and the Parameter, where it is seen; a loss scale leaves out such a step.",
    ),
    ("experimental.optim.Adagrad of float16 Parameters", "they stay as they are", "They are trained."),
    (
        "groups of an optimizer with 'lr' an iterator",
        "RuntimeError at the first step: the check of the groups uses it up",
        "Its rates are those of the steps.",
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
    (
        "TruncatedNormal of an interval that lies more than 5 deviations above the mean",
        "draws outside it",
        "Draws inside.",
    ),
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
)
