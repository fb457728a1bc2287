"""Views of releases, charts, manifests and pods of other programs: known, half known, or of no form at all."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, PodOwner, PodTemplate
from muster.fleet.resources.eks import AddonKind
from muster.policies.views.addons import CONFIG_FILE, DIRECTORY, RELEASE
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import seen

PREFIX = "urn:pulumi:dev::theirs::"
CHART_V4 = "kubernetes:helm.sh/v4:Chart"
CONFIG_GROUP = "kubernetes:yaml/v2:ConfigGroup"
RAW = "https://raw.githubusercontent.com"


def registered(type_: str, /, below: str = "", **inputs: Any) -> Registration:
    return Registration(urn=f"{PREFIX}{below}{type_}::thing", type=type_, name="thing", inputs=inputs, id=UNKNOWN)


def the_addon(type_: str, **inputs: Any) -> Addon | None:
    found = seen(registered(type_, **inputs)).of(Addon)
    return found[0] if found else None


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
def test_a_chart_goes_by_its_name(chart: str, name: str) -> None:
    """By whatever address, path or archive a release names its chart."""
    found = the_addon(RELEASE, chart=chart, version="1.0.0", values={"a": 1})
    assert found is not None
    assert (found.kind, found.chart, found.version, found.values) == (AddonKind.CHART, name, "1.0.0", {"a": 1})


@pytest.mark.parametrize("type_", [RELEASE, CHART_V4])
def test_a_release_and_a_chart_are_read_alike(type_: str) -> None:
    """`helm.v4.Chart` says the same with the same words."""
    found = the_addon(type_, chart="kueue", version="0.19.2")
    assert found is not None
    assert (found.chart, found.version, found.values) == ("kueue", "0.19.2", {})


def test_a_release_of_which_the_engine_shows_nothing_is_a_chart_that_nobody_knows() -> None:
    """The engine shows `{}` of a release whose kubeconfig is not known yet."""
    found = the_addon(RELEASE)
    assert found is not None
    assert found.chart is UNKNOWN


def test_a_chart_that_its_sdk_renders_itself_is_passed_over() -> None:
    """It has no inputs; what comes out of it is registered beside it."""
    assert the_addon("kubernetes:helm.sh/v3:Chart") is None


@pytest.mark.parametrize("files", [["values.yaml"], UNKNOWN])
def test_values_in_files_are_not_known(files: Any) -> None:
    """They are read where Helm runs."""
    found = the_addon(RELEASE, chart="kueue", valueYamlFiles=files, values={"a": 1})
    assert found is not None
    assert found.values is UNKNOWN


@pytest.mark.parametrize(
    ("type_", "inputs", "name", "version"),
    [
        (
            CONFIG_FILE,
            {"file": "https://raw.githubusercontent.com/kubeflow/mpi-operator/v0.6.0/deploy/v2beta1/mpi-operator.yaml"},
            "mpi-operator",
            "v0.6.0",
        ),
        (
            DIRECTORY,
            {"directory": "https://github.com/kubeflow/training-operator.git/manifests/overlays/standalone?ref=v1.8.1"},
            "training-operator",
            "v1.8.1",
        ),
        (
            "kubernetes:yaml:ConfigFile",
            {"file": "https://github.com/kubernetes-sigs/kueue/releases/download/v0.18.6/manifests.yaml"},
            "kueue",
            "v0.18.6",
        ),
        (
            DIRECTORY,
            {"directory": "https://github.com/kubernetes-sigs/jobset.git//config/default?ref=v0.12.0"},
            "jobset",
            "v0.12.0",
        ),
        (
            DIRECTORY,
            {"directory": "github.com/kubeflow/trainer/manifests/overlays/standalone?ref=v1.9.4"},
            "training-operator",
            "v1.9.4",
        ),
        (
            CONFIG_FILE,
            {"file": f"{RAW}/NVIDIA/k8s-device-plugin/v0.17.1/deployments/static/nvidia-device-plugin.yml"},
            "nvidia-device-plugin",
            "v0.17.1",
        ),
        (
            CONFIG_FILE,
            {"file": f"{RAW}/NVIDIA/k8s-device-plugin/v0.14.1/nvidia-device-plugin.yml"},
            "nvidia-device-plugin",
            "v0.14.1",
        ),
        (
            CONFIG_FILE,
            {"file": f"{RAW}/aws-samples/aws-efa-eks/main/manifest/efa-k8s-device-plugin.yml"},
            "aws-efa-k8s-device-plugin",
            None,
        ),
        (
            CONFIG_GROUP,
            {"files": f"{RAW}/kubeflow/mpi-operator/v0.6.0/deploy/v2beta1/mpi-operator.yaml"},
            "mpi-operator",
            "v0.6.0",
        ),
    ],
)
def test_a_manifest_goes_by_its_address(type_: str, inputs: Any, name: str, version: str) -> None:
    """Those of projects that rules know."""
    found = the_addon(type_, **inputs)
    assert found is not None
    assert (found.kind, found.chart, found.version) == (AddonKind.MANIFEST, name, version)


@pytest.mark.parametrize(
    "file",
    [
        "./own.yaml",
        f"{RAW}/kubeflow/training-operator/v1.8.1/examples/pytorch/simple.yaml",
        f"{RAW}/kubeflow/training-operator/v1.8.1/manifests/base/crds/kubeflow.org_pytorchjobs.yaml",
        f"{RAW}/kubeflow/mpi-operator/v0.6.0/examples/v2beta1/pi/pi.yaml",
        f"{RAW}/kubernetes-sigs/kueue/v0.19.2/site/static/examples/admin/single-clusterqueue-setup.yaml",
        "https://github.com/kubernetes-sigs/kueue/releases/download/v0.19.2/prometheus.yaml",
        f"{RAW}/kubernetes-sigs/jobset/v0.12.0/examples/simple/pytorch.yaml",
        f"{RAW}/NVIDIA/k8s-device-plugin/v0.17.1/deployments/static/gpu-feature-discovery-job.yaml",
    ],
)
def test_another_manifest_is_passed_over(file: str) -> None:
    """No rule knows what is in it: an example of an operator's project is no operator."""
    assert the_addon(CONFIG_FILE, file=file) is None


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        (CONFIG_FILE, {}),
        (CONFIG_FILE, {"file": UNKNOWN}),
        (DIRECTORY, {"directory": UNKNOWN}),
        (CONFIG_GROUP, {"files": UNKNOWN}),
        (CONFIG_GROUP, {"files": [UNKNOWN]}),
    ],
)
def test_a_manifest_of_an_address_not_yet_known_is_one_that_nobody_knows(type_: str, inputs: Any) -> None:
    """The engine shows nothing of a remote component, either."""
    found = the_addon(type_, **inputs)
    assert found is not None
    assert (found.kind, found.chart, found.version) == (AddonKind.MANIFEST, UNKNOWN, UNKNOWN)


def test_what_an_sdk_renders_itself_is_registered_beside_it() -> None:
    """Of such a manifest the engine is shown no inputs, and all of its objects."""
    assert the_addon("kubernetes:yaml:ConfigFile") is None


def test_a_group_without_files_has_objects_of_its_own() -> None:
    assert the_addon(CONFIG_GROUP, objs=[{"kind": "Namespace"}]) is None


def test_each_file_of_a_group_is_a_manifest() -> None:
    """Findings name it by its place among them."""
    kueue = "https://github.com/kubernetes-sigs/kueue/releases/download/v0.19.2/manifests.yaml"
    jobset = "https://github.com/kubernetes-sigs/jobset/releases/download/v0.12.0/manifests.yaml"
    found = seen(registered(CONFIG_GROUP, files=[kueue, "./own.yaml", jobset])).of(Addon)
    assert [(each.ref.name, each.chart, each.version) for each in found] == [
        ("thing.files[0]", "kueue", "v0.19.2"),
        ("thing.files[2]", "jobset", "v0.12.0"),
    ]


SPEC = {"containers": [{"name": "train", "image": "train"}]}


@pytest.mark.parametrize(
    ("type_", "inputs", "paths"),
    [
        ("kubernetes:core/v1:Pod", {"spec": SPEC}, ["spec"]),
        ("kubernetes:apps/v1:Deployment", {"spec": {"template": {"spec": SPEC}}}, ["spec.template.spec"]),
        (
            "kubernetes:batch/v1:CronJob",
            {"spec": {"jobTemplate": {"spec": {"template": {"spec": SPEC}}}}},
            ["spec.jobTemplate.spec.template.spec"],
        ),
        (
            "kubernetes:kubeflow.org/v2beta1:MPIJob",
            {"spec": {"mpiReplicaSpecs": {each: {"template": {"spec": SPEC}} for each in ("Launcher", "Worker")}}},
            [f"spec.mpiReplicaSpecs.{each}.template.spec" for each in ("Launcher", "Worker")],
        ),
        (
            "kubernetes:batch.volcano.sh/v1alpha1:Job",
            {"spec": {"tasks": [{"template": {"spec": SPEC}}]}},
            ["spec.tasks[0].template.spec"],
        ),
        (
            "kubernetes:ray.io/v1:RayCluster",
            {"spec": {"headGroupSpec": {"template": {"spec": SPEC}}, "workerGroupSpecs": []}},
            ["spec.headGroupSpec.template.spec"],
        ),
        (
            "kubernetes:trainer.kubeflow.org/v1alpha1:TrainJob",
            {"spec": {"trainer": {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 8}}}}},
            ["spec.trainer.resourcesPerNode"],
        ),
    ],
)
def test_pods_are_found_by_their_form(type_: str, inputs: Any, paths: list[str]) -> None:
    """Whatever kind of object has them, and however many."""
    (owner,) = seen(registered(type_, **inputs)).of(PodOwner)
    assert owner.kind == type_.rpartition(":")[2]
    assert [each.path for each in owner.templates] == paths


def test_a_train_job_asks_in_place_of_its_runtime() -> None:
    """What stands under `resourcesPerNode` is what each of its pods asks."""
    asked = {"limits": {"nvidia.com/gpu": 8}}
    job = registered("kubernetes:trainer.kubeflow.org/v1alpha1:TrainJob", spec={"trainer": {"resourcesPerNode": asked}})
    (owner,) = seen(job).of(PodOwner)
    assert owner.templates == (
        PodTemplate("spec.trainer.resourcesPerNode", {"containers": [{"name": "node", "resources": asked}]}),
    )


POD = {"template": {"spec": SPEC}}


@pytest.mark.parametrize(
    ("kind", "spec", "pods"),
    [
        ("PyTorchJob", {"pytorchReplicaSpecs": {"Master": POD, "Worker": {"replicas": 3, **POD}}}, [1, 3]),
        ("MPIJob", {"mpiReplicaSpecs": {"Launcher": POD, "Worker": {"replicas": UNKNOWN, **POD}}}, [1, UNKNOWN]),
        ("Job", {"parallelism": 4, "completions": 8, **POD}, [4]),
        ("JobSet", {"replicatedJobs": [{"replicas": 2, "template": {"spec": {"parallelism": 4, **POD}}}]}, [8]),
        ("TrainJob", {"trainer": {"numNodes": 2, "resourcesPerNode": {}}}, [2]),
        (
            "LeaderWorkerSet",
            {"replicas": 3, "leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": SPEC}}},
            [2],
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
            [1, 4],
        ),
        ("Job", {"tasks": [{"replicas": 2, **POD}]}, [2]),
    ],
)
def test_pods_that_work_together_are_counted(kind: str, spec: Any, pods: list[Any]) -> None:
    """Of each template, by whatever name its kind gives the number."""
    (owner,) = seen(registered(f"kubernetes:any/v1:{kind}", spec=spec)).of(PodOwner)
    assert [each.pods for each in owner.templates] == pods


def test_a_pod_that_is_not_known_is_not_passed_over() -> None:
    """Of Kubernetes' own kinds it is known that they have pods."""
    (owner,) = seen(registered("kubernetes:apps/v1:Deployment", spec=UNKNOWN)).of(PodOwner)
    assert owner.templates[0].spec is UNKNOWN


@pytest.mark.parametrize(
    "resource",
    [
        registered("kubernetes:core/v1:ConfigMap", data={"containers": [{"name": "no"}]}),
        registered("kubernetes:core/v1:Service", spec={"ports": [{"port": 80}]}),
        registered("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue", spec=UNKNOWN),
        registered("kubernetes:apps/v1:Deployment", "muster:addons:Addons$", spec={"template": {"spec": SPEC}}),
        registered("aws:ecs/taskDefinition:TaskDefinition", containers=[{"name": "no"}]),
    ],
    ids=lambda each: each.type.rpartition(":")[2],
)
def test_what_has_no_pods_or_is_an_add_on_is_passed_over(resource: Registration) -> None:
    """What Muster's installer registers is judged as the add-on it belongs to."""
    assert seen(resource).of(PodOwner) == ()
