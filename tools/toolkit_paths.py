"""Where the results of a toolkit's case are."""


def path_of(folder, name, end):
    """The file of a case."""
    return folder / f"{name.replace(' ', '_')}.{end}"


def result_end(backend, mode, *options):
    """How the name of a result ends."""
    return "-".join((backend, mode, *options)) + ".npz"
