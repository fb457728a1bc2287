"""Slurm on HyperPod: what the instance groups are in Slurm, and the settings of the orchestrator."""

import re
from collections.abc import Iterator

from muster.config.description.hyperpod_slurm_cluster import ConfigStrategy
from muster.config.description.hyperpod_slurm_nodes import LONGEST_PARTITION, PARTITION
from muster.fleet.backend_sets import HYPERPOD_SLURM
from muster.fleet.resources import Fleet, InstanceGroup, SlurmHyperPodCluster
from muster.policies.engine.finding_text import and_list, or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, groups_of
from muster.unknown import UNKNOWN

_CONTROLLER, _LOGIN, _COMPUTE = "Controller", "Login", "Compute"
_NODE_TYPES = (_CONTROLLER, _LOGIN, _COMPUTE)
_CONTINUOUS = "Continuous"
_MAY_BE_UPDATE = (
    "whether another instance group is the controller: the network is not known, and a request of UpdateCluster lists "
    "only the groups that it changes"
)
_STRATEGIES = tuple(each.value.capitalize() for each in ConfigStrategy)


@rule(
    "hyperpod-slurm-one-controller",
    title="A HyperPod cluster with Slurm has one controller group, and at most one group of login nodes",
    judges=SlurmHyperPodCluster,
    backends=(HYPERPOD_SLURM,),
    why="SageMaker refuses a request with SlurmConfig if not exactly one instance group is the controller. A request "
    "without SlurmConfig has Slurm's configuration in provisioning_parameters.json: it cannot use continuous "
    "provisioning, and cannot mount file systems.",
    source=("https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-ref.html",),
    remedy="Set node type Controller for one instance group.",
    facts=("hardware.md#f7", "hardware.md#f9"),
)
def hyperpod_slurm_one_controller(cluster: SlurmHyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = groups_of(cluster, fleet)
    if not cluster.groups_known or any(each.node_type is UNKNOWN for each in groups):
        yield rule.unjudged(
            cluster.place, f"the Slurm node types of {display_name(cluster)} (known only after `pulumi up`)"
        )
        return
    if not any(each.node_type for each in groups):
        yield from _older_form(cluster, groups, rule)
        return
    controllers = [display_name(each) for each in groups if each.node_type == _CONTROLLER]
    logins = [display_name(each) for each in groups if each.node_type == _LOGIN]
    without = [display_name(each) for each in groups if each.node_type is None]
    if not controllers and cluster.subnets is UNKNOWN:
        yield rule.unjudged(cluster.place, _MAY_BE_UPDATE)
    elif not controllers:
        got = f"no instance group of {display_name(cluster)} is the controller of Slurm"
        yield rule.finding(cluster.place, got, "set slurmConfig.nodeType of one instance group to Controller")
    elif len(controllers) > 1:
        got = f"{display_name(cluster)} has {len(controllers)} controller groups: {and_list(controllers)}"
        yield rule.finding(cluster.place, got, "keep one of them")
    if len(logins) > 1:
        got = f"{display_name(cluster)} has {len(logins)} groups of login nodes: {and_list(logins)}"
        yield rule.finding(cluster.place, got, "keep one of them, with more instances")
    if without:
        yield rule.unjudged(
            cluster.place,
            f"whether SageMaker accepts {and_list(without)} without slurmConfig (not documented: other groups have it)",
        )


def _older_form(cluster: SlurmHyperPodCluster, groups: tuple[InstanceGroup, ...], rule: Rule) -> Iterator[Verdict]:
    """Judges a request whose Slurm configuration is in provisioning_parameters.json."""
    uses = []
    if cluster.provisioning == _CONTINUOUS:
        uses.append("continuous provisioning")
    if any(each.mounts for each in groups if each.mounts is not UNKNOWN):
        uses.append("FSx file systems in instanceStorageConfigs")
    if uses and cluster.subnets is UNKNOWN:
        yield rule.unjudged(cluster.place, _MAY_BE_UPDATE)
    elif uses and groups:
        got = f"{display_name(cluster)} uses {and_list(uses)}, but no instance group has slurmConfig"
        yield rule.finding(
            cluster.place, got, f"set slurmConfig.nodeType of each instance group to {or_list(_NODE_TYPES)}"
        )


@rule(
    "hyperpod-slurm-partitions",
    title="Each compute group of HyperPod's Slurm is in one partition, and other groups are in none",
    judges=InstanceGroup,
    backends=(HYPERPOD_SLURM,),
    why="SageMaker refuses a compute group without a partition, and a controller or login group with one. The node "
    "types are Controller, Login and Compute: the API does not accept Worker, which its reference mentions.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterSlurmConfig.html",
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-ref.html",
    ),
    remedy="Set one partition name for each compute group.",
    facts=("hardware.md#f7",),
)
def hyperpod_slurm_partitions(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = display_name(group)
    if group.node_type is UNKNOWN or group.partitions is UNKNOWN:
        yield rule.unjudged(group.place, f"the Slurm configuration of {name} (known only after `pulumi up`)")
        return
    if fleet.find(SlurmHyperPodCluster, group.cluster) is None or group.node_type is None:
        return
    if group.node_type not in _NODE_TYPES:
        got = f"{name} has the Slurm node type '{group.node_type}', which SageMaker does not know"
        yield rule.advice.finding(group.place, got, f"set slurmConfig.nodeType to {or_list(_NODE_TYPES)}")
    elif group.node_type != _COMPUTE:
        if group.partitions:
            got = f"{name} is a {group.node_type.lower()} group, but is in partition {and_list(group.partitions)}"
            yield rule.finding(group.place, got, "remove slurmConfig.partitionNames")
    elif len(group.partitions) != 1:
        number = f"{len(group.partitions)} partitions ({and_list(group.partitions)})" if group.partitions else "none"
        got = f"compute group {name} must be in one Slurm partition, but is in {number}"
        yield rule.finding(group.place, got, "set slurmConfig.partitionNames to one name, such as training")
    else:
        (partition,) = group.partitions
        if not re.fullmatch(PARTITION, partition) or len(partition) > LONGEST_PARTITION:
            got = f"{name} is in partition '{partition}', which is not a valid name"
            yield rule.finding(group.place, got, "use letters and digits, with dashes between them, as in training")


@rule(
    "hyperpod-slurm-settings",
    title="The settings of HyperPod's Slurm are valid in the provisioning mode of the cluster",
    judges=SlurmHyperPodCluster,
    backends=(HYPERPOD_SLURM,),
    why="With continuous provisioning, HyperPod always merges, and SageMaker refuses any SlurmConfigStrategy. It "
    "accepts an accounting database only with continuous provisioning.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterOrchestratorSlurmConfig.html",
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-slurm.html",
    ),
    remedy="Remove the setting, or change the provisioning mode.",
    facts=("hardware.md#f7", "hardware.md#f9"),
)
def hyperpod_slurm_settings(cluster: SlurmHyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    strategy, database, name = cluster.slurm_strategy, cluster.accounting_database, display_name(cluster)
    if UNKNOWN in (strategy, database) or (cluster.provisioning is UNKNOWN and (strategy or database)):
        yield rule.unjudged(cluster.place, f"the Slurm settings of {name} (known only after `pulumi up`)")
        return
    continuous = cluster.provisioning == _CONTINUOUS
    if continuous and strategy:
        got = f"{name} sets slurmConfigStrategy {strategy} with continuous provisioning, which always merges"
        yield rule.finding(cluster.place, got, "remove slurmConfigStrategy")
    elif strategy and strategy not in _STRATEGIES:
        got = f"{name} has slurmConfigStrategy '{strategy}', which SageMaker does not know"
        yield rule.advice.finding(cluster.place, got, f"set it to {or_list(_STRATEGIES)}")
    if database and not continuous:
        got = f"{name} has an accounting database without continuous provisioning"
        yield rule.finding(
            cluster.place,
            got,
            "set nodeProvisioningMode to Continuous, or remove accountingDatabase: the controller then has a database",
        )
