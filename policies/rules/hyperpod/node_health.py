"""Node recovery and deep health checks."""

from collections.abc import Iterator

from muster.config.description.instance_group import DeepHealthCheck
from muster.finding import Level
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.hardware.catalogue import Accelerator
from muster.policies.engine.finding_text import and_list, or_list, singular_or_plural
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, machines
from muster.unknown import UNKNOWN

_NODE_RECOVERY = ("Automatic", "None")


@rule(
    "hyperpod-node-recovery-known",
    title="Node recovery is Automatic or None",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HyperPodCluster,
    backends=IN_HYPERPOD,
    why="The API refuses any other value. With None, failed instances only get a label and stay in the cluster. A "
    "description uses its own two values for the same setting.",
    source="SageMaker API, ClusterNodeRecovery",
    remedy="Set NodeRecovery to Automatic.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_node_recovery_known(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.node_recovery is UNKNOWN:
        yield rule.unjudged(
            cluster.place, f"the node recovery of {display_name(cluster)} (known only after `pulumi up`)"
        )
    elif cluster.node_recovery is not None and cluster.node_recovery not in _NODE_RECOVERY:
        got = f"{display_name(cluster)} has node recovery '{cluster.node_recovery}', which HyperPod does not know"
        yield rule.finding(
            cluster.place,
            at="node-recovery",
            got=got,
            remedy="set nodeRecovery to Automatic, which reboots or replaces failed instances",
        )


_DEEP_CHECKS = [each.aws for each in DeepHealthCheck]


@rule(
    "hyperpod-deep-checks-known",
    title="Deep health checks exist on HyperPod, and the instances have accelerators",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="Deep health checks test GPUs, Neuron devices and EFA, so other types have nothing to test. CloudFormation, "
    "which creates the cluster, accepts only InstanceStress and InstanceConnectivity.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-deep-health-checks; CloudFormation schema of "
    "AWS::SageMaker::Cluster, DeepHealthCheckType",
    remedy="Use only these two checks, and only on groups with accelerators.",
    facts=("rules.md#59", "hardware.md#R19", "hardware.md#f4"),
)
def hyperpod_deep_checks_known(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.deep-health-checks"
    if group.deep_checks is UNKNOWN:
        yield rule.unjudged(
            group.place, f"the deep health checks of {display_name(group)} (known only after `pulumi up`)"
        )
        return
    if not group.deep_checks:
        return
    unknown = group.deep_checks - set(_DEEP_CHECKS)
    if unknown:
        got = (
            f"{display_name(group)} requests the deep health "
            f"{singular_or_plural(unknown, 'check', 'checks')} {and_list(unknown)}, which CloudFormation refuses"
        )
        yield rule.advice.finding(
            group.place,
            at=at,
            got=got,
            remedy=f"request {or_list(_DEEP_CHECKS)}, or both",
            program_remedy=f"set onStartDeepHealthChecks to {or_list(_DEEP_CHECKS)}, or both",
        )
    known, missing = machines(group)
    plain = [f"ml.{machine.instance}" for machine in known if machine.accelerator is Accelerator.NONE]
    if plain:
        of = f"{and_list(plain)}, which {singular_or_plural(plain, 'has', 'have')} no accelerators"
        got = f"{display_name(group)} requests deep health checks on {of}"
        yield rule.finding(
            group.place,
            at=at,
            got=got,
            remedy="remove the deep health checks from this group",
            program_remedy="remove onStartDeepHealthChecks from this group",
        )
    elif missing:
        yield rule.unjudged(group.place, missing)


_MILD = "PreferNoSchedule"
_FEW = 5
"""Up to this number, a finding lists the taints by name."""


@rule(
    "hyperpod-taints-beside-deep-checks",
    title="A HyperPod group with deep health checks sets no taints that keep pods off",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Deep health checks run as pods on the node, and AWS does not document which taints they tolerate beside "
    "HyperPod's own. If they do not tolerate a taint, the check never ends and no job ever runs there.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-deep-health-checks; aws/sagemaker-hyperpod-cli, "
    "HyperPodHelmChart",
    remedy="Test with one node first, or remove the taint. HyperPod's own taint keeps jobs off until the checks pass.",
    facts=("rules.md#59", "hardware.md#f4"),
)
def hyperpod_taints_beside_deep_checks(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.deep_checks is UNKNOWN or not group.deep_checks:
        return  # hyperpod-deep-checks-known reports it
    if group.taints is UNKNOWN:
        yield rule.unjudged(group.place, f"the taints of {display_name(group)} (known only after `pulumi up`)")
        return
    keys = sorted({taint.key for taint in group.taints if taint.effect != _MILD})
    if keys:
        what = and_list(keys) if len(keys) <= _FEW else f"its {len(keys)} taints"
        got = f"{display_name(group)} has deep health checks, whose pods may not tolerate {what}"
        them = what if len(keys) <= _FEW else "them"
        test = "test with one node that the checks end"
        remedy = f"{test}, or remove {them} until the checks have passed"
        in_program = f"{test}, or remove {them} from kubernetesConfig.taints until the checks have passed"
        yield rule.finding(group.place, at="taints", got=got, remedy=remedy, program_remedy=in_program)
