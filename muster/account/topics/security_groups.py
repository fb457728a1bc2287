"""Security groups that exist: whether they let themselves in and out, as EFA needs it."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.named import by_id, ids
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts, SecurityGroupFacts
from muster.fleet.named import Kind

_EVERYTHING = "-1"


def _inquire(wanted: Wanted) -> Inquiry:
    named = ids(wanted, Kind.SECURITY_GROUP)
    if not named:
        return Learned()
    filters = {"Filters": by_id("group-id", named)}
    groups, rules = yield [
        Question("ec2", "DescribeSecurityGroups", "security groups", filters),
        Question("ec2", "DescribeSecurityGroupRules", "rules of security groups", filters),
    ]
    found = {each["GroupId"]: each for each in groups.result["SecurityGroups"]} if groups.result else {}
    known: dict[str, SecurityGroupFacts] = {}
    for id_ in named:
        if groups.result is not None and id_ not in found:
            known[id_] = SecurityGroupFacts(exists=False)
        elif groups.result is not None or rules.result is not None:
            of_it = None if rules.result is None else rules.result["SecurityGroupRules"]
            known[id_] = _facts(id_, found.get(id_), of_it)
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


def _lets_itself(id_: str, rules: Sequence[Mapping[str, Any]], *, egress: bool) -> bool:
    """Everything, and by the group's own id: EFA is not IP, so a rule for addresses does not cover it."""
    return any(
        rule.get("GroupId") == id_
        and rule.get("IsEgress") is egress
        and rule.get("IpProtocol") == _EVERYTHING
        and rule.get("ReferencedGroupInfo", {}).get("GroupId") == id_
        for rule in rules
    )


def _words(known: SecurityGroupFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    if known.self_ingress is None:
        return f"of {known.vpc}"
    yes = {True: "lets", False: "does not let"}
    both = f"{yes[known.self_ingress]} itself in, {yes[bool(known.self_egress)]} itself out"
    return f"{both} (all protocols)"


SECURITY_GROUPS = Topic(
    "security groups",
    _inquire,
    rights={"ec2:DescribeSecurityGroupRules": "*", "ec2:DescribeSecurityGroups": "*"},
)
