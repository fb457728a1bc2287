"""A blueprint's queues as Slurm is told them."""

import re

from muster.fleet.slurm_blueprint import DerivedQueue, SlurmBlueprint, SlurmGroup
from muster.rehearsal.slurm.configuration import Configuration
from muster.rehearsal.slurm.node_lines import Gpus, NodeLine, Partition


def planned(blueprint: SlurmBlueprint) -> Configuration:
    """What ParallelCluster would tell Slurm of the cluster."""
    own = blueprint.described.slurm
    return Configuration(
        cluster=blueprint.cluster_name,
        partitions=tuple(_partition(queue, blueprint) for queue in blueprint.queues),
        memory_counts=own.memory_scheduling,
        idle_minutes=own.idle_minutes,
        settings={name: str(value) for name, value in sorted(own.settings.items())},
    )


def gpu_type(model: str) -> str:
    """A GPU's type in Slurm: EC2's name of it in small letters, without blanks (`config_utils.py` of the cookbook)."""
    return re.sub(r"\s*\(.*|\s", "", model).lower()


def _partition(queue: DerivedQueue, blueprint: SlurmBlueprint) -> Partition:
    lines = tuple(line for group in queue.groups for line in _lines(group, blueprint))
    return Partition(queue.name, lines, queue.described.exclusive)


def _lines(group: SlurmGroup, blueprint: SlurmBlueprint) -> list[NodeLine]:
    node, nodes, zones = group.node, group.described.nodes, blueprint.zones(group)
    gpus = Gpus(gpu_type(node.hardware.accelerator_model), node.gpus) if node.gpus else None
    numbers = {True: nodes.min, False: nodes.max - nodes.min}
    return [
        NodeLine(
            queue=group.queue,
            group=group.name,
            static=static,
            number=number,
            instance=group.described.instance,
            zone=zones[0] if len(zones) == 1 else "",
            cpus=node.cpus,
            memory_mib=node.memory_mib,
            gpus=gpus,
            efa=bool(node.efa),
        )
        for static, number in numbers.items()
        if number
    ]
