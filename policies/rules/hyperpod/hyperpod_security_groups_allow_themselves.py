"""Security groups on HyperPod's interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, Ref, Reference, SecurityGroup
from muster.fleet.resources.place import CLUSTER
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, machines
from policies.reading.self_traffic import lacks, only_to_everywhere
from policies.rule import Rule, Verdict, rule
from policies.words import name_of


@rule(
    "hyperpod-security-groups-allow-themselves",
    title="Every security group of a HyperPod group with EFA allows all protocols from itself and to itself",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod attaches all groups to all interfaces and tries EFA before it gives a node away: one attached group "
    "without the rules is enough for 'EFA health checks did not run successfully', and the cluster is taken back. "
    "Everything out to 0.0.0.0/0 does not cover EFA, which is not IP.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites; awsome-distributed-ai#259",
    remedy="Give each group an ingress and an egress rule with protocol -1 that name the group itself.",
    facts=("rules.md#7", "pains.md#6", "pains.md#7", "hardware.md#f5"),
)
def hyperpod_security_groups_allow_themselves(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known, missing = machines(group)
    if not any(machine.max_efa for machine in known):
        if missing:
            yield rule.unjudged(group.place, missing)
        return
    if group.security_groups is UNKNOWN:
        yield rule.unjudged(group.place, f"the security groups of {called(group)}, not known before creation")
        return
    for each in group.security_groups:
        yield from _verdict(each, group, fleet, rule)


def _verdict(each: Reference, group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lacking, name = lacks(each, fleet), name_of(each)
    if lacking is None:
        yield rule.unjudged(group.place, fleet.missing(f"the rules of security group {name}"))
    elif lacking is UNKNOWN:
        yield rule.unjudged(group.place, f"the rules of security group {name}, not known before creation")
    elif lacking:
        at_fault, both = fleet.find(SecurityGroup, each), lacking.replace(" or ", " and ")
        bare = "to" in lacking.split() and only_to_everywhere(each, fleet)
        mend = f"give {name} a rule for all protocols (-1) {both} itself"
        yield rule.finding(
            at_fault.place if at_fault else group.place,
            at="" if at_fault else "security-groups",
            got=f"security group {name} is on HyperPod's EFA interfaces and does not allow all protocols {lacking} "
            f"itself{': it lets everything out to 0.0.0.0/0, which does not cover EFA' if bare else ''}",
            remedy="take Kubernetes 1.33 or newer, where EKS gives its group that rule"
            if isinstance(each, Ref) and each.type == CLUSTER
            else mend,
        )
