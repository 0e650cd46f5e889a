"""Linear algebra: products, decompositions, diagonals, norms and distances."""
