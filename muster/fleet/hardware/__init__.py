"""The hardware catalogue: what each EC2 instance type has. One table, `catalogue.csv`; no number of it stands twice.

To add a type: add its row (every column; an unknown number stays empty) with the sources, then run ``make verify``:
the laws in ``tests/fleet/test_hardware.py`` judge the row.

Beside it `offerings.csv`: the zones said to offer each type, indicative (see `muster.fleet.hardware.offerings`).
"""

from muster.fleet.hardware.catalogue import (
    Accelerator,
    Hardware,
    Incomplete,
    UnknownInstance,
    architecture_of,
    hardware,
    instance_types,
)

__all__ = ["Accelerator", "Hardware", "Incomplete", "UnknownInstance", "architecture_of", "hardware", "instance_types"]
