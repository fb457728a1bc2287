"""Builds what rehearsals run, where it is not there yet or no longer as it was built, and says how far it is."""

import sys
import time

from muster.rehearsal.binaries import binaries, missing
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.progress import Progress


def main() -> int:
    """Builds; nothing is said where nothing is missing."""
    lacking, began = missing(thorough=True), time.monotonic()
    if not lacking:
        return 0
    print(f"building {', '.join(lacking)}: 8 to 13 minutes on two cores, once", flush=True)
    try:
        binaries(progress=Progress())
    except RehearsalFault as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print(f"built in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
