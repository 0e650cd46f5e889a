"""Rows of the table of deviations about compiled code, and parts of Tensors that are written to."""

ROWS = (
    (
        "h = x * 1; r = h; h *= 3 in compiled code, also += -= /= //= %=",
        "changes the Tensor in place, in its own shape and dtype (int32 += 2.5 stays int32): r is changed too, and so is an argument of the "
        "function; an attribute is changed at every call, so is a Tensor made of numbers in the function (n = Tensor(0); n += 1 "
        "goes on at the next call), while "
        "what was computed from it is folded (mask = self.mask; mask /= mean(mask) divides again and again)",
        "Makes a new Tensor, as in PYNATIVE_MODE: r, the argument and the attribute keep their values. A Parameter is written in place, as there.",
    ),
    (
        "lists, globals, closures, class attributes and NumPy arrays (of up to 1 MiB) changed by compiled code, or between its calls",
        "changes are dropped or frozen, for dicts some of them",
        "As in Python: what is changed is seen, by the caller and by the next call; but a list or dict that is an argument of "
        "@jit is a copy, and x += [1] makes a new list, as in MindSpore's graphs.",
    ),
    ("Tensor.argmax() without an axis in compiled code", "along the last axis", "Of all elements, as documented."),
    (
        "compiled code: f'{x:.2f}', 2 ** -1 of ints, x is x; a variable of an inner function that is set after the function",
        "no format; 0; False; what it was before",
        "As in Python.",
    ),
    (
        "hasattr in compiled code of a CellList's or CellDict's Cell by its name, and of a Parameter's name",
        "False: hasattr(self.blocks, 'up') with self.blocks.up there",
        "True, as in PYNATIVE_MODE.",
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
    (
        "x in (6, -6), x in [Tensor of another dtype] in compiled code, x a Tensor of one element",
        "never true, though it is in PYNATIVE_MODE",
        "True where one of them equals x, in both modes.",
    ),
    (
        "branches of an if that give unlike types, shapes or structures in compiled code",
        "refused: TypeError, ValueError or RuntimeError when the graph is built",
        "The function runs, eagerly for that signature where the compiler cannot join them, with one warning.",
    ),
    (
        "indices outside in compiled code (GRAPH_MODE, @jit); a step after the last of a list of learning rates, in both modes",
        "RuntimeError on CPU",
        "Zeros, NaN or the nearest element (the last learning rate), as on Ascend; those that follow from constants raise. With "
        "set_context(check_indices=True) or MSJAX_CHECK=1 they raise, and so does the first NaN, at the user's line.",
    ),
    (
        "softmax(scale * Q K^T) V of plain operators in a compiled program, with a constant mask that hides all later keys",
        "each operator rounds its result",
        "On TPU and GPU the device's attention kernel, which keeps scores in float32, where it takes such inputs.",
    ),
    ("a changed attribute or replaced Parameter of a compiled Cell", "the old one stays in use", "Traced again."),
    (
        "self.p = self.p + 1, ops.assign(self.p, v) in compiled code that also differentiates a lambda, ms.grad(lambda v: ...)(x)",
        "lost: the Parameter stays as it was; with an inner function in the place of the lambda it does not",
        "The Parameter is written.",
    ),
    (
        "net(x) in GRAPH_MODE before any net.set_train(...), then net.set_train() and net(x) again",
        "goes on as compiled, without training: BatchNorm by its running statistics, which stay, and no Dropout",
        "Trains, as in PYNATIVE_MODE.",
    ),
    (
        "net.to_float(ms.float16), of a Cell or one within it, after a first net(x) in GRAPH_MODE",
        "goes on as compiled, in float32",
        "Computes in float16, as in PYNATIVE_MODE.",
    ),
    (
        "net.set_train(False), to evaluate, and no set_train() before the next call of a compiled training step that holds net",
        "in GRAPH_MODE the step goes on in training, as it was compiled; in PYNATIVE_MODE without",
        "Without training in both modes: no Dropout, BatchNorm by its running statistics. A warning says so.",
    ),
    (
        "a Cell of to_float or an amp level that assigns to a float Parameter and then reads it, in GRAPH_MODE",
        "reads what it was before the call: its cast stands before the assignment",
        "Reads what was assigned, as in PYNATIVE_MODE and as MindSpore does without to_float.",
    ),
    (
        "ms.jvp of a function that changes Parameters",
        "runs it twice, and takes the derivative where the first run left them",
        "Runs it once.",
    ),
    (
        "a Cell of to_float that assigns to a Parameter of another type which it was given, in GRAPH_MODE",
        "lost, also for the Cell itself",
        "Lost for the Parameter; the Cell sees it. In PYNATIVE_MODE both see it, as there.",
    ),
    (
        "self.cache[0] = v and, of a variable around the function, x[0] = v in compiled code: a Tensor that is no Parameter",
        "is lost after the call",
        "The next call finds it, as in PYNATIVE_MODE. Of a variable of the function's own, y = self.cache; y[0] = v, y alone changes, as in MindSpore.",
    ),
    (
        "y = x if c else z with c a traced Tensor, then y += 1",
        "-",
        "Neither x nor z changes: which one y was is not known when the code is compiled.",
    ),
    (
        "a Cell's own __call__, of a Cell within another one, in GRAPH_MODE",
        "passed over: construct is called",
        "It is called, as in PYNATIVE_MODE, and as GRAPH_MODE does with the outermost Cell.",
    ),
    (
        "positions out of range in compiled code",
        "an error on some devices",
        "JAX clamps them, unless they follow from constants; eager code raises an error.",
    ),
    (
        "dtypes as NumPy's, Python's or by name: Tensor(x, np.float32), ops.zeros(2, float), ops.cast(x, 'int32')",
        "TypeError; Tensor.astype and mindspore.numpy take most",
        "Taken everywhere but in Tensor.to, where a name is a device's.",
    ),
    (
        "Tensor.asnumpy, Tensor.from_numpy, dlpack: writing into the array afterwards",
        "changes the Tensor too, and the other way round: they share memory",
        "The array is a copy: JAX's arrays never change. Write t[...] = v.",
    ),
    (
        "Python floats in compiled code: 1 / 3, 0.1 + 0.2, 1e300",
        "rounded to float32: 0.30000001192092896, and inf for 1e300",
        "Python's own numbers, as in PYNATIVE_MODE.",
    ),
    (
        "a method of a Cell without self, def func(x, y), called as self.func(x, y)",
        "runs in GRAPH_MODE; TypeError in PYNATIVE_MODE",
        "Python's TypeError in both.",
    ),
    ("Tensor.parent_tensor_, index_of_parent_", "a slice knows what it was cut from", "None, though views know it."),
    (
        "views in PYNATIVE_MODE: x[0][1] = v, y = x.reshape(-1); y[0] = v",
        "parts share memory; while a gradient is computed, reshape, T and the like copy, and a part does not see x[0] = v",
        "They share content, gradients included. Copies are: Tensor(x), mindspore.tensor(x), x.value(), x.H, x.resize, meshgrid, deepcopy, "
        "ops.stop_gradient(x) while a gradient is computed, as in MindSpore, "
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
        "self.w = t, w.set_data(t), load_param_into_net(net, {name: t}), with w a Parameter, t a Tensor or another network's Parameter",
        "both share memory from then on: ops.assign(self.w, v) changes t too, and training one network trains the other",
        "The Parameter takes the value; t stays. `target.w = online.w` with Parameters shares in both.",
    ),
    (
        "w.set_data(t) with t the result of an operator, as in clipping of weights, or self.w += v in construct, then an optimizer's step in "
        "PYNATIVE_MODE",
        "the step does not change w, from the second one on",
        "It does, as in GRAPH_MODE.",
    ),
    (
        "w.set_data(t) between calls of one ms.jit(f), and in GRAPH_MODE of one ms.value_and_grad(f)",
        "what was compiled goes on with the w of its first call, as with a target network that follows by set_data; ops.assign changes it",
        "The next call takes the new w.",
    ),
    (
        "optimizer.learning_rate.set_data(t) after a step, in PYNATIVE_MODE",
        "later steps go on with the old learning rate; ops.assign changes it",
        "Both change it.",
    ),
    (
        "self.w[:2] = v, self.w[:2] += 1, self.w[mask] += 1 in compiled code, w a Parameter",
        "seen by the rest of the call, lost after it; self.w[0] = v and self.w += v stay",
        "They stay, as in PYNATIVE_MODE.",
    ),
    (
        "two equal calls, in one compiled program, of a Cell that assigns to a Parameter of its own",
        "the second is dropped: its assignment is lost, and its result is that of the first",
        "Both run, as in PYNATIVE_MODE.",
    ),
    (
        "x[mask] = row in compiled code, where row has as many elements as a row of x; x[mask] = x[mask] * 2",
        "ValueError: values are taken by their place in x, and have their missing axes behind",
        "Written as in PYNATIVE_MODE.",
    ),
    (
        "a NumPy array as the argument of an @ms.jit function",
        "stays an array: so is the result",
        "A Tensor, as the results of Tensors are.",
    ),
    (
        "print(a, b) and print(x) of Tensors in compiled code",
        "a line for each, Tensors as Tensor(shape=..., dtype=..., value=...), True as 1, [1, 2] as (1, 2), nothing for print()",
        "One line, as Python prints it in PYNATIVE_MODE. ops.Print prints as MindSpore's does, but (1, 2) as it is and uint8 as a number.",
    ),
    (
        "common._Function in compiled code; set_materialize_grads(False)",
        "PYNATIVE_MODE only; None for gradients that are zero",
        "Works in both modes; zeros.",
    ),
    (
        "two calls, in one compiled gradient, of a function that adds in place to ops.zeros_like(x)",
        "the second goes on adding to what the first has",
        "Each starts from zeros.",
    ),
    (
        "amp.build_train_network(level='O1') of a Cell made with auto_prefix=False",
        "its Parameters get its name as a prefix, in checkpoints, too",
        "Names stay.",
    ),
    (
        "A compiled function that returns a Tensor made of constants in it",
        "The same memory at each call: a write changes later results",
        "A new Tensor at each call.",
    ),
)
