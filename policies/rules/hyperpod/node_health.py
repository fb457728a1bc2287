"""Node recovery and deep health checks."""

from collections.abc import Iterator

from muster.config.description.instance_group import DeepHealthCheck
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.catalogue import Accelerator
from muster.policies.engine.finding_text import and_list, or_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, machines
from muster.unknown import UNKNOWN

_DEEP_CHECKS = [each.aws for each in DeepHealthCheck]


@rule(
    "hyperpod-deep-checks-known",
    title="Deep health checks exist on HyperPod, and the instances have accelerators",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="Deep health checks test GPUs, Neuron devices and EFA, so other types have nothing to test. CloudFormation, "
    "which creates the cluster, accepts only InstanceStress and InstanceConnectivity.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-resiliency-deep-health-checks.html",
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sagemaker-cluster.html",
    ),
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
