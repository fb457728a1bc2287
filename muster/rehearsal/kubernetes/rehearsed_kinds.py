"""The kinds of objects that a rehearsal creates from users' files and from charts.

Others could make its programs call an address or change what they decide: a webhook or an APIService makes the API
server call a server, a MultiKueueCluster gives Kueue a kubeconfig, a Node adds capacity that is not planned.
"""

from collections.abc import Mapping
from typing import Any

_KINDS: Mapping[str, frozenset[str]] = {
    group: frozenset(kinds.split())
    for group, kinds in {
        "": "ConfigMap LimitRange Namespace PersistentVolume PersistentVolumeClaim Pod PodTemplate "
        "ReplicationController ResourceQuota Secret Service ServiceAccount",
        "apps": "DaemonSet Deployment ReplicaSet StatefulSet",
        "autoscaling": "HorizontalPodAutoscaler",
        "batch": "CronJob Job",
        "networking.k8s.io": "Ingress IngressClass NetworkPolicy",
        "node.k8s.io": "RuntimeClass",
        "policy": "PodDisruptionBudget",
        "rbac.authorization.k8s.io": "ClusterRole ClusterRoleBinding Role RoleBinding",
        "resource.k8s.io": "DeviceClass ResourceClaim ResourceClaimTemplate",
        "scheduling.k8s.io": "PriorityClass",
        "storage.k8s.io": "CSIDriver StorageClass VolumeAttributesClass",
        "batch.volcano.sh": "Job",
        "bus.volcano.sh": "",
        "jobset.x-k8s.io": "JobSet",
        "kubeflow.org": "JAXJob MPIJob PaddleJob PyTorchJob TFJob XGBoostJob",
        "kueue.x-k8s.io": "AdmissionCheck ClusterQueue Cohort LocalQueue ProvisioningRequestConfig ResourceFlavor "
        "Topology WorkloadPriorityClass",
        "ray.io": "RayCluster RayJob RayService",
        "scheduling.volcano.sh": "PodGroup Queue",
        "topology.volcano.sh": "HyperNode",
        "trainer.kubeflow.org": "ClusterTrainingRuntime TrainJob TrainingRuntime",
    }.items()
}
"""API group of Kubernetes or of an operator that runs in rehearsals -> kinds."""


def is_rehearsed(thing: Mapping[str, Any]) -> bool:
    """Whether a rehearsal creates an object. On kinds of other groups, none of its programs acts."""
    group = str(thing["apiVersion"]).rpartition("/")[0]
    if group in _KINDS:
        return thing["kind"] in _KINDS[group]
    return "." in group and not group.endswith(".k8s.io")


def without_conversion(thing: dict[str, Any]) -> dict[str, Any]:
    """A CustomResourceDefinition of a chart without its conversion webhook."""
    return {**thing, "spec": {key: value for key, value in thing["spec"].items() if key != "conversion"}}
