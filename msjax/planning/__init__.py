"""A plan is a compilation for chips that need not be present: memory, operations and time of a step, and its problems."""
