"""What runs on every node of a group, against the node."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.amounts import MIB
from muster.fleet.description.group_core import Purpose
from muster.fleet.resources import Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from policies.options import Options
from policies.reading.load import CPU, MEMORY, POD, added, daemons_on, room_on, short_of
from policies.reading.plugins import labelled_spots_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


class Room(Options):
    """What the daemons leave to jobs."""

    cpus: int = Field(default=0, ge=0, description="CPUs that stay for jobs on every node that is not for the system.")
    memory_gib: int = Field(default=0, ge=0, description="GiB of memory that stay for jobs there.")


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
    options=Room,
)
def daemons_fit_nodes(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.purpose is None:
        return  # what another program's cluster runs is not known here
    for spot in labelled_spots_of(group, fleet):
        room, daemons = room_on(spot, fleet), daemons_on(spot, fleet)
        if room is None:
            yield rule.unjudged(group.place, "what its nodes have for pods")
            continue
        kept = Room() if group.purpose is Purpose.SYSTEM else Room.of(rule.settings)
        job = {POD: 1, CPU: 1000 * kept.cpus, MEMORY: 1024 * MIB * kept.memory_gib}
        lacking = short_of(added(job, *(asked for _, asked in daemons)), room)
        if lacking:
            yield rule.finding(
                group.place,
                at="instance",
                got=f"{some(name for name, _ in daemons)} and one pod of a job take {', '.join(lacking)} on a "
                f"{spot.machine.instance}",
                remedy="take a larger instance type, or have the add-ons ask for less",
            )
