"""`muster plan`: what would be registered, what nodes will offer, and what is wrong with it."""

from dataclasses import replace
from typing import Any

import pytest

from muster.cli.tables import REPORT
from muster.cli.writers import plan_tables
from muster.config import change_costs
from muster.config.description.base import Change
from muster.fleet.registration import Registration
from muster.fleet.resources import ref
from muster.plain_data import to_plain
from muster.terminal import Style
from muster.unknown import UNKNOWN, UNKNOWN_WORD
from tests.cli.conftest import Muster
from tests.stack_files import ROOT

TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"


def template(plan: Any, name: str = "workers") -> Any:
    (found,) = [each for each in plan["resources"] if (each["type"], each["name"]) == (TEMPLATE, name)]
    return found["inputs"]


def test_the_tree_the_nodes_the_counts_the_costs_and_the_verdict(muster: Muster) -> None:
    ran = muster.judged("plan", "p5-odcr")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "p5-odcr (eks)"
    assert max(map(len, lines[:-1])) <= REPORT + 10, "all but the counts; a column is as wide as its longest word"
    heads = ["What each node offers", "Resources: "]
    places = [next(index for index, line in enumerate(lines) if line.startswith(head)) for head in heads]
    assert places == sorted(places)
    folded = " ".join(" ".join(line.split("│")[-1].split()) for line in lines)
    assert "LaunchTemplate workers (p5.48xlarge, cr-fill-me-in)" in folded
    assert "muster:infra:Role workers (AmazonEC2ContainerRegistryPullOnly, AmazonEKSWorkerNodePolicy)" in folded
    (workers,) = [line.split() for line in lines if line.startswith("workers ")]
    assert workers[:5] == ["workers", "p5.48xlarge", "us-west-2a", "1", "51"]
    assert lines[-1] == muster.judged("check", "p5-odcr").out.splitlines()[-1]


def test_the_details_of_a_plan(muster: Muster) -> None:
    """Every resource, and the number of each type."""
    out = muster.judged("plan", "p5-odcr", "-v").out
    policies = out.count("aws:iam/rolePolicyAttachment:RolePolicyAttachment")
    assert policies == 7, "six resources, and the line that counts them"


def test_the_json_has_the_worker_template_of_the_default_layout(muster: Muster) -> None:
    plan = muster.judged("plan", "p5-odcr", "--json").json
    inputs = template(plan)
    types = [nic["interfaceType"] for nic in inputs["networkInterfaces"]]
    assert (types.count("interface"), types.count("efa-only")) == (1, 32)
    assert inputs["capacityReservationSpecification"] == {
        "capacityReservationTarget": {"capacityReservationId": "cr-fill-me-in"}
    }
    assert "placement" not in inputs
    (system, workers) = plan["nodes"]
    assert system["zone"] == "us-west-2a, us-west-2b"
    assert workers == {
        "group": "workers",
        "instance": "p5.48xlarge",
        "zone": "us-west-2a",
        "count": {"min": 1, "start": 1, "max": 1},
        "pods": 51,
        "offers": {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32, "hugepages-2Mi": "10256Mi"},
        "allocatable": {"cpu": "191450m", "memory": "1928154Mi"},
        "claims": {},
    }
    assert plan["outputs"]["contract"] == 1
    assert plan["outputs"]["kubeconfig"] == "[secret]"
    urns = {each["urn"] for each in plan["resources"]}
    assert all(not each["parent"] or each["parent"] in urns for each in plan["resources"])


def test_the_classic_layout_and_a_reservation_of_ones_own(muster: Muster) -> None:
    muster.edit("            provided-by: aws", "            provided-by: you")
    muster.edit("        local-storage", "        interfaces: classic\n        local-storage")
    plan = muster.judged("plan", "p5-odcr", "--json").json
    inputs = template(plan)
    assert [nic["interfaceType"] for nic in inputs["networkInterfaces"]] == ["efa"] * 32
    assert inputs["placement"]["groupName"]
    assert plan["nodes"][1]["pods"] == 100


def test_findings_are_shown_and_exit_1(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    checked, planned = muster.judged("check", "p5-odcr"), muster.judged("plan", "p5-odcr")
    assert (checked.code, planned.code) == (1, 1)
    assert planned.out.endswith(checked.out)
    assert planned.out.startswith("p5-odcr (eks)\n")


def test_strict(muster: Muster) -> None:
    assert muster.judged("plan", "p5-odcr", "--strict").code == 4


def test_a_broken_law_is_our_bug(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    from muster.offline import plan as offline

    real = offline.plan_stack
    broken = {"broken_laws": ("one", "two")}
    monkeypatch.setattr(offline, "plan_stack", lambda *given, **named: replace(real(*given, **named), **broken))
    ran = muster.judged("plan", "p5-odcr")
    assert ran.code == 3
    assert ran.out.startswith("p5-odcr (eks)\n"), "what was planned helps to find the bug"
    assert ran.err.startswith("bug in Muster: the program does not register what the blueprint has: one; two\n")
    assert "an issue in Muster's repository" in ran.err


def registration(name: str, type: str = "aws:iam/role:Role", parent: str = "", **inputs: Any) -> Registration:
    urn = f"urn:pulumi:s::muster::{type}::{name}"
    above = f"urn:pulumi:s::muster::aws:iam/role:Role::{parent}" if parent else ""
    return Registration(urn, type, name, inputs, parent=above)


def test_the_tree_keeps_orphans_and_order() -> None:
    stack = Registration("urn:pulumi:s::muster::pulumi:pulumi:Stack::muster-s", "pulumi:pulumi:Stack", "muster-s", {})
    first = replace(registration("first"), parent=stack.urn)
    shown = [stack, first, registration("below", parent="first"), registration("orphan", parent="gone")]
    tree = plan_tables.resource_tree("title", shown)
    assert [branch.label for branch in tree.children] == ["aws:iam/role:Role first", "aws:iam/role:Role orphan"]
    assert [branch.label for branch in tree.children[0].children] == ["aws:iam/role:Role below"]
    assert plan_tables.resource_counts([*shown, replace(first, custom=False)])[0] == ("aws:iam/role:Role", "3")


def test_labels_take_unknown_and_missing_inputs() -> None:
    unknown = registration("t", TEMPLATE, instanceType=UNKNOWN, placement=UNKNOWN)
    assert plan_tables.label(unknown) == f"{TEMPLATE} t ([unknown], [unknown])"
    assert plan_tables.label(registration("t", TEMPLATE)) == f"{TEMPLATE} t"


def test_plain_data() -> None:
    given = {"a": UNKNOWN, "b": (1, None, True), "c": frozenset({"y", "x"}), 3: Change.DRAINS, "d": ROOT}
    assert to_plain(given) == {
        "a": UNKNOWN_WORD,
        "b": [1, None, True],
        "c": ["x", "y"],
        "3": "drains nodes",
        "d": str(ROOT),
    }


def test_every_cost_is_explained() -> None:
    assert set(change_costs.LEGEND) == set(Change)


def test_a_block_that_is_to_be_bought_has_no_id_yet() -> None:
    """What the offline monitor makes up for it is nobody's to look for."""
    block = replace(registration("block", ref.CAPACITY_BLOCK), id="cr-615e")
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-615e"}}
    template = registration("t", TEMPLATE, instanceType="p5.48xlarge", capacityReservationSpecification=target)
    shown = [branch.label for branch in plan_tables.resource_tree("title", [block, template]).children]
    assert shown[1] == f"{TEMPLATE} t (p5.48xlarge)"
    (alone,) = plan_tables.resource_tree("title", [template]).children
    assert alone.label == f"{TEMPLATE} t (p5.48xlarge, cr-615e)"


def test_style_paints_only_where_it_may() -> None:
    assert (Style().bad("x"), Style(colour=True).bad("")) == ("x", "")
