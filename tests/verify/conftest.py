"""A real API server with planned nodes on it: the rehearsal's."""

from tests.cli.conftest import muster
from tests.rehearsal.conftest import plane, world

__all__ = ["muster", "plane", "world"]
