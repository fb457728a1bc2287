"""A sound account's answers about versions, the cluster that groups join, images, file systems and buckets."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from typing import Any

from muster.account.topic import PreflightRequest
from muster.fleet.resources import FileSystem
from muster.fleet.resources.ref import OPENZFS
from muster.hardware.ami import ami_type_of_parameter
from muster.hardware.lustre import PORTS
from muster.versions import EKS_CALENDAR, LUSTRE
from tests.account.aws import Answers, Refused, Said

ACCOUNT = "111122223333"
AMI = "ami-0123456789abcdef0"
FS_GROUP = "sg-0f5f5f5f5f5f5f5f5"
VPC_CIDR = "10.0.0.0/16"

Asked = Mapping[str, Any]


def answers(wanted: PreflightRequest) -> dict[str, Answers]:
    """What services other than EC2 say, as the stack wants it. Of anything it does not name there is none."""
    return {
        "sts.GetCallerIdentity": {"Account": ACCOUNT},
        "eks.DescribeClusterVersions": {"clusterVersions": versions(wanted)},
        **_clusters(wanted),
        "ssm.GetParameter": _parameter(wanted),
        "fsx.DescribeFileSystems": _file_systems(wanted),
        "efs.DescribeFileSystems": lambda asked: {
            "FileSystems": [{"FileSystemId": asked["FileSystemId"], "LifeCycleState": "available"}]
        },
        "efs.DescribeMountTargets": _mount_targets(wanted),
        **_buckets(wanted),
    }


def versions(wanted: PreflightRequest) -> list[dict[str, Any]]:
    """The calendar, as EKS says it."""
    return [
        {
            "clusterVersion": version,
            "clusterType": "eks",
            "endOfStandardSupportDate": datetime.combine(support.standard_ends, time(), UTC),
            "endOfExtendedSupportDate": datetime.combine(support.extended_ends, time(), UTC),
            "versionStatus": "STANDARD_SUPPORT"
            if wanted.observed.date() <= support.standard_ends
            else "EXTENDED_SUPPORT"
            if wanted.observed.date() <= support.extended_ends
            else "UNSUPPORTED",
        }
        for version, support in EKS_CALENDAR.items()
    ]


def cluster_arn(wanted: PreflightRequest) -> str:
    """Of the EKS cluster."""
    return f"arn:aws:eks:{wanted.region}:{ACCOUNT}:cluster/{wanted.blueprint.cluster_name}"


def cluster(wanted: PreflightRequest) -> dict[str, Any]:
    """What EKS says of a cluster that exists: what the description says."""
    assert wanted.blueprint.on_kubernetes
    plane = wanted.blueprint.cluster
    return {
        "name": plane.name,
        "arn": cluster_arn(wanted),
        "version": plane.kubernetes,
        "status": "ACTIVE",
        "resourcesVpcConfig": {"vpcId": plane.vpc, "clusterSecurityGroupId": plane.security_groups[0]},
        "accessConfig": {"authenticationMode": plane.authentication},
    }


def _clusters(wanted: PreflightRequest) -> dict[str, Answers]:
    plane = wanted.blueprint.cluster if wanted.blueprint.on_kubernetes else None
    if plane is None or not plane.existing:
        return {}
    facts = wanted.blueprint.facts
    addons = (facts.clusters[str(plane.name)].eks_addons if facts else None) or {}

    def of_it(say: Callable[[Asked], Said], key: str) -> Answers:
        none = Refused("ResourceNotFoundException", "No cluster found for name.")
        return lambda asked: say(asked) if asked[key] == plane.name else none

    def addon(asked: Asked) -> Said:
        return {"addon": {"addonName": asked["addonName"], "addonVersion": addons[asked["addonName"]]}}

    return {
        "eks.DescribeCluster": of_it(lambda asked: {"cluster": cluster(wanted)}, "name"),
        "eks.ListAddons": of_it(lambda asked: {"addons": [*addons]}, "clusterName"),
        "eks.DescribeAddon": of_it(addon, "clusterName"),
        "sagemaker.ListClusters": {"ClusterSummaries": []},
    }


def _parameter(wanted: PreflightRequest) -> Answers:
    """EKS has its images; a stack's own parameters are there."""
    own = set()
    for group in wanted.blueprint.eks_groups if wanted.blueprint.on_kubernetes else ():
        custom = group.described.image.custom
        own |= {custom.ssm} if custom and custom.ssm else set()

    def say(asked: Asked) -> Said:
        name = asked["Name"]
        if name in own or ami_type_of_parameter(name):
            return {"Parameter": {"Name": name, "Value": AMI, "Type": "String"}}
        return Refused("ParameterNotFound")

    return say


def existing(wanted: PreflightRequest) -> dict[str, FileSystem]:
    """The file systems that a stack names, by id."""
    systems = [each.file_system for each in wanted.blueprint.storage if each.kind.service]
    return {each.id: each for each in systems if each.existing and each.id}


def _nic(id_: str) -> str:
    return f"eni-{id_.removeprefix('fs-')}"


def file_system(wanted: PreflightRequest, id_: str) -> dict[str, Any]:
    """What FSx says of one: what the description says, in the subnet of the first training group."""
    system = existing(wanted)[id_]
    if system.ref.type == OPENZFS:
        own: dict[str, Any] = {"FileSystemType": "OPENZFS"}
    else:
        own = {"FileSystemTypeVersion": LUSTRE, "LustreConfiguration": {"MountName": system.mount_name}}
    return {
        "FileSystemId": id_,
        "FileSystemType": "LUSTRE",
        "Lifecycle": "AVAILABLE",
        "VpcId": str(system.vpc),
        "SubnetIds": [subnet_of(wanted)],
        "NetworkInterfaceIds": [_nic(id_)],
        "DNSName": system.dns_name,
        **own,
    }


def subnet_of(wanted: PreflightRequest) -> str:
    """Where file systems are: the subnet of the group that is in one zone alone."""
    alone = (group.subnets for group in wanted.blueprint.groups if len(group.subnets) == 1)
    return str(next(iter(alone))[0])


def _file_systems(wanted: PreflightRequest) -> Answers:
    def say(asked: Asked) -> Said:
        (id_,) = asked["FileSystemIds"]
        if id_ not in existing(wanted):
            return Refused("FileSystemNotFound", f"File system '{id_}' does not exist.")
        return {"FileSystems": [file_system(wanted, id_)]}

    return say


def interfaces(wanted: PreflightRequest) -> list[dict[str, Any]]:
    """Those of file systems that exist."""
    vpc = str(wanted.blueprint.network.vpc)
    return [
        {"NetworkInterfaceId": _nic(id_), "VpcId": vpc, "Groups": [{"GroupId": FS_GROUP}]} for id_ in existing(wanted)
    ]


def lustre_rules(**peer: Any) -> list[dict[str, Any]]:
    """Rules of the file system's group that let somebody in on Lustre's ports, and NFS's."""
    return [
        {"GroupId": FS_GROUP, "IsEgress": False, "IpProtocol": "tcp", "FromPort": first, "ToPort": last, **peer}
        for first, last in (*PORTS, (2049, 2049))
    ]


def _mount_targets(wanted: PreflightRequest) -> Answers:
    """One in the subnet of the first training group."""

    def say(asked: Asked) -> Said:
        id_ = asked["FileSystemId"]
        target = {"SubnetId": subnet_of(wanted), "NetworkInterfaceId": _nic(id_)}
        return {"MountTargets": [{**target, "VpcId": str(wanted.blueprint.network.vpc)}]}

    return say


def _buckets(wanted: PreflightRequest) -> dict[str, Answers]:
    """Every bucket that is asked about is there, and has the scripts that groups name."""
    scripts: dict[str, set[str]] = {}
    for group in wanted.blueprint.instance_groups if wanted.blueprint.on_kubernetes else ():
        own = (group.described.hyperpod.lifecycle or wanted.blueprint.described.hyperpod.lifecycle).own  # type: ignore[union-attr]
        if own:
            name, _, folder = own.at.removeprefix("s3://").partition("/")
            key = "/".join(each for each in (folder.strip("/"), own.on_create or own.on_init_complete) if each)
            scripts.setdefault(name, set()).add(key)

    def listed(asked: Asked) -> Said:
        prefix = asked.get("Prefix", "")
        below = [key for key in sorted(scripts.get(asked["Bucket"], ())) if key.startswith(prefix)]
        return {"Contents": [{"Key": key} for key in below if "/" not in key.removeprefix(prefix)]}

    return {
        "s3.ListObjectsV2": listed,
        "s3.GetBucketLocation": {"LocationConstraint": "us-west-2"},
    }
