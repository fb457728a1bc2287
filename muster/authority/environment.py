"""Where AWS's package is installed."""

import os
from functools import cache
from pathlib import Path

import muster
from muster.versions import PARALLELCLUSTER

PACKAGE = "aws-parallelcluster"

VARIABLE = "MUSTER_PARALLELCLUSTER"
"""Names a Python that has the package and moto, where that of `make setup` is not to be used."""

_FOLDER = ".venv-parallelcluster"


class NotInstalled(Exception):
    """It is not here; the message says what would install it."""


def python() -> Path:
    """The Python that has it.

    Raises:
        NotInstalled: there is none, or the one that is named is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NotInstalled(f"{VARIABLE} names {named}, where there is no Python; name one that has {PACKAGE}")
        return Path(named)
    found = root() / _FOLDER / "bin" / "python"
    if not found.exists():
        raise NotInstalled(f"AWS's own package, {PACKAGE} {PARALLELCLUSTER}, is not installed; run `make setup`")
    return found


@cache
def root() -> Path:
    """The folder that this `muster` is in: the checkout's."""
    return Path(muster.__file__).parents[1]
