"""The EFA check: a pod a node, which takes it whole, and a script that counts right."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.kubernetes import Blueprint
from muster.hardware.catalogue import Accelerator
from muster.jobs import efa_check, nccl_tests
from muster.jobs.catalogue import DoesNotFit, JobOptions
from muster.jobs.group_selection import DEVICE_PLUGINS, EFA_PLUGIN
from muster.jobs.worker_set import node_share
from tests.jobs.clusters import WITH_EFA, a_blueprint, a_group, blueprints

EVERY_PLUGIN = (*DEVICE_PLUGINS.values(), EFA_PLUGIN)


def pod(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest["spec"]["template"]["spec"]


def container(manifest: dict[str, Any]) -> dict[str, Any]:
    (only,) = pod(manifest)["containers"]
    return only


@settings(max_examples=40)
@given(blueprints(WITH_EFA, EVERY_PLUGIN))
def test_one_pod_a_node_takes_it_whole(blueprint: Blueprint) -> None:
    """Any machine with EFA: two pods fit on no node, and each asks what the NCCL test's workers do."""
    (group,) = [each for each in blueprint.groups if each.described.purpose == "training"]
    manifest = efa_check.build(blueprint)
    spec = manifest["spec"]
    assert spec["completions"] == spec["parallelism"] == max(1, group.described.nodes.start)
    resources = container(manifest)["resources"]
    assert resources["requests"] == resources["limits"] == node_share(blueprint, group).resources
    devices = {name: number for name, number in group.node.offers.items() if not name.startswith("hugepages")}
    assert {name: resources["limits"][name] for name in devices} == devices
    assert set(resources["limits"]) <= {*group.node.offers, "memory"}


@settings(max_examples=40)
@given(blueprints(WITH_EFA, EVERY_PLUGIN))
def test_it_counts_what_the_node_has(blueprint: Blueprint) -> None:
    """GPUs where there are any, EFA devices everywhere; what is expected follows from the node."""
    (group,) = [each for each in blueprint.groups if each.described.purpose == "training"]
    said = {each["name"]: each.get("value") for each in container(efa_check.build(blueprint))["env"]}
    assert said.pop("EFA_DEVICES") == str(group.node.efa)
    gpus = group.node.hardware.accelerator is Accelerator.GPU
    assert said.pop("GPUS", None) == (str(group.node.hardware.accelerators) if gpus else None)
    assert said == {"NODE": None, "LD_PRELOAD": ""}


@settings(max_examples=40)
@given(blueprints())
def test_it_goes_where_the_nccl_test_goes(blueprint: Blueprint) -> None:
    """One way to say where workers go and what they ask: both jobs say the same."""
    worker = nccl_tests.build(blueprint)["spec"]["mpiReplicaSpecs"]["Worker"]["template"]["spec"]
    checked = pod(efa_check.build(blueprint))
    for key in ("nodeSelector", "tolerations"):
        assert checked.get(key) == worker.get(key)
    assert container(efa_check.build(blueprint))["resources"] == worker["containers"][0]["resources"]


@pytest.mark.parametrize(
    ("instance", "image", "needed"),
    [
        ("p5.48xlarge", "al2023", {"nvidia-device-plugin", "efa-device-plugin"}),
        ("p5.48xlarge", "bottlerocket", {"efa-device-plugin"}),
        ("trn1.32xlarge", "al2023", {"neuron-device-plugin", "efa-device-plugin"}),
        ("c5n.18xlarge", "al2023", {"efa-device-plugin"}),
    ],
)
def test_the_plugins_of_its_own_group_are_needed(instance: str, image: str, needed: set[str]) -> None:
    """And no other: one for EFA, one for the accelerator where there is one and the image lacks it."""
    groups = {"workers": a_group(instance=instance, image=image)}
    with pytest.raises(DoesNotFit) as refused:
        efa_check.build(a_blueprint(groups, addons=()))
    assert {reason.split("'")[1] for reason in refused.value.reasons} == needed
    assert efa_check.build(a_blueprint(groups, tuple(needed)))


def test_the_plugins_are_those_of_the_catalogue() -> None:
    """Each add-on serves the resource that a job needs it for."""
    assert {CATALOGUE[name].serves: name for name in DEVICE_PLUGINS.values()} == DEVICE_PLUGINS
    assert CATALOGUE[EFA_PLUGIN].serves == "vpc.amazonaws.com/efa"


def test_more_nodes_than_there_may_be() -> None:
    """A rehearsal may ask for them."""
    manifest = efa_check.build(a_blueprint(), JobOptions(nodes=99, beyond_the_group=True))
    assert manifest["spec"]["completions"] == manifest["spec"]["parallelism"] == 99


def _block(fabric: str, domain: str) -> str:
    return (
        f"provider: efa\n    fabric: {fabric}\n    domain: {domain}\n    version: 201.0\n"
        "    type: FI_EP_RDM\n    protocol: FI_PROTO_EFA\n"
    )


def _listed(devices: int) -> str:
    """What `fi_info` prints: a block for each device and fabric."""
    return "".join(_block(fabric, f"rdmap{n}s0-rdm") for fabric in ("efa-direct", "efa") for n in range(devices))


def _run(tmp_path: Path, efa: str, gpus: str, **changed: str) -> subprocess.CompletedProcess[str]:
    manifest = efa_check.build(a_blueprint())
    script = container(manifest)["command"][2].replace("/opt/amazon/efa/bin/", f"{tmp_path}/")
    for name, prints in (("fi_info", efa), ("nvidia-smi", gpus)):
        failed = "" if prints else "\nexit 61"
        (tmp_path / name).write_text(f"#!/bin/sh\ncat <<'END'\n{prints}END{failed}\n")
        (tmp_path / name).chmod(0o755)
    env = {each["name"]: each["value"] for each in container(manifest)["env"] if "value" in each}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["/bin/sh", "-c", script],
        env={**env, "PATH": path, "NODE": "node-1", **changed},
        check=False,
        capture_output=True,
        text=True,
    )


GPUS = "".join(f"GPU {n}: NVIDIA H100 80GB HBM3 (UUID: GPU-{n})\n  MIG 1g.10gb Device 0: (UUID)\n" for n in range(8))


@pytest.mark.parametrize(
    ("efa", "gpus", "code", "said"),
    [
        (_listed(32), GPUS, 0, ["EFA devices on node-1: 32 of 32", "GPUs on node-1: 8 of 8"]),
        (_listed(31), GPUS, 1, ["EFA devices on node-1: 31 of 32", "fi_info does not list every EFA device"]),
        ("", GPUS, 1, ["EFA devices on node-1: 0 of 32", "GPUs on node-1: 8 of 8"]),
        (_listed(32), "", 1, ["GPUs on node-1: 0 of 8", "nvidia-smi does not list every GPU"]),
        (_listed(31), "", 1, ["31 of 32", "0 of 8"]),
    ],
)
def test_the_script_counts_devices_and_fails_in_words(
    tmp_path: Path, efa: str, gpus: str, code: int, said: list[str]
) -> None:
    """A device that two fabrics list is one device; both counts are said, whichever is wrong."""
    ran = _run(tmp_path, efa, gpus)
    assert ran.returncode == code
    assert all(each in ran.stdout for each in said)


def test_kubernetes_expands_nothing_in_the_script() -> None:
    """`$(NAME)` and `$$` in a command mean something to Kubernetes, where NAME is a variable of the container."""
    made = container(efa_check.build(a_blueprint()))
    script = made["command"][2]
    assert "$$" not in script
    assert not [each["name"] for each in made["env"] if f"$({each['name']})" in script]
