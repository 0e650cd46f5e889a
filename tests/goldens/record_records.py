"""Records what MindSpore reads from the files of the source tables, and record files that MindSpore wrote.

Writes sources.jsonl (rows by case) and records.zip (record files, their indexes, and what MindSpore reads from them).
"""

import inspect
import json
import pathlib
import sys
import tempfile
import zipfile

import mindspore.dataset as ds
import numpy as np
import oracle  # noqa: F401 - checks that this is MindSpore itself

# isort: split
import golden_files
import record_tables
import source_formats_text
import source_formats_vision
from mindspore import mindrecord
from source_files import describe_rows, fill

HERE = pathlib.Path(__file__).parent


def read(dataset):
    return {
        "columns": dataset.get_col_names(),
        "rows": describe_rows(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)),
    }


def record_sources():
    goldens = {}
    for name, make, kind, arguments in [*source_formats_vision.CASES, *source_formats_text.CASES]:
        with tempfile.TemporaryDirectory() as folder:
            make(folder)
            goldens[name] = read(getattr(ds, kind)(**fill(arguments, folder)))
    goldens["signatures"] = {
        name: str(inspect.signature(getattr(package, name)))
        for package in (ds, mindrecord)
        for name in package.__all__
        if name.endswith(("Dataset", "MR", "Page")) or "File" in name
    }
    golden_files.write("sources", goldens)


def record_files():
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(HERE / "records.zip", "w", zipfile.ZIP_DEFLATED) as out,
    ):
        expected = {}
        for name in sorted(set(record_tables.TABLES) - {"encrypted"}):
            path = pathlib.Path(folder, name)
            record_tables.write(mindrecord, name, str(path))
            expected[name] = read(ds.MindDataset(str(path), shuffle=False))
        mindrecord.set_enc_key(record_tables.KEY)
        record_tables.write(mindrecord, "encrypted", str(pathlib.Path(folder, "encrypted")))
        mindrecord.set_enc_key(None)
        path = pathlib.Path(folder, "saved")
        ds.NumpySlicesDataset(record_tables.saved_columns(), shuffle=False).save(str(path))
        expected["saved"] = read(ds.MindDataset(str(path), shuffle=False))
        for path in sorted(pathlib.Path(folder).iterdir()):
            entry = zipfile.ZipInfo(path.name)  # without a time: the same bytes at every recording
            out.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
        out.writestr(zipfile.ZipInfo("expected.json"), json.dumps(expected), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    np.random.seed(0)
    ds.config.set_enable_autotune(False)
    for part in sys.argv[1:] or ("sources", "files"):
        {"sources": record_sources, "files": record_files}[part]()
