"""Where the columns that an operation takes and makes stand among the others."""

from collections.abc import Sequence

from ..check import check


def arrange(have: list[str], taken: list[int], made: list[str], order: Sequence[str] = ()):
    """Columns after an operation.

    As many outputs as inputs stand where those stood; else they come first, and then the columns that were not taken.
    Of columns of one name an output stays.

    Args:
        have (list[str]): columns before.
        taken (list[int]): positions of the inputs.
        made (list[str]): names of the outputs.
        order (list[str]): which columns to keep, in this order; empty: all, as they are.

    Returns:
        dict from name to ("out", position among the outputs) or ("in", position among `have`).

    Raises:
        RuntimeError: `order` names a column that does not exist.
    """
    if len(made) == len(taken):
        columns = [
            (made[taken.index(i)], ("out", taken.index(i))) if i in taken else (name, ("in", i))
            for i, name in enumerate(have)
        ]
    else:
        columns = [(name, ("out", i)) for i, name in enumerate(made)]
        columns += [(name, ("in", i)) for i, name in enumerate(have) if i not in taken]
    arranged = {}
    for name, source in columns:
        if arranged.get(name, ("in",))[0] == "in":
            arranged[name] = source
    for name in order:
        check(
            name in arranged,
            f"Invalid column, column name: {name} does not exist, the columns are {list(arranged)}.",
            RuntimeError,
        )
    return {name: arranged[name] for name in order} if order else arranged
