"""The NCCL test: AWS's manifest, with the cluster's numbers."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given

from muster.blueprint import labels
from muster.blueprint.kubernetes import Blueprint
from muster.config.project import open_stack
from muster.jobs import nccl_tests
from muster.jobs.catalogue import DoesNotFit, JobOptions
from muster.jobs.manifest_yaml import to_yaml
from muster.size import Size
from muster.versions import NCCL_TESTS_IMAGE
from tests.jobs.clusters import a_blueprint, a_group, a_system_group, blueprints
from tests.stack_files import ROOT

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


def test_two_p5_nodes_get_aws_own_manifest() -> None:
    """What differs from it is wanted, and nothing else does."""
    assert nccl_tests.build(a_blueprint()) == {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": "nccl-tests"},
        "spec": {
            "runPolicy": {"cleanPodPolicy": "Running", "backoffLimit": 20},
            "slotsPerWorker": 8,
            "launcherCreationPolicy": "WaitForWorkersReady",
            "mpiReplicaSpecs": {
                "Launcher": {
                    "replicas": 1,
                    "restartPolicy": "OnFailure",
                    "template": {
                        "spec": {
                            "nodeSelector": {"muster/purpose": "system"},
                            "containers": [
                                {
                                    "image": NCCL_TESTS_IMAGE,
                                    "imagePullPolicy": "IfNotPresent",
                                    "name": "test-nccl-launcher",
                                    "env": [{"name": key, "value": value} for key, value in ENVIRONMENT.items()],
                                    "command": COMMAND.split(),
                                }
                            ],
                        }
                    },
                },
                "Worker": {
                    "replicas": 2,
                    "restartPolicy": "Never",
                    "template": {
                        "spec": {
                            "nodeSelector": {
                                "node.kubernetes.io/instance-type": "p5.48xlarge",
                                "muster/group": "workers",
                            },
                            "tolerations": [
                                {"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
                            ],
                            "containers": [
                                {
                                    "image": NCCL_TESTS_IMAGE,
                                    "imagePullPolicy": "IfNotPresent",
                                    "name": "nccl-tests-worker",
                                    "volumeMounts": [{"name": "shmem", "mountPath": "/dev/shm"}],
                                    "resources": {
                                        kind: {
                                            "nvidia.com/gpu": 8,
                                            "hugepages-2Mi": "5120Mi",
                                            "vpc.amazonaws.com/efa": 32,
                                            "memory": "32000Mi",
                                        }
                                        for kind in ("limits", "requests")
                                    },
                                }
                            ],
                            "volumes": [
                                {"name": "shmem", "emptyDir": {"medium": "Memory", "sizeLimit": "16000Mi"}},
                            ],
                        }
                    },
                },
            },
        },
    }


def test_the_image_is_pinned() -> None:
    name, _, tag = NCCL_TESTS_IMAGE.partition(":")
    assert name == "public.ecr.aws/hpc-cloud/nccl-tests"
    assert tag
    assert tag != "latest"


def test_p5_odcr_has_one_node() -> None:
    manifest = nccl_tests.build(open_stack(ROOT, "p5-odcr").derive())
    command = container(manifest, "Launcher")["command"]
    assert command[command.index("-np") + 1] == "8"
    assert replica(manifest, "Worker")["replicas"] == 1


def test_a_rehearsal_may_ask_for_more_nodes_than_there_may_be() -> None:
    """The scheduler is then asked, and says what lacks; whoever prints a job is refused."""
    manifest = nccl_tests.build(a_blueprint(), JobOptions(nodes=99, beyond_the_group=True))
    assert replica(manifest, "Worker")["replicas"] == 99
    with pytest.raises(DoesNotFit, match="--nodes 99 is more than group 'workers' may have"):
        nccl_tests.build(a_blueprint(), JobOptions(nodes=99))


def test_fewer_nodes() -> None:
    manifest = nccl_tests.build(a_blueprint(), JobOptions(nodes=1))
    assert replica(manifest, "Worker")["replicas"] == 1


@given(blueprints())
def test_flags_and_variables_are_the_same_on_every_cluster(blueprint: Blueprint) -> None:
    launcher = container(nccl_tests.build(blueprint), "Launcher")
    assert {each["name"]: each["value"] for each in launcher["env"]} == ENVIRONMENT
    numbers = ("-np", "-N")
    ours, theirs = launcher["command"], COMMAND.split()
    assert [each for index, each in enumerate(ours) if ours[index - 1] not in numbers] == [
        each for index, each in enumerate(theirs) if theirs[index - 1] not in numbers
    ]


@given(blueprints())
def test_one_process_a_gpu(blueprint: Blueprint) -> None:
    manifest, group = nccl_tests.build(blueprint), worker_group(blueprint)
    command = container(manifest, "Launcher")["command"]
    slots = manifest["spec"]["slotsPerWorker"]
    workers = replica(manifest, "Worker")["replicas"]
    assert slots == group.node.hardware.accelerators
    assert workers == max(1, group.described.nodes.start)
    assert command[command.index("-np") + 1] == str(workers * slots)
    assert command[command.index("-N") + 1] == str(slots)


@given(blueprints())
def test_requests_equal_limits_and_take_whole_devices(blueprint: Blueprint) -> None:
    resources = container(nccl_tests.build(blueprint), "Worker")["resources"]
    assert resources["requests"] == resources["limits"]
    offers = worker_group(blueprint).node.offers
    for device in ("nvidia.com/gpu", "vpc.amazonaws.com/efa"):
        assert resources["limits"][device] == offers[device]


@given(blueprints())
def test_never_more_than_the_node_has(blueprint: Blueprint) -> None:
    manifest, node = nccl_tests.build(blueprint), worker_group(blueprint).node
    asked = container(manifest, "Worker")["resources"]["limits"]
    assert set(asked) <= {*node.offers, "memory"}
    assert 0 < mib(asked["memory"]) < node.allocatable.memory_mib
    assert mib(asked["memory"]) <= 32000
    if node.huge_pages.mib:
        assert 0 < mib(asked["hugepages-2Mi"]) <= min(node.huge_pages.mib, 5120)
    (volume,) = pod(manifest, "Worker")["volumes"]
    assert mib(volume["emptyDir"]["sizeLimit"]) <= mib(asked["memory"])


@given(blueprints())
def test_pods_tolerate_exactly_the_taints_of_their_group(blueprint: Blueprint) -> None:
    manifest = nccl_tests.build(blueprint)
    for kind, purpose in (("Worker", "training"), ("Launcher", "system")):
        (group,) = [each for each in blueprint.groups if each.described.purpose == purpose]
        tolerated = pod(manifest, kind).get("tolerations", [])
        assert all(each["operator"] == "Equal" for each in tolerated)
        assert {(each["key"], each["value"], each["effect"]) for each in tolerated} == {
            (taint.key, taint.value, taint.effect) for taint in group.node_group.taints
        }
        assert len(tolerated) == len(group.node_group.taints)


@given(blueprints())
def test_pods_select_labels_that_their_nodes_carry(blueprint: Blueprint) -> None:
    manifest = nccl_tests.build(blueprint)
    for kind, purpose in (("Worker", "training"), ("Launcher", "system")):
        (group,) = [each for each in blueprint.groups if each.described.purpose == purpose]
        carried = {**dict(group.node_group.labels), labels.INSTANCE_TYPE: group.described.instance}
        assert pod(manifest, kind)["nodeSelector"].items() <= carried.items()


@given(blueprints())
def test_names_are_dns_labels(blueprint: Blueprint) -> None:
    """The operator names pods `<job>-worker-<index>` and refuses a job whose last one is no DNS-1035 label."""
    manifest = nccl_tests.build(blueprint)
    name, count = manifest["metadata"]["name"], replica(manifest, "Worker")["replicas"]
    containers = [container(manifest, kind)["name"] for kind in ("Launcher", "Worker")]
    for each in (name, f"{name}-worker-{count - 1}", f"{name}-launcher", *containers):
        assert DNS_LABEL.fullmatch(each)


@given(blueprints())
def test_restart_policies_stand_where_the_operator_reads_them(blueprint: Blueprint) -> None:
    manifest = nccl_tests.build(blueprint)
    assert replica(manifest, "Launcher")["restartPolicy"] == "OnFailure"
    assert replica(manifest, "Worker")["restartPolicy"] == "Never"
    assert all("restartPolicy" not in pod(manifest, kind) for kind in ("Launcher", "Worker"))


@given(blueprints())
def test_the_yaml_says_the_same_without_aliases(blueprint: Blueprint) -> None:
    manifest = nccl_tests.build(blueprint)
    text = to_yaml(manifest, ("a header",))
    assert text.startswith("# a header\napiVersion: kubeflow.org/v2beta1\nkind: MPIJob\n")
    assert yaml.safe_load(text) == manifest
    assert not re.search(r"(^|\s)[&*]\w", text)
    assert text == to_yaml(nccl_tests.build(blueprint), ("a header",))


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


def test_no_huge_pages_are_not_asked_for() -> None:
    blueprint = a_blueprint({"system": a_system_group(), "workers": a_group(**{"huge-pages": "0MiB"})})
    assert "hugepages-2Mi" not in container(nccl_tests.build(blueprint), "Worker")["resources"]["limits"]


@pytest.mark.parametrize(
    ("groups", "choice", "said"),
    [
        ({"system": a_system_group()}, {}, "no training group with GPUs and EFA ('system' is for system)"),
        ({"workers": a_group()}, {}, "the launcher needs a system group; add a group with `for: system`"),
        ({"a": a_group(), "b": a_group(), "s": a_system_group()}, {}, "several groups fit; choose with --group: a, b"),
        ({"a": a_group(), "s": a_system_group()}, {"group": "b"}, "no group 'b' (there are: a, s)"),
        ({"a": a_group(), "s": a_system_group()}, {"group": "s"}, "group 's' is for system; name a training group"),
        ({"a": a_group(), "s": a_system_group()}, {"nodes": 3}, "--nodes 3 is more than group 'a' may have (2)"),
        (
            {"a": a_group(interfaces="plain"), "s": a_system_group()},
            {},
            "'a' has no EFA interfaces (p5.48xlarge, interfaces: plain)",
        ),
        (
            {"a": a_group(instance="trn1.32xlarge"), "s": a_system_group()},
            {},
            "'a' has no GPUs (trn1.32xlarge)",
        ),
        (
            {"a": a_group(instance="p3dn.24xlarge"), "s": a_system_group()},
            {},
            "group 'a' has V100 GPUs (p3dn.24xlarge), for which the image has no code",
        ),
    ],
)
def test_a_cluster_that_cannot_run_it_is_told_why(
    groups: dict[str, dict[str, Any]], choice: dict[str, Any], said: str
) -> None:
    with pytest.raises(DoesNotFit) as refused:
        nccl_tests.build(a_blueprint(groups), JobOptions(**choice))
    assert said in str(refused.value)


def test_every_reason_at_once() -> None:
    with pytest.raises(DoesNotFit) as refused:
        nccl_tests.build(a_blueprint({"odd": a_group(interfaces="plain")}, addons=("nvidia-device-plugin",)))
    assert [reason.partition(";")[0].partition(" (")[0] for reason in refused.value.reasons] == [
        "the job needs the add-on 'efa-device-plugin'",
        "the job needs the add-on 'mpi-operator'",
        "no training group with GPUs and EFA",
        "the launcher needs a system group",
    ]


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
