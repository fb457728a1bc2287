"""Jobs that are none, and what Muster says of each: `tests/golden/malformed_jobs.txt`, which `make goldens` writes.

A row is a kind of `EVERY_KIND`, a place in its document, and what stands there instead.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muster.jobs.kinds.catalogue import pods_of, roles_of
from muster.jobs.manifest import MalformedJob
from muster.jobs.pod_roles import QUEUE_LABEL
from tests.factories import DROP
from tests.jobs.documents import EVERY_KIND, a_container, a_replicated_job, a_runtime, a_template

FILE = Path("tests/golden/malformed_jobs.txt")

_REPLICAS = "spec.mpiReplicaSpecs"
_TASK = {"name": "a", "replicas": 1, "template": a_template()}
_GROUP = {"groupName": "gpu", "template": a_template()}
_INDEXED = a_replicated_job("a", 3)
del _INDEXED["template"]["spec"]["completions"]


def _after(name: str, *before: str) -> dict[str, Any]:
    return {**_TASK, "name": name, "dependsOn": {"name": list(before)}}


ROWS: tuple[tuple[str, str, Any], ...] = (
    *(("Pod", "", document) for document in (None, {}, "hello", [EVERY_KIND["Pod"]], {"kind": "Pod"})),
    ("Pod", "apiVersion", 1),
    *(("Pod", "metadata", value) for value in (None, {"name": ""}, {"nmae": "x"})),
    ("Pod", "metadata", {"name": "x", "labels": {QUEUE_LABEL: 3}}),
    ("Pod", "spec", None),
    *(("Pod", "spec.containers", value) for value in (None, [], ["x"], [None])),
    ("Pod", "spec.containers", [a_container(resources={"limits": {"memory": "32GB"}})]),
    ("Pod", "spec.containers", [a_container(resources={"limits": {"memory": "32 Gi"}})]),
    ("Pod", "spec.containers", [a_container(resources={"limits": {"a\nb": "many"}})]),
    ("Pod", "spec.containers", [a_container(resources={"requests": {"cpu": -1}})]),
    ("Pod", "spec.containers", [a_container(resources={"requests": ["cpu"]})]),
    ("Pod", "", {**EVERY_KIND["Pod"], 1: 2}),
    *(("Job", "spec.parallelism", value) for value in ("2", -1, True, 2.0)),
    *(("Job", "spec", {"parallelism": 10**power, "template": a_template()}) for power in (5, 40)),
    ("Job", "spec.suspend", "no"),
    ("Deployment", "spec.template", None),
    *(("PyTorchJob", "spec.pytorchReplicaSpecs", value) for value in ({"Workers": {}}, {})),
    ("PyTorchJob", "spec", {"pyTorchReplicaSpecs": {}}),
    *(("MPIJob", _REPLICAS, value) for value in (None, {"launcher": {}})),
    *(("MPIJob", f"{_REPLICAS}.Worker.replicas", value) for value in (None, "two", 0)),
    ("MPIJob", f"{_REPLICAS}.Launcher.replicas", 2),
    ("MPIJob", f"{_REPLICAS}.Worker.restartPolicy", "ExitCode"),
    ("MPIJob", f"{_REPLICAS}.Worker.template", {}),
    ("MPIJob", "spec.launcherCreationPolicy", "WaitForWorkerReady"),
    ("MPIJob", "spec.mpiImplementation", "openmpi"),
    ("MPIJob", "spec.slotsPerWorker", "8"),
    *(("Volcano Job", "spec.tasks", value) for value in (None, [], [_TASK, _TASK])),
    ("Volcano Job", "spec.tasks", [{**_TASK, "name": "worker"}, _after("b", "workers")]),
    ("Volcano Job", "spec.tasks", [_after("a", "b"), _after("b", "a")]),
    ("Volcano Job", "spec.tasks.0.replicas", "1"),
    ("Volcano Job", "spec.tasks.0.minAvailable", 3),
    ("Volcano Job", "spec.minAvailable", 3),
    *(("JobSet", "spec.replicatedJobs", value) for value in (None, [], [{"template": {}}], [_INDEXED])),
    ("JobSet", "spec.replicatedJobs", [a_replicated_job("a", dependsOn=[{"name": "b"}])]),
    ("JobSet", "spec.replicatedJobs.0.replicas", "2"),
    ("JobSet", "spec.startupPolicy", {"startupPolicyOrder": "inorder"}),
    ("RayJob", "spec.clusterSelector", {"ray.io/cluster": "mine"}),
    ("RayJob", "spec.rayClusterSpec", None),
    ("RayJob", "spec.rayClusterSpec.workerGroupSpecs", {}),
    ("RayJob", "spec.submissionMode", "k8sJobMode"),
    ("RayCluster", "spec.headGroupSpec", None),
    ("RayCluster", "spec.workerGroupSpecs", [_GROUP, _GROUP]),
    *(("RayCluster", "spec.workerGroupSpecs.0.groupName", value) for value in (None, "head")),
    ("RayCluster", "spec.workerGroupSpecs.0.numOfHosts", 0),
    *(("TrainJob", "spec.runtimeRef", value) for value in (None, {"name": "torhc"}, {"name": "x"})),
    ("TrainJob", "spec.runtimePatches", [{}]),
    ("TrainJob", "spec.trainer", {"numNodes": "4"}),
    *(("TrainJob's runtime", f"spec.{key}", value) for key, value in (("mlPolicy", {"mpi": {}}), ("template", None))),
    ("TrainJob's runtime", "metadata", {"name": "other"}),
    ("HyperPodPyTorchJob", "spec.replicaSpecs", []),
    ("HyperPodPyTorchJob", "spec.replicaSpecs.0.replicas", "2"),
    ("HyperPodPyTorchJob", "spec.replicaSpecs.0.name", DROP),
    # Kinds that are no jobs, or of other versions.
    ("MPIJob", "apiVersion", "kubeflow.org/v1"),
    ("RayCluster", "apiVersion", "ray.io/v1alpha2"),
    ("Job", "apiVersion", "v1"),
    ("PyTorchJob", "kind", "PytorchJob"),
    *(("Pod", "kind", kind) for kind in ("List", "PodList", "ConfigMap")),
)


def changed(document: Any, path: str, value: Any) -> Any:
    """A copy with a value at a dotted path; the whole where there is none."""
    if not path:
        return value
    key, _, rest = path.partition(".")
    if isinstance(document, list):
        return [changed(each, rest, value) if str(at) == key else each for at, each in enumerate(document)]
    if value is DROP and not rest:
        return {name: each for name, each in document.items() if name != key}
    return {**document, key: changed(document.get(key), rest, value)}


def refusals() -> Iterator[tuple[str, list[str]]]:
    """Each row's title, and what reading its roles and making its pods raise."""
    for kind, path, value in ROWS:
        job, runtime = EVERY_KIND[kind.partition("'")[0]], a_runtime()
        if "'" in kind:
            runtime = changed(runtime, path, value)
        else:
            job = changed(job, path, value)
        shown = "(left out)" if value is DROP else json.dumps(value)
        yield (
            f"{kind} {path or 'the document'}: {shown[:90]}",
            [_refusal(roles_of, job, [runtime]), _refusal(pods_of, job)],
        )


def _refusal(read: Any, *given: Any) -> str:
    try:
        read(*given)
    except MalformedJob as fault:
        return str(fault)
    return ""


def page() -> str:
    """The golden file."""
    return "\n".join(f"{title}\n  {said[0]}\n" for title, said in refusals())
