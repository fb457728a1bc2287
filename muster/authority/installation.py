"""Where AWS's package is installed."""

import os
from functools import cache
from pathlib import Path

import muster
from muster.versions import PARALLELCLUSTER

PACKAGE = "aws-parallelcluster"

VARIABLE = "MUSTER_PARALLELCLUSTER"
"""Names a Python that has the package and moto, where that of `make setup` is not to be used or there is none: beside a
Muster that pip installed there is no Makefile."""

_FOLDER = ".venv-parallelcluster"


class NotInstalled(Exception):
    """It is not installed; the message states what installs it."""


def package_python() -> Path:
    """The Python interpreter whose environment has the package.

    Raises:
        NotInstalled: there is none, or the one that is named is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NotInstalled(f"{VARIABLE} names {named}, where there is no Python; name one that has {PACKAGE}")
        return Path(named)
    found = checkout_root() / _FOLDER / "bin" / "python"
    if not found.exists():
        raise NotInstalled(f"AWS's own package, {PACKAGE} {PARALLELCLUSTER}, is not installed; {installation_remedy()}")
    return found


def installation_remedy() -> str:
    """What brings it: a Python that is named is used before that of `make setup`."""
    if os.environ.get(VARIABLE):
        return f"name another in {VARIABLE}, or unset it and run `make setup` in Muster's checkout"
    return f"run `make setup` in Muster's checkout, or name a Python that has it and moto in {VARIABLE}"


@cache
def muster_package() -> Path:
    """This `muster`: in a checkout, or among the packages that were installed with it."""
    return Path(muster.__file__).resolve().parent


def checkout_root() -> Path:
    """The folder that it is in: the checkout's, if it is one."""
    return muster_package().parent
