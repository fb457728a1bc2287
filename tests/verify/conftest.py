"""`muster`, as the command line's tests run it."""

from tests.cli.conftest import muster

__all__ = ["muster"]
