"""Gradients as operators: `grad`, `GradOperation`, `vjp`, hooks, higher derivatives."""
