"""`train.checkpoint_pb2`: programs that read and write the messages of a checkpoint themselves."""

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.train.checkpoint_pb2 import Checkpoint


def test_read_and_write(tmp_path):
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint([{"name": "a", "data": Tensor([1, 2])}], path)
    checkpoint = Checkpoint()
    with open(path, "rb") as file:
        serialized = file.read()
    assert checkpoint.ParseFromString(serialized) == len(serialized) and checkpoint.SerializeToString() == serialized
    value = checkpoint.value[0]
    assert (value.tag, list(value.tensor.dims), value.tensor.tensor_type) == ("a", [2], "Int64")
    assert np.frombuffer(value.tensor.tensor_content, np.int64).tolist() == [1, 2]
    assert value.HasField("tensor") and not value.HasField("maptensor")
    new = checkpoint.value.add()
    new.tag, new.tensor.tensor_type, new.tensor.tensor_content = "b", "Float32", np.ones(2, np.float32).tobytes()
    new.tensor.dims.extend([2])
    path = str(tmp_path / "b.ckpt")
    with open(path, "wb") as file:
        file.write(checkpoint.SerializeToString())
    assert ms.load_checkpoint(path)["b"].asnumpy().tolist() == [1, 1]
