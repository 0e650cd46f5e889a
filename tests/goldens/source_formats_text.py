"""Text, audio and TFRecord datasets in their real layouts, and how each is opened: one row per dataset and variant."""

import gzip
import json
import zlib

from source_files import example, put, sphere, tfrecord, wav


def _csv(*rows):
    return "".join(",".join('"' + field.replace('"', '""') + '"' for field in row) + "\n" for row in rows)


def news(folder, columns):
    for part in ("train", "test"):
        put(
            folder,
            f"{part}.csv",
            _csv(*([str(i), *(f'{part} {i}, "{c}" text' for c in range(columns - 1))] for i in (1, 2))),
        )


def text_files(folder):
    put(folder, "a.txt", "first line\n\nthird  line \n")
    put(folder, "b.txt", "grüße\nlast without end")


def csv_file(folder):
    put(folder, "named.csv", 'name,count,score\n"a, ""b""",1,2.5\ncd,-3,1e2\n')
    put(folder, "plain.csv", "1|x|0.5\n2||0.25\n")
    fields = "1.5 1e3 1. 1_0 0x10 -3x +5".split()
    put(folder, "numbers.csv", '"whole","real"\n' + "".join(f"{field},{field}\n" for field in fields))


def three_files(folder):
    for name, count in (("b", 5), ("a", 3), ("c", 4)):
        put(folder, f"{name}.txt", "".join(f"{name}{i}\n" for i in range(count)))


_CLUE = {
    "AFQMC": {
        "train": {"sentence1": "a", "sentence2": "b", "label": "0"},
        "test": {"id": 3, "sentence1": "a", "sentence2": "b"},
    },
    "TNEWS": {
        "train": {"label": "102", "label_desc": "news", "sentence": "s", "keywords": "k"},
        "test": {"id": 4, "sentence": "s", "keywords": "k"},
    },
    "IFLYTEK": {"train": {"label": "11", "label_des": "map", "sentence": "s"}, "test": {"id": 5, "sentence": "s"}},
    "CMNLI": {
        "train": {"sentence1": "a", "sentence2": "b", "label": "neutral"},
        "test": {"id": 6, "sentence1": "a", "sentence2": "b"},
    },
    "WSC": {
        "train": {
            "target": {"span1_index": 1, "span2_index": 2, "span1_text": "x", "span2_text": "y"},
            "idx": 7,
            "label": "true",
            "text": "t",
        },
        "test": {
            "target": {"span1_index": 1, "span2_index": 2, "span1_text": "x", "span2_text": "y"},
            "idx": 7,
            "id": 8,
            "text": "t",
        },
    },
    "CSL": {
        "train": {"id": 9, "abst": "ab", "keyword": ["k1", "k2"], "label": "1"},
        "test": {"id": 9, "abst": "ab", "keyword": ["k1", "k2"]},
    },
}


def clue(folder):
    for task, parts in _CLUE.items():
        for part, row in parts.items():
            put(folder, f"{task}_{part}.json", (json.dumps(row) + "\n") * 2)


def imdb(folder):
    for part in ("train", "test"):
        for kind in ("pos", "neg"):
            for name in ("0_9", "1_7"):
                put(folder, f"{part}/{kind}/{name}.txt", f"{part} {kind}<br />{name}")


def en_wik9(folder):
    put(folder, "enwik9", "<page>\n  <title>A</title>\n\n</page>\n")


def iwslt2016(folder):
    base = "texts/de/en/de-en"
    for lang in ("de", "en"):
        put(
            folder,
            f"{base}/train.tags.de-en.{lang}",
            f"<url>x</url>\n<title>t</title>\n{lang} one \n{lang} two\n<reviewer></reviewer>\n",
        )
        for name in ("dev2010", "tst2013", "tst2014"):
            put(
                folder,
                f"{base}/IWSLT16.TED.{name}.de-en.{lang}.xml",
                f'<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n<refset>\n<doc docid="1">\n<title>t</title>\n'
                f'<seg id="1"> {name} {lang} a </seg>\n<seg id="2"> {name} {lang} b '
                f"</seg>\n</doc>\n</refset>\n</mteval>\n",
            )


def iwslt2017(folder):
    base = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
    for lang in ("de", "en"):
        put(folder, f"{base}/train.tags.de-en.{lang}", f"<url>x</url>\n{lang} one\n<title>t</title>\n{lang} two \n")
        for name in ("dev2010", "tst2010"):
            put(
                folder,
                f"{base}/IWSLT17.TED.{name}.de-en.{lang}.xml",
                f'<mteval>\n<refset>\n<doc docid="1">\n<seg id="1"> {name} {lang} a '
                f"</seg>\n</doc>\n</refset>\n</mteval>\n",
            )


def multi30k(folder):
    for place, name in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test")):
        for lang in ("en", "de"):
            put(folder, f"{place}/{name}.{lang}", f"{name} {lang} one\n{name} {lang} two\n")


def penn_treebank(folder):
    for part in ("train", "valid", "test"):
        put(folder, f"ptb.{part}.txt", f" {part} <unk> one \n {part} N two \n")


def squad(folder):
    for part in ("train", "dev"):
        answers = [{"text": "b c", "answer_start": 2}, {"text": "c", "answer_start": 4}]
        data = [
            {
                "title": "T",
                "paragraphs": [
                    {
                        "context": "a b c",
                        "qas": [
                            {"question": f"{part} q1", "id": "1", "answers": answers},
                            {"question": f"{part} q2", "id": "2", "answers": [], "is_impossible": True},
                        ],
                    }
                ],
            }
        ]
        put(folder, f"{part}-v1.1.json", json.dumps({"data": data, "version": "1.1"}))


def sst2(folder):
    for part in ("train", "dev"):
        put(folder, f"{part}.tsv", f"sentence\tlabel\n{part} good \t1\n{part} bad\t0\n")
    put(folder, "test.tsv", "index\tsentence\n0\ttest one\n1\ttest two .\n")


def udpos(folder):
    for part in ("train", "dev", "test"):
        put(folder, f"en-ud-tag.v2.{part}.txt", f"{part}\tNOUN\tNN\nruns\tVERB\tVBZ\n\nStop\tVERB\tVB\n.\tPUNCT\t.\n\n")


def conll2000(folder):
    for part in ("train", "test"):
        put(folder, f"{part}.txt", f"{part} NN B-NP\nruns VBZ B-VP\n. . O\n\nStop VB B-VP\n\n")


def conll2000_odd(folder):
    """Empty lines, more columns, two blanks between words."""
    put(folder, "train.txt", "\n\na b c d\n e f g\nh  i\n   \nj k l \n\n")


def wiki_text(folder):
    for part in ("train", "valid", "test"):
        put(folder, f"wiki.{part}.tokens", f" \n = {part} = \n \n some text , here . \n")


def cmu_arctic(folder):
    base = "cmu_us_aew_arctic"
    put(
        folder,
        f"{base}/etc/txt.done.data",
        '( arctic_a0001 "Author of it, Philip." )\n( arctic_a0002 "Not at this." )\n',
    )
    for number in (1, 2):
        put(folder, f"{base}/wav/arctic_a000{number}.wav", wav(number))


def gtzan(folder):
    for kind in ("blues", "disco"):
        for number in range(2):
            put(folder, f"{kind}/{kind}.0000{number}.wav", wav(number + len(kind), rate=22050))


def libri_tts(folder):
    for seed, part in enumerate(("dev-clean", "train-clean-100")):
        base = f"{part}/116/288045/116_288045"
        put(
            folder,
            f"{base}.trans.tsv",
            "116_288045_000003_000000\tMr. Bee\tMister Bee\n116_288045_000004_000000\tTwo 2\tTwo two\n",
        )
        for number in (3, 4):
            put(folder, f"{base}_00000{number}_000000.wav", wav(number + seed, rate=24000))


def lj_speech(folder):
    put(folder, "metadata.csv", "LJ001-0001|In 1455, it|In fourteen fifty-five, it\nLJ001-0002|being so.|being so.\n")
    for number in (1, 2):
        put(folder, f"wavs/LJ001-000{number}.wav", wav(number, rate=22050))


def speech_commands(folder):
    for seed, name in enumerate(("cat/b433eff_nohash_0", "cat/5a33edf_nohash_1", "dog/b433eff_nohash_2")):
        put(folder, f"{name}.wav", wav(seed))
    put(folder, "validation_list.txt", "cat/5a33edf_nohash_1.wav\n")
    put(folder, "testing_list.txt", "dog/b433eff_nohash_2.wav\n")


def tedlium(folder):
    for base in ("dev", "test", "train", "data"):
        for seed, name in enumerate(("AlGore_2009", "BillGates_2010")):
            put(folder, f"{base}/sph/{name}.sph", sphere(seed))
            put(
                folder,
                f"{base}/stm/{name}.stm",
                f"{name} 1 {name}_X 0.0 0.001 <o,f0,male> first words\n{name} 1 {name}_X 0.001 0.002 <o,f0,male> more "
                f"(2)\n",
            )


def yes_no(folder):
    for seed, name in enumerate(("1_1_0_0_1_1_0_0", "0_0_0_0_1_1_1_1")):
        put(folder, f"{name}.wav", wav(seed, rate=8000))


def tf_records(folder):
    rows = [
        example(
            b=[1, -2, 300], a=[0.5], s=["x", "longer"], raw=[b"\xff\x00\x01"], one=i, e=[float(i), 1.5], w=[2**40, -1]
        )
        for i in range(5)
    ]
    put(folder, "x.tfrecord", tfrecord(*rows))
    put(folder, "y.tfrecord", tfrecord(*(example(one=10 + i) for i in range(4))))
    put(folder, "x.zlib", zlib.compress(tfrecord(*rows)))
    put(folder, "x.gzip", gzip.compress(tfrecord(*rows), mtime=0))
    columns = {
        "types": {
            "b": ["int32", [3]],
            "one": ["int64", [1]],
            "e": ["float16", None],
            "raw": ["uint8", None],
            "s": ["string", [2]],
        },
        "shapes": {
            "one": ["int32", []],
            "a": ["float64", []],
            "b": ["int64", [3, 1]],
            "w": ["int64", [-1]],
            "raw": ["uint8", [3]],
            "s": ["uint8", None],
            "e": ["float32", [1, 2]],
        },
        "rows": {"one": ["int64", None]},
    }
    for name, kinds in columns.items():
        put(
            folder,
            f"{name}.json",
            json.dumps(
                {
                    "datasetType": "TF",
                    **({"numRows": 3} if name == "rows" else {}),
                    "columns": {
                        column: {
                            "type": kind,
                            "rank": 1 if shape is None else len(shape),
                            **({} if shape is None else {"shape": shape}),
                        }
                        for column, (kind, shape) in kinds.items()
                    },
                }
            ),
        )


def _news_cases():
    for kind, columns in (
        ("AGNewsDataset", 3),
        ("AmazonReviewDataset", 3),
        ("DBpediaDataset", 3),
        ("SogouNewsDataset", 3),
        ("YahooAnswersDataset", 4),
        ("YelpReviewDataset", 2),
    ):
        for usage in ("train", "test", "all", None):
            yield (
                f"{kind}_{usage}",
                lambda folder, n=columns: news(folder, n),
                kind,
                {"dataset_dir": "{}", "usage": usage},
            )


def _usages(stem, make, kind, usages, **more):
    return [(f"{stem}_{usage}", make, kind, {"dataset_dir": "{}", "usage": usage, **more}) for usage in usages]


_PARTS = ("train", "valid", "test", "all")
CASES = [
    *_news_cases(),
    ("text_one", text_files, "TextFileDataset", {"dataset_files": "{}/a.txt"}),
    ("text_two", text_files, "TextFileDataset", {"dataset_files": ["{}/b.txt", "{}/a.txt"]}),
    *(
        (
            f"text_turns_{workers}_{shards}_{shard}_{samples}",
            three_files,
            "TextFileDataset",
            {
                "dataset_files": ["{}/b.txt", "{}/a.txt", "{}/c.txt"],
                "num_parallel_workers": workers,
                "num_samples": samples,
                **({"num_shards": shards, "shard_id": shard} if shards > 1 else {}),
            },
        )
        for workers, shards, shard, samples in (
            (1, 1, 0, None),
            (2, 1, 0, None),
            (2, 1, 0, 5),
            (1, 2, 1, None),
            (2, 2, 0, None),
            (2, 2, 1, 4),
            (2, 5, 4, None),
        )
    ),
    ("csv_named", csv_file, "CSVDataset", {"dataset_files": "{}/named.csv"}),
    ("csv_beginnings", csv_file, "CSVDataset", {"dataset_files": "{}/numbers.csv", "column_defaults": [0, 0.0]}),
    ("csv_types", csv_file, "CSVDataset", {"dataset_files": "{}/named.csv", "column_defaults": ["", 0, 0.0]}),
    (
        "csv_plain",
        csv_file,
        "CSVDataset",
        {
            "dataset_files": ["{}/plain.csv"],
            "field_delim": "|",
            "column_defaults": [7, "none", 1.5],
            "column_names": ["a", "b", "c"],
        },
    ),
    *(
        (
            f"clue_{task}_{usage}",
            clue,
            "CLUEDataset",
            {
                "dataset_files": f"{{}}/{task}_{'test' if usage == 'test' else 'train'}.json",
                "task": task,
                "usage": usage,
            },
        )
        for task in _CLUE
        for usage in ("train", "test", "eval")
    ),
    ("tf_plain", tf_records, "TFRecordDataset", {"dataset_files": "{}/x.tfrecord"}),
    ("tf_columns", tf_records, "TFRecordDataset", {"dataset_files": "{}/x.tfrecord", "columns_list": ["one", "a"]}),
    ("tf_samples", tf_records, "TFRecordDataset", {"dataset_files": "{}/x.tfrecord", "num_samples": 2}),
    (
        "tf_two",
        tf_records,
        "TFRecordDataset",
        {"dataset_files": ["{}/y.tfrecord", "{}/x.tfrecord"], "columns_list": ["one"]},
    ),
    ("tf_pattern", tf_records, "TFRecordDataset", {"dataset_files": "{}/[xy].tfrecord", "columns_list": ["one"]}),
    *(
        (
            f"tf_schema_{name}",
            tf_records,
            "TFRecordDataset",
            {"dataset_files": "{}/x.tfrecord", "schema": f"{{}}/{name}.json"},
        )
        for name in ("types", "shapes", "rows")
    ),
    *(
        (
            f"tf_shard_{shards}_{shard}_{equal}",
            tf_records,
            "TFRecordDataset",
            {
                "dataset_files": ["{}/y.tfrecord", "{}/x.tfrecord"],
                "columns_list": ["one"],
                "num_shards": shards,
                "shard_id": shard,
                "shard_equal_rows": equal,
            },
        )
        for shards, equal in ((2, False), (2, True), (3, True))
        for shard in range(shards)
    ),
    *(
        (
            f"tf_{kind}",
            tf_records,
            "TFRecordDataset",
            {"dataset_files": f"{{}}/x.{kind.lower()}", "compression_type": kind},
        )
        for kind in ("ZLIB", "GZIP")
    ),
    *_usages("imdb", imdb, "IMDBDataset", ("train", "test", "all")),
    ("enwik9", en_wik9, "EnWik9Dataset", {"dataset_dir": "{}"}),
    *_usages("iwslt2016", iwslt2016, "IWSLT2016Dataset", _PARTS),
    *_usages("iwslt2017", iwslt2017, "IWSLT2017Dataset", _PARTS),
    *_usages("multi30k", multi30k, "Multi30kDataset", _PARTS),
    (
        "multi30k_de",
        multi30k,
        "Multi30kDataset",
        {"dataset_dir": "{}", "usage": "train", "language_pair": ["de", "en"]},
    ),
    *_usages("ptb", penn_treebank, "PennTreebankDataset", _PARTS),
    *_usages("squad", squad, "SQuADDataset", ("train", "dev", "all")),
    *_usages("sst2", sst2, "SST2Dataset", ("train", "dev", "test")),
    *_usages("udpos", udpos, "UDPOSDataset", _PARTS),
    *_usages("conll", conll2000, "CoNLL2000Dataset", ("train", "test", "all")),
    ("conll_odd", conll2000_odd, "CoNLL2000Dataset", {"dataset_dir": "{}", "usage": "train"}),
    *_usages("wikitext", wiki_text, "WikiTextDataset", _PARTS),
    ("cmu_arctic", cmu_arctic, "CMUArcticDataset", {"dataset_dir": "{}"}),
    ("gtzan", gtzan, "GTZANDataset", {"dataset_dir": "{}"}),
    *_usages("libri", libri_tts, "LibriTTSDataset", ("dev-clean", "train-clean-100", "all")),
    ("lj_speech", lj_speech, "LJSpeechDataset", {"dataset_dir": "{}"}),
    *_usages("commands", speech_commands, "SpeechCommandsDataset", ("train", "test", "valid", "all")),
    *_usages("tedlium1", tedlium, "TedliumDataset", ("train", "dev", "all"), release="release1"),
    *_usages("tedlium3", tedlium, "TedliumDataset", (None,), release="release3"),
    ("yes_no", yes_no, "YesNoDataset", {"dataset_dir": "{}"}),
]
CASES = [(name, make, kind, {**arguments, "shuffle": False}) for name, make, kind, arguments in CASES]
