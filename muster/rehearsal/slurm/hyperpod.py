"""slurm.conf as HyperPod writes it, as far as AWS documents it.

Sources: SageMaker guide, "What particular configurations HyperPod manages in Slurm configuration files" (TaskPlugin,
SchedulerParameters) and sagemaker-hyperpod-ref (partition dev); ai-on-sagemaker-hyperpod b13e484, `08-gres.md` (lines
of nodes and of partition dev); aws-samples/playground-persistent-cluster d3fbe18, `SIMULATE-UNHEALTHY-INSTANCE.md`
(`scontrol show node`: no features, RealMemory is all memory of the type).
"""

from collections.abc import Iterator

from muster.blueprint.hyperpod.slurm import SLURM, HyperPodSlurmBlueprint, HyperPodSlurmGroup
from muster.rehearsal.outcome import SimulatedPart
from muster.rehearsal.slurm.configuration import Configuration, Gpus, NodeLine, Partition, SlurmService

_SETTINGS = (
    ("SlurmctldParameters", "idle_on_node_suspend,power_save_min_interval=0"),
    ("SchedulerType", "sched/backfill"),
    ("SelectType", "select/cons_tres"),
    ("SchedulerParameters", "permit_job_expansion"),
    ("MpiDefault", "none"),
    ("GresTypes", "gpu"),
    ("ReturnToService", "1"),
)
"""What HyperPod's documents name, and what a rehearsal needs beside it. `GresTypes` is what AWS's scripts for
accounting set (awsome-distributed-training, `setup_mariadb_accounting.sh`)."""

_SIZE = 250
"""Nodes of one line: addresses of one example network."""
_FIRST = 4
"""AWS reserves the first four addresses of a subnet."""


SERVICE = SlurmService(
    title="HyperPod",
    slurm=SLURM,
    settings=_SETTINGS,
    simulated=(
        SimulatedPart(
            "the names of nodes",
            "addresses of an example network: ip-10-0-0-4",
            "AWS chooses the addresses of instances",
        ),
    ),
)


def planned_configuration(blueprint: HyperPodSlurmBlueprint) -> Configuration:
    """The configuration that HyperPod would write for Slurm."""
    lines = {group.name: tuple(_lines(group, number, blueprint)) for number, group in enumerate(blueprint.groups)}
    return Configuration(
        cluster=blueprint.cluster_name,
        service=SERVICE,
        partitions=tuple(
            Partition(queue.name, tuple(line for group in queue.groups for line in lines[group.name]), queue.exclusive)
            for queue in blueprint.queues
        ),
        idle_minutes=-1,
    )


def _lines(group: HyperPodSlurmGroup, at: int, blueprint: HyperPodSlurmBlueprint) -> Iterator[NodeLine]:
    """The nodes of a group, all of which run: in lines of consecutive addresses."""
    node, zones, number = group.node, blueprint.zones(group), group.running
    for part, begin in enumerate(range(0, number, _SIZE)):
        yield NodeLine(
            stem=f"ip-10-{at}-{part}",
            group=group.name,
            static=True,
            number=min(_SIZE, number - begin),
            instance=group.described.instance,
            zone=zones[0] if len(zones) == 1 else "",
            cpus=node.cpus,
            memory_mib=node.memory_mib,
            gpus=Gpus("", node.gpus) if node.gpus else None,
            first=_FIRST,
        )
