"""A command imports what it uses: this is most of the time that short commands take."""

import dataclasses
import json
import subprocess
import sys
from functools import cache

import pytest

from muster.cli.command_loading import HELP_LINES, load
from muster.policies.engine.catalogue import all_rules, rules_in_modules
from tests.stack_files import ROOT

_IMPORTS = """
import json, sys
from muster.cli.main import main
main()
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@cache
def imported(*arguments: str) -> frozenset[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-c", _IMPORTS, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (("--help",), {"pydantic", "pygments", "markdown_it", "muster.cli.commands.check", "muster.config"}),
        (("hardware",), {"muster.config", "policies", "muster.cli.commands.check"}),
        (("hardware", "p5.48xlarge"), {"muster.config", "policies"}),
        (("explain", "facts-fresh"), {"rich", "muster.fleet", "muster.policies.rules.account.facts_fresh"}),
        (("check", "p5-odcr"), {"rich", "pulumi", "muster.policies.rules.pods.huge_pages"}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_a_command_does_not_import_what_it_does_not_use(arguments: tuple[str, ...], unused: set[str]) -> None:
    assert imported(*arguments) & unused == set()


@pytest.mark.parametrize("topic", ["parallelcluster", "hyperpod", "mlflow"])
def test_check_imports_rules_of_what_a_stack_has(topic: str) -> None:
    rules = {each for each in imported("check", "p5-odcr") if each.startswith("muster.policies.rules.")}
    assert not any(each.startswith(f"muster.policies.rules.{topic}.") for each in rules)
    assert "muster.policies.rules.capacity.reservation_zone_matches_subnet" in rules


def test_the_index_has_the_rules_of_all_modules() -> None:
    indexed = {each.id: each for each in all_rules()}
    made = {each.id: each for each in rules_in_modules()}
    assert indexed.keys() == made.keys(), "`make goldens` writes the index anew"
    for name, rule in made.items():
        for field in dataclasses.fields(rule):
            if field.name not in {"predicate", "load_options", "documented_options"}:
                assert getattr(indexed[name], field.name) == getattr(rule, field.name), (name, field.name)
        assert indexed[name].options is rule.options


@pytest.mark.parametrize("name", HELP_LINES)
def test_the_help_line_of_a_command_is_the_first_paragraph_of_its_help(name: str) -> None:
    assert HELP_LINES[name] == load(name).help.split("\n\n")[0]
