"""What a program computes with: Tensors, Parameters, dtypes, and how they print, convert and begin."""
