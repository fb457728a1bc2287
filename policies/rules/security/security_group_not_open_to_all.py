"""What the whole internet may send to nodes."""

from collections.abc import Iterator
from ipaddress import ip_network

from pydantic import Field

from muster.fleet.resources import AddedRule, Fleet, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EVERY_PROTOCOL, INGRESS, TCP
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.finding_text import and_list
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule

_LAST_PORT = 65535
_SSH = 22


class Ports(Options):
    """Ports that may not be open to the world."""

    ports: tuple[int, ...] = Field(
        default=(_SSH,),
        description="TCP ports that no security group opens to the world; every port at once never is.",
    )


@rule(
    "security-group-not-open-to-all",
    title="No security group opens SSH, or everything, to the whole world",
    severity=Severity.CRITICAL,
    judges=SecurityGroup | AddedRule,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Port 22 open to everybody is scanned within minutes, and one weak key is a shell on nodes that cost more than "
    "anything else in the account. Sessions of SSM need no port, and nodes none from outside the VPC.",
    source="AWS Config rules, restricted-ssh; AWS Control Tower controls, CT.EC2.PR.3",
    remedy="Name the networks that people come from, or open no port and use SSM.",
    facts=("aws-controls#restricted-ssh", "aws-controls#CT.EC2.PR.3"),
    options=Ports,
)
def security_group_not_open_to_all(group: SecurityGroup | AddedRule, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    ports = Ports.of(rule.settings).ports
    unseen = False
    for each in sorted(group.allows, key=str):
        open_, opened = _from_all(each.peer), _opened(each, ports)
        if each.direction != INGRESS or open_ is False or opened == "":
            continue
        if open_ is UNKNOWN or opened is UNKNOWN:
            unseen = True
            continue
        yield rule.finding(
            group.place,
            got=f"{group.ref.name} lets {opened} in from everywhere ({each.peer})",
            remedy="name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
        )
    if unseen:
        missing = f"from where {group.ref.name} lets {and_list(f'port {port}' for port in ports)} in, or to whom: "
        yield rule.unjudged(group.place, f"{missing}a rule of it is not known before creation, or names a prefix list")


def _from_all(peer: object) -> bool | UnknownType:
    """Whether a peer is half of all addresses, or more. The entries of a prefix list are not known."""
    if peer is UNKNOWN:
        return UNKNOWN
    if not isinstance(peer, str) or "/" not in peer:
        return UNKNOWN if str(peer).startswith("pl-") else False
    try:
        return ip_network(peer, strict=False).prefixlen <= 1
    except ValueError:
        return False


def _opened(rule: SecurityGroupRule, ports: tuple[int, ...]) -> str | UnknownType:
    """What a rule opens, in words; nothing where none of the ports is in it."""
    if rule.protocol is UNKNOWN:
        return UNKNOWN
    if rule.protocol == EVERY_PROTOCOL:
        return "everything"
    if rule.protocol != TCP:
        return ""
    if rule.first is UNKNOWN or rule.last is UNKNOWN:
        return UNKNOWN
    first, last = rule.first or 0, _LAST_PORT if rule.last is None else rule.last
    if first <= 1 and last >= _LAST_PORT:
        return "every TCP port"
    within = [port for port in ports if first <= port <= last]
    return "SSH (port 22)" if within == [_SSH] else f"TCP {and_list(within)}" if within else ""
