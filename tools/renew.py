"""Every generated file of the repository is written anew, by its own command: `python tools/renew.py`.

Run it before a commit that changes a public function, a signature, a golden or a table; what changed is in `git diff`.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
COMMANDS = (
    ("-m", "msjax", "stubs"),
    ("tests/goldens/touched.py",),
    ("-m", "msjax", "matrix"),
    ("tests/trust/security_page.py",),
    ("tools/board.py",),
    ("tools/status_page.py",),
)


def main():
    """Run the commands in their order: the matrix reads what the goldens touch, the page of status reads the others."""
    for command in COMMANDS:
        print("python " + " ".join(command), flush=True)
        subprocess.run([sys.executable, *command], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
