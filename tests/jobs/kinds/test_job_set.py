"""A JobSet: its roles, and every pod of every Job of one that Kubeflow Trainer makes, which is simulated."""

from typing import Any

import pytest

from muster.jobs.catalogue import roles_of
from muster.jobs.kinds import job_set
from muster.jobs.manifest import Field
from tests.jobs.documents import a_container, a_job_set, a_replicated_job, a_template


def pods_of(job: Any) -> list[dict[str, Any]]:
    return list(job_set.pods(Field(job)))


def test_names_of_pods() -> None:
    """`JOBSET-REPLICATEDJOB-JOB-POD`."""
    assert [pod["metadata"]["name"] for pod in pods_of(a_job_set())] == [
        "train-driver-0-0",
        *(f"train-workers-{job}-{pod}" for job in range(2) for pod in range(2)),
    ]


def test_a_pod() -> None:
    """After `constructJob`, `labelAndAnnotateObject` and the Job controller's Indexed pods."""
    pod = pods_of(a_job_set())[3]
    marks = {
        "jobset.sigs.k8s.io/jobset-name": "train",
        "jobset.sigs.k8s.io/replicatedjob-name": "workers",
        "jobset.sigs.k8s.io/replicatedjob-replicas": "2",
        "jobset.sigs.k8s.io/job-index": "1",
        "jobset.sigs.k8s.io/group-name": "default",
        "jobset.sigs.k8s.io/restart-attempt": "0",
        "batch.kubernetes.io/job-completion-index": "0",
    }
    of_job = {"batch.kubernetes.io/job-name": "train-workers-1", "job-name": "train-workers-1"}
    assert pod["metadata"] == {
        "name": "train-workers-1-0",
        "namespace": "default",
        "labels": {**marks, **of_job, "muster/role": "workers"},
        "annotations": marks,
    }
    assert pod["spec"] == {
        "containers": [a_container()],
        "restartPolicy": "OnFailure",
        "hostname": "train-workers-1-0",
        "subdomain": "train",
    }


def test_network() -> None:
    """A subdomain of its own, or none."""
    (pod, *_) = pods_of(a_job_set(network={"subdomain": "net"}))
    assert pod["spec"]["subdomain"] == "net"
    (pod, *_) = pods_of(a_job_set(network={"enableDNSHostnames": False}))
    assert "subdomain" not in pod["spec"]


def test_jobs_without_an_index() -> None:
    """Their pods have no hostname and no number."""
    job = a_replicated_job("workers", 2)
    job["template"]["spec"] |= {"completionMode": "NonIndexed"}
    job["template"]["spec"]["template"] = a_template(restartPolicy="Never")
    for pod in pods_of(a_job_set(job)):
        assert "hostname" not in pod["spec"]
        assert pod["spec"]["restartPolicy"] == "Never"
        assert "batch.kubernetes.io/job-completion-index" not in pod["metadata"]["labels"]


@pytest.mark.parametrize(
    ("jobs", "spec", "after"),
    [
        ([a_replicated_job("a"), a_replicated_job("b"), a_replicated_job("c")], {}, [(), (), ()]),
        (
            [a_replicated_job("a"), a_replicated_job("b"), a_replicated_job("c")],
            {"startupPolicy": {"startupPolicyOrder": "InOrder"}},
            [(), ("a",), ("b",)],
        ),
        (
            [
                a_replicated_job("a"),
                a_replicated_job("b"),
                a_replicated_job("c", dependsOn=[{"name": each, "status": "Ready"} for each in "ab"]),
            ],
            {"startupPolicy": {"startupPolicyOrder": "AnyOrder"}},
            [(), (), ("a", "b")],
        ),
    ],
)
def test_order(jobs: list[dict[str, Any]], spec: dict[str, Any], after: list[tuple[str, ...]]) -> None:
    """Each after the one before, or after those it depends on, or all at once."""
    assert [role.after for role in roles_of(a_job_set(*jobs, **spec)).roles] == after


def test_what_is_not_rehearsed_is_said() -> None:
    """Completion, suspension."""
    then = a_replicated_job("b", dependsOn=[{"name": "a", "status": "Complete"}])
    job = a_job_set(a_replicated_job("a"), then, suspend=True)
    notes = roles_of(job).notes
    assert [next(word for word in ("suspended", "completes") if word in n) for n in notes] == ["suspended", "completes"]
    assert roles_of(a_job_set()).notes == ()


def test_what_jobset_adds_to_pods_is_said() -> None:
    """Where nodes were labelled beforehand, a selector and a toleration, whichever of the two annotations stands at the
    replicated job."""
    exclusive, labelled = (f"alpha.jobset.sigs.k8s.io/{each}" for each in ("exclusive-topology", "node-selector"))
    job = a_job_set(a_replicated_job("a"))
    job["metadata"]["annotations"] = {exclusive: "rack"}
    job["spec"]["replicatedJobs"][0]["template"]["metadata"] = {"annotations": {labelled: "true"}}
    (said,) = roles_of(job).notes
    assert "the node selector and the toleration that JobSet adds are missing" in said
    job["metadata"]["annotations"] = {labelled: "true"}
    assert roles_of(job).notes == ()


def test_claims_that_jobset_makes() -> None:
    """One for each template, named after it and the JobSet; pods that mount it get its volume."""
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    job = a_job_set(
        a_replicated_job("a"),
        a_replicated_job("b"),
        volumeClaimPolicies=[{"templates": [{"metadata": {"name": "data"}, "spec": claim}]}],
    )
    template = job["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    template["spec"]["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    (made,) = job_set.claims(Field(job))
    assert (made["metadata"]["name"], made["spec"]) == ("data-train", claim)
    mounting, other = pods_of(job)
    assert mounting["spec"]["volumes"] == [{"name": "data", "persistentVolumeClaim": {"claimName": "data-train"}}]
    assert "volumes" not in other["spec"]


@pytest.mark.parametrize("of_the_job", [True, False])
def test_exclusive_placement(of_the_job: bool) -> None:
    """The pods of each Job keep together, and away from those of other Jobs, by the label that the annotation names."""
    job = a_job_set(a_replicated_job("a", 2, replicas=2))
    holder = job if of_the_job else job["spec"]["replicatedJobs"][0]["template"]
    holder.setdefault("metadata", {})["annotations"] = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}
    terms, keys = set(), set()
    for pod in pods_of(job):
        near = pod["spec"]["affinity"]
        keys.add(pod["metadata"]["labels"]["jobset.sigs.k8s.io/job-key"])
        for kind in ("podAffinity", "podAntiAffinity"):
            (term,) = near[kind]["requiredDuringSchedulingIgnoredDuringExecution"]
            terms.add((kind, term["topologyKey"]))
    assert terms == {("podAffinity", "rack"), ("podAntiAffinity", "rack")}
    assert len(keys) == 2
