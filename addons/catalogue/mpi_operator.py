"""The MPI operator: runs MPIJob, kubeflow.org/v2beta1. It has no chart.

Its CRD is 313 KB: only server-side apply takes it, which the Kubernetes provider uses. The Deployment tolerates
nothing, so tolerations of the system groups' taints are added. v0.8.0 "contains known stability bugs" (cluster-toolkit
PR #5916), hence 0.8.2, whose manifest may name the moving image tag 0.8: the image is set.

The workload compared with `deploy/v2beta1/mpi-operator.yaml` of the commit that prepares v0.8.2 (caa3c47): one
replica, no priority class, no node selector, affinity, tolerations or requests.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Manifest
from muster.addons.workload import JobKind, Placement, Workload

_NAME = "mpi-operator"


def _workloads(values: Mapping[str, Any]) -> tuple[Workload, ...]:
    return (Workload("Deployment", _NAME, _NAME, Placement(values.get("tolerations", []))),)


ADDON = Addon(
    name=_NAME,
    namespace=_NAME,
    source=Manifest(
        "https://raw.githubusercontent.com/kubeflow/mpi-operator/{version}/deploy/v2beta1/mpi-operator.yaml",
        images={_NAME: "mpioperator/mpi-operator:{number}"},
    ),
    reason="it runs the NCCL test and other MPIJobs",
    workloads=_workloads,
    loses="every MPIJob",
    runs=(JobKind("kubeflow.org/v2beta1", "MPIJob"),),
)
