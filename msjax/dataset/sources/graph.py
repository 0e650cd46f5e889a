"""Graphs for neural networks on graphs: Graph in memory, GraphData from record files, InMemoryGraphDataset."""

import enum
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.spec.checking import checked
from ...files.archives import read_npz
from ...mindrecord import RecordSet
from ..check import check, check_type
from ..operation import numpy_draws
from ..rules import ClientCount, Port, PositiveInt32, ReadableFile, WorkingMode
from .generator import GeneratorDataset

if TYPE_CHECKING:
    from ..engine.samplers import Shuffle

NO_NODE = -1


class SamplingStrategy(enum.IntEnum):
    """How neighbours are sampled: all alike, or by the weight of the edge."""

    RANDOM = 0
    EDGE_WEIGHT = 1


class OutputFormat(enum.IntEnum):
    """How all neighbours are given: padded rows, pairs, or an offset table and the neighbours."""

    NORMAL = 0
    COO = 1
    CSR = 2


def _ids(values, name):
    """Node or edge numbers as an int32 array of any shape; TypeError for anything else."""
    check_type(values, (list, np.ndarray), name)
    try:
        array = np.asarray(values)
    except ValueError:  # a ragged list
        array = np.empty(0, object)
    check(
        array.dtype.kind in "iu" or array.size == 0 and array.dtype != object,
        f"Each member in {name} must be of type int, in lists of equal length.",
        TypeError,
    )
    return array.astype(np.int32)


class _Table:
    """Features of nodes or edges by type: each a dict from number to value, and a zero for those without one."""

    def __init__(self):
        self.values, self.zero = {}, {}

    def add(self, kind, number, value):
        value = np.asarray(value)
        self.values.setdefault(kind, {})[number] = value
        self.zero.setdefault(kind, np.zeros_like(value))

    def get(self, numbers, kinds, what):
        found = []
        for kind in kinds:
            check(
                kind in self.values,
                f"Invalid parameter, {what} feature type {kind} does not exist; there are {sorted(self.values)}.",
                RuntimeError,
            )
            values, zero = self.values[kind], self.zero[kind]
            flat = [values.get(int(number), zero) for number in numbers.ravel()]
            shape = (*numbers.shape, *zero.shape)
            found.append(np.squeeze(np.stack(flat).reshape(shape)) if flat else np.zeros(shape, zero.dtype))
        return found


class _GraphQueries:
    """The queries of Graph and GraphData; `_kind` is the Python type of node, edge and feature types.

    As MindSpore's, they leave out axes of length 1: one node has a row, not an array of one row.
    """

    _kind = int

    def _start(self):
        self._nodes, self._edges = {}, {}  # number -> type; number -> (source, target, type, weight)
        self._by_pair, self._next = {}, {}  # (source, target) -> edge; source -> [(target, weight)]
        self._node_features, self._edge_features = _Table(), _Table()

    def _add_edge(self, number, source, target, kind, weight):
        self._edges[number] = (source, target, kind, weight)
        self._by_pair[source, target] = number
        self._next.setdefault(source, []).append((target, weight))

    def _check_kind(self, value, name):
        check_type(value, self._kind, name)

    def _check_kinds(self, values, name):
        check_type(values, (list, np.ndarray), name)
        for value in values:
            check(
                isinstance(value, (self._kind, np.integer if self._kind is int else np.str_))
                and not isinstance(value, bool),
                f"Each member in {name} must be of type {self._kind.__name__}, but got {type(value)}.",
                TypeError,
            )
        return list(values)

    def _known(self, nodes):
        for node in nodes.ravel():
            check(int(node) in self._nodes, f"Invalid node id: {node}.", RuntimeError)
        return nodes

    def get_all_nodes(self, node_type):
        """Numbers of all nodes of a type, an int32 array."""
        self._check_kind(node_type, "node_type")
        nodes = [number for number, kind in self._nodes.items() if kind == node_type]
        check(
            nodes,
            f"Invalid parameter, node type: {node_type} does not exist; there are {sorted(set(self._nodes.values()))}.",
            RuntimeError,
        )
        return np.squeeze(np.array(nodes, np.int32))

    def get_all_edges(self, edge_type):
        """Numbers of all edges of a type, an int32 array."""
        self._check_kind(edge_type, "edge_type")
        edges = [number for number, edge in self._edges.items() if edge[2] == edge_type]
        check(
            edges,
            f"Invalid parameter, edge type: {edge_type} does not exist; there are "
            f"{sorted({edge[2] for edge in self._edges.values()})}.",
            RuntimeError,
        )
        return np.squeeze(np.array(edges, np.int32))

    def get_nodes_from_edges(self, edge_list):
        """Source and target of each edge, an int32 array of shape (edges, 2)."""
        edges = _ids(edge_list, "edge_list")
        for edge in edges.ravel():
            check(int(edge) in self._edges, f"Invalid edge id: {edge}.", RuntimeError)
        return np.array([self._edges[int(edge)][:2] for edge in edges.ravel()], np.int32).squeeze()

    def get_edges_from_nodes(self, node_list):
        """The edge between each pair of nodes.

        Args:
            node_list (Union[list[tuple], numpy.ndarray]): pairs (source, target).

        Returns:
            int32 array of edge numbers.
        """
        check_type(node_list, (list, np.ndarray), "node_list")
        pairs = [tuple(int(node) for node in pair) for pair in node_list]
        for pair in pairs:
            check(pair in self._by_pair, f"Invalid parameter, there is no edge between the nodes {pair}.", RuntimeError)
        return np.squeeze(np.array([self._by_pair[pair] for pair in pairs], np.int32))

    def _neighbors(self, node, kind):
        return [(target, weight) for target, weight in self._next.get(int(node), ()) if self._nodes[target] == kind]

    @checked
    def get_all_neighbors(self, node_list: Any, neighbor_type: Any, output_format: OutputFormat = OutputFormat.NORMAL):
        """All neighbours of a type.

        Args:
            node_list (Union[list, numpy.ndarray]): the nodes.
            neighbor_type: the type of the neighbours.
            output_format (OutputFormat): how they are given.

        Returns:
            NORMAL: an array with a row for each node: the node, its neighbours, -1 up to the longest row. COO: an
                array of
            pairs (node, neighbour). CSR: two arrays, where each node's neighbours start, and the neighbours.
        """
        nodes = self._known(_ids(node_list, "node_list")).ravel()
        self._check_kind(neighbor_type, "neighbor_type")
        found = [[target for target, _ in self._neighbors(node, neighbor_type)] for node in nodes]
        if output_format == OutputFormat.COO:
            pairs = [(node, target) for node, row in zip(nodes, found, strict=True) for target in row]
            return np.array(pairs, np.int32).reshape(-1, 2)
        if output_format == OutputFormat.CSR:
            lengths = [len(row) for row in found]
            offsets = np.cumsum([0, *lengths[:-1]])
            return offsets.astype(np.int32), np.array([target for row in found for target in row], np.int32)
        width = 1 + max(map(len, found), default=0)
        rows = np.full((len(nodes), width), NO_NODE, np.int32)
        for i, (node, row) in enumerate(zip(nodes, found, strict=True)):
            rows[i, 0], rows[i, 1 : 1 + len(row)] = node, row
        return rows.squeeze()

    @checked
    def get_sampled_neighbors(
        self,
        node_list: Any,
        neighbor_nums: Any,
        neighbor_types: Any,
        strategy: SamplingStrategy = SamplingStrategy.RANDOM,
    ):
        """Random neighbours, neighbours of those, and so on.

        Args:
            node_list (Union[list, numpy.ndarray]): the nodes.
            neighbor_nums (Union[list, numpy.ndarray]): how many are drawn at each hop, with replacement.
            neighbor_types (Union[list, numpy.ndarray]): their type at each hop.
            strategy (SamplingStrategy): how they are drawn.

        Returns:
            An array with a row for each node: the node, its sample, the samples of that, ...; -1 where there is none.
        """
        nodes = self._known(_ids(node_list, "node_list")).ravel()
        counts = _ids(neighbor_nums, "neighbor_nums").tolist()
        kinds = self._check_kinds(neighbor_types, "neighbor_types")
        check(len(counts) == len(kinds), "The sizes of neighbor_nums and neighbor_types are inconsistent.")
        check(all(count > 0 for count in counts), "neighbor_nums must be greater than 0.")
        draw = numpy_draws()
        rows = []
        for node in nodes:
            row, last = [int(node)], [int(node)]
            for count, kind in zip(counts, kinds, strict=True):
                last = [target for start in last for target in self._sample(draw, start, count, kind, strategy)]
                row.extend(last)
            rows.append(row)
        return np.array(rows, np.int32).squeeze()

    def _sample(self, draw, node, count, kind, strategy):
        around = self._neighbors(node, kind) if node != NO_NODE else []
        if not around:
            return [NO_NODE] * count
        targets = np.array([target for target, _ in around])
        chances = None
        if strategy == SamplingStrategy.EDGE_WEIGHT:
            weights = np.array([weight for _, weight in around], np.float64)
            chances = weights / weights.sum() if weights.sum() > 0 else None
        return draw.choice(targets, count, p=chances).tolist()

    @checked
    def get_neg_sampled_neighbors(self, node_list: Any, neg_neighbor_num: PositiveInt32, neg_neighbor_type: Any):
        """Random nodes of a type that are not neighbours: a row for each node, itself first; padded with -1."""
        nodes = self._known(_ids(node_list, "node_list")).ravel()
        self._check_kind(neg_neighbor_type, "neg_neighbor_type")
        every = self.get_all_nodes(neg_neighbor_type)
        draw = numpy_draws()
        rows = np.full((len(nodes), neg_neighbor_num + 1), NO_NODE, np.int32)
        for i, node in enumerate(nodes):
            near = [target for target, _ in self._neighbors(node, neg_neighbor_type)]
            far = np.setdiff1d(every, [*near, node])
            rows[i, 0] = node
            if len(far):
                rows[i, 1:] = draw.choice(far, neg_neighbor_num)
        return rows.squeeze()

    def random_walk(self, target_nodes, meta_path, step_home_param=1.0, step_away_param=1.0, default_node=-1):
        """Random walks as node2vec makes them (Grover and Leskovec 2016).

        Args:
            target_nodes (list[int]): where the walks start.
            meta_path (list): the type of node at each step.
            step_home_param (float): p: the larger, the less a walk goes back at once.
            step_away_param (float): q: the larger, the more a walk stays near the node before.
            default_node (int): stands where a walk cannot go on.

        Returns:
            int32 array with a row for each walk, one longer than `meta_path`.
        """
        nodes = self._known(_ids(target_nodes, "target_nodes")).ravel()
        kinds = self._check_kinds(meta_path, "meta_path")
        for name, value in (("step_home_param", step_home_param), ("step_away_param", step_away_param)):
            check_type(value, (float, int), name)
            check(value > 0, f"{name} must be greater than 0.")
        check_type(default_node, int, "default_node")
        draw = numpy_draws()
        walks = np.full((len(nodes), len(kinds) + 1), default_node, np.int32)
        for i, node in enumerate(nodes):
            before, here = None, int(node)
            walks[i, 0] = here
            for step, kind in enumerate(kinds, 1):
                around = self._neighbors(here, kind)
                if not around:
                    break
                targets = np.array([target for target, _ in around])
                weights = np.array([weight for _, weight in around], np.float64)
                if before is not None:
                    known = {target for target, _ in self._next.get(before, ())}
                    weights = weights * [
                        1 / step_home_param if target == before else 1.0 if target in known else 1 / step_away_param
                        for target in targets
                    ]
                total = weights.sum()
                before, here = here, int(draw.choice(targets, p=weights / total if total > 0 else None))
                walks[i, step] = here
        return walks.squeeze()

    def get_node_feature(self, node_list, feature_types):
        """Features of nodes: for each type an array, `node_list` by the feature's shape; 0 for unknown nodes."""
        return self._node_features.get(
            _ids(node_list, "node_list"), self._check_kinds(feature_types, "feature_types"), "node"
        )

    def get_edge_feature(self, edge_list, feature_types):
        """Features of edges: for each type an array, `edge_list` by the feature's shape; 0 for unknown edges."""
        return self._edge_features.get(
            _ids(edge_list, "edge_list"), self._check_kinds(feature_types, "feature_types"), "edge"
        )

    def graph_info(self):
        """Types, numbers of nodes and edges by type, and types of features, a dict."""
        node_kinds = list(self._nodes.values())
        edge_kinds = [edge[2] for edge in self._edges.values()]
        return {
            "node_type": sorted(set(node_kinds)),
            "edge_type": sorted(set(edge_kinds)),
            "node_num": {kind: node_kinds.count(kind) for kind in sorted(set(node_kinds))},
            "edge_num": {kind: edge_kinds.count(kind) for kind in sorted(set(edge_kinds))},
            "node_feature_type": sorted(self._node_features.values),
            "edge_feature_type": sorted(self._edge_features.values),
        }


class GraphData(_GraphQueries):
    """A graph in record files; types are ints.

    A record is a node (attribute "n": first_id, type, weight) or an edge (attribute "e": first_id, second_id and
    third_id for source and target, type, weight); node_feature_index and edge_feature_index name the fields with its
    features.

    Args:
        dataset_file (str): one of the files.
        num_parallel_workers (int, optional): accepted.
        working_mode (str): "local", "client" or "server"; the graph is held in this process in any case.
        hostname (str): accepted.
        port (int): accepted.
        num_client (int): accepted.
        auto_shutdown (bool): accepted.

    Raises:
        ValueError: the file does not exist.
        RuntimeError: it holds no graph.
    """

    @checked
    def __init__(
        self,
        dataset_file: ReadableFile,
        num_parallel_workers: int | None = None,
        working_mode: WorkingMode = "local",
        hostname: str = "127.0.0.1",
        port: Port = 50051,
        num_client: ClientCount = 1,
        auto_shutdown: bool = True,
    ):
        self._start()
        records = RecordSet(dataset_file)
        try:
            check(
                {"first_id", "second_id", "third_id", "attribute", "type"} <= set(records.fields),
                f"Invalid file, {dataset_file} holds no graph: its fields are {sorted(records.fields)}.",
                RuntimeError,
            )
            edges = []
            for number in range(len(records)):
                row = records.row(number)
                first, kind = int(row["first_id"]), int(row["type"])
                attribute = str(row["attribute"])
                if attribute == "n":
                    self._nodes[first] = kind
                elif attribute == "e":
                    weight = row.get("weight", 1.0)
                    edges.append((first, int(row["second_id"]), int(row["third_id"]), kind, float(weight)))
                self._take_features(row, first, attribute)
        finally:
            records.close()
        for edge in edges:
            self._add_edge(*edge)

    def _take_features(self, row, number, attribute):
        what, table = ("node", self._node_features) if attribute == "n" else ("edge", self._edge_features)
        for kind in np.atleast_1d(row.get(f"{what}_feature_index", ())):
            name = f"{what}_feature_{int(kind)}"
            if int(kind) > 0 and name in row:
                value = np.asarray(row[name])
                table.add(int(kind), number, value.reshape(()) if value.size == 1 else value)


class Graph(_GraphQueries):
    """A graph in arrays; types are strings.

    Args:
        edges (Union[list, numpy.ndarray]): sources and targets, of shape (2, edges).
        node_feat (dict, optional): name to an array of shape (nodes, ...).
        edge_feat (dict, optional): name to an array of shape (edges, ...).
        graph_feat (dict, optional): name to an array of any shape.
        node_type (Union[list, numpy.ndarray], optional): the type of each node; by default "0".
        edge_type (Union[list, numpy.ndarray], optional): the type of each edge; by default "0".
        num_parallel_workers (int, optional): accepted.
        working_mode (str): "local", "client" or "server"; the graph is held in this process in any case.
        hostname (str): accepted.
        port (int): accepted.
        num_client (int): accepted.
        auto_shutdown (bool): accepted.

    Example:
        >>> from msjax.dataset import Graph
        >>> graph = Graph(edges=[[0, 1, 2, 2, 3], [1, 2, 0, 3, 1]])
        >>> graph.get_all_neighbors([0, 2], "0").tolist()
        [[0, 1, -1], [2, 0, 3]]
    """

    _kind = str

    @checked
    def __init__(
        self,
        edges: list | np.ndarray,
        node_feat: dict | None = None,
        edge_feat: dict | None = None,
        graph_feat: dict | None = None,
        node_type: list | np.ndarray | None = None,
        edge_type: list | np.ndarray | None = None,
        num_parallel_workers: int | None = None,
        working_mode: WorkingMode = "local",
        hostname: str = "127.0.0.1",
        port: Port = 50051,
        num_client: ClientCount = 1,
        auto_shutdown: bool = True,
    ):
        edges = _ids(edges, "edges")
        check(edges.ndim == 2 and edges.shape[0] == 2, f"edges must be of shape (2, num_edges), but got {edges.shape}.")
        self._start()
        self.edges, self.node_type, self.edge_type = edges, node_type, edge_type
        self.node_feat, self.edge_feat, self.graph_feat = node_feat or {}, edge_feat or {}, graph_feat or {}
        count = int(edges.max()) + 1 if edges.size else 0
        per_node = [*self.node_feat.values(), *([] if node_type is None else [node_type])]
        counts = {len(value) for value in per_node}
        check(len(counts) <= 1, f"node_feat and node_type must be of one length, but got {sorted(counts)}.")
        count = max(count, *counts, 0)
        kinds = ["0"] * count if node_type is None else [str(kind) for kind in node_type]
        check(len(kinds) == count, f"node_type must have an item for each of the {count} nodes, but got {len(kinds)}.")
        self._nodes = dict(enumerate(kinds))
        total = edges.shape[1]
        kinds = ["0"] * total if edge_type is None else [str(kind) for kind in edge_type]
        check(len(kinds) == total, f"edge_type must have an item for each of the {total} edges, but got {len(kinds)}.")
        for number, (source, target) in enumerate(edges.T.tolist()):
            self._add_edge(number, source, target, kinds[number], 1.0)
        for feats, table, size in (
            (self.node_feat, self._node_features, count),
            (self.edge_feat, self._edge_features, total),
        ):
            for name, value in feats.items():
                check(len(value) == size, f"The feature '{name}' must have {size} rows, but got {len(value)}.")
                for number, row in enumerate(value):
                    table.add(name, number, row)

    def get_graph_feature(self, feature_types: Any):
        """The features of the graph of the given names, a list of arrays."""
        names = self._check_kinds(feature_types, "feature_types")
        for name in names:
            check(
                name in self.graph_feat,
                f"Invalid parameter, graph feature type {name} does not exist; there are {sorted(self.graph_feat)}.",
                RuntimeError,
            )
        return [np.asarray(self.graph_feat[name]) for name in names]

    def graph_info(self):
        return {**super().graph_info(), "graph_feature_type": sorted(self.graph_feat)}


_GROUPS = ("node_feat", "edge_feat", "graph_feat")
_NODES = 1 << 18  # so many, and as many as the file has bytes, may a file of graphs name


class InMemoryGraphDataset(GeneratorDataset):
    """Base of datasets of graphs: a subclass defines `process()`, `__getitem__(index)` and `__len__()`.

    `process` fills the list `self.graphs`. What it made is kept in a file, which later runs read instead.

    Args:
        data_dir (str): folder with the raw data.
        save_dir (str): folder under `data_dir` for what was processed.
        column_names (Union[str, list[str]]): names of what `__getitem__` gives.
        The other arguments are those of GeneratorDataset.
    """

    @checked
    def __init__(
        self,
        data_dir: str,
        save_dir: str = "./processed",
        column_names: str | list[str] = "graph",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: "bool | Shuffle | None" = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = 6,
    ):
        check(
            os.path.isdir(data_dir),
            f"The folder {data_dir} does not exist or is not a directory or permission denied!",
            RuntimeError,
        )
        self.graphs, self.data_dir, self.save_dir = [], data_dir, save_dir
        self.processed_path = os.path.join(data_dir, save_dir)
        self.processed = os.path.isdir(self.processed_path) and bool(os.listdir(self.processed_path))
        if self.processed:
            self.load()
        else:
            os.makedirs(self.processed_path, exist_ok=True)
            self.process()
            self.save()
        super().__init__(
            _RowsOf(self),
            column_names=column_names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            python_multiprocessing=python_multiprocessing,
            max_rowsize=max_rowsize,
        )

    def process(self):
        """Fills `self.graphs` from the raw data."""
        raise NotImplementedError("'process' method should be implemented in your own logic.")

    def save(self):
        """Writes `self.graphs` to `processed_path`."""
        arrays = {"count": np.array(len(self.graphs))}
        for i, graph in enumerate(self.graphs):
            arrays[f"{i}/edges"] = graph.edges
            for name in ("node_type", "edge_type"):
                if getattr(graph, name) is not None:
                    arrays[f"{i}/{name}"] = np.array(getattr(graph, name))
            for group in _GROUPS:
                for name, value in getattr(graph, group).items():
                    arrays[f"{i}/{group}/{name}"] = np.asarray(value)
        np.savez(os.path.join(self.processed_path, "graphs.npz"), **arrays)

    def load(self):
        """Reads `self.graphs` from `processed_path`."""
        path = os.path.join(self.processed_path, "graphs.npz")
        try:
            owned = self._arrays_of_graphs(read_npz(path))
            for own in owned:  # each node is an entry of a table, also one that only a number of an edge tells of
                last = int(own["edges"].max(initial=-1))
                if last > os.path.getsize(path) + _NODES:
                    raise ValueError(f"an edge leads to node {last}, but the file is too short for that many nodes")
        except (ValueError, KeyError) as error:
            raise RuntimeError(f"Invalid file, {path} holds no graphs: {error}.") from error
        for own in owned:
            feats = {
                group: {
                    name.removeprefix(f"{group}/"): value for name, value in own.items() if name.startswith(f"{group}/")
                }
                for group in _GROUPS
            }
            self.graphs.append(
                Graph(own["edges"], **feats, node_type=own.get("node_type"), edge_type=own.get("edge_type"))
            )

    @staticmethod
    def _arrays_of_graphs(arrays):
        """The arrays of each graph by name."""
        owned = {}
        for name, array in arrays.items():
            number, _, rest = name.partition("/")
            if rest:
                owned.setdefault(int(number), {})[rest] = array
        if int(arrays["count"]) != len(owned) or any("edges" not in own for own in owned.values()):
            raise ValueError(f"{int(arrays['count'])} graphs are announced, {len(owned)} are there")
        return [owned[i] for i in range(len(owned))]

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} has to implement __getitem__().")

    def __len__(self):
        return len(self.graphs)


class _RowsOf:
    """A dataset's own `__getitem__` and `__len__` as a source, without the pipeline around it."""

    def __init__(self, dataset):
        self.kind, self.state = type(dataset), dict(vars(dataset).items())

    def __getitem__(self, index):
        rows = object.__new__(self.kind)
        rows.__dict__.update(self.state)
        return rows[index]

    def __len__(self):
        rows = object.__new__(self.kind)
        rows.__dict__.update(self.state)
        return len(rows)
