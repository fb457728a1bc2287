"""Downloads or builds the programs of rehearsals, and builds Pulumi's CLI for the tests, where they are missing."""

import sys
import time
from pathlib import Path

from muster.rehearsal.kubernetes.binaries import build_binary, find_binaries, missing_binaries, pinned_binary
from muster.rehearsal.machine_limits import Progress, RehearsalError

PULUMI = pinned_binary("pulumi", Path(__file__).with_name("programs"))
"""The CLI with the engine. No registry has the language hosts and plugins that belong to it."""


def main() -> int:
    """Downloads or builds the programs. Prints nothing if none is missing."""
    began = time.monotonic()
    if not missing_binaries() and PULUMI.path.is_file():
        return 0
    try:
        find_binaries(progress=Progress())
        build_binary(PULUMI, Progress())
    except RehearsalError as fault:
        print(f"error: {fault}", file=sys.stderr)  # noqa: TID251
        return 1
    print(f"done in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
