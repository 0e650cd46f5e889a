"""Tracing and compiling: frames over state, `jit`, guards of a trace, staged control flow."""
