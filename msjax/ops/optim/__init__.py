"""Steps of optimizers as operators."""
