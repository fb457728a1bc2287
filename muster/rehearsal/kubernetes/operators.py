"""The operators of jobs that run in a rehearsal as they do on a cluster, a class each.

Each runs its own main, or one of Muster's (`programs/operators/NAME/main.go` has the reason).
"""

import base64
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from muster.jobs.pod_roles import Controller
from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes import volcano
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.loopback import LOOPBACK, Certificate


@dataclass(frozen=True, slots=True)
class Start:
    """What an operator gets when it starts."""

    client: Client
    kubeconfig: Path
    certificate: Certificate
    """Of its webhook server."""
    port: int
    """Of its webhook server, on loopback."""
    folder: Path
    """An empty folder for its files."""
    manifests: list[JsonObject]
    """Its custom resources and webhooks, from its repository."""
    values: Mapping[str, Any]
    """Of its chart."""
    kinds: tuple[str, ...]
    """The kinds that it serves in this rehearsal."""
    kueue: Mapping[str, Any]
    """The configuration of Kueue; empty if it does not run."""

    def resources(self) -> Iterator[JsonObject]:
        """The custom resources of its kinds."""
        for each in self.manifests:
            if each["kind"] == "CustomResourceDefinition" and each["spec"]["names"]["kind"] in self.kinds:
                yield each

    def reached(self, path: str) -> JsonObject:
        """The client configuration with which the API server reaches a webhook on loopback."""
        authority = base64.b64encode(self.certificate.file.read_bytes()).decode()
        return {"url": f"https://{LOOPBACK}:{self.port}{path}", "caBundle": authority}


class Operator:
    """An operator: what it runs, what it consists of, and how it starts."""

    name: str
    """Its name, and that of its binary, if it has one."""
    module: str
    """Its Go module."""
    controller: Controller | None = None
    """None for an operator that creates no pods but manages the jobs of others."""
    addon: str
    """The add-on that installs it."""
    api_version: str
    kinds: tuple[str, ...] = ()
    """The jobs that it runs."""
    further_kinds: tuple[str, ...] = ()
    """The kinds that it reads for every job, besides its own."""
    needs: tuple[str, ...] = ()
    """The kinds of jobs that it creates from its own jobs and that other operators run."""
    crds: str
    """The files of its custom resources in the module, as a glob."""
    webhooks: str = ""
    """The file of its webhook configuration in the module; empty if it has no webhooks."""
    programs: tuple[str, ...] = ()
    """The programs of a module with several: the names of their packages below `cmd`."""
    scheduler: str = ""
    """The name of its scheduler: pods of any job may use it."""

    @property
    def binaries(self) -> tuple[str, ...]:
        """The names of its binaries. The first serves its webhooks."""
        return tuple(f"{self.name}-{program}" for program in self.programs) or (self.name,)

    def package(self, binary: str) -> str:
        """The import path of a binary's package, for a module with several binaries."""
        return f"{self.module}/cmd/{binary.removeprefix(f'{self.name}-')}"

    def resources(self, start: Start) -> list[JsonObject]:
        """Its custom resources in the stored version: the API server compiles a schema for each version."""
        return [_in_one_version(each) for each in start.resources()]

    def webhook_configurations(self, start: Start) -> list[JsonObject]:
        """The webhook configurations for its kinds, reached on loopback instead of through a Service."""
        plurals = {each["spec"]["names"]["plural"] for each in start.resources()}
        return [
            {
                "apiVersion": each["apiVersion"],
                "kind": each["kind"],
                "metadata": {"name": self._prefixed(each["metadata"]["name"])},
                "webhooks": [
                    {**webhook, "clientConfig": start.reached(webhook["clientConfig"]["service"]["path"]), **selected}
                    for webhook in each["webhooks"]
                    if (selected := self.selection(_resources_of(webhook), plurals)) is not None
                ],
            }
            for each in start.manifests
            if each["kind"].endswith("WebhookConfiguration")
        ]

    def _prefixed(self, name: str) -> str:
        return name if name.startswith(self.name) else f"{self.name}-{name}"

    def selection(self, resources: Collection[str], plurals: Collection[str]) -> JsonObject | None:
        """The selector of a webhook from the operator's installation; None if the rehearsal leaves the webhook out.

        Args:
            resources: the resources that the webhook is called for.
            plurals: the resources of the operator's own kinds.
        """
        return {} if set(resources) <= set(plurals) else None

    def commands(self, start: Start) -> dict[str, list[str]]:
        """The arguments of its programs, by the names of the binaries, in the order of their start."""
        return {self.name: [f"--kubeconfig={start.kubeconfig}"]}


def _resources_of(webhook: JsonObject) -> set[str]:
    return {name for rule in webhook["rules"] for name in rule["resources"]}


def _in_one_version(resource: JsonObject) -> JsonObject:
    spec = resource["spec"]
    return {**resource, "spec": {**spec, "versions": [each for each in spec["versions"] if each["storage"]]}}


class TrainingOperator(Operator):
    """The Kubeflow training operator: Muster's main around its controllers and webhooks."""

    name = addon = "training-operator"
    module = "github.com/kubeflow/training-operator"
    controller = Controller.TRAINING_OPERATOR
    api_version = "kubeflow.org/v1"
    # Not its MPIJob (v1): clusters have the MPI operator's MPIJob, and both have the same name.
    kinds = ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
    crds = "manifests/base/crds/kubeflow.org_*.yaml"
    webhooks = "manifests/base/webhook/manifests.yaml"

    def commands(self, start: Start) -> dict[str, list[str]]:
        """`programs/operators/training-operator/main.go` has its options."""
        return {
            self.name: [
                f"--kubeconfig={start.kubeconfig}",
                f"--schemes={','.join(start.kinds)}",
                f"--webhook-port={start.port}",
                f"--certificates={start.certificate.folder}",
            ]
        }


class MpiOperator(Operator):
    """The MPI operator: Muster's main around its controller, which has no webhooks."""

    name = addon = "mpi-operator"
    module = "github.com/kubeflow/mpi-operator"
    controller = Controller.MPI_OPERATOR
    api_version = "kubeflow.org/v2beta1"
    kinds = ("MPIJob",)
    crds = "manifests/base/kubeflow.org_mpijobs.yaml"


class ConfiguredOperator(Operator):
    """An operator whose main reads a configuration file."""

    configuration: str
    """The apiVersion of the file."""
    own_certificates: str
    """The key of the file for certificates that the operator creates itself."""

    def commands(self, start: Start) -> dict[str, list[str]]:
        """Its webhook server is on loopback, and it serves nothing else."""
        file = start.folder / "configuration.json"
        here = {
            "webhook": {"host": LOOPBACK, "port": start.port, "certDir": str(start.certificate.folder)},
            "metrics": {"bindAddress": "0"},
            "health": {"healthProbeBindAddress": "0"},
            "leaderElection": {"leaderElect": False},
            "clientConnection": {"qps": 1000, "burst": 1000},
            self.own_certificates: {"enable": False},
            **self.further_configuration(start),
        }
        file.write_text(json.dumps({"apiVersion": self.configuration, "kind": "Configuration", **here}, default=str))
        return {self.name: [f"--kubeconfig={start.kubeconfig}", f"--config={file}"]}

    def further_configuration(self, _start: Start) -> JsonObject:
        """Keys of the file that only this operator has, or has otherwise."""
        return {}


class JobSet(ConfiguredOperator):
    """JobSet."""

    name = addon = "jobset"
    module = "sigs.k8s.io/jobset"
    controller = Controller.JOBSET
    api_version = "jobset.x-k8s.io/v1alpha2"
    kinds = ("JobSet",)
    crds = "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml"
    webhooks = "config/components/webhook/manifests.yaml"
    configuration = "config.jobset.x-k8s.io/v1alpha1"
    own_certificates = "internalCertManagement"

    def selection(self, resources: Collection[str], plurals: Collection[str]) -> JsonObject | None:
        """Its webhook for pods is called only for its own."""
        if set(resources) == {"pods"}:
            own = {"key": "jobset.sigs.k8s.io/jobset-name", "operator": "Exists"}
            return {"objectSelector": {"matchExpressions": [own]}}
        return super().selection(resources, plurals)


class Trainer(ConfiguredOperator):
    """Kubeflow Trainer."""

    name = addon = "trainer"
    module = "github.com/kubeflow/trainer/v2"
    controller = Controller.TRAINER
    api_version = "trainer.kubeflow.org/v1alpha1"
    kinds = ("TrainJob",)
    further_kinds = ("ClusterTrainingRuntime", "TrainingRuntime")
    needs = ("JobSet",)
    crds = "manifests/base/crds/trainer.kubeflow.org_*.yaml"
    webhooks = "manifests/base/webhook/manifests.yaml"
    configuration = "config.trainer.kubeflow.org/v1alpha1"
    own_certificates = "certManagement"

    def further_configuration(self, start: Start) -> JsonObject:
        """It has no key for the folder of its certificates: it is controller-runtime's (`Certificate`)."""
        return {"webhook": {"host": LOOPBACK, "port": start.port}}


class Kueue(ConfiguredOperator):
    """Kueue manages jobs of other controllers. Its webhooks also apply to these jobs and their pods, in every namespace
    but kube-system and its own, and are created once the add-ons run."""

    name = addon = "kueue"
    module = "sigs.k8s.io/kueue"
    api_version = "kueue.x-k8s.io/v1beta2"
    further_kinds = (
        *("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "MultiKueueCluster", "MultiKueueConfig"),
        *("ProvisioningRequestConfig", "ResourceFlavor", "Topology", "Workload", "WorkloadPriorityClass"),
    )
    crds = "config/components/crd/bases/kueue.x-k8s.io_*.yaml"
    webhooks = "config/components/webhook/manifests.yaml"
    configuration = "config.kueue.x-k8s.io/v1beta2"
    own_certificates = "internalCertManagement"
    namespace = "kueue-system"
    authority = "kueue-ca"
    """The DNS name of its certificate authority (`cert-controller`)."""
    service = "kueue-webhook-service"
    """The Service of its webhooks."""

    _CONVERTED = ("ClusterQueue", "Cohort", "LocalQueue", "MultiKueueCluster", "Workload")
    """The kinds whose versions its webhook converts (`config/components/crd/kustomization.yaml`)."""
    _KEPT_IN = "kueue-webhook-server-cert"

    def resources(self, start: Start) -> list[JsonObject]:
        """Its custom resources in every version."""
        webhook = {"clientConfig": start.reached("/convert"), "conversionReviewVersions": ["v1"]}
        conversion = {"conversion": {"strategy": "Webhook", "webhook": webhook}}
        return [
            {**each, "spec": {**each["spec"], **conversion}}
            if each["spec"]["names"]["kind"] in self._CONVERTED
            else each
            for each in start.resources()
        ]

    def selection(self, resources: Collection[str], plurals: Collection[str]) -> JsonObject | None:
        """The namespaces of jobs (`config/components/webhook/kustomization.yaml`)."""
        key, without = "kubernetes.io/metadata.name", ["kube-system", self.namespace]
        others = {"key": key, "operator": "NotIn", "values": without}
        own = super().selection(resources, plurals)
        return {"namespaceSelector": {"matchExpressions": [others]}} if own is None else own

    def commands(self, start: Start) -> dict[str, list[str]]:
        """It manages its own certificates: otherwise it exits, because it has no setting for the folder of its metrics'
        certificates. It finds the rehearsal's in its Secret, and creates none."""
        start.client.create_namespaces([self.namespace])
        certificate, key = start.certificate.file.read_bytes(), start.certificate.key.read_bytes()
        found = {"ca.crt": certificate, "ca.key": key, "tls.crt": certificate, "tls.key": key}
        start.client.apply(
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": self._KEPT_IN, "namespace": self.namespace},
                "data": {name: base64.b64encode(content).decode() for name, content in found.items()},
            }
        )
        return super().commands(start)

    def further_configuration(self, start: Start) -> JsonObject:
        """What its installation sets."""
        own = {"enable": True, "webhookServiceName": self.service, "webhookSecretName": self._KEPT_IN}
        return {**start.kueue, self.own_certificates: own}


class Volcano(Operator):
    """Volcano: its webhooks, its scheduler and its controllers."""

    name = addon = scheduler = "volcano"
    module = "volcano.sh/volcano"
    controller = Controller.VOLCANO
    api_version = "batch.volcano.sh/v1alpha1"
    kinds = ("Job",)
    further_kinds = ("PodGroup", "Queue", "Command", "HyperNode", "Numatopology", "NodeShard")
    # Volcano's chart as Helm renders it with its defaults.
    crds = webhooks = "installer/volcano-development.yaml"
    programs = ("webhook-manager", "scheduler", "controller-manager")

    def commands(self, start: Start) -> dict[str, list[str]]:
        """Its scheduler and controllers serve nothing. The chart sets the period between two cycles of the scheduler.
        Only those controllers run that a Job, its PodGroup and its queue need."""
        claims = start.client.knows("resource.k8s.io/v1", "ResourceClaim")
        configuration = start.folder / "volcano-scheduler.conf"
        configuration.write_text(
            volcano.scheduler_configuration(start.manifests, start.values, claims=claims), encoding="utf-8"
        )
        common = [f"--kubeconfig={start.kubeconfig}", "--leader-elect=false"]
        limits = ["--kube-api-qps=2000", "--kube-api-burst=4000"]
        controllers = ("job-controller", "pg-controller", "queue-controller", "gc-controller")
        gates = ["--feature-gates=DynamicResourceAllocation=true"] if claims else []
        return {
            "volcano-webhook-manager": self._webhook_manager(start),
            "volcano-scheduler": [
                *common,
                *limits,
                f"--scheduler-conf={configuration}",
                "--cache-dumper=false",
                *gates,
            ],
            "volcano-controller-manager": [*common, *limits, f"--controllers={','.join(controllers)}"],
        }

    def _webhook_manager(self, start: Start) -> list[str]:
        """With the webhooks that the rehearsal has. It looks for a configuration of each on the API server."""
        own = self.webhook_configurations(start)
        urls = [webhook["clientConfig"]["url"] for each in own for webhook in each["webhooks"]]
        return [
            f"--kubeconfig={start.kubeconfig}",
            f"--enabled-admission={','.join(urlsplit(each).path for each in urls)}",
            "--webhook-namespace=volcano-system",
            "--webhook-service-name=volcano-admission-service",
            f"--listen-address={LOOPBACK}",
            f"--port={start.port}",
            f"--tls-cert-file={start.certificate.file}",
            f"--tls-private-key-file={start.certificate.key}",
            f"--ca-cert-file={start.certificate.file}",
        ]


class KubeRay(Operator):
    """KubeRay."""

    name = addon = "kuberay-operator"
    module = "github.com/ray-project/kuberay/ray-operator"
    controller = Controller.KUBERAY
    api_version = "ray.io/v1"
    kinds = ("RayCluster", "RayJob")
    further_kinds = ("RayCluster", "RayJob", "RayService")
    crds = "config/crd/bases/ray.io_*.yaml"

    def commands(self, start: Start) -> dict[str, list[str]]:
        """Its flags from its chart, without a server."""
        flags = ["--metrics-addr=0", "--health-probe-bind-address=0", "--enable-leader-election=false"]
        flags += ["--qps=1000", "--burst=1000"]
        if name := batch_scheduler(start.values):
            flags.append(f"--batch-scheduler={name}")
        gates = mappings_at(start.values, "featureGates")
        if enabled := ",".join(f"{each.get('name')}={str(each.get('enabled')).lower()}" for each in gates):
            flags.append(f"--feature-gates={enabled}")
        return {self.name: [f"--kubeconfig={start.kubeconfig}", *flags]}


def batch_scheduler(values: Mapping[str, Any]) -> str:
    """The scheduler that KubeRay sets for the pods of RayClusters, by the values of its chart; empty if it sets none.
    `enabled` without a name selects Volcano, and is deprecated."""
    name, enabled = (value_at(values, "batchScheduler", each) for each in ("name", "enabled"))
    return str(name or (VOLCANO.scheduler if enabled is True else ""))


KUEUE, VOLCANO, KUBERAY = Kueue(), Volcano(), KubeRay()
OPERATORS: tuple[Operator, ...] = (
    # Volcano comes before the operators that look for its PodGroups when they start.
    *(VOLCANO, TrainingOperator(), MpiOperator(), JobSet(), Trainer(), KUBERAY, KUEUE),
)
SCHEDULERS: Mapping[str, Operator] = {each.scheduler: each for each in OPERATORS if each.scheduler}
"""The operators with a scheduler, by its name."""


def operator_with_binary(name: str) -> Operator | None:
    """The operator that a binary belongs to; None for Kubernetes' own binaries."""
    return next((each for each in OPERATORS if name in each.binaries), None)


def operator_of(controller: Controller) -> Operator | None:
    """The operator that is a job's controller; None for Kubernetes' own controllers and for a simulated controller."""
    return next((each for each in OPERATORS if each.controller is controller), None)


def operators_for(kinds: Collection[str], schedulers: Collection[str] = ()) -> dict[Operator, tuple[str, ...]]:
    """The operators that run jobs of these kinds, each with its kinds among them, and the operators that have these
    schedulers, each with all its kinds."""
    needed = {kind for each in OPERATORS if set(kinds) & set(each.kinds) for kind in each.needs}
    kinds = (*kinds, *sorted(needed - set(kinds)))
    found = {
        each: each.kinds if each.scheduler in schedulers else tuple(kind for kind in kinds if kind in each.kinds)
        for each in OPERATORS
    }
    return {each: own for each, own in found.items() if own}
