"""Builds the programs of rehearsals that are missing or outdated, and prints its progress."""

import sys
import time

from muster.rehearsal.kubernetes.binaries import find_binaries, missing_binaries
from muster.rehearsal.machine_limits import Progress, RehearsalError


def main() -> int:
    """Builds the programs. Prints nothing if none is missing."""
    lacking, began = missing_binaries(), time.monotonic()
    if not lacking:
        return 0
    takes = (
        "Once, on two cores, this takes 2 to 4 minutes for each operator, 5 for Volcano, 7 for Kueue, and 8 to 13 for "
        "the others."
    )
    print(f"building {', '.join(lacking)}. {takes}", flush=True)
    try:
        find_binaries(progress=Progress())
    except RehearsalError as fault:
        print(f"error: {fault}", file=sys.stderr)  # noqa: TID251
        return 1
    print(f"built in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
