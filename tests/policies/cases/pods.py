"""Pods of any program: devices, huge pages, host paths, images."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from muster.blueprint.labels import INSTANCE_TYPE
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, PodOwner, PodTemplate
from muster.unknown import UNKNOWN
from muster.versions import NCCL_TESTS_IMAGE
from tests.factories import a_fleet, a_group, a_template
from tests.policies.case import case, cases
from tests.policies.pods import a_pod, asking

GPU, EFA, NEURON, PAGES = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "hugepages-2Mi"
LIMITS = "devices-asked-as-limits"
HOST, IMAGE = "infiniband-not-from-host", "p5-image-new-enough"
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


def on_p5(*containers: Any, **more: Any) -> Fleet:
    """A pod beside the default group of p5.48xlarge, with 8 GPUs and 32 EFA interfaces."""
    return a_fleet(a_pod(*containers, **more))


# devices-within-instance, whole-node-asks-all-efa, part-of-node-asks-part-of-efa


cases(
    a_whole_node=lambda: on_p5(asking({GPU: 8, EFA: 32})),
    one_gpu_more_than_a_node_has=lambda: on_p5(asking({GPU: 9, EFA: 32})),
    one_efa_interface_more_than_a_node_has=lambda: on_p5(asking({GPU: 8, EFA: 33})),
)


def beside(one: str, other: str, *containers: Any) -> Fleet:
    """A pod beside nodes of two types; of one pod alone nobody asks for EFA."""
    groups = tuple(each for name in (one, other) for each in (a_template(name, name), a_group(name)))
    return a_fleet(a_pod(*containers, kind="Pod"), *groups, without=[NodeGroup, LaunchTemplate])


cases(
    devices_of_two_kinds_of_nodes_together=lambda: beside(
        "p4de.24xlarge", "trn1.32xlarge", asking({GPU: 8, NEURON: 1})
    ),
    more_gpus_than_the_second_of_two_kinds_of_nodes_has=lambda: beside(
        "g5.12xlarge", "p4de.24xlarge", asking({GPU: 9})
    ),
    more_gpus_than_the_first_of_two_kinds_of_nodes_has=lambda: beside("p4de.24xlarge", "g5.12xlarge", asking({GPU: 9})),
    devices_of_one_of_two_kinds_of_nodes=lambda: beside("p4de.24xlarge", "trn1.32xlarge", asking({NEURON: 16, EFA: 8})),
    memory_of_a_node_without_the_devices=lambda: beside(
        "p4de.24xlarge", "trn1.32xlarge", asking({NEURON: 16, EFA: 8, "memory": "600Gi"})
    ),
    cpus_of_one_node_and_memory_of_another=lambda: beside(
        "p4de.24xlarge", "trn1.32xlarge", asking({"cpu": "100", "memory": "600Gi"})
    ),
    too_many_in_two_containers_together=lambda: on_p5(asking({GPU: 4, EFA: 32}), asking({GPU: 5})),
    another_kind_of_accelerator=lambda: on_p5(asking({NEURON: 1})),
    devices_of_nodes_that_are_not_here=lambda: a_fleet(a_pod(asking({GPU: 8, EFA: 32})), without=[NodeGroup]),
    too_many_for_a_type_that_it_names=lambda: a_fleet(
        a_pod(asking({GPU: 8, EFA: 33}), nodeSelector={INSTANCE_TYPE: "ml.p5.48xlarge"}), without=[NodeGroup]
    ),
)


@case
def enough_for_a_type_that_it_names() -> Fleet:
    wanted = [{"key": INSTANCE_TYPE, "operator": "In", "values": ["p5.48xlarge"]}]
    required = {"nodeSelectorTerms": [{"matchExpressions": wanted}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return a_fleet(a_pod(asking({GPU: 8, EFA: 32}), affinity=affinity), without=[NodeGroup])


cases(
    resources_not_yet_known=lambda: on_p5({"name": "train", "resources": {"limits": UNKNOWN}}),
)


@case
def a_pod_not_yet_known() -> Fleet:
    pod = a_pod()
    return a_fleet(PodOwner(pod.ref, pod.kind, (PodTemplate("spec", UNKNOWN),), pod.place))


cases(
    interfaces_not_yet_known=lambda: a_fleet(a_template(interfaces=UNKNOWN), a_pod(asking({GPU: 8, EFA: 8}))),
    all_gpus_and_one_interface=lambda: on_p5(asking({GPU: 8, EFA: 1})),
    all_gpus_of_a_job_across_nodes_without_efa=lambda: on_p5(asking({GPU: 8})),
    all_gpus_of_a_job_of_one_pod_without_efa=lambda: on_p5(asking({GPU: 8}), pods=1),
    all_gpus_of_a_job_of_nobody_knows_how_many_pods=lambda: on_p5(asking({GPU: 8}), pods=UNKNOWN),
)


@case
def all_gpus_of_one_worker_beside_its_launcher() -> Fleet:
    worker, launcher = a_pod(asking({GPU: 8}), kind="MPIJob", pods=1), PodTemplate("spec", {"containers": [{}]})
    return a_fleet(PodOwner(worker.ref, worker.kind, (launcher, *worker.templates), worker.place))


@case
def all_gpus_of_a_master_and_one_worker_without_efa() -> Fleet:
    """One finding: both say the same."""
    pod = a_pod(asking({GPU: 8}), pods=1)
    return a_fleet(PodOwner(pod.ref, pod.kind, pod.templates * 2, pod.place))


cases(
    all_gpus_of_one_pod_without_efa=lambda: on_p5(asking({GPU: 8}), kind="Deployment"),
    half_of_a_node=lambda: on_p5(asking({GPU: 4, EFA: 16})),
    half_of_the_gpus_and_all_interfaces=lambda: on_p5(asking({GPU: 4, EFA: 32})),
)


# devices-asked-as-limits


cases(
    the_same_requested_and_limited=lambda: on_p5(
        asking({GPU: 8, EFA: "32", "memory": "2Gi"}, {GPU: "8", EFA: 32, "memory": "1Gi"})
    ),
    requested_without_a_limit=lambda: on_p5(asking({GPU: 8}, {GPU: 8, EFA: 32})),
    requested_otherwise_than_limited=lambda: on_p5(asking({GPU: 8}, {GPU: 4}), kind="Deployment"),
)


# huge-pages-whole, huge-pages-within-node


def setting_aside(pages: int | None, *containers: Any) -> Fleet:
    """A pod beside nodes whose user data sets pages aside, or says nothing of them."""
    said = "#!/bin/bash\n" if pages is None else f"sysctl -w vm.nr_hugepages={pages}\n"
    return a_fleet(a_template(user_data=b64encode(said.encode()).decode()), a_pod(*containers))


cases(
    huge_pages_without_a_unit=lambda: setting_aside(5128, asking({PAGES: "256"})),
    a_part_of_a_huge_page=lambda: setting_aside(5128, asking({PAGES: "5Mi"})),
    as_many_huge_pages_as_set_aside=lambda: setting_aside(5128, asking({GPU: 8, EFA: 32, PAGES: "10256Mi"})),
    one_huge_page_more_than_set_aside=lambda: setting_aside(5128, asking({PAGES: "5130Mi"}), asking({PAGES: "5128Mi"})),
    huge_pages_of_nodes_that_set_none_aside=lambda: setting_aside(0, asking({PAGES: "5120Mi"})),
    huge_pages_that_nobody_speaks_of=lambda: setting_aside(None, asking({PAGES: "5120Mi"})),
    huge_pages_of_nodes_that_are_not_here=lambda: a_fleet(a_pod(asking({PAGES: "5120Mi"})), without=[NodeGroup]),
    huge_pages_of_nodes_of_which_some_say_nothing=lambda: a_fleet(
        a_template(user_data=b64encode(b"sysctl -w vm.nr_hugepages=5128\n").decode()),
        *(a_template("silent", "p4de.24xlarge"), a_group("silent")),
        a_pod(asking({PAGES: "10258Mi"})),
    ),
    # Of them the API server says more.
    pages_of_a_size_that_nobody_can_read=lambda: on_p5(asking({"hugepages-1-2Mi": "256", "hugepages-moon": "256"})),
)


# huge-pages-beside-memory, pod-fits-node


cases(
    huge_pages_alone=lambda: setting_aside(5128, {"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}}),
    huge_pages_beside_cpu=lambda: setting_aside(
        5128, {"name": "train", "resources": {"limits": {PAGES: "5120Mi", "cpu": "1"}}}
    ),
    huge_pages_beside_memory_of_another_container=lambda: setting_aside(
        5128, asking({"cpu": "1"}), {"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}}
    ),
)


@case
def huge_pages_alone_in_pods_after_some_not_yet_known() -> Fleet:
    alone = a_pod({"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}})
    unseen = PodTemplate("spec", {"containers": [{"name": "train", "resources": {"limits": UNKNOWN}}]})
    said = b64encode(b"sysctl -w vm.nr_hugepages=5128\n").decode()
    return a_fleet(a_template(user_data=said), replace(alone, templates=(unseen, *alone.templates)))


cases(
    huge_pages_beside_requested_memory=lambda: setting_aside(
        5128, {"name": "train", "resources": {"limits": {PAGES: "5120Mi"}, "requests": {"memory": "1Gi"}}}
    ),
    all_memory_of_a_node=lambda: on_p5(asking({"memory": "2048Gi"})),
    all_cpus_of_a_node_in_two_containers=lambda: on_p5(asking({"cpu": "96"}), asking({"cpu": "96"})),
    most_of_a_node=lambda: on_p5(asking({"cpu": "190", "memory": "1800Gi"})),
)


# infiniband-not-from-host


def mounting(*paths: str, **more: Any) -> Fleet:
    volumes = [{"name": f"volume-{index}", "hostPath": {"path": path}} for index, path in enumerate(paths)]
    return on_p5(
        asking({GPU: 8, EFA: 32}), volumes=[*volumes, {"name": "shm", "emptyDir": {"medium": "Memory"}}], **more
    )


cases(
    device_files_from_the_node=lambda: mounting("/dev/infiniband"),
    one_device_file_from_the_node=lambda: mounting("/data", "/dev/infiniband/uverbs0"),
    other_files_from_the_node=lambda: mounting("/dev/shm", "/dev/infiniband-of-mine"),
    device_files_of_the_plugin_itself=lambda: mounting(
        "/dev/infiniband", "/var/lib/kubelet/device-plugins", kind="DaemonSet"
    ),
)


# neuron-devices-connected


def on_trn1(devices: int, **more: Any) -> Fleet:
    return a_fleet(a_template(instance="trn1.32xlarge"), a_pod(asking({NEURON: devices}), kind="Pod", **more))


cases(
    two_devices_of_a_torus=lambda: on_trn1(2),
    four_devices_of_a_torus=lambda: on_trn1(4),
    more_devices_than_the_torus_has=lambda: on_trn1(17),
    two_devices_of_a_ring=lambda: a_fleet(a_template(instance="inf2.48xlarge"), a_pod(asking({NEURON: 2}), kind="Pod")),
    two_devices_of_nodes_that_are_not_here=lambda: a_fleet(a_pod(asking({NEURON: 2}), kind="Pod"), without=[NodeGroup]),
)


# p5-image-new-enough


def running(image: Any, instance: str = "p5.48xlarge") -> Fleet:
    container = asking({GPU: 8}, image=image)
    return a_fleet(a_template(instance=instance), a_pod(container, kind="Pod"))


cases(
    an_image_of_older_days_on_p5=lambda: running(f"{NCCL}:cuda11.8.0-efa1.30.0-ofiv1.7.1-ncclv2.17.1-1-testsv2.13.8"),
    an_image_of_older_days_on_p4d=lambda: running(
        f"{NCCL}:cuda11.8.0-efa1.30.0-ofiv1.7.1-ncclv2.17.1-1-testsv2.13.8", "p4d.24xlarge"
    ),
    an_image_of_today_on_p5=lambda: running(f"{NCCL}:cuda12.0.0-efa1.30.0-ofiv1.7.2-ncclv2.18.0-1-testsv2.13.8"),
    an_image_that_names_the_release_alone_on_p5=lambda: running(
        f"{NCCL}:cuda12-efa1.30.0-ofiv1.7.2-ncclv2.18-testsv2.13.8"
    ),
    an_image_that_names_an_older_release_alone_on_p5=lambda: running(
        f"{NCCL}:cuda11-efa1.30.0-ofiv1.7.2-ncclv2.18-testsv2.13.8"
    ),
    an_image_not_yet_known_on_p5=lambda: running(UNKNOWN),
    an_image_that_says_nothing_on_p5=lambda: running("ghcr.io/their/training:cuda11.8.0"),
)


# p6-image-new-enough


cases(
    an_image_of_p5_on_p6_b200=lambda: running(
        f"{NCCL}:cuda12.6.3-efa1.38.0-ofiv1.14.0-ncclv2.24.3-1-testsv2.13.12", "p6-b200.48xlarge"
    ),
    an_image_of_b200_on_p6_b200=lambda: running(
        f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4", "p6-b200.48xlarge"
    ),
    an_image_of_b200_on_p6_b300=lambda: running(
        f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4", "p6-b300.48xlarge"
    ),
    an_image_of_today_on_p6_b300=lambda: running(NCCL_TESTS_IMAGE, "p6-b300.48xlarge"),
    an_image_not_yet_known_on_p6_b200=lambda: running(UNKNOWN, "p6-b200.48xlarge"),
)
