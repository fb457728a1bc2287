"""Security groups that exist: whether they let themselves in and out, as EFA needs it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account.ask import Inquiry
from muster.account.named import by_id, ids, listed
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts, SecurityGroupFacts
from muster.fleet.named import Kind

_EVERYTHING = "-1"


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    named = ids(wanted, Kind.SECURITY_GROUP)
    if not named:
        return Learned()
    filters = {"Filters": by_id("group-id", named)}
    groups, rules = yield [
        Question("ec2", "DescribeSecurityGroups", "security groups", filters),
        Question("ec2", "DescribeSecurityGroupRules", "rules of security groups", filters),
    ]
    found = listed(groups, "SecurityGroups", "GroupId")
    of_all = None if rules.result is None else rules.result.get("SecurityGroupRules")
    known: dict[str, SecurityGroupFacts] = {}
    for id_ in named:
        if found is not None and id_ not in found:
            known[id_] = SecurityGroupFacts(exists=False)
        elif found is not None or of_all is not None:
            known[id_] = _facts(id_, (found or {}).get(id_), of_all)
    return Learned(
        Facts.model_validate({"securityGroups": known}),
        tuple(Said(f"security group {id_}", _words(facts)) for id_, facts in known.items()),
    )


def _facts(id_: str, group: Mapping[str, Any] | None, rules: Sequence[Mapping[str, Any]] | None) -> SecurityGroupFacts:
    return told(
        SecurityGroupFacts,
        {
            "exists": group is not None or None,
            "vpc": group.get("VpcId") if group else None,
            "selfIngress": None if rules is None else _lets_itself(id_, rules, egress=False),
            "selfEgress": None if rules is None else _lets_itself(id_, rules, egress=True),
        },
    )


def _lets_itself(id_: str, rules: Sequence[Mapping[str, Any]], *, egress: bool) -> bool | None:
    """Everything, and by the group's own id: EFA is not IP, so a rule for addresses does not cover it. None where a
    rule may do so of which AWS does not say all."""
    wanted = (id_, egress, _EVERYTHING, id_)
    whole = [tuple(_parts(rule)) for rule in rules]
    if wanted in whole:
        return True
    may_be = (all(part in {None, each} for part, each in zip(parts, wanted, strict=True)) for parts in whole)
    return None if any(may_be) else False


def _parts(rule: Mapping[str, Any]) -> Iterator[object]:
    """What a rule is of, which way, for what, and for whom; None where it does not say."""
    yield from (rule.get(key) for key in ("GroupId", "IsEgress", "IpProtocol"))
    by_address = any(rule.get(key) for key in ("CidrIpv4", "CidrIpv6", "PrefixListId"))
    yield "addresses" if by_address else rule.get("ReferencedGroupInfo", {}).get("GroupId")


def _words(known: SecurityGroupFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    if known.self_ingress is None and known.self_egress is None:
        return f"of {known.vpc}"
    yes = {True: "lets", False: "does not let", None: "may let"}
    both = f"{yes[known.self_ingress]} itself in, {yes[known.self_egress]} itself out"
    return f"{both} (all protocols)"


SECURITY_GROUPS = Topic(
    "security groups",
    _inquire,
    frozenset({"securityGroups"}),
    rights={"ec2:DescribeSecurityGroupRules": "*", "ec2:DescribeSecurityGroups": "*"},
)
