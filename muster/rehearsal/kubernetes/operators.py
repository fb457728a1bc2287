"""The operators of jobs that run in a rehearsal as they do on a cluster.

Each is built from its own module: its own main, or one of Muster's (`programs/NAME/main.go` has the reason).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.jobs.pod_roles import Controller


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator."""

    name: str
    """The name of its folder in `programs`, and of its binary, if it has one."""
    module: str
    """Its Go module."""
    controller: Controller | None
    """None for an operator that creates no pods but manages the jobs of others."""
    addon: str
    """The add-on that installs it."""
    api_version: str
    kinds: tuple[str, ...]
    """The jobs that it runs."""
    crds: str
    """The files of its custom resources in the module, as a glob."""
    webhooks: str = ""
    """The file of its webhook configuration in the module; empty if it has no webhooks."""
    webhooks_name: str = ""
    """The name of that configuration in its installation; if empty, the operator's name followed by its own."""
    pod_label: str = ""
    """The label of the pods that its webhooks apply to, from its installation."""
    configuration: str = ""
    """The apiVersion of the configuration file that its main reads; empty if Muster's main has flags instead."""
    own_certificates: str = ""
    """The key of that file that makes the operator create its own certificates."""
    certificates_name: str = ""
    """The DNS name of its certificate authority; empty if the operator runs without creating certificates."""
    certificates_key: str = ""
    """The key of its webhook server's folder of certificates, below `webhook`; if empty, the folder is fixed."""
    further_kinds: tuple[str, ...] = ()
    """The kinds that it reads for every job, besides its own."""
    needs: tuple[str, ...] = ()
    """The kinds of jobs that it creates from its own jobs and that other operators run."""
    converted: tuple[str, ...] = ()
    """The kinds whose versions its webhook converts."""
    manages_jobs: bool = False
    """Whether it manages jobs of other controllers. Its webhooks then also apply to these jobs and their pods, in every
    namespace but kube-system and its own, and are created once the add-ons run."""
    programs: tuple[str, ...] = ()
    """The programs of a module with several: the names of their packages below `cmd`."""
    scheduler: str = ""
    """The name of its scheduler: pods of any job may use it."""

    @property
    def namespace(self) -> str:
        """The namespace of its installation."""
        return f"{self.name}-system"

    @property
    def binaries(self) -> tuple[str, ...]:
        """The names of its binaries."""
        return tuple(f"{self.name}-{program}" for program in self.programs) or (self.name,)

    def package(self, binary: str) -> str:
        """The import path of a binary's package, for a module with several binaries."""
        return f"{self.module}/cmd/{binary.removeprefix(f'{self.name}-')}"


TRAINING_OPERATOR = Operator(
    "training-operator",
    "github.com/kubeflow/training-operator",
    Controller.TRAINING_OPERATOR,
    "training-operator",
    "kubeflow.org/v1",
    # Not its MPIJob (v1): clusters have the MPI operator's MPIJob, and both have the same name.
    ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob"),
    crds="manifests/base/crds/kubeflow.org_*.yaml",
    webhooks="manifests/base/webhook/manifests.yaml",
    webhooks_name="validator.training-operator.kubeflow.org",
)
MPI_OPERATOR = Operator(
    "mpi-operator",
    "github.com/kubeflow/mpi-operator",
    Controller.MPI_OPERATOR,
    "mpi-operator",
    "kubeflow.org/v2beta1",
    ("MPIJob",),
    crds="manifests/base/kubeflow.org_mpijobs.yaml",
)
JOBSET = Operator(
    "jobset",
    "sigs.k8s.io/jobset",
    Controller.JOBSET,
    "jobset",
    "jobset.x-k8s.io/v1alpha2",
    ("JobSet",),
    crds="config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml",
    webhooks="config/components/webhook/manifests.yaml",
    pod_label="jobset.sigs.k8s.io/jobset-name",
    configuration="config.jobset.x-k8s.io/v1alpha1",
    own_certificates="internalCertManagement",
    certificates_key="certDir",
)
TRAINER = Operator(
    "trainer",
    "github.com/kubeflow/trainer/v2",
    Controller.TRAINER,
    "trainer",
    "trainer.kubeflow.org/v1alpha1",
    ("TrainJob",),
    crds="manifests/base/crds/trainer.kubeflow.org_*.yaml",
    webhooks="manifests/base/webhook/manifests.yaml",
    configuration="config.trainer.kubeflow.org/v1alpha1",
    own_certificates="certManagement",
    further_kinds=("ClusterTrainingRuntime", "TrainingRuntime"),
    needs=("JobSet",),
)
KUEUE = Operator(
    "kueue",
    "sigs.k8s.io/kueue",
    None,
    "kueue",
    "kueue.x-k8s.io/v1beta2",
    (),
    crds="config/components/crd/bases/kueue.x-k8s.io_*.yaml",
    webhooks="config/components/webhook/manifests.yaml",
    configuration="config.kueue.x-k8s.io/v1beta2",
    own_certificates="internalCertManagement",
    # If it does not create its own certificates, it exits: it has no setting for the folder of its metrics'
    # certificates.
    certificates_name="kueue-ca",
    certificates_key="certDir",
    further_kinds=(
        *("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "MultiKueueCluster", "MultiKueueConfig"),
        *("ProvisioningRequestConfig", "ResourceFlavor", "Topology", "Workload", "WorkloadPriorityClass"),
    ),
    # `config/components/crd/kustomization.yaml`
    converted=("ClusterQueue", "Cohort", "LocalQueue", "MultiKueueCluster", "Workload"),
    manages_jobs=True,
)
VOLCANO = Operator(
    "volcano",
    "volcano.sh/volcano",
    Controller.VOLCANO,
    "volcano",
    "batch.volcano.sh/v1alpha1",
    ("Job",),
    # Volcano's chart as Helm renders it with its defaults.
    crds="installer/volcano-development.yaml",
    webhooks="installer/volcano-development.yaml",
    further_kinds=("PodGroup", "Queue", "Command", "HyperNode", "Numatopology", "NodeShard"),
    programs=("webhook-manager", "scheduler", "controller-manager"),
    scheduler="volcano",
)
VOLCANO_SCHEDULING = "scheduling.volcano.sh/v1beta1"
"""The apiVersion of its queues and PodGroups."""
KUBERAY = Operator(
    "kuberay-operator",
    "github.com/ray-project/kuberay/ray-operator",
    Controller.KUBERAY,
    "kuberay-operator",
    "ray.io/v1",
    ("RayCluster", "RayJob"),
    crds="config/crd/bases/ray.io_*.yaml",
    further_kinds=("RayCluster", "RayJob", "RayService"),
)
OPERATORS: Mapping[str, Operator] = {
    # Volcano comes before the operators that look for its PodGroups when they start.
    each.name: each
    for each in (VOLCANO, TRAINING_OPERATOR, MPI_OPERATOR, JOBSET, TRAINER, KUBERAY, KUEUE)
}
"""Operators by name."""
SCHEDULERS: Mapping[str, Operator] = {each.scheduler: each for each in OPERATORS.values() if each.scheduler}
"""The operators with a scheduler, by its name."""


def operator_with_binary(name: str) -> Operator | None:
    """The operator that a binary belongs to; None for Kubernetes' own binaries."""
    return next((each for each in OPERATORS.values() if name in each.binaries), None)


def operator_of(controller: Controller) -> Operator | None:
    """The operator that is a job's controller; None for Kubernetes' own controllers and for a simulated controller."""
    return next((each for each in OPERATORS.values() if each.controller is controller), None)


def operators_for(kinds: Collection[str], schedulers: Collection[str] = ()) -> dict[Operator, tuple[str, ...]]:
    """The operators that run jobs of these kinds, each with its kinds among them, and the operators that have these
    schedulers, each with all its kinds.

    Raises:
        ValueError: none of them runs a kind.
    """
    needed = {kind for each in OPERATORS.values() if set(kinds) & set(each.kinds) for kind in each.needs}
    kinds = (*kinds, *sorted(needed - set(kinds)))
    found = {
        each: each.kinds if each.scheduler in schedulers else tuple(kind for kind in kinds if kind in each.kinds)
        for each in OPERATORS.values()
    }
    if unknown := set(kinds) - {kind for own in found.values() for kind in own}:
        runs = ", ".join(kind for each in OPERATORS.values() for kind in each.kinds)
        raise ValueError(f"no operator of the rehearsal runs {', '.join(sorted(unknown))}; they run {runs}")
    return {each: own for each, own in found.items() if own}


def custom_resources(
    manifests: Iterable[Mapping[str, Any]], kinds: Collection[str], *, every_version: bool = False
) -> list[Mapping[str, Any]]:
    """The custom resources of these kinds, among an operator's manifests. The API server compiles a schema for each
    version: if not all versions are needed, the resources have only the stored version."""
    resources = (each for each in manifests if each["kind"] == "CustomResourceDefinition")
    named = [each for each in resources if each["spec"]["names"]["kind"] in kinds]
    return named if every_version else [_in_one_version(each) for each in named]


def _in_one_version(resource: Mapping[str, Any]) -> Mapping[str, Any]:
    spec = resource["spec"]
    return {**resource, "spec": {**spec, "versions": [each for each in spec["versions"] if each["storage"]]}}


def stored_version(resource: Mapping[str, Any]) -> str:
    """The apiVersion of a custom resource."""
    spec = _in_one_version(resource)["spec"]
    return f"{spec['group']}/{spec['versions'][0]['name']}"
