"""Existing Lustre file systems: their properties, their network, and the allowed sources."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any

from muster.account.network_access import SecurityGroupRule, allowed_inbound
from muster.account.query import Inquiry, Query
from muster.account.topic import (
    MAX_FILTER_VALUES,
    PreflightRequest,
    Topic,
    TopicLine,
    TopicResult,
    id_filter,
    parse_fact,
)
from muster.config.identifiers import is_placeholder
from muster.fleet.facts import Facts, FileSystemFacts, FileSystemState
from muster.hardware.lustre import LUSTRE, PORTS

_PORTS = tuple(port for first, last in PORTS for port in range(first, last + 1))
_ABSENT = frozenset({"FileSystemNotFound"})


def _inquire(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    systems = [each.file_system for each in wanted.blueprint.storage]
    ids = sorted({each.id for each in systems if each.existing and each.id and not is_placeholder(each.id)})
    if not ids:
        return TopicResult()
    # One by one: an unknown id fails the whole call.
    answers = yield [
        Query("fsx", "DescribeFileSystems", f"file system {id_}", {"FileSystemIds": [id_]}, _ABSENT) for id_ in ids
    ]
    told_of = {id_: each for id_, each in zip(ids, answers, strict=True) if each.answered}
    # A query by one id: FSx answers with the file system, or with an error.
    found = {id_: one for id_, each in told_of.items() for one in (each.result or {}).get("FileSystems", ())[:1]}
    answered = [id_ for id_, each in told_of.items() if id_ in found or each.absent]
    around = yield from _query_network(tuple(found.values()))
    facts = {id_: _facts(found[id_], around) if id_ in found else _NONE for id_ in answered}
    return TopicResult(
        Facts(fileSystems=facts),
        tuple(TopicLine(f"file system {id_}", _file_system_text(found.get(id_), facts[id_])) for id_ in answered),
    )


_NONE = FileSystemFacts(exists=False)


@dataclass(frozen=True, slots=True)
class _Network:
    """EC2's answers about the networks of all file systems, without values that have no answer."""

    zones: Mapping[str, str]
    """Subnet -> its zone."""
    vpcs: Mapping[str, tuple[IPv4Network, ...]]
    groups: Mapping[str, frozenset[str] | None]
    """Interface -> its security groups; None if the answer does not have all of them."""
    rules: Sequence[SecurityGroupRule] | None
    """The rules of all those groups."""


def _query_network(systems: Sequence[Mapping[str, Any]]) -> Inquiry[_Network]:
    # A file system has an interface for each of its servers, all with the same groups.
    most = MAX_FILTER_VALUES // max(1, len(systems))
    around = yield from _results_by_operation(
        _filtered("DescribeSubnets", "subnet-id", (id_ for each in systems for id_ in each.get("SubnetIds", ()))),
        _filtered("DescribeVpcs", "vpc-id", (each["VpcId"] for each in systems if "VpcId" in each)),
        _filtered(
            "DescribeNetworkInterfaces",
            "network-interface-id",
            (id_ for each in systems for id_ in each.get("NetworkInterfaceIds", ())[:most]),
        ),
    )
    groups = {
        str(each.get("NetworkInterfaceId")): _groups(each)
        for each in around.get("DescribeNetworkInterfaces", {}).get("NetworkInterfaces", ())
    }
    all_groups = frozenset[str]().union(*(each for each in groups.values() if each))
    rules = yield from _results_by_operation(_filtered("DescribeSecurityGroupRules", "group-id", all_groups))
    return _Network(
        {
            str(each.get("SubnetId")): each["AvailabilityZone"]
            for each in around.get("DescribeSubnets", {}).get("Subnets", ())
            if "AvailabilityZone" in each
        },
        {str(each.get("VpcId")): _networks(each) for each in around.get("DescribeVpcs", {}).get("Vpcs", ())},
        groups,
        rules.get("DescribeSecurityGroupRules", {}).get("SecurityGroupRules"),
    )


def _results_by_operation(
    *questions: Query | None,
) -> Inquiry[dict[str, Mapping[str, Any]]]:
    """Operation -> its result, without operations that have no answer."""
    queries = [each for each in questions if each]
    answers = yield queries
    return {each.question.operation: each.result for each in answers if each.result is not None}


_PLURAL = {
    "DescribeNetworkInterfaces": "network interfaces",
    "DescribeSecurityGroupRules": "security group rules",
    "DescribeSubnets": "subnets",
    "DescribeVpcs": "VPCs",
}


def _filtered(operation: str, name: str, values: Iterable[str]) -> Query | None:
    """A query by filter: one unknown id would fail a call by ids. None without values."""
    chosen = tuple(sorted(set(values)))
    about = f"{_PLURAL[operation]} of the file systems"
    return Query("ec2", operation, about, {"Filters": id_filter(name, chosen)}) if chosen else None


def _groups(interface: Mapping[str, Any]) -> frozenset[str] | None:
    listed = [each.get("GroupId") for each in interface.get("Groups", [{}])]
    return None if None in listed else frozenset(map(str, listed))


def _networks(vpc: Mapping[str, Any]) -> tuple[IPv4Network, ...]:
    """The VPC's IPv4 networks, which are the only ones of Lustre's clients. Empty if the answer does not have all of
    them."""
    blocks = [
        each.get("CidrBlock")
        for each in vpc.get("CidrBlockAssociationSet", ())
        if each.get("CidrBlockState", {}).get("State", "associated") == "associated"
    ]
    return () if None in blocks else tuple(map(IPv4Network, map(str, blocks)))


def _facts(system: Mapping[str, Any], around: _Network) -> FileSystemFacts:
    zones = [around.zones.get(each) for each in system.get("SubnetIds", ())]
    known: dict[str, Any] = {
        "type": system.get("FileSystemType"),
        "state": system.get("Lifecycle"),
        "vpc": system.get("VpcId"),
        "zone": zones[0] if len(zones) == 1 else None,
        "dnsName": system.get("DNSName"),
        "mountName": system.get("LustreConfiguration", {}).get("MountName"),
        "version": system.get("FileSystemTypeVersion"),
    }
    if known["type"] == LUSTRE:
        known |= _ports(system, around)
    return parse_fact(
        FileSystemFacts, {"exists": True, **{key: each for key, each in known.items() if each is not None}}
    )


def _ports(system: Mapping[str, Any], around: _Network) -> dict[str, Any]:
    """The sources that all its interfaces allow. Groups are left out if addresses of a part of the VPC, or a prefix
    list, are also allowed: nodes without any of the groups may have such an address."""
    interfaces = [around.groups.get(each) for each in system.get("NetworkInterfaceIds", ())[:MAX_FILTER_VALUES]]
    carried = {each for each in interfaces if each}
    vpc = around.vpcs.get(str(system.get("VpcId")))
    listed = [around.groups[each] for each in system.get("NetworkInterfaceIds", ()) if each in around.groups]
    if not carried or None in listed or around.rules is None:
        return {}
    each_lets = [
        allowed_inbound([rule for rule in around.rules if rule.get("GroupId") in groups], _PORTS) for groups in carried
    ]
    known: dict[str, Any] = {}
    if vpc:
        known["portsOpenToVpc"] = all(each.has(network) for each in each_lets for network in vpc)
    elif not any(each.networks for each in each_lets):
        known["portsOpenToVpc"] = False
    may_be_more = [each for each in each_lets if each.some_more or (each.touches(vpc) if vpc else bool(each.networks))]
    if known.get("portsOpenToVpc") or not may_be_more:
        known["portsOpenTo"] = sorted(frozenset.intersection(*(each.groups for each in each_lets)))
    return known


def _file_system_text(system: Mapping[str, Any] | None, facts: FileSystemFacts) -> str:
    if system is None:
        return "does not exist"
    ports = "ports open to the VPC" if facts.ports_open_to_vpc else None
    if ports is None and facts.ports_open_to is not None:
        ports = f"ports open to {', '.join(facts.ports_open_to) or 'no sources'}"
    parts = (
        _state_text(facts.state),
        f"{system.get('FileSystemType', '')} {facts.version or ''}".strip(),
        facts.zone,
        facts.vpc,
        (ports or "allowed sources unknown") if facts.type == LUSTRE else None,
    )
    return ", ".join(each for each in parts if each)


def _state_text(state: FileSystemState | None) -> str:
    if state is FileSystemState.UPDATING:
        return "updating, but usable"
    return state.value.lower() if state else "state unknown"


FILE_SYSTEMS = Topic(
    "file systems",
    "Existing Lustre file systems: their properties, their network, and the allowed sources.",
    _inquire,
    frozenset({"fileSystems"}),
    dict.fromkeys(
        (
            *("ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroupRules", "ec2:DescribeSubnets"),
            *("ec2:DescribeVpcs", "fsx:DescribeFileSystems"),
        ),
        "*",
    ),
    {
        "fsx.DescribeFileSystems": (
            *("ec2.DescribeNetworkInterfaces", "ec2.DescribeSecurityGroupRules", "ec2.DescribeSubnets"),
            "ec2.DescribeVpcs",
        )
    },
)
