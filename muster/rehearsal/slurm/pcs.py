"""slurm.conf of a rehearsal of a cluster on AWS PCS, as far as AWS documents what PCS writes."""

from muster.blueprint.pcs.cluster import DerivedQueue, PcsBlueprint, PcsGroup
from muster.rehearsal.outcome import SimulatedPart
from muster.rehearsal.slurm.configuration import Configuration, Gpus, NodeLine, Partition, SlurmService

_SETTINGS = (
    ("SlurmctldParameters", "idle_on_node_suspend,power_save_min_interval=0"),
    ("ResumeRate", "0"),
    ("SuspendRate", "0"),
    ("SchedulerType", "sched/backfill"),
    ("ReturnToService", "1"),
    ("GresTypes", "gpu"),
    ("SelectType", "select/cons_tres"),
)
"""No page lists what PCS sets. These settings let slurmctld allocate GPUs, and start nodes when a job needs them."""


def _service(blueprint: PcsBlueprint) -> SlurmService:
    return SlurmService(
        title="AWS PCS",
        slurm=blueprint.described.slurm.version,
        settings=_SETTINGS,
        simulated=(
            SimulatedPart(
                "the controller of PCS",
                "a slurmctld on this machine",
                "AWS runs it in its own account",
            ),
        ),
    )


def planned_configuration(blueprint: PcsBlueprint) -> Configuration:
    """The queues and groups of a cluster on PCS."""
    own = blueprint.described.slurm
    return Configuration(
        cluster=blueprint.cluster_name,
        service=_service(blueprint),
        partitions=tuple(_partition(queue, blueprint) for queue in blueprint.queues),
        memory_counts=own.memory_scheduling,
        idle_minutes=own.idle_minutes,
        settings={name: str(value) for name, value in sorted(own.settings.items())},
    )


def _partition(queue: DerivedQueue, blueprint: PcsBlueprint) -> Partition:
    lines = tuple(line for group in queue.groups for line in _lines(group, blueprint))
    return Partition(queue.name, lines, queue.exclusive)


def _lines(group: PcsGroup, blueprint: PcsBlueprint) -> list[NodeLine]:
    """The nodes of a group: its name and a number, first those that always run (PCS user guide, "Getting started":
    ``compute-1-1``)."""
    node, nodes, zones = group.node, group.described.nodes, blueprint.zones(group)
    parts = ((True, 1, nodes.min), (False, nodes.min + 1, nodes.max - nodes.min))
    return [
        NodeLine(
            stem=group.name,
            group=group.name,
            static=static,
            number=number,
            first=first,
            instance=group.described.instance,
            zone=zones[0] if len(zones) == 1 else "",
            cpus=node.cpus,
            memory_mib=node.memory_mib,
            gpus=Gpus("", node.gpus) if node.gpus else None,
        )
        for static, first, number in parts
        if number
    ]
