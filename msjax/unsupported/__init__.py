"""MindSpore names that are refused, with the reason and the alternative."""
