"""A law: what Muster registers for a stack on EKS, described again, creates the same nodes."""

from functools import cache
from pathlib import Path
from string import ascii_lowercase

import pytest
import yaml

from muster.blueprint.kubernetes import Blueprint
from muster.config.description.storage import Lustre
from muster.config.project import open_stack
from muster.config.stack_file import load_text
from muster.fleet.resources import LaunchTemplate
from muster.sources.eks_description import Described, describe_cluster
from muster.sources.source import CannotBeRead, ImportedDescription
from muster.sources.valid_description import valid_description
from tests.stack_files import ON_KUBERNETES, ROOT, plan_of, text_of

STACKS = [
    each
    for each in ON_KUBERNETES
    # NodePools are not described.
    if "backend: eks" in text_of(each) and "provisioned-by:" not in text_of(each)
]


def region_of(stack: str) -> str:
    return open_stack(ROOT, stack).region


@cache
def described(stack: str) -> Described:
    """The description of what a stack registers."""
    return describe_cluster(plan_of(stack).registrations, region=region_of(stack))


@cache
def blueprints(stack: str) -> tuple[Blueprint, Blueprint]:
    """The blueprint of a stack, and that of the description of what it registers."""
    found, faults = valid_description(ImportedDescription("eks", region_of(stack), described(stack).cluster))
    assert (found.left_out, faults) == ((), ())
    text = yaml.safe_dump({"config": {"aws:region": region_of(stack), "muster:cluster": found.cluster}})
    again = load_text(stack, text, Path(f"Pulumi.{stack}.yaml"), Path("none.json"))
    assert again.faults == ()
    first, second = open_stack(ROOT, stack).derive(), again.derive()
    assert isinstance(first, Blueprint)
    assert isinstance(second, Blueprint)
    return first, second


def looked_at(blueprint: Blueprint) -> dict[str, object]:
    """The nodes of each group, its interfaces, capacity, subnets and disks."""
    found: dict[str, object] = {}
    for group in blueprint.groups:
        template: LaunchTemplate = group.template  # type: ignore[attr-defined]
        resource = group.resource
        found[group.name] = {
            "nodes": (resource.nodes_min, resource.nodes_start, resource.nodes_max),  # type: ignore[union-attr]
            "instance": group.described.instance,
            "interfaces": [(nic.card, nic.device, nic.type) for nic in template.interfaces],  # type: ignore[union-attr]
            "capacity": (template.target, template.market_type, resource.capacity_type),  # type: ignore[union-attr]
            "placed": template.placement_group is not None,
            "subnets": group.subnets,
            "volume": group.described.volume,  # type: ignore[union-attr]
            "disks": group.described.local_storage,  # type: ignore[union-attr]
            "taints": group.taints,
            "managed": resource.managed,  # type: ignore[union-attr]
        }
    found["storage"] = [
        (each, one.size, one.throughput, one.backup_days, one.compression) for each, one in _lustre(blueprint)
    ]
    return found


def _lustre(blueprint: Blueprint) -> list[tuple[str, Lustre]]:
    """The file systems of a description that Muster creates."""
    return [(name, each.lustre) for name, each in blueprint.described.storage.items() if each.lustre]


@pytest.mark.parametrize("stack", STACKS)
def test_a_described_stack_has_the_same_nodes(stack: str) -> None:
    first, second = blueprints(stack)
    assert looked_at(second) == looked_at(first)


@pytest.mark.parametrize("stack", STACKS)
def test_only_what_no_resource_has_is_a_placeholder(stack: str) -> None:
    existing = blueprints(stack)[0].described.network.existing
    # Only the ids of existing subnets are in the resources: each is described below a zone of the Region.
    subnets = len(existing.private) if existing else 0
    expected = {f"network.existing.private.{region_of(stack)}{letter}" for letter in ascii_lowercase[:subnets]}
    unknown = {each for each in described(stack).placeholders if not each.startswith(("groups.", "control-plane."))}
    assert unknown - {"kubernetes"} <= expected
    # The version of a control plane that the stack only joins is not in its resources.
    assert ("kubernetes" in unknown) == (stack == "p5-join-existing")


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_of_a_stack_is_left_out(stack: str) -> None:
    assert described(stack).left_out == ()


def test_resources_without_a_cluster_have_no_description() -> None:
    with pytest.raises(CannotBeRead, match="no EKS cluster"):
        describe_cluster((), region="us-west-2")
