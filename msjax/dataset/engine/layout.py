"""Where the columns that an operation takes and makes stand among the others."""

from collections.abc import Sequence

from ..check import check


def arrange(have: list[str], taken: list[int], made: list[str], order: Sequence[str] = ()):
    """Columns after an operation.

    As many outputs as inputs stand where those stood; of columns of one name an output stays. Else the outputs come
    first, and then the columns that were not taken; an output that has the name of one of these is dropped, as in
    MindSpore.

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
        rest = _untaken(have, taken)
        columns = [(name, ("out", i)) for i, name in enumerate(made) if name not in rest]
        columns += [(name, ("in", i)) for name, i in rest.items()]
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


def _untaken(have, taken):
    """dict from name to position of the columns that were not taken."""
    return {name: i for i, name in enumerate(have) if i not in taken}


def names_are_free(have: list[str], taken: list[int], made: list[str]):
    """Checks that no output of per_batch_map has the name of a column that it does not take (RuntimeError)."""
    kept = _untaken(have, taken)
    for name in made:
        check(
            name not in kept,
            f"Invalid output_columns, '{name}' is a column that per_batch_map does not take. Choose another name, or add "
            f"'{name}' to input_columns.",
            RuntimeError,
        )
