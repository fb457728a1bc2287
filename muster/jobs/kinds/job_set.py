"""JobSet jobset.x-k8s.io/v1alpha2: Jobs that belong together, which the JobSet controller makes.

After kubernetes-sigs/jobset (main of 2026-08), `pkg/controllers/jobset_controller.go` (`constructJob`,
`labelAndAnnotateObject`, `reconcileReplicatedJobs`), `depends_on.go`, `startup_policy.go`, defaults after
`pkg/webhooks/jobset_webhook.go`; a Job's pods after Kubernetes' own Job controller (Indexed: a hostname, an index). The
pods are made without their Jobs.
"""

from collections.abc import Iterator

from muster.jobs.kinds.builtin import active
from muster.jobs.pod import Pod, a_pod
from muster.jobs.reading import Field, name_of, namespace_of, template_of
from muster.jobs.shape import Controller, Role, Shape

_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
_BY_LABEL = "alpha.jobset.sigs.k8s.io/node-selector"
"""Beside it: nodes were labelled for each Job beforehand, and its pods select that label."""


def shape(job: Field, runs_by: str = "the JobSet controller") -> Shape:
    """A role for each replicated job."""
    return Shape.of(job, Controller.STAND_IN, runs_by, _roles(job), notes=_notes(job))


def pods(job: Field) -> Iterator[Pod]:
    """The pods of each replicated job, Job by Job."""
    name, namespace = name_of(job), namespace_of(job)
    network = job.at("spec", "network")
    hostnames = network.at("enableDNSHostnames")
    subdomain = (network.at("subdomain").text() or name) if not hostnames.there or hostnames.flag() else ""
    for role, replicated in zip(_roles(job), _replicated(job), strict=True):
        spec = replicated.at("template", "spec")
        replicas = replicated.at("replicas").number(1)
        for number in range(replicas):
            of_job = f"{name}-{role.name}-{number}"
            for index in range(active(spec)):
                pod = f"{of_job}-{index}"
                marks = {
                    "jobset.sigs.k8s.io/jobset-name": name,
                    "jobset.sigs.k8s.io/replicatedjob-name": role.name,
                    "jobset.sigs.k8s.io/replicatedjob-replicas": str(replicas),
                    "jobset.sigs.k8s.io/job-index": str(number),
                    "jobset.sigs.k8s.io/group-name": replicated.at("groupName").text("default"),
                    "jobset.sigs.k8s.io/restart-attempt": "0",
                }
                place = {"batch.kubernetes.io/job-completion-index": str(index)} if _indexed(spec) else {}
                restart = spec.at("template", "spec", "restartPolicy").text() or "OnFailure"
                yield a_pod(
                    role.template,
                    pod,
                    namespace,
                    role.name,
                    labels={**marks, "batch.kubernetes.io/job-name": of_job, "job-name": of_job, **place},
                    annotations={**marks, **place},
                    spec={
                        "restartPolicy": restart,
                        **({"hostname": pod} if _indexed(spec) else {}),
                        **({"subdomain": subdomain} if subdomain else {}),
                    },
                )


def _replicated(job: Field) -> list[Field]:
    return job.required("spec", "replicatedJobs").some("replicated job")


def _roles(job: Field) -> Iterator[Role]:
    order = job.at("spec", "startupPolicy", "startupPolicyOrder").choice("AnyOrder", "InOrder", otherwise="AnyOrder")
    before: tuple[str, ...] = ()
    for replicated in _replicated(job):
        spec = replicated.required("template", "spec")
        if _indexed(spec) and spec.at("parallelism").there and not spec.at("completions").there:
            count = spec.at("parallelism").number(1)
            raise spec.at("completions").wrong(f"an Indexed Job needs it: write {count}, as many as its parallelism")
        first = tuple(each.required("name").text() for each in replicated.at("dependsOn").entries())
        name = replicated.required("name").text()
        count = replicated.at("replicas").number(1) * active(spec)
        yield Role(name, count, count, template_of(spec.required("template")), first or before)
        before = (name,) if order == "InOrder" else ()


def _indexed(spec: Field) -> bool:
    return spec.at("completionMode").choice("Indexed", "NonIndexed", otherwise="Indexed") == "Indexed"


def _notes(job: Field) -> Iterator[str]:
    if job.at("spec", "suspend").flag():
        yield "it is suspended (spec.suspend): in life no pods are made until somebody, or Kueue, resumes it"
    for replicated in _replicated(job):
        for first in replicated.at("dependsOn").entries():
            if first.at("status").text() == "Complete":
                yield (
                    f"{replicated.path} waits until '{first.at('name').text()}' has completed; in a rehearsal nothing "
                    "completes: it follows once that runs, and needs room beside it"
                )
    if job.at("spec", "volumeClaimPolicies").there:
        yield (
            f"{job.at('spec', 'volumeClaimPolicies').path} is not rehearsed: its claims are not made, and the volumes "
            "that JobSet adds for them are missing"
        )
    own = job.at("metadata", "annotations").texts()
    annotations = [{**own, **each.at("template", "metadata", "annotations").texts()} for each in _replicated(job)]
    if any(_EXCLUSIVE in each and _BY_LABEL in each for each in annotations):
        yield (
            f"exclusive placement by labelled nodes ({_BY_LABEL}) is not rehearsed: the node selector and the "
            "toleration that JobSet adds are missing"
        )
    elif any(_EXCLUSIVE in each for each in annotations):
        yield f"exclusive placement ({_EXCLUSIVE}) is not rehearsed: the affinity that JobSet's webhook adds is missing"
