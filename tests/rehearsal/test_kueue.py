"""Jobs in queues, which Kueue itself admits on the control plane, with its webhooks."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.kubernetes_jobs import make
from muster.jobs.pod_roles import QUEUE_LABEL
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import create_prerequisites, create_queues
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.kueue import Workload, queue_objects
from muster.rehearsal.kubernetes.nodes import NETWORK_NODE
from muster.rehearsal.kubernetes.operators import KUEUE
from muster.rehearsal.kubernetes.pods import JobPods
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import DROP, a_blueprint
from tests.jobs.documents import (
    a_container,
    a_hyperpod_job,
    a_job_set,
    a_pod,
    a_ray_cluster,
    a_ray_job,
    a_replicated,
    a_runtime,
    a_template,
    a_train_job,
    an_mpi_job,
)
from tests.rehearsal.clusters import GPU, GPU_TAINT, a_gpu_job, a_pytorch_job, causes, played
from tests.rehearsal.shared_plane import lent
from tests.strategies import Described, legal

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

KUEUE_API = KUEUE.api_version
API = "kueue.x-k8s.io/v1beta1"
"""The older version of it: queues of a job's file may be of either."""


def queued(job: dict[str, Any], queue: str = "main", labels: dict[str, str] | None = None, **metadata: Any) -> Any:
    """The job, sent to a queue."""
    return {**job, "metadata": {**job["metadata"], "labels": {**(labels or {}), QUEUE_LABEL: queue}, **metadata}}


def named(job: dict[str, Any], name: str) -> dict[str, Any]:
    """The job with another name."""
    return {**job, "metadata": {**job["metadata"], "name": name}}


def rehearsed(job: dict[str, Any], *beside: dict[str, Any], edits: dict[str, Any] | None = None) -> Outcome:
    """On two nodes of a cluster that has Kueue, with the queue `main`."""
    return played(job, {"addons.kueue": {}, **(edits or {})}, *beside, nodes=2)


def replicated(kind: str, **container: Any) -> dict[str, Any]:
    """A job whose pods have the label that it selects."""
    labels = {"app": "web"}
    template = a_template(labels=labels, containers=[a_container(**container)])
    return a_replicated(kind, selector={"matchLabels": labels}, template=template)


def of_a_file(quota: int) -> tuple[dict[str, Any], ...]:
    """Queues that a job's file brings: `team` leads to `gpus`, with a quota of GPUs."""
    flavor = {"name": "any", "resources": [{"name": GPU, "nominalQuota": quota}]}
    groups = {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": [GPU], "flavors": [flavor]}]}
    return (
        {
            "apiVersion": API,
            "kind": "ResourceFlavor",
            "metadata": {"name": "any"},
            "spec": {"tolerations": [GPU_TAINT]},
        },
        {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": "gpus"}, "spec": groups},
        {"apiVersion": API, "kind": "LocalQueue", "metadata": {"name": "team"}, "spec": {"clusterQueue": "gpus"}},
    )


def test_kueue_resumes_a_job_of_a_queue() -> None:
    """It admits it to the stack's queue; nothing of it is simulated but the add-on's pod."""
    job = queued(a_gpu_job(2))
    job["spec"]["suspend"] = True
    outcome = rehearsed(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.STARTS, [])
    assert "kueue" in {each.name for each in outcome.programs}
    assert "Kueue admitted the job to ClusterQueue main, flavors workers" in outcome.notes


@pytest.mark.parametrize(
    ("job", "note"),
    [
        (replicated("ReplicaSet", resources={}), "Kueue created no Workload for the ReplicaSet: it runs without a"),
        (a_hyperpod_job(), "so Kueue cannot admit the HyperPodPyTorchJob: quota is not checked"),
    ],
    ids=["a kind that it does not manage", "a controller that does not run here"],
)
def test_a_job_that_kueue_does_not_see_says_so(job: dict[str, Any], note: str) -> None:
    assert any(note in each for each in rehearsed(queued(job)).notes)


@pytest.mark.parametrize(
    ("job", "beside", "running", "words", "where"),
    [
        # The words name the other group's flavor too.
        (queued(a_gpu_job(3)), (), 0, "couldn't assign flavors to pod set main", "addons.kueue.queues.main"),
        (queued(a_gpu_job(), "mian"), (), 0, "LocalQueue mian doesn't exist", ""),
        (queued(replicated("Deployment", resources={"limits": {GPU: 8}}), "team"), of_a_file(8), 1, "insufficient", ""),
        (
            queued(
                a_pod(),
                labels={"kueue.x-k8s.io/pod-group-name": "group"},
                annotations={"kueue.x-k8s.io/pod-group-total-count": "2"},
            ),
            (),
            0,
            "",
            "",
        ),
    ],
    ids=["more than its quota", "no such queue", "pods one by one, in a queue of the file", "a group that lacks a pod"],
)
def test_what_kueue_does_not_admit_waits_in_its_words(
    job: dict[str, Any], beside: tuple[dict[str, Any], ...], running: int, words: str, where: str
) -> None:
    outcome = rehearsed(job, *beside, edits={"groups.system.taints": {"system": "NoSchedule"}})
    assert (outcome.verdict is Verdict.STARTS, outcome.running, causes(outcome)) == (False, running, ["queue-quota"])
    assert words in outcome.waiting[0].reason
    assert outcome.waiting[0].cause.where == where


def test_a_job_that_may_start_with_fewer_pods() -> None:
    """Kueue admits as many as there is quota for, down to the Job's annotation."""
    job = queued(a_gpu_job(3), annotations={"kueue.x-k8s.io/job-min-parallelism": "1"})
    outcome = rehearsed(job)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)


@pytest.mark.parametrize("nodes", [2, 64])
def test_the_second_job_waits_for_the_quota_that_the_first_has(nodes: int) -> None:
    """The first runs, on every node of the quota."""
    first = queued(a_gpu_job(nodes))
    outcome = played(named(first, "second"), {"addons.kueue": {}}, nodes=nodes, earlier=[named(first, "first")])
    (waits,) = outcome.waiting
    assert (waits.pod, waits.cause.id, waits.cause.where) == ("second", "queue-quota", "addons.kueue.queues.main")
    assert f"insufficient unused quota for {GPU} in flavor workers, {8 * nodes} more needed" in waits.reason
    assert sum(node.amounts[GPU].used for node in outcome.nodes if GPU in node.amounts) == 8 * nodes
    assert any(each.said.startswith("first") and f"all {nodes} pods run" in each.said for each in outcome.moments)


def test_a_job_behind_one_that_waits() -> None:
    """Kueue evaluates no job of a strict queue before the one in front of it, and says nothing of it."""
    _, queue, _ = beside = of_a_file(8)
    queue["spec"]["queueingStrategy"] = "StrictFIFO"
    job = queued(a_gpu_job(), "team")
    before = [named(job, "first"), named(job, "second")]
    outcome = played(named(job, "third"), {"addons.kueue": {}}, *beside, earlier=before, nodes=2)
    assert [(each.pod, each.reason, each.cause.id) for each in outcome.waiting] == [("third", "", "queue-quota")]


def test_equal_workloads_wait_for_one_reason() -> None:
    """Kueue evaluates one of them, and sets a condition of that one."""
    job = queued({**replicated("Deployment", resources={"limits": {GPU: 8}})}, "team")
    job["spec"]["replicas"] = 4
    outcome = rehearsed(job, *of_a_file(8))
    assert (outcome.running, [each.cause.id for each in outcome.waiting]) == (1, ["queue-quota"] * 3)
    assert all("insufficient" in each.reason for each in outcome.waiting)


@pytest.mark.parametrize(
    ("how", "zones", "pods", "cause"),
    [
        ("required", 1, 2, None),
        ("required", 2, 2, "queue-topology"),
        ("preferred", 2, 2, None),
        ("required", 1, 3, "queue-quota"),
    ],
)
def test_topology_aware_scheduling_by_ec2s_network_nodes(how: str, zones: int, pods: int, cause: str | None) -> None:
    """The file brings the Topology and its flavor, and the stack the quota. Nodes of two zones are under two network
    nodes."""
    layers = [{"nodeLabel": f"{NETWORK_NODE}{number}"} for number in (1, 2, 3)]
    levels = [*layers, {"nodeLabel": "kubernetes.io/hostname"}]
    topology = {
        "apiVersion": KUEUE_API,
        "kind": "Topology",
        "metadata": {"name": "ec2"},
        "spec": {"levels": levels},
    }
    spec = {"nodeLabels": {"muster/group": "workers"}, "tolerations": [GPU_TAINT], "topologyName": "ec2"}
    flavor = {"apiVersion": KUEUE_API, "kind": "ResourceFlavor", "metadata": {"name": "workers"}, "spec": spec}
    job = queued(a_gpu_job(pods))
    job["spec"]["template"]["metadata"] = {"annotations": {f"kueue.x-k8s.io/podset-{how}-topology": f"{NETWORK_NODE}3"}}
    edits = {} if zones == 1 else {"groups.workers.capacity": "on-demand", "groups.workers.zone": DROP}
    outcome = rehearsed(job, flavor, topology, edits=edits)
    assert causes(outcome) == ([cause] if cause else [])
    assert (outcome.verdict is Verdict.STARTS, outcome.running) == ((False, 0) if cause else (True, pods))
    assert any("network nodes of EC2" in note for note in outcome.notes)


# Workloads of a cluster without nodes: quotas do not depend on them.


class Queues:
    """The queues of a cluster, to which jobs are sent."""

    def __init__(self, plane: ControlPlane, blueprint: Blueprint) -> None:
        self.plane, self.pods = plane, JobPods(plane.client, "default")
        create_queues(plane, queue_objects(blueprint))

    def send(self, job: dict[str, Any], beside: Sequence[dict[str, Any]] = ()) -> JobRun:
        create_prerequisites(self.plane, "default", beside)
        run = JobRun(self.plane, roles_of(queued(job), beside), queued(job), self.pods)
        run.send()
        assert run.refusal is None, run.refusal
        return run

    def judged(self, job: dict[str, Any], beside: Sequence[dict[str, Any]] = ()) -> Workload:
        """The job's Workload, once Kueue has looked at it."""
        run = self.send(job, beside)
        what = "Kueue did not process"
        self.plane.wait_until(lambda: any(each.admitted or _judged(each) for each in run.workloads), what)
        (found,) = run.workloads
        return found


def _judged(workload: Workload) -> bool:
    """Whether the scheduler of Kueue refuses it: before, its queue may be inactive."""
    return workload.kept_out is not None and workload.kept_out.reason in {"NoMatchingFlavor", "ExceedsMaxQuota"}


KINDS = {
    "Pod": a_pod(),
    "Deployment": replicated("Deployment"),
    "StatefulSet": replicated("StatefulSet"),
    "MPIJob": an_mpi_job(),
    "PyTorchJob": a_pytorch_job("train", "default", workers=1),
    "RayCluster": a_ray_cluster(),
    "RayJob": a_ray_job(),
    "JobSet": a_job_set(),
    "TrainJob": a_train_job(),
}


def test_every_kind_of_job_has_a_workload(kueue_plane: ControlPlane) -> None:
    """Kueue makes one, whichever controller makes the pods."""
    with lent(kueue_plane):
        queues = Queues(kueue_plane, a_blueprint({"addons.kueue": {}}))
        runs = {
            kind: queues.send({**job, "metadata": {**job["metadata"], "name": kind.lower()}}, [a_runtime()])
            for kind, job in KINDS.items()
        }
        kueue_plane.wait_until(
            lambda: all(run.workloads for run in runs.values()),
            "no Workload",
            why=lambda: str([kind for kind, run in runs.items() if not run.workloads]),
        )


@settings(max_examples=5)
@given(legal(), st.sampled_from(list(JOBS)), st.data())
def test_a_reference_job_is_admitted_by_the_queue(
    kueue_plane: ControlPlane, described: Described, name: str, data: st.DataObject
) -> None:
    """On any legal cluster that can run it; with one node more than the group may have, it is not."""
    made_of, faults = validate(EksCluster, described.edit({"addons.kueue": {}}).document)
    assert made_of is not None, faults
    blueprint = derive(made_of, "random", described.region, described.known)
    group = data.draw(st.sampled_from([each.name for each in blueprint.groups]))
    most = blueprint.group(group).described.nodes_now.max
    assume(most)
    try:
        fits, does_not = (
            make(JOBS[name], blueprint, JobOptions(group, count, beyond_the_group=True)) for count in (most, most + 1)
        )
    except DoesNotFit:
        assume(False)
    for made, words in ((fits, ""), (does_not, "insufficient quota")):
        with lent(kueue_plane):
            found = Queues(kueue_plane, blueprint).judged(made.documents[0], made.claim_templates)
        assert found.admitted is not bool(words), found
        assert words in (found.kept_out.message if found.kept_out else "")


@pytest.mark.parametrize("tolerated", [True, False])
def test_a_job_that_tolerates_nothing_is_admitted_where_only_devices_taint_the_nodes(
    kueue_plane: ControlPlane, tolerated: bool
) -> None:
    """EKS would add the toleration to its pods; a taint of the user's own keeps it out."""
    own = {} if tolerated else {"groups.workers.taints": {"team": "NoSchedule"}}
    with lent(kueue_plane):
        found = Queues(kueue_plane, a_blueprint({"addons.kueue": {}, **own})).judged(a_gpu_job())
    assert found.admitted is tolerated
    if not tolerated:
        assert found.kept_out is not None
        assert "untolerated taint" in found.kept_out.message


def test_the_files_queue_stands_in_place_of_the_clusters() -> None:
    """Of one kind, name and namespace; the others are there beside it."""
    blueprint = a_blueprint({"addons.kueue": {}, "addons.volcano": {"queues": {"test": {}}}})
    own = {(each["kind"], each["metadata"]["name"]): each for each in queue_objects(blueprint)}
    flavors = {("ResourceFlavor", "system"), ("ResourceFlavor", "workers")}
    assert own.keys() == {*flavors, ("ClusterQueue", "main"), ("LocalQueue", "main")}
    theirs = {**own["ClusterQueue", "main"], "spec": {"stopPolicy": "Hold"}}
    found = queue_objects(blueprint, (theirs,))
    assert len(found) == len(own)
    assert theirs in found
    elsewhere = {**own["LocalQueue", "main"], "metadata": {"name": "main", "namespace": "vision"}}
    assert len(queue_objects(blueprint, (elsewhere,))) == len(own) + 1
