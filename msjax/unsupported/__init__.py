"""What is refused, with the reason and what to use instead."""
