"""slurm.conf as ParallelCluster writes it (aws-parallelcluster-cookbook, `config_renderer.py`)."""

from muster.blueprint.parallelcluster.cluster import DerivedQueue, ParallelClusterBlueprint, ParallelClusterGroup
from muster.rehearsal.slurm.configuration import Configuration, Gpus, NodeLine, Partition, SlurmService
from muster.versions import PARALLELCLUSTER, PARALLELCLUSTER_SLURM

STATIC_WEIGHT, DYNAMIC_WEIGHT = 1, 1000
"""ParallelCluster's weights (StaticNodePriority, DynamicNodePriority): Slurm uses running nodes first."""

_SETTINGS = (
    ("SlurmctldParameters", "idle_on_node_suspend,power_save_min_interval=0,node_reg_mem_percent=75"),
    ("TreeWidth", "65533"),
    ("PrivateData", "cloud"),
    ("ResumeRate", "0"),
    ("SuspendRate", "0"),
    ("EnforcePartLimits", "ALL"),
    ("SchedulerType", "sched/backfill"),
    ("ReturnToService", "1"),
    ("MpiDefault", "none"),
    ("GresTypes", "gpu"),
    ("SelectType", "select/cons_tres"),
    ("MinJobAge", "300"),
    ("KillWait", "30"),
    ("InactiveLimit", "0"),
    ("BatchStartTimeout", "180"),
)
"""As on a head node, but for `power_save_min_interval` (30 seconds there): nodes are requested at once."""

SERVICE = SlurmService(
    title=f"ParallelCluster {PARALLELCLUSTER}",
    slurm=PARALLELCLUSTER_SLURM,
    settings=_SETTINGS,
)


def planned_configuration(blueprint: ParallelClusterBlueprint) -> Configuration:
    """The configuration that ParallelCluster would write for Slurm."""
    own = blueprint.described.slurm
    return Configuration(
        cluster=blueprint.cluster_name,
        service=SERVICE,
        partitions=tuple(_partition(queue, blueprint) for queue in blueprint.queues),
        memory_counts=own.memory_scheduling,
        idle_minutes=own.idle_minutes,
        settings={name: str(value) for name, value in sorted(own.settings.items())},
    )


def gpu_type(model: str) -> str:
    """A GPU's type in Slurm: EC2's name in lower case, without spaces (`config_utils.py` of the cookbook)."""
    return "".join(model.partition("(")[0].split()).lower()


def _partition(queue: DerivedQueue, blueprint: ParallelClusterBlueprint) -> Partition:
    lines = tuple(line for group in queue.groups for line in _lines(group, blueprint))
    return Partition(queue.name, lines, queue.exclusive)


def _lines(group: ParallelClusterGroup, blueprint: ParallelClusterBlueprint) -> list[NodeLine]:
    node, nodes, zones = group.node, group.described.nodes, blueprint.zones(group)
    gpus = Gpus(gpu_type(node.hardware.accelerator_model), node.gpus) if node.gpus else None
    words = (*(("efa",) if node.efa else ()), *(("gpu",) if gpus else ()))
    numbers = {True: nodes.min, False: nodes.max - nodes.min}
    return [
        NodeLine(
            stem=f"{group.queue}-{'st' if static else 'dy'}-{group.name}",
            group=group.name,
            static=static,
            number=number,
            instance=group.described.instance,
            zone=zones[0] if len(zones) == 1 else "",
            cpus=node.cpus,
            memory_mib=node.memory_mib,
            gpus=gpus,
            features=("static" if static else "dynamic", group.described.instance, group.name, *words),
            weight=STATIC_WEIGHT if static else DYNAMIC_WEIGHT,
        )
        for static, number in numbers.items()
        if number
    ]
