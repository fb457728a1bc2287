"""The stack that the examples read, planned once; and a loud word where a consumer could not be tried."""

from datetime import date

import pytest

from muster.offline.plan import Plan, plan_stack
from muster.stack.project import open_stack
from tests.stack_files import AS_OF, ROOT


@pytest.fixture(scope="session")
def planned() -> Plan:
    """p5-odcr."""
    return plan_stack(open_stack(ROOT, "p5-odcr"), date.fromisoformat(AS_OF))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says once more, at the end of the run, what was not tried."""
    skipped = terminalreporter.stats.get("skipped", ())
    why = {
        each.longrepr[2] for each in skipped if "tests/examples/" in each.nodeid and isinstance(each.longrepr, tuple)
    }
    for reason in sorted(why):
        terminalreporter.write_sep("!", f"NOT TRIED: {reason}", yellow=True, bold=True)
