"""The EFA interfaces that a pod requests, for its share of a node."""

from collections.abc import Iterator

from muster.blueprint.node import EFA_RESOURCE
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, PodOwner
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import ACCELERATORS, device_count, each_pod, efa_of, nodes_for
from muster.unknown import UNKNOWN, UnknownType

_ACROSS_NODES = frozenset({"JobSet", "LeaderWorkerSet", "MPIJob", "PyTorchJob", "TFJob", "TrainJob", "XGBoostJob"})
"""Kinds whose pods work together across nodes, if there are several; of other kinds, only pods that request EFA do."""


@rule(
    "pod-asks-its-share-of-efa",
    title="In a job across nodes, a pod requests the same share of its node's EFA interfaces as of its accelerators",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="NCCL uses the interfaces that its container has. With none of them the job runs over TCP, and with one of 32 "
    "at a fraction of the speed, without a warning. A pod with 4 of 8 GPUs and all 32 interfaces leaves none for the "
    "other 4 GPUs: half of the node is idle.",
    source=(
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/src/sagemaker/hyperpod/training/quota_allocation_util.py",
        "https://github.com/NVIDIA/aicr/issues/2275",
        "https://github.com/skypilot-org/skypilot/issues/10055",
        "https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-nvidia-ultraserver.html",
    ),
    remedy="Request every EFA interface with all accelerators of a node, and half of them with half of them.",
    facts=("rules.md#44", "rules.md#48", "rules.md#trap-2", "pains.md#9", "pains.md#22"),
)
def pod_asks_its_share_of_efa(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _whole_node(owner, fleet, rule)
    yield from _part_of_node(owner, fleet, rule)


def _whole_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with all accelerators of their node."""
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        requested = asks.get(EFA_RESOURCE, 0)
        accelerators = {resource: asks[resource] for resource in ACCELERATORS if resource in asks}
        across = owner.kind in _ACROSS_NODES
        # A claim can bring EFA interfaces. Pods with the claim of a ComputeDomain need none: they use NVLink.
        claims = template.spec is not UNKNOWN and "resourceClaims" in template.spec
        if not accelerators or claims or not (requested or across):
            continue
        if across and (pods := _with_accelerators(owner)) in (UNKNOWN, 0, 1):
            if pods is UNKNOWN:
                yield rule.unjudged(
                    owner.place, "the number of its pods with accelerators (known only after `pulumi up`)"
                )
            continue
        nodes = nodes_for(template, fleet)
        if not nodes:
            yield rule.unjudged(owner.place, f"the nodes for {template.path}")
            continue
        lacking = [_lacking(spot, accelerators, requested, fleet) for spot in nodes]
        if None in lacking:
            yield rule.unjudged(owner.place, f"the EFA interfaces of the nodes for {template.path}")
        elif all(lacking):
            spot, efa = nodes[0], lacking[0]
            devices = " and ".join(f"{number} {resource}" for resource, number in accelerators.items())
            yield rule.finding(
                owner.place,
                got=f"{template.path} requests all {devices} of a node of {spot.name}, "
                f"but {requested} of its {efa} EFA interfaces",
                remedy=f"write {EFA_RESOURCE}: {efa} under its limits",
            )


def _with_accelerators(owner: PodOwner) -> int | UnknownType:
    """The number of its pods that request accelerators. A single one does not communicate with other nodes."""
    total = 0
    for template, asks, _ in each_pod(owner):
        if any(resource in asks for resource in ACCELERATORS):
            if template.pods is UNKNOWN:
                return UNKNOWN
            total += template.pods
    return total


def _lacking(spot: NodeKind, accelerators: dict[str, int], requested: int, fleet: Fleet) -> int | None:
    """The number of EFA interfaces of a node, if the pod requests all its accelerators but fewer EFA interfaces. 0 if
    nothing is wrong, None if it is not known."""
    if not all(device_count(spot, resource, fleet) == number for resource, number in accelerators.items()):
        return 0
    there = efa_of(spot, fleet)
    return None if there is None else there if requested < there else 0


def _part_of_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with some accelerators of a node."""
    for template, asks, _ in each_pod(owner):  # devices-within-instance reports what is missing
        requested = asks.get(EFA_RESOURCE)
        accelerators = [resource for resource in ACCELERATORS if resource in asks]
        for spot in nodes_for(template, fleet) if requested and len(accelerators) == 1 else ():
            mine, all_ = asks[accelerators[0]], device_count(spot, accelerators[0], fleet) or 0
            efa = efa_of(spot, fleet)
            if efa and 1 < efa == requested and mine < all_:
                part = max(efa * mine // all_, 1)
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} requests {mine} of {all_} {accelerators[0]} of a node of {spot.name}, "
                    f"but all {efa} EFA interfaces",
                    remedy=f"write {EFA_RESOURCE}: {part} under its limits",
                )
                break
