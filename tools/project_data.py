"""Small data in the formats that public projects read, made from a seed: nothing is downloaded, nothing is anybody's.

Each function takes the path that it writes to and what else the manifest says. Images hold shapes that can be told apart, series hold
waves, texts hold a small language with a grammar: a network that learns anything learns them. Pictures are in `project_pictures.py`.
"""

import csv
import datetime
import io
import json
import pathlib
import pickle

import numpy as np
import scipy.io
import scipy.io.wavfile
import scipy.sparse
from PIL import Image


def series(path, rows=2000, columns=7, step_minutes=60, date="date", names=None, start="2016-07-01", seed=1):
    """A CSV file of time series: a column of dates, then daily and weekly waves with noise; the last column is named OT if no names are told."""
    draw = np.random.default_rng(seed)
    hours = np.arange(rows)[:, None] * step_minutes / 60
    phase = draw.uniform(0, 6, (2, columns))
    values = np.sin(2 * np.pi * hours / 24 + phase[0]) + 0.5 * np.sin(2 * np.pi * hours / 168 + phase[1])
    values = values * draw.uniform(1, 5, columns) + draw.normal(0, 0.1, values.shape)
    begin = datetime.datetime.fromisoformat(start)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([date, *(names or [*(f"x{i}" for i in range(columns - 1)), "OT"])])
        for i, row in enumerate(values):
            writer.writerow([begin + datetime.timedelta(minutes=i * step_minutes), *(f"{v:.6f}" for v in row)])


def array(path, shape, low=0.0, high=1.0, dtype="float32", seed=1):
    """A .npy file of uniform numbers (whole ones below `high` for an integer dtype)."""
    draw = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    values = draw.integers(int(low), int(high), shape) if kind.kind in "iu" else draw.uniform(low, high, shape)
    np.save(path, values.astype(kind))


SUBJECTS = ("the cat", "a dog", "my friend", "the old man", "every child")
VERBS = ("sees", "likes", "finds", "follows", "wants")
OBJECTS = ("a red ball", "the river", "some bread", "a small house", "the green tree")


def sentences(count, seed=1):
    """Sentences of a small grammar."""
    draw = np.random.default_rng(seed)
    pick = lambda words: words[draw.integers(len(words))]  # noqa: E731
    return [f"{pick(SUBJECTS)} {pick(VERBS)} {pick(OBJECTS)} ." for _ in range(count)]


def text(path, count=500, lines=True, seed=1):
    """A text file of sentences, one a line or all in one."""
    path.write_text(("\n" if lines else " ").join(sentences(count, seed)) + "\n")


def table(path, columns, rows=200, separator=",", header=True, seed=1):
    """A CSV file. columns: {name: [kind, ...]}, kind `number` low high, `whole` low high, `word` of these, `sentence`, `label` (the sum of
    the numbers before it in the row, above its middle).
    """
    draw = np.random.default_rng(seed)
    said = sentences(rows, seed)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, delimiter=separator)
        if header:
            writer.writerow(columns)
        for i in range(rows):
            row, score = [], 0.0
            for kind, *rest in columns.values():
                if kind == "label":
                    row.append(int(score > 0))
                elif kind == "sentence":
                    row.append(said[i])
                elif kind == "word":
                    row.append(rest[draw.integers(len(rest))])
                else:
                    low, high = rest
                    value = draw.uniform(low, high) if kind == "number" else draw.integers(low, high)
                    score += (float(value) - (low + high) / 2) / (high - low)
                    row.append(f"{value:.5f}" if kind == "number" else int(value))
            writer.writerow(row)


def plain(path, content, is_json=False):
    """A file of this text; is_json: the value as JSON."""
    path.write_text(json.dumps(content) if is_json else content)


def folder(path):
    """An empty folder, which the project expects to be there."""
    pathlib.Path(path).mkdir(parents=True, exist_ok=True)


def outliers(path, rows=300, columns=9, share=0.1, seed=1):
    """A MATLAB file of `X` (rows, columns) and `y`, 1 for rows that lie apart."""
    draw = np.random.default_rng(seed)
    y = (np.arange(rows) < share * rows).astype(np.uint8)[:, None]
    X = draw.normal(0, 1, (rows, columns)) + 4 * y * draw.choice([-1, 1], (rows, columns))
    scipy.io.savemat(path, {"X": X, "y": y})


def planetoid(path, name="cora", nodes=900, classes=7, words=200, labelled=20, validated=200, tested=200, seed=1):
    """The eight raw files of a citation graph (ind.NAME.x, .tx, .allx, .y, .ty, .ally, .graph, .test.index): words and edges tell the class."""
    draw = np.random.default_rng(seed)
    label = draw.integers(0, classes, nodes)
    label[: classes * labelled] = np.arange(classes * labelled) % classes
    at = draw.random((nodes, words)) < np.where(np.arange(words) % classes == label[:, None], 0.08, 0.025)
    features = scipy.sparse.csr_matrix(at.astype(np.float32))
    hot = np.eye(classes, dtype=np.int32)[label]
    graph = {i: [] for i in range(nodes)}
    for i in range(nodes):
        same = np.flatnonzero(label == label[i])
        for j in (*draw.choice(same, 2), draw.integers(nodes)) if draw.random() < 0.6 else draw.choice(same, 2):
            if i != j:
                graph[i].append(int(j))
                graph[int(j)].append(i)
    train, cut = classes * labelled, nodes - tested
    path.mkdir(parents=True, exist_ok=True)
    parts = {
        "x": features[:train],
        "tx": features[cut:],
        "allx": features[:cut],
        "y": hot[:train],
        "ty": hot[cut:],
        "ally": hot[:cut],
    }
    for end, value in (parts | {"graph": graph}).items():
        (path / f"ind.{name}.{end}").write_bytes(pickle.dumps(value, protocol=2))
    (path / f"ind.{name}.test.index").write_text("".join(f"{i}\n" for i in range(cut, nodes)))


def burgers(path, x=256, t=100, viscosity=0.01 / np.pi):
    """The solution u(x, t) of u_t + u u_x = viscosity u_xx, u(x, 0) = -sin(pi x), on [-1, 1] x [0, 1], as `usol` of a .npz file.

    Cole and Hopf's integral by Gauss and Hermite's rule (Basdevant et al., 1986, Spectral and finite difference solutions of the Burgers
    equation).
    """
    places, times = np.linspace(-1, 1, x), np.linspace(0, 1, t)
    nodes, weights = np.polynomial.hermite.hermgauss(100)
    u = np.empty((x, t))
    u[:, 0] = -np.sin(np.pi * places)
    for k, time in enumerate(times[1:], 1):
        y = places[:, None] - np.sqrt(4 * viscosity * time) * nodes
        potential = np.exp(-np.cos(np.pi * y) / (2 * np.pi * viscosity))
        u[:, k] = -(np.sin(np.pi * y) * potential) @ weights / (potential @ weights)
    np.savez(path, x=places[:, None], t=times[:, None], usol=u)


def flowers(path, each=50, seed=1):
    """iris.data: four lengths of flowers of three kinds, which lie apart, one flower a line."""
    draw = np.random.default_rng(seed)
    lines = []
    for kind, middle in (
        ("setosa", (5, 3.4, 1.5, 0.2)),
        ("versicolor", (5.9, 2.8, 4.3, 1.3)),
        ("virginica", (6.6, 3, 5.6, 2)),
    ):
        for row in draw.normal(middle, 0.25, (each, 4)):
            lines.append(",".join(f"{v:.1f}" for v in row) + f",Iris-{kind}")
    path.write_text("\n".join(lines) + "\n")


def _column(draw, rows, kind, *rest):
    """`rows` values of a column: `whole` or `number` with low, high, shape, dtype; `hot` classes dtype; `count` shape dtype (0, 1, ...);
    `picture` size channels classes: PNG files, whose pixels are classes where `classes` is not 256.
    """
    if kind == "picture":
        size, channels, classes = rest
        pixels = draw.integers(0, classes, (rows, size, size, channels)).astype(np.uint8)
        files = []
        for one in pixels:
            held = io.BytesIO()
            Image.fromarray(one if channels == 3 else one[..., 0]).save(held, "PNG")
            files.append(held.getvalue())
        return files
    if kind == "hot":
        classes, dtype = rest
        return np.eye(classes, dtype=dtype)[draw.integers(0, classes, rows)]
    if kind == "count":
        shape, dtype = rest
        return np.broadcast_to(np.arange(rows).reshape(rows, *(1 for _ in shape)), (rows, *shape)).astype(dtype)
    low, high, shape, dtype = rest
    size = (rows, *shape)
    return (draw.integers(low, high, size) if kind == "whole" else draw.uniform(low, high, size)).astype(dtype)


def records(path, columns, rows=64, seed=1):
    """A MindRecord file. columns: {name: [kind, ...]} as `_column` has them."""
    from msjax.mindrecord import FileWriter  # the only data that needs more than NumPy

    draw = np.random.default_rng(seed)
    values = {name: _column(draw, rows, *how) for name, how in columns.items()}
    schema = {
        name: {"type": "bytes"}
        if isinstance(v, list)
        else {"type": str(v.dtype), **({"shape": [-1, *v.shape[2:]]} if v.ndim > 1 else {})}
        for name, v in values.items()
    }
    writer = FileWriter(str(path), shard_num=1, overwrite=True)
    writer.add_schema(schema, "made")
    plain_value = lambda v: v.item() if np.ndim(v) == 0 and not isinstance(v, bytes) else v  # noqa: E731
    writer.write_raw_data([{name: plain_value(v[i]) for name, v in values.items()} for i in range(rows)])
    writer.commit()


def arrays(path, columns, rows=64, seed=1):
    """A .npz file, or a pickle of a dict where the path does not end so. columns: as in `records`."""
    draw = np.random.default_rng(seed)
    values = {name: _column(draw, rows, *how) for name, how in columns.items()}
    if path.suffix == ".npz":
        np.savez(path, **values)
    else:
        path.write_bytes(pickle.dumps(values, protocol=2))


def matlab(path, columns, rows=64, seed=1):
    """A MATLAB file. columns: as in `records`."""
    draw = np.random.default_rng(seed)
    scipy.io.savemat(path, {name: _column(draw, rows, *how) for name, how in columns.items()})


def pickled_lists(path, columns, rows=64, seed=1):
    """A pickle of a tuple of lists, one for each column. columns: a list of kinds as `_column` has them."""
    draw = np.random.default_rng(seed)
    path.write_bytes(pickle.dumps(tuple(_column(draw, rows, *how).tolist() for how in columns), protocol=2))


def operators(path, rows=500, sensors=100, seed=1):
    """DeepONet's .npz files of an antiderivative, `..._train` and `..._test` behind `path`: X_0 (rows, sensors) a function's values, X_1 (rows, 1)
    where its integral is asked, y (rows, 1) the integral.
    """
    draw = np.random.default_rng(seed)
    for usage, count in (("train", rows), ("test", rows // 2)):
        u = draw.standard_normal((count, sensors)).cumsum(1).astype(np.float32) / 10
        x = draw.random((count, 1)).astype(np.float32)
        integral = np.concatenate([np.zeros((count, 1)), u.cumsum(1)], 1) / sensors
        y = np.array(
            [np.interp(at, np.linspace(0, 1, sensors + 1), row) for at, row in zip(x[:, 0], integral, strict=True)]
        )
        held = {f"X_{usage}0": u, f"X_{usage}1": x, f"y_{usage}": y[:, None].astype(np.float32)}
        np.savez(path.with_name(f"{path.name}_{usage}.npz"), **held)


def checkpoint(path, shapes):
    """A checkpoint file of MindSpore's with zeros of these shapes: {name: shape}."""
    import msjax

    msjax.save_checkpoint(
        [{"name": n, "data": msjax.Tensor(np.zeros(s, np.float32))} for n, s in shapes.items()], str(path)
    )


def vectors(path, words, width=50, seed=1):
    """A text file of word vectors: a word and its numbers in each line."""
    draw = np.random.default_rng(seed)
    path.write_text("".join(f"{w} {' '.join(f'{v:.4f}' for v in draw.normal(0, 0.3, width))}\n" for w in words))


def reviews(path, count=320, seed=1):
    """Reviews as SemEval's .seg files have them: a sentence with $T$ for its aspect, the aspect, and 1, 0 or -1, three lines each.
    Beside it a pickle, `path`.graph: {first line of the review: which of its words hang together}.
    """
    draw = np.random.default_rng(seed)
    said = {1: ("great", "good", "lovely"), 0: ("plain", "usual", "average"), -1: ("bad", "awful", "cold")}
    aspects = ("food", "service", "wine list", "staff", "menu")
    lines, graphs = [], {}
    for _ in range(count):
        kind = int(draw.integers(-1, 2))
        word, aspect = said[kind][draw.integers(3)], aspects[draw.integers(len(aspects))]
        sentence = f"the $T$ was {word} at this place ."
        words = len(sentence.replace("$T$", aspect).split())
        graphs[len(lines)] = sum(np.eye(words, k=k, dtype=np.float32) for k in (-1, 0, 1))
        lines += [sentence, aspect, str(kind)]
    path.write_text("\n".join(lines) + "\n")
    path.with_name(f"{path.name}.graph").write_bytes(pickle.dumps(graphs))


def houses(path, rows=1000, seed=1):
    """California housing as scikit-learn keeps it: eight numbers of a block, and the price, which rises with the first."""
    import joblib  # comes with scikit-learn, which the project needs anyway

    draw = np.random.default_rng(seed)
    low, high = np.array([0.5, 1, 2, 0.8, 100, 1, 32, -124]), np.array([15, 52, 10, 2, 3000, 6, 42, -114])
    blocks = draw.uniform(low, high, (rows, 8))
    price = 0.3 * blocks[:, 0] + 0.01 * blocks[:, 1] + draw.normal(0, 0.1, rows)
    # the file holds longitude and latitude first, sums of a block instead of means, and prices in dollars
    many = blocks[:, 4] / blocks[:, 5]
    columns = [
        blocks[:, 7],
        blocks[:, 6],
        blocks[:, 1],
        blocks[:, 2] * many,
        blocks[:, 3] * many,
        blocks[:, 4],
        many,
        blocks[:, 0],
    ]
    joblib.dump(np.stack([1e5 * price, *columns], axis=1), path, compress=6)


def speakers(path, splits=("tr",), count=4, seconds=1.0, rate=8000, listed="json", seed=1):
    """For each split, folders `s1` and `s2` of two tones with overtones, and `mix` of their sums: WAV files of 16 bits.

    listed: the folder beside it with a JSON list of [file, samples] for each of these folders.
    """
    draw = np.random.default_rng(seed)
    time = np.arange(int(seconds * rate)) / rate
    for split in splits:
        for i in range(count):
            voices = [
                sum(np.sin(2 * np.pi * k * pitch * time) / k for k in range(1, 4)) / 6
                for pitch in (draw.uniform(90, 150), draw.uniform(180, 260))
            ]
            for name, wave in (("s1", voices[0]), ("s2", voices[1]), ("mix", voices[0] + voices[1])):
                (path / split / name).mkdir(parents=True, exist_ok=True)
                scipy.io.wavfile.write(path / split / name / f"{i:04d}.wav", rate, (32767 * wave).astype(np.int16))
        (path.parent / listed / split).mkdir(parents=True, exist_ok=True)
        for name in ("s1", "s2", "mix"):
            files = [[f"{path.name}/{split}/{name}/{i:04d}.wav", time.size] for i in range(count)]
            (path.parent / listed / split / f"{name}.json").write_text(json.dumps(files))


def modalities(path, rows=64, audio=74, video=47, words=20, width=300, seed=1):
    """A pickle of reviews on video, as MOSI's are kept: a mean of the sound, one of the picture, vectors of the words, and a number from -3 to 3."""
    draw, splits = np.random.default_rng(seed), {}
    for split, count in ((b"train", rows), (b"valid", rows // 2), (b"test", rows // 2)):
        label = draw.uniform(-3, 3, (count, 1)).astype(np.float32)
        shapes = {b"covarep": (count, audio), b"facet": (count, video), b"glove": (count, words, width)}
        told = {k: (draw.normal(0, 1, s) + label.reshape(count, *(1,) * (len(s) - 1))) for k, s in shapes.items()}
        splits[split] = {k: v.astype(np.float32) for k, v in told.items()} | {b"label": label}
    path.write_bytes(pickle.dumps(splits, protocol=2))


def film_ratings(path, users=12, each=20, directors=2186, seed=1):
    """A folder with four pickles a user, as MAMO's preparation writes them: the user (sex, age, work), the films (rate, year, genres and
    directors as 0 and 1), a list of stars, and whether user and film are new.
    """
    draw = np.random.default_rng(seed)
    path.mkdir(parents=True, exist_ok=True)
    for user in range(1, users + 1):
        person = [int(draw.integers(n)) for n in (2, 7, 21)]
        films = []
        for _ in range(each):
            genre, director = np.zeros(25, int), np.zeros(directors, int)
            genre[draw.integers(25)] = director[draw.integers(directors)] = 1
            films.append([int(draw.integers(6)), int(draw.integers(81)), *genre.tolist(), *director.tolist()])
        held = {"x1": person, "x2": films, "y": draw.integers(1, 6, each), "y0": [0] * each}
        for name, value in held.items():
            (path / f"sample_{user}_{name}.p").write_bytes(pickle.dumps(value, protocol=2))


def raw(path, shape, low=0.0, high=1.0, dtype="float32", seed=1):
    """Numbers one after another, without a header."""
    np.random.default_rng(seed).uniform(low, high, shape).astype(dtype).tofile(path)


def point_clouds(path, count=12, points=300, seed=1):
    """ShapeNet's parts of chairs: points and their parts (1 to 4, by height) as text, and the lists of files to train and to test with."""
    draw = np.random.default_rng(seed)
    (path / "train_test_split").mkdir(parents=True)
    (path / "synsetoffset2category.txt").write_text("Chair\t03001627\n")
    for folder in ("points", "points_label"):
        (path / "03001627" / folder).mkdir(parents=True)
    for i in range(count):
        cloud = draw.uniform(-1, 1, (points, 3))
        np.savetxt(path / "03001627" / "points" / f"{i}.pts", cloud, "%.5f")
        np.savetxt(path / "03001627" / "points_label" / f"{i}.seg", np.digitize(cloud[:, 1], (-0.5, 0, 0.5)) + 1, "%d")
    names = [f"shape_data/03001627/{i}" for i in range(count)]
    for usage in ("train", "test"):
        (path / "train_test_split" / f"shuffled_{usage}_file_list.json").write_text(json.dumps(names))


def triples(path, entities=40, relations=4, rows=300, seed=1):
    """A knowledge graph as WN18RR's folder has it: numbered names of entities and relations, and triples to train, validate and test with.
    Relation k leads k + 1 further along a ring, or past its end.
    """
    draw = np.random.default_rng(seed)
    path.mkdir(parents=True, exist_ok=True)
    for name, kind, count in (("entities", "e", entities), ("relations", "r", relations)):
        (path / f"{name}.dict").write_text("".join(f"{i}\t{kind}{i}\n" for i in range(count)))
    for usage, count in (("train", rows), ("valid", rows // 10), ("test", rows // 10)):
        head, relation = draw.integers(0, entities, count), draw.integers(0, relations, count)
        pairs = zip(head, relation, strict=True)
        (path / f"{usage}.txt").write_text("".join(f"e{h}\tr{r}\te{(h + r + 1) % entities}\n" for h, r in pairs))


def particles(path, count=64, steps=49, size=5, seed=1):
    """Neural relational inference's pickle: {part: [which particles hang together (count, edges), states (count, steps, size, 4)]} and all edges."""
    draw = np.random.default_rng(seed)
    edges = np.array([(i, j) for i in range(size) for j in range(size) if i != j]).T
    held = {}
    for part in ("train", "val", "test"):
        joined = np.triu(draw.integers(0, 2, (count, size, size)), 1)
        joined = joined + joined.transpose(0, 2, 1)
        place, speed = draw.normal(0, 0.5, (count, size, 2)), draw.normal(0, 0.5, (count, size, 2))
        states = []
        for _ in range(steps):
            apart = place[:, :, None] - place[:, None]
            speed = speed - 0.1 * (joined[..., None] * apart).sum(2)
            place = place + 0.1 * speed
            states.append(np.concatenate([place, speed], -1))
        held[part] = [joined[:, edges[0], edges[1]].astype(np.int32), np.stack(states, 1).astype(np.float32)]
    path.write_bytes(pickle.dumps((held, edges.astype(np.int32)), protocol=2))


def sensors(path, count=12, spread=0.1, seed=1):
    """DCRNN's pickle of a road network: names of its sensors, {name: number}, how near each is to each (count, count)."""
    at = np.random.default_rng(seed).random((count, 2))
    near = np.exp(-(((at[:, None] - at) ** 2).sum(-1) / spread)).astype(np.float32)
    near[near < 0.1] = 0
    names = [str(700000 + i) for i in range(count)]
    path.write_bytes(pickle.dumps((names, {name: i for i, name in enumerate(names)}, near), protocol=2))


def news(path, name, articles=60, users=20, width=300, seed=1):
    """MIND's folders `name`_utils, _train and _dev: articles, what users read and clicked, dictionaries, vectors of words."""
    draw = np.random.default_rng(seed)
    words = sorted({word for line in sentences(300, seed) for word in line.split()})
    utils = path / f"{name}_utils"
    utils.mkdir(parents=True, exist_ok=True)
    np.save(utils / "embedding_all.npy", draw.normal(0, 0.3, (len(words) + 1, width)).astype(np.float32))
    for file, names in (
        ("word_dict_all", words),
        ("vert_dict", ["sports", "news"]),
        ("subvert_dict", ["local", "world"]),
        ("uid2index", [f"U{i}" for i in range(users)]),
    ):
        (utils / f"{file}.pkl").write_bytes(pickle.dumps({n: i + 1 for i, n in enumerate(names)}, protocol=2))
    said = sentences(2 * articles, seed)
    pick = lambda count: [f"N{i}" for i in draw.choice(articles, count, replace=False)]  # noqa: E731
    for part in ("train", "dev"):
        folder = path / f"{name}_{part}"
        folder.mkdir(parents=True, exist_ok=True)
        kinds = draw.integers(0, 2, (articles, 2))
        (folder / "news.tsv").write_text(
            "".join(
                f"N{i}\t{('sports', 'news')[kinds[i, 0]]}\t{('local', 'world')[kinds[i, 1]]}\t{said[2 * i]}\t{said[2 * i + 1]}\thttp://a\t[]\t[]\n"
                for i in range(articles)
            )
        )
        with open(folder / "behaviors.tsv", "w") as file:
            for i in range(4 * users):
                shown = [f"{n}-{int(k < 2)}" for k, n in enumerate(pick(8))]
                file.write(f"{i}\tU{i % users}\t11/11/2019 9:05:58 AM\t{' '.join(pick(6))}\t{' '.join(shown)}\n")


def pickled(path, content):
    """A pickle of this value."""
    path.write_bytes(pickle.dumps(content, protocol=2))


def wave(path, seconds=1.0, rate=22050, seed=1):
    """A .wav file: a tone that grows and fades, and noise."""
    draw = np.random.default_rng(seed)
    at = np.arange(int(seconds * rate)) / rate
    tone = np.sin(2 * np.pi * draw.uniform(100, 400) * at) * np.sin(np.pi * at / seconds)
    scipy.io.wavfile.write(path, rate, (8000 * (tone + draw.normal(0, 0.05, len(at)))).astype(np.int16))


def utterances(path, count=12, frames=40, width=80, words=20, seed=1):
    """AISHELL as ESPnet prepares it: chars.txt, and data.json that names pickles of features (frames, width) and the numbers of their words."""
    draw = np.random.default_rng(seed)
    (path / "features").mkdir(parents=True)
    names = ["<blank>", "<unk>", *(f"w{i}" for i in range(words)), "<sos>", "<eos>"]
    (path / "chars.txt").write_text("".join(f"{name} {i}\n" for i, name in enumerate(names)))
    held = {}
    for i in range(count):
        said, long = draw.integers(2, 2 + words, draw.integers(3, 8)), int(draw.integers(frames // 2, frames))
        file = path / "features" / f"{i}.pkl"
        file.write_bytes(pickle.dumps(draw.normal(0, 1, (long, width)).astype(np.float32), protocol=2))
        held[f"u{i}"] = {
            "input": [{"feat": str(file), "shape": [long, width]}],
            "output": [{"tokenid": " ".join(map(str, said)), "shape": [len(said), len(names)]}],
        }
    (path / "data.json").write_text(json.dumps(held))


def purchases(path, users=40, items=60, each=8, offered=20, seed=1):
    """Who bought what: `train_data` as pairs, `vali_data` and `test_data` as {user: [bought, [not bought, ...]]}."""
    draw = np.random.default_rng(seed)
    pairs, held = [], {"vali_data": {}, "test_data": {}}
    for user in range(users):
        order = draw.permutation(items).tolist()
        pairs += [[user, item] for item in order[:each]]
        for name, item in zip(held, order[each:], strict=False):
            held[name][user] = [item, order[each + 2 : each + 2 + offered]]
    pairs.append([users - 1, items - 1])
    np.savez(path, train_data=np.array(pairs), **{name: np.array(told, object) for name, told in held.items()})


def clips(
    path,
    features=("features",),
    tables=("sentences.pkl",),
    films=4,
    each=16,
    seconds=64,
    visual=4096,
    words=4800,
    seed=1,
):
    """Folders with features of pieces of films, `FILM.avi_START_END.npy`, and pickles of [piece, vectors of its two sentences]."""
    draw = np.random.default_rng(seed)
    told = []
    for start in range(1, each * seconds, seconds):
        for film in range(films):
            name, vector = f"film{film}.avi_{start}_{start + seconds}", draw.random(visual, np.float32)
            told.append([name, list(draw.random((2, words), np.float32))])
            for folder in features:
                (path / folder).mkdir(parents=True, exist_ok=True)
                np.save(path / folder / f"{name}.npy", vector)
    for table in tables:
        (path / table).parent.mkdir(parents=True, exist_ok=True)
        (path / table).write_bytes(pickle.dumps(told))
