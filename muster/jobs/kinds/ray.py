"""RayCluster and RayJob ray.io/v1. A rehearsal runs the KubeRay operator, which creates their pods.

After ray-project/kuberay v1.6.2, `ray-operator/controllers/ray/common/pod.go` (`DefaultHeadPodTemplate`,
`BuildAutoscalerContainer`), `utils/util.go` (`GetWorkerGroupDesiredReplicas`), `common/job.go`
(`GetSubmitterTemplate`). Commands, environment, probes and /dev/shm are left out, because they do not affect
scheduling.
"""

from collections.abc import Iterator
from typing import Any

from muster.jobs.manifest import Field, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role

CLUSTER, JOB = "RayCluster", "RayJob"

VERSION = "ray.io/v1"

HEAD, SUBMITTER = "head", "submitter"

_MODES = ("K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode")


def job_roles(job: Field) -> JobRoles:
    """A head, a role for each group of workers, and for a RayJob the pod that submits it."""
    return JobRoles.of(job, Controller.KUBERAY, _roles(job), suspend=_suspend(job), notes=_notes(job))


def _cluster(job: Field) -> Field:
    """The cluster's spec: the document's own, or the one in a RayJob.

    Raises:
        MalformedJob: a RayJob for a cluster that already exists.
    """
    if job.at("kind").text() == CLUSTER:
        return job.required("spec")
    if job.at("spec", "clusterSelector").mapping():
        raise job.at("spec", "clusterSelector").wrong(
            "it selects an existing RayCluster: rehearse that RayCluster, or set rayClusterSpec instead"
        )
    return job.required("spec", "rayClusterSpec")


def _mode(job: Field) -> str:
    if job.at("kind").text() == CLUSTER:
        return ""
    return job.at("spec", "submissionMode").choice(*_MODES, otherwise="K8sJobMode")


def _roles(job: Field) -> Iterator[Role]:
    cluster = _cluster(job)
    before = [HEAD]
    yield Role(HEAD, 1, 1, _head(job, cluster.required("headGroupSpec", "template")))
    for group in cluster.at("workerGroupSpecs").entries():
        name = group.required("groupName").text()
        if name in {HEAD, SUBMITTER}:
            raise group.at("groupName").wrong("the job already has pods with that name; choose another")
        before.append(name)
        count = _replicas(group) * group.at("numOfHosts").number(1, 1)
        # The operator creates workers immediately; they wait for the head inside their pods.
        yield Role(name, count, count, template_of(group.required("template")))
    if _mode(job) == "K8sJobMode":
        yield Role(SUBMITTER, 1, 1, _submitter(job, cluster), tuple(before))


def _replicas(group: Field) -> int:
    if group.at("suspend").flag():
        return 0
    least, replicas = group.at("minReplicas").number(0), group.at("replicas").number(0)
    most = group.at("maxReplicas").number(max(least, replicas))
    # As the operator decides: the minimum first.
    return least if replicas < least else min(replicas, most)


def _submitter(job: Field, cluster: Field) -> Field:
    own = job.at("spec", "submitterPodTemplate")
    if own.there:
        return template_of(own)
    return Field({"spec": {"restartPolicy": "Never", "containers": [_submitting(cluster)]}}, cluster.path)


def _submitting(cluster: Field) -> dict[str, Any]:
    image = next(cluster.at("headGroupSpec", "template", "spec", "containers").entries()).at("image").text()
    return {
        "name": "ray-job-submitter",
        **({"image": image} if image else {}),
        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "200Mi"}},
    }


def _head(job: Field, template: Field) -> Field:
    """The template with the containers that the operator adds: they count in the head's requests, and in quotas."""
    spec = template_of(template).at("spec")
    cluster = _cluster(job)
    sidecars: list[dict[str, Any]] = []
    if _mode(job) == "SidecarMode":
        sidecars.append(_submitting(cluster))
    if cluster.at("enableInTreeAutoscaling").flag():
        sidecars.append(_autoscaler(cluster, spec))
    if not sidecars:
        return template
    containers = [*(each.value for each in spec.at("containers").entries()), *sidecars]
    return Field({**template.mapping(), "spec": {**spec.mapping(), "containers": containers}}, template.path)


def _autoscaler(cluster: Field, spec: Field) -> dict[str, Any]:
    options = cluster.at("autoscalerOptions")
    amounts = {"cpu": "500m", "memory": "512Mi"}
    image = options.at("image").text() or next(spec.at("containers").entries()).at("image").text()
    return {
        "name": "autoscaler",
        **({"image": image} if image else {}),
        "resources": dict(options.at("resources").mapping()) or {"limits": amounts, "requests": dict(amounts)},
    }


def _suspend(job: Field) -> tuple[str, ...]:
    """The field that suspends it: of a RayJob, the job's own or its cluster's."""
    if job.at("kind").text() == CLUSTER or job.at("spec", "suspend").flag():
        return ("spec", "suspend")
    return ("spec", "rayClusterSpec", "suspend")


def _notes(job: Field) -> Iterator[str]:
    cluster = _cluster(job)
    if cluster.at("enableInTreeAutoscaling").flag():
        yield "the rehearsal does not run the autoscaler: every group keeps its initial replicas"
    if job.at("kind").text() == JOB:
        yield (
            "the rehearsal of a RayJob creates, schedules and starts its pods; Ray's dashboard, which would then run "
            "the job, does not run"
        )
