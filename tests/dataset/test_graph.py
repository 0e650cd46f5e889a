"""Graph, GraphData and InMemoryGraphDataset."""

import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore.dataset import Graph, GraphData, InMemoryGraphDataset, OutputFormat, SamplingStrategy
from mindspore.mindrecord import FileWriter

EDGES = np.array([[0, 1, 2, 2, 3], [1, 2, 0, 3, 1]])


@pytest.fixture
def graph():
    return Graph(
        EDGES,
        node_feat={"x": np.arange(8.0).reshape(4, 2), "label": np.arange(4)},
        edge_feat={"w": np.arange(5)},
        graph_feat={"y": np.eye(2)},
        node_type=["a", "a", "b", "b"],
    )


def test_structure(graph):
    assert graph.get_all_nodes("b").tolist() == [2, 3] and graph.get_all_edges("0").tolist() == [0, 1, 2, 3, 4]
    assert graph.get_nodes_from_edges([3, 0]).tolist() == [[2, 3], [0, 1]]
    assert graph.get_edges_from_nodes([(2, 0), (3, 1)]).tolist() == [2, 4]
    assert graph.graph_info() == {
        "node_type": ["a", "b"],
        "edge_type": ["0"],
        "node_num": {"a": 2, "b": 2},
        "edge_num": {"0": 5},
        "node_feature_type": ["label", "x"],
        "edge_feature_type": ["w"],
        "graph_feature_type": ["y"],
    }


def test_neighbors():
    graph = Graph(EDGES)
    assert graph.get_all_neighbors([0, 2], "0").tolist() == [[0, 1, -1], [2, 0, 3]]
    assert graph.get_all_neighbors([2, 3], "0", OutputFormat.COO).tolist() == [[2, 0], [2, 3], [3, 1]]
    offsets, neighbors = graph.get_all_neighbors(np.arange(4), "0", OutputFormat.CSR)
    assert offsets.tolist() == [0, 1, 2, 4] and neighbors.tolist() == [1, 2, 0, 3, 1]


def test_samples(graph):
    ds.config.set_seed(3)
    rows = Graph(EDGES).get_sampled_neighbors([0, 2], [2, 3], ["0", "0"], SamplingStrategy.EDGE_WEIGHT)
    assert rows.shape == (2, 9) and rows[0].tolist() == [0, 1, 1] + [2] * 6 and set(rows[1, 1:3]) <= {0, 3}
    assert graph.get_sampled_neighbors([0], [2, 1], ["b", "a"]).tolist() == [0, -1, -1, -1, -1]
    far = Graph(EDGES).get_neg_sampled_neighbors([2], 20, "0")
    assert far.shape == (21,) and set(far[1:]) == {1}
    walks = Graph(EDGES).random_walk([0, 3], ["0"] * 5, 2.0, 0.5)
    pairs = set(zip(*EDGES.tolist(), strict=True))
    steps = [step for walk in walks.tolist() for step in zip(walk, walk[1:], strict=False)]
    assert walks.shape == (2, 6) and set(steps) <= pairs
    assert graph.random_walk([2], ["b", "b"]).tolist() == [2, 3, -1]
    ds.config.set_seed(5489)


def test_axes_of_length_one_are_left_out():
    """GraphDataImpl calls Squeeze() on all that it gives."""
    graph = Graph(EDGES, node_feat={"label": np.arange(4).reshape(4, 1), "x": np.eye(4)})
    label, x = graph.get_node_feature(graph.get_all_nodes("0").tolist(), ["label", "x"])
    assert label.shape == (4,) and x.shape == (4, 4)
    assert [f.shape for f in graph.get_node_feature([2], ["label", "x"])] == [(), (4,)]
    assert graph.get_all_neighbors([2], "0").tolist() == [2, 0, 3]
    assert graph.get_nodes_from_edges([3]).tolist() == [2, 3] and graph.get_edges_from_nodes([(2, 3)]).shape == ()
    assert Graph([[0], [1]]).get_all_edges("0").shape == ()


def test_features(graph):
    x, label = graph.get_node_feature([[1, -1], [3, 0]], ["x", "label"])
    assert x.tolist() == [[[2, 3], [0, 0]], [[6, 7], [0, 1]]] and label.tolist() == [[1, 0], [3, 0]]
    assert graph.get_edge_feature(np.array([4]), ["w"])[0].tolist() == 4
    assert graph.get_graph_feature(["y"])[0].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "call,error,words",
    [
        (lambda g: g.get_node_feature([1, [1, 1]], ["x"]), TypeError, "node_list"),
        (lambda g: g.get_node_feature([[1, 0.1]], ["x"]), TypeError, "int"),
        (lambda g: g.get_node_feature([1], [1]), TypeError, "feature_types"),
        (lambda g: g.get_node_feature([1], ["z"]), RuntimeError, r"there are \['label', 'x'\]"),
        (lambda g: g.get_all_nodes("c"), RuntimeError, "node type: c"),
        (lambda g: g.get_all_nodes(0), TypeError, "node_type"),
        (lambda g: g.get_all_neighbors([9], "a"), RuntimeError, "Invalid node id: 9"),
        (lambda g: g.get_edges_from_nodes([(0, 3)]), RuntimeError, "no edge"),
        (lambda g: g.get_sampled_neighbors([0], [1, 2], ["a"]), ValueError, "inconsistent"),
        (lambda g: Graph([[0, 1]]), ValueError, "shape"),
        (lambda g: Graph(EDGES, working_mode="far"), ValueError, "working_mode"),
        (lambda g: GraphData("/no/such/file"), ValueError, "file that exists and can be read"),
    ],
)
def test_errors(graph, call, error, words):
    with pytest.raises(error, match=words):
        call(graph)


@pytest.fixture
def record_file(tmp_path):
    writer = FileWriter(str(tmp_path / "graph.mindrecord"))
    writer.add_schema(
        {
            "first_id": {"type": "int64"},
            "second_id": {"type": "int64"},
            "third_id": {"type": "int64"},
            "type": {"type": "int32"},
            "attribute": {"type": "string"},
            "weight": {"type": "float32"},
            "node_feature_index": {"type": "int32", "shape": [-1]},
            "edge_feature_index": {"type": "int32", "shape": [-1]},
            "node_feature_1": {"type": "float32", "shape": [-1]},
            "node_feature_2": {"type": "int32", "shape": [-1]},
            "edge_feature_1": {"type": "float32", "shape": [-1]},
        },
        "graph",
    )
    writer.add_index(["first_id", "second_id", "third_id", "attribute", "type"])

    def row(attribute, first, second=0, third=0, kind=0, nodes=(0,), edges=(0,), feature=0.0):
        return {
            "first_id": first,
            "second_id": second,
            "third_id": third,
            "type": kind,
            "attribute": attribute,
            "weight": 1.0,
            "node_feature_index": np.array(nodes, np.int32),
            "edge_feature_index": np.array(edges, np.int32),
            "node_feature_1": np.array([feature, 1], np.float32),
            "node_feature_2": np.array([first], np.int32),
            "edge_feature_1": np.array([feature], np.float32),
        }

    data = [row("n", 101 + i, kind=1 + i % 2, nodes=(1, 2), feature=i) for i in range(4)]
    data += [row("e", 1 + i, 101 + a, 101 + b, edges=(1,), feature=i) for i, (a, b) in enumerate(EDGES.T.tolist())]
    writer.write_raw_data(data)
    writer.commit()
    return str(tmp_path / "graph.mindrecord")


def test_record_file(record_file):
    graph = GraphData(record_file, 2)
    assert graph.graph_info() == {
        "node_type": [1, 2],
        "edge_type": [0],
        "node_num": {1: 2, 2: 2},
        "edge_num": {0: 5},
        "node_feature_type": [1, 2],
        "edge_feature_type": [1],
    }
    nodes = graph.get_all_nodes(1)
    assert nodes.tolist() == [101, 103] and graph.get_all_neighbors(nodes, 2).tolist() == [[101, 102], [103, 104]]
    x, label = graph.get_node_feature(nodes.tolist(), [1, 2])
    assert x.tolist() == [[0, 1], [2, 1]] and label.tolist() == [101, 103]
    assert graph.get_edge_feature([2, -1], [1])[0].tolist() == [1, 0]


def test_dataset_of_graphs(tmp_path):
    calls = []

    class Rings(InMemoryGraphDataset):
        def __init__(self, folder):
            super().__init__(folder, column_names=["edges", "x"], shuffle=False)

        def process(self):
            calls.append("process")
            for size in (3, 4):
                self.graphs.append(
                    Graph(np.stack([np.arange(size), (np.arange(size) + 1) % size]), node_feat={"x": np.arange(size)})
                )

        def __getitem__(self, index):
            graph = self.graphs[index]
            return graph.get_all_edges("0"), graph.get_node_feature(graph.get_all_nodes("0"), ["x"])[0]

        def __len__(self):
            return len(self.graphs)

    for _ in range(2):
        data = Rings(str(tmp_path))
        rows = [
            [column.tolist() for column in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)
        ]
        assert rows == [[[0, 1, 2], [0, 1, 2]], [[0, 1, 2, 3], [0, 1, 2, 3]]]
    assert calls == ["process"]


def test_sampler_that_gives_lists():
    class Pairs(ds.Sampler):
        def __iter__(self):
            yield from ([i, i + 1] for i in range(0, self.dataset_size, 2))

    class Sums:
        def __len__(self):
            return 6

        def __getitem__(self, indices):
            return np.array(indices.sum())

    data = ds.GeneratorDataset(Sums(), "x", sampler=Pairs())
    assert data.get_dataset_size() == 3
    assert [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [1, 5, 9]
