"""The operators themselves make the pods of their jobs on the control plane, with their webhooks."""

from collections.abc import Callable
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.cluster import Blueprint
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds import builtin
from muster.jobs.kinds.catalogue import KINDS, roles_of
from muster.jobs.kubernetes_jobs import make
from muster.rehearsal.kubernetes.addons import InstalledAddons, addons_that_run
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import PodState, Verdict
from tests.factories import a_blueprint
from tests.jobs.clusters import a_cluster_for, a_group, a_stored_cluster, a_system_group, manifest_of
from tests.jobs.documents import (
    a_container,
    a_job_set,
    a_ray_cluster,
    a_ray_job,
    a_ray_spec,
    a_replicated_job,
    a_runtime,
    a_template,
    a_train_job,
    a_volcano_job,
    an_mpi_job,
)
from tests.rehearsal.clusters import GPU, a_gpu_job, a_pytorch_job, causes, played
from tests.stack_files import ROOT

shared = pytest.mark.usefixtures("shared_plane")

NODE = {"limits": {GPU: 8}, "requests": {GPU: 8}}
WHOLE = a_template(containers=[a_container(resources=NODE)], restartPolicy="Never")
"""Of a pod that takes all GPUs of a node."""


def replicated(name: str, pods: int, **said: Any) -> dict[str, Any]:
    """A replicated job of a JobSet whose pods take a node each."""
    job = a_replicated_job(name, pods, **said)
    job["template"]["spec"]["template"] = WHOLE
    return job


def of_ray(workers: int) -> dict[str, Any]:
    """A head, and workers that take a node each."""
    spec = a_ray_spec()
    return {**spec, "workerGroupSpecs": [{**spec["workerGroupSpecs"][0], "replicas": workers}]}


KIND: dict[str, tuple[Callable[[int], dict[str, Any]], list[str]]] = {
    "Job": (a_gpu_job, ["train", "train"]),
    "PyTorchJob": (
        lambda nodes: a_pytorch_job("train", "default", workers=nodes - 1),
        ["train-master-0", "train-worker-0"],
    ),
    "MPIJob": (
        lambda nodes: an_mpi_job(worker={"replicas": nodes, "template": WHOLE}),
        ["train-launcher", "train-worker-0", "train-worker-1"],
    ),
    "JobSet": (
        lambda nodes: a_job_set(replicated("driver", 1), replicated("workers", nodes - 1)),
        ["train-driver-0-0", "train-workers-0-0"],
    ),
    "TrainJob": (
        lambda nodes: a_train_job(trainer={"numNodes": nodes, "resourcesPerNode": {"limits": {GPU: 8}}}),
        ["train-node-0-0", "train-node-0-1"],
    ),
    "RayCluster": (
        lambda nodes: a_ray_cluster(**of_ray(nodes)),
        ["train-gpu-worker", "train-gpu-worker", "train-head"],
    ),
    "RayJob": (lambda nodes: a_ray_job(rayClusterSpec=of_ray(nodes)), ["gpu", "gpu", "head", "submitter"]),
    "Volcano Job": (
        lambda nodes: a_volcano_job({"name": "worker", "replicas": nodes, "template": WHOLE}),
        ["train-worker-0", "train-worker-1"],
    ),
}
"""Kind -> a job whose pods take so many nodes, and the names of its pods on two without the random part; of a RayJob,
which has a random one in the middle, the roles."""


COME_AGAIN = {"MPIJob": 0, "JobSet": 1, "RayCluster": 0, "Volcano Job": 0}
"""Kinds whose controllers make lost pods anew, each in its way -> the nodes that are spare. On one the pods of a Job
run before the lost node is replaced, once its controller makes them, which takes 10 s."""


def beside(kind: str) -> tuple[dict[str, Any], ...]:
    return (a_runtime(),) if kind == "TrainJob" else ()


@pytest.mark.rehearsal
@shared
@pytest.mark.parametrize("kind", KIND)
def test_its_pods_start_and_come_again_once_a_lost_node_is_replaced(kind: str) -> None:
    """Under the operator's own names. Nothing of it is simulated."""
    job, names = KIND[kind]
    spare = COME_AGAIN.get(kind, 0)
    outcome = played(job(2), None, *beside(kind), nodes=2 + spare, lost=kind in COME_AGAIN)
    assert outcome.verdict is Verdict.STARTS
    assert not any("the pods" in each.simulated_by for each in outcome.simulated_parts)
    found = (each.role if kind == "RayJob" else each.name for each in outcome.pods)
    assert sorted(each if each in names else each.rpartition("-")[0] for each in found) == names
    for drill in outcome.drills:
        assert (drill.running_before, drill.running_at_last) == (len(names), len(names))
        assert (drill.running_after == len(names)) == (spare > 0)


@pytest.mark.rehearsal
@shared
@pytest.mark.parametrize(
    ("kind", "running"),
    [("Job", 2), ("PyTorchJob", 2), ("MPIJob", 3), ("JobSet", 2), ("TrainJob", 2), ("RayJob", 3), ("Volcano Job", 0)],
)
def test_a_job_that_is_a_node_short_waits_in_the_schedulers_words(kind: str, running: int) -> None:
    """What there is room for runs; but of a gang nothing, and of a RayJob, whose cluster waits, not the submitter."""
    outcome = played(KIND[kind][0](3), None, *beside(kind), nodes=2)
    assert (outcome.verdict, outcome.running, causes(outcome)) == (Verdict.DOES_NOT_START, running, ["nodes-full"])
    assert GPU in outcome.waiting[0].reason
    assert ("submitter" in {pod.role for pod in outcome.pods if not pod.node}) is (kind == "RayJob")


def of_another_container() -> dict[str, Any]:
    job = a_pytorch_job("train", "default", workers=1)
    job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]["name"] = "other"
    return job


def pages_alone() -> dict[str, Any]:
    job = a_gpu_job()
    job["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] = {"hugepages-2Mi": "5120Mi"}
    return job


def ray_of_an_account() -> dict[str, Any]:
    job = a_ray_job()
    job["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]["serviceAccountName"] = "missing"
    return job


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "the training operator's webhook": (of_another_container(), "at least one container with name pytorch"),
    "JobSet's webhook": (
        a_job_set(successPolicy={"operator": "All", "targetReplicatedJobs": ["nobody"]}),
        "invalid replicatedJob name 'nobody'",
    ),
    "Volcano's webhook": (a_volcano_job(queue="nobody"), "unable to find job queue"),
    "the API server, of pods": (pages_alone(), "HugePages require cpu or memory"),
    "the API server, of a key that nobody knows": (
        a_gpu_job(toleration=[]),
        'unknown field "spec.template.spec.toleration"',
    ),
    "the API server, of an account": (a_gpu_job(serviceAccountName="missing"), 'serviceaccount "missing" not found'),
    "the API server, of pods of a RayJob's cluster": (ray_of_an_account(), 'serviceaccount "missing" not found'),
}


@pytest.mark.rehearsal
@shared
@pytest.mark.parametrize("who", REFUSED)
def test_what_is_refused_is_told_in_the_words_of_who_refuses_it(who: str) -> None:
    """No pod is made."""
    job, words = REFUSED[who]
    outcome = played(job)
    assert (outcome.verdict, outcome.running, causes(outcome)) == (Verdict.DOES_NOT_START, 0, ["refused"])
    assert words in outcome.waiting[0].reason
    assert {pod.state for pod in outcome.pods} == {PodState.NOT_CREATED}


@pytest.mark.rehearsal
@shared
def test_nodes_follow_an_initializer_that_runs() -> None:
    """On a cluster they wait until it has completed; here nothing completes, and the report says so."""
    step = "trainer.kubeflow.org/trainjob-ancestor-step"
    first, node = a_replicated_job("dataset-initializer"), a_replicated_job("node")
    for each, name in ((first, "dataset-initializer"), (node, "node")):
        each["template"]["metadata"] = {"labels": {step: "trainer" if name == "node" else name}}
        each["template"]["spec"] = {"template": a_template(containers=[a_container(name=name, resources={})])}
    node["dependsOn"] = [{"name": "dataset-initializer", "status": "Complete"}]
    outcome = played(
        KIND["TrainJob"][0](2), None, a_runtime(template={"spec": {"replicatedJobs": [first, node]}}), nodes=2
    )
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 3)
    assert any("Jobs do not complete in a rehearsal" in each for each in outcome.notes)


@pytest.mark.rehearsal
@shared
def test_a_job_set_with_claims_and_a_topology() -> None:
    """JobSet makes the claims."""
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "x"}
    container = {"name": "c", "image": "c", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}
    job = a_job_set(
        a_replicated_job("w"), volumeClaimPolicies=[{"templates": [{"metadata": {"name": "data"}, "spec": claim}]}]
    )
    job["metadata"]["annotations"] = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "kubernetes.io/hostname"}
    job["spec"]["replicatedJobs"][0]["template"]["spec"]["template"] = {"spec": {"containers": [container]}}
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.STARTS, [])


# Muster's own jobs, but for those that `muster rehearse` starts on a stack (`tests/cli/test_rehearse.py`).

OTHERS = [name for name in JOBS if not list(ROOT.glob(f"tests/golden/*.{name}.yaml"))]


def starts(blueprint: Blueprint, job: dict[str, Any], *others: dict[str, Any]) -> None:
    """The API server, the operator's webhook and the scheduler take a job; every pod of it runs."""
    outcome = rehearse(RehearsalRequest(blueprint, job, roles_of(job, others), others))
    assert (outcome.verdict, outcome.not_running) == (Verdict.STARTS, 0), outcome.waiting


@pytest.mark.rehearsal
@shared
@pytest.mark.parametrize("name", OTHERS)
def test_a_job_of_ours_starts(name: str) -> None:
    blueprint = a_cluster_for(name)
    starts(blueprint, *make(JOBS[name], blueprint, JobOptions()).documents)


@pytest.mark.rehearsal
@shared
def test_trainer_takes_the_form_for_it() -> None:
    """A runtime is sent with its TrainJob."""
    groups = {"system": a_system_group(), "workers": a_group(instance="p5.48xlarge")}
    blueprint, fsdp = a_stored_cluster(groups, trainer={}), JOBS["pytorch-fsdp"]
    runtime, job = make(fsdp, blueprint, JobOptions(), fsdp.forms["trainjob"]).documents
    starts(blueprint, job, runtime)


@pytest.mark.rehearsal
@shared
def test_what_torchx_sends_starts_too() -> None:
    """Without a toleration: as on EKS, the API server adds those of the devices that a pod asks for."""
    blueprint = a_cluster_for("trn1-pretrain")
    job = manifest_of(JOBS["trn1-pretrain"], blueprint, JobOptions())
    (task,) = job["spec"]["tasks"]
    spec = {key: value for key, value in task["template"]["spec"].items() if key != "tolerations"}
    alone = [{"name": f"worker-{index}", "replicas": 1, "template": {"spec": spec}} for index in range(2)]
    starts(blueprint, {**job, "spec": {**job["spec"], "tasks": alone}})


# Who runs which job.


def test_every_kind_of_job_has_an_addon_that_runs_it() -> None:
    """But for those that Kubernetes runs by itself."""
    own = {("v1", builtin.POD), ("batch/v1", builtin.JOB), *(("apps/v1", kind) for kind in builtin.REPLICATED)}
    assert {kind for kind in KINDS if not addons_that_run(*kind)} == own
    assert addons_that_run("jobset.x-k8s.io/v1alpha2", "JobSet") == ("jobset", "trainer"), "the first is advised"


@pytest.mark.parametrize(
    ("addon", "runner"), [("hyperpod", "hyperpod"), ("training-operator", "training-operator"), ("kueue", None)]
)
def test_hyperpods_chart_runs_what_its_own_operators_run(addon: str, runner: str | None) -> None:
    """Where its values turn them on."""
    on = {"values": {"mpi-operator": {"enabled": True}, "trainingOperators": {"enabled": True}}}
    said: dict[str, Any] = {f"addons.{addon}": on if addon == "hyperpod" else {}}
    installed = InstalledAddons.of(a_blueprint({"chart-mirror": "oci://r.example.org/charts", **said}))
    found = installed.runner("kubeflow.org/v1", "PyTorchJob")
    assert (found.addon.name if found else None) == runner
    if runner == "hyperpod":
        assert found is not None
        assert [each["metadata"]["name"].removeprefix("hyperpod-helm-chart-") for each in found.deployments] == [
            *("mpi-operator", "training-operators")
        ]


@pytest.mark.rehearsal
@shared
def test_every_operator_may_be_there_at_once() -> None:
    """On tainted system nodes, with what is ours and no chart at hand: the API server takes it, and their pods run."""
    every = {f"addons.{name}": {} for name, addon in CATALOGUE.items() if addon.runs or name in {"kueue", "etcd"}}
    outcome = played(KIND["Volcano Job"][0](1), {**every, "groups.system.taints": {"system": "NoSchedule"}})
    assert outcome.verdict is Verdict.STARTS
    (system,) = [each for each in outcome.nodes if each.group == "system"]
    assert system.amounts["cpu"].used >= sum(
        {"kueue": 500, "jobset": 500, "kuberay-operator": 100, "etcd": 100}.values()
    )
    simulated = {each.name for each in outcome.simulated_parts}
    assert simulated >= {"kueue", "volcano", "trainer", "jobset", "kuberay-operator", "training-operator"}
    assert "etcd" not in simulated
    assert not [note for note in outcome.notes if "left out" in note]
