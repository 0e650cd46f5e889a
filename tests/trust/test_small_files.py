"""Small files that claimed much memory, or crashed the library that reads them."""

import io
import os
import signal
import sys
import zipfile

import mindspore.dataset as ds
import numpy as np
import pytest

from msjax.dataset.sources import matlab
from msjax.files.archives import read_npz

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "goldens"))
from source_files import mat  # noqa: E402

# a byte at this place makes SciPy 1.17 read far outside of its memory
CRASHING = (184, 68)


class Graphs(ds.InMemoryGraphDataset):
    def process(self):
        self.graphs = [ds.Graph(np.array([[0], [1]], np.int32))]


@pytest.fixture
def digits(tmp_path):
    """A folder of SVHN, and the file of its digits."""
    path = tmp_path / "train_32x32.mat"
    path.write_bytes(mat(X=np.arange(24, dtype=np.uint8).reshape(2, 3, 4), y=np.array([[1, 2]], np.int32)))
    yield path
    matlab.close()


def test_an_edge_to_a_far_node(tmp_path):
    """756 bytes: each node up to the last that an edge tells of is an entry of a table, 10 GB for this one."""
    Graphs(str(tmp_path), "processed")
    path = tmp_path / "processed" / "graphs.npz"
    arrays = dict(np.load(path))
    edges = next(name for name in arrays if name.endswith("edges"))
    np.savez(path, **{**arrays, edges: np.array([[0], [2**31 - 1]], np.int32)})
    assert path.stat().st_size < 1000
    with pytest.raises(RuntimeError, match="an edge leads to node 2147483647"):
        Graphs(str(tmp_path), "processed")


@pytest.mark.parametrize("kind", ["<U0", "|S0", "|V0"])
def test_texts_of_no_length(kind):
    """NumPy would make texts of length 1 of them: 4 bytes for each of ten milliards that the file claims."""
    header, archive = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": kind, "fortran_order": False, "shape": (10**10,)})
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.npy", header.getvalue())
    with pytest.raises(ValueError, match="10000000000 elements of no bytes each"):
        read_npz(io.BytesIO(archive.getvalue()))


def test_a_matlab_file_that_crashes_scipy(digits):
    whole = digits.read_bytes()
    place, byte = CRASHING
    digits.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
    with pytest.raises(RuntimeError, match=f"Invalid file, {digits} is damaged: digits were expected"):
        matlab.read_matlab(str(digits), "digits were expected and that", "X")
    digits.write_bytes(whole)
    assert matlab.read_matlab(str(digits), "digits", "X").tolist() == np.arange(24).reshape(2, 3, 4).tolist()


def test_the_process_that_reads_matlab_files_ends(digits):
    """Whatever ends it: the file is named, and the next file is read by another."""
    assert matlab.read_matlab(str(digits), "labels", "y").tolist() == [[1, 2]]
    os.kill(matlab._readers[-1].process.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="SciPy's reader crashed over it, with exit code -9"):
        matlab.read_matlab(str(digits), "labels", "y")
    assert matlab.read_matlab(str(digits), "labels", "y").dtype == np.int32


def test_an_array_that_is_not_there_ends_nothing(digits):
    matlab.read_matlab(str(digits), "labels", "y")
    first = matlab._readers[-1].process.pid
    with pytest.raises(RuntimeError, match="KeyError"):
        matlab.read_matlab(str(digits), "labels", "Z")
    assert matlab.read_matlab(str(digits), "labels", "y").tolist() == [[1, 2]]
    assert matlab._readers[-1].process.pid == first


def test_structures_and_cells(tmp_path):
    from scipy.sparse import csc_matrix

    cells = np.empty((2, 1), object)
    cells[0, 0], cells[1, 0] = csc_matrix(np.eye(2)), np.array(["a", "bc"])
    path = tmp_path / "truth.mat"
    path.write_bytes(mat(truth={"parts": cells, "name": "x"}))
    found = matlab.read_matlab(str(path), "a truth", "truth")
    matlab.close()
    assert found.shape == (1, 1) and found.dtype.names == ("parts", "name")
    assert found["parts"][0, 0][0, 0].tolist() == [[1, 0], [0, 1]] and found["parts"][0, 0][1, 0].tolist() == [
        "a ",
        "bc",
    ]
