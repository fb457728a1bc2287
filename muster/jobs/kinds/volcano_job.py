"""Job batch.volcano.sh/v1alpha1. A rehearsal runs Volcano's controllers, which create the pods, and its scheduler.

Defaults after volcano-sh/volcano v1.14.1, `pkg/webhooks/admission/jobs/mutate/mutate_job.go`, the gang after
`pkg/scheduler/api/job_info.go` (`CheckTaskReady`: tasks' own minimums count only where the job's covers them all).
"""

from collections.abc import Iterator
from dataclasses import replace

from muster.jobs.manifest import Field, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role


def job_roles(job: Field) -> JobRoles:
    """A role for each task."""
    roles = list(_roles(job))
    everything = sum(role.pods for role in roles)
    of_tasks = sum(role.needed for role in roles)
    # Zero counts as not set.
    least = job.at("spec", "minAvailable").number(0) or of_tasks
    if least > everything:
        raise job.at("spec", "minAvailable").wrong(
            f"its tasks have {everything} pods together; set at most {everything}"
        )
    if least < of_tasks:
        own = least if len(roles) == 1 else 0
        roles = [replace(role, needed=own) for role in roles]
    return JobRoles.of(job, Controller.VOLCANO, roles, needed=least)


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
                f"the task has {pods} replicas; set at most {pods}"
            )
        # Volcano overwrites a template's name with the task's; a task without a name gets its number.
        name = task.at("name").text() or f"default{index}"
        first = tuple(each.text() for each in task.at("dependsOn", "name").entries())
        yield Role(name, pods, least, template_of(task.required("template")), first)
