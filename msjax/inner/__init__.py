"""Names that belong to MindSpore's own compiler and C++ core, and that public code imports or sets: what serves each here. The engine knows none of them."""
