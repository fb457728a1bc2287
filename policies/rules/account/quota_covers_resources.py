"""The account's quotas of networks, clusters and file systems against what a program makes."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, CountedResource, Fleet, LustreFileSystem, NodeGroup
from policies.reading.asked import was_asked
from policies.reading.counts import counts
from policies.reading.others import others_use, use_unknown
from policies.rule import Rule, Verdict, rule


@rule(
    "quota-covers-resources",
    title="The account's quotas cover the addresses, networks, clusters and file systems that are made",
    judges=CountedResource | ControlPlane | NodeGroup | LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="An account has 5 Elastic IPs and 5 VPCs in a Region until it asks for more, and so many terabytes of Lustre: "
    "beyond a quota the deployment stops half made.",
    source="VPC user guide, Amazon VPC quotas; EKS user guide, service-quotas; FSx Lustre guide, Quotas; quota codes "
    "as in public repositories",
    remedy="Have the quota raised, or free what is not used.",
    facts=("rules.md#37", "pains.md#8"),
)
def quota_covers_resources(
    thing: CountedResource | ControlPlane | NodeGroup | LustreFileSystem, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    for each in counts(fleet):
        if each.first != thing.ref:
            continue
        quota, allowed = each.quota, fleet.facts.quotas.get(each.quota.code)
        used = others_use(fleet.facts.quotas_used, quota.code, fleet)
        wanted = each.number + (used or 0)
        if allowed is None:
            if was_asked(fleet):  # what a person wrote before this rule was there says nothing of it
                what = f"quota {quota.code} ({quota.name}): {wanted} or more"
                yield rule.unjudged(thing.place, fleet.missing(what))
        elif wanted > allowed:
            beside = f", and others have {used} of them" if used else ""
            yield rule.finding(
                thing.place,
                at="control-plane" if isinstance(thing, ControlPlane) else "",
                got=f"{each.words} here; quota {quota.code} ({quota.name}) allows {allowed}{beside}",
                remedy=f"have it raised: {quota.request(wanted)}; or free some that nothing uses",
            )
        elif used is None:
            yield rule.unjudged(thing.place, use_unknown(f"{quota.code} ({quota.name})", allowed, wanted, fleet))
