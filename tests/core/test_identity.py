"""Tables by identity: equal objects are two, and an entry goes with its object."""

import gc
import weakref

import jax.numpy as jnp

from msjax.core.identity import ByIdentity


def test_equal_objects_are_two():
    table, one, other = ByIdentity(), jnp.ones(2), jnp.ones(2)
    table[one] = "one"
    assert table.get(one) == "one" and table.get(other) is None and one in table and other not in table
    table.discard(other)
    assert len(table) == 1
    table.discard(one)
    assert one not in table and not table


def test_an_entry_goes_with_its_object():
    class Box:
        pass

    table, box, kept = ByIdentity(), Box(), Box()
    told = weakref.ref(kept)
    table[box] = kept
    del kept, box
    gc.collect()
    assert len(table) == 0 and told() is None


def test_an_object_that_is_entered_again_has_its_last_value():
    table, array = ByIdentity(), jnp.ones(2)
    table[array] = 1
    table[array] = 2
    gc.collect()
    assert table.get(array) == 2 and len(table) == 1
