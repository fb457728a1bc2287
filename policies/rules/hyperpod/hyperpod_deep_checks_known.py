"""Deep health checks against what HyperPod has, and on what."""

from collections.abc import Iterator

from muster.fleet.description.instance_group import DeepHealthCheck
from muster.fleet.hardware import Accelerator
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, machines
from policies.rule import Rule, Verdict, rule
from policies.words import agree, choice, some

_KNOWN = [each.aws for each in DeepHealthCheck]


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
        yield rule.unjudged(group.place, f"the deep health checks of {called(group)}, not known before creation")
        return
    if not group.deep_checks:
        return
    unknown = group.deep_checks - set(_KNOWN)
    if unknown:
        got = f"{called(group)} asks for {some(unknown)}, which no cluster made by CloudFormation's schema can have"
        yield rule.finding(group.place, at=at, got=got, remedy=f"take {choice(_KNOWN)}, or both")
    known, missing = machines(group)
    plain = [f"ml.{machine.instance}" for machine in known if machine.accelerator is Accelerator.NONE]
    if plain:
        of = f"{some(plain)}, which {agree(plain, 'has', 'have')} none"
        got = f"{called(group)} asks for deep health checks of accelerators on {of}"
        yield rule.finding(group.place, at=at, got=got, remedy="take them out of this group")
    elif missing:
        yield rule.unjudged(group.place, missing)
