"""File systems that exist, of answers."""

import pytest

from muster.account.topics.storage import FILE_SYSTEMS
from muster.fleet.facts import FileSystemFacts
from tests.account.accounts import Account
from tests.account.canned import run_topic
from tests.account.sound_services import FS_GROUP, VPC_CIDR, file_system, lustre_rules

FS = "fs-0123456789abcdef0"
LUSTRE = {"existing-lustre": {"id": FS, "mount-name": "a1b2cdef"}}
ACCOUNT = Account.of("p5-odcr", {"storage.scratch": LUSTRE})
WANTED = ACCOUNT.wanted
NODES = "sg-0aaaaaaaaaaaaaaaa"


def known(**said) -> FileSystemFacts:
    """What is known of it where some answers are others than a sound account's."""
    answers = {**ACCOUNT.answers(), **{key.replace("_", "."): each for key, each in said.items()}}
    result, _ = run_topic(FILE_SYSTEMS, WANTED, answers)
    return result.facts.file_systems[FS]


def rules(*groups_or_cidrs: dict, group: str = FS_GROUP):
    """EC2's answer: rules that let each of some in on Lustre's ports."""
    every = [rule for peer in groups_or_cidrs for rule in lustre_rules(**peer)]
    return {"SecurityGroupRules": [{**each, "GroupId": group} for each in every]}


@pytest.mark.parametrize(
    ("said", "to_vpc", "to"),
    [
        (rules({"CidrIpv4": "0.0.0.0/0"}), True, ()),
        (rules({"CidrIpv4": "10.0.0.0/17"}, {"CidrIpv4": "10.0.128.0/17"}), True, ()),
        (rules({"ReferencedGroupInfo": {"GroupId": NODES}}), False, (NODES,)),
        (rules({"ReferencedGroupInfo": {"GroupId": NODES}}, {"CidrIpv4": VPC_CIDR}), True, (NODES,)),
        (rules({"ReferencedGroupInfo": {"GroupId": NODES}}, {"CidrIpv4": "192.168.0.0/16"}), False, (NODES,)),
        (rules({"ReferencedGroupInfo": {"GroupId": NODES}}, {"CidrIpv4": "10.0.1.0/24"}), False, None),
        (rules({"PrefixListId": "pl-0123456789abcdef0"}), False, None),
        (rules({"CidrIpv4": VPC_CIDR}, group="sg-0eeeeeeeeeeeeeeee"), False, ()),
        (rules(), False, ()),
    ],
    ids=[
        *("the world", "two halves", "a group", "a group and the VPC", "another network", "a part of the VPC"),
        *("a prefix list", "another group's rules", "nobody"),
    ],
)
def test_whom_it_lets_in(said, to_vpc, to) -> None:
    """Where only a part of the VPC gets in, nodes may be there: which groups get in does not tell then."""
    one = known(ec2_DescribeSecurityGroupRules=said)
    assert (one.ports_open_to_vpc, one.ports_open_to) == (to_vpc, to)


def test_all_interfaces_must_let_nodes_in() -> None:
    """Somebody changed the groups of one of its servers: a client speaks with each."""
    nics = ["eni-0000000000000000a", "eni-0000000000000000b"]
    listed = [
        {"NetworkInterfaceId": nics[0], "Groups": [{"GroupId": FS_GROUP}]},
        {"NetworkInterfaceId": nics[1], "Groups": [{"GroupId": "sg-0eeeeeeeeeeeeeeee"}]},
    ]
    one = known(
        fsx_DescribeFileSystems={"FileSystems": [{**file_system(WANTED, FS), "NetworkInterfaceIds": nics}]},
        ec2_DescribeNetworkInterfaces={"NetworkInterfaces": listed},
        ec2_DescribeSecurityGroupRules=rules({"ReferencedGroupInfo": {"GroupId": NODES}}),
    )
    assert (one.ports_open_to_vpc, one.ports_open_to) == (False, ())


def test_a_range_that_is_being_taken_from_the_vpc_does_not_count() -> None:
    """What is associated is the VPC."""
    gone = {"CidrBlock": "100.64.0.0/16", "CidrBlockState": {"State": "disassociated"}}
    block = {"CidrBlock": VPC_CIDR, "CidrBlockState": {"State": "associated"}}
    vpc = {"VpcId": str(WANTED.blueprint.network.vpc), "CidrBlockAssociationSet": [block, gone]}
    assert known(ec2_DescribeVpcs={"Vpcs": [vpc]}).ports_open_to_vpc is True
    second = {**gone, "CidrBlockState": {"State": "associated"}}
    vpc = {**vpc, "CidrBlockAssociationSet": [block, second]}
    assert known(ec2_DescribeVpcs={"Vpcs": [vpc]}).ports_open_to_vpc is False
