"""Who may assume the roles of the stacks, held to the table of services (`muster.blueprint.iam.SERVICES`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.iam import SERVICES
from muster.blueprint.parallelcluster.template import ROLE, creation_only
from tests.stack_files import ROOT

GOLDEN = ROOT / "tests" / "golden"
SOURCES = {"aws:SourceAccount", "aws:SourceArn"}


def _trusts(golden: Path) -> Iterator[dict[str, Any]]:
    """The statements of the trust policies of a stack's golden plan."""
    plan = json.loads(golden.read_text(encoding="utf-8"))
    for each in plan["resources"]:
        if "assumeRolePolicy" in each["inputs"]:
            yield from json.loads(each["inputs"]["assumeRolePolicy"])["Statement"]


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.plan.json")), ids=lambda each: each.name)
def test_every_trust_policy_has_the_conditions_that_its_service_sends(golden: Path) -> None:
    """All of them, and no other: a role with a key that the service does not send cannot be assumed."""
    for statement in _trusts(golden):
        keys = {key for conditions in statement.get("Condition", {}).values() for key in conditions}
        if "Federated" in statement["Principal"]:
            assert {key.rpartition(":")[2] for key in keys} == {"aud", "sub"}, statement
            continue
        assert keys & SOURCES == set(SERVICES[statement["Principal"]["Service"]]), statement


def test_the_role_in_the_template_of_parallelcluster_follows_the_table() -> None:
    (statement,) = creation_only("arn")[ROLE]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert SERVICES[statement["Principal"]["Service"]] == ()
    assert "Condition" not in statement


def test_the_page_on_security_has_the_source_of_every_service() -> None:
    page = (ROOT / "docs" / "explanation" / "security.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    for name in SERVICES:
        assert "](https://" in rows[name], name
