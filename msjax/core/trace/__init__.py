"""Tracing and compiling: frames over state, `jit`, what a trace depends on, staged control flow."""
