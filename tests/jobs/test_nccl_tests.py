"""The NCCL test: AWS's manifest, with the cluster's numbers."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from muster.blueprint import labels
from muster.blueprint.kubernetes import Blueprint
from muster.jobs import nccl_tests
from muster.jobs.catalogue import DoesNotFit, JobOptions
from muster.jobs.manifest_yaml import to_yaml
from muster.size import Size
from tests.jobs.clusters import a_blueprint, a_group, a_system_group, blueprints

ENVIRONMENT = {
    "PATH": "$PATH:/opt/amazon/efa/bin:/usr/bin",
    "LD_LIBRARY_PATH": "/opt/amazon/openmpi/lib:/opt/nccl/build/lib:/opt/amazon/efa/lib:/opt/amazon/ofi-nccl/lib:"
    "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu:/usr/local/nvidia/lib:$LD_LIBRARY_PATH",
}
COMMAND = (
    "/opt/amazon/openmpi/bin/mpirun --allow-run-as-root --tag-output -np 16 -N 8 --bind-to none -x PATH "
    "-x LD_LIBRARY_PATH -x NCCL_DEBUG=INFO "
    "/opt/nccl-tests/build/all_reduce_perf -b 8 -e 16G -f 2 -g 1 -c 1 -n 100"
)
"""awslabs/awsome-distributed-ai, `micro-benchmarks/nccl-tests/kubernetes/nccl-tests.yaml`, without the two variables of
older software, and with both folders of aws-ofi-nccl."""

FEW = settings(max_examples=50)

DNS_LABEL = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")


def replica(manifest: dict[str, Any], kind: str) -> dict[str, Any]:
    return manifest["spec"]["mpiReplicaSpecs"][kind]


def pod(manifest: dict[str, Any], kind: str) -> dict[str, Any]:
    return replica(manifest, kind)["template"]["spec"]


def container(manifest: dict[str, Any], kind: str) -> dict[str, Any]:
    (only,) = pod(manifest, kind)["containers"]
    return only


def worker_group(blueprint: Blueprint) -> Any:
    (only,) = [group for group in blueprint.groups if group.described.purpose == "training"]
    return only


def mib(amount: str) -> int:
    return Size.parse(amount).mib


def test_a_rehearsal_may_ask_for_more_nodes_than_there_may_be() -> None:
    """The scheduler is then asked, and says what lacks; whoever prints a job is refused."""
    manifest = nccl_tests.build(a_blueprint(), JobOptions(nodes=99, beyond_the_group=True))
    assert replica(manifest, "Worker")["replicas"] == 99
    with pytest.raises(DoesNotFit, match=r"--nodes 99 is more than the maximum of group 'workers' \(2\)"):
        nccl_tests.build(a_blueprint(), JobOptions(nodes=99))


@FEW
@given(blueprints())
def test_workers_take_whole_devices_and_no_more_than_a_node_has(blueprint: Blueprint) -> None:
    """A process for each GPU, with the same flags and variables on every cluster; requests equal limits."""
    manifest, group = nccl_tests.build(blueprint), worker_group(blueprint)
    launcher, node = container(manifest, "Launcher"), group.node
    slots, workers = manifest["spec"]["slotsPerWorker"], replica(manifest, "Worker")["replicas"]
    assert slots == node.hardware.accelerators
    assert workers == max(1, group.described.nodes.start)
    numbers = f"-np {workers * slots} -N {slots}"
    assert launcher["command"] == COMMAND.replace("-np 16 -N 8", numbers).split()
    assert {each["name"]: each["value"] for each in launcher["env"]} == ENVIRONMENT
    resources = container(manifest, "Worker")["resources"]
    limits = resources["limits"]
    assert resources["requests"] == limits
    assert set(limits) <= {*node.offers, "memory"}
    assert all(limits[device] == node.offers[device] for device in ("nvidia.com/gpu", "vpc.amazonaws.com/efa"))
    assert 0 < mib(limits["memory"]) < node.allocatable.memory_mib
    assert mib(limits["memory"]) <= 32000
    assert 0 <= mib(limits.get("hugepages-2Mi", "0Mi")) <= min(node.huge_pages.mib, 5120)
    assert ("hugepages-2Mi" in limits) == bool(node.huge_pages.mib)
    (volume,) = pod(manifest, "Worker")["volumes"]
    assert mib(volume["emptyDir"]["sizeLimit"]) <= mib(limits["memory"])


@FEW
@given(blueprints())
def test_pods_go_to_the_nodes_of_their_groups(blueprint: Blueprint) -> None:
    """They tolerate exactly the group's taints, and select labels that its nodes carry."""
    manifest = nccl_tests.build(blueprint)
    for kind, purpose in (("Worker", "training"), ("Launcher", "system")):
        (group,) = [each for each in blueprint.groups if each.described.purpose == purpose]
        tolerated = pod(manifest, kind).get("tolerations", [])
        assert {each["operator"] for each in tolerated} <= {"Equal"}
        assert sorted((each["key"], each["value"], each["effect"]) for each in tolerated) == sorted(
            (taint.key, taint.value, taint.effect) for taint in group.node_group.taints
        )
        carried = {**dict(group.node_group.labels), labels.INSTANCE_TYPE: group.described.instance}
        assert pod(manifest, kind)["nodeSelector"].items() <= carried.items()


@FEW
@given(blueprints())
def test_names_are_dns_labels_and_the_yaml_has_no_aliases(blueprint: Blueprint) -> None:
    """The operator names pods `<job>-worker-<index>` and refuses a job whose last one is no DNS-1035 label."""
    manifest = nccl_tests.build(blueprint)
    name, count = manifest["metadata"]["name"], replica(manifest, "Worker")["replicas"]
    containers = [container(manifest, kind)["name"] for kind in ("Launcher", "Worker")]
    for each in (name, f"{name}-worker-{count - 1}", f"{name}-launcher", *containers):
        assert DNS_LABEL.fullmatch(each)
    text = to_yaml(manifest, ("a header",))
    assert text.startswith("# a header\napiVersion: kubeflow.org/v2beta1\nkind: MPIJob\n")
    assert yaml.safe_load(text) == manifest
    assert not re.search(r"(^|\s)[&*]\w", text)


def test_the_launcher_prefers_an_untainted_system_group_and_stays_there() -> None:
    blueprint = a_blueprint(
        {
            "first": a_system_group(taints={"team": "NoSchedule"}),
            "second": a_system_group(taints={"soft": "PreferNoSchedule"}),
            "workers": a_group(),
        }
    )
    launcher = pod(nccl_tests.build(blueprint), "Launcher")
    assert launcher["nodeSelector"] == {"muster/purpose": "system", "muster/group": "second"}
    assert [each["key"] for each in launcher["tolerations"]] == ["soft"]


def test_a_group_is_chosen() -> None:
    groups = {"a": a_group(), "b": a_group(instance="p4d.24xlarge", nodes=3), "s": a_system_group()}
    manifest = nccl_tests.build(a_blueprint(groups), JobOptions("b"))
    assert pod(manifest, "Worker")["nodeSelector"]["muster/group"] == "b"
    assert container(manifest, "Worker")["resources"]["limits"]["vpc.amazonaws.com/efa"] == 4
    assert replica(manifest, "Worker")["replicas"] == 3


def test_bottlerocket_needs_no_nvidia_plugin() -> None:
    """Its NVIDIA variant has it built in; a group on AL2023 beside it needs the plugin all the same."""
    without = ("efa-device-plugin", "mpi-operator")
    groups = {"system": a_system_group(), "workers": a_group(image="bottlerocket")}
    assert nccl_tests.build(a_blueprint(groups, addons=without))
    groups["others"] = a_group()
    with pytest.raises(DoesNotFit, match="nvidia-device-plugin"):
        nccl_tests.build(a_blueprint(groups, addons=without), JobOptions("workers"))
