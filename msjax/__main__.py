"""`python -m msjax ...`: see `msjax.cli`."""

import sys

from msjax.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
