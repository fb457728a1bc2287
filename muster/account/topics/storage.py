"""Existing file systems: their properties, their network, and the allowed sources; and the stack's buckets:
whether they exist, and the objects in those with lifecycle scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Any

from muster.account.network_access import SecurityGroupRule, allowed_inbound, query_rules
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import MAX_FILTER_VALUES, PreflightRequest, Topic, id_filter, read_fact
from muster.blueprint.cluster import ClusterBlueprint
from muster.config.placeholders import is_placeholder
from muster.fleet.facts import BucketFacts, Facts, FileSystemFacts
from muster.fleet.resources import Lifecycle, LustreFileSystem
from muster.fleet.resources import ref as types
from muster.fleet.resources.storage import KINDS
from muster.hardware.lustre import LUSTRE

_ABSENT = frozenset({"FileSystemNotFound"})

Json = Mapping[str, Any]


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    systems = [each.file_system for each in wanted.blueprint.storage if each.kind.service]
    kinds = {each.id: each.ref.type for each in systems if each.existing and each.id and not is_placeholder(each.id)}
    if not kinds:
        return Facts()
    # One by one: an unknown id fails the whole call.
    ids = sorted(kinds)
    answers = yield [_query(id_, kinds[id_]) for id_ in ids]
    told = dict(zip(ids, answers, strict=True))
    found = {id_: one for id_, each in told.items() for one in (each.result or {}).get("FileSystems", ())[:1]}
    of_efs = [id_ for id_ in found if kinds[id_] == types.EFS]
    targets = (yield [*map(_mount_targets, of_efs)]) if of_efs else ()
    found |= {id_: _of_efs(found[id_], each) for id_, each in zip(of_efs, targets, strict=True)}
    around = yield from _query_network(tuple(found.values()))
    gone = {id_: FileSystemFacts(exists=False) for id_, each in told.items() if each.absent}
    return Facts(fileSystems={**{id_: _facts(one, kinds[id_], around) for id_, one in found.items()}, **gone})


def _query(id_: str, kind: str) -> Query:
    about, needs = f"file system {id_}", ("FileSystems",)
    if kind == types.EFS:
        return Query("efs", "DescribeFileSystems", about, {"FileSystemId": id_}, _ABSENT, needs=needs)
    return Query("fsx", "DescribeFileSystems", about, {"FileSystemIds": [id_]}, _ABSENT, needs=needs)


def _mount_targets(id_: str) -> Query:
    about, parameters = f"mount targets of file system {id_}", {"FileSystemId": id_}
    return Query("efs", "DescribeMountTargets", about, parameters, needs=("MountTargets",))


_STATES_OF_EFS = {"ERROR": "FAILED", "DELETED": "DELETING"}


def _of_efs(system: Json, targets: Answer) -> Json:
    """A file system of EFS with its mount targets, in the words of FSx's API; without them, if EFS did not answer."""
    state = system.get("LifeCycleState", "").upper()
    known = {"FileSystemType": "EFS", "Lifecycle": _STATES_OF_EFS.get(state, state) or None}
    if targets.result is None:
        return known
    listed = targets.result["MountTargets"]
    return known | {
        "VpcId": next((each.get("VpcId") for each in listed), None),
        "SubnetIds": [each["SubnetId"] for each in listed],
        "NetworkInterfaceIds": [each["NetworkInterfaceId"] for each in listed if "NetworkInterfaceId" in each],
    }


@dataclass(frozen=True, slots=True)
class _Network:
    """EC2's answers about the networks of all file systems, without values that have no answer."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Subnet -> its zone."""
    vpcs: Mapping[str, tuple[IPv4Network, ...]] = field(default_factory=dict)
    """VPC -> its IPv4 networks, which are the only ones of Lustre's clients."""
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Interface -> its security groups."""
    rules: Sequence[SecurityGroupRule] | None = None
    """The rules of all those groups."""


def _query_network(systems: Sequence[Json]) -> Inquiry[_Network]:
    if not systems:
        return _Network()
    # A file system has an interface for each of its servers, all with the same groups.
    most = MAX_FILTER_VALUES // len(systems)
    interfaces = (id_ for each in systems for id_ in each.get("NetworkInterfaceIds", ())[:most])
    subnets, vpcs, carried = yield [
        _filtered("Subnets", "subnet-id", (id_ for each in systems for id_ in each.get("SubnetIds", ()))),
        _filtered("Vpcs", "vpc-id", (each["VpcId"] for each in systems if each.get("VpcId"))),
        _filtered("NetworkInterfaces", "network-interface-id", interfaces),
    ]
    groups = {
        each["NetworkInterfaceId"]: frozenset(group["GroupId"] for group in each["Groups"])
        for each in _entries(carried, "NetworkInterfaces")
    }
    of_rules = query_rules(frozenset[str]().union(*groups.values()), "security group rules of the file systems")
    answers = (yield of_rules) if of_rules else ()
    return _Network(
        {each["SubnetId"]: each["AvailabilityZone"] for each in _entries(subnets, "Subnets")},
        {each["VpcId"]: tuple(_networks(each)) for each in _entries(vpcs, "Vpcs")},
        groups,
        next((each.result["SecurityGroupRules"] for each in answers if each.result is not None), None),
    )


_NEEDS = {
    "Subnets": ("Subnets[].SubnetId", "Subnets[].AvailabilityZone"),
    "Vpcs": ("Vpcs[].VpcId", "Vpcs[].CidrBlockAssociationSet[].CidrBlock"),
    "NetworkInterfaces": ("NetworkInterfaces[].NetworkInterfaceId", "NetworkInterfaces[].Groups[].GroupId"),
}


def _filtered(kind: str, name: str, values: Iterable[str]) -> Query:
    """A query by filter: one unknown id would fail a call by ids."""
    filters = {"Filters": id_filter(name, tuple(sorted({*values})))}
    return Query("ec2", f"Describe{kind}", f"{kind} of the file systems", filters, needs=_NEEDS[kind])


def _entries(answer: Answer, key: str) -> Sequence[Json]:
    entries: Sequence[Json] = (answer.result or {}).get(key, ())
    return entries


def _networks(vpc: Json) -> Iterable[IPv4Network]:
    for each in vpc["CidrBlockAssociationSet"]:
        if each.get("CidrBlockState", {}).get("State", "associated") == "associated":
            yield IPv4Network(each["CidrBlock"])


_FILE_SYSTEM = {
    "type": "FileSystemType",
    "state": "Lifecycle",
    "vpc": "VpcId",
    "dnsName": "DNSName",
    "mountName": "LustreConfiguration.MountName",
    "version": "FileSystemTypeVersion",
}


def _facts(system: Json, type_: str, around: _Network) -> FileSystemFacts:
    zones = [around.zones.get(each) for each in system.get("SubnetIds", ())]
    kind = system.get("FileSystemType")
    ports = tuple(port for first, last in KINDS[type_].needed for port in range(first, last + 1))
    known = _open_ports(system, ports, around) if kind in (LUSTRE, "EFS", "OPENZFS") else {}
    if kind == "EFS":
        known["zones"] = sorted(filter(None, zones)) if "SubnetIds" in system and None not in zones else None
    else:
        known["zone"] = zones[0] if len(zones) == 1 else None
    return read_fact(FileSystemFacts, system, _FILE_SYSTEM, exists=True, **known)


def _open_ports(system: Json, ports: tuple[int, ...], around: _Network) -> dict[str, Any]:
    """The sources that all its interfaces allow. Groups are left out if addresses of a part of the VPC, or a prefix
    list, are also allowed: nodes without any of the groups may have such an address."""
    interfaces = system.get("NetworkInterfaceIds", ())
    carried = {around.groups[each] for each in interfaces if around.groups.get(each)}
    if not carried or around.rules is None:
        return {}
    each_lets = [
        allowed_inbound([rule for rule in around.rules if rule["GroupId"] in groups], ports) for groups in carried
    ]
    vpc = around.vpcs.get(str(system.get("VpcId")))
    known: dict[str, Any] = {}
    if vpc:
        known["portsOpenToVpc"] = all(each.has(network) for each in each_lets for network in vpc)
    elif not any(each.networks for each in each_lets):
        known["portsOpenToVpc"] = False
    may_be_more = [each for each in each_lets if each.some_more or (each.touches(vpc) if vpc else bool(each.networks))]
    if known.get("portsOpenToVpc") or not may_be_more:
        known["portsOpenTo"] = sorted(frozenset.intersection(*(each.groups for each in each_lets)))
    return known


FILE_SYSTEMS = Topic(
    "file systems",
    "Existing file systems: their properties, their network, and the allowed sources.",
    _inquire,
    frozenset({"fileSystems"}),
)


_NO_BUCKET = frozenset({"NoSuchBucket"})


def _inquire_buckets(wanted: PreflightRequest) -> Inquiry[Facts]:
    scripts = _with_scripts(wanted.blueprint)
    others = sorted(frozenset(_with_data(wanted.blueprint)) - scripts.keys())
    about = [(name, _about_scripts(name, folder)) for name, folders in scripts.items() for folder in folders]
    about += [(name, _about_data(name)) for name in others]
    if not about:
        return Facts()
    answers: dict[str, list[Answer]] = {}
    for (name, _), answer in zip(about, (yield [query for _, query in about]), strict=True):
        answers.setdefault(name, []).append(answer)
    facts = {name: _bucket(several, listed=name in scripts) for name, several in answers.items()}
    return Facts(buckets={name: each for name, each in facts.items() if each != BucketFacts()})


def _with_scripts(blueprint: ClusterBlueprint) -> dict[str, list[str]]:
    """Bucket -> its folders with the scripts of HyperPod's instances."""
    found: dict[str, set[str]] = {}
    for group in blueprint.hyperpod_groups:
        lifecycle = group.lifecycle
        source = lifecycle.source if isinstance(lifecycle, Lifecycle) else None
        if isinstance(source, str) and not is_placeholder(source):
            name, folder = _parts(source)
            found.setdefault(name, set()).add(folder.strip("/"))
    return {name: sorted(found[name]) for name in sorted(found)}


def _with_data(blueprint: ClusterBlueprint) -> Iterator[str]:
    """The buckets of file systems, of the nodes' S3 access, and of their scripts."""
    for storage in blueprint.storage:
        system = storage.file_system
        if isinstance(system, LustreFileSystem):
            yield from _filled_in(each.s3 for each in system.associations)
        elif not storage.kind.service:
            yield from _filled_in([f"s3://{system.id}"])
    yield from _filled_in(blueprint.s3_addresses)


def _filled_in(addresses: Iterable[str]) -> Iterator[str]:
    return (_parts(each)[0] for each in addresses if not is_placeholder(each))


def _parts(address: str) -> tuple[str, str]:
    name, _, folder = address.removeprefix("s3://").partition("/")
    return name, folder


def _about_data(name: str) -> Query:
    return Query("s3", "GetBucketLocation", f"bucket {name}", {"Bucket": name}, _NO_BUCKET)


def _about_scripts(name: str, folder: str) -> Query:
    """The query for a folder with scripts, without its subfolders, because scripts are only in the folder, and a bucket
    of SageMaker may contain many other objects."""
    below = {"Prefix": f"{folder}/" if folder else "", "Delimiter": "/"}
    about, needs = f"scripts in {name}/{folder}", ("Contents?[].Key",)
    return Query("s3", "ListObjectsV2", about, {"Bucket": name, **below}, _NO_BUCKET, needs=needs)


def _bucket(answers: Sequence[Answer], *, listed: bool) -> BucketFacts:
    """The facts about a bucket. A script that is missing in an incomplete list would count as a missing file."""
    if any(each.absent for each in answers):
        return BucketFacts(exists=False)
    answered = [each.result for each in answers if each.result is not None]
    files = sorted(each["Key"] for result in answered for each in result.get("Contents", ()))
    whole = listed and len(answered) == len(answers)
    return BucketFacts(exists=True if answered else None, files=tuple(files) if whole else None)


BUCKETS = Topic(
    "buckets",
    "Buckets of the stack: whether they exist, and the content of those with lifecycle scripts.",
    _inquire_buckets,
    frozenset({"buckets"}),
)
