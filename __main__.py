"""What `pulumi up` runs. The program is in the package: `muster/program.py`."""

from muster.program import run

run()
