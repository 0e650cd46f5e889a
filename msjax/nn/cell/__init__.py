"""Cell, and what it offers besides computing."""
