"""Job batch.volcano.sh/v1alpha1, which Volcano's controllers make and Volcano's scheduler places.

After volcano-sh/volcano (main of 2026-08), `pkg/controllers/job/job_controller_util.go` (`createJobPod`), defaults
after `pkg/webhooks/admission/jobs/mutate/mutate_job.go`, the gang after `pkg/scheduler/api/job_info.go`
(`CheckTaskReady`: tasks' own minimums count only where the job's covers them all). The environment and the volumes that
its plugins add to containers (svc, ssh, env) are left out: no node is chosen by them.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from muster.jobs.manifest import Field, name_of, namespace_of, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Pod, Role, extend_list, pod_from_template

_WITH_SERVICE = frozenset({"svc", "tensorflow", "mpi", "pytorch", "ray"})
"""Plugins that give pods a hostname (`patchDefaultPlugins`)."""

SCHEDULER = (
    "the default scheduler stands in for Volcano's: it places pods one by one, and knows no queues or fair shares"
)


def job_roles(job: Field) -> JobRoles:
    """A role for each task."""
    roles = list(_roles(job))
    everything = sum(role.pods for role in roles)
    of_tasks = sum(role.needed for role in roles)
    # Zero counts as not set.
    least = job.at("spec", "minAvailable").number(0) or of_tasks
    if least > everything:
        raise job.at("spec", "minAvailable").wrong(f"its tasks have {everything} pods together; give at most that many")
    if least < of_tasks:
        own = least if len(roles) == 1 else 0
        roles = [replace(role, needed=own, opens=role.needed) for role in roles]
    return JobRoles.of(job, Controller.STAND_IN, "Volcano", roles, needed=least, notes=_notes(job))


def pods(job: Field) -> Iterator[Pod]:
    """The pods of each task, in order."""
    name, namespace = name_of(job), namespace_of(job)
    queue = job.at("spec", "queue").text("default")
    for role, task in zip(_roles(job), _tasks(job), strict=True):
        spec = task.at("template", "spec")
        for index in range(role.pods):
            pod = f"{name}-{role.name}-{index}"
            marks = {"volcano.sh/task-index": str(index), "volcano.sh/task-spec": role.name}
            shared = {**marks, "volcano.sh/job-name": name, "volcano.sh/queue-name": queue}
            yield pod_from_template(
                role.template,
                pod,
                namespace,
                role.name,
                labels={**shared, "volcano.sh/job-namespace": namespace},
                annotations={**shared, "volcano.sh/template-uid": f"{name}-{role.name}"},
                spec={**_named(job, spec, pod, name), **_chosen(job, spec), **_volumes(job, spec)},
            )


def _tasks(job: Field) -> list[Field]:
    return job.required("spec", "tasks").some("task")


def _roles(job: Field) -> Iterator[Role]:
    for index, task in enumerate(_tasks(job)):
        pods = task.at("replicas").number(0)
        partitions = task.at("partitionPolicy", "minPartitions").number(0)
        otherwise = partitions * task.at("partitionPolicy", "partitionSize").number(0) if partitions else pods
        least = task.at("minAvailable").number(otherwise)
        if least > pods:
            raise task.at("minAvailable" if not partitions else "partitionPolicy").wrong(
                f"the task has {pods} replicas; give at most that many"
            )
        # A template's own name is overwritten with the task's; a task without one gets its number.
        name = task.at("name").text() or f"default{index}"
        first = tuple(each.text() for each in task.at("dependsOn", "name").entries())
        yield Role(name, pods, least, template_of(task.required("template")), first)


def _named(job: Field, spec: Field, pod: str, subdomain: str) -> dict[str, Any]:
    if not _WITH_SERVICE & set(job.at("spec", "plugins").mapping()):
        return {}
    return {"hostname": spec.at("hostname").text() or pod, "subdomain": spec.at("subdomain").text() or subdomain}


def _chosen(job: Field, spec: Field) -> dict[str, Any]:
    priority = spec.at("priorityClassName").text() or job.at("spec", "priorityClassName").text()
    on_host = spec.at("hostNetwork").flag() and not spec.at("dnsPolicy").text()
    return {
        **({"priorityClassName": priority} if priority else {}),
        **({"dnsPolicy": "ClusterFirstWithHostNet"} if on_host else {}),
    }


def _volumes(job: Field, spec: Field) -> dict[str, Any]:
    """The job's volumes that name a claim: a pod waits for its claim."""
    claims: dict[str, str] = {}
    for each in job.at("spec", "volumes").entries():
        claim = each.at("volumeClaimName").text()
        if claim:
            claims.setdefault(claim, each.required("mountPath").text())
    if not claims:
        return {}
    names = {claim: f"{name_of(job)}-{number}" for number, claim in enumerate(claims)}
    mounts = [{"name": names[claim], "mountPath": path} for claim, path in claims.items()]
    volumes = [{"name": names[claim], "persistentVolumeClaim": {"claimName": claim}} for claim in claims]
    return {
        "containers": [
            {**each.mapping(), "volumeMounts": extend_list(each, "volumeMounts", *mounts)}
            for each in spec.at("containers").entries()
        ],
        "volumes": extend_list(spec, "volumes", *volumes),
    }


def _notes(job: Field) -> Iterator[str]:
    yield SCHEDULER
    for each in job.at("spec", "volumes").entries():
        if each.at("volumeClaim").there and not each.at("volumeClaimName").there:
            yield f"{each.path}: Volcano would make the claim; a rehearsal leaves the volume out"
    if job.at("spec", "networkTopology").there:
        yield "spec.networkTopology is Volcano's scheduler's alone: it is not rehearsed"
    for task in _tasks(job):
        if task.at("dependsOn", "iteration").text() == "any":
            yield f"{task.path}.dependsOn: in life any one of its tasks is enough; a rehearsal waits for all"
