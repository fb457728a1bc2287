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
    mounted,
    plain,
    queue,
    reserved,
    resource,
    slurm,
    volume,
)
from tests.policies.programs.world import CR


@keeps("parallelcluster-mount-dir-usable", "parallelcluster-mount-dirs-apart")
def a_mounted_file_system() -> None:
    cluster(SharedStorage=[mounted()])


@keeps("parallelcluster-template-readable", "parallelcluster-version-known")
def a_cluster() -> None:
    cluster()


SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd"

keeps("parallelcluster-accounting-legal")(
    lambda: cluster(
        scheduling=slurm(Database={"Uri": "db.example.com:3306", "UserName": "slurm", "PasswordSecretArn": SECRET})
    )
)


@breaks("parallelcluster-accounting-legal", "The address of a database, with a scheme.", at={"pcluster"})
def breaks_parallelcluster_accounting_legal() -> None:
    said = {"Uri": "mysql://db.example.com", "UserName": "slurm", "PasswordSecretArn": SECRET}
    cluster(scheduling=slurm(Database=said))


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

keeps("parallelcluster-capacity-type-known")(lambda: cluster(queue(CapacityType="ONDEMAND")))
breaks("parallelcluster-capacity-type-known", "A queue with EC2's value for on-demand capacity.", at={"pcluster"})(
    lambda: cluster(queue(CapacityType="on-demand"))
)

keeps("parallelcluster-counts-within-limits")(
    lambda: cluster(*(queue(plain(), name=f"queue-{index}") for index in range(50)))
)
breaks("parallelcluster-counts-within-limits", "More queues than ParallelCluster takes.", at={"pcluster"})(
    lambda: cluster(*(queue(plain(), name=f"queue-{index}") for index in range(51)))
)

keeps("parallelcluster-data-kept")(lambda: cluster(SharedStorage=[made()]))
breaks("parallelcluster-data-kept", "A file system that is deleted with the cluster.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[made(DeletionPolicy="Delete")])
)

keeps("parallelcluster-dev-settings-absent")(
    lambda: cluster(DevSettings={"Timeouts": {"ComputeNodeBootstrapTimeout": 3000}})
)
breaks("parallelcluster-dev-settings-absent", "A custom cookbook.", at={"pcluster"})(
    lambda: cluster(DevSettings={"Cookbook": {"ChefCookbook": "https://example.com/cookbook.tgz"}})
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

keeps("parallelcluster-imds-v2")(lambda: cluster(Imds={"ImdsSupport": "v2.0"}))
breaks("parallelcluster-imds-v2", "Nodes that allow IMDSv1.", at={"pcluster"})(
    lambda: cluster(Imds={"ImdsSupport": "v1.0"})
)


def _keyed(public_key: str) -> None:
    key = aws.ec2.KeyPair("admins", key_name="ml-admins", public_key=public_key)
    ssh = {"AllowedIps": "203.0.113.0/24", "KeyName": {"Ref": "Key"}}
    cluster(Image={"Os": "ubuntu2204"}, HeadNode=head(Ssh=ssh), parameters={"Key": key.key_name})


keeps("parallelcluster-key-fits-os")(lambda: _keyed("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ00"))
breaks("parallelcluster-key-fits-os", "An RSA key on Ubuntu.", at={"pcluster"})(
    lambda: _keyed("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC0")
)

keeps("parallelcluster-memory-within-instance")(lambda: cluster(queue(resource(SchedulableMemory=1100000))))
breaks("parallelcluster-memory-within-instance", "More memory for jobs than a node has.", at={"pcluster"})(
    lambda: cluster(queue(resource(SchedulableMemory=2000000)))
)

breaks("parallelcluster-mount-dir-usable", "A file system that is mounted over /opt.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[mounted(MountDir="/opt")])
)

breaks("parallelcluster-mount-dirs-apart", "A file system where the nodes' disks are.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[mounted(MountDir="/local_scratch")])
)

keeps("parallelcluster-name-legal")(lambda: cluster(name="a" * 60))
breaks("parallelcluster-name-legal", "A cluster's name that is too long for accounting.", at={"pcluster"})(
    lambda: cluster(name="a" * 61)
)

keeps("parallelcluster-names-distinct")(lambda: cluster(queue(), queue(plain("others"), name="other")))
breaks("parallelcluster-names-distinct", "Two queues of one name.", at={"pcluster"})(
    lambda: cluster(queue(), queue(plain("others")))
)

keeps("parallelcluster-names-legal")(lambda: cluster(queue(name="a" * 25)))
breaks("parallelcluster-names-legal", "A queue's name that is too long.", at={"pcluster"})(
    lambda: cluster(queue(name="a" * 26))
)


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

keeps("parallelcluster-os-supported")(lambda: cluster(Image={"Os": "ubuntu2404"}))
breaks("parallelcluster-os-supported", "Amazon Linux 2, as the templates of 2023 have it.", at={"pcluster"})(
    lambda: cluster(Image={"Os": "alinux2"})
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


def _with_root(size: int) -> None:
    root = {"LocalStorage": {"RootVolume": {"Size": size}}}
    cluster(Image={"Os": "alinux2023", "CustomAmi": IMAGE}, HeadNode=head(**root))


keeps("parallelcluster-root-volume-holds-image", facts=image())(lambda: _with_root(100))
breaks(
    "parallelcluster-root-volume-holds-image",
    "A root volume that is smaller than its image.",
    at={"pcluster"},
    facts=image(),
)(lambda: _with_root(40))

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

keeps("parallelcluster-shared-volume-serves-fleet")(
    lambda: cluster(queue(plain(MinCount=0, MaxCount=100)), SharedStorage=[volume()])
)
breaks(
    "parallelcluster-shared-volume-serves-fleet", "A volume of the head node for hundreds of nodes.", at={"pcluster"}
)(lambda: cluster(queue(plain(MinCount=0, MaxCount=400)), SharedStorage=[volume()]))

keeps("parallelcluster-slurm-settings-allowed")(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"MaxJobCount": 20000}]))
)
breaks("parallelcluster-slurm-settings-allowed", "A Slurm setting that ParallelCluster sets itself.", at={"pcluster"})(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"SuspendTime": 600}]))
)

keeps("slurm-settings-known")(lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"MaxJobCount": 20000}])))
breaks("slurm-settings-known", "A misspelt setting.", at={"pcluster"})(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"MaxJobsCount": 20000}]))
)

keeps("slurm-settings-values")(lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"MaxJobCount": 20000}])))
breaks("slurm-settings-values", "A plugin that Slurm does not have.", at={"pcluster"})(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"SchedulerType": "sched/backfil"}]))
)

keeps("slurm-settings-together")(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"PreemptMode": "GANG"}, {"MaxJobCount": 20000}]))
)
breaks("slurm-settings-together", "A mode of preemption without its type.", at={"pcluster"})(
    lambda: cluster(scheduling=slurm(CustomSlurmSettings=[{"PreemptMode": "REQUEUE"}, {"MaxJobCount": 20000}]))
)

keeps("parallelcluster-head-memory-suffices")(lambda: cluster(HeadNode=head(InstanceType="m5.large")))
breaks("parallelcluster-head-memory-suffices", "A head node of 1 GiB for fifty nodes.", at={"pcluster"})(
    lambda: cluster(queue(plain(MinCount=0, MaxCount=50)), HeadNode=head(InstanceType="t3.micro"))
)

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


keeps("parallelcluster-ssh-not-open-to-all")(lambda: cluster(HeadNode=head(Ssh={"AllowedIps": "203.0.113.0/24"})))
breaks(
    "parallelcluster-ssh-not-open-to-all",
    "No setting for SSH, which opens it to every address.",
    at={"pcluster"},
)(lambda: cluster(HeadNode=head(Ssh={"KeyName": "ml-admins"})))

keeps("parallelcluster-storage-names-legal")(lambda: cluster(SharedStorage=[mounted(Name="a" * 30)]))
breaks("parallelcluster-storage-names-legal", "A file system's name that is too long.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[mounted(Name="a" * 31)])
)

keeps("parallelcluster-storage-within-limits")(
    lambda: cluster(SharedStorage=[volume(f"vol-{index}", Size=100) for index in range(5)])
)
breaks("parallelcluster-storage-within-limits", "More volumes than ParallelCluster takes.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[volume(f"vol-{index}", Size=100) for index in range(6)])
)

keeps("parallelcluster-tags-legal")(lambda: cluster(Tags=[{"Key": "team", "Value": "research"}]))
breaks("parallelcluster-tags-legal", "A tag with ParallelCluster's reserved prefix.", at={"pcluster"})(
    lambda: cluster(Tags=[{"Key": "parallelcluster:cluster-name", "Value": "mine"}])
)

breaks("parallelcluster-template-readable", "A text that is not a CloudFormation template.", at={"pcluster"})(
    lambda: aws.cloudformation.Stack("pcluster", template_body="Resources: [Custom::PclusterCluster")
)


def _of_types(*types: str) -> None:
    cluster(queue(resource(InstanceType=None, Instances=[{"InstanceType": each} for each in types])))


keeps("parallelcluster-types-alike")(lambda: _of_types("p4d.24xlarge", "p4de.24xlarge"))
breaks("parallelcluster-types-alike", "A list of types with different numbers of GPUs.", at={"pcluster"})(
    lambda: _of_types("p4d.24xlarge", "p5.48xlarge")
)

breaks("parallelcluster-version-known", "The provider of an older version.", at={"pcluster"})(
    lambda: cluster(version="3.14.0")
)

keeps("parallelcluster-volumes-legal")(lambda: cluster(SharedStorage=[volume(VolumeType="gp3", Size=100, Iops=6000)]))
breaks("parallelcluster-volumes-legal", "More IOPS than a volume of its size has.", at={"pcluster"})(
    lambda: cluster(SharedStorage=[volume(VolumeType="gp3", Size=10, Iops=6000)])
)
