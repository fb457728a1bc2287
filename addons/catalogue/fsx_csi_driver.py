"""The FSx CSI driver: mounts Lustre file systems into pods.

As an EKS add-on, `aws-fsx-csi-driver`, or as the project's chart of the same name; both run what chart 1.17.0 has
(kubernetes-sigs/aws-fsx-csi-driver 5b22712, driver 1.9.0): a controller, which alone speaks to FSx, and a DaemonSet on
every Linux node, whatever its taints. The EKS add-on is given no values: its schema is not public.

Each file system of the stack becomes a PersistentVolume and a claim, in the form of the driver's
`examples/kubernetes/static_provisioning`: nothing makes file systems unless the description says so. There is an issue
of this driver in which one went on making them until the subnet had no address left (aws-fsx-csi-driver#433).

The controller finds its Region by itself where it can: from instance metadata, which our nodes keep from pods, and then
from its node's labels (`pkg/cloud/metadata.go`). The chart is told; `node.region` is in its template only.

`_workloads` compared with the chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, Chart, EksAddon, Json, Permissions, Source, Statement
from addons.context import AddonContext, LustreParameters, Volume, system_tolerations
from addons.image_names import path_of
from addons.namespaces import namespace, of_claims
from addons.values import at, over_defaults
from addons.workload import LINUX, Placement, Workload, none_of, on_nodes
from muster.config.description.addons import Form, FsxCsiDriverOptions, Options
from muster.hardware.lustre import AUTOMATIC, HDD, PERSISTENT_2
from muster.versions import FSX_CSI_CHART

# The Kubernetes objects of the stack's Lustre file systems: volumes, claims and StorageClasses. Pure.
#
# Volumes and claims in the form of aws-fsx-csi-driver's `examples/kubernetes/static_provisioning` (5b22712); parameters
# of StorageClasses by its `examples/kubernetes/dynamic_provisioning/README.md` and `pkg/driver/controller.go`: all
# texts, one subnet.

FSX_CSI_DRIVER = "fsx-csi-driver"
_DRIVER = "fsx.csi.aws.com"

_NOMINAL = "1200Gi"
"""Kubernetes wants a size, of a file system that existed before, too; Lustre takes no notice of it.

It is what every claim asks for, whatever its file system has: one that grows takes its volume along, and a claim that
followed would be refused ("only dynamically provisioned pvc can be resized"). The smallest Lustre has it."""


def claim_of(site: AddonContext, storage: str) -> tuple[str, str] | None:
    """The claim of a file system and its namespace; None where nothing makes one.

    Args:
        site: the cluster.
        storage: the file system's name.
    """
    options = _options(site)
    return (storage, options.namespace) if options and any(each.name == storage for each in site.volumes) else None


def objects(site: AddonContext) -> tuple[Json, ...]:
    """The claims' namespace, a volume and a claim for each file system, and the StorageClasses that are asked for."""
    options = _options(site)
    assert options is not None, "these are objects of an add-on that is chosen"
    made = {each.name: each.make for each in site.volumes}
    likes = {name: made.get(said.like) for name, said in options.storage_classes.items()}
    classes = [_storage_class(name, make) for name, make in likes.items() if make is not None]
    bound = [each for volume in site.volumes for each in (_volume(volume, options), _claim(volume, options))]
    made_first = of_claims(site)
    return (*([namespace(made_first)] if made_first else []), *bound, *classes)


def _options(site: AddonContext) -> FsxCsiDriverOptions | None:
    found = site.chosen.get(FSX_CSI_DRIVER)
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


def _storage_class(name: str, make: LustreParameters) -> Json:
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


def _parameters(make: LustreParameters) -> Json:
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


_NAME = "aws-fsx-csi-driver"
_NAMESPACE = "kube-system"
_IMAGE = "public.ecr.aws/fsx-csi-driver/aws-fsx-csi-driver"
_SIDECARS = {
    "livenessProbe": "public.ecr.aws/csi-components/livenessprobe",
    "nodeDriverRegistrar": "public.ecr.aws/csi-components/csi-node-driver-registrar",
    "provisioner": "public.ecr.aws/csi-components/csi-provisioner",
    "resizer": "public.ecr.aws/csi-components/csi-resizer",
}
_CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
_A_WHILE = {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}


def _values(site: AddonContext) -> Json:
    return {
        "controller": {"region": site.region, "tolerations": [_CRITICAL, _A_WHILE, *system_tolerations(site)]},
        "node": {"region": site.region},
    }


def _mirrored(registry: str) -> Json:
    """Not `image.containerRegistry`: that goes before the whole name, host and all."""
    sidecars = {name: {"image": {"repository": f"{registry}/{path_of(each)}"}} for name, each in _SIDECARS.items()}
    return {"image": {"repository": f"{registry}/{path_of(_IMAGE)}"}, "sidecars": sidecars}


_SMALL = {"requests": {"cpu": "10m", "memory": "40Mi"}, "limits": {"memory": "256Mi"}}
_SIDECAR = {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "128Mi"}}
_NOT_FARGATE = none_of("eks.amazonaws.com/compute-type", "fargate")
_RATHER = {"weight": 1, "preference": {"matchExpressions": [_NOT_FARGATE]}}
_DEFAULTS: Json = {
    "sidecars": {name: {"resources": _SIDECAR} for name in _SIDECARS},
    "controller": {
        "replicaCount": 2,
        "nodeSelector": {},
        "resources": _SMALL,
        "tolerations": [_CRITICAL, _A_WHILE],
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [_RATHER]}},
    },
    "node": {
        "nodeSelector": {},
        "resources": _SMALL,
        "tolerateAllTaints": True,
        "tolerations": [_A_WHILE],
        "affinity": on_nodes(_NOT_FARGATE),
    },
}
"""The chart's own, as far as they decide where its pods run."""

_NOT_READY = {"key": "fsx.csi.aws.com/agent-not-ready", "operator": "Exists"}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    controller, node = values.get("controller") or {}, values.get("node") or {}
    listed = [*(node.get("tolerations") or ()), _NOT_READY]
    return (
        Workload(
            "Deployment",
            "fsx-csi-controller",
            _NAMESPACE,
            _placement(controller, controller.get("tolerations") or [], "system-cluster-critical"),
            controller.get("resources") or {},
            _beside(values, controller, "provisioner", "resizer", "livenessProbe"),
            replicas=controller.get("replicaCount", 1),
        ),
        Workload(
            "DaemonSet",
            "fsx-csi-node",
            _NAMESPACE,
            _placement(
                node, [{"operator": "Exists"}] if node.get("tolerateAllTaints") else listed, "system-node-critical"
            ),
            node.get("resources") or {},
            _beside(values, node, "nodeDriverRegistrar", "livenessProbe"),
        ),
    )


def _placement(values: Mapping[str, Any], tolerations: list[Json], priority: str) -> Placement:
    return Placement(
        tolerations,
        values.get("affinity") or {},
        {**LINUX, **(values.get("nodeSelector") or {})},
        priority,
    )


def _beside(values: Mapping[str, Any], own: Mapping[str, Any], *sidecars: str) -> tuple[Mapping[str, Any], ...]:
    """A sidecar that says nothing asks for what the driver asks for."""
    return tuple(at(values, "sidecars", each, "resources") or own.get("resources") or {} for each in sidecars)


def _form(options: Options) -> Source:
    assert isinstance(options, FsxCsiDriverOptions)
    return _AS_CHART if options.from_ is Form.HELM else _AS_EKS_ADDON


_AS_EKS_ADDON = EksAddon(_NAME)
_AS_CHART = Chart(
    "https://kubernetes-sigs.github.io/aws-fsx-csi-driver", _NAME, _values, mirrored=_mirrored, pin=FSX_CSI_CHART
)

_TAG = "CSIVolumeName"
"""The driver puts it on each file system that it makes (`pkg/cloud/cloud.go`)."""
_FILE_SYSTEMS = ("arn:{partition}:fsx:{region}:*:file-system/*",)
_ITS_OWN = {"StringLike": {f"aws:ResourceTag/{_TAG}": "*"}}

_PERMISSIONS = Permissions(
    _NAMESPACE,
    "fsx-csi-controller-sa",
    # The driver's `docs/install.md`, less what is for file systems linked to S3, which our StorageClasses do not make.
    # What it may change or delete are the file systems that it made itself: never the stack's own. By the service
    # authorization reference DescribeFileSystems knows no resources; the others know their file system and its tags.
    statements=(
        Statement(("fsx:DescribeFileSystems",)),
        Statement(
            ("fsx:CreateFileSystem", "fsx:TagResource"),
            _FILE_SYSTEMS,
            {"StringLike": {f"aws:RequestTag/{_TAG}": "*"}},
        ),
        Statement(("fsx:DeleteFileSystem", "fsx:UpdateFileSystem"), _FILE_SYSTEMS, _ITS_OWN),
        Statement(
            ("iam:CreateServiceLinkedRole",),
            ("arn:{partition}:iam::*:role/aws-service-role/fsx.amazonaws.com/*",),
            {"StringEquals": {"iam:AWSServiceName": "fsx.amazonaws.com"}},
        ),
    ),
)

ADDON = Addon(
    name="fsx-csi-driver",
    namespace=_NAMESPACE,
    source=_AS_EKS_ADDON,
    reason="no pod mounts a Lustre file system without it",
    workloads=_workloads,
    needs={"eks-pod-identity-agent": "the controller has its rights in FSx from it"},
    permissions=lambda _: (_PERMISSIONS,),
    objects=objects,
    form=_form,
)
