"""A real API server with planned nodes on it: the rehearsal's."""

from tests.cli.conftest import muster
from tests.rehearsal.conftest import built, plane, world

__all__ = ["built", "muster", "plane", "world"]
