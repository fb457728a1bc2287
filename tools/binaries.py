"""Builds the programs of rehearsals, and Pulumi's CLI for the tests, where they are missing or outdated."""

import sys
import time
from pathlib import Path

from muster.rehearsal.kubernetes.binaries import NAMES, build_binary, pinned_binary
from muster.rehearsal.machine_limits import Progress, RehearsalError

PULUMI = pinned_binary("pulumi", Path(__file__).with_name("programs"))
"""The CLI with the engine. No registry has the language hosts and plugins that belong to it."""


def main() -> int:
    """Builds the programs. Prints nothing if none is missing."""
    every = (*(pinned_binary(name) for name in NAMES), PULUMI)
    lacking, began = [each for each in every if not each.path.is_file()], time.monotonic()
    if not lacking:
        return 0
    print(f"building {', '.join(each.name for each in lacking)}. It takes minutes, once.", flush=True)
    try:
        for each in lacking:
            build_binary(each, Progress())
    except RehearsalError as fault:
        print(f"error: {fault}", file=sys.stderr)  # noqa: TID251
        return 1
    print(f"built in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
