"""Records what MindSpore's own dataset.audio and dataset.text do with the cases beside this file.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_text_audio.py [audio|text]
"""

import inspect
import json
import multiprocessing
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def in_child(function, seconds=60):
    """function() in a forked process: some odd inputs end MindSpore's process, and some never return."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(False)
    child = context.Process(target=lambda: theirs.send(function()))
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(seconds) else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()


def pack(values):
    """One array for each distinct dtype: hundreds of small members of a zip file would be mostly headers."""
    packed, index = {}, []
    for value in values:
        if not isinstance(value, np.ndarray):
            index.append(value)
            continue
        name = str(value.dtype)
        packed.setdefault(name, []).append(value.ravel())
        index.append([name, list(value.shape)])
    # four bytes are enough for the tolerances; the index keeps the dtype
    return {k: np.concatenate(v).astype("float32" if k == "float64" else k) for k, v in packed.items()}, index


def record_audio():
    from audio_cases import BAD_VALUES, CASES, FUNCTIONS, INPUTS, VALID, make_input, outcome, resolve
    from mindspore.dataset import audio

    values, index = [], []
    for name, kwargs, spec in CASES:
        try:
            result = getattr(audio, name)(**resolve(audio, kwargs))(make_input(spec))
        except RuntimeError as error:
            print(name, kwargs, spec, [line for line in str(error).splitlines() if "[ERROR]" in line])
            index.append(type(error).__name__)
            continue
        result = result if isinstance(result, tuple) else (result,)
        index.append(len(result))
        values.extend(result)
    functions = [getattr(audio, name)(**resolve(audio, kwargs)) for name, kwargs in FUNCTIONS]
    arrays, layout = pack(values + functions)
    arguments, inputs = {}, {}
    for name, valid in VALID.items():
        operation = getattr(audio, name)
        parameters = [p for p in inspect.signature(operation.__init__).parameters if p != "self"]
        arguments[name] = {
            p: {key: outcome(lambda: operation(**{**resolve(audio, valid), p: bad})) for key, bad in BAD_VALUES.items()}
            for p in parameters
        }
        inputs[name] = {
            spec: in_child(lambda: outcome(lambda: operation(**resolve(audio, valid))(make_input(spec))), 20)
            for spec in INPUTS
        }
    np.savez_compressed(HERE / "audio.npz", **arrays)
    (HERE / "audio.json").write_text(
        json.dumps(dict(outputs=index, layout=layout, arguments=arguments, inputs=inputs), separators=(",", ":"))
    )
    for name, row in inputs.items():
        print(name, row)


def record_text():
    import mindspore
    from audio_cases import BAD_VALUES
    from mindspore.dataset import text
    from text_cases import CASES, EXPRESSIONS, ODD_INPUTS, VALID, evaluate, outcome, plain, resolve, write_files

    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)

        def build(name, kwargs):
            return getattr(text, name)(**resolve(text, mindspore, folder, kwargs))

        values = [plain(build(name, kwargs)(*columns)) for name, kwargs, columns in CASES]
        expressions = [evaluate(text, mindspore, folder, expression) for expression in EXPRESSIONS]
        arguments, inputs = {}, {}
        for name, valid in VALID.items():
            parameters = [p for p in inspect.signature(getattr(text, name).__init__).parameters if p != "self"]
            arguments[name] = {
                p: {key: outcome(lambda: build(name, {**valid, p: bad})) for key, bad in BAD_VALUES.items()}
                for p in parameters
            }
            inputs[name] = {key: outcome(lambda: build(name, valid)(column)) for key, column in ODD_INPUTS.items()}
    (HERE / "text.json").write_text(
        json.dumps(
            dict(values=values, expressions=expressions, arguments=arguments, inputs=inputs),
            separators=(",", ":"),
            ensure_ascii=False,
        )
    )
    for name, row in inputs.items():
        print(name, row)


def main():
    wanted = sys.argv[1:] or ["audio", "text"]
    warnings.simplefilter("ignore")
    for name in wanted:
        globals()[f"record_{name}"]()


if __name__ == "__main__":
    main()
