"""Names, order, prefixes and shapes of Parameters and of optimizer states: the keys of every checkpoint."""

import cases_names
import helpers
import pytest

GOLDEN = helpers.golden_json("names")
NAMES = [(group, key) for group, entries in GOLDEN.items() for key in entries]


@pytest.mark.parametrize("group, key", NAMES, ids=[f"{g}:{k}" for g, k in NAMES])
def test_names(group, key):
    want = GOLDEN[group][key]
    describe = cases_names.describe_optimizer if group == "optimizers" else cases_names.describe_net
    build = cases_names.NETS[key] if group == "nets" else lambda: eval(key, cases_names.NAMESPACE)
    found = cases_names.attempt(describe, build)
    if isinstance(want, list):
        assert isinstance(found, list) and found[0] == want[0], f"{found}, MindSpore {want}"
        return
    assert isinstance(found, dict), found
    for part, value in want.items():
        assert found[part] == value, part
