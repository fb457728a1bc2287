"""Claims for devices, which the real scheduler allocates from the slices of planned nodes, and judges in its words."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.hardware.dra_devices import PCIE_ROOT
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.job_prerequisites import ObjectRejected
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import DROP, a_blueprint
from tests.rehearsal.clusters import GPU_TAINT

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

DRIVERS = {
    "addons.nvidia-device-plugin": DROP,
    "addons.efa-device-plugin": DROP,
    "addons.nvidia-dra-driver": {},
    "addons.efa-dra-driver": {},
}
TWO = {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2}
CLASSES = {"gpu": "gpu.nvidia.com", "efa": "efa.networking.k8s.aws"}
ALIGNED = {"matchAttribute": PCIE_ROOT, "requests": ["gpu", "efa"]}


def a_request(name: str, count: int = 1, selector: str = "") -> dict[str, Any]:
    """A request for devices of the name's class."""
    exactly: dict[str, Any] = {"deviceClassName": CLASSES.get(name, name), "count": count}
    if selector:
        exactly["selectors"] = [{"cel": {"expression": selector}}]
    return {"name": name, "exactly": exactly}


def a_template(name: str, *requests: Mapping[str, Any], constraints: tuple[Any, ...] = ()) -> dict[str, Any]:
    """A template of claims."""
    devices = {"requests": list(requests), **({"constraints": list(constraints)} if constraints else {})}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name},
        "spec": {"spec": {"devices": devices}},
    }


def a_job(*templates: str, pods: int = 1, **resources: Any) -> dict[str, Any]:
    """A batch Job whose pods have a claim of each template."""
    claims = [{"name": each, "resourceClaimTemplateName": each} for each in templates]
    use = {"claims": [{"name": each} for each in templates]} if templates else {}
    pod = {
        "restartPolicy": "Never",
        "tolerations": [GPU_TAINT],
        "containers": [{"name": "c", "image": "c", "resources": {**use, **resources}}],
        **({"resourceClaims": claims} if claims else {}),
    }
    spec = {"parallelism": pods, "completions": pods, "backoffLimit": 6, "template": {"spec": pod}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}


def played(
    job: dict[str, Any], *beside: dict[str, Any], edits: Mapping[str, Any] | None = None, **more: Any
) -> Outcome:
    """A rehearsal on two nodes whose devices the DRA drivers offer."""
    blueprint = a_blueprint({**DRIVERS, **TWO, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job, beside), tuple(beside), **more))


WHOLE = (a_template("gpus", a_request("gpu", 8)), a_template("interfaces", a_request("efa", 32)))


def test_claims_of_whole_nodes() -> None:
    """Each pod has all devices of a node; a new pod has a new claim once the lost node is replaced."""
    outcome = played(a_job("gpus", "interfaces", pods=2), *WHOLE, lost=1)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
    assert {each.amounts[CLASSES["gpu"]].used for each in outcome.nodes if each.group == "workers"} == {8}
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (2, 1, 2)


def test_aligned_devices() -> None:
    """Eight pods with a GPU and the four interfaces of its root fit on a node; the ninth is on the next one."""
    template = a_template("aligned", a_request("gpu"), a_request("efa", 4), constraints=(ALIGNED,))
    outcome = played(a_job("aligned", pods=16), template)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 16)


@pytest.mark.parametrize(
    ("pods", "template", "running"),
    [
        (3, WHOLE[0], 2),
        (1, a_template("gpus", a_request("gpu", 16)), 0),
        (1, a_template("gpus", a_request("gpu", 2), a_request("efa", 4), constraints=(ALIGNED,)), 0),
        (1, a_template("gpus", a_request("gpu", 1, "device.attributes['gpu.nvidia.com'].colour == 'green'")), 0),
        (1, a_template("gpus", {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.con"}}), 0),
    ],
    ids=["more pods than nodes", "more than a node has", "not on one root", "no such attribute", "no such class"],
)
def test_what_cannot_be_allocated_is_told_in_the_schedulers_words(
    pods: int, template: dict[str, Any], running: int
) -> None:
    outcome = played(a_job("gpus", pods=pods), template)
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, running)
    (waiting,) = outcome.waiting
    assert (waiting.cause.id, bool(waiting.reason)) == ("scheduler-says", True)


def test_a_claim_that_is_not_in_the_file() -> None:
    """The job is not sent: its pods would wait without a word."""
    outcome = played(a_job("gpus"))
    assert (outcome.verdict, [each.cause.id for each in outcome.waiting]) == (Verdict.DOES_NOT_START, ["claim-missing"])


@pytest.mark.parametrize(
    ("edits", "template", "words"),
    [
        (
            {},
            a_template(
                "gpus",
                a_request(
                    "gpu", 8, "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('999.0.0'))"
                ),
            ),
            "driverVersion",
        ),
        (
            {"groups.workers.instance": "p5en.48xlarge"},
            a_template("gpus", a_request("gpu", 2), a_request("efa", 16), constraints=(ALIGNED,)),
            PCIE_ROOT,
        ),
    ],
)
def test_what_no_source_states_is_not_rehearsed(edits: dict[str, Any], template: dict[str, Any], words: str) -> None:
    """Neither that a node meets it is known, nor that none does."""
    with pytest.raises(ObjectRejected, match=words) as refused:
        played(a_job("gpus"), template, edits=edits)
    assert (refused.value.kind, refused.value.name) == ("ResourceClaimTemplate", "gpus")


@pytest.mark.parametrize(("version", "running"), [("1.35", 0), ("1.36", 2)])
def test_requests_that_a_newer_kubernetes_allocates_from_the_driver(version: str, running: int) -> None:
    """From 1.36 on, pods may request nvidia.com/gpu on nodes with NVIDIA's driver: its DeviceClass names it."""
    outcome = played(a_job(pods=2, limits={"nvidia.com/gpu": 8}), edits={"kubernetes": version})
    assert outcome.running == running


def test_drivers_on_a_version_without_claims() -> None:
    """The error has the version to set, instead of what the API server lacks."""
    with pytest.raises(RehearsalError, match=r"which Kubernetes 1.33 does not serve; set kubernetes to 1.34"):
        played(a_job("gpus"), WHOLE[0], edits={"kubernetes": "1.33"})


def test_a_template_that_the_api_server_rejects() -> None:
    """Also if the rehearsal leaves out the part that is wrong."""
    selector = "device.attributes['gpu.nvidia.com'].productName = 'NVIDIA H100'"
    with pytest.raises(ObjectRejected) as refused:
        played(a_job("gpus"), a_template("gpus", a_request("gpu", 1, selector)))
    assert (refused.value.kind, refused.value.name) == ("ResourceClaimTemplate", "gpus")
