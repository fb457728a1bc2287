"""The security groups of nodes, and the traffic that the groups of EKS and ParallelCluster allow."""

from dataclasses import replace
from typing import Any

import pytest

from muster.blueprint.logical_names import CLUSTER_REF
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, Ref
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.parallelcluster import COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP
from muster.policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups
from muster.unknown import UNKNOWN, if_known
from tests.factories import LUSTRE_GROUP_REF, SG, a_fleet, a_group, with_changed
from tests.factories.hyperpod import a_hyperpod_fleet
from tests.factories.parallelcluster import a_slurm_fleet


# aws-parallelcluster 3.16.1, templates/cluster_stack.py
@pytest.mark.parametrize("port", [988, None])
@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
@pytest.mark.parametrize("group", [COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP], ids=lambda one: one.name)
def test_groups_of_parallelcluster(group: Ref, direction: str, port: int | None) -> None:
    """They allow all traffic among themselves. To others, they allow IP egress; only a file system's allows ingress."""
    own = [allows_traffic((group,), direction, port, (peer,), a_slurm_fleet()) for peer in (COMPUTE_GROUP, HEAD_GROUP)]
    others = [allows_traffic((group,), direction, port, (peer,), a_slurm_fleet()) for peer in (LUSTRE_GROUP_REF, SG)]
    assert own == [True, True]
    assert others == [group is STORAGE_GROUP or (direction == EGRESS and port is not None)] * 2


NOTHING = CarriedGroups(frozenset())
OWN = CarriedGroups(frozenset({SG}))
NODES, HEADS = CarriedGroups(frozenset({SG, COMPUTE_GROUP})), CarriedGroups(frozenset({SG, HEAD_GROUP}))


def carried(node: Any, fleet: Fleet, *, efa: bool = False) -> CarriedGroups | None:
    """None if they are unknown."""
    return if_known(lambda: carried_groups(node, fleet, efa=efa))


@pytest.mark.parametrize("efa", [False, True])
def test_nodes_of_eks_without_a_template(*, efa: bool) -> None:
    """EKS attaches its own group to the one interface, which has no EFA."""
    for template, expected in (
        (None, NOTHING if efa else CarriedGroups(frozenset({CLUSTER_REF}))),
        (UNKNOWN, None),
    ):
        group = a_group(template=template)
        assert carried(group, a_fleet(group), efa=efa) == expected


@pytest.mark.parametrize(
    ("types", "efa", "expected"),
    [
        (("ml.p5.48xlarge",), True, OWN),
        (("ml.p5.48xlarge",), False, OWN),
        (("ml.c5.2xlarge",), True, NOTHING),
        (("ml.p9.48xlarge",), True, None),
        (("ml.p9.48xlarge",), False, OWN),
        (("ml.c5.2xlarge", "ml.p9.48xlarge"), True, None),
    ],
)
def test_nodes_of_hyperpod(types: tuple[str, ...], efa: bool, expected: CarriedGroups | None) -> None:
    """All interfaces have the same groups. It is unknown whether a type outside of the catalogue has EFA."""
    changes = {"instance_type": None, "requirements": types, "security_groups": (SG,)}
    fleet = with_changed(a_hyperpod_fleet(), "workers", **changes)
    (group,) = [each for each in fleet.kubernetes_groups if each.ref.name == "workers"]
    assert carried(group, fleet, efa=efa) == expected


@pytest.mark.parametrize(
    ("efa", "groups", "ip", "of_efa"),
    [
        (True, (SG,), NODES, NODES),
        (False, (SG,), NODES, NOTHING),
        (UNKNOWN, (SG,), NODES, None),
        (True, UNKNOWN, None, None),
        (False, UNKNOWN, None, NOTHING),
    ],
)
def test_nodes_of_slurm(efa: Any, groups: Any, ip: CarriedGroups | None, of_efa: CarriedGroups | None) -> None:
    """All interfaces have the same groups, with ParallelCluster's among them. A head node has no EFA."""
    fleet = with_changed(a_slurm_fleet(), "workers", efa=efa, security_groups=groups)
    fleet = with_changed(fleet, "head", security_groups=groups, replaces_groups=False)
    (node,), (head,) = fleet.of(ComputeResource), fleet.of(HeadNode)
    assert (carried(node, fleet), carried(node, fleet, efa=True)) == (ip, of_efa)
    assert (carried(head, fleet), carried(head, fleet, efa=True)) == (None if groups is UNKNOWN else HEADS, NOTHING)
    assert replace(head, security_groups=(SG,), replaces_groups=True).carried == (SG,)
