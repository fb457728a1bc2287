"""The FSx CSI driver: its volumes and claims. See `fsx_csi_driver.toml`."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext, Volume
from muster.addons.namespaces import namespace, of_claims
from muster.addons.sheet import addon
from muster.config.description.addons import FsxCsiDriverOptions

# Volumes and claims as in aws-fsx-csi-driver's `examples/kubernetes/static_provisioning` (5b22712).

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
    """The claims' namespace, and a volume and a claim for each file system."""
    options = _options(context)
    assert options is not None, "these are objects of an add-on that is set"
    bound = [each for volume in context.volumes for each in (_volume(volume, options), _claim(volume, options))]
    new = of_claims(context)
    return (*([namespace(new)] if new else []), *bound)


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


ADDON = addon(FSX_CSI_DRIVER, objects=objects)
