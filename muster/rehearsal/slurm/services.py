"""slurm.conf of a rehearsal, as the service of a cluster writes it: ParallelCluster, HyperPod, AWS PCS.

- ParallelCluster: aws-parallelcluster-cookbook, `config_renderer.py`.
- HyperPod, as far as AWS documents it: SageMaker guide, "What particular configurations HyperPod manages in Slurm
  configuration files" (TaskPlugin, SchedulerParameters) and sagemaker-hyperpod-ref (partition dev);
  ai-on-sagemaker-hyperpod b13e484, `08-gres.md` (lines of nodes and of partition dev);
  aws-samples/playground-persistent-cluster d3fbe18, `SIMULATE-UNHEALTHY-INSTANCE.md` (`scontrol show node`: no
  features, RealMemory is all memory of the type). `GresTypes` is what AWS's scripts for accounting set
  (awsome-distributed-training, `setup_mariadb_accounting.sh`).
- PCS: no page lists what it sets. The settings let slurmctld allocate GPUs, and start nodes when a job needs them.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from muster.blueprint.cluster import HyperPodSlurmBlueprint, ParallelClusterBlueprint, PcsBlueprint, SlurmBlueprint
from muster.blueprint.derive.hyperpod_slurm import SLURM
from muster.blueprint.group import SlurmGroup
from muster.rehearsal.outcome import SimulatedPart
from muster.rehearsal.slurm.configuration import Configuration, NodeLine, Partition, SlurmService
from muster.versions import PARALLELCLUSTER, PARALLELCLUSTER_SLURM

STATIC_WEIGHT, DYNAMIC_WEIGHT = 1, 1000
"""ParallelCluster's weights (StaticNodePriority, DynamicNodePriority): Slurm uses running nodes first."""

_EVERYWHERE = (
    ("SchedulerType", "sched/backfill"),
    ("SelectType", "select/cons_tres"),
    ("GresTypes", "gpu"),
    ("ReturnToService", "1"),
)
_POWER = "idle_on_node_suspend,power_save_min_interval=0"
"""Nodes are requested at once (ParallelCluster's `power_save_min_interval` is 30 seconds)."""
_NO_LIMIT = (("ResumeRate", "0"), ("SuspendRate", "0"))

_OF_PARALLELCLUSTER = SlurmService(
    title=f"ParallelCluster {PARALLELCLUSTER}",
    slurm=PARALLELCLUSTER_SLURM,
    settings=(
        *_EVERYWHERE,
        *_NO_LIMIT,
        ("SlurmctldParameters", f"{_POWER},node_reg_mem_percent=75"),
        ("TreeWidth", "65533"),
        ("PrivateData", "cloud"),
        ("EnforcePartLimits", "ALL"),
        ("MpiDefault", "none"),
        ("MinJobAge", "300"),
        ("KillWait", "30"),
        ("InactiveLimit", "0"),
        ("BatchStartTimeout", "180"),
    ),
)

_OF_HYPERPOD = SlurmService(
    title="HyperPod",
    slurm=SLURM,
    settings=(
        *_EVERYWHERE,
        ("SlurmctldParameters", _POWER),
        ("SchedulerParameters", "permit_job_expansion"),
        ("MpiDefault", "none"),
    ),
    simulated=(
        SimulatedPart(
            "the names of nodes",
            "addresses of an example network: ip-10-0-0-4",
            "AWS chooses the addresses of instances",
        ),
    ),
)

_SIZE = 250
"""Nodes of one line: addresses of one example network."""
_FIRST = 4
"""AWS reserves the first four addresses of a subnet."""


def parallelcluster(blueprint: ParallelClusterBlueprint) -> Configuration:
    """The configuration that ParallelCluster would write for Slurm."""

    def lines(group: Any) -> Iterator[NodeLine]:
        node, of = group.node, group.described
        words = (*(("efa",) if node.efa else ()), *(("gpu",) if node.gpus else ()))
        for static, number in ((True, of.nodes.min), (False, of.nodes.max - of.nodes.min)):
            yield _line(
                group,
                blueprint,
                f"{group.queue}-{'st' if static else 'dy'}-{group.name}",
                number,
                static=static,
                gpu_type=gpu_type(node.hardware.accelerator_model) if node.gpus else "",
                features=("static" if static else "dynamic", of.instance, group.name, *words),
                weight=STATIC_WEIGHT if static else DYNAMIC_WEIGHT,
            )

    return _configuration(blueprint, _OF_PARALLELCLUSTER, lines)


def gpu_type(model: str) -> str:
    """A GPU's type in Slurm: EC2's name in lower case, without spaces (`config_utils.py` of the cookbook)."""
    return "".join(model.partition("(")[0].split()).lower()


def hyperpod(blueprint: HyperPodSlurmBlueprint) -> Configuration:
    """The configuration that HyperPod would write for Slurm: lines of consecutive addresses; all nodes run."""

    def lines(group: Any) -> Iterator[NodeLine]:
        at = blueprint.groups.index(group)
        for part, begin in enumerate(range(0, group.running, _SIZE)):
            number = min(_SIZE, group.running - begin)
            yield _line(group, blueprint, f"ip-10-{at}-{part}", number, first=_FIRST)

    return _configuration(blueprint, _OF_HYPERPOD, lines)


def pcs(blueprint: PcsBlueprint) -> Configuration:
    """The configuration of a cluster on PCS. A node has its group's name and a number, first those that always run (PCS
    user guide, "Getting started": ``compute-1-1``)."""

    def lines(group: Any) -> Iterator[NodeLine]:
        least, most = group.described.nodes.min, group.described.nodes.max
        yield _line(group, blueprint, group.name, least)
        yield _line(group, blueprint, group.name, most - least, static=False, first=least + 1)

    service = SlurmService(
        title="AWS PCS",
        slurm=blueprint.described.slurm.version,
        settings=(*_EVERYWHERE, *_NO_LIMIT, ("SlurmctldParameters", _POWER)),
        simulated=(
            SimulatedPart("the controller of PCS", "a slurmctld on this machine", "AWS runs it in its own account"),
        ),
    )
    return _configuration(blueprint, service, lines)


def _configuration(
    blueprint: SlurmBlueprint, service: SlurmService, lines: Callable[[Any], Iterable[NodeLine]]
) -> Configuration:
    own = getattr(blueprint.described, "slurm", None)  # HyperPod's has no settings
    of_group = {group.name: tuple(line for line in lines(group) if line.number) for group in blueprint.groups}
    return Configuration(
        cluster=blueprint.cluster_name,
        service=service,
        partitions=tuple(
            Partition(queue.name, tuple(chain(*(of_group[group.name] for group in queue.groups))), queue.exclusive)
            for queue in blueprint.queues
        ),
        memory_counts=own is not None and own.memory_scheduling,
        idle_minutes=-1 if own is None else own.idle_minutes,
        settings={} if own is None else {name: str(value) for name, value in sorted(own.settings.items())},
    )


def _line(
    group: SlurmGroup, blueprint: SlurmBlueprint, stem: str, number: int, *, static: bool = True, **more: Any
) -> NodeLine:
    """Equal nodes of a group, as most services describe them: with GPUs that have no type."""
    node, zones = group.node, blueprint.zones(group)
    return NodeLine(
        stem=stem,
        group=group.name,
        static=static,
        number=number,
        instance=group.described.instance,
        zone=zones[0] if len(zones) == 1 else "",
        cpus=node.cpus,
        memory_mib=node.memory_mib,
        gpus=node.gpus,
        **more,
    )
