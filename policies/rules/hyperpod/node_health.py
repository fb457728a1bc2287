"""Node recovery and deep health checks."""

from collections.abc import Iterator

from muster.config.description.instance_group import DeepHealthCheck
from muster.finding import Level
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.hardware.catalogue import Accelerator
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, or_list, singular_or_plural
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.hyperpod import display_name, machines

_NODE_RECOVERY = ("Automatic", "None")


@rule(
    "hyperpod-node-recovery-known",
    title="Node recovery is Automatic or None",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The API refuses any other word. With None instances that fail stay where they are, with a label. A "
    "description has its own two words.",
    source="SageMaker API, ClusterNodeRecovery",
    remedy="Write Automatic.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_node_recovery_known(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.node_recovery is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the node recovery of {display_name(cluster)}, not known before creation")
    elif cluster.node_recovery is not None and cluster.node_recovery not in _NODE_RECOVERY:
        got = f"{display_name(cluster)} asks for node recovery '{cluster.node_recovery}'"
        yield rule.finding(
            cluster.place,
            at="node-recovery",
            got=got,
            remedy="write Automatic, which reboots or replaces instances that fail",
        )


_DEEP_CHECKS = [each.aws for each in DeepHealthCheck]


@rule(
    "hyperpod-deep-checks-known",
    title="Deep health checks are HyperPod's, on instances with accelerators",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="They try GPUs, Neuron devices and EFA, so that there is nothing to try on other types. CloudFormation takes "
    "InstanceStress and InstanceConnectivity; MultiNodeTrainingValidation is the SDK's alone.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-deep-health-checks; CloudFormation schema of "
    "AWS::SageMaker::Cluster, DeepHealthCheckType",
    remedy="Name the two checks, on accelerated groups only.",
    facts=("rules.md#59", "hardware.md#R19", "hardware.md#f4"),
)
def hyperpod_deep_checks_known(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.deep-health-checks"
    if group.deep_checks is UNKNOWN:
        yield rule.unjudged(group.place, f"the deep health checks of {display_name(group)}, not known before creation")
        return
    if not group.deep_checks:
        return
    unknown = group.deep_checks - set(_DEEP_CHECKS)
    if unknown:
        got = (
            f"{display_name(group)} asks for {and_list(unknown)}, "
            "which no cluster made by CloudFormation's schema can have"
        )
        yield rule.finding(group.place, at=at, got=got, remedy=f"take {or_list(_DEEP_CHECKS)}, or both")
    known, missing = machines(group)
    plain = [f"ml.{machine.instance}" for machine in known if machine.accelerator is Accelerator.NONE]
    if plain:
        of = f"{and_list(plain)}, which {singular_or_plural(plain, 'has', 'have')} none"
        got = f"{display_name(group)} asks for deep health checks of accelerators on {of}"
        yield rule.finding(group.place, at=at, got=got, remedy="take them out of this group")
    elif missing:
        yield rule.unjudged(group.place, missing)


_MILD = "PreferNoSchedule"
_FEW = 5
"""As many taints are named one by one."""


@rule(
    "hyperpod-taints-beside-deep-checks",
    title="A HyperPod group with deep health checks keeps no pods off by taints of its own",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Deep health checks run on the node as pods, and AWS nowhere says which taints they tolerate beside HyperPod's "
    "own. Where they do not, the check never ends, and no job ever runs there.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-deep-health-checks; aws/sagemaker-hyperpod-cli, "
    "HyperPodHelmChart",
    remedy="Try one node first, or do without the taint: HyperPod's own keeps jobs off until the checks have passed.",
    facts=("rules.md#59", "hardware.md#f4"),
)
def hyperpod_taints_beside_deep_checks(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.deep_checks is UNKNOWN or not group.deep_checks:
        return  # hyperpod-deep-checks-known reports it
    if group.taints is UNKNOWN:
        yield rule.unjudged(group.place, f"the taints of {display_name(group)}, not known before creation")
        return
    keys = sorted({taint.key for taint in group.taints if taint.effect != _MILD})
    if keys:
        what = and_list(keys) if len(keys) <= _FEW else f"its {len(keys)} taints"
        got = f"{display_name(group)} has deep health checks, whose pods may not tolerate {what}"
        them = what if len(keys) <= _FEW else "them"
        remedy = f"see with one node that the checks end, or leave {them} out while they run"
        yield rule.finding(group.place, at="taints", got=got, remedy=remedy)
