"""Names of MindSpore's graph compiler: functions over functions, sequences, environments, loops."""
