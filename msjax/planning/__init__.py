"""A plan is a compilation: what a step needs, does and takes on chips that need not be there, and what is wrong with it."""
