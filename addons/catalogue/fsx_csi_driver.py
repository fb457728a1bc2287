"""The FSx CSI driver: its volumes, claims, storage classes and role. See `fsx_csi_driver.toml`."""

from typing import Any

from muster.addons.addon import Json, Permissions, Statement
from muster.addons.context import AddonContext, LustreParameters, Volume
from muster.addons.namespaces import namespace, of_claims
from muster.addons.sheet import addon
from muster.config.description.addons import FsxCsiDriverOptions
from muster.hardware.lustre import AUTOMATIC, HDD, PERSISTENT_2

# The Kubernetes objects of the stack's Lustre file systems: volumes, claims and StorageClasses. Pure.
#
# Volumes and claims as in aws-fsx-csi-driver's `examples/kubernetes/static_provisioning` (5b22712); parameters
# of StorageClasses by its `examples/kubernetes/dynamic_provisioning/README.md` and `pkg/driver/controller.go`: all
# texts, one subnet.

FSX_CSI_DRIVER = "fsx-csi-driver"
_DRIVER = "fsx.csi.aws.com"

_NOMINAL = "1200Gi"
"""Kubernetes needs a size, also of a file system that existed before; Lustre ignores it.

Every claim requests it, whatever size its file system has: where a file system grows its volume does, and the API
server would refuse a claim that grew ("only dynamically provisioned pvc can be resized"). It is the smallest
Lustre's."""


def claim_of(context: AddonContext, storage: str) -> tuple[str, str] | None:
    """The claim of a file system and its namespace; None where there is none.

    Args:
        context: the cluster.
        storage: the file system's name.
    """
    options = _options(context)
    return (storage, options.namespace) if options and any(each.name == storage for each in context.volumes) else None


def objects(context: AddonContext) -> tuple[Json, ...]:
    """The claims' namespace, a volume and a claim for each file system, and the described StorageClasses."""
    options = _options(context)
    assert options is not None, "these are objects of an add-on that is set"
    made = {each.name: each.make for each in context.volumes}
    likes = {name: made.get(each.like) for name, each in options.storage_classes.items()}
    classes = [_storage_class(name, make, context.cluster) for name, make in likes.items() if make is not None]
    bound = [each for volume in context.volumes for each in (_volume(volume, options), _claim(volume, options))]
    new = of_claims(context)
    return (*([namespace(new)] if new else []), *bound, *classes)


def _options(context: AddonContext) -> FsxCsiDriverOptions | None:
    found = context.chosen.get(FSX_CSI_DRIVER)
    return found if isinstance(found, FsxCsiDriverOptions) else None


def _volume(volume: Volume, options: FsxCsiDriverOptions) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": volume.name},
        "spec": {
            "capacity": {"storage": volume.capacity or _NOMINAL},
            "volumeMode": "Filesystem",
            "accessModes": ["ReadWriteMany"],
            # The data outlive the claim and this stack.
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            # Otherwise any claim without a class could take it.
            "claimRef": {"namespace": options.namespace, "name": volume.name},
            # Locks across nodes: libraries for checkpoints and datasets use them.
            "mountOptions": ["flock"],
            "csi": {
                "driver": _DRIVER,
                "volumeHandle": volume.file_system,
                "volumeAttributes": {"dnsname": volume.dns_name, "mountname": volume.mount_name},
            },
        },
    }


def _claim(volume: Volume, options: FsxCsiDriverOptions) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": volume.name, "namespace": options.namespace},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            # Empty, not left out: otherwise the default StorageClass would make a volume.
            "storageClassName": "",
            "volumeName": volume.name,
            "resources": {"requests": {"storage": _NOMINAL}},
        },
    }


def _storage_class(name: str, make: LustreParameters, cluster: Any) -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": _DRIVER,
        "parameters": {**_parameters(make), "extraTags": _tag(cluster)},
        "mountOptions": ["flock"],
        "reclaimPolicy": "Delete",
        "allowVolumeExpansion": True,
        # The file system is in one subnet, whatever node the pod is on.
        "volumeBindingMode": "Immediate",
    }


_CLUSTER_TAG = "CSIClusterName"
"""The driver deletes only file systems with this tag: the account may have other clusters."""


def _tag(cluster: Any) -> Any:
    text = f"{_CLUSTER_TAG}={{}}".format
    return text(cluster) if isinstance(cluster, str) else cluster.apply(text)


def _parameters(make: LustreParameters) -> Json:
    parameters = {
        "subnetId": make.subnet,
        "securityGroupIds": make.security_group,
        "deploymentType": make.deployment,
        "storageType": make.disk,
        "fileSystemTypeVersion": make.version,
    }
    if make.throughput is not None:
        parameters["perUnitStorageThroughput"] = str(make.throughput)
    if make.disk == HDD:
        parameters["driveCacheType"] = "NONE"
    if make.deployment == PERSISTENT_2:
        # FSx wants it of one with EFA (the driver's `examples/kubernetes/efa`).
        parameters["metadataConfigurationMode"] = AUTOMATIC
    if make.efa:
        parameters["efaEnabled"] = "true"
    return parameters


_NAMESPACE = "kube-system"
_SERVICE_ACCOUNT = "fsx-csi-controller-sa"
_VOLUME_TAG = "CSIVolumeName"
"""The driver puts it on each file system that it makes (`pkg/cloud/cloud.go`)."""
_THIS_CLUSTER = "${aws:PrincipalTag/eks-cluster-name}"
"""EKS Pod Identity sets this tag of the session (EKS user guide, "pod-id-abac")."""
_FILE_SYSTEMS = ("arn:{partition}:fsx:{region}:*:file-system/*",)
_MAKES = {
    "StringLike": {f"aws:RequestTag/{_VOLUME_TAG}": "*"},
    "StringEquals": {f"aws:RequestTag/{_CLUSTER_TAG}": _THIS_CLUSTER},
}


def _permissions(context: AddonContext) -> tuple[Permissions, ...]:
    """The driver's `docs/install.md`, less what is for file systems linked to S3, which our StorageClasses do not make.
    Without StorageClasses nothing makes file systems, so nothing may delete one.

    It may change or delete the file systems that it made for this cluster: not the stack's own, and not those of other
    clusters. By the service authorization reference (list_amazonfsx), DescribeFileSystems knows no resources, and no
    key says that a tag is part of a creation. So it may tag what has no tag of a cluster yet.
    """
    options = _options(context)
    see = Statement(("fsx:DescribeFileSystems",))
    if options is None or not options.storage_classes:
        return (Permissions(_NAMESPACE, _SERVICE_ACCOUNT, statements=(see,)),)
    own = {f"aws:ResourceTag/{_CLUSTER_TAG}": _THIS_CLUSTER}
    statements = (
        see,
        Statement(("fsx:CreateFileSystem",), _FILE_SYSTEMS, _MAKES),
        Statement(("fsx:TagResource",), _FILE_SYSTEMS, {**_MAKES, "StringEqualsIfExists": own}),
        Statement(("fsx:DeleteFileSystem", "fsx:UpdateFileSystem"), _FILE_SYSTEMS, {"StringEquals": own}),
        Statement(
            ("iam:CreateServiceLinkedRole",),
            ("arn:{partition}:iam::*:role/aws-service-role/fsx.amazonaws.com/*",),
            {"StringEquals": {"iam:AWSServiceName": "fsx.amazonaws.com"}},
        ),
    )
    return (Permissions(_NAMESPACE, _SERVICE_ACCOUNT, statements=statements),)


ADDON = addon(FSX_CSI_DRIVER, permissions=_permissions, objects=objects)
