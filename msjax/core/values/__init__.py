"""The values of programs: Tensors, Parameters, dtypes, their printing, conversion and initialization."""
