"""What changing a field costs: the engine's own preview against what is deployed, beside what the field says of itself.

What forces a replacement is in `facts.REPLACES`, from the providers' documents, not from here. What `muster plan
--against` says of the same edit, without an engine, is compared with what the engine does.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.config.description.base import Change, change_cost
from muster.config.stack_file import load
from muster.extras.against.resource_changes import resource_changes as registered_changes
from muster.fleet.registration import Registration
from muster.offline.plan import record_stack
from tests.engine.changes.clusters import CLUSTER_ROWS, NEW_VPC
from tests.engine.changes.edits import (
    BLOCK,
    CLUSTER,
    ENTRY_POLICY,
    GROUP,
    MACHINES,
    OWN_GROUP,
    RESERVATION,
    SCRIPT,
    beside,
)
from tests.engine.changes.groups import BLOCK_ROWS, BOUGHT, CAPACITY_ROWS, CUSTOM, GROUP_ROWS, OWN_ROWS
from tests.engine.changes.hyperpod import HYPERPOD_AND_EKS, HYPERPOD_ROWS
from tests.engine.changes.hyperpod_slurm import DELETED_WITH_STACK, HYPERPOD_SLURM_ROWS
from tests.engine.changes.storage import DATA_ROWS, LET_GO
from tests.engine.components import MANIFESTS
from tests.engine.conftest import MakeStack
from tests.engine.facts import FOR_NEW_INSTANCES, REFUSED_IN_A_GROUP, SHADOWED
from tests.engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome
from tests.stack_files import AS_OF, edited, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]


LIVE = (GROUP, OWN_GROUP, CLUSTER, MACHINES)
"""What runs: to lose one of these and get another is a replacement, whatever the engine calls it."""
ONE_OF_ITS_KIND = frozenset({BLOCK, ENTRY_POLICY})
"""What another name makes anew."""
ROLLS = frozenset({"launchTemplate", "releaseVersion", "version"})
"""Inputs of a managed node group whose change has EKS replace its nodes one after the other."""


BASES = {
    "HyperPod": ("hyperpod-existing-eks", (), HYPERPOD_ROWS),
    "HyperPod and its EKS cluster": ("hyperpod-trn1", (('"1.35"', '"1.34"'),), HYPERPOD_AND_EKS),
    "HyperPod with Slurm": ("hyperpod-slurm-p5", (DELETED_WITH_STACK,), HYPERPOD_SLURM_ROWS),
    "a group": ("p5-odcr", (), GROUP_ROWS),
    "a group's capacity": ("p5-odcr", (), CAPACITY_ROWS),
    "a cluster": ("p5-odcr", (), CLUSTER_ROWS),
    "a custom image": ("p5-odcr", (beside("image: {custom: {id: ami-0123456789abcdef0}}"),), CUSTOM),
    "a new VPC": ("g4dn", (), NEW_VPC),
    "a Capacity Block": ("p5-capacity-block", (), BLOCK_ROWS),
    "a Capacity Block that is bought": (
        "p5-capacity-block",
        (
            (
                f"id: {RESERVATION}",
                "buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada}}",
            ),
        ),
        BOUGHT,
    ),
    "a self-managed group": ("p5-capacity-block-self-managed", (), OWN_ROWS),
    "storage and a registry": ("trn1", LET_GO, DATA_ROWS),
}


def cost_of(outcome: Outcome) -> Change:
    """What the engine's operations come to: the dearest of them."""
    changed = outcome.changes
    of_type = {urn: urn.split("::")[2].rpartition("$")[2] for urn in changed}
    live = {urn: operation for urn, operation in changed.items() if of_type[urn] in LIVE}
    made, gone = ({of_type[urn] for urn, each in changed.items() if each == word} for word in ("create", "delete"))
    if BLOCK in {of_type[urn] for urn, operation in changed.items() if operation == "create"}:
        return Change.BUYS
    if "replace" in changed.values() or "delete" in live.values() or made & gone & ONE_OF_ITS_KIND:
        return Change.REPLACES
    in_groups = {name for urn in live if of_type[urn] == MACHINES for name in in_live_groups(*outcome.inputs(urn))}
    if in_groups & set(REFUSED_IN_A_GROUP):
        return Change.REFUSED
    if any(GROUP in urn and ROLLS & outcome.differences(urn) for urn in live):
        return Change.DRAINS
    if in_groups & set(FOR_NEW_INSTANCES) or SCRIPT in of_type.values():
        return Change.NEXT_LAUNCH
    return Change.IN_PLACE if changed else Change.NOTHING


def differences_of(outcome: Outcome, token: str) -> frozenset[str]:
    """The inputs that change of the one resource of a type."""
    urns = [urn for urn in outcome.changes if urn.split("::")[2].rpartition("$")[2] == token]
    return frozenset(name for urn in urns for name in outcome.differences(urn))


def in_live_groups(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """What is another in a group that HyperPod has before and after: to the engine all groups are one input."""
    was, will_be = (
        {each["instanceGroupName"]: each for each in inputs.get("instanceGroups", ())} for inputs in (before, after)
    )
    return {
        name
        for group in was.keys() & will_be.keys()
        for name in was[group].keys() | will_be[group].keys()
        if was[group].get(name) != will_be[group].get(name)
    }


def is_compared(urn: str) -> bool:
    """Whether it is no component of ours, nor the stack itself; nor what the stand-in knows less of than Muster: which
    objects a manifest has, and what replaces the types whose inputs the SDK hides."""
    token = urn.split("::")[2].rpartition("$")[2]
    return not token.startswith(("muster:", "eks:", "pulumi:pulumi:")) and token not in MANIFESTS | SHADOWED


def resources_of(outcome: Outcome) -> set[tuple[str, str]]:
    """URN and operation of every resource that the engine changes."""
    return {(urn, each) for urn, each in outcome.changes.items() if is_compared(urn)}


def without_an_engine(folder: Path, stack: str, before: str, after: str) -> set[tuple[str, str]]:
    """What two texts of a stack's file come to, by two recordings of the program."""
    found = registered_changes(*(recorded(folder, stack, text) for text in (before, after)))
    return {(each.urn, each.operation.value) for each in found if is_compared(each.urn)}


def recorded(folder: Path, stack: str, text: str) -> tuple[Registration, ...]:
    """What the program registers for a text, without facts."""
    file = folder / f"Pulumi.{stack}.yaml"
    file.write_text(text, encoding="utf-8")
    opened = load(stack, file, folder / "facts" / f"{stack}.json")
    return record_stack(opened, opened.derive(), date.fromisoformat(AS_OF)).registrations


@pytest.mark.parametrize("base", BASES)
def test_a_change_costs_what_its_field_says(base: str, muster: MakeStack, tmp_path: Path) -> None:
    """In a preview against what is deployed the operations are those that the field's stated cost promises, and those
    that are foretold without an engine."""
    stack, edits, rows = BASES[base]
    text = filled_in(text_of(stack))
    for before, after in edits:
        text = edited(text, before, after)
    it = muster(stack, text=text, facts="")
    it.up().require()
    wrong: list[str] = []
    previews: dict[str, Outcome] = {}
    for each in rows:
        it.describe(each.applied(text))
        planned = previews.setdefault(it.text, previews.get(it.text) or it.preview())
        name = f"{each.block.__name__}.{each.field}"
        if planned.code:
            wrong.append(f"{name}: refused: {planned.text}")
            continue
        changed = {
            (urn.split("::")[2].rpartition("$")[2], urn.split("::")[3]): operation
            for urn, operation in planned.changes.items()
        }
        keeps_key = "encryptionConfig" in differences_of(planned, CLUSTER)
        cost, stated = Change.STAYS if keeps_key else cost_of(planned), each.cost or change_cost(each.block, each.field)
        if {key: changed.get(key) for key in each.expected} != each.expected or (not each.expected and changed):
            wrong.append(f"{name}: expected {each.expected}, got {changed}")
        if cost is not stated:
            wrong.append(f"{name}: says '{stated}', costs '{cost}': {changed}")
        foretold, done = without_an_engine(tmp_path, stack, text, it.text), resources_of(planned)
        if foretold != done:
            wrong.append(f"{name}: foretold {foretold - done}, done {done - foretold}")
    assert not wrong, "\n".join(wrong)
