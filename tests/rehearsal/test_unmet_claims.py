"""Why no node can satisfy a claim, from the devices that match its requests."""

from typing import Any

import pytest

from muster.hardware.dra_devices import PCIE_ROOT
from muster.rehearsal.kubernetes.causes.device_claims import Matching, allocation_fault, unmet_claim
from muster.rehearsal.kubernetes.cluster_snapshot import LiveNode
from muster.rehearsal.kubernetes.resource_claims import (
    ClaimSpec,
    Constraint,
    Request,
    Unstated,
    claim_references,
    missing_claims_cause,
)
from tests.jobs.documents import a_batch_job, a_container, a_template

GPU, EFA = "gpu.nvidia.com", "efa.networking.k8s.aws"


def a_node(gpus: int = 2, efa: int = 4, used: int = 0, *, attributes: bool = True) -> Matching:
    """A node with two roots; the first GPUs are in use."""
    devices = {
        "gpu": [f"gpu/node/{number}" for number in range(gpus)],
        "efa": [f"efa/node/{number}" for number in range(efa)],
    }
    roots = {
        each: {PCIE_ROOT: str(number * 2 // len(listed))} if attributes else {}
        for listed in devices.values()
        for number, each in enumerate(listed)
    }
    node = LiveNode("workers-0", "workers", "p5.48xlarge", {}, (), {})
    by_request = {name: frozenset(listed) for name, listed in devices.items()}
    return Matching(node, by_request, frozenset(devices["gpu"][:used]), roots)


def unmet(gpus: int | None, efa: int | None = None, node: Matching | None = None, *, aligned: bool = False) -> str:
    """The id of the cause; empty if the node can satisfy the claim."""
    requests = [Request("gpu", GPU, gpus), *([] if efa is None else [Request("efa", EFA, efa or None)])]
    constraints = (Constraint(PCIE_ROOT, ("gpu", "efa")),) if aligned else ()
    found = unmet_claim("ResourceClaimTemplate t", ClaimSpec(tuple(requests), constraints), [node or a_node()])
    return found.id if found else ""


@pytest.mark.parametrize(
    ("id_", "arguments"),
    [
        ("", {"gpus": 2}),
        ("", {"gpus": 1, "efa": 2, "aligned": True}),
        ("", {"gpus": 2, "efa": 4}),
        ("too-few-devices-match", {"gpus": 3}),
        ("devices-not-aligned", {"gpus": 2, "efa": 2, "aligned": True}),
        ("devices-not-aligned", {"gpus": 1, "efa": 0, "aligned": True}),
        ("devices-in-use", {"gpus": 2, "node": a_node(used=1)}),
        ("devices-in-use", {"gpus": 1, "efa": 2, "aligned": True, "node": a_node(used=2)}),
        ("attribute-missing", {"gpus": 1, "efa": 2, "aligned": True, "node": a_node(attributes=False)}),
    ],
)
def test_causes(id_: str, arguments: dict[str, Any]) -> None:
    """The first reason that holds: too few match, none are aligned, others have them. (0 EFA: all of them.)"""
    assert unmet(**arguments) == id_


def test_alternatives() -> None:
    """One that a node has is enough."""
    alternatives = [Request("big", GPU, 16, alternative_of="gpu"), Request("gpu", GPU, 1, alternative_of="gpu")]
    node = a_node()
    devices = {**node.devices, "big": node.devices["gpu"]}
    matching = [Matching(node.node, devices, node.used, node.attributes)]
    assert unmet_claim("t", ClaimSpec(tuple(alternatives)), matching) is None
    cause = unmet_claim("t", ClaimSpec((alternatives[0],)), matching)
    assert cause is not None
    assert "no alternative of request 'gpu'" in cause.said


def test_the_schedulers_words() -> None:
    """Of claims that it cannot evaluate."""
    large = allocation_fault("claim default/a: number of requested devices 40 exceeds the claim limit of 32")
    wrong = allocation_fault("claim default/a: selector #0: CEL runtime error: no such key: colour")
    assert large is not None
    assert wrong is not None
    assert (large.id, wrong.id) == ("claim-too-large", "claim-selector")
    assert allocation_fault("0/3 nodes are available: 3 cannot allocate all claims.") is None


def test_requirements_on_what_no_source_states() -> None:
    """They are left out, and the others stay."""
    unstated = Unstated({GPU: frozenset({"productName", PCIE_ROOT, "memory"})})
    kept = {"cel": {"expression": f"device.attributes['{GPU}'].architecture == 'Hopper'"}}
    gone = {"cel": {"expression": f"device.attributes['{GPU}'].productName == 'x'"}}
    elsewhere = {"cel": {"expression": "device.attributes['other.example.com'].productName == 'x'"}}
    requests = [{"name": "gpu", "exactly": {"deviceClassName": GPU, "selectors": [kept, gone, elsewhere]}}]
    constraints = [{"matchAttribute": PCIE_ROOT}, {"matchAttribute": "example.com/other"}]
    document = {"spec": {"devices": {"requests": requests, "constraints": constraints}}}
    sent, names = unstated.left_out_of(document)
    devices = sent["spec"]["devices"]
    assert devices["requests"][0]["exactly"]["selectors"] == [kept, elsewhere]
    assert devices["constraints"] == [{"matchAttribute": "example.com/other"}]
    assert set(names) == {"productName", PCIE_ROOT}


def test_a_template_of_a_version_that_is_not_served() -> None:
    """The remedy has the version to write."""
    container = a_container(resources={"claims": [{"name": "a"}]})
    claims = [{"name": "a", "resourceClaimTemplateName": "gpus"}]
    job = a_batch_job(template=a_template(containers=[container], resourceClaims=claims))
    old = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaimTemplate", "metadata": {"name": "gpus"}}
    cause = missing_claims_cause(claim_references([job]), [old])
    assert cause is not None
    assert "resource.k8s.io/v1beta1" in cause.said
    assert "apiVersion: resource.k8s.io/v1," in cause.remedy
