"""A command imports what it uses: this is most of the time that short commands take."""

import json
import subprocess
import sys
from functools import cache

import pytest

from muster.cli.command_loading import HELP_LINES, load
from tests.stack_files import ROOT

_IMPORTS = """
import json, sys
from muster.cli.main import main
for command in sys.argv[1:]:
    main(command.split())
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@cache
def imported(*commands: str) -> frozenset[str]:
    """The modules that commands import."""
    command = [sys.executable, "-c", _IMPORTS, *commands]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("commands", "unused"),
    [
        (("--help",), {"pydantic", "pygments", "markdown_it", "muster.cli.commands.check", "muster.config"}),
        (("hardware", "hardware p5.48xlarge"), {"muster.config", "policies", "muster.cli.commands.check"}),
        (("explain identity-may-deploy",), {"rich", "muster.fleet", "muster.policies.rules.account.facts"}),
        (("check p5-odcr",), {"rich", "pulumi", "jinja2", "muster.policies.rules.pods.requests"}),
        (("addons p5-odcr", "mirror p5-odcr"), {"pulumi"}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_a_command_does_not_import_what_it_does_not_use(commands: tuple[str, ...], unused: set[str]) -> None:
    assert imported(*commands) & unused == set()


@pytest.mark.parametrize("topic", ["parallelcluster", "hyperpod", "mlflow"])
def test_check_imports_rules_of_what_a_stack_has(topic: str) -> None:
    rules = {each for each in imported("check p5-odcr") if each.startswith("muster.policies.rules.")}
    assert not any(each.startswith(f"muster.policies.rules.{topic}.") for each in rules)
    assert "muster.policies.rules.capacity.reservations" in rules


def test_the_help_line_of_a_command_is_the_first_paragraph_of_its_help() -> None:
    assert {name: load(name).help.split("\n\n")[0] for name in HELP_LINES} == HELP_LINES
