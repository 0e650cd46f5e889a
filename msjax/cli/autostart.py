"""`python -m msjax autostart`: `MSJAX=1 python train.py` then runs under msjax, without another word."""

import argparse

from msjax.alias import children


def main(argv: list[str] | None):
    """Write, or with `--remove` take away, the .pth file in this Python's site-packages."""
    parser = argparse.ArgumentParser(prog="msjax autostart", description=__doc__)
    parser.add_argument("--remove", action="store_true", help="take it away again")
    given = parser.parse_args(argv)
    if given.remove:
        children.autostart_file().unlink(missing_ok=True)
        return 0
    print(f"wrote {children.write_autostart()}: MSJAX=1 python train.py")
    return 0
