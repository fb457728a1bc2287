"""The claims of Muster's jobs on groups whose devices DRA drivers offer."""

from typing import Any

import pytest

from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.node import EFA_RESOURCE
from muster.hardware.dra_devices import PCIE_ROOT
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, claim_templates
from muster.jobs.device_claims import DeviceClaim, device_claims
from tests.factories import DROP, a_blueprint
from tests.jobs.clusters import SCRATCH, a_group, a_system_group

OPERATORS = {f"addons.{name}": {} for name in ("mpi-operator", "training-operator", "jobset", "trainer")}
GPU_DRIVER = {"addons.nvidia-device-plugin": DROP, "addons.nvidia-dra-driver": {}}
EFA_DRIVER = {"addons.efa-device-plugin": DROP, "addons.efa-dra-driver": {}}
CLASS = {GPU: "gpu.nvidia.com", EFA_RESOURCE: "efa.networking.k8s.aws"}


def a_cluster(**edits: Any) -> Blueprint:
    """The default cluster with both drivers, and every operator."""
    return a_blueprint({**OPERATORS, **GPU_DRIVER, **EFA_DRIVER, **edits})


def pods(document: Any) -> list[dict[str, Any]]:
    """The pod specs of workers in a document: those with claims or devices."""
    found = []
    waiting = [document]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if "containers" in here:
                found.append(here)
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here
    return found


def requested(templates: tuple[dict[str, Any], ...], pod: dict[str, Any]) -> dict[str, int]:
    """DeviceClass -> the number of devices of all claims of a pod."""
    by_name = {each["metadata"]["name"]: each["spec"]["spec"]["devices"]["requests"] for each in templates}
    total: dict[str, int] = {}
    for claim in pod["resourceClaims"]:
        for request in by_name[claim["resourceClaimTemplateName"]]:
            exactly = request["exactly"]
            total[exactly["deviceClassName"]] = total.get(exactly["deviceClassName"], 0) + exactly["count"]
    return total


FORMS = [
    (name, form)
    for name in ("nccl-tests", "pytorch-fsdp", "efa-check")
    for form in ("", *(each for each in JOBS[name].forms if each in {"jobset", "trainjob"}))
]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_workers_claim_their_devices(name: str, form: str) -> None:
    """In every format: all devices of a node, in claims with at most 32 devices, and no extended resource."""
    cluster, job, ask = a_cluster(), JOBS[name], JobOptions()
    made = job.forms[form].make(cluster, ask) if form else job.build(cluster, ask)
    documents = made if isinstance(made, list) else [made]
    templates = claim_templates(job, cluster, ask, documents[0])
    (worker,) = (each for each in pods(documents) if "resourceClaims" in each)
    (container,) = worker["containers"]
    assert requested(templates, worker) == {CLASS[GPU]: 8, CLASS[EFA_RESOURCE]: 32}
    assert {each["name"] for each in container["resources"]["claims"]} == {
        each["name"] for each in worker["resourceClaims"]
    }
    assert not {GPU, EFA_RESOURCE} & container["resources"]["limits"].keys()
    for each in templates:
        assert sum(one["exactly"]["count"] for one in each["spec"]["spec"]["devices"]["requests"]) <= 32
        assert each["metadata"]["name"].startswith(name)
        assert each["metadata"].get("namespace") == documents[0]["metadata"].get("namespace")


@pytest.mark.parametrize(
    ("driver", "claimed", "limited"), [(GPU_DRIVER, GPU, EFA_RESOURCE), (EFA_DRIVER, EFA_RESOURCE, GPU)]
)
def test_one_driver_beside_a_plugin(driver: dict[str, Any], claimed: str, limited: str) -> None:
    """Only its devices are claimed; the others are requested from the plugin."""
    cluster = a_blueprint({**OPERATORS, **driver})
    manifest = JOBS["efa-check"].build(cluster, JobOptions())
    (pod,) = pods(manifest)
    templates = claim_templates(JOBS["efa-check"], cluster, JobOptions(), manifest)
    assert set(requested(templates, pod)) == {CLASS[claimed]}
    limits = pod["containers"][0]["resources"]["limits"]
    assert limited in limits
    assert claimed not in limits


def test_no_claims_where_plugins_run() -> None:
    """The manifests stay as they were."""
    cluster = a_blueprint(OPERATORS)
    manifest = JOBS["nccl-tests"].build(cluster, JobOptions())
    assert claim_templates(JOBS["nccl-tests"], cluster, JobOptions(), manifest) == ()
    assert not [each for each in pods(manifest) if "resourceClaims" in each]


@pytest.mark.parametrize("gpus", [1, 3, 7])
def test_a_part_of_a_node_is_aligned(gpus: int) -> None:
    """One claim for each GPU of a p5, with the four interfaces of its root."""
    share = device_claims(a_cluster().group("workers").node, gpus, 4 * gpus)
    assert share == (DeviceClaim({GPU: 1, EFA_RESOURCE: 4}, gpus, aligned=True),)
    job, ask = JOBS["efa-check"], JobOptions(devices=gpus)
    (template,) = claim_templates(job, a_cluster(), ask, job.build(a_cluster(), ask))
    (constraint,) = template["spec"]["spec"]["devices"]["constraints"]
    assert constraint == {"requests": ["gpu", "efa"], "matchAttribute": PCIE_ROOT}


def test_a_share_that_no_root_has_is_not_aligned() -> None:
    """With a note; and where no source states the roots, a note says so."""
    job, ask = JOBS["efa-check"], JobOptions(devices=2, efa=2)
    templates = claim_templates(job, a_cluster(), ask, job.build(a_cluster(), ask))
    assert [each["metadata"]["name"] for each in templates] == ["efa-check-gpu", "efa-check-efa"]
    assert any("1 GPU and 4 EFA share a root" in each for each in job.notes(a_cluster(), ask))
    other = a_cluster(**{"groups.workers.instance": "p5en.48xlarge"})
    assert any("no source states" in each for each in job.notes(other, JobOptions(devices=2)))


def test_formats_that_cannot_express_claims() -> None:
    """TorchX and the HyperPod CLI are refused with the format that works; the manifest claims the interfaces."""
    groups = {"system": a_system_group(), "workers": a_group(instance="trn1.32xlarge")}
    addons = {name: {} for name in ("neuron-device-plugin", "efa-dra-driver", "volcano", "fsx-csi-driver")}
    cluster = a_blueprint({"groups": groups, "addons": addons, "storage": SCRATCH, "registry": {}})
    with pytest.raises(DoesNotFit, match="TorchX cannot express claims for devices"):
        JOBS["trn1-pretrain"].forms["torchx"].make(cluster, JobOptions())
    manifest = JOBS["trn1-pretrain"].build(cluster, JobOptions())
    (pod,) = pods(manifest)
    assert requested(claim_templates(JOBS["trn1-pretrain"], cluster, JobOptions(), manifest), pod) == {
        CLASS[EFA_RESOURCE]: 8
    }
    assert pod["containers"][0]["resources"]["limits"]["aws.amazon.com/neuron"] == 16
