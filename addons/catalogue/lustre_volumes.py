"""The Kubernetes objects of the stack's Lustre file systems: volumes, claims and StorageClasses. Pure.

Volumes and claims in the form of aws-fsx-csi-driver's `examples/kubernetes/static_provisioning` (5b22712); parameters
of StorageClasses by its `examples/kubernetes/dynamic_provisioning/README.md` and `pkg/driver/controller.go`: all texts,
one subnet.
"""

from addons.addon import Json
from addons.namespaces import namespace, of_claims
from addons.site import Make, Site, Volume
from muster.fleet.description.addons import FsxCsiDriverOptions
from muster.fleet.lustre import AUTOMATIC, HDD, PERSISTENT_2

ADDON = "fsx-csi-driver"
_DRIVER = "fsx.csi.aws.com"

_NOMINAL = "1200Gi"
"""Kubernetes wants a size, of a file system that existed before, too; Lustre takes no notice of it.

It is what every claim asks for, whatever its file system has: one that grows takes its volume along, and a claim that
followed would be refused ("only dynamically provisioned pvc can be resized"). The smallest Lustre has it."""


def claim_of(site: Site, storage: str) -> tuple[str, str] | None:
    """The claim of a file system and its namespace; None where nothing makes one.

    Args:
        site: the cluster.
        storage: the file system's name.
    """
    options = _options(site)
    return (storage, options.namespace) if options and any(each.name == storage for each in site.volumes) else None


def objects(site: Site) -> tuple[Json, ...]:
    """The claims' namespace, a volume and a claim for each file system, and the StorageClasses that are asked for."""
    options = _options(site)
    assert options is not None, "these are objects of an add-on that is chosen"
    made = {each.name: each.make for each in site.volumes}
    likes = {name: made.get(said.like) for name, said in options.storage_classes.items()}
    classes = [_storage_class(name, make) for name, make in likes.items() if make is not None]
    bound = [each for volume in site.volumes for each in (_volume(volume, options), _claim(volume, options))]
    made_first = of_claims(site)
    return (*([namespace(made_first)] if made_first else []), *bound, *classes)


def _options(site: Site) -> FsxCsiDriverOptions | None:
    found = site.chosen.get(ADDON)
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
            # Data outlive the claim, as they outlive this stack.
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            # For this claim and no other: any claim without a class would do, else.
            "claimRef": {"namespace": options.namespace, "name": volume.name},
            # Locks that hold on all nodes: checkpoints and datasets libraries ask for them.
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
            # Empty, not left out: the cluster's default class would make a volume of another kind.
            "storageClassName": "",
            "volumeName": volume.name,
            "resources": {"requests": {"storage": _NOMINAL}},
        },
    }


def _storage_class(name: str, make: Make) -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": _DRIVER,
        "parameters": _parameters(make),
        "mountOptions": ["flock"],
        "reclaimPolicy": "Delete",
        "allowVolumeExpansion": True,
        # One subnet, whatever node the pod is on.
        "volumeBindingMode": "Immediate",
    }


def _parameters(make: Make) -> Json:
    said = {
        "subnetId": make.subnet,
        "securityGroupIds": make.security_group,
        "deploymentType": make.deployment,
        "storageType": make.disk,
        "fileSystemTypeVersion": make.version,
    }
    if make.throughput is not None:
        said["perUnitStorageThroughput"] = str(make.throughput)
    if make.disk == HDD:
        said["driveCacheType"] = "NONE"
    if make.deployment == PERSISTENT_2:
        # FSx wants it of one with EFA (the driver's `examples/kubernetes/efa`).
        said["metadataConfigurationMode"] = AUTOMATIC
    if make.efa:
        said["efaEnabled"] = "true"
    return said
