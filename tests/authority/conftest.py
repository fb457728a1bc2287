"""AWS's own package judges here: `make setup` installs it. Where it is not, that is said loudly."""

import pytest

from muster.authority.installation import NotInstalled
from muster.authority.worker_process import Worker, worker

try:
    worker()
    WHY_SKIPPED = ""
except NotInstalled as cause:
    WHY_SKIPPED = str(cause)


@pytest.fixture
def aws() -> Worker:
    """The process that AWS's package runs in."""
    if WHY_SKIPPED:
        pytest.skip(WHY_SKIPPED)
    return worker()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says once more, at the end of the run, that AWS was never asked."""
    if WHY_SKIPPED:
        terminalreporter.write_sep("!", f"AWS'S PACKAGE WAS NOT ASKED: {WHY_SKIPPED}", yellow=True, bold=True)
