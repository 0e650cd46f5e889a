"""Recurrent layers and the fused Primitives made of them."""
