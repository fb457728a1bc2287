"""Views of releases, charts, manifests and pods of other programs: known, half known, or of no form at all."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, PodOwner
from muster.fleet.resources.eks import AddonKind
from muster.policies.lookups.pods import requests_of
from muster.policies.views.addons import CONFIG_FILE, DIRECTORY, RELEASE
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen

CHART_V4 = "kubernetes:helm.sh/v4:Chart"
CONFIG_GROUP = "kubernetes:yaml/v2:ConfigGroup"
RENDERED_FILE = "kubernetes:yaml:ConfigFile"
KEY = {CONFIG_FILE: "file", RENDERED_FILE: "file", DIRECTORY: "directory", CONFIG_GROUP: "files"}
RAW, GITHUB = "https://raw.githubusercontent.com", "https://github.com"
KUEUE = f"{GITHUB}/kubernetes-sigs/kueue/releases/download/v0.18.6/manifests.yaml"


def the_addon(type_: str, **inputs: Any) -> Addon:
    (found,) = seen(registered(type_, "thing", **inputs)).of(Addon)
    return found


@pytest.mark.parametrize("type_", [RELEASE, CHART_V4])
@pytest.mark.parametrize(
    ("chart", "name"),
    [
        ("kueue", "kueue"),
        ("nvdp/nvidia-device-plugin", "nvidia-device-plugin"),
        ("oci://public.ecr.aws/neuron/neuron-helm-chart", "neuron-helm-chart"),
        ("./helm_chart/HyperPodHelmChart/", "HyperPodHelmChart"),
        ("https://example.com/charts/gpu-operator-v26.3.1.tgz", "gpu-operator"),
        ("./aws-efa-k8s-device-plugin-0.5.10.tgz", "aws-efa-k8s-device-plugin"),
    ],
)
def test_a_chart_goes_by_its_name(type_: str, chart: str, name: str) -> None:
    """By whatever address, path or archive a release or a `helm.v4.Chart` names its chart."""
    found = the_addon(type_, chart=chart, version="1.0.0", values={"a": 1})
    assert (found.kind, found.chart, found.version, found.values) == (AddonKind.CHART, name, "1.0.0", {"a": 1})


def test_what_is_not_said_of_a_release() -> None:
    """The engine shows `{}` of one whose kubeconfig is not known yet; values in files are read where Helm runs."""
    assert the_addon(RELEASE).chart is UNKNOWN
    assert the_addon(RELEASE, chart="kueue").values == {}
    for files in (["values.yaml"], UNKNOWN):
        assert the_addon(RELEASE, chart="kueue", valueYamlFiles=files, values={"a": 1}).values is UNKNOWN


@pytest.mark.parametrize(
    ("type_", "address", "name", "version"),
    [
        (CONFIG_FILE, f"{RAW}/kubeflow/mpi-operator/v0.6.0/deploy/v2beta1/mpi-operator.yaml", "mpi-operator", "v0.6.0"),
        (
            CONFIG_GROUP,
            f"{RAW}/kubeflow/mpi-operator/v0.6.0/deploy/v2beta1/mpi-operator.yaml",
            "mpi-operator",
            "v0.6.0",
        ),
        (RENDERED_FILE, KUEUE, "kueue", "v0.18.6"),
        (
            DIRECTORY,
            f"{GITHUB}/kubeflow/training-operator.git/manifests/overlays/standalone?ref=v1.8.1",
            *("training-operator", "v1.8.1"),
        ),
        (
            DIRECTORY,
            "github.com/kubeflow/trainer/manifests/overlays/standalone?ref=v1.9.4",
            *("training-operator", "v1.9.4"),
        ),
        (DIRECTORY, f"{GITHUB}/kubernetes-sigs/jobset.git//config/default?ref=v0.12.0", "jobset", "v0.12.0"),
        (
            CONFIG_FILE,
            f"{RAW}/NVIDIA/k8s-device-plugin/v0.17.1/deployments/static/nvidia-device-plugin.yml",
            *("nvidia-device-plugin", "v0.17.1"),
        ),
        (
            CONFIG_FILE,
            f"{RAW}/aws-samples/aws-efa-eks/main/manifest/efa-k8s-device-plugin.yml",
            *("aws-efa-k8s-device-plugin", None),
        ),
        (CONFIG_FILE, UNKNOWN, UNKNOWN, UNKNOWN),
        (DIRECTORY, UNKNOWN, UNKNOWN, UNKNOWN),
        (CONFIG_GROUP, UNKNOWN, UNKNOWN, UNKNOWN),
        (CONFIG_GROUP, [UNKNOWN], UNKNOWN, UNKNOWN),
        (CONFIG_FILE, None, UNKNOWN, UNKNOWN),
    ],
)
def test_a_manifest_goes_by_its_address(type_: str, address: Any, name: Any, version: Any) -> None:
    """Those of projects that rules know; one whose address is not yet known is one that nobody knows. The engine shows
    nothing of a remote component, either."""
    found = the_addon(type_, **{KEY[type_]: address} if address is not None else {})
    assert (found.kind, found.chart, found.version) == (AddonKind.MANIFEST, name, version)


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        *(
            (CONFIG_FILE, {"file": file})
            for file in (
                "./own.yaml",
                f"{RAW}/kubeflow/training-operator/v1.8.1/examples/pytorch/simple.yaml",
                f"{RAW}/kubeflow/training-operator/v1.8.1/manifests/base/crds/kubeflow.org_pytorchjobs.yaml",
                f"{RAW}/kubeflow/mpi-operator/v0.6.0/examples/v2beta1/pi/pi.yaml",
                f"{RAW}/kubernetes-sigs/kueue/v0.19.2/site/static/examples/admin/single-clusterqueue-setup.yaml",
                f"{GITHUB}/kubernetes-sigs/kueue/releases/download/v0.19.2/prometheus.yaml",
                f"{RAW}/kubernetes-sigs/jobset/v0.12.0/examples/simple/pytorch.yaml",
                f"{RAW}/NVIDIA/k8s-device-plugin/v0.17.1/deployments/static/gpu-feature-discovery-job.yaml",
            )
        ),
        ("kubernetes:helm.sh/v3:Chart", {}),
        (RENDERED_FILE, {}),
        (CONFIG_GROUP, {"objs": [{"kind": "Namespace"}]}),
    ],
)
def test_what_is_no_add_on_is_passed_over(type_: str, inputs: Any) -> None:
    """An example of an operator's project is no operator; what an SDK renders itself has no inputs, and all of its
    objects are registered beside it."""
    assert seen(registered(type_, "thing", **inputs)).of(Addon) == ()


def test_each_file_of_a_group_is_a_manifest() -> None:
    """Findings name it by its place among them."""
    jobset = f"{GITHUB}/kubernetes-sigs/jobset/releases/download/v0.12.0/manifests.yaml"
    found = seen(registered(CONFIG_GROUP, "thing", files=[KUEUE, "./own.yaml", jobset])).of(Addon)
    assert [(each.ref.name, each.chart, each.version) for each in found] == [
        ("thing.files[0]", "kueue", "v0.18.6"),
        ("thing.files[2]", "jobset", "v0.12.0"),
    ]


SPEC = {"containers": [{"name": "train", "image": "train"}]}
POD = {"template": {"spec": SPEC}}
GPUS = {"limits": {"nvidia.com/gpu": 8}}
LEADER, WORKER = (f"leaderWorkerTemplate.{each}Template.spec" for each in ("leader", "worker"))


@pytest.mark.parametrize(
    ("kind", "spec", "pods"),
    [
        ("Pod", SPEC, {"": 1}),
        ("Deployment", POD, {"template.spec": 1}),
        ("CronJob", {"jobTemplate": {"spec": POD}}, {"jobTemplate.spec.template.spec": 1}),
        ("Job", {"parallelism": 4, "completions": 8, **POD}, {"template.spec": 4}),
        ("Job", {"tasks": [{"replicas": 2, **POD}]}, {"tasks[0].template.spec": 2}),
        (
            "PyTorchJob",
            {"pytorchReplicaSpecs": {"Master": POD, "Worker": {"replicas": 3, **POD}}},
            {"pytorchReplicaSpecs.Master.template.spec": 1, "pytorchReplicaSpecs.Worker.template.spec": 3},
        ),
        (
            "MPIJob",
            {"mpiReplicaSpecs": {"Launcher": POD, "Worker": {"replicas": UNKNOWN, **POD}}},
            {"mpiReplicaSpecs.Launcher.template.spec": 1, "mpiReplicaSpecs.Worker.template.spec": UNKNOWN},
        ),
        (
            "JobSet",
            {"replicatedJobs": [{"replicas": 2, "template": {"spec": {"parallelism": 4, **POD}}}]},
            {"replicatedJobs[0].template.spec.template.spec": 8},
        ),
        ("RayCluster", {"headGroupSpec": POD, "workerGroupSpecs": []}, {"headGroupSpec.template.spec": 1}),
        (
            "LeaderWorkerSet",
            {"replicas": 3, "leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": SPEC}}},
            {WORKER: 2},
        ),
        (
            "LeaderWorkerSet",
            {
                "replicas": 3,
                "leaderWorkerTemplate": {
                    "size": 5,
                    "leaderTemplate": {"spec": SPEC},
                    "workerTemplate": {"spec": SPEC},
                },
            },
            {LEADER: 1, WORKER: 4},
        ),
    ],
)
def test_pods_are_found_by_their_form_and_counted(kind: str, spec: Any, pods: dict[str, Any]) -> None:
    """Whatever kind of object has them, and by whatever name it gives the number of those that work together."""
    (owner,) = seen(registered(f"kubernetes:any/v1:{kind}", "thing", spec=spec)).of(PodOwner)
    assert owner.kind == kind
    assert {each.path.removeprefix("spec").lstrip("."): each.pods for each in owner.templates} == pods


TRAINER = "kubernetes:trainer.kubeflow.org/v1alpha1:"
EFA = {"limits": {"vpc.amazonaws.com/efa": 32}}


def a_runtime() -> Registration:
    """A runtime whose container requests EFA."""
    container = {"name": "node", "image": "train", "resources": EFA}
    node = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"template": {"spec": {"containers": [container]}}},
        },
    }
    spec = {"mlPolicy": {"torch": {}}, "template": {"spec": {"replicatedJobs": [node]}}}
    metadata = {"name": "own"}
    inputs = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime"}
    return registered(f"{TRAINER}ClusterTrainingRuntime", "own", **inputs, metadata=metadata, spec=spec)


def a_train_job(runtime: str, resources: Any) -> Registration:
    """A TrainJob on two nodes."""
    spec = {"runtimeRef": {"name": runtime}, "trainer": {"numNodes": 2, "resourcesPerNode": resources}}
    return registered(f"{TRAINER}TrainJob", "job", metadata={"name": "job"}, spec=spec)


def test_a_train_job_adds_its_resources_to_those_of_its_runtime() -> None:
    """As Trainer 2.3 does; before, they took the place of the runtime's."""
    (owner,) = seen(a_train_job("own", GPUS), a_runtime()).of(PodOwner)
    (template,) = owner.templates
    assert requests_of(template) == {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32}
    assert (template.path, template.pods, owner.processes) == ("spec.trainer.resourcesPerNode", 2, None)


@pytest.mark.parametrize(
    ("resources", "processes"),
    [(EFA, 1), ({"limits": {"cpu": "8"}}, 8), ({"limits": {"cpu": "8"}, "requests": {"cpu": "3500m"}}, 4)],
)
def test_trainer_counts_gpus_of_the_train_job_alone(resources: Any, processes: int) -> None:
    """Without GPUs there, it starts a process for each CPU, whatever the runtime has."""
    (owner,) = seen(a_train_job("own", resources), a_runtime()).of(PodOwner)
    assert owner.processes == processes


def test_the_pods_of_a_train_job_without_its_runtime_are_not_known() -> None:
    """Only the runtimes of Trainer's own chart need not be there."""
    (owner,) = seen(a_train_job("elsewhere", GPUS)).of(PodOwner)
    assert owner.templates[0].spec is UNKNOWN
    (owner,) = seen(a_train_job("torch-distributed", GPUS)).of(PodOwner)
    assert requests_of(owner.templates[0]) == {"nvidia.com/gpu": 8}


def test_what_a_job_in_a_queue_tolerates_is_not_known() -> None:
    """Kueue adds the tolerations of a flavor to its pods."""
    metadata = {"name": "job", "labels": {"kueue.x-k8s.io/queue-name": "team"}}
    (owner,) = seen(registered("kubernetes:batch/v1:Job", "thing", metadata=metadata, spec=POD)).of(PodOwner)
    assert owner.templates[0].spec["tolerations"] is UNKNOWN


def test_a_pod_that_is_not_known_is_not_passed_over() -> None:
    """Of Kubernetes' own kinds it is known that they have pods."""
    (owner,) = seen(registered("kubernetes:apps/v1:Deployment", "thing", spec=UNKNOWN)).of(PodOwner)
    assert owner.templates[0].spec is UNKNOWN


@pytest.mark.parametrize(
    "resource",
    [
        registered("kubernetes:core/v1:ConfigMap", "thing", data={"containers": [{"name": "no"}]}),
        registered("kubernetes:core/v1:Service", "thing", spec={"ports": [{"port": 80}]}),
        registered("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue", "thing", spec=UNKNOWN),
        registered("kubernetes:apps/v1:Deployment", "thing", "muster:addons:Addons$", spec=POD),
        registered("aws:ecs/taskDefinition:TaskDefinition", "thing", containers=[{"name": "no"}]),
    ],
    ids=lambda each: each.type.rpartition(":")[2],
)
def test_what_has_no_pods_or_is_an_add_on_is_passed_over(resource: Registration) -> None:
    """What Muster's installer registers is judged as the add-on it belongs to."""
    assert seen(resource).of(PodOwner) == ()


def test_each_object_of_a_list_has_its_own_pods() -> None:
    """Kubernetes' List is a file of several objects."""
    job = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "spec": {"pytorchReplicaSpecs": {"Worker": POD}}}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"containers": [{"name": "no"}]}}
    (owner,) = seen(registered("kubernetes:core/v1:List", "thing", items=[config, job])).of(PodOwner)
    assert owner.kind == "PyTorchJob"
    assert [each.path for each in owner.templates] == ["items[1].spec.pytorchReplicaSpecs.Worker.template.spec"]
