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
    ("ops.Custom with func_type 'aot', 'tbe', 'akg', 'aicpu'", "compiled code for one vendor's device", "ValueError: use 'pyfunc' or msjax.register_op."),
    ("mint.distributed, communication operators", "exchange Tensors of processes",
     "One process: groups of one member. Several processes: RuntimeError, one program over all devices instead."),
    ("mint.nn.SyncBatchNorm", "statistics over processes", "The batch spans all devices of the program, so do its statistics."),
    ("random numbers", "Philox on each device", "JAX's threefry: other numbers for the same seed, equal on every device."),
    ("Dropout masks", "those of MindSpore's generator", "Other positions for the same seed."),
)

# name below `mindspore` -> why it is supported in part only
PARTIAL = {
    "ops.Custom": "func_type 'pyfunc' and 'hybrid'; code compiled for one vendor's device is refused",
    "load_mindir": "MindIR is a format of MindSpore's own compiler",
}
