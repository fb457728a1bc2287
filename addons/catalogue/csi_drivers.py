"""CSI drivers: the volumes and claims of file systems and buckets; and the role of the one of S3. See their sheets."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from muster.addons.addon import Json, Permissions, Statement
from muster.addons.context import AddonContext, Volume
from muster.addons.namespaces import namespace, of_claims
from muster.addons.sheet import addon
from muster.config.description.addons import CsiDriverOptions, S3CsiDriverOptions
from muster.fleet.resources.storage import KINDS

# Volumes and claims as in the examples of static provisioning of each driver: aws-fsx-csi-driver (5b22712),
# aws-efs-csi-driver (a4fc676), aws-fsx-openzfs-csi-driver (dc7b82c), mountpoint-s3-csi-driver (1591f6f).

_NOMINAL = "1200Gi"
"""Kubernetes needs a size, also of a file system that existed before; the drivers ignore it.

Every claim requests it, whatever size its file system has: where a file system grows its volume does, and the API
server would refuse a claim that grew ("only dynamically provisioned pvc can be resized"). It is the smallest
Lustre's."""


def claim_of(context: AddonContext, storage: str) -> tuple[str, str] | None:
    """The claim of a file system and its namespace; None where there is none.

    Args:
        context: the cluster.
        storage: the file system's name.
    """
    volume = next((each for each in context.volumes if each.name == storage), None)
    options = _options(context, volume.kind.driver) if volume else None
    return (storage, options.namespace) if options else None


def _options(context: AddonContext, driver: str) -> CsiDriverOptions | None:
    found = context.chosen.get(driver)
    return found if isinstance(found, CsiDriverOptions) else None


def _objects(driver: str, context: AddonContext) -> tuple[Json, ...]:
    """The claims' namespace, and a volume and a claim for each file system that the driver mounts."""
    options = _options(context, driver)
    assert options is not None, "these are objects of an add-on that is set"
    volumes = [each for each in context.volumes if each.kind.driver == driver]
    made = [namespace(name) for name, maker in of_claims(context).items() if maker == driver]
    return (*made, *(each for volume in volumes for each in _bound(volume, options)))


def _bound(volume: Volume, options: CsiDriverOptions) -> Iterator[Json]:
    """A volume and a claim in each namespace. A volume has one claim, and several volumes may be of one file system:
    the drivers attach nothing, and a pod has one of them."""
    for where in (options.namespace, *options.more_namespaces):
        name = volume.name if where == options.namespace else f"{volume.name}.{where}"
        yield _volume(volume, name, where)
        yield _claim(volume, name, where)


def _mounting(volume: Volume) -> tuple[list[str], Mapping[str, Any]]:
    """The options and the attributes of a volume."""
    match volume.kind.word:
        case "lustre":
            # Locks across nodes: libraries for checkpoints and datasets use them.
            return ["flock"], {"dnsname": volume.dns_name, "mountname": volume.mount_name}
        case "openzfs":
            options = volume.kind.options.split()[1].split(",")
            return options, {"DNSName": volume.dns_name, "ResourceType": "filesystem"}
        case "s3":
            prefix = [f"prefix {volume.mount_name}/"] if volume.mount_name else []
            rights = ["allow-delete", "allow-overwrite"] if volume.writes else ["read-only"]
            # Containers whose user is not root.
            return [*prefix, *rights, "allow-other"], {"bucketName": volume.file_system}
        case _:
            return [], {}


def _modes(volume: Volume) -> list[str]:
    return ["ReadWriteMany" if volume.writes else "ReadOnlyMany"]


def _volume(volume: Volume, name: str, namespace: str) -> Json:
    mount_options, attributes = _mounting(volume)
    # Of a bucket, it "must be unique" (mountpoint-s3-csi-driver, `examples`).
    handle = name if volume.kind.word == "s3" else volume.file_system
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": volume.capacity or _NOMINAL},
            "volumeMode": "Filesystem",
            "accessModes": _modes(volume),
            # The data outlive the claim and this stack.
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            # Otherwise any claim without a class could take it.
            "claimRef": {"namespace": namespace, "name": volume.name},
            **({"mountOptions": mount_options} if mount_options else {}),
            "csi": {
                "driver": volume.kind.csi,
                "volumeHandle": handle,
                **({"volumeAttributes": dict(attributes)} if attributes else {}),
            },
        },
    }


def _claim(volume: Volume, name: str, namespace: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": volume.name, "namespace": namespace},
        "spec": {
            "accessModes": _modes(volume),
            # Empty, not left out: otherwise the default StorageClass would make a volume.
            "storageClassName": "",
            "volumeName": name,
            "resources": {"requests": {"storage": _NOMINAL}},
        },
    }


_S3 = "s3-csi-driver"


def _permissions(context: AddonContext) -> tuple[Permissions, ...]:
    """The role of the driver, if it can use buckets (EKS user guide, "s3-csi"): those of its settings it reads."""
    options = context.chosen[_S3]
    places = dict.fromkeys(options.buckets if isinstance(options, S3CsiDriverOptions) else [], False)
    for each in context.volumes:
        if each.kind.driver == _S3:
            place = f"{each.file_system}/{each.mount_name}".rstrip("/")
            places[place] = places.get(place, False) or each.writes
    if not places:
        return ()

    def arns(those: list[str], end: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f"arn:{{partition}}:s3:::{each}{end}" for each in those))

    written = [place for place, writes in places.items() if writes]
    statements = [
        Statement(("s3:ListBucket",), arns([each.partition("/")[0] for each in places], "")),
        Statement(("s3:GetObject",), arns(list(places), "/*")),
        *([Statement(_WRITES, arns(written, "/*"))] if written else []),
    ]
    return (Permissions("kube-system", "s3-csi-driver-sa", statements=tuple(statements), by_oidc=True),)


_WRITES = ("s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject")

_OWN: Mapping[str, dict[str, Any]] = {_S3: {"permissions": _permissions}}
DRIVERS = tuple(
    addon(each.driver, objects=partial(_objects, each.driver), **_OWN.get(each.driver, {})) for each in KINDS.values()
)
