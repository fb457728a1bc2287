"""The queries of topics to moto's server: parameters and filters that a real implementation takes."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import Request, urlopen

import botocore.session
import pytest
from moto.server import ThreadedMotoServer

from muster.account.preflight import run_topics
from muster.account.query_runner import QueryRunner, Session
from muster.account.topics.capacity import OFFERINGS
from muster.account.topics.images import CUSTOM_IMAGES
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.account.topics.quotas import RESOURCE_QUOTAS, VCPU_QUOTAS
from muster.fleet.facts import SubnetFacts, WayOut
from tests.account.needs import needs

REGION = "us-west-2"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of moto's server on loopback."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    yield f"http://127.0.0.1:{port}"
    server.stop()


@pytest.fixture
def client(server: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """The services of a new account on it."""
    with urlopen(Request(f"{server}/moto-api/reset", method="POST")):
        pass
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    session = botocore.session.Session()
    return lambda service: session.create_client(service, region_name=REGION)


def test_a_network_with_security_groups_images_and_keys(client: Callable[[str], Any]) -> None:
    """Its parameters are what EC2 takes; the ids are moto's."""
    fill = client("ec2")
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
    topics = (NETWORK, SECURITY_GROUPS, CUSTOM_IMAGES, OFFERINGS)
    outcome = run_topics(topics, needs("p5-odcr", change), QueryRunner(Session(REGION)))
    assert outcome.unanswered == ()
    told = outcome.facts
    assert (told.vpcs[vpc].dns_hostnames, told.vpcs[vpc].endpoints) == (True, ("s3",))
    known = told.subnets[a]
    assert (known.zone, known.vpc, known.way_out, known.gateway) == (
        "us-west-2a",
        vpc,
        WayOut.INTERNET_GATEWAY,
        gateway,
    )
    assert (known.endpoints, known.free_addresses) == (("s3",), 251), "what the stack's own instances hold is free"
    assert (told.subnets[b].way_out, told.subnets[b].endpoints) == (WayOut.NONE, ())
    assert told.subnets[none] == SubnetFacts(exists=False)
    assert (told.security_groups[group].self_ingress, told.security_groups[group].self_egress) == (True, False)
    assert (told.images[image].exists, told.key_pairs["ml-admins"].exists) == (True, True)
    assert told.zones["us-west-2a"] == known.zone_id
    assert told.offerings["c5.2xlarge"]


@pytest.mark.usefixtures("client")
def test_quotas_and_their_use() -> None:
    """What moto knows: VPC's quotas, addresses, VPCs, gateways, clusters, file systems, instances, metrics."""
    ask = QueryRunner(Session(REGION))
    told = run_topics((VCPU_QUOTAS, RESOURCE_QUOTAS), needs("p5-efa"), ask)
    stored = run_topics((RESOURCE_QUOTAS,), needs("pcluster-gpu"), ask)
    assert told.facts.quotas == {"L-F678F1CE": 5, "L-A4707A72": 5, "L-FE5A380F": 5}
    assert told.facts.quotas_used == {"L-F678F1CE": 1, "L-A4707A72": 0, "L-FE5A380F": 0}
    # Moto has not the one, and fails at the other where there is no such cluster.
    assert {each.question.operation for each in told.unanswered} <= {"GetAWSDefaultServiceQuota", "ListNodegroups"}
    assert {each.question.operation for each in stored.unanswered} <= {"GetAWSDefaultServiceQuota"}
