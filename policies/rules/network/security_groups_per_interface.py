"""The number of security groups of an interface."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, Ref
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.quotas import SECURITY_GROUPS
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import queue_of
from muster.policies.lookups.security_groups import carried_groups, cluster_groups
from muster.unknown import NotKnown

_DEFAULT = 5
_MOST = 16


def security_groups_per_interface(
    group: Ec2Group | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    carried = carried_groups(group, fleet)
    if not carried.sure:
        raise NotKnown("which security groups are on which interface")
    known = fleet.facts.quotas.get(SECURITY_GROUPS.code) if fleet.facts else None
    allowed = min(known or _DEFAULT, _MOST)
    if len(carried.groups) > allowed:
        whose = "the account's quota" if known else "the default quota"
        queue = queue_of(group, fleet) if isinstance(group, ComputeResource) else None
        own = [each for each in carried.groups if isinstance(each, Ref) or each in cluster_groups(fleet)]
        theirs = len(carried.groups) - len(own)
        described = group.place.described and own and theirs
        sum_ = f" ({theirs} from the description, {len(own)} from Muster)" if described else ""
        most = f"{allowed - len(own)} security groups in the description" if described else f"{allowed} security groups"
        raised = f"request a higher quota {SECURITY_GROUPS.code} (`muster preflight STACK --save` reads it)"
        yield rule.finding(
            group,
            "security-groups",
            place=queue.place if queue else None,
            got=f"an interface has {len(carried.groups)} security groups{sum_}, but {whose} is {allowed}",
            change=(f"attach at most {most}", *(() if len(carried.groups) > _MOST else (raised,))),
        )
