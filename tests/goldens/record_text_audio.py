"""Records what MindSpore's own dataset.audio and dataset.text do with the cases beside this file.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_text_audio.py [audio|text]
"""

import inspect
import multiprocessing
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import golden_files  # noqa: E402


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


def rounded(array):
    """Four bytes are enough for the tolerances."""
    return array.astype("float32").astype("float64") if array.dtype == "float64" else array


def record_audio():
    from audio_cases import BAD_VALUES, CASES, FUNCTIONS, INPUTS, VALID, make_input, outcome, resolve, title
    from mindspore.dataset import audio

    outputs = {}
    for case in CASES:
        name, kwargs, spec = case
        try:
            result = getattr(audio, name)(**resolve(audio, kwargs))(make_input(spec))
        except RuntimeError as error:
            print(name, kwargs, spec, [line for line in str(error).splitlines() if "[ERROR]" in line])
            outputs[title(case)] = type(error).__name__
            continue
        outputs[title(case)] = [rounded(one) for one in (result if isinstance(result, tuple) else (result,))]
    functions = {title(case): rounded(getattr(audio, case[0])(**resolve(audio, case[1]))) for case in FUNCTIONS}
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
    found = dict(outputs=outputs, functions=functions, arguments=arguments, inputs=inputs)
    golden_files.write("audio", found, groups=1)


def record_text():
    import mindspore
    from audio_cases import BAD_VALUES
    from mindspore.dataset import text
    from text_cases import CASES, EXPRESSIONS, ODD_INPUTS, VALID, evaluate, outcome, plain, resolve, title, write_files

    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)

        def build(name, kwargs):
            return getattr(text, name)(**resolve(text, mindspore, folder, kwargs))

        values = {title(case): plain(build(*case[:2])(*case[2])) for case in CASES}
        expressions = {str(expression): evaluate(text, mindspore, folder, expression) for expression in EXPRESSIONS}
        arguments, inputs = {}, {}
        for name, valid in VALID.items():
            parameters = [p for p in inspect.signature(getattr(text, name).__init__).parameters if p != "self"]
            arguments[name] = {
                p: {key: outcome(lambda: build(name, {**valid, p: bad})) for key, bad in BAD_VALUES.items()}
                for p in parameters
            }
            inputs[name] = {key: outcome(lambda: build(name, valid)(column)) for key, column in ODD_INPUTS.items()}
    found = dict(values=values, expressions=expressions, arguments=arguments, inputs=inputs)
    golden_files.write("text", found, groups=1)
    for name, row in inputs.items():
        print(name, row)


def main():
    wanted = sys.argv[1:] or ["audio", "text"]
    warnings.simplefilter("ignore")
    for name in wanted:
        globals()[f"record_{name}"]()


if __name__ == "__main__":
    main()
