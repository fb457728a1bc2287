"""RayCluster and RayJob ray.io/v1, which the KubeRay operator runs.

After ray-project/kuberay (main of 2026-08), `ray-operator/controllers/ray/common/pod.go` (`DefaultHeadPodTemplate`,
`DefaultWorkerPodTemplate`, `labelPod`, `BuildAutoscalerContainer`), `utils/util.go` (`GetWorkerGroupDesiredReplicas`,
`PodName`), `common/job.go` (`GetSubmitterTemplate`), `rayjob_controller.go` (`constructRayClusterForRayJob`: the
cluster of a RayJob is named after it and five random letters, here after it alone). Left out, because no node is chosen
by them: commands, environment, probes, /dev/shm.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from muster.jobs.manifest import Field, name_of, namespace_of, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Pod, Role, extend_list, pod_from_template, suspended_note

CLUSTER, JOB = "RayCluster", "RayJob"

VERSION, EARLIER = "ray.io/v1", "ray.io/v1alpha1"
"""KubeRay serves the earlier one for old clients, deprecated (its `docs/reference/api.md`), and keeps it as `v1`."""

HEAD, SUBMITTER = "head", "submitter"

_LONGEST_PREFIX = 50
"""Of a pod's name: KubeRay cuts the rest off. Its names end in random letters; here the number comes behind it, and
where something was cut or made small, so that two groups would be called alike, a digest of the whole."""
_DIGEST = 8

_MODES = ("K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode")


def job_roles(job: Field) -> JobRoles:
    """A head, a role for each group of workers, and for a RayJob the pod that submits it."""
    return JobRoles.of(job, Controller.STAND_IN, "the KubeRay operator", _roles(job), notes=_notes(job))


def pods(job: Field) -> Iterator[Pod]:
    """The head, the workers group by group, the submitter."""
    name, namespace = name_of(job), namespace_of(job)
    cluster = _cluster(job)
    marks = _originated(job)
    for role in _roles(job):
        if role.name == SUBMITTER:
            made = {**marks, "app.kubernetes.io/created-by": "kuberay-operator", "job-name": name}
            yield pod_from_template(role.template, f"{name}-{SUBMITTER}", namespace, role.name, labels=made)
            continue
        group = _group(cluster, role.name)
        head = role.name == HEAD
        prefix = name if head else f"{name}-{role.name}"
        for index in range(role.pods):
            pod = f"{_short(prefix)}-{'head' if head else 'worker'}"
            template = group.at("template")
            yield pod_from_template(
                {**role.template, "metadata": {**template.at("metadata").mapping(), "labels": {}}},
                pod if head else f"{pod}-{index}",
                namespace,
                role.name,
                labels={
                    "app.kubernetes.io/name": "kuberay",
                    "app.kubernetes.io/created-by": "kuberay-operator",
                    "ray.io/identifier": f"{name}-{'head' if head else 'worker'}"[:63],
                    **template.at("metadata", "labels").texts(),
                    **group.at("labels").texts(),
                    "ray.io/is-ray-node": "yes",
                    "ray.io/cluster": name,
                    "ray.io/node-type": "head" if head else "worker",
                    "ray.io/group": "headgroup" if head else role.name,
                },
                spec={} if head else _worker(cluster, template.at("spec")),
            )


def _short(prefix: str) -> str:
    """As long as a pod's name may begin, and another one for each prefix."""
    if len(prefix) <= _LONGEST_PREFIX and prefix == prefix.lower():
        return prefix
    digest = hashlib.sha256(prefix.encode()).hexdigest()[:_DIGEST]
    return f"{prefix[: _LONGEST_PREFIX - _DIGEST - 1]}-{digest}".lower()


def _cluster(job: Field) -> Field:
    """The cluster's spec: the document's own, or the one in a RayJob.

    Raises:
        MalformedJob: a RayJob that goes to a cluster which is there already.
    """
    if job.at("kind").text() == CLUSTER:
        return job.required("spec")
    if job.at("spec", "clusterSelector").mapping():
        raise job.at("spec", "clusterSelector").wrong(
            "it is sent to a RayCluster that exists: rehearse that RayCluster, or give rayClusterSpec in its place"
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
            raise group.at("groupName").wrong("the job has pods of that name already; choose another")
        before.append(name)
        count = _replicas(group) * group.at("numOfHosts").number(1, 1)
        # The operator makes workers at once; those wait for the head inside their pods.
        yield Role(name, count, count, template_of(group.required("template")))
    if _mode(job) == "K8sJobMode":
        yield Role(SUBMITTER, 1, 1, _submitter(job, cluster), tuple(before))


def _group(cluster: Field, role: str) -> Field:
    if role == HEAD:
        return cluster.at("headGroupSpec")
    return next(each for each in cluster.at("workerGroupSpecs").entries() if each.at("groupName").text() == role)


def _replicas(group: Field) -> int:
    if group.at("suspend").flag():
        return 0
    least, replicas = group.at("minReplicas").number(0), group.at("replicas").number(0)
    most = group.at("maxReplicas").number(max(least, replicas))
    # As the operator decides: the minimum first.
    return least if replicas < least else min(replicas, most)


def _submitter(job: Field, cluster: Field) -> Mapping[str, Any]:
    own = job.at("spec", "submitterPodTemplate")
    if own.there:
        return template_of(own)
    return {"spec": {"restartPolicy": "Never", "containers": [_submitting(cluster)]}}


def _submitting(cluster: Field) -> dict[str, Any]:
    image = next(cluster.at("headGroupSpec", "template", "spec", "containers").entries()).at("image").text()
    return {
        "name": "ray-job-submitter",
        **({"image": image} if image else {}),
        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "200Mi"}},
    }


def _head(job: Field, template: Field) -> Mapping[str, Any]:
    """The template with the containers that the operator adds: they count in the head's requests, and in quotas."""
    written, spec = template_of(template), template.at("spec")
    cluster = _cluster(job)
    sidecars: list[dict[str, Any]] = []
    restart: dict[str, str] = {}
    if _mode(job) == "SidecarMode":
        sidecars.append(_submitting(cluster))
        restart = {"restartPolicy": "Never"}
    if cluster.at("enableInTreeAutoscaling").flag():
        sidecars.append(_autoscaler(cluster, spec))
        restart |= _once(cluster)
    if not sidecars:
        return written
    return {**written, "spec": {**spec.mapping(), "containers": extend_list(spec, "containers", *sidecars), **restart}}


def _autoscaler(cluster: Field, spec: Field) -> dict[str, Any]:
    options = cluster.at("autoscalerOptions")
    amounts = {"cpu": "500m", "memory": "512Mi"}
    image = options.at("image").text() or next(spec.at("containers").entries()).at("image").text()
    return {
        "name": "autoscaler",
        **({"image": image} if image else {}),
        "resources": dict(options.at("resources").mapping()) or {"limits": amounts, "requests": dict(amounts)},
    }


def _worker(cluster: Field, spec: Field) -> dict[str, Any]:
    first = next(spec.at("containers").entries())
    image = first.at("image").text()
    amounts = {"cpu": "200m", "memory": "256Mi"}
    waiting = {
        "name": "wait-gcs-ready",
        **({"image": image} if image else {}),
        "resources": {"limits": amounts, "requests": dict(amounts)},
    }
    once = _once(cluster) if cluster.at("enableInTreeAutoscaling").flag() else {}
    return {"initContainers": extend_list(spec, "initContainers", waiting), **once}


def _once(cluster: Field) -> dict[str, str]:
    """The second autoscaler replaces pods itself."""
    return {"restartPolicy": "Never"} if cluster.at("autoscalerOptions", "version").text() == "v2" else {}


def _originated(job: Field) -> dict[str, str]:
    return {"ray.io/originated-from-cr-name": name_of(job), "ray.io/originated-from-crd": JOB}


def _notes(job: Field) -> Iterator[str]:
    cluster = _cluster(job)
    if cluster.at("suspend").flag() or job.at("spec", "suspend").flag():
        yield suspended_note("spec.suspend")
    if cluster.at("enableInTreeAutoscaling").flag():
        yield "the autoscaler is not rehearsed: every group has the replicas it starts with"
