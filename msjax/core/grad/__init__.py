"""Gradients: the tape of eager code, `jax.vjp` over frames, transforms, the user's own backwards."""
