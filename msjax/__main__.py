"""`python -m msjax ...`: see `msjax.cli`."""

from msjax.cli import script_entry

if __name__ == "__main__":
    script_entry()
