"""The tables of `muster plan`. What it prints is in `transcripts/plan.txt`, its JSON in the goldens of the stacks."""

from dataclasses import replace
from typing import Any

from muster.cli.writers import plan_tables
from muster.config import change_costs
from muster.config.description.base import Change
from muster.fleet.registration import Registration
from muster.fleet.resources import ref
from muster.plain_data import to_plain
from muster.unknown import UNKNOWN, UNKNOWN_WORD
from tests.factories import a_blueprint
from tests.factories.parallelcluster import a_slurm_blueprint, a_slurm_description

TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"


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


def test_a_block_that_is_to_be_bought_has_no_id_yet() -> None:
    """What the offline monitor makes up for it is nobody's to look for."""
    block = replace(registration("block", ref.CAPACITY_BLOCK), id="cr-615e")
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-615e"}}
    template = registration("t", TEMPLATE, instanceType="p5.48xlarge", capacityReservationSpecification=target)
    shown = [branch.label for branch in plan_tables.resource_tree("title", [block, template]).children]
    assert shown[1] == f"{TEMPLATE} t (p5.48xlarge)"
    (alone,) = plan_tables.resource_tree("title", [template]).children
    assert alone.label == f"{TEMPLATE} t (p5.48xlarge, cr-615e)"


def test_a_row_has_what_its_head_says() -> None:
    """On every backend."""
    for blueprint in (a_blueprint(), a_slurm_blueprint()):
        assert {len(row) for row in plan_tables.node_rows(blueprint)} == {len(plan_tables.node_heads(blueprint))}


def test_every_cost_is_explained() -> None:
    """With Slurm in words of its own, where it means something else than on EKS."""
    legend = change_costs.legend(a_slurm_description())
    assert set(change_costs.LEGEND) == set(legend) == set(Change)
    assert legend[Change.REFUSED] != change_costs.LEGEND[Change.REFUSED]
    assert legend[Change.DRAINS] != change_costs.LEGEND[Change.DRAINS]


def test_plain_data() -> None:
    given = {"a": UNKNOWN, "b": (1, None, True), "c": frozenset({"y", "x"}), 3: Change.DRAINS}
    assert to_plain(given) == {"a": UNKNOWN_WORD, "b": [1, None, True], "c": ["x", "y"], "3": "drains nodes"}
