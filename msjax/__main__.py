"""`python -m msjax ...`: see `msjax.cli.main`."""

from msjax.cli.main import script_entry

if __name__ == "__main__":
    script_entry()
