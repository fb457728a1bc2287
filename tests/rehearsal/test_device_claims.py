"""Claims for devices, which the real scheduler allocates from the slices of planned nodes."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.hardware.dra_devices import PCIE_ROOT
from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes.drills import Loss
from muster.rehearsal.kubernetes.job_prerequisites import ObjectRejected
from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest, rehearse
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


def a_request(name: str, count: int | None = 1, selector: str = "") -> dict[str, Any]:
    """A request for devices of the name's class; None: all."""
    exactly: dict[str, Any] = {"deviceClassName": CLASSES.get(name, name)}
    exactly |= {"allocationMode": "All"} if count is None else {"count": count}
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


def said(outcome: Outcome) -> dict[str, str]:
    """The causes: id -> text."""
    return {each.cause.id: f"{each.cause.said}; {each.cause.remedy}" for each in outcome.waiting}


WHOLE = (a_template("gpus", a_request("gpu", 8)), a_template("interfaces", a_request("efa", 32)))


def test_claims_of_whole_nodes() -> None:
    """Each pod has all devices of a node, and the report shows them."""
    outcome = played(a_job("gpus", "interfaces", pods=2), *WHOLE)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
    assert [dict(each.asks) for each in outcome.pods] == [{CLASSES["gpu"]: 8, CLASSES["efa"]: 32}] * 2
    assert {each.amounts[CLASSES["gpu"]].used for each in outcome.nodes if each.group == "workers"} == {8}
    assert not {each.name for each in outcome.simulated_parts if "ResourceClaimTemplate" in each.name}


def test_more_pods_than_nodes() -> None:
    """Two run, and the third waits for devices that the others have."""
    outcome = played(a_job("gpus", pods=3), *WHOLE)
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, 2)
    assert set(said(outcome)) == {"nodes-full"}
    assert "room for 2 such pods, but the job has 3" in said(outcome)["nodes-full"]


def test_the_other_jobs_claim() -> None:
    """A claim of its own in the file has the devices of a node."""
    claim = {**a_template("gpus", a_request("gpu", 8)), "kind": "ResourceClaim", "metadata": {"name": "shared"}}
    claim["spec"] = claim["spec"]["spec"]
    job = a_job("gpus", pods=2)
    pod = job["spec"]["template"]["spec"]
    pod["resourceClaims"] = [{"name": "gpus", "resourceClaimName": "shared"}]
    outcome = played(job, claim)
    assert (outcome.verdict, len({each.node for each in outcome.pods})) == (Verdict.STARTS, 1)


def test_two_jobs_that_want_the_same_devices() -> None:
    """The first one has them; the second one waits beside it."""
    first = a_job("gpus", pods=2)
    first["metadata"]["name"] = "first"
    outcome = played(a_job("gpus"), *WHOLE, first)
    assert (outcome.verdict, set(said(outcome))) == (Verdict.DOES_NOT_START, {"nodes-full"})
    assert "too little gpu.nvidia.com left beside the running pods" in said(outcome)["nodes-full"]


def test_a_claim_of_more_than_a_node_has() -> None:
    """With the number of a node."""
    outcome = played(a_job("gpus"), a_template("gpus", a_request("gpu", 16)))
    assert set(said(outcome)) == {"more-than-a-node-has"}
    assert "16 gpu.nvidia.com" in said(outcome)["more-than-a-node-has"]


def test_aligned_devices() -> None:
    """Eight pods with a GPU and the four interfaces of its root fit on a node; the ninth is on the next one."""
    template = a_template("aligned", a_request("gpu"), a_request("efa", 4), constraints=(ALIGNED,))
    outcome = played(a_job("aligned", pods=16), template)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 16)


def test_devices_that_no_node_has_on_one_root() -> None:
    """What a root has is in the text."""
    template = a_template("aligned", a_request("gpu", 2), a_request("efa", 4), constraints=(ALIGNED,))
    text = said(played(a_job("aligned"), template))
    assert set(text) == {"devices-not-aligned"}
    assert "at most 1 of 'gpu' and 4 of 'efa'" in text["devices-not-aligned"]


def test_all_interfaces_of_a_root_are_not_all_interfaces() -> None:
    """The scheduler counts every interface of the node, and a claim has at most 32 devices."""
    template = a_template("aligned", a_request("gpu"), a_request("efa", None), constraints=(ALIGNED,))
    text = said(played(a_job("aligned"), template))
    assert set(text) == {"claim-too-large"}
    assert "requests 33 devices" in text["claim-too-large"]


def test_a_selector_that_nothing_matches() -> None:
    """The selector is in the text, and how many devices match."""
    selector = "device.attributes['gpu.nvidia.com'].architecture == 'Blackwell'"
    text = said(played(a_job("gpus"), a_template("gpus", a_request("gpu", 1, selector))))
    assert set(text) == {"too-few-devices-match"}
    assert selector in text["too-few-devices-match"]
    assert "on 2 nodes of 'workers' none match" in text["too-few-devices-match"]


def test_what_no_source_states_is_not_evaluated() -> None:
    """The driver's version depends on the image; the rest of the claim is allocated."""
    selector = "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('999.0.0'))"
    outcome = played(a_job("gpus"), a_template("gpus", a_request("gpu", 8, selector)))
    assert outcome.verdict is Verdict.STARTS
    (part,) = (each for each in outcome.simulated_parts if each.name == "ResourceClaimTemplate gpus")
    assert "driverVersion" in part.simulated_by


def test_a_selector_of_an_attribute_that_does_not_exist() -> None:
    """In the scheduler's words."""
    selector = "device.attributes['gpu.nvidia.com'].colour == 'green'"
    text = said(played(a_job("gpus"), a_template("gpus", a_request("gpu", 1, selector))))
    assert set(text) == {"claim-selector"}
    assert "no such key: colour" in text["claim-selector"]


def test_the_resource_of_a_plugin_where_drivers_run() -> None:
    """What to write instead."""
    text = said(played(a_job(limits={"nvidia.com/gpu": 8})))
    assert set(text) == {"devices-are-claimed"}
    assert "deviceClassName gpu.nvidia.com and count 8" in text["devices-are-claimed"]


def test_a_claim_where_a_plugin_runs() -> None:
    """What to write instead, or which add-on."""
    plugins = {"addons.nvidia-device-plugin": {}, "addons.nvidia-dra-driver": DROP}
    text = said(played(a_job("gpus"), WHOLE[0], edits=plugins))
    assert set(text) == {"device-class-missing"}
    assert "request nvidia.com/gpu in the container's resources.limits" in text["device-class-missing"]


def test_a_class_that_nothing_creates() -> None:
    """With the near miss."""
    text = said(
        played(a_job("gpus"), a_template("gpus", {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.con"}}))
    )
    assert set(text) == {"device-class-missing"}
    assert "gpu.nvidia.com" in text["device-class-missing"]


def test_devices_come_free_when_a_node_is_lost() -> None:
    """The new pod has a new claim, and waits for a node."""
    outcome = played(a_job("gpus", pods=2), *WHOLE, losses=(Loss(nodes=1),))
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (2, 1, 2)
    assert {each.cause.id for each in drill.waiting} == {"node-lost"}


def test_kueue_needs_to_know_what_a_class_counts_as() -> None:
    """The session's Kueue maps no classes: its configuration is that of a cluster with plugins."""
    job = a_job("gpus")
    job["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "main"}
    job["spec"]["suspend"] = True
    text = said(played(job, WHOLE[0], edits={"addons.kueue": {}}))
    assert set(text) == {"queue-claims"}
    assert "deviceClassMappings" in text["queue-claims"]


def test_volcanos_scheduler_allocates_claims() -> None:
    """Each pod of a gang has the devices of a node."""
    job = a_job("gpus")
    pod = {**job["spec"]["template"]["spec"], "restartPolicy": "Never"}
    tasks = [{"name": "worker", "replicas": 2, "template": {"spec": pod}}]
    document = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"schedulerName": "volcano", "minAvailable": 2, "tasks": tasks},
    }
    outcome = played(document, WHOLE[0], edits={"addons.volcano": {}})
    assert (outcome.verdict, len({each.node for each in outcome.pods})) == (Verdict.STARTS, 2)
    assert {each.amounts[CLASSES["gpu"]].used for each in outcome.nodes if each.group == "workers"} == {8}


P4D = {"groups.workers.instance": "p4d.24xlarge"}


def test_a_node_whose_slices_are_published() -> None:
    """The example of DRANET: the product's name is known, and two GPUs share a root with one interface."""
    selector = "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA A100-SXM4-40GB'"
    template = a_template("aligned", a_request("gpu", 2, selector), a_request("efa"), constraints=(ALIGNED,))
    outcome = played(a_job("aligned", pods=8), template, edits=P4D)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 8)
    assert not [each for each in outcome.simulated_parts if each.name == "ResourceClaimTemplate aligned"]


def test_all_interfaces_on_one_root() -> None:
    """A node has four interfaces on four roots: the remedy is a number."""
    template = a_template("aligned", a_request("gpu"), a_request("efa", None), constraints=(ALIGNED,))
    text = said(played(a_job("aligned"), template, edits=P4D))
    assert set(text) == {"devices-not-aligned"}
    assert "set count in request 'efa'" in text["devices-not-aligned"]


def test_a_type_whose_roots_no_source_states() -> None:
    """The constraint is not evaluated; the numbers are."""
    template = a_template("aligned", a_request("gpu", 2), a_request("efa", 16), constraints=(ALIGNED,))
    outcome = played(a_job("aligned"), template, edits={"groups.workers.instance": "p5en.48xlarge"})
    assert outcome.verdict is Verdict.STARTS
    (part,) = (each for each in outcome.simulated_parts if each.name == "ResourceClaimTemplate aligned")
    assert PCIE_ROOT in part.simulated_by


@pytest.mark.parametrize(("pods", "ids"), [(2, set()), (3, {"nodes-full"})])
def test_requests_that_a_newer_kubernetes_allocates_from_the_driver(pods: int, ids: set[str]) -> None:
    """From 1.36 on, pods may request nvidia.com/gpu on nodes with NVIDIA's driver: its DeviceClass names it."""
    outcome = played(a_job(pods=pods, limits={"nvidia.com/gpu": 8}), edits={"kubernetes": "1.36"})
    assert (set(said(outcome)), outcome.running) == (ids, 2)
    assert {each.amounts[CLASSES["gpu"]].used for each in outcome.nodes if each.group == "workers"} == {8}


def test_drivers_on_a_version_without_claims() -> None:
    """The error has the version to set, instead of what the API server lacks."""
    with pytest.raises(RehearsalError, match=r"which Kubernetes 1.33 does not serve; set kubernetes to 1.34"):
        played(a_job("gpus"), WHOLE[0], edits={"kubernetes": "1.33"})


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (a_request("gpu", 1, "device.attributes['gpu.nvidia.com'].productName = 'NVIDIA H100'"), "Syntax error"),
        ({"name": "gpu", "deviceClassName": CLASSES["gpu"], "count": 8}, "below `exactly:`"),
    ],
)
def test_a_template_that_the_api_server_rejects(request_: dict[str, Any], words: str) -> None:
    """Also if the rehearsal leaves out the part that is wrong."""
    with pytest.raises(ObjectRejected) as refused:
        played(a_job("gpus"), a_template("gpus", request_))
    assert words in str(refused.value)
    assert (refused.value.kind, refused.value.name) == ("ResourceClaimTemplate", "gpus")


def test_a_claim_that_no_container_uses() -> None:
    """Its pod starts, and the note says that no container gets the devices."""
    job = a_job("gpus")
    job["spec"]["template"]["spec"]["containers"][0].pop("resources")
    outcome = played(job, a_template("gpus", a_request("gpu", 8)))
    assert outcome.verdict is Verdict.STARTS
    assert any("no container of 'worker' uses the claim 'gpus'" in each for each in outcome.notes)
