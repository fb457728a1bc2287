"""What runs on every node of a group, against the node."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from policies.reading.load import added, daemons_on, room_on, short_of
from policies.reading.plugins import labelled_spots
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "daemons-fit-nodes",
    title="A node has room for the daemons of the add-ons, and for a pod beside them",
    judges=NodeGroup | InstanceGroup,
    backends=("eks", "hyperpod"),
    why="Daemons go first. Where they fill a node no job's pod ever fits; where they do not fit themselves, some "
    "device or network plugin is missing there.",
    source="addons/ and addons/eks_daemons.py; awslabs/amazon-eks-ami nodeadm (allocatable); "
    "awslabs/ai-on-sagemaker-hyperpod#142",
    remedy="Take a larger instance type, or leave out add-ons.",
    facts=("pains.md#19", "hardware.md#R10"),
)
def daemons_fit_nodes(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.purpose is None:
        return  # what another program's cluster runs is not known here
    for spot in labelled_spots(fleet):
        if spot.group is None or spot.group.ref != group.ref:
            continue
        room, daemons = room_on(spot, fleet), daemons_on(spot, fleet)
        if room is None:
            yield rule.unjudged(group.place, "what its nodes have for pods")
            continue
        lacking = short_of(added({"pods": 1}, *(asked for _, asked in daemons)), room)
        if lacking:
            yield rule.finding(
                group.place,
                at="instance",
                got=f"{some(name for name, _ in daemons)} and one pod of a job take {', '.join(lacking)} on a "
                f"{spot.machine.instance}",
                remedy="take a larger instance type, or have the add-ons ask for less",
            )
