"""``python -m recall_lab`` is the command ``recall-lab``."""

import sys

from recall_lab.cli import main

if __name__ == "__main__":
    sys.exit(main())
