"""Attention in its forms, its caches, and the routing of experts."""
