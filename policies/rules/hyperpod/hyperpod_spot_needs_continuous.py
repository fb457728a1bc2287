"""Spot instances without continuous provisioning."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, cluster_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "hyperpod-spot-needs-continuous",
    title="A HyperPod group on spot is provisioned continuously",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="AWS describes spot instances of HyperPod with continuous provisioning only, which fetches what was "
    "interrupted again. Without it one instance that is not to be had takes the whole group back.",
    source="SageMaker guide, sagemaker-hyperpod-spot, sagemaker-hyperpod-scaling-eks",
    remedy="Set provisioning to continuous.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_spot_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or cluster.provisioning == "Continuous" or group.spot is not True:
        return  # spot-not-for-training says what is not known of spot
    if cluster.provisioning is UNKNOWN:
        yield rule.unjudged(group.place, f"the provisioning mode of {called(cluster)}, not known before creation")
        return
    got = f"{called(group)} is on spot, and {called(cluster)} is not provisioned continuously"
    remedy = "set provisioning: continuous (nodeProvisioningMode), or take on-demand"
    yield rule.finding(group.place, at="capacity.spot", got=got, remedy=remedy)
