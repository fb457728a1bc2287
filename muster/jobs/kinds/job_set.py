"""JobSet jobset.x-k8s.io/v1alpha2: Jobs that belong together. A rehearsal runs the JobSet controller.

Defaults after kubernetes-sigs/jobset v0.12.0, `pkg/webhooks/jobset_webhook.go`, order after `depends_on.go` and
`startup_policy.go`.
"""

from collections.abc import Iterator

from muster.jobs.kinds.builtin import active
from muster.jobs.manifest import Field, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role


def job_roles(job: Field, controller: Controller = Controller.JOBSET) -> JobRoles:
    """A role for each replicated job."""
    return JobRoles.of(job, controller, _roles(job), suspend=("spec", "suspend"), notes=_notes(job))


def _replicated(job: Field) -> list[Field]:
    return job.required("spec", "replicatedJobs").some("replicated job")


def _roles(job: Field) -> Iterator[Role]:
    order = job.at("spec", "startupPolicy", "startupPolicyOrder").choice("AnyOrder", "InOrder", otherwise="AnyOrder")
    before: tuple[str, ...] = ()
    for replicated in _replicated(job):
        spec = replicated.required("template", "spec")
        mode = spec.at("completionMode").choice("Indexed", "NonIndexed", otherwise="Indexed")
        if mode == "Indexed" and spec.at("parallelism").there and not spec.at("completions").there:
            count = spec.at("parallelism").number(1)
            raise spec.at("completions").wrong(
                f"an Indexed Job requires it: set {count}, the number of its parallelism"
            )
        first = tuple(each.required("name").text() for each in replicated.at("dependsOn").entries())
        name = replicated.required("name").text()
        count = replicated.at("replicas").number(1) * active(spec)
        yield Role(name, count, count, template_of(spec.required("template")), first or before)
        before = (name,) if order == "InOrder" else ()


def _notes(job: Field) -> Iterator[str]:
    for replicated in _replicated(job):
        for first in replicated.at("dependsOn").entries():
            if first.at("status").text() == "Complete":
                yield (
                    f"{replicated} waits until '{first.at('name').text()}' has completed. Jobs do not complete in "
                    "a rehearsal, so it starts while that job still runs, and needs room beside it"
                )
