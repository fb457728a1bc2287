"""Views of file systems and of what their security groups let pass: half-known, written another way, or wrong."""

from typing import Any

import pytest

from muster.fleet.resources import DataAssociation, LustreFileSystem, Ref, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic, tcp
from muster.fleet.resources.ref import DATA_ASSOCIATION, LUSTRE, SECURITY_GROUP, SUBNET
from muster.unknown import UNKNOWN, if_known
from tests.policies.views.registrations import INGRESS_RULE, ODD, registered, seen

CLASSIC_RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
FSX, NODES = (Ref(SECURITY_GROUP, name) for name in ("fsx", "nodes"))


def file_system(**inputs: Any) -> LustreFileSystem:
    (found,) = seen(registered(LUSTRE, "scratch", **inputs)).of(LustreFileSystem)
    return found


def test_nothing_said_is_what_fsx_makes_of_it() -> None:
    """SCRATCH_1 on SSD, without anything."""
    found = file_system()
    assert (found.deployment, found.disk, found.efa, found.backup_days) == ("SCRATCH_1", "SSD", False, 0)
    assert (found.size, found.throughput, found.version, found.key) == (None, None, None, None)
    assert (found.metadata_mode, found.subnets, found.security_groups, found.associations) == (None, (), (), ())


def test_what_is_restored_from_a_backup_takes_after_it() -> None:
    found = file_system(backupId="backup-0123456789abcdef0", deploymentType="PERSISTENT_2")
    assert found.deployment == "PERSISTENT_2"
    assert found.size is UNKNOWN
    assert found.efa is UNKNOWN


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("subnet-1", ("subnet-1",)),
        (["subnet-1"], ("subnet-1",)),
        (["subnet-2", "subnet-1"], ("subnet-1", "subnet-2")),
        (UNKNOWN, (Ref(SUBNET, "a"),)),
        ([UNKNOWN], (Ref(SUBNET, "a"),)),
        ("", ()),
        (None, ()),
    ],
)
def test_one_subnet_as_text_or_list(given: Any, expected: Any) -> None:
    made = registered(LUSTRE, "scratch", subnetIds=given, needs={"subnetIds": [Ref(SUBNET, "a")]})
    (found,) = seen(registered(SUBNET, "a"), made).of(LustreFileSystem)
    assert found.subnets == expected


def test_metadata_as_a_block_or_a_list_of_one() -> None:
    for given in ({"mode": "USER_PROVISIONED", "iops": "6000"}, [{"mode": "USER_PROVISIONED", "iops": 6000}]):
        found = file_system(metadataConfiguration=given)
        assert (found.metadata_mode, found.metadata_iops) == ("USER_PROVISIONED", 6000)
    found = file_system(metadataConfiguration=UNKNOWN)
    assert (found.metadata_mode, found.metadata_iops) == (UNKNOWN, UNKNOWN)


def link(name: str, owner: Any, needs: list[Ref], **inputs: Any) -> Any:
    return registered(DATA_ASSOCIATION, name, fileSystemId=owner, needs={"fileSystemId": needs}, **inputs)


def linked(*links: Any) -> Any:
    fleet = seen(registered(LUSTRE, "scratch", id="fs-1"), registered(LUSTRE, "other", id="fs-2"), *links)
    found = fleet.find(LustreFileSystem, Ref(LUSTRE, "scratch"))
    assert found is not None
    return found.associations


def test_associations_belong_to_their_file_system() -> None:
    """By id, and by what an unknown id is made of."""
    mine = link("a", "fs-1", [], fileSystemPath="/b/", dataRepositoryPath="s3://b")
    unknown = link("b", UNKNOWN, [Ref(LUSTRE, "scratch")], fileSystemPath="/a", dataRepositoryPath=UNKNOWN)
    other = link("c", "fs-2", [], fileSystemPath="/c", dataRepositoryPath="s3://c")
    assert linked(mine, unknown, other) == (DataAssociation("/a", UNKNOWN), DataAssociation("/b", "s3://b"))


def test_an_association_of_one_of_two_is_of_neither() -> None:
    both = [Ref(LUSTRE, "scratch"), Ref(LUSTRE, "other")]
    assert linked(link("a", UNKNOWN, both, fileSystemPath="/a", dataRepositoryPath="s3://a")) is UNKNOWN


def test_events() -> None:
    events = {"autoImportPolicy": {"events": ["NEW"]}, "autoExportPolicy": {"events": UNKNOWN}}
    (found,) = linked(link("a", "fs-1", [], fileSystemPath="/", dataRepositoryPath="s3://a", s3=events))
    assert (found.imports, found.exports) == (frozenset({"NEW"}), UNKNOWN)


def test_no_value_crashes_a_view() -> None:
    names = (
        "subnetIds securityGroupIds storageCapacity deploymentType storageType perUnitStorageThroughput driveCacheType "
        "metadataConfiguration efaEnabled fileSystemTypeVersion kmsKeyId automaticBackupRetentionDays importPath "
        "dataCompressionType exportPath autoImportPolicy backupId"
    )
    for value in ODD:
        for name in names.split():
            seen(registered(LUSTRE, "odd", **{name: value}))
        for name in ("fileSystemId", "fileSystemPath", "dataRepositoryPath", "s3"):
            given = {"fileSystemId": "fs-1", "fileSystemPath": "/a", "dataRepositoryPath": "s3://a", name: value}
            seen(registered(LUSTRE, "scratch", id="fs-1"), registered(DATA_ASSOCIATION, "odd", **given))
        entry = {"protocol": value, "fromPort": value, "toPort": value, "securityGroups": value, "cidrBlocks": value}
        seen(registered(SECURITY_GROUP, "odd", ingress=[entry], egress=[entry]))


# What a security group lets pass.


def allowed(*rules: Any, **inline: Any) -> frozenset[SecurityGroupRule]:
    fleet = seen(
        registered(SECURITY_GROUP, "fsx", id="sg-fsx", **inline), registered(SECURITY_GROUP, "nodes", id="sg-n"), *rules
    )
    found = fleet.find(SecurityGroup, FSX)
    assert found is not None
    return found.allows


LUSTRE_IN = {"fromPort": 988, "toPort": 988}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"protocol": "tcp", **LUSTRE_IN, "self": True}, {tcp(INGRESS, 988, 988, FSX)}),
        ({"protocol": "6", **LUSTRE_IN, "securityGroups": ["sg-n"]}, {tcp(INGRESS, 988, 988, NODES)}),
        ({"protocol": -1, "fromPort": 0, "toPort": 0, "self": True}, {all_traffic(INGRESS, FSX)}),
        ({"protocol": "all", "cidrBlocks": ["0.0.0.0/0"]}, {all_traffic(INGRESS, "0.0.0.0/0")}),
        (
            {"protocol": "tcp", **LUSTRE_IN, "cidrBlocks": ["10.0.0.0/8"], "prefixListIds": ["pl-1"]},
            {tcp(INGRESS, 988, 988, "10.0.0.0/8"), tcp(INGRESS, 988, 988, "pl-1")},
        ),
        (
            {"protocol": "tcp", **LUSTRE_IN, "securityGroups": UNKNOWN},
            {SecurityGroupRule(INGRESS, "tcp", 988, 988, UNKNOWN)},
        ),
    ],
)
def test_inline_rules(entry: dict[str, Any], expected: set[SecurityGroupRule]) -> None:
    assert allowed(ingress=[entry]) == expected


def test_an_unknown_group_inline_is_the_only_one_there_can_be() -> None:
    entry = {"protocol": "tcp", **LUSTRE_IN, "securityGroups": [UNKNOWN]}
    assert allowed(egress=[entry], needs={"egress": [NODES]}) == {tcp(EGRESS, 988, 988, NODES)}


def test_separate_rules() -> None:
    named = {"securityGroupId": "sg-fsx", "fromPort": 988, "toPort": 988}
    new = registered(INGRESS_RULE, "new", **named, ipProtocol="tcp", referencedSecurityGroupId="sg-n")
    old = registered(CLASSIC_RULE, "old", **named, type="egress", protocol="tcp", sourceSecurityGroupId="sg-n")
    itself = registered(CLASSIC_RULE, "itself", **named, type="ingress", protocol="tcp", self=True)
    network = registered(INGRESS_RULE, "network", **named, ipProtocol="tcp", cidrIpv4="10.0.0.0/16")
    other = registered(INGRESS_RULE, "other", **{**named, "securityGroupId": "sg-n"}, ipProtocol="tcp")
    assert allowed(new, old, itself, network, other) == {
        tcp(INGRESS, 988, 988, NODES),
        tcp(EGRESS, 988, 988, NODES),
        tcp(INGRESS, 988, 988, FSX),
        tcp(INGRESS, 988, 988, "10.0.0.0/16"),
    }


def test_a_rule_of_somebody_not_yet_known_may_be_ours() -> None:
    rule = registered(INGRESS_RULE, "r", securityGroupId=UNKNOWN, ipProtocol="tcp", **LUSTRE_IN, cidrIpv4="0.0.0.0/0")
    assert allowed(rule) == {SecurityGroupRule(INGRESS, "tcp", 988, 988, UNKNOWN)}


@pytest.mark.parametrize(
    ("rule", "port", "peer", "expected"),
    [
        (tcp(INGRESS, 988, 988, NODES), 988, NODES, True),
        (tcp(INGRESS, 988, 988, NODES), 988, FSX, False),
        (tcp(INGRESS, 1018, 1023, NODES), 988, NODES, False),
        (tcp(INGRESS, 0, 65535, NODES), 1023, NODES, True),
        (all_traffic(INGRESS, NODES), 988, NODES, True),
        (all_traffic(INGRESS, NODES), None, NODES, True),
        (tcp(INGRESS, 0, 65535, NODES), None, NODES, False),
        (SecurityGroupRule(INGRESS, "udp", 988, 988, NODES), 988, NODES, False),
        (all_traffic(INGRESS, "0.0.0.0/0"), 988, NODES, True),
        (all_traffic(INGRESS, "0.0.0.0/0"), None, NODES, False),
        (tcp(INGRESS, 988, 988, "10.0.0.0/16"), 988, NODES, UNKNOWN),
        (tcp(INGRESS, 988, 988, "sg-1"), 988, NODES, False),
        (SecurityGroupRule(INGRESS, "tcp", UNKNOWN, 988, NODES), 988, NODES, UNKNOWN),
        (SecurityGroupRule(INGRESS, "tcp", 988, UNKNOWN, NODES), 988, NODES, UNKNOWN),
        (SecurityGroupRule(INGRESS, UNKNOWN, 988, 988, NODES), 988, NODES, UNKNOWN),
        (SecurityGroupRule(INGRESS, "tcp", 988, 988, UNKNOWN), 1018, NODES, False),
        (SecurityGroupRule(INGRESS, "tcp", None, None, NODES), 988, NODES, True),
    ],
)
def test_what_a_rule_lets_pass(rule: SecurityGroupRule, port: int | None, peer: Ref, expected: object) -> None:
    assert if_known(lambda: rule.lets(port, frozenset({peer})), UNKNOWN) is expected
