"""Rows of the table of deviations about devices and processes, and names of MindSpore's own compiler and runtime."""

ROWS = (
    (
        "set_context, set_seed in another thread than the main one",
        "change the whole process",
        "They hold in that thread, so that threads train in different modes at the same time. A new thread sees what the main one has set.",
    ),
    ("device_target that is not there", "RuntimeError", "The best device that JAX has is used, said once."),
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
    (
        "ops.moe_distribute_dispatch, moe_distribute_combine",
        "work between 2 and more processes",
        "One process: world sizes of 1 only, else RuntimeError.",
    ),
    (
        "float(x.asnumpy()), int(x.asnumpy()) of one element in rank 1 or more",
        "NumPy 1 gives the number",
        "TypeError of NumPy 2, which JAX needs; x.asnumpy().item() works in both.",
    ),
    ("Tensor.offload", "the memory is given up", "The file is written; the content stays in memory too."),
    (
        "Tensor.getitem_index_info, setitem_index_info, set_device_address; utils._reuse_data_ptr",
        "plans for MindSpore's kernels, addresses of its memory",
        "RuntimeError: XLA indexes, and memory is JAX's.",
    ),
    ("UntypedStorage.resize_", "resizes the memory", "Records the length; JAX frees memory when nothing refers to it."),
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
