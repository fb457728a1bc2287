"""The queries of topics to moto's server: parameters and filters that a real implementation takes."""

from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import botocore.session
import pytest
from moto.server import ThreadedMotoServer

from muster.account.preflight import PreflightResult, run_topics
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
def moto(server: str, monkeypatch: pytest.MonkeyPatch) -> botocore.session.Session:
    """A new account on it."""
    with urlopen(Request(f"{server}/moto-api/reset", method="POST")):
        pass
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    return botocore.session.Session()


def asked(topic, wanted) -> PreflightResult:
    """What moto's account says."""
    return run_topics([topic], wanted, QueryRunner(Session(REGION)))


def client(session: botocore.session.Session, service: str) -> Any:
    """Of the account that is made."""
    return session.create_client(service, region_name=REGION)


def test_a_network_with_security_groups_images_and_keys(moto) -> None:
    """Its parameters are what EC2 takes; the ids are moto's."""
    fill = client(moto, "ec2")
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
        QueryRunner(Session(REGION)),
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
    assert told.key_pairs["ml-admins"].exists is True
    assert told.zones["us-west-2a"] == told.subnets[a].zone_id
    assert told.offerings["c5.2xlarge"]


def test_quotas_and_their_use(moto) -> None:
    """What moto knows: VPC's quotas, addresses, VPCs, gateways, clusters, file systems, instances, metrics."""
    ask = QueryRunner(Session(REGION))
    told = run_topics((VCPU_QUOTAS, RESOURCE_QUOTAS), needs("p5-efa"), ask)
    stored = run_topics((RESOURCE_QUOTAS,), needs("pcluster-gpu"), ask)
    assert told.facts.quotas == {"L-F678F1CE": 5, "L-A4707A72": 5, "L-FE5A380F": 5}
    assert told.facts.quotas_used == {"L-F678F1CE": 1, "L-A4707A72": 0, "L-FE5A380F": 0}
    # Moto has not the one, and fails at the other where there is no such cluster.
    assert {each.question.operation for each in told.unanswered} <= {"GetAWSDefaultServiceQuota", "ListNodegroups"}
    assert {each.question.operation for each in stored.unanswered} <= {"GetAWSDefaultServiceQuota"}
