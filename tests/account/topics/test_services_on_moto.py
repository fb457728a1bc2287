"""The same questions to moto's own server: parameters that a real implementation takes."""

from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from muster.account.preflight import PreflightResult, run_topics
from muster.account.query_runner import QueryRunner
from muster.account.session import Session
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.eks import CLUSTERS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS
from muster.account.topics.images import IMAGES
from muster.fleet.facts import BucketFacts
from tests.account.moto_server import serving
from tests.account.needs import needs
from tests.account.sound_services import AMI

REGION = "us-west-2"


@pytest.fixture
def moto(monkeypatch: pytest.MonkeyPatch) -> Iterator[botocore.session.Session]:
    """A new account on moto's server."""
    with serving() as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
        yield botocore.session.Session()


def asked(topic, wanted) -> PreflightResult:
    """What moto's account says."""
    return run_topics([topic], wanted, QueryRunner(Session(REGION)))


def client(session: botocore.session.Session, service: str) -> Any:
    """Of the account that is made."""
    return session.create_client(service, region_name=REGION)


def at_its_address(request: Any, **_: Any) -> None:
    """S3 Control's hosts by account are AWS's own."""
    request.url = request.url.replace("//123456789012.", "//")


def a_vpc(ec2: Any) -> tuple[str, str, str]:
    """A VPC, a subnet in it, a group whose rules let the VPC in on Lustre's ports."""
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24", AvailabilityZone="us-west-2b")["Subnet"]["SubnetId"]
    group = ec2.create_security_group(GroupName="fsx", Description="fsx", VpcId=vpc)["GroupId"]
    open_ = {"IpProtocol": "tcp", "FromPort": 988, "ToPort": 1023, "IpRanges": [{"CidrIp": "10.0.0.0/16"}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[open_])
    return vpc, subnet, group


def test_a_cluster_with_its_add_ons(moto) -> None:
    """One of the name, and none of another."""
    wanted = needs("hyperpod-existing-eks")
    assert asked(CLUSTERS, wanted).facts.clusters["ml-platform"].exists is False
    _, subnet, group = a_vpc(client(moto, "ec2"))
    eks = client(moto, "eks")
    eks.create_cluster(
        name="ml-platform",
        version="1.35",
        roleArn="arn:aws:iam::123456789012:role/eks",
        resourcesVpcConfig={"subnetIds": [subnet], "securityGroupIds": [group]},
    )
    known = asked(CLUSTERS, wanted).facts.clusters["ml-platform"]
    assert (known.exists, known.version, known.state) == (True, "1.35", "ACTIVE")
    assert asked(HYPERPOD_CLUSTERS, wanted).facts.clusters["ml-platform"].hyperpod_clusters == ()


def test_a_parameter(moto) -> None:
    """One that is there, and, before, none."""
    wanted = needs("p5-join-existing", {"groups.workers.image": {"custom": {"ssm": "/teams/ml/image"}}})
    assert asked(IMAGES, wanted).facts.image_parameters == {"/teams/ml/image": None}
    client(moto, "ssm").put_parameter(Name="/teams/ml/image", Value=AMI, Type="String")
    assert asked(IMAGES, wanted).facts.image_parameters == {"/teams/ml/image": AMI}


def test_a_file_system(moto) -> None:
    """Its zone by its subnet. moto tells neither the VPC nor the interfaces of one."""
    _, subnet, group = a_vpc(client(moto, "ec2"))
    made = client(moto, "fsx").create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=[subnet],
        SecurityGroupIds=[group],
        LustreConfiguration={"DeploymentType": "SCRATCH_2"},
    )
    id_ = made["FileSystem"]["FileSystemId"]
    wanted = needs("p5-odcr", {"storage.scratch": {"existing-lustre": {"id": id_, "mount-name": "a1b2cdef"}}})
    told = asked(FILE_SYSTEMS, wanted)
    known = told.facts.file_systems[id_]
    assert told.unanswered == ()
    assert (known.exists, known.zone, known.ports_open_to_vpc) == (True, "us-west-2b", None)


def test_a_bucket_with_scripts(moto) -> None:
    """None, then an empty one that keeps nothing and hides nothing, then one as it should be."""
    own = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
    wanted = needs("hyperpod-training-plan", {"hyperpod.lifecycle": own})
    name = "sagemaker-ml-scripts"
    assert asked(BUCKETS, wanted).facts.buckets == {name: BucketFacts(exists=False)}
    s3 = client(moto, "s3")
    s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    s3.put_object(Bucket=name, Key="on_create.sh", Body=b"")
    empty = asked(BUCKETS, wanted).facts.buckets
    assert empty == {name: BucketFacts(exists=True, files=(), private=False, versioned=False)}
    all_ = dict.fromkeys(("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True)
    ours = client(moto, "s3control")
    ours.meta.events.register("before-sign.s3-control", at_its_address)
    ours.put_public_access_block(AccountId="123456789012", PublicAccessBlockConfiguration=all_)
    assert asked(BUCKETS, wanted).facts.buckets[name].private is True
    ours.delete_public_access_block(AccountId="123456789012")
    for key in ("p5/on_create.sh", "p5/data/1"):
        s3.put_object(Bucket=name, Key=key, Body=b"")
    s3.put_public_access_block(Bucket=name, PublicAccessBlockConfiguration=all_)
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    whole = asked(BUCKETS, wanted).facts.buckets
    assert whole == {name: BucketFacts(exists=True, files=("p5/on_create.sh",), private=True, versioned=True)}


def test_buckets_of_data(moto) -> None:
    """There, or not."""
    wanted = needs("pcluster-gpu", {"s3": {"s3://ml-data": "read", "s3://ml-none": "read"}})
    client(moto, "s3").create_bucket(Bucket="ml-data", CreateBucketConfiguration={"LocationConstraint": REGION})
    assert {name: each.exists for name, each in asked(BUCKETS, wanted).facts.buckets.items()} == {
        "ml-data": True,
        "ml-none": False,
    }
