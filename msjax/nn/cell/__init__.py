"""Cell, and its services besides computing."""
