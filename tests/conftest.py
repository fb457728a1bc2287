"""No law fails because a machine is slow; and a gate that nobody watches tries the same examples each time.

On people's machines every run looks at other examples: there a counterexample is met by somebody who can mend it.
"""

import gc
import os
from functools import cache

import pytest
from hypothesis import HealthCheck, settings
from pulumi.runtime import resource
from pulumi.runtime.proto import source_pb2

from muster import secret_texts
from muster.rehearsal.kubernetes.binaries import missing_binaries
from tests.rehearsal.shared_plane import kueue_plane, plane, shared_plane

__all__ = ["kueue_plane", "plane", "shared_plane"]

# To draw a whole cluster is slow, and large.
_ALL_BUT_FIXTURES = [each for each in HealthCheck if each is not HealthCheck.function_scoped_fixture]
settings.register_profile(
    "muster", deadline=None, suppress_health_check=_ALL_BUT_FIXTURES, derandomize="CI" in os.environ
)
settings.load_profile("muster")

# The SDK sends the Python stack of each resource to the engine. Below pytest's frames that takes a third of a plan's
# time, and few tests read it.
REAL_STACK_TRACE = resource._get_stack_trace
setattr(resource, "_get_stack_trace", source_pb2.StackTrace)  # noqa: B010 - mypy knows no such attribute

# What is imported lives as long as the process: the garbage collector need not go through it again and again.
gc.disable()


def pytest_collection_finish() -> None:
    """Starts the garbage collector for what the tests themselves make."""
    gc.freeze()
    gc.enable()


@cache
def _not_built() -> str:
    """Why tests of rehearsals cannot run. Empty if they can."""
    return f"not built: {', '.join(names)}. `make binaries` builds them" if (names := missing_binaries()) else ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips tests of rehearsals on a machine without the programs."""
    secret_texts.forget()
    if item.get_closest_marker("rehearsal") and _not_built():
        pytest.skip(_not_built())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in one line that no rehearsal was tested."""
    if _not_built():
        terminalreporter.write_sep("!", f"REHEARSALS SKIPPED, {_not_built()}", yellow=True, bold=True)
