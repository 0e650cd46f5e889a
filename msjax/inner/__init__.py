"""Names of MindSpore's compiler and C++ core that public code imports or sets, and msjax's functions for them; settings
of chips, streams and the runtime. The engine knows none of them.
"""
