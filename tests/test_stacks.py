"""Every stack that is committed: clean, wholly judged, and by every rule that is meant for it."""

import pytest

from muster.fleet.resources import (
    Addon,
    CapacityBlockPurchase,
    CapacityReservation,
    ClosedTemplate,
    ComputeNodeGroup,
    ComputeQuota,
    ComputeResource,
    ControlPlane,
    CountedResource,
    EksAddon,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LifecycleBundle,
    LustreFileSystem,
    NodeGroup,
    NodeRole,
    ParallelCluster,
    PcsCluster,
    PcsQueue,
    PlacementGroup,
    PodOwner,
    Queue,
    ReservationGroup,
    SecurityGroup,
    SlurmHyperPodCluster,
    TrackingServer,
)
from muster.fleet.resources.parallelcluster import LoginPool
from muster.policies.engine.catalogue import all_rules
from muster.stack.project import stacks
from tests.stack_files import ROOT, UNSTATED, plan_of

ALWAYS = {Addon, ControlPlane, LaunchTemplate, NodeGroup, NodeRole, SecurityGroup}
OURS = ALWAYS | {EksAddon}
"""Of a control plane that Muster makes."""
HYPERPOD = {
    *(Addon, ControlPlane, HyperPodCluster, InstanceGroup),
    *(LifecycleBundle, NodeRole, SecurityGroup),
}

HYPERPOD_SLURM = {
    *(HyperPodCluster, InstanceGroup, LustreFileSystem, NodeRole, SecurityGroup),
    SlurmHyperPodCluster,
}
SLURM = {ComputeResource, HeadNode, LustreFileSystem, ParallelCluster, Queue, SecurityGroup}

PCS = {
    *(ComputeNodeGroup, LaunchTemplate, LustreFileSystem, NodeRole),
    *(PcsCluster, PcsQueue, SecurityGroup),
}

NETWORK: set[type] = {CountedResource}
"""Of a network that the stack makes."""

JUDGED: dict[str, set[type]] = {
    "g4dn": OURS | {PlacementGroup} | NETWORK,
    "g4dn-vpc": OURS | {PlacementGroup},
    "g5-auto-mode": OURS,
    "hyperpod-existing-eks": HYPERPOD,
    "hyperpod-p5": HYPERPOD | {EksAddon, LustreFileSystem, TrackingServer} | NETWORK,
    "hyperpod-p6e-gb200": HYPERPOD | {EksAddon},
    "hyperpod-slurm-p5": HYPERPOD_SLURM,
    "hyperpod-teams": HYPERPOD | {ComputeQuota, EksAddon} | NETWORK,
    "hyperpod-training-plan": HYPERPOD | {EksAddon},
    "hyperpod-trn1": HYPERPOD | {EksAddon, LustreFileSystem} | NETWORK,
    "p4de-odcr": OURS | NETWORK,
    "p4de-odcr-vpc": OURS,
    "p5-capacity-block": OURS,
    "p5-capacity-block-self-managed": OURS,
    "p5-dra": OURS | NETWORK,
    "p5-efa": OURS | {PlacementGroup} | NETWORK,
    "p5-join-existing": ALWAYS,
    "p5-karpenter": OURS,
    "p5-odcr": OURS,
    "p6-b300": OURS | NETWORK,
    "p6e-gb200": OURS,
    "pcluster-gpu": SLURM,
    "pcluster-p4de-batch-g5": SLURM,
    "pcluster-p4de-custom-ami": SLURM,
    "pcluster-p4de-postinstall": SLURM | NETWORK,
    "pcluster-trn1": SLURM | NETWORK,
    "pcs-p5": PCS,
    "trn2-ultraserver": OURS,
    "trn1": OURS | {PlacementGroup, LustreFileSystem} | NETWORK,
}
"""Stack -> the kinds of things that rules judge in it."""

BY_NO_STACK = {
    CapacityBlockPurchase,
    CapacityReservation,
    ClosedTemplate,
    LoginPool,
    PodOwner,
    ReservationGroup,
}
"""What only other programs, or other descriptions, have; and what AWS's package says, which `check` alone asks."""


each_stack = pytest.mark.parametrize("stack", stacks(ROOT))


def test_every_stack_is_listed() -> None:
    assert set(JUDGED) == set(stacks(ROOT))
    listed = {kind for kinds in JUDGED.values() for kind in kinds} | BY_NO_STACK
    assert {kind for rule in all_rules() for kind in rule.kinds} <= listed


@each_stack
def test_a_stack_is_clean_and_wholly_judged(stack: str) -> None:
    """No finding of any level, and nothing that could not be evaluated, for want of a fact."""
    judgement = plan_of(stack).judgement
    assert judgement.findings == ()
    assert {(each.rule, each.resource) for each in judgement.not_evaluated} == UNSTATED.get(stack, frozenset())
    assert judgement.suppressed == ()
    assert plan_of(stack).broken_laws == ()


@each_stack
def test_every_rule_that_is_meant_for_a_stack_judges_something(stack: str) -> None:
    judged = plan_of(stack).judgement.judged
    backend = plan_of(stack).backend
    meant = {rule.id for rule in all_rules() if set(rule.kinds) & JUDGED[stack] and backend in rule.backends}
    assert {rule for rule, objects in judged.items() if objects} == meant
