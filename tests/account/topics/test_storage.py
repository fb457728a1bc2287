"""Buckets and file systems, of answers."""

import pytest

from muster.account.topics.storage import BUCKETS, FILE_SYSTEMS
from muster.fleet.facts import FileSystemFacts
from tests.account.accounts import Account
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_services import FS_GROUP, VPC_CIDR, answers, file_system, lustre_rules

SCRIPTS = "sagemaker-ml-scripts"
OWN = {"own": {"at": f"s3://{SCRIPTS}/p5/", "on-create": "on_create.sh"}}


def test_only_the_folders_of_scripts_are_listed() -> None:
    """Not what is below them: such buckets may hold everything else there is."""
    other = {"own": {"at": f"s3://{SCRIPTS}/system", "on-create": "start.sh"}}
    wanted = needs("hyperpod-training-plan", {"hyperpod.lifecycle": OWN, "groups.system.hyperpod.lifecycle": other})
    result, asked = run_topic(BUCKETS, wanted, answers(wanted))
    assert result.facts.buckets[SCRIPTS].files == ("p5/on_create.sh", "system/start.sh")
    assert {each.operation for each in asked.queries} == {"ListObjectsV2"}
    folder = {"Bucket": SCRIPTS, "Delimiter": "/"}
    assert [each.parameters for each in asked.queries] == [
        {**folder, "Prefix": "p5/"},
        {**folder, "Prefix": "system/"},
    ]
    result, _ = run_topic(BUCKETS, wanted, {"s3.ListObjectsV2": {"KeyCount": 0}})
    assert result.facts.buckets[SCRIPTS].files == (), "none is not unknown"


def test_buckets_of_data_are_there_or_not() -> None:
    """Those that a file system is linked to, that nodes may read, and that they have scripts from; no placeholders."""
    change = {
        "s3": {"s3://ml-data/imagenet": "read", "s3://fill-me-in": "write"},
        "post-install.scripts": [{"at": "s3://ml-scripts/setup.sh"}, {"at": "https://example.org/setup.sh"}],
        "storage.fsx.lustre.data": {"/datasets": {"s3": "s3://ml-datasets"}},
    }
    wanted = needs("pcluster-p4de-postinstall", change)

    def say(asked):
        return Refused("NoSuchBucket") if asked["Bucket"] == "ml-data" else {}

    result, asked = run_topic(BUCKETS, wanted, {"s3.GetBucketLocation": say})
    assert {name: each.exists for name, each in result.facts.buckets.items()} == {
        "ml-data": False,
        "ml-datasets": True,
        "ml-scripts": True,
    }
    assert set(asked.operations) == {"s3.GetBucketLocation"}


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
