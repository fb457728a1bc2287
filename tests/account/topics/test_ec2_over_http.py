"""EC2, Resource Groups and RAM over HTTP, by botocore's models; and those of moto's server that it has."""

import os
from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from muster.account.preflight import PreflightResult, run_topics
from muster.account.query_runner import QueryRunner
from muster.account.session import Session
from muster.account.topic import PreflightRequest, Topic
from muster.account.topics.capacity import RESERVATIONS
from muster.account.topics.images import CUSTOM_IMAGES
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.account.topics.offerings import OFFERINGS
from muster.fleet.facts import SubnetFacts, WayOut
from tests.account.aws import Answers, Aws, playing
from tests.account.moto_server import serving
from tests.account.needs import needs
from tests.account.sound_ec2 import ec2
from tests.account.told import heard

GROUP = "arn:aws:resource-groups:us-west-2:210987654321:group/p5"
SG = "sg-00000000000000001"
TOPICS = (RESERVATIONS, OFFERINGS, NETWORK, SECURITY_GROUPS, CUSTOM_IMAGES)
ON_GROUP = {"reservation-group": {"arn": GROUP, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}}
STACKS: dict[str, PreflightRequest] = {
    "a reservation": needs("p5-odcr", {"groups.workers.security-groups": [SG]}),
    "a block": needs("p5-capacity-block"),
    "a resource group": needs("p5-odcr", {"groups.workers.capacity": ON_GROUP}),
    "slurm": needs("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"}),
    "hyperpod": needs("hyperpod-existing-eks"),
}


def over_http(
    topics: tuple[Topic, ...], wanted: PreflightRequest, answers: dict[str, Answers], monkeypatch: Any
) -> PreflightResult:
    """What topics come to, asked over HTTP."""
    with playing(Aws(answers)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        return run_topics(topics, wanted, QueryRunner(Session("us-west-2")))


@pytest.mark.parametrize("name", STACKS)
def test_over_http_it_is_the_same(monkeypatch, name: str) -> None:
    """As botocore's models write the answers and read them: no field is misspelt, no enum's value made up."""
    wanted = STACKS[name]
    answers = ec2(wanted).answers()
    outcome = over_http(TOPICS, wanted, answers, monkeypatch)
    assert outcome.unanswered == ()
    for topic in TOPICS:
        alone, _ = heard(topic, wanted, answers)
        said = alone.facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        told = outcome.facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        assert {key: told[key] for key in said} == said


def test_over_http_a_share_that_waits(monkeypatch) -> None:
    """An error's code is what makes "there is none" of it."""
    wanted = STACKS["a reservation"]
    made = ec2(wanted)
    ((reservation, _),) = made.reservations.items()
    made.reservations.clear()
    invitation = "arn:aws:ram:us-west-2:444455556666:resource-share-invitation/6b1c"
    made.shared[invitation] = [reservation]
    outcome = over_http((RESERVATIONS,), wanted, made.answers(), monkeypatch)
    assert outcome.facts.reservations[reservation].model_dump(exclude_none=True) == {
        "exists": False,
        "invitation": invitation,
    }


def test_over_http_own_nodes(monkeypatch) -> None:
    """Instances with their interfaces; of HyperPod interfaces alone."""
    wanted = STACKS["a reservation"]
    made = ec2(wanted)
    ((reservation, said),) = made.reservations.items()
    said |= {"TotalInstanceCount": 2, "AvailableInstanceCount": 0}
    subnet = made.subnets[0]["SubnetId"]
    made.instances.append(
        {
            "State": {"Name": "running"},
            "Tags": [{"Key": "muster:stack", "Value": "p5-odcr"}],
            "CapacityReservationId": reservation,
            "NetworkInterfaces": [{"SubnetId": subnet, "PrivateIpAddresses": [{"PrivateIpAddress": "10.0.0.4"}]}],
        }
    )
    outcome = over_http(TOPICS, wanted, made.answers(), monkeypatch)
    assert outcome.facts.reservations[reservation].available_instances == 1
    assert outcome.facts.subnets[subnet].free_addresses == made.subnets[0]["AvailableIpAddressCount"] + 1


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    """A server of moto's own: it knows an API's parameters by itself."""
    with serving() as address:
        yield address


def client(service: str, address: str) -> Any:
    """To fill it."""
    session = botocore.session.Session()
    session.set_credentials("AKIAIOSFODNN7EXAMPLE", os.environ["AWS_SECRET_ACCESS_KEY"])
    return session.create_client(service, region_name="us-west-2", endpoint_url=address)


def test_on_moto_a_network_with_security_groups_images_and_keys(monkeypatch, moto: str) -> None:
    """Its parameters are what EC2 takes; the ids are moto's."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto)
    fill = client("ec2", moto)
    vpc = fill.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    fill.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": True})
    a, b = (
        fill.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{at}.0/24", AvailabilityZone=zone)["Subnet"]["SubnetId"]
        for at, zone in enumerate(("us-west-2a", "us-west-2b"))
    )
    gateway = fill.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    fill.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc)
    table = fill.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"]
    fill.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway)
    fill.associate_route_table(RouteTableId=table, SubnetId=a)
    s3 = {"VpcEndpointType": "Gateway", "ServiceName": "com.amazonaws.us-west-2.s3"}
    fill.create_vpc_endpoint(VpcId=vpc, RouteTableIds=[table], **s3)
    group = fill.create_security_group(GroupName="efa", Description="EFA", VpcId=vpc)["GroupId"]
    itself = [{"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group}]}]
    fill.authorize_security_group_ingress(GroupId=group, IpPermissions=itself)
    image = fill.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
    fill.create_key_pair(KeyName="ml-admins", KeyType="ed25519")
    own = [{"ResourceType": "instance", "Tags": [{"Key": "muster:stack", "Value": "p5-odcr"}]}]
    fill.run_instances(ImageId=image, MinCount=2, MaxCount=2, SubnetId=a, TagSpecifications=own)

    none = "subnet-00000000000000009"
    change = {
        "network.existing": {"vpc": vpc, "private": {"us-west-2a": a, "us-west-2b": b}, "public": {"us-west-2c": none}},
        "groups.workers.security-groups": [group],
        "groups.workers.image": {"custom": {"id": image}},
        "groups.workers.session": {"key-pair": "ml-admins"},
    }
    outcome = run_topics(
        (NETWORK, SECURITY_GROUPS, CUSTOM_IMAGES, OFFERINGS),
        needs("p5-odcr", change),
        QueryRunner(Session("us-west-2")),
    )
    assert outcome.unanswered == ()
    told = outcome.facts
    assert told.vpcs[vpc].model_dump() == {
        "exists": True,
        "dns_support": True,
        "dns_hostnames": True,
        "endpoints": ("s3",),
    }
    assert told.subnets[a].model_dump(exclude={"zone_id"}) == {
        "exists": True,
        "zone": "us-west-2a",
        "vpc": vpc,
        "way_out": WayOut.INTERNET_GATEWAY,
        "gateway": gateway,
        "gateway_fault": None,
        "endpoints": ("s3",),
        "endpoints_open_to": {},
        "endpoints_in_doubt": {},
        "map_public_ip_on_launch": False,
        "free_addresses": 251,
    }
    assert (told.subnets[b].way_out, told.subnets[b].free_addresses) == (WayOut.NONE, 251)
    assert told.subnets[b].endpoints == ()
    assert told.subnets[none] == SubnetFacts(exists=False)
    assert (told.security_groups[group].self_ingress, told.security_groups[group].self_egress) == (True, False)
    assert told.images[image].exists is True
    assert told.key_pairs["ml-admins"].type == "ed25519"
    assert told.ebs_encryption_by_default is False
    assert told.zones["us-west-2a"] == told.subnets[a].zone_id
    assert told.offerings["c5.2xlarge"]
