"""The cases of mindspore.dataset.text that are recorded from MindSpore and replayed by tests/dataset/test_text.py.

A case is (operation, keyword arguments, input columns). Values like "@vocab" stand for objects that `resolve` makes,
values like "NormalizeForm.NFC" for members of enumerations.
"""

import random
import sys
from pathlib import Path

import numpy as np
from audio_cases import outcome, title  # noqa: F401

WORDS = [
    "book",
    "cholera",
    "era",
    "favor",
    "##ite",
    "my",
    "is",
    "love",
    "dur",
    "##ing",
    "the",
    "床",
    "前",
    "##b",
    "ab",
    "##c",
    "[UNK]",
    "[CLS]",
    "what",
    "##'",
    "i",
    "'",
    "a",
    "welcome",
    "to",
    "be",
    "##i",
    "##ji",
    "##ng",
    "!",
    ",",
    "cafe",
    "明",
    "月",
]
VECTORS = "ok 0.1 0.2 0.3\n! 1 2 3\nhome 4 5 6\n中 -1e-3 8 9\n"
NGRAMS = (
    "2gram-ab 1 1\n2gram-#BEGIN#a 2 2\n3gram-abc 3 3\n2gram-c#END# 5 5\n4gram-abcd 7 7\n2gram-A 1 1\n"
    "3gram-#BEGIN#ab 4 4\n"
    "2gram-#END# 9 9\n"
)
JIEBA = {
    "今天": 2000,
    "天气": 3000,
    "天": 500,
    "今": 100,
    "气": 80,
    "太好": 40,
    "好": 900,
    "了": 5000,
    "我们": 4000,
    "一起": 700,
    "去": 800,
    "外面": 300,
    "玩": 200,
    "玩吧": 3,
    "吧": 200,
    "男默": 1,
    "明月": 200,
    "明月光": 10,
    "床": 100,
    "前": 300,
    "光": 100,
    "hello": 10,
}


def write_files(folder):
    """Writes the files that operations read; the model of Jieba is random, with the transitions of the real one."""
    folder = Path(folder)
    rng = random.Random(0)
    model = [
        "#start",
        "-0.26 -3.14e+100 -3.14e+100 -1.46",
        "#trans",
        "-3.14e+100 -0.51 -0.916 -3.14e+100",
        "-0.58 -3.14e+100 -3.14e+100 -0.80",
        "-3.14e+100 -0.33 -1.26 -3.14e+100",
        "-0.72 -3.14e+100 -3.14e+100 -0.66",
    ]
    for state in "BEMS":
        model += [
            "#" + state,
            ",".join(
                f"{c}:{-rng.uniform(2, 9):.4f}"
                for c in "今天气太好了我们一起去外面玩吧男默女泪明月光床前你他"
                if rng.random() < 0.9
            ),
        ]
    files = {
        "hmm.utf8": "\n".join(model),
        "dict.utf8": "\n".join(f"{w} {n} n" for w, n in JIEBA.items()),
        "user.txt": "男默女泪 10\n玩玩 \n\nbad x y\n",
        "vectors.txt": VECTORS,
        "headed.vec": "4 3\n" + VECTORS,
        "glove.6B.test.txt": VECTORS,
        "ngrams.txt": NGRAMS,
        "vocab.txt": "apple,apple2\nbanana, 333\n\ncat,00\n dog \n",
        "twice.txt": "a\nb\na\n",
        "uneven.txt": "a 1 2 3\nb 1 2\n",
        "empty.txt": "",
    }
    for name, content in files.items():
        (folder / name).write_text(
            content + "\n" if content and not content.endswith("\n") else content, encoding="utf-8"
        )


def resolve(text, dtypes, folder, value):
    """Turns "@..." and "Owner.MEMBER" into what they stand for, also inside dicts."""
    if isinstance(value, dict):
        return {k: resolve(text, dtypes, folder, v) for k, v in value.items()}
    if isinstance(value, str) and value.startswith("@"):
        kind, _, name = value[1:].partition(":")
        made = {
            "vocab": lambda: text.Vocab.from_list(WORDS),
            "file": lambda: str(Path(folder) / name),
            "dtype": lambda: getattr(dtypes, name),
            "vectors": lambda: text.Vectors.from_file(str(Path(folder) / (name or "vectors.txt"))),
            "fast": lambda: text.FastText.from_file(str(Path(folder) / "headed.vec")),
            "glove": lambda: text.GloVe.from_file(str(Path(folder) / "glove.6B.test.txt"), 2),
            "ngrams": lambda: text.CharNGram.from_file(str(Path(folder) / "ngrams.txt")),
            "split": lambda: str.split,
        }
        return made[kind]()
    if isinstance(value, str) and value.split(".")[0] in ("NormalizeForm", "JiebaMode"):
        owner, member = value.split(".")
        return getattr(getattr(text, owner), member)
    return value


_LINES = [
    "Welcome     To   BeiJing!",
    "床前明月光，疑是 x",
    "[CLS] a[unused12]b[MASK ] [SEP]",
    "Café naïve Å İ ß ﬁ",
    "a\tb\nc\u200bd\xade\x07f",
    "orcid:0000_1 (x)-y",
    "",
    "  ",
    "😀a𠀀b",
    "¡¿«»…— “q”",
    "한국어 テスト",
    "ΑΣ [UNK]X",
]
_PLAIN = [line for line in _LINES if "[" not in line]
_CHINESE = [
    "今天天气太好了我们一起去外面玩吧",
    "床前明月光，疑是地上霜。",
    "男默女泪",
    "你他女泪hello world2 3.14abc，x",
    "",
    "  ",
    "abc123 4.5.6 a1b2",
    "太好了hello今天3",
    "女",
    "我们 去\t玩\n吧",
    "😀今天",
    "去玩玩玩吧泪女他",
]
_OFFSETS = dict(with_offsets=True)
_JIEBA_FILES = dict(hmm_path="@file:hmm.utf8", mp_path="@file:dict.utf8")
_FORMS = [f"NormalizeForm.{form}" for form in ("NONE", "NFC", "NFKC", "NFD", "NFKD")]

CASES = [
    *[
        ("WhitespaceTokenizer", k, [x])
        for k in ({}, _OFFSETS)
        for x in ["  Welcome \u3000 To\u00a0Bei\tJing!\n ", "a\x1cb", *_LINES]
    ],
    *[("UnicodeCharTokenizer", k, [x]) for k in ({}, _OFFSETS) for x in _LINES],
    *[
        ("UnicodeScriptTokenizer", dict(k, keep_whitespace=w), [x])
        for k in ({}, _OFFSETS)
        for w in (True, False)
        for x in [
            "北 京abc 12,3 d.e",
            "Русский text日本語カタカナ",
            "ea\u0301b",
            "a1_2",
            "العربية ไทย עברית हिन्दी",
            *_LINES,
        ]
    ],
    *[
        ("RegexTokenizer", dict(delim_pattern=d, keep_delim_pattern=k, with_offsets=True), [x])
        for d, k in (
            (r"[ |,]", ""),
            (r"[ |,]", r"[,]"),
            ("To", "To"),
            (r"\s+", r"\s+"),
            ("", ""),
            ("x*", ""),
            (r"\p{P}|\s", r"\p{P}"),
            (r"[[:punct:]\s]+", ""),
            (r"\p{Han}", r"\p{Han}"),
            (r"[\p{L}&&[^a-zA-Z]]+", r".*"),
            (r"[a-z--[aeiou]]", ""),
            (r"\x{4E00}|\h+", r"\h+"),
        )
        for x in ("Welcome  |,  To  |,  BeiJing!", "To", "aToTob", ",a,", "一b，北京 é-x")
    ],
    *[
        ("BasicTokenizer", dict(k, with_offsets=True), [x])
        for k in ({}, dict(keep_whitespace=True), *[dict(normalization_form=f) for f in _FORMS])
        for x in _LINES
    ],
    *[
        (
            "BasicTokenizer",
            dict(lower_case=True, preserve_unused_token=False, keep_whitespace=w, with_offsets=True),
            [x],
        )
        for w in (True, False)
        for x in _LINES
    ],
    *[("BasicTokenizer", dict(lower_case=True, with_offsets=True), [x]) for x in _PLAIN],
    ("BasicTokenizer", {}, ["plain words"]),
    *[
        ("BertTokenizer", dict(vocab="@vocab", **k), [x])
        for k in ({}, dict(unknown_token=""), dict(keep_whitespace=True))
        for x in _LINES
    ],
    *[("BertTokenizer", dict(vocab="@vocab", lower_case=True), [x]) for x in _PLAIN],
    ("BertTokenizer", dict(vocab="@vocab", with_offsets=True), ["what is my love , favorite during"]),
    (
        "WordpieceTokenizer",
        dict(vocab="@vocab", with_offsets=True),
        [["my", "favorite", "book", "is", "love", "during", "the", "cholera", "what", "x"]],
    ),
    ("WordpieceTokenizer", dict(vocab="@vocab"), [["what", "your", "favoriteq", "during", "床前", "床"]]),
    ("WordpieceTokenizer", dict(vocab="@vocab", unknown_token="", max_bytes_per_token=4), [["during", "my", "zz"]]),
    ("WordpieceTokenizer", dict(vocab="@vocab", unknown_token="none", suffix_indicator=""), [["abook", "zzz"]]),
    ("WordpieceTokenizer", dict(vocab="@vocab", with_offsets=True), ["during"]),
    ("WordpieceTokenizer", dict(vocab="@vocab"), [["", "my"]]),
    *[
        (
            "WordpieceTokenizer",
            dict(vocab="@vocab", with_offsets=True, **k),
            [["my", "favoritez", "during", "床前", "during", "zz"]],
        )
        for k in (
            {},
            dict(unknown_token=""),
            dict(max_bytes_per_token=4),
            dict(max_bytes_per_token=4, unknown_token="unknownword"),
        )
    ],
    ("BertTokenizer", dict(vocab="@vocab", with_offsets=True), ["the favoritez during x"]),
    *[
        ("JiebaTokenizer", dict(_JIEBA_FILES, mode=f"JiebaMode.{m}", with_offsets=o), [x])
        for m in ("MIX", "MP", "HMM")
        for o in (True, False)
        for x in _CHINESE
    ],
    ("CaseFold", {}, ["Welcome ß İ ΑΣ ﬁ \u00ad ² Ⅷ Ǆ ｆｕｌｌ"]),
    ("CaseFold", {}, [[["AB"], ["Cd"]]]),
    *[("NormalizeUTF8", dict(normalize_form=f), [["ṩ", "ḍ̇", "q̇", "ﬁ", "2⁵", "ẛ", "가"]]) for f in _FORMS],
    *[
        ("RegexReplace", dict(pattern=p, replace=r), [x])
        for p, r, x in (
            ("(a)(b)?", "<$1|$2>", "xabyaz "),
            (r"a+", "[$0]", "baab"),
            ("a", "\\\\b\\n", "a"),
            (r"\p{Han}|[[:punct:]]", "_", "a你b,c"),
            (r"(?<n>\d)\k<n>", "${n}", "a11b12"),
            (r"\Qa.b\E", "", "a.b axb"),
            (r"(\w)(\w)", "$2$1$10", "abcd"),
        )
    ],
    ("RegexReplace", dict(pattern="a", replace="b", replace_all=False), ["aaa"]),
    *[
        ("FilterWikipediaXML", {}, [x])
        for x in (
            "hello WOLD 12",
            "a <b> c",
            "[[Link|Text]] x",
            "&lt;ef&gt;a b",
            "x &amp;nbsp; y &quot;q&quot;",
            "a\n b\n\n c",
            "ABC é 7",
            "Welcome to China",
            "|thumb|30px",
            "1",
        )
    ],
    ("AddToken", dict(token="T"), [["a", "b"]]),
    ("AddToken", dict(token="TOK", begin=False), [[["a", "b"], ["c", "d"]]]),
    ("Lookup", dict(vocab="@vocab"), ["my"]),
    ("Lookup", dict(vocab="@vocab"), [["my", "is"]]),
    *[
        ("Lookup", dict(vocab="@vocab", unknown_token="[UNK]", data_type=f"@dtype:{d}"), [[["my", "zzz"]]])
        for d in ("int32", "int64", "uint16", "float32", "bool_")
    ],
    ("Ngram", dict(n=2), [["a", "b", "c"]]),
    ("Ngram", dict(n=[1, 2, 3], left_pad=("_", 2), right_pad=("$", 1), separator="-"), [["a", "b", "c"]]),
    ("Ngram", dict(n=4), [["a"]]),
    ("Ngram", dict(n=[2, 5]), [["a", "b"]]),
    ("Ngram", dict(n=3, left_pad=("l", 5), right_pad=("r", 5)), [["a", "b"]]),
    ("SlidingWindow", dict(width=3), [[1, 2, 3, 4, 5]]),
    ("SlidingWindow", dict(width=2, axis=-1), [["a", "bb", "c"]]),
    ("SlidingWindow", dict(width=6), [[1, 2]]),
    *[
        ("ToNumber", dict(data_type=f"@dtype:{d}"), [["1", " 2", "3abc", "+4", "5.7"]])
        for d in (
            "int8",
            "uint8",
            "int16",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "float32",
            "float64",
        )
    ],
    ("ToNumber", dict(data_type="@dtype:float64"), [["-1.5e3", "0x10", "nan", ".5"]]),
    ("ToNumber", dict(data_type="@dtype:int32"), ["-12"]),
    *[
        ("ToVectors", dict(vectors=v, **k), [x])
        for v in ("@vectors", "@fast", "@glove")
        for k in ({}, dict(unk_init=[-1, -1, -1]))
        for x in (["ok", "zz", "!"], "home", [["ok", "中"]])
    ],
    ("ToVectors", dict(vectors="@vectors", lower_case_backup=True), [["HOME", "ok"]]),
    ("ToVectors", dict(vectors="@ngrams"), [["abc", "ab", "a", "zz", "", "ABC"]]),
    ("ToVectors", dict(vectors="@ngrams", unk_init=[-1, -1], lower_case_backup=True), [["ABC", "zz", "abc"]]),
    ("Truncate", dict(max_seq_len=2), [["a", "b", "ccc"]]),
    ("Truncate", dict(max_seq_len=5), [[1, 2, 3]]),
    ("Truncate", dict(max_seq_len=2), [[["a", "b", "c"], ["d", "e", "f"]]]),
    ("Truncate", dict(max_seq_len=1), [[True, False]]),
    *[
        ("TruncateSequencePair", dict(max_length=n), [a, b])
        for n in range(9)
        for a, b in (([1, 2, 3, 4], [4, 5, 6, 7]), ([1, 2, 3], [4, 5]), (["a"], ["b", "c", "d"]))
    ],
]

# columns with which each operation is called in the battery of wrong inputs
ODD_INPUTS = {
    "int": 1,
    "ints": [1, 2],
    "string": "my",
    "strings": ["my", "is"],
    "rows": [["my", "is"], ["a", "b"]],
    "deep": [[["my"]]],
    "floats": [1.5],
    "bytes": np.array([b"my"]),
}
VALID = {
    "AddToken": dict(token="T"),
    "BasicTokenizer": {},
    "BertTokenizer": dict(vocab="@vocab"),
    "CaseFold": {},
    "FilterWikipediaXML": {},
    "JiebaTokenizer": _JIEBA_FILES,
    "Lookup": dict(vocab="@vocab"),
    "Ngram": dict(n=2),
    "NormalizeUTF8": {},
    "PythonTokenizer": dict(tokenizer="@split"),
    "RegexReplace": dict(pattern="a", replace="a"),
    "RegexTokenizer": dict(delim_pattern=" "),
    "SlidingWindow": dict(width=2),
    "ToNumber": dict(data_type="@dtype:int32"),
    "ToVectors": dict(vectors="@vectors"),
    "Truncate": dict(max_seq_len=1),
    "TruncateSequencePair": dict(max_length=2),
    "UnicodeCharTokenizer": {},
    "UnicodeScriptTokenizer": {},
    "WhitespaceTokenizer": {},
    "WordpieceTokenizer": dict(vocab="@vocab"),
}

# calls that raise, or return plain Python values: (name, expression over `text` and `file`)
EXPRESSIONS = [
    *[
        f"vocab({arguments})"
        for arguments in (
            "'text'",
            "['text', 'more']",
            "",
            "'text', (2, None)",
            "'text', (1, 2)",
            "'text', None, 2, ['<p>'], True",
            "'text', None, 2, ['<p>'], False",
            "'text', None, 2, ['c']",
            "'num'",
            "'none'",
            "'text', None, 100",
            "'text', (3, 1)",
            "'text', [1, 2]",
            "'text', (1, 2, 3)",
            "'text', ('a', 2)",
            "'text', (-1, 2)",
            "'text', (-1, None)",
            "'text', None, 0",
            "'text', None, 1.5",
            "1",
        )
    ],
    *[
        f"cut({mode!r}, [('男默女泪', {freq}), ('玩玩', {freq}), ('女', {freq})], '{line}')"
        for mode in ("MIX", "MP", "HMM")
        for freq in (None, 0, 10, 100000)
        for line in ("男默女泪今天", "去玩玩玩吧泪女他", "他女泪")
    ],
    "cut('MIX', {'男默女泪': 10, '天天': 3}, '今天天气男默女泪')",
    "cut('MP', 'user.txt', '今天天气男默女泪玩玩泪女')",
    "cut('MP', 'none.txt', '今天')",
    "cut('MP', 1, '今天')",
    "cut('MP', [(None,)], '今天')",
    "cut('MP', [('a', -1)], '今天')",
    "cut('MP', [('a', 'b')], '今天')",
    "sorted(text.Vocab.from_list(['w1', 'w2'], ['<unk>'], True).vocab().items())",
    "text.Vocab.from_list(['a', 'b'], ['x'], False).tokens_to_ids(['x', 'q'])",
    "text.Vocab.from_list(['a', 'b']).tokens_to_ids('b')",
    "text.Vocab.from_list(['a', 'b']).tokens_to_ids([])",
    "text.Vocab.from_list(['a', 'b']).ids_to_tokens([1, 7])",
    "text.Vocab.from_list(['a', 'b']).ids_to_tokens(1)",
    "text.Vocab.from_list(['a', 'b']).ids_to_tokens(-1)",
    "text.Vocab.from_list(['a', 'b']).ids_to_tokens('a')",
    "text.Vocab.from_list(['a', 'b']).tokens_to_ids(1)",
    "text.Vocab.from_list(['a', 'a'])",
    "text.Vocab.from_list(['a'], ['a'])",
    "text.Vocab.from_list('a')",
    "text.Vocab.from_list(['a'], 'b')",
    "text.Vocab.from_list(['a'], ['b'], 1)",
    "text.Vocab().vocab()",
    "sorted(text.Vocab.from_dict({'a': 3, 'b': 5}).vocab().items())",
    "text.Vocab.from_dict({'a': -1})",
    "text.Vocab.from_dict({1: 1})",
    "text.Vocab.from_dict({'a': 'b'})",
    "text.Vocab.from_dict([1])",
    *[
        f"sorted(text.Vocab.from_file(file('vocab.txt'), {a}).vocab().items())"
        for a in ("',', None, ['<pad>', '<unk>'], True", "''", "',', 2, ['<pad>'], False", "',', 100")
    ],
    "text.Vocab.from_file(file('twice.txt'))",
    "text.Vocab.from_file(file('none.txt'))",
    "text.Vocab.from_file(file('vocab.txt'), ',', 0)",
    "text.Vocab.from_file(file('vocab.txt'), 1)",
    "text.Vocab.from_file(1)",
    "text.Vocab.from_file(file('vocab.txt'), ',', 2, ['apple'])",
    "text.Vectors.from_file(file('uneven.txt'))",
    "text.Vectors.from_file(file('empty.txt'))",
    "text.Vectors.from_file(file('none.txt'))",
    "text.Vectors.from_file(file('vectors.txt'), -1)",
    "text.Vectors.from_file(file('vectors.txt'), 'a')",
    "text.Vectors.from_file(1)",
    "text.GloVe.from_file(file('vectors.txt'))",
    "text.FastText.from_file(file('vectors.txt'))",
    "text.Lookup(text.Vocab())",
    "text.Lookup(text.Vocab.from_list(['a']))('b')",
    "text.Lookup(text.Vocab.from_list(['a']), 'no')('b')",
    *[
        f"text.ToNumber({d})('{x}')"
        for d in ("int8", "uint8", "uint64", "float16", "float64")
        for x in ("-1", "300", "abc", "", "inf", "70000", "1e400", "99999999999999999999")
    ],
    "text.ToVectors(text.Vectors.from_file(file('vectors.txt')), [1])('b')",
    "text.RegexReplace('(a', '')('b')",
    "text.RegexTokenizer('[a')('b')",
    "text.RegexReplace('a', '$')('a')",
    "text.SlidingWindow(2, 1)([1, 2])",
    "text.TruncateSequencePair(-1)([1], [2])",
    "text.TruncateSequencePair(2)([1])",
    "text.JiebaTokenizer('/none', file('dict.utf8'))",
    "text.to_bytes('a')",
    "text.to_str(b'a')",
    "text.PythonTokenizer(lambda s: 1 / 0)(np.array('a'))",
    "sorted((m.name, m.value) for e in (text.JiebaMode, text.NormalizeForm, text.SentencePieceModel, "
    "text.SPieceTokenizerOutType, text.SPieceTokenizerLoadType) for m in e)",
    "text.Ngram(0)",
    "text.Ngram([])",
    "text.Ngram([1, 'a'])",
    "text.Ngram(1, ('a', -1))",
    "text.Ngram(1, 'a')",
]


def evaluate(text, dtypes, folder, expression):
    """The value of an expression, or the name of the exception it raises; `ds` is the package of `text`."""

    def corpus():
        columns = dict(
            text=["b", "a", "b", "c", "c", "c", "d"],
            num=[1, 2, 3, 4, 5, 6, 7],
            more=["x", "y", "x", "x", "q", "a", "b"],
        )
        return sys.modules[text.__name__.rpartition(".")[0]].NumpySlicesDataset(columns, shuffle=False)

    def vocab(*arguments):
        return sorted(text.Vocab.from_dataset(corpus(), *arguments).vocab().items(), key=lambda item: item[1])

    def cut(mode, words, line):
        tokenizer = text.JiebaTokenizer(
            str(Path(folder) / "hmm.utf8"), str(Path(folder) / "dict.utf8"), text.JiebaMode[mode]
        )
        for word in words if isinstance(words, list) else ():
            tokenizer.add_word(*word)
        if not isinstance(words, list):
            tokenizer.add_dict(str(Path(folder) / words) if isinstance(words, str) else words)
        return tokenizer(line).tolist()

    names = dict(
        text=text,
        np=np,
        vocab=vocab,
        cut=cut,
        file=lambda name: str(Path(folder) / name),
        **{d: getattr(dtypes, d) for d in ("int8", "uint8", "uint64", "float16", "float64")},
    )
    try:
        value = eval(expression, names)
    except Exception as error:
        return type(error).__name__
    return plain(value)


def plain(value):
    """An array as [dtype, nested lists], so that it can be written as JSON; nan as a word."""
    if isinstance(value, np.ndarray):
        kind = "U" if value.dtype.kind == "U" else str(value.dtype)
        return [
            kind,
            list(value.shape),
            ["nan" if isinstance(x, float) and x != x else x for x in value.ravel().tolist()],
        ]
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value if isinstance(value, (int, float, str, bool, type(None))) else "ok"
