"""A worker's share of a node: what it gets, what it is refused, and the words for both."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.daemon_sets import daemon_sets_on, deployments_on, used_of
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.hardware.catalogue import Accelerator, hardware
from muster.jobs.catalogue import DoesNotFit, JobOptions
from muster.jobs.worker_set import node_share
from muster.kubernetes_quantity import MIB
from muster.size import Size
from tests.jobs.clusters import (
    SIZED,
    a_blueprint,
    a_group,
    a_hyperpod_cluster,
    a_stored_cluster,
    a_system_group,
    blueprints,
    with_options,
)

EVERY_PLUGIN = ("nvidia-device-plugin", "neuron-device-plugin", "efa-device-plugin")


def workers(blueprint: Blueprint) -> KubernetesGroup:
    (group,) = [each for each in blueprint.groups if each.described.purpose == "training"]
    return group


def clusters() -> st.SearchStrategy[Blueprint]:
    """Clusters of any type that has accelerators or EFA, with Neuron's scheduler."""
    return blueprints(SIZED, EVERY_PLUGIN).map(
        lambda made: with_options(made, neuron_device_plugin={"scheduler": True})
    )


def parts(group: KubernetesGroup) -> list[int]:
    """How many accelerators a worker can have."""
    machine = group.node.hardware
    every = range(1, machine.accelerators + 1)
    return [each for each in every if not machine.neuron_parts or each in machine.neuron_parts]


def refused(blueprint: Blueprint, ask: JobOptions) -> str:
    with pytest.raises(DoesNotFit) as fault:
        node_share(blueprint, workers(blueprint), ask)
    return str(fault.value)


@settings(max_examples=50)
@given(clusters())
def test_a_whole_node_gets_all_devices_and_all_efa(blueprint: Blueprint) -> None:
    """And says nothing aloud: there is nothing to expect otherwise."""
    group = workers(blueprint)
    made = node_share(blueprint, group)
    assert made.whole
    devices = {name: number for name, number in group.node.offers.items() if not name.startswith("hugepages")}
    assert {name: number for name, number in made.resources.items() if "/" in name} == devices
    assert (made.notes, made.scheduler) == ((), None)


@settings(max_examples=50)
@given(clusters(), st.data())
def test_a_part_of_the_devices_gets_the_same_part_of_the_rest(blueprint: Blueprint, data: st.DataObject) -> None:
    """Rounded down, so that as many such workers as there are parts fit on a node together."""
    group = workers(blueprint)
    machine, node = group.node.hardware, group.node
    if not machine.accelerators:
        return
    devices = data.draw(st.sampled_from(parts(group)))
    made, fits = node_share(blueprint, group, JobOptions(devices=devices)), machine.accelerators // devices
    part = Fraction(devices, machine.accelerators)
    assert made.devices == devices
    assert made.efa == int(node.efa * part)
    assert made.huge_pages.mib % 2 == 0
    room = node.allocatable.memory_mib * MIB - used_of(daemon_sets_on(blueprint, group), "memory")
    assert fits * made.efa <= node.efa
    assert fits * made.huge_pages.mib <= node.huge_pages.mib
    assert fits * made.memory.mib * MIB <= room


@settings(max_examples=50)
@given(clusters(), st.data())
def test_one_more_than_a_node_has_is_refused(blueprint: Blueprint, data: st.DataObject) -> None:
    """As much as there is, is given; one more GPU, interface, page or mebibyte is not, with the sum in words."""
    group = workers(blueprint)
    node, machine = group.node, group.node.hardware
    room = node.allocatable.memory_mib - -(-used_of(daemon_sets_on(blueprint, group), "memory") // MIB)
    most = {
        "devices": machine.accelerators or None,
        "efa": node.efa,
        "memory": Size(room),
        "huge_pages": node.huge_pages,
    }
    assert node_share(blueprint, group, JobOptions(**{key: value for key, value in most.items() if value is not None}))
    one_more: dict[str, Any] = {
        "devices": machine.accelerators + 1,
        "efa": node.efa + 1,
        "memory": Size(room + 1),
        "huge_pages": Size(node.huge_pages.mib + 2),
    }
    which = data.draw(st.sets(st.sampled_from(sorted(one_more)), min_size=1))
    said = refused(blueprint, JobOptions(**{key: one_more[key] for key in which})).splitlines()
    assert len(said) == len(which), "every reason, and each once"
    options = {
        "devices": ("--gpus", "--devices"),
        "efa": ("--efa",),
        "memory": ("--memory",),
        "huge_pages": ("--huge-pages",),
    }
    for each in which:
        (line,) = [line for line in said if line.startswith(options[each])]
        assert machine.instance in line


def test_what_the_users_values_take_counts() -> None:
    """The EFA plugin with another request leaves so much less."""
    values = {"resources": {"requests": {"memory": "2Gi"}}}
    blueprint = with_options(a_blueprint(), efa_device_plugin={"values": values})
    assert "aws-efa-k8s-device-plugin uses 2048Mi, 1926106Mi is left" in refused(
        blueprint, JobOptions(memory=Size(1926107))
    )
    assert node_share(blueprint, workers(blueprint), JobOptions(memory=Size(1926106))).memory == Size(1926106)


def a_torus(**options: Any) -> Blueprint:
    made = a_blueprint({"s": a_system_group(), "w": a_group(instance="trn1.32xlarge")}, EVERY_PLUGIN)
    return with_options(made, neuron_device_plugin=options)


@pytest.mark.parametrize("instance", ["trn1.32xlarge", "trn1n.32xlarge"])
def test_a_torus_is_had_in_four_sizes(instance: str) -> None:
    """Neuron's documentation: 1, 4, 8 or 16 devices; its scheduler places the two in the middle."""
    made = a_blueprint({"s": a_system_group(), "w": a_group(instance=instance)}, EVERY_PLUGIN)
    blueprint = with_options(made, neuron_device_plugin={"scheduler": True})
    schedulers = {}
    for devices in range(1, 17):
        try:
            schedulers[devices] = node_share(blueprint, workers(blueprint), JobOptions(devices=devices)).scheduler
        except DoesNotFit as fault:
            assert "a pod can have only 1, 4, 8, 16 " in str(fault)
    assert schedulers == {1: None, 4: "my-scheduler", 8: "my-scheduler", 16: None}


def test_neighbours_need_neurons_scheduler() -> None:
    """Without it nobody sees to it that four devices are next to each other."""
    said = refused(a_torus(), JobOptions(devices=4))
    assert said.startswith("--devices 4: they must be adjacent")
    assert "`neuron-device-plugin: {scheduler: true}`" in said
    assert node_share(a_torus(), workers(a_torus()), JobOptions(devices=1)).scheduler is None
    assert node_share(a_torus(scheduler=True), workers(a_torus()), JobOptions(devices=4)).scheduler == "my-scheduler"
    values = {"scheduler": {"customScheduler": {"fullnameOverride": "neuron-scheduler"}}}
    renamed = a_torus(scheduler=True, values=values)
    assert node_share(renamed, workers(renamed), JobOptions(devices=4)).scheduler == "neuron-scheduler"


def test_cores_are_what_processes_count() -> None:
    """Two of each Trainium device, four of each Trainium2 device, as it comes."""
    for instance, cores in (("trn1.32xlarge", 32), ("trn1n.32xlarge", 32), ("trn2.48xlarge", 64)):
        made = a_blueprint({"s": a_system_group(), "w": a_group(instance=instance)}, EVERY_PLUGIN)
        assert node_share(made, workers(made)).cores == cores
    assert node_share(a_blueprint(), workers(a_blueprint())).cores == 0


def test_on_hyperpod_the_same_is_taken() -> None:
    """Devices, interfaces, huge pages that Muster's scripts set aside, and memory, beside HyperPod's own agent and the
    operators that no taint keeps off."""
    here, there = (cluster() for cluster in (a_stored_cluster, a_hyperpod_cluster))
    ours, theirs = (node_share(each, each.group("workers"), memory=None) for each in (here, there))
    assert (theirs.devices, theirs.efa, theirs.huge_pages) == (ours.devices, ours.efa, ours.huge_pages)
    visiting = used_of(deployments_on(there, there.group("workers")), "memory") // MIB
    assert ours.memory.mib - 512 - visiting <= theirs.memory.mib <= ours.memory.mib - visiting  # 512: the agent's
    assert visiting > 0


@pytest.mark.parametrize("devices", [None, 4])
def test_a_worker_on_hyperpod_leaves_room_for_every_operator(devices: int | None) -> None:
    """They may all start again on one node, which on HyperPod has no taint against them, and workers still fit beside
    them. Whoever says how much gets that."""
    blueprint = a_hyperpod_cluster(kueue={}, kuberay_operator={})
    group = blueprint.group("workers")
    made = node_share(blueprint, group, JobOptions(devices=devices), memory=None)
    there = (*daemon_sets_on(blueprint, group), *deployments_on(blueprint, group))
    free = group.node.allocatable.memory_mib * MIB - used_of(there, "memory")
    workers = group.node.hardware.accelerators // made.devices
    assert workers * made.memory.mib * MIB <= free
    all_of_it = Size(group.node.allocatable.memory_mib - -(-used_of(daemon_sets_on(blueprint, group), "memory") // MIB))
    assert node_share(blueprint, group, JobOptions(memory=all_of_it)).memory == all_of_it


@pytest.mark.parametrize(
    ("lifecycle", "said", "pages"),
    [
        ("default", None, 5120),
        ("default", "0MiB", 0),
        ("none", None, 0),
        ({"own": {"at": "s3://sagemaker-ours/scripts", "on-create": "on_create.sh"}}, None, 0),
        ({"own": {"at": "s3://sagemaker-ours/scripts", "on-create": "on_create.sh"}}, "6000MiB", 5120),
    ],
)
def test_huge_pages_are_those_that_a_script_sets_aside(lifecycle: Any, said: str | None, pages: int) -> None:
    """Muster's do by themselves; of others the description must say how many."""
    own = {} if said is None else {"huge-pages": said}
    groups = {"system": a_system_group(), "workers": a_group(hyperpod={"lifecycle": lifecycle}, **own)}
    blueprint = a_hyperpod_cluster(groups)
    assert node_share(blueprint, blueprint.group("workers")).huge_pages == Size(pages)


def test_every_sized_type_is_of_one_of_three_kinds() -> None:
    """The laws above were asked of GPUs, of Neuron devices, and of machines with EFA alone."""
    assert {hardware(name).accelerator for name in SIZED} == set(Accelerator)
