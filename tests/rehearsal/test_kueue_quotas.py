"""The quotas of the stack's queues, which follow from its groups, as Kueue itself counts them."""

from collections.abc import Iterator, Sequence
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
from muster.jobs.job import Job
from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.kubernetes_jobs import make
from muster.jobs.pod_roles import QUEUE_LABEL
from muster.rehearsal.kubernetes import kueue
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import create_prerequisites, create_queues
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.kueue import Workload, queue_objects
from muster.rehearsal.kubernetes.pods import JobPods
from tests.factories import DROP, a_blueprint
from tests.rehearsal.shared_plane import lent
from tests.strategies import Described, legal

pytestmark = pytest.mark.rehearsal


@pytest.fixture(scope="module")
def counting_plane() -> Iterator[ControlPlane]:
    """A running control plane whose Kueue also counts the devices that pods claim."""
    drivers = {"nvidia-device-plugin": DROP, "nvidia-dra-driver": {}, "efa-device-plugin": DROP, "efa-dra-driver": {}}
    addons = {"kueue": {}, "training-operator": {}, **drivers}
    blueprint = a_blueprint({f"addons.{name}": options for name, options in addons.items()})
    with ControlPlane(jobs=["PyTorchJob", "MPIJob", "TrainJob", "RayJob"], kueue=kueue.configuration(blueprint)) as own:
        yield own


def workload(
    plane: ControlPlane, blueprint: Blueprint, job: dict[str, Any], beside: Sequence[dict[str, Any]] = ()
) -> Workload:
    """The job's Workload, once Kueue has looked at it. There are no nodes: quotas do not depend on them."""
    labelled = {**job, "metadata": {**job["metadata"], "labels": {QUEUE_LABEL: "main"}}}
    with lent(plane):
        pods = JobPods(plane.client, "default")
        create_queues(plane, queue_objects(blueprint))
        create_prerequisites(plane, "default", beside)
        run = JobRun(plane, roles_of(labelled), labelled, pods)
        run.send()
        assert run.refusal is None, run.refusal
        plane.wait_until(lambda: any(each.admitted or each.kept_out for each in run.workloads), "Kueue did not process")
        (found,) = run.workloads
        return found


@settings(max_examples=10)
@given(legal(), st.sampled_from(list(JOBS)), st.data())
def test_a_reference_job_is_admitted_by_the_queue(
    counting_plane: ControlPlane, described: Described, name: str, data: st.DataObject
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
            _with_claim_templates(blueprint, JOBS[name], JobOptions(group, count, beyond_the_group=True))
            for count in (most, most + 1)
        )
    except DoesNotFit:
        assume(False)
    found = workload(counting_plane, blueprint, *fits)
    assert found.admitted, found
    found = workload(counting_plane, blueprint, *does_not)
    assert not found.admitted
    assert found.kept_out is not None
    assert "insufficient quota" in found.kept_out.message


def _with_claim_templates(
    blueprint: Blueprint, job: Job, ask: JobOptions
) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """A job's manifest, and the ResourceClaimTemplates that its pods name."""
    made = make(job, blueprint, ask)
    return made.documents[0], made.claim_templates


@pytest.mark.parametrize("tolerated", [True, False])
def test_a_job_that_tolerates_nothing_is_admitted_where_only_devices_taint_the_nodes(
    kueue_plane: ControlPlane, tolerated: bool
) -> None:
    """EKS would add the toleration to its pods; a taint of the user's own keeps it out."""
    own = {} if tolerated else {"groups.workers.taints": {"team": "NoSchedule"}}
    blueprint = a_blueprint({"addons.kueue": {}, **own})
    container = {"name": "c", "image": "c", "resources": {"limits": {"nvidia.com/gpu": 8}}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
    }
    found = workload(kueue_plane, blueprint, job)
    assert found.admitted is tolerated
    if not tolerated:
        assert found.kept_out is not None
        assert "untolerated taint" in found.kept_out.message
