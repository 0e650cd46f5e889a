"""Large tables of which a run of the whole suite takes a part, and the commit that says which: the runs of a repository go through all.

A run of files that are named, of `-k`, or with MSJAX_TEST_ALL=1 takes each case.
"""

import functools
import os
import pathlib
import subprocess
import zlib

ROOT = pathlib.Path(__file__).parent.parent

# tests whose cases are alike -> into how many parts they are divided
PARTS = {
    "tests/ops/test_goldens.py::test_golden": 4,
    "tests/ops/test_goldens.py::test_compiled": 4,
    "tests/dataset/test_data_arguments.py::test_arguments_are_taken_and_refused_as_by_mindspore": 3,
    "tests/nn/test_layers_goldens.py::test_layer": 4,
    "tests/nn/test_layers_goldens.py::test_compiled_equals_eager": 3,
    "tests/nn/test_optimizers.py::test_state_goes_through_a_checkpoint": 3,
    "tests/nn/test_optimizer_goldens.py::test_trajectory": 3,
    "tests/nn/test_probability.py::test_samples_have_the_moments": 3,
    "tests/core/test_promotion.py::test_tensor_with_tensor": 3,
    "tests/core/test_promotion.py::test_tensor_with_scalar": 3,
    "tests/core/test_gradient_goldens.py::test_gradient_program": 3,
    "tests/core/test_open_lengths.py::test_lengths_that_share_a_program": 4,
    "tests/core/test_autodiff_goldens.py::test_gradient_form": 2,
    "tests/ops/test_attention_forms.py::test_blocks": 4,
    "tests/ops/test_known_masks.py::test_masks_that_construct_builds": 3,
    "tests/ops/test_stored_attention.py::test_keys_of_8_bits": 3,
    "tests/fuzz/test_samples.py::test_sample": 3,
    "tests/spellings/test_numpy.py::test_as_mindspore": 2,
    "tests/alias/test_script.py::test_same_as_python": 2,
    "tests/alias/test_guest.py::test_64_bits_are_the_same_in_a_hosts_process": 2,
    "tests/companions/test_hyper_parallel.py::test_on_eight_devices": 2,
    "tests/generation/test_encoders.py::test_requests_of_all_sources_give_the_tokens_of_the_network_alone": 2,
    "tests/generation/test_generation.py::test_a_quantised_cache_is_smaller_and_close": 3,
    "tests/generation/test_generation.py::test_a_wrong_cache_is_found_and_left": 2,
    "tests/generation/test_generation.py::test_beam_search_is_that_of_plain_python": 3,
    "tests/generation/test_generation.py::test_every_prompt_length_is_served_by_few_programs": 2,
    "tests/generation/test_generation.py::test_generate_of_an_array_pads_and_stops": 2,
    "tests/generation/test_generation.py::test_requests_of_all_lengths_give_the_tokens_of_the_network_alone": 3,
    "tests/parallel/test_processes.py::test_checkpoints_go_from_each_layout_to_each_other": 2,
    "tests/parallel/test_processes.py::test_divided_over_eight_devices": 3,
    "tests/parallel/test_processes.py::test_equal_stages_are_one_program": 2,
    "tests/parallel/test_processes.py::test_pipeline": 2,
}


@functools.cache
def commit():
    """A number that is the same for all workers of a run and another for another commit; of the sources where there is no git."""
    told = (
        os.environ.get("GITHUB_SHA")
        or subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()
    )
    return int(told, 16) if told else sum(path.stat().st_size for path in (ROOT / "msjax").rglob("*.py"))


def is_whole(config):
    """Whether a run was asked for no files and no names, and not for all cases."""
    return not (config.option.file_or_dir or config.option.keyword or os.environ.get("MSJAX_TEST_ALL"))


def runs(nodeid, number):
    """Whether a case belongs to the part of a commit's number."""
    parts = PARTS.get(nodeid.partition("[")[0], 1)
    return zlib.crc32(nodeid.encode()) % parts == number % parts
