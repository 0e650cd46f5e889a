"""Saving and loading with every option: what is returned or raised, what lies in the folder. Shared by the tests and by the script that
records MindSpore's answers.
"""

import contextlib
import io
import os
import pathlib
import tempfile

import numpy as np

KEY = b"0123456789abcdef"


def runs(ms):
    """name -> [files, what was returned or the name of the error]."""
    nn, notes = ms.nn, {}
    Tensor, Parameter = ms.Tensor, ms.Parameter
    save, load, into = ms.save_checkpoint, ms.load_checkpoint, ms.load_param_into_net
    ST = {"format": "safetensors"}

    def plain(value):
        if isinstance(value, Parameter):
            total = float(value.asnumpy().astype(np.float64).sum())
            return ["Parameter", str(value.dtype), list(value.shape), round(total, 3), value.requires_grad]
        if isinstance(value, Tensor):
            return ["Tensor", str(value.dtype), list(value.shape)]
        if isinstance(value, dict):
            return {str(k): plain(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(v) for v in value]
        return value if isinstance(value, (str, int, float, bool, type(None))) else type(value).__name__

    def run(name, action):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            before = os.getcwd()
            os.chdir(folder)
            try:
                result = plain(action(folder))
            except Exception as error:
                result = f"raises {type(error).__name__}"
            finally:
                os.chdir(before)
            files = sorted(
                os.path.relpath(os.path.join(base, file), folder)
                for base, _, names in os.walk(folder)
                for file in names
            )
        notes[name] = [files, result]

    def net():
        made = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
        for i, p in enumerate(made.get_parameters()):
            p.set_data(Tensor(np.full(p.shape, i + 1, np.float32)))
        return made

    def step():
        made = net()
        return nn.TrainOneStepCell(nn.WithLossCell(made, nn.MSELoss()), nn.Adam(made.trainable_params(), 0.5))

    def parameter(name="p", shape=(2, 2), kind=np.float32, **options):
        return Parameter(Tensor(np.ones(shape, kind)), name=name, **options)

    def saved(made, name="f.ckpt", loads=None, **options):
        """Save, and load what was written."""

        def action(folder):
            made_now = made() if callable(made) and not isinstance(made, nn.Cell) else made
            save(made_now, name, **options)
            written = next((f for f in sorted(os.listdir(folder)) if os.path.isfile(f)), None)
            form = ST if written and written.endswith(".safetensors") else {}
            return load(written, **{**form, **(loads or {})})

        return action

    # --- what can be saved
    for name, made in {
        "a net": net,
        "a step": step,
        "parameters": lambda: [parameter("a"), parameter("b", requires_grad=False)],
        "dicts": lambda: [{"name": "a", "data": Tensor([1.0, 2.0])}, {"name": "b", "data": parameter("x")}],
        "dicts with more": lambda: [{"name": "a", "data": Tensor([1.0]), "other": 1}],
        "dicts without data": lambda: [{"name": "a"}],
        "dicts with arrays": lambda: [{"name": "a", "data": np.ones(2)}],
        "dicts with numbers": lambda: [{"name": 1, "data": Tensor([1.0])}],
        "dicts, one name twice": lambda: [{"name": "a", "data": Tensor([1.0])}, {"name": "a", "data": Tensor([2.0, 3.0])}],
        "Tensors in a list": lambda: [Tensor([1.0])],
        "both in a list": lambda: [parameter("a"), {"name": "b", "data": Tensor([1.0])}],
        "an empty list": list,
        "a ParameterTuple": lambda: ms.ParameterTuple([parameter("a")]),
        "a dict": lambda: {"a": parameter("x"), "b": Tensor([1, 2]), "c": "text"},
        "a dict of arrays": lambda: {"a": np.ones((2, 2))},
        "a dict of numbers": lambda: {"a": 1},
        "a dict of lists": lambda: {"a": [1.0]},
        "a dict without names": lambda: {1: Tensor([1.0])},
        "an empty dict": dict,
        "a state_dict": lambda: net().parameters_dict(),
        "a number": lambda: 3,
        "nothing": lambda: None,
        "a Tensor": lambda: Tensor([1.0]),
        "a scalar": lambda: {"a": Tensor(1.5), "b": Parameter(2, name="b")},
        "no elements": lambda: {"a": Tensor(np.zeros((0, 3), np.float32))},
    }.items():  # fmt: skip
        run(f"save {name}", saved(made))
        run(f"save {name} as safetensors", saved(made, "f.safetensors", **ST))

    # --- under which name
    for name in ("f", "f.ckpt", "fckpt", "f.npz", "a.b", "new/f.ckpt", "new/deeper/f", "", " ", ".", "..", "f.safetensors", "sp ace"):  # fmt: skip
        run(f"name {name!r}", saved(net, name))
        run(f"name {name!r} of safetensors", saved(net, name, **ST))
    run("name of a Path", saved(net, pathlib.Path("f.ckpt")))
    run("name of a number", saved(net, 3))
    run("name of bytes", saved(net, b"f.ckpt"))
    run("name of a folder", lambda folder: (os.mkdir("f.ckpt"), save(net(), "f.ckpt")))
    run("twice", lambda folder: (save(net(), "f"), save([parameter()], "f"), load("f.ckpt"))[2])
    run("absolute", lambda folder: save(net(), f"{folder}/x/f"))

    # --- options of saving
    for name, extra in {
        "numbers": {"a": 1, "b": 0.5, "c": True, "d": "text", "e": 2**40},
        "Tensors": {"a": Tensor([1, 2]), "b": parameter("other"), "c": Tensor(2.5)},
        "a name of the net": {"0.weight": 3},
        "a list": {"a": [1]},
        "an array": {"a": np.ones(2)},
        "NumPy's number": {"a": np.float32(1)},
        "None": {"a": None},
        "no names": {1: 1},
        "no dict": [1],
        "nothing": {},
    }.items():
        run(f"append {name}", saved(net, append_dict=extra))
        run(f"append {name} to safetensors", saved(net, append_dict=extra, **ST))
    options = {
        "integrated_save": [False, None, 1],
        "async_save": [True, "thread", "process", "fork", 1, None],
        "enc_key": [KEY, b"short", b"x" * 24, b"x" * 32, "text", b""],
        "enc_mode": ["AES-CBC", "ROT13", 3],
        "choice_func": [lambda name: name.startswith("0"), lambda name: False, 3, "text"],
        "crc_check": [True, 1, None],
        "format": ["npz", "CKPT", None, 3],
        "remove_redundancy": [True, False, 1, None],
        "incremental": [True],
        "global_step_num": [3],
        "other": [3],
    }
    for option, values in options.items():
        for number, value in enumerate(values):

            def action(folder, option=option, value=value, form=None):
                save(net(), "f", **{option: value}, **(form or {}))
                ms.async_ckpt_thread_status()
                read = {"dec_key": value} if option == "enc_key" else {}
                if option == "async_save":
                    save(net(), "g")  # waits
                    return sorted(load("f.ckpt"))
                return sorted(load(sorted(os.listdir("."))[0], **read, **(form or {})))

            run(f"save {option} {number}", action)
            if option not in ("format", "async_save"):
                run(f"save {option} {number} in safetensors", lambda folder, action=action: action(folder, form=ST))
    for mode in ("AES-GCM", "AES-CBC", "SM4-CBC"):
        read = {"dec_key": KEY, "dec_mode": mode}
        run(f"{mode}", saved(net, loads=read, enc_key=KEY, enc_mode=mode))
        run(f"{mode}, another key", saved(net, loads={**read, "dec_key": KEY[::-1]}, enc_key=KEY, enc_mode=mode))
        run(f"{mode}, no key", saved(net, enc_key=KEY, enc_mode=mode))
        run(f"{mode}, not encrypted", saved(net, loads=read))
        run(
            f"{mode} with crc",
            saved(net, loads={**read, "crc_check": True}, enc_key=KEY, enc_mode=mode, crc_check=True),
        )

    # --- options of loading
    def loaded(made=net, name="f.ckpt", **options):
        def action(folder):
            save(made(), "f.ckpt")
            save(made(), "f.safetensors", **ST)
            into_net = options.pop("into", None)
            if into_net is not None:
                target = into_net()
                before = {p.name: p.asnumpy().sum() for p in target.get_parameters()}
                load(name, target, **options)
                return {n: bool(p.asnumpy().sum() != before[n]) for n, p in target.parameters_dict().items()}
            return load(name, **options)

        return action

    def zero():
        made = nn.SequentialCell(nn.Dense(2, 3, weight_init="zeros"), nn.BatchNorm1d(3))
        return made

    def other():
        return nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 3))

    def wider():
        return nn.SequentialCell(nn.Dense(2, 4), nn.BatchNorm1d(4))

    for form, name in (("", "f.ckpt"), (" of safetensors", "f.safetensors")):
        given = ST if form else {}
        for text, options in {
            "load": {},
            "load into the net": {"into": zero},
            "load into another net": {"into": other},
            "load into another net, strictly": {"into": other, "strict_load": True},
            "load into a wider net": {"into": wider},
            "load a step into the net": {"made": step, "into": zero},
            "load into a step": {"into": step},
            "load without 0": {"filter_prefix": "0"},
            "load without 0 into the net": {"filter_prefix": "0", "into": zero},
            "load without 0 and 1.g": {"filter_prefix": ["0", "1.g"]},
            "load without 0 and 1": {"filter_prefix": ("0", "1")},
            "load without number": {"filter_prefix": 1},
            "load without nothing": {"filter_prefix": ""},
            "load 0": {"specify_prefix": "0"},
            "load 0 and 1.g": {"specify_prefix": ["0", "1.g"]},
            "load what is not there": {"specify_prefix": "x"},
            "load a number": {"specify_prefix": 1},
            "load nothing": {"specify_prefix": []},
            "load by a function": {"choice_func": lambda n: "weight" in n},
            "load by a function of nothing": {"choice_func": lambda n: False},
            "load by a number": {"choice_func": 3},
            "load with crc": {"crc_check": True},
            "load with crc 1": {"crc_check": 1},
            "load strictly, 1": {"strict_load": 1, "into": zero},
            "load strictly": {"strict_load": True, "into": zero},
            "load without redundancy": {"remove_redundancy": True},
            "load without redundancy into the net": {"remove_redundancy": True, "into": zero},
            "load without redundancy 1": {"remove_redundancy": 1},
            "load with a key": {"dec_key": KEY},
            "load with a text key": {"dec_key": "key"},
            "load with a mode": {"dec_mode": "AES-CBC"},
            "load with a wrong mode": {"dec_mode": 3},
            "load with something": {"something": 3},
            "load into a number": {"into": lambda: 3},
        }.items():
            run(text + form, loaded(name=name, **given, **options))
    for name in ("f", "g.ckpt", "", " ", ".", "f.npz", 3, None, pathlib.Path("f.ckpt"), "./f.ckpt"):
        run(f"load from {name!r}".replace("PosixPath", "Path"), loaded(name=name))
    run("load safetensors as ckpt", loaded(name="f.safetensors"))
    run("load ckpt as safetensors", loaded(name="f.ckpt", **ST))
    run("load another format", loaded(format="npz"))

    def written(content, name="f.ckpt", **options):
        def action(folder):
            pathlib.Path(name).write_bytes(content)
            return load(name, **options)

        return action

    run("load an empty file", written(b""))
    run("load text", written(b"this is no checkpoint"))
    run("load an empty file of safetensors", written(b"", "f.safetensors", **ST))
    run("load text of safetensors", written(b"this is no checkpoint", "f.safetensors", **ST))

    # --- into a net
    for name, (content, options) in {
        "all": (lambda: net().parameters_dict(), {}),
        "all, strictly": (lambda: net().parameters_dict(), {"strict_load": True}),
        "nothing": (dict, {}),
        "one": (lambda: {"0.weight": parameter("0.weight", (3, 2))}, {}),
        "unknown": (lambda: {"x": parameter("x")}, {}),
        "unknown, strictly": (lambda: {"x": parameter("x")}, {"strict_load": True}),
        "a prefix": (lambda: {"net." + n: p for n, p in net().parameters_dict().items()}, {}),
        "a prefix, strictly": (lambda: {"net." + n: p for n, p in net().parameters_dict().items()}, {"strict_load": True}),
        "another shape": (lambda: {"0.weight": parameter("0.weight", (2, 3))}, {}),
        "one axis more": (lambda: {"0.weight": parameter("0.weight", (3, 2, 1))}, {}),
        "one axis more in front": (lambda: {"0.weight": parameter("0.weight", (1, 3, 2))}, {}),
        "a scalar for (1,)": (lambda: {"0.bias": parameter("0.bias", ())}, {}),
        "float16": (lambda: {"0.weight": parameter("0.weight", (3, 2), np.float16)}, {}),
        "float16, strictly": (lambda: {"0.weight": parameter("0.weight", (3, 2), np.float16)}, {"strict_load": True}),
        "float64": (lambda: {"0.weight": parameter("0.weight", (3, 2), np.float64)}, {}),
        "int32": (lambda: {"0.weight": parameter("0.weight", (3, 2), np.int32)}, {}),
        "bool": (lambda: {"0.weight": parameter("0.weight", (3, 2), bool)}, {}),
        "bfloat16": (lambda: {"0.weight": Parameter(Tensor(np.ones((3, 2)), ms.bfloat16), name="0.weight")}, {}),
        "Tensors": (lambda: {"0.weight": Tensor(np.ones((3, 2), np.float32))}, {}),
        "texts": (lambda: {"0.weight": "text", "x": "text"}, {}),
        "numbers": (lambda: {"0.weight": 3}, {}),
        "a number for a name": (lambda: {3: parameter()}, {}),
        "a list": (lambda: [parameter("0.weight", (3, 2))], {}),
        "strict 1": (dict, {"strict_load": 1}),
        "without redundancy": (lambda: net().parameters_dict(), {"remove_redundancy": True}),
        "without redundancy 1": (dict, {"remove_redundancy": 1}),
    }.items():  # fmt: skip

        def action(folder, content=content, options=options):
            target = zero()
            returned = into(target, content(), **options)
            weight = target[0].weight
            return returned, str(weight.dtype), float(weight.asnumpy().sum())

        run(f"into a net: {name}", action)
    run("into a number", lambda folder: into(3, {}))
    run("into an optimizer", lambda folder: into(step().optimizer, step().parameters_dict()))
    run("into a net, from a step", lambda folder: into(net(), step().parameters_dict()))
    run("into a step, from a net", lambda folder: into(step(), net().parameters_dict()))

    # --- in the background, and from format to format
    def background(**options):
        def action(folder):
            save(net(), "f.ckpt")
            future = ms.load_checkpoint_async("f.ckpt", **options)
            return future.result()

        return action

    run("load in the background", background())
    run("load in the background, a part", background(specify_prefix="0"))
    run("load in the background, wrong", background(dec_key="text"))
    run("load in the background, not there", lambda folder: ms.load_checkpoint_async("g.ckpt").result())

    def converted(*args, again=False, **options):
        def action(folder):
            os.makedirs("a/rank_0"), os.makedirs("b")
            save(net(), "a/f.ckpt"), save(net(), "a/g.ckpt"), save(net(), "a/rank_0/h.ckpt")
            save(net(), "a/s.safetensors", **ST)
            (ms.safetensors_to_ckpt if again else ms.ckpt_to_safetensors)(*args, **options)

        return action

    run("to safetensors", converted("a/f.ckpt"))
    run("to safetensors elsewhere", converted("a/f.ckpt", "b"))
    run("to safetensors in a new folder", converted("a/f.ckpt", "c"))
    run("to safetensors under a name", converted("a/f.ckpt", "b/x.safetensors"))
    run("to safetensors, a folder", converted("a"))
    run("to safetensors, a folder elsewhere", converted("a", "b"))
    run("to safetensors, some of a folder", converted("a", "b", file_name_regex="^f"))
    run("to safetensors, none of a folder", converted("a", "b", file_name_regex="^x"))
    run("to safetensors, names", converted("a/f.ckpt", "b", {"0.weight": "w"}))
    run("to safetensors, wrong names", converted("a/f.ckpt", "b", ["0.weight"]))
    run("to safetensors, not there", converted("a/x.ckpt", "b"))
    run("to safetensors, of safetensors", converted("a/s.safetensors", "b"))
    run("to safetensors, processes", converted("a", "b", processes_num=2))
    run("to safetensors, no processes", converted("a", "b", processes_num=0))
    run("to safetensors, a number", converted(3, "b"))
    run("to ckpt", converted("a/s.safetensors", again=True))
    run("to ckpt elsewhere", converted("a/s.safetensors", "b", again=True))
    run("to ckpt, a folder", converted("a", "b", again=True))
    run("to ckpt, of ckpt", converted("a/f.ckpt", "b", again=True))
    run("to ckpt, names", converted("a/s.safetensors", "b", {"0.weight": "w"}, again=True))
    return notes
