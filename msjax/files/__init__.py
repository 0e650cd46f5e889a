"""Reading files that a stranger may have sent: pickles of plain data, archives with a bound. Imports nothing of the package."""
