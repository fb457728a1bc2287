"""What security groups allow from the whole internet."""

from collections.abc import Iterator
from ipaddress import ip_network

from pydantic import Field

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import AddedRule, Fleet, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EVERY_PROTOCOL, INGRESS, TCP
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN, UnknownType

_LAST_PORT = 65535
_SSH = 22


class Ports(Options):
    """Ports that must not be open to the internet."""

    ports: tuple[int, ...] = Field(
        default=(_SSH,),
        description="TCP ports that no security group may open to the internet. Opening all ports is never allowed.",
    )


@rule(
    "security-group-not-open-to-all",
    title="No security group opens SSH, or all ports, to the whole internet",
    severity=Severity.CRITICAL,
    judges=SecurityGroup | AddedRule,
    backends=EVERY_BACKEND,
    why="Attackers scan an open port 22 within minutes, and one weak key gives them a shell on the most expensive "
    "nodes of the account. SSM sessions need no open port, and nodes need no traffic from outside the VPC.",
    source="AWS Config rules, restricted-ssh; AWS Control Tower controls, CT.EC2.PR.3",
    remedy="Allow only the networks that users connect from, or open no port and use SSM.",
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
            got=f"security group {group.ref.name} allows {opened} from the whole internet ({each.peer})",
            remedy="allow only the networks that users connect from, such as 203.0.113.0/24, or remove the rule and "
            "use SSM",
            program_remedy=f"set {_property(group, str(each.peer))} to the networks that users connect from, such as "
            "203.0.113.0/24, or remove the rule and use SSM",
        )
    if unseen:
        missing = f"the sources from which {group.ref.name} allows {and_list(f'port {port}' for port in ports)}"
        yield rule.unjudged(group.place, f"{missing} (a rule is known only after `pulumi up`, or uses a prefix list)")


def _property(group: SecurityGroup | AddedRule, peer: str) -> str:
    """The property with the networks that a rule admits."""
    of_vpc = "aws:vpc/" in group.place.resource  # one rule, with one network
    if ":" in peer:
        return "cidrIpv6" if of_vpc else "ipv6CidrBlocks"
    return "cidrIpv4" if of_vpc else "cidrBlocks"


def _from_all(peer: object) -> bool | UnknownType:
    """Whether a peer covers at least half of all addresses. The entries of a prefix list are not known."""
    if peer is UNKNOWN:
        return UNKNOWN
    if not isinstance(peer, str) or "/" not in peer:
        return UNKNOWN if str(peer).startswith("pl-") else False
    try:
        return ip_network(peer, strict=False).prefixlen <= 1
    except ValueError:
        return False


def _opened(rule: SecurityGroupRule, ports: tuple[int, ...]) -> str | UnknownType:
    """What a rule opens, in words; empty if it opens none of the ports."""
    if rule.protocol is UNKNOWN:
        return UNKNOWN
    if rule.protocol == EVERY_PROTOCOL:
        return "all traffic"
    if rule.protocol != TCP:
        return ""
    if rule.first is UNKNOWN or rule.last is UNKNOWN:
        return UNKNOWN
    first, last = rule.first or 0, _LAST_PORT if rule.last is None else rule.last
    if first <= 1 and last >= _LAST_PORT:
        return "every TCP port"
    within = [port for port in ports if first <= port <= last]
    return "SSH (port 22)" if within == [_SSH] else f"TCP {and_list(within)}" if within else ""
