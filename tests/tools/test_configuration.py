"""Keys of MindFormers' configuration files that change nothing here are told with their lines when a script starts."""

import msjax.cli.main as command
from msjax.cli import configuration

TEXT = """\
seed: 42
trainer:
  type: CausalLanguageModelingTrainer
optimizer:
  type: AdamW
  swap: True
context:
  mode: 0
  max_device_memory: "58GB"  # of the device
  save_graphs: False
  ascend_config:
    precision_mode: "must_keep_origin_dtype"
  jit_config:
    jit_level: "O1"
parallel:
  parallel_mode: 1
  enable_alltoall: False
  full_batch: True
parallel_config:
  model_parallel: 4
  gradient_aggregation_group: 4
recompute_config:
  recompute: True
  mp_comm_recompute: True
"""


def test_keys_and_lines():
    found = [f"{line} {section}.{key}" for line, section, key, _ in configuration.unserved(TEXT)]
    assert found == [
        "6 optimizer.swap",
        "9 context.max_device_memory",
        "11 context.ascend_config",
        "14 context.jit_config.jit_level",
        "21 parallel_config.gradient_aggregation_group",
        "24 recompute_config.mp_comm_recompute",
    ]


def test_they_are_told_when_a_script_starts(tmp_path, monkeypatch, capsys):
    file, other = tmp_path / "run.yaml", tmp_path / "other.yaml"
    file.write_text(TEXT)
    other.write_text("context:\n  max_device_memory: 1GB\n")
    monkeypatch.setattr(command.script, "run_file", lambda path, arguments: None)
    command.main(["train.py", f"--config={file}", "--extra", str(other)])
    told = capsys.readouterr().err
    assert f"keys of {file} that change nothing here" in told and "line 6: optimizer.swap: state stays" in told
    assert str(other) not in told  # no configuration of MindFormers
