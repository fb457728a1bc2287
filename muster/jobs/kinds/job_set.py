"""JobSet jobset.x-k8s.io/v1alpha2: Jobs that belong together, which the JobSet controller makes.

After kubernetes-sigs/jobset (main of 2026-08), `pkg/controllers/jobset_controller.go` (`constructJob`,
`labelAndAnnotateObject`, `reconcileReplicatedJobs`), `depends_on.go`, `startup_policy.go`, defaults after
`pkg/webhooks/jobset_webhook.go`; claims after `volume_claim_policy.go` (since v0.12), exclusive placement after
`pkg/webhooks/pod_webhook.go`; a Job's pods after Kubernetes' own Job controller (Indexed: a hostname, an index). The
pods are made without their Jobs.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from muster.jobs.kinds.builtin import active
from muster.jobs.manifest import Field, name_of, namespace_of, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Pod, Role, extend_list, pod_from_template

EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
"""The annotation that gives each Job a place for itself: a label of nodes."""
_KEY = "jobset.sigs.k8s.io/job-key"
"""A Job's own, a digest of its name. The digest differs from the real controller's; nothing depends on it."""
_BY_LABEL = "alpha.jobset.sigs.k8s.io/node-selector"
"""Beside it: nodes were labelled for each Job beforehand, and its pods select that label."""


def job_roles(job: Field, controller: Controller = Controller.JOBSET, runs_by: str = "") -> JobRoles:
    """A role for each replicated job.

    Args:
        job: the JobSet.
        controller: what makes its pods in a rehearsal.
        runs_by: what runs it on a cluster, where that is another.
    """
    tuple(claims(job))  # what is wrong with them is wrong with the job
    return JobRoles.of(job, controller, runs_by or controller.value, _roles(job), notes=_notes(job))


def pods(job: Field) -> Iterator[Pod]:
    """The pods of each replicated job, Job by Job: of a JobSet that Kubeflow Trainer makes, which does not run here."""
    name, namespace = name_of(job), namespace_of(job)
    network = job.at("spec", "network")
    hostnames = network.at("enableDNSHostnames")
    subdomain = (network.at("subdomain").text() or name) if not hostnames.there or hostnames.flag() else ""
    for role, replicated in zip(_roles(job), _replicated(job), strict=True):
        spec = replicated.at("template", "spec")
        replicas = replicated.at("replicas").number(1)
        topology = _topology(job, replicated)
        for number in range(replicas):
            of_job = f"{name}-{role.name}-{number}"
            key = hashlib.sha256(f"{namespace}/{of_job}".encode()).hexdigest()[:40]
            for index in range(active(spec)):
                pod = f"{of_job}-{index}"
                marks = {
                    "jobset.sigs.k8s.io/jobset-name": name,
                    "jobset.sigs.k8s.io/replicatedjob-name": role.name,
                    "jobset.sigs.k8s.io/replicatedjob-replicas": str(replicas),
                    "jobset.sigs.k8s.io/job-index": str(number),
                    "jobset.sigs.k8s.io/group-name": replicated.at("groupName").text("default"),
                    "jobset.sigs.k8s.io/restart-attempt": "0",
                    **({_KEY: key} if topology else {}),
                }
                place = {"batch.kubernetes.io/job-completion-index": str(index)} if _indexed(spec) else {}
                restart = spec.at("template", "spec", "restartPolicy").text() or "OnFailure"
                yield pod_from_template(
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
                        **_volumes(job, spec.at("template", "spec")),
                        **_exclusive(spec.at("template", "spec"), key, topology),
                    },
                )


def claims(job: Field) -> Iterator[dict[str, Any]]:
    """The claims that the controller makes for `volumeClaimPolicies` (`createPVCsIfNecessary`)."""
    for template in _claim_templates(job):
        labels = {**template.at("metadata", "labels").texts(), "jobset.sigs.k8s.io/jobset-name": name_of(job)}
        yield {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": _claim(job, template), "namespace": namespace_of(job), "labels": labels},
            "spec": dict(template.required("spec").mapping()),
        }


def _claim_templates(job: Field) -> Iterator[Field]:
    for policy in job.at("spec", "volumeClaimPolicies").entries():
        yield from policy.at("templates").entries()


def _claim(job: Field, template: Field) -> str:
    """``TEMPLATE-JOBSET`` (`GeneratePVCName`)."""
    return f"{template.required('metadata', 'name').text()}-{name_of(job)}"


def _volumes(job: Field, spec: Field) -> dict[str, Any]:
    """The pod's volumes with those of claims that its containers mount (`addVolumes`)."""
    containers = [*spec.at("containers").entries(), *spec.at("initContainers").entries()]
    mounted = {mount.at("name").value for each in containers for mount in each.at("volumeMounts").entries()}
    made = [
        {
            "name": template.at("metadata", "name").value,
            "persistentVolumeClaim": {"claimName": _claim(job, template)},
        }
        for template in _claim_templates(job)
        if template.required("metadata", "name").text() in mounted
    ]
    return {"volumes": extend_list(spec, "volumes", *made)} if made else {}


def _topology(job: Field, replicated: Field) -> str:
    """The label of nodes by which each of its Jobs has a part of the cluster for itself; empty where none is set
    or the nodes were labelled beforehand."""
    own = job.at("metadata", "annotations").texts()
    annotations = {**own, **replicated.at("template", "metadata", "annotations").texts()}
    return "" if _BY_LABEL in annotations else annotations.get(EXCLUSIVE, "")


def _exclusive(spec: Field, key: str, topology: str) -> dict[str, Any]:
    """The affinity of a Job's first pod (`setExclusiveAffinities`), on all of its pods: the others are sent by the
    webhook to where the first one is (`setNodeSelector`), which comes to the same."""
    if not topology:
        return {}
    own = {"key": _KEY, "operator": "In", "values": [key]}
    others = [{"key": _KEY, "operator": "Exists"}, {"key": _KEY, "operator": "NotIn", "values": [key]}]
    affinity = spec.at("affinity")
    made = dict(affinity.mapping())
    for kind, expressions in (("podAffinity", [own]), ("podAntiAffinity", others)):
        term = {
            "labelSelector": {"matchExpressions": expressions},
            "topologyKey": topology,
            "namespaceSelector": {},
        }
        required = "requiredDuringSchedulingIgnoredDuringExecution"
        made[kind] = {**affinity.at(kind).mapping(), required: extend_list(affinity.at(kind), required, term)}
    return {"affinity": made}


def exclusive_topology(pod: Mapping[str, Any]) -> str:
    """The label of nodes by which a JobSet's annotation gives a pod's Job a place for itself; empty where none does.

    Args:
        pod: its spec, with the affinity that the annotation makes.
    """
    near = (pod.get("affinity") or {}).get("podAffinity") or {}
    for term in near.get("requiredDuringSchedulingIgnoredDuringExecution") or ():
        selected = (term.get("labelSelector") or {}).get("matchExpressions") or ()
        if any(each.get("key") == _KEY for each in selected):
            return str(term.get("topologyKey") or "")
    return ""


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
        yield "it is suspended (spec.suspend): no pods are made until it is resumed, by Kueue for one"
    for replicated in _replicated(job):
        for first in replicated.at("dependsOn").entries():
            if first.at("status").text() == "Complete":
                yield (
                    f"{replicated.path} waits until '{first.at('name').text()}' has completed; in a rehearsal nothing "
                    "completes: it follows once that runs, and needs room beside it"
                )
    own = job.at("metadata", "annotations").texts()
    annotations = [{**own, **each.at("template", "metadata", "annotations").texts()} for each in _replicated(job)]
    if any(EXCLUSIVE in each and _BY_LABEL in each for each in annotations):
        yield (
            f"exclusive placement by labelled nodes ({_BY_LABEL}) is not rehearsed: the node selector and the "
            "toleration that JobSet adds are missing"
        )
