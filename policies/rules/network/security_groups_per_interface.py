"""How many security groups an interface has."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, NodeGroup, Ref
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.quotas import SECURITY_GROUPS
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import is_described
from policies.lookups.parallelcluster import queue_of
from policies.lookups.security_groups import carried_groups, cluster_groups

_DEFAULT = 5
_MOST = 16


@rule(
    "security-groups-per-interface",
    title="A network interface has as many security groups as the account allows",
    judges=NodeGroup | ComputeResource | HeadNode,
    backends=("eks", "parallelcluster"),
    why="EC2 refuses to launch an instance with more security groups on an interface than the quota: 5 in an account "
    "that did not have it raised, 16 at most.",
    source="VPC user guide, Amazon VPC quotas (security groups per network interface)",
    remedy="Attach fewer security groups, or have the quota raised and save it with `muster preflight STACK --save`.",
    facts=("rules.md#7",),
)
def security_groups_per_interface(group: Ec2Group | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    carried = carried_groups(group, fleet)
    if not carried.sure:
        return  # creation will tell which of them are on the interface
    known = fleet.facts.quotas.get(SECURITY_GROUPS.code) if fleet.facts else None
    allowed = min(known or _DEFAULT, _MOST)
    if len(carried.groups) > allowed:
        whose = "the account's quota" if known else "the quota of an account that did not have it raised"
        queue = queue_of(group, fleet) if isinstance(group, ComputeResource) else None
        own = [each for each in carried.groups if isinstance(each, Ref) or each in cluster_groups(fleet)]
        theirs = len(carried.groups) - len(own)
        described = is_described(group.place) and own and theirs
        sum_ = f" ({theirs} of yours, {len(own)} of Muster's)" if described else ""
        most = f"{allowed - len(own)} of your own" if described else str(allowed)
        raised = f", or have quota {SECURITY_GROUPS.code} raised: `muster preflight STACK --save` reads it"
        yield rule.finding(
            queue.place if queue else group.place,
            at="security-groups",
            got=f"{len(carried.groups)} security groups on an interface{sum_}, and {whose} is {allowed}",
            remedy=f"attach at most {most}{'' if allowed == _MOST else raised}"
            if len(carried.groups) <= _MOST
            else f"attach fewer: AWS raises the quota to {_MOST} at most",
        )
