"""What arguments of datasets and transforms may be, as annotations: `core.spec.checking` compares arguments with them.

MindSpore keeps whole numbers within 32 bits, and others within the integers that a float32 holds exactly.
"""

import os
from typing import Annotated, Literal, TypeAlias

from ..core.spec.rules import Length, That, Within

INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1
FLOAT32_EXACT = 2**24

Int32 = Annotated[int, Within("[-2147483648, 2147483647]")]
UInt32 = Annotated[int, Within("[0, 4294967295]")]
PositiveInt32 = Annotated[int, Within("[1, 2147483647]")]
NumSamples = Annotated[int, Within("[0, 9223372036854775807]")]
NaturalInt32 = Annotated[int, Within("[0, 2147483647]")]
Real32 = Annotated[int | float, Within("[-16777216, 16777216]")]
PositiveReal32 = Annotated[int | float, Within("(0, 16777216]")]
NonNegativeReal32 = Annotated[int | float, Within("[0, 16777216]")]
NOT_ZERO = That("except 0", lambda value: value != 0)
NonzeroInt32 = Annotated[int, Within("[-2147483648, 2147483647]"), NOT_ZERO]
Byte = Annotated[int, Within("[0, 255]")]
Probability = Annotated[int | float, Within("[0, 1]")]
NOT_NONE = That("given", lambda value: value is not None)
RISING = That("in rising order", lambda values: values[0] <= values[1])

ColumnName = Annotated[str, That("that is not empty", len)]
Columns: TypeAlias = (
    ColumnName
    | Annotated[
        list[ColumnName], Length(at_least=1), That("without repetition", lambda names: len({*names}) == len(names))
    ]
)

Folder: TypeAlias = Annotated[
    str,
    That("naming a folder that exists and can be read", lambda path: os.path.isdir(path) and os.access(path, os.R_OK)),
]
ReadableFile: TypeAlias = Annotated[
    str,
    That("naming a file that exists and can be read", lambda path: os.path.isfile(path) and os.access(path, os.R_OK)),
]
Existing: TypeAlias = Annotated[str, That("naming a file that is there", os.path.exists)]

# of a graph that a server holds
WorkingMode = Literal["local", "client", "server"]
Port = Annotated[int, Within("[1024, 65535]")]
ClientCount = Annotated[int, Within("[1, 255]")]
# megabytes of a row, of what goes to processes and of what comes back
RowSize = int | Annotated[list[int], That("of 2 items", lambda sizes: len(sizes) == 2, is_type=True)]
