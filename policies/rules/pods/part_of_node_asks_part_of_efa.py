"""The EFA interfaces of a pod that has some of its node's accelerators."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.node import EFA_RESOURCE
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import ACCELERATORS, each_pod, efa_of, has, nodes_for
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "part-of-node-asks-part-of-efa",
    title="A pod with some accelerators of a node leaves EFA interfaces to the pods beside it",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="A pod with 4 of 8 GPUs and all 32 interfaces leaves none for the other 4: no second pod that asks for EFA "
    "fits there, and half of the node stands idle.",
    source="hyperpod-cli training/constants.py and quota_allocation_util.py",
    remedy="Ask for the same part of the EFA interfaces as of the accelerators.",
    facts=("rules.md#44", "rules.md#trap-2", "pains.md#9"),
)
def part_of_node_asks_part_of_efa(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, _ in each_pod(owner):  # what is missing, devices-within-instance asks for
        asked = asks.get(EFA_RESOURCE)
        accelerators = [resource for resource in ACCELERATORS if resource in asks]
        for spot in nodes_for(template, fleet) if asked and len(accelerators) == 1 else ():
            mine, all_ = asks[accelerators[0]], has(spot, accelerators[0], fleet) or 0
            efa = efa_of(spot, fleet)
            if efa and 1 < efa == asked and mine < all_:
                part = max(efa * mine // all_, 1)
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} asks {mine} of {all_} {accelerators[0]} of a node of {spot.name}, "
                    f"and all {efa} EFA interfaces",
                    remedy=f"write {EFA_RESOURCE}: {part} under its limits",
                )
                break
