"""Rows of the table of deviations about datasets and their transforms."""

ROWS = (
    (
        "MindDataset in later epochs: Shuffle.FILES with files of unlike lengths; num_samples without shards, RandomSampler with num_samples or replacement",
        "rows of one file come apart; only the rows of the first epoch come again, ever fewer of them with replacement",
        "Whole files; rows are drawn from all. Orders are else those of MindSpore for a seed.",
    ),
    (
        "MindDataset.get_dataset_size with num_padded and num_samples or a sampler that draws fewer rows",
        "num_padded more than rows come, or with shards the rows of the whole shard",
        "The number of rows that come.",
    ),
    (
        "CSVDataset: a byte order mark; a quote within a field that begins with none",
        "a part of the first name; begins a quoted text",
        "Left out; a character as others.",
    ),
    (
        "FakeImageDataset",
        "pixels are the bytes of a few float64 numbers, most of them 0",
        "Each pixel is drawn, with other numbers and labels.",
    ),
    ("vision.NormalizePad of HWC images", "scrambled", "As documented."),
    ("vision.Rotate, RandomRotation: fill_value", "in BGR order", "In RGB order."),
    ("vision.AdjustGamma of float images", "the gain counts twice", "Once."),
    ("vision.AdjustHue of float images", "taken for bytes", "In [0, 1]."),
    ("vision.AutoAugment, RandAugment, TrivialAugmentWide: translations", "black images", "Translated."),
    (
        "dataset: random numbers of Python's operations and functions where several threads run them",
        "those of the process's generators, in the order in which the threads come",
        "Operations: numbers of the row, the same in each run. Functions that draw: one thread.",
    ),
    (
        "LSUNDataset: usage all",
        "a class has one label for its training and another for its validation images",
        "One label a class.",
    ),
    ("vision.RandomAffine of Pillow images", "ignores the fill value", "Uses it."),
    (
        "batch with a per_batch_map that gives more or fewer columns than it takes",
        "the columns that it does not take follow in the order of a hash table",
        "They keep their order.",
    ),
    (
        "audio.AmplitudeToDB, Spectrogram(power=0), InverseSpectrogram(pad)",
        "ignore or lose an argument",
        "As documented.",
    ),
    ("transforms.OneHot with `smoothing_rate`, of several labels", "smooths the last of them alone", "Smooths each."),
    (
        "transforms.PadEnd with None for an axis, Slice without an end, Fill of float16, Unique of bool",
        "raise RuntimeError, though they are documented or harmless",
        "Computed.",
    ),
    ("audio.MelSpectrogram of float64", "reads other memory", "Computed."),
    ("audio.InverseSpectrogram of float16 or integers", "reads other memory", "Computed."),
    (
        "audio.DetectPitchFrequency: `freq_low`, `freq_high` of float",
        "raises TypeError when it is called",
        "Computed: the documents allow them.",
    ),
    ("audio.GriffinLim: length of more or fewer frames", "reads other memory", "Cut or filled at the end."),
    ("audio.Vad", "never triggers on CPU", "As documented."),
    ("text.RegexReplace, FilterWikipediaXML of string arrays", "mix the strings up", "Each by itself."),
    (
        "CoNLL2000Dataset, UDPOSDataset: words after the last empty line of a file; lines that end with a carriage return, or have two words",
        "left out in silence; the process crashes; get_dataset_size counts words",
        "Left out, as there, with a warning; read; RuntimeError that names the line. get_dataset_size counts sentences.",
    ),
    (
        "text.BasicTokenizer, BertTokenizer(lower_case=True): a text that begins with an unused token",
        "has it twice",
        "Once.",
    ),
    (
        "text.to_str of an array of str",
        "AttributeError",
        "The array: pipelines of 1.x gave bytes, and scripts print `text.to_str(row)`.",
    ),
    (
        "dataset: more workers than cores; DatasetCache",
        "ValueError; a cache server",
        "Allowed; accepted, caches nothing.",
    ),
    ("sources over several files, num_shards", "the rows of a shard mixed by worker", "File after file."),
)
