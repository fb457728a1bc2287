"""Claims for devices, which the real scheduler allocates from the slices of planned nodes, and judges in its words."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.hardware.dra_devices import PCIE_ROOT
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.job_prerequisites import ObjectRejected
from muster.rehearsal.kubernetes.resource_claims import claim_references, missing_claims_cause, of_compute_domains
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import DROP
from tests.rehearsal.clusters import GPU_TAINT, a_gpu_job, causes, played

real = pytest.mark.rehearsal
shared = pytest.mark.usefixtures("shared_plane")

DRIVERS = {
    "addons.nvidia-device-plugin": DROP,
    "addons.efa-device-plugin": DROP,
    "addons.nvidia-dra-driver": {},
    "addons.efa-dra-driver": {},
}
CLASSES = {"gpu": "gpu.nvidia.com", "efa": "efa.networking.k8s.aws"}
ALIGNED = {"matchAttribute": PCIE_ROOT, "requests": ["gpu", "efa"]}


def a_request(name: str, count: int = 1, selector: str = "") -> dict[str, Any]:
    """A request for devices of the name's class."""
    exactly: dict[str, Any] = {"deviceClassName": CLASSES.get(name, name), "count": count}
    if selector:
        exactly["selectors"] = [{"cel": {"expression": f"device.attributes['gpu.nvidia.com'].{selector}"}}]
    return {"name": name.partition(".")[0], "exactly": exactly}


def a_template(*requests: Mapping[str, Any], constraints: tuple[Any, ...] = (), name: str = "gpus") -> dict[str, Any]:
    """A template of claims."""
    devices = {"requests": list(requests), **({"constraints": list(constraints)} if constraints else {})}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name},
        "spec": {"spec": {"devices": devices}},
    }


def a_job(*templates: str, pods: int = 1) -> dict[str, Any]:
    """A Job whose pods have a claim of each template."""
    job = a_gpu_job(pods, tolerations=[GPU_TAINT])
    pod = job["spec"]["template"]["spec"]
    pod["containers"][0]["resources"] = {"claims": [{"name": each} for each in templates]}
    pod["resourceClaims"] = [{"name": each, "resourceClaimTemplateName": each} for each in templates]
    return job


def rehearsed(
    job: dict[str, Any], *beside: dict[str, Any], edits: Mapping[str, Any] | None = None, **more: Any
) -> Outcome:
    """A rehearsal on two nodes whose devices the DRA drivers offer."""
    return played(job, {**DRIVERS, **(edits or {})}, *beside, nodes=2, **more)


GPUS = a_template(a_request("gpu", 8))


@real
@shared
def test_claims_of_whole_nodes() -> None:
    """Each pod has all devices of a node; a new pod has a new claim once the lost node is replaced."""
    interfaces = a_template(a_request("efa", 32), name="interfaces")
    outcome = rehearsed(a_job("gpus", "interfaces", pods=2), GPUS, interfaces, lost=1)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
    assert {each.amounts[CLASSES["gpu"]].used for each in outcome.nodes if each.group == "workers"} == {8}
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (2, 1, 2)


@real
@shared
def test_aligned_devices() -> None:
    """Eight pods with a GPU and the four interfaces of its root fit on a node; the ninth is on the next one."""
    template = a_template(a_request("gpu"), a_request("efa", 4), constraints=(ALIGNED,))
    outcome = rehearsed(a_job("gpus", pods=16), template)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 16)


@real
@shared
@pytest.mark.parametrize(
    ("pods", "template", "running"),
    [
        (3, GPUS, 2),
        (1, a_template(a_request("gpu", 2), a_request("efa", 4), constraints=(ALIGNED,)), 0),
        (1, a_template(a_request("gpu", 1, "colour == 'green'")), 0),
        (1, a_template(a_request("gpu.nvidia.con")), 0),
    ],
    ids=["more pods than nodes", "not on one root", "no such attribute", "no such class"],
)
def test_what_cannot_be_allocated_is_told_in_the_schedulers_words(
    pods: int, template: dict[str, Any], running: int
) -> None:
    outcome = rehearsed(a_job("gpus", pods=pods), template)
    assert (outcome.running, causes(outcome)) == (running, ["scheduler-says"])
    assert outcome.waiting[0].reason


@real
@shared
@pytest.mark.parametrize(
    ("edits", "template", "words"),
    [
        ({}, a_template(a_request("gpu", 8, "driverVersion.isGreaterThan(semver('999.0.0'))")), "driverVersion"),
        (
            {"groups.workers.instance": "p5en.48xlarge"},
            a_template(a_request("gpu", 2), a_request("efa", 16), constraints=(ALIGNED,)),
            PCIE_ROOT,
        ),
        ({}, a_template(a_request("gpu", 1, "type = 'gpu'")), "rejects it"),
    ],
    ids=["a version", "a root", "the API server rejects it"],
)
def test_a_template_that_cannot_be_judged_is_named(edits: dict[str, Any], template: dict[str, Any], words: str) -> None:
    """Where no source states what it requires, neither that a node meets it is known, nor that none does."""
    with pytest.raises(ObjectRejected, match=words) as refused:
        rehearsed(a_job("gpus"), template, edits=edits)
    assert (refused.value.kind, refused.value.name) == ("ResourceClaimTemplate", "gpus")


@real
@shared
@pytest.mark.parametrize(("version", "running"), [("1.35", 0), ("1.36", 2)])
def test_requests_that_a_newer_kubernetes_allocates_from_the_driver(version: str, running: int) -> None:
    """From 1.36 on, pods may request nvidia.com/gpu on nodes with NVIDIA's driver: its DeviceClass names it."""
    assert rehearsed(a_gpu_job(2, tolerations=[GPU_TAINT]), edits={"kubernetes": version}).running == running


@real
def test_drivers_on_a_version_without_claims() -> None:
    """The error has the version to set, instead of what the API server lacks."""
    with pytest.raises(RehearsalError, match=r"which Kubernetes 1.33 does not serve; set kubernetes to 1.34"):
        rehearsed(a_job("gpus"), GPUS, edits={"kubernetes": "1.33"})


def test_claims_that_are_not_in_the_file() -> None:
    """The job is not sent: its pods would wait without a word. Kubernetes looks in the pod's namespace alone. What
    NVIDIA's driver makes for a ComputeDomain requests nothing here; the claims of GPUs in the file stay."""
    job, channel = a_job("gpus", "channel"), {"resourceClaimTemplate": {"name": "channel"}}
    job["spec"]["template"]["spec"]["resourceClaims"].append({"name": "b", "resourceClaimName": "shared"})
    domain = {"kind": "ComputeDomain", "metadata": {"name": "d"}, "spec": {"channel": channel}}
    shared = {**GPUS, "kind": "ResourceClaim", "metadata": {"name": "shared", "namespace": "team"}}
    given = [domain, GPUS, shared]
    cause = missing_claims_cause(claim_references(roles_of(job)), given)
    assert cause is not None
    assert cause.id == "claim-missing"
    assert "'shared' in namespace 'default'" in cause.said
    assert "'gpus'" not in cause.said
    there = [{**each, "metadata": {**each["metadata"], "namespace": "team"}} for each in given]
    job["metadata"]["namespace"] = "team"
    assert missing_claims_cause(claim_references(roles_of(job)), there) is None
    (found,) = of_compute_domains(given)
    assert (found["metadata"]["name"], found["spec"]) == ("channel", {"spec": {}})
