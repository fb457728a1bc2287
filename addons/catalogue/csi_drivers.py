"""The FSx CSI driver: its volumes and claims; and the one of S3 (Mountpoint): its role. See their sheets."""

from muster.addons.addon import Json, Permissions, Statement
from muster.addons.context import AddonContext, Volume
from muster.addons.namespaces import namespace, of_claims, of_more_claims
from muster.addons.sheet import addon
from muster.config.description.addons import FsxCsiDriverOptions, S3CsiDriverOptions

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
    made = [new] if new else []
    made += [name for name, driver in of_more_claims(context).items() if driver == FSX_CSI_DRIVER]
    more = [_moved(each, name) for name in options.more_namespaces for each in bound]
    return (*map(namespace, made), *bound, *more)


def _moved(manifest: Json, namespace: str) -> Json:
    """A volume or a claim for another namespace. A volume has one claim, and several volumes may be of one file
    system: the driver attaches nothing, and a pod has one of them."""
    spec, metadata = manifest["spec"], manifest["metadata"]
    volume = f"{metadata['name']}.{namespace}"
    if "claimRef" in spec:
        metadata, spec = {"name": volume}, {**spec, "claimRef": {**spec["claimRef"], "namespace": namespace}}
    else:
        metadata, spec = {**metadata, "namespace": namespace}, {**spec, "volumeName": volume}
    return {**manifest, "metadata": metadata, "spec": spec}


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


FSX = addon(FSX_CSI_DRIVER, objects=objects)


_S3 = "s3-csi-driver"


def _permissions(context: AddonContext) -> tuple[Permissions, ...]:
    """The role of the driver, if it can read buckets (EKS user guide, "s3-csi", less what writes)."""
    options = context.chosen[_S3]
    buckets = options.buckets if isinstance(options, S3CsiDriverOptions) else []
    if not buckets:
        return ()
    arns = tuple(f"arn:{{partition}}:s3:::{each}" for each in buckets)
    reads = Statement(("s3:GetObject",), tuple(f"{each}/*" for each in arns))
    return (
        Permissions(
            "kube-system", "s3-csi-driver-sa", statements=(Statement(("s3:ListBucket",), arns), reads), by_oidc=True
        ),
    )


S3 = addon(_S3, permissions=_permissions)
