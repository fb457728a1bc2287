"""`python -m muster.cli`: the command where its script is not on PATH."""

import sys

from muster.cli.main import main

sys.exit(main())
