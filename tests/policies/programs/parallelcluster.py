"""Programs about ParallelCluster."""

from typing import Any

import pulumi_aws as aws

from tests.factories import SG, facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.pcluster import (
    IMAGE,
    cluster,
    head,
    image,
    made,
    plain,
    queue,
    reserved,
    resource,
)
from tests.policies.programs.world import CR


@keeps("parallelcluster-template-readable", "parallelcluster-version-known")
def a_cluster() -> None:
    cluster()


SEVERAL = {"InstanceType": None, "Instances": [{"InstanceType": "c5.2xlarge"}, {"InstanceType": "m5.2xlarge"}]}

keeps("parallelcluster-allocation-strategy-fits")(
    lambda: cluster(queue(plain(**SEVERAL), AllocationStrategy="prioritized"))
)
breaks(
    "parallelcluster-allocation-strategy-fits",
    "An allocation strategy for Spot in a queue of on-demand instances.",
    at={"pcluster"},
)(lambda: cluster(queue(plain(**SEVERAL), AllocationStrategy="capacity-optimized")))

ON_BLOCK: dict[str, Any] = {"CapacityReservationTarget": {"CapacityReservationId": CR}, "Networking": None}

keeps("parallelcluster-block-fixed", facts=reserved("capacity-block"))(
    lambda: cluster(queue(resource(**ON_BLOCK), CapacityType="CAPACITY_BLOCK"))
)
breaks(
    "parallelcluster-block-fixed",
    "A minimum below the number of instances in the Capacity Block.",
    at={"pcluster"},
    facts=reserved("capacity-block"),
)(lambda: cluster(queue(resource(**ON_BLOCK, MinCount=0), CapacityType="CAPACITY_BLOCK")))


keeps("parallelcluster-data-kept")(lambda: cluster(SharedStorage=[made()]))
breaks("parallelcluster-data-kept", "A file system that is deleted with the cluster.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[made(DeletionPolicy="Delete")])
)


PLACED = {"SubnetIds": [{"Ref": "Subnet"}], "PlacementGroup": {"Enabled": False}}

keeps("parallelcluster-efa-placement-stated")(lambda: cluster(queue(resource(Networking=None), Networking=PLACED)))
breaks("parallelcluster-efa-placement-stated", "EFA, and no setting for a placement group.", at={"pcluster"})(
    lambda: cluster(queue(resource(Networking=None)))
)

keeps("parallelcluster-gdr-beside-efa")(lambda: cluster(queue(resource(Efa={"Enabled": True, "GdrSupport": True}))))
breaks("parallelcluster-gdr-beside-efa", "GPUDirect without EFA.", at={"pcluster"})(
    lambda: cluster(queue(plain(Efa={"Enabled": False, "GdrSupport": True})))
)

keeps("parallelcluster-head-ready-in-time")(
    lambda: cluster(DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 3000}})
)
breaks("parallelcluster-head-ready-in-time", "A timeout of an hour and a half for the head node.", at={"pcluster"})(
    lambda: cluster(DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 5400}})
)

keeps("parallelcluster-image-drives-type", facts=image())(
    lambda: cluster(queue(resource(InstanceType="p3dn.24xlarge")), Image={"Os": "alinux2023", "CustomAmi": IMAGE})
)
breaks("parallelcluster-image-drives-type", "A V100 on ParallelCluster's own image.", at={"pcluster"}, facts=image())(
    lambda: cluster(queue(resource(InstanceType="p3dn.24xlarge")))
)

keeps("parallelcluster-image-made-for-os", facts=image(os="rocky9"))(
    lambda: cluster(Image={"Os": "rocky9", "CustomAmi": IMAGE})
)
breaks(
    "parallelcluster-image-made-for-os",
    "Rocky Linux without a custom image.",
    at={"pcluster"},
    facts=image(os="rocky9"),
)(lambda: cluster(Image={"Os": "rocky9"}))

keeps("parallelcluster-image-of-version", facts=image())(
    lambda: cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE})
)
breaks(
    "parallelcluster-image-of-version",
    "An image that an older version built.",
    at={"pcluster"},
    facts=image(parallelclusterVersion="3.14.0"),
)(lambda: cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE}))


def _trn1() -> dict[str, Any]:
    return resource(InstanceType="trn1.32xlarge")


keeps("parallelcluster-neuron-software")(
    lambda: cluster(queue(_trn1(), CustomActions={"OnNodeConfigured": {"Script": "https://example.com/neuron.sh"}}))
)
breaks("parallelcluster-neuron-software", "Trainium without Neuron's driver.", at={"pcluster"})(
    lambda: cluster(queue(_trn1()))
)

keeps("parallelcluster-one-architecture")(lambda: cluster(HeadNode=head(InstanceType="c6i.4xlarge")))
breaks("parallelcluster-one-architecture", "A Graviton head node with x86 compute nodes.", at={"pcluster"})(
    lambda: cluster(HeadNode=head(InstanceType="c7g.4xlarge"))
)


def _gb200() -> dict[str, Any]:
    """In an UltraServer block, by its resource group: EC2 sells none on demand."""
    servers = "arn:aws:resource-groups:us-west-2:000000000000:group/servers"
    block = {"CapacityReservationResourceGroupArn": servers}
    return resource(InstanceType="p6e-gb200.36xlarge", CapacityReservationTarget=block)


keeps("parallelcluster-os-runs-type")(
    lambda: cluster(queue(_gb200()), Image={"Os": "alinux2023"}, HeadNode=head(InstanceType="c7g.4xlarge"))
)
breaks("parallelcluster-os-runs-type", "A GB200 on Red Hat.", at={"pcluster"})(
    lambda: cluster(queue(_gb200()), Image={"Os": "rhel9"}, HeadNode=head(InstanceType="c7g.4xlarge"))
)


def _placed(placement: dict[str, Any]) -> None:
    aws.ec2.PlacementGroup("close", name="close", strategy="cluster")
    cluster(queue(resource(Networking={"PlacementGroup": placement})))


keeps("parallelcluster-placement-named-once")(lambda: _placed({"Name": "close"}))
breaks("parallelcluster-placement-named-once", "A placement group that is named and turned off.", at={"pcluster"})(
    lambda: _placed({"Name": "close", "Enabled": False})
)

keeps("parallelcluster-queue-one-subnet")(lambda: cluster(queue(plain())))
breaks("parallelcluster-queue-one-subnet", "A queue of one type in two zones.", at={"pcluster"})(
    lambda: cluster(queue(plain(), Networking={"SubnetIds": [{"Ref": "Subnet"}, {"Ref": "Other"}]}))
)

HERE, THERE, HERE_TOO = (f"subnet-0123456789abcdef{number}" for number in range(3))
_SAID = {"mapPublicIpOnLaunch": False, "freeAddresses": 1000}


def _in_subnets(*subnets: str) -> None:
    several = plain(InstanceType=None, Instances=[{"InstanceType": "c5.2xlarge"}])
    cluster(queue(several, Networking={"SubnetIds": list(subnets)}))


keeps(
    "parallelcluster-queue-subnets-apart",
    facts=facts(
        subnets={
            HERE: {"zone": "us-west-2a", **_SAID},
            THERE: {"zone": "us-west-2b", **_SAID},
            HERE_TOO: {"zone": "us-west-2a", **_SAID},
        }
    ),
)(lambda: _in_subnets(HERE, THERE))
breaks(
    "parallelcluster-queue-subnets-apart",
    "A queue of lists of types in two subnets of the same zone.",
    at={"pcluster"},
    facts=facts(
        subnets={
            HERE: {"zone": "us-west-2a", **_SAID},
            THERE: {"zone": "us-west-2b", **_SAID},
            HERE_TOO: {"zone": "us-west-2a", **_SAID},
        }
    ),
)(lambda: _in_subnets(HERE, HERE_TOO))

ON: dict[str, Any] = {
    "CapacityReservationTarget": {"CapacityReservationId": CR},
    "Networking": {"PlacementGroup": {"Enabled": False}},
}

keeps("parallelcluster-reservation-single-type", facts=reserved())(lambda: cluster(queue(resource(**ON))))
breaks(
    "parallelcluster-reservation-single-type",
    "A reservation by its id beside a list of types.",
    at={"pcluster"},
    facts=reserved(),
)(lambda: cluster(queue(resource(**ON, InstanceType=None, Instances=[{"InstanceType": "p4d.24xlarge"}]))))


RUNS: dict[str, Any] = {"CustomActions": {"OnNodeConfigured": {"Script": "s3://ml-scripts/set-up.sh"}}}

keeps("parallelcluster-scripts-readable")(
    lambda: cluster(queue(**RUNS, Iam={"S3Access": [{"BucketName": "ml-scripts"}]}))
)
breaks("parallelcluster-scripts-readable", "A script in a bucket that the node may not read.", at={"pcluster"})(
    lambda: cluster(queue(**RUNS))
)

keeps("parallelcluster-security-groups-alike")(
    lambda: cluster(HeadNode=head(Networking={"SubnetId": {"Ref": "Subnet"}, "AdditionalSecurityGroups": [SG]}))
)
breaks(
    "parallelcluster-security-groups-alike",
    "Security groups in place of ParallelCluster's, on the head node alone.",
    at={"pcluster"},
)(lambda: cluster(HeadNode=head(Networking={"SubnetId": {"Ref": "Subnet"}, "SecurityGroups": [SG]})))


keeps("parallelcluster-spot-without-reservation")(lambda: cluster(queue(plain(), CapacityType="SPOT")))


@breaks(
    "parallelcluster-spot-without-reservation",
    "Spot instances on a reservation.",
    at={"pcluster"},
    facts=reserved(instanceType="c5.2xlarge"),
)
def breaks_parallelcluster_spot_without_reservation() -> None:
    target = {"CapacityReservationId": CR}
    cluster(queue(plain(CapacityReservationTarget=target), CapacityType="SPOT"))


breaks("parallelcluster-template-readable", "A text that is not a CloudFormation template.", at={"pcluster"})(
    lambda: aws.cloudformation.Stack("pcluster", template_body="Resources: [Custom::PclusterCluster")
)


breaks("parallelcluster-version-known", "The provider of an older version.", at={"pcluster"})(
    lambda: cluster(version="3.14.0")
)
