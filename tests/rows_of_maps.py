"""Helper of the tests of random operations."""

import numpy as np

import msjax.dataset as ds


def in_a_map(operation, count, value):
    """The results of `count` rows of a map with one worker, whose numbers go on from row to row; calls begin anew with the seed each time."""
    rows = ds.GeneratorDataset([(np.array(i),) for i in range(count)], ["i"], shuffle=False)
    mapped = rows.map([lambda i: value, operation, np.asarray], "i", num_parallel_workers=1)
    return [row[0] for row in mapped.create_tuple_iterator(num_epochs=1, output_numpy=True)]
