"""Record what MindSpore makes of strategy files: python record_strategies.py, with the Python that has MindSpore.

strategies.jsonl: {"files": {name: base64}, "slices": {name: [[shape, first, last element] of each rank's slice of arange(256) as
(16, 16)]}, "needed": {"old new": [the ranks of old for each rank of new]}, "group": base64}.
"""

import base64
import os
import pathlib
import sys
import tempfile

import mindspore as ms
import numpy as np
from mindspore.train import node_strategy_pb2 as messages

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import golden_files  # noqa: E402

# device matrix, tensor map, optimizer shard step and size
LAYOUTS = {
    "whole1": ([1], [-1, -1], 0, 0),
    "rows4": ([4], [0, -1], 0, 0),
    "columns2": ([2], [-1, 0], 0, 0),
    "grid": ([2, 2], [1, 0], 0, 0),
    "turned": ([2, 2], [0, 1], 0, 0),
    "repeated": ([2, 2], [-1, 1], 0, 0),
    "zero4": ([4], [-1, -1], 1, 4),
    "zero2of4": ([4], [-1, -1], 1, 2),
    "rows2zero2": ([2, 2], [0, -1], 2, 2),
    "columns2zero2": ([2, 2], [-1, 0], 2, 2),
    "cube": ([2, 2, 2], [1, 0], 0, 0),
    "cubezero": ([2, 2, 2], [1, -1], 1, 2),
}


def write(path, matrix, tensor_map, step, size):
    made = messages.ParallelStrategyMap(current_stage=1)
    item = made.parallel_strategy_item.add(node_name="MatMul-op0")
    item.parallel_strategys.stage = 0
    item.parallel_strategys.parallel_strategy.add().dim.extend([1, 1])
    for name, axes in (("w", tensor_map), ("b", [-1])):
        layout = made.parallel_layout_item.add(param_name=name).parallel_layouts
        layout.dev_matrix.add().dim.extend(matrix)
        layout.tensor_map.add().dim.extend(axes)
        layout.param_split_shape.add()
        layout.indices_offset.add()
        layout.field = 0
        layout.opt_weight_shard_step, layout.opt_weight_shard_size = (step, size) if name == "w" else (0, 0)
    pathlib.Path(path).write_bytes(made.SerializeToString())


def main():
    found = {"files": {}, "slices": {}, "needed": {}}
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/whole/rank_0")
        content = {"w": np.arange(256, dtype=np.float32).reshape(16, 16), "b": np.arange(3, dtype=np.float32)}
        ms.save_checkpoint(
            [{"name": n, "data": ms.Tensor(a)} for n, a in content.items()], f"{folder}/whole/rank_0/a.ckpt"
        )
        for name, layout in LAYOUTS.items():
            write(f"{folder}/{name}.ckpt", *layout)
            found["files"][name] = base64.b64encode(pathlib.Path(f"{folder}/{name}.ckpt").read_bytes()).decode()
            files = (f"{folder}/whole", f"{folder}/{name}", "a", f"{folder}/whole1.ckpt", f"{folder}/{name}.ckpt")
            ms.transform_checkpoints(*files, output_format="ckpt")
            slices = [
                ms.load_checkpoint(f"{folder}/{name}/rank_{r}/a{r}.ckpt")["w"].asnumpy()
                for r in range(np.prod(layout[0]))
            ]
            found["slices"][name] = [[list(s.shape), int(s.flat[0]), int(s.flat[-1])] for s in slices]
        # the ranks that each rank needs to come from one layout to another
        for old in LAYOUTS:
            for new in LAYOUTS:
                files = f"{folder}/{old}.ckpt", f"{folder}/{new}.ckpt"
                found["needed"][f"{old} {new}"] = [
                    [int(r) for r in ms.rank_list_for_transform(rank, *files)]
                    for rank in range(np.prod(LAYOUTS[new][0]))
                ]
    group = messages.ParallelGroupMap()
    item = group.parallel_group_item.add(group_name="0-1")
    item.parallel_group_ranks.dim.extend([0, 1])
    group.ckpt_restore_rank_list.dim.extend([1, 3])
    found["group"] = base64.b64encode(group.SerializeToString()).decode()
    golden_files.write("strategies", found, groups=1)


if __name__ == "__main__":
    main()
