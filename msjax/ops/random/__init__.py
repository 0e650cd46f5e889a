"""Random numbers, dropout, sampled classes."""
