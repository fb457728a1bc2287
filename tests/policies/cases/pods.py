"""Pods of any program: devices, huge pages, host paths, images."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from muster.blueprint.labels import INSTANCE_TYPE
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN
from muster.versions import NCCL_TESTS_IMAGE
from tests.factories import a_fleet, a_group, a_template
from tests.policies.case import case
from tests.policies.pods import PODS, a_pod, asking

GPU, EFA, NEURON, PAGES = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "hugepages-2Mi"
WITHIN, ALL, PART = "devices-within-instance", "whole-node-asks-all-efa", "part-of-node-asks-part-of-efa"
LIMITS, WHOLE, ENOUGH = "devices-asked-as-limits", "huge-pages-whole", "huge-pages-within-node"
HOST, TORUS, IMAGE = "infiniband-not-from-host", "neuron-devices-connected", "p5-image-new-enough"
IMAGE_OF_P6 = "p6-image-new-enough"
BESIDE, FITS = "huge-pages-beside-memory", "pod-fits-node"
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


OF_INTERFACES = (
    "efa-fits-instance",
    "efa-only-without-address",
    "efa-security-groups-allow-themselves",
    "efa-single-zone",
    "efa-used-fully",
    "interface-card-exists",
    "interface-device-index",
    "interface-slot-used-once",
    "interface-type-known",
    "interfaces-per-card",
    "max-pods-within-addresses",
    "node-template-reaches-control-plane",
    "one-efa-per-card",
    "primary-interface-not-efa-only",
    "primary-interface-present",
    "several-interfaces-no-public-ip",
    "several-interfaces-private-subnets",
    "subnet-holds-nodes",
    "vpc-cni-supports-efa",
)
"""Rules that cannot judge interfaces that are not known."""


def on_p5(*containers: Any, **more: Any) -> Fleet:
    """A pod beside the default group of p5.48xlarge, with 8 GPUs and 32 EFA interfaces."""
    return a_fleet(a_pod(*containers, **more))


# devices-within-instance, whole-node-asks-all-efa, part-of-node-asks-part-of-efa


@case()
def a_whole_node() -> Fleet:
    return on_p5(asking({GPU: 8, EFA: 32}))


@case(f"{WITHIN} @ {PODS}")
def one_gpu_more_than_a_node_has() -> Fleet:
    return on_p5(asking({GPU: 9, EFA: 32}))


@case(f"{WITHIN} @ {PODS}")
def one_efa_interface_more_than_a_node_has() -> Fleet:
    return on_p5(asking({GPU: 8, EFA: 33}))


def beside(one: str, other: str, *containers: Any) -> Fleet:
    """A pod beside nodes of two types; of one pod alone nobody asks for EFA."""
    groups = tuple(each for name in (one, other) for each in (a_template(name, name), a_group(name)))
    return a_fleet(a_pod(*containers, kind="Pod"), *groups, without=[NodeGroup, LaunchTemplate])


@case(f"{WITHIN} @ {PODS}")
def devices_of_two_kinds_of_nodes_together() -> Fleet:
    return beside("p4de.24xlarge", "trn1.32xlarge", asking({GPU: 8, NEURON: 1}))


@case(f"{WITHIN} @ {PODS}")
def more_gpus_than_the_second_of_two_kinds_of_nodes_has() -> Fleet:
    return beside("g5.12xlarge", "p4de.24xlarge", asking({GPU: 9}))


@case(f"{WITHIN} @ {PODS}")
def more_gpus_than_the_first_of_two_kinds_of_nodes_has() -> Fleet:
    return beside("p4de.24xlarge", "g5.12xlarge", asking({GPU: 9}))


@case()
def devices_of_one_of_two_kinds_of_nodes() -> Fleet:
    return beside("p4de.24xlarge", "trn1.32xlarge", asking({NEURON: 16, EFA: 8}))


@case(f"{FITS} @ {PODS}")
def memory_of_a_node_without_the_devices() -> Fleet:
    return beside("p4de.24xlarge", "trn1.32xlarge", asking({NEURON: 16, EFA: 8, "memory": "600Gi"}))


@case(f"{FITS} @ {PODS}")
def cpus_of_one_node_and_memory_of_another() -> Fleet:
    return beside("p4de.24xlarge", "trn1.32xlarge", asking({"cpu": "100", "memory": "600Gi"}))


@case(f"{WITHIN} @ {PODS}")
def too_many_in_two_containers_together() -> Fleet:
    return on_p5(asking({GPU: 4, EFA: 32}), asking({GPU: 5}))


@case(f"{WITHIN} @ {PODS}")
def another_kind_of_accelerator() -> Fleet:
    return on_p5(asking({NEURON: 1}))


@case(unjudged=(f"{WITHIN} @ {PODS}", f"{ALL} @ {PODS}"))
def devices_of_nodes_that_are_not_here() -> Fleet:
    return a_fleet(a_pod(asking({GPU: 8, EFA: 32})), without=[NodeGroup])


@case(f"{WITHIN} @ {PODS}")
def too_many_for_a_type_that_it_names() -> Fleet:
    pod = a_pod(asking({GPU: 8, EFA: 33}), nodeSelector={INSTANCE_TYPE: "ml.p5.48xlarge"})
    return a_fleet(pod, without=[NodeGroup])


@case()
def enough_for_a_type_that_it_names() -> Fleet:
    wanted = [{"key": INSTANCE_TYPE, "operator": "In", "values": ["p5.48xlarge"]}]
    required = {"nodeSelectorTerms": [{"matchExpressions": wanted}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return a_fleet(a_pod(asking({GPU: 8, EFA: 32}), affinity=affinity), without=[NodeGroup])


@case(unjudged=tuple(f"{each} @ {PODS}" for each in (ALL, WITHIN, ENOUGH, TORUS, BESIDE, FITS, LIMITS)))
def resources_not_yet_known() -> Fleet:
    return on_p5({"name": "train", "resources": {"limits": UNKNOWN}})


@case(
    unjudged=(
        f"credentials-not-in-the-clear @ {PODS}",
        f"pods-not-privileged @ {PODS}",
        f"pods-off-host-files @ {PODS}",
        f"pods-off-host-namespaces @ {PODS}",
        *tuple(f"{each} @ {PODS}" for each in (ALL, WITHIN, ENOUGH, TORUS, BESIDE, FITS, HOST)),
    )
)
def a_pod_not_yet_known() -> Fleet:
    pod = a_pod()
    return a_fleet(PodOwner(pod.ref, pod.kind, (PodTemplate("spec", UNKNOWN),), pod.place))


@case(
    unjudged=(
        "nodes-without-public-address @ groups.workers",
        f"{WITHIN} @ {PODS}",
        f"{ALL} @ {PODS}",
        *(f"{each} @ groups.workers" for each in OF_INTERFACES),
    )
)
def interfaces_not_yet_known() -> Fleet:
    return a_fleet(a_template(interfaces=UNKNOWN), a_pod(asking({GPU: 8, EFA: 8})))


@case(f"{ALL} @ {PODS}")
def all_gpus_and_one_interface() -> Fleet:
    return on_p5(asking({GPU: 8, EFA: 1}))


@case(f"{ALL} @ {PODS}")
def all_gpus_of_a_job_across_nodes_without_efa() -> Fleet:
    return on_p5(asking({GPU: 8}))


@case()
def all_gpus_of_a_job_of_one_pod_without_efa() -> Fleet:
    return on_p5(asking({GPU: 8}), pods=1)


@case(unjudged=(f"{ALL} @ {PODS}",))
def all_gpus_of_a_job_of_nobody_knows_how_many_pods() -> Fleet:
    return on_p5(asking({GPU: 8}), pods=UNKNOWN)


@case()
def all_gpus_of_one_worker_beside_its_launcher() -> Fleet:
    worker, launcher = a_pod(asking({GPU: 8}), kind="MPIJob", pods=1), PodTemplate("spec", {"containers": [{}]})
    return a_fleet(PodOwner(worker.ref, worker.kind, (launcher, *worker.templates), worker.place))


@case(f"{ALL} @ {PODS}")
def all_gpus_of_a_master_and_one_worker_without_efa() -> Fleet:
    """One finding: both say the same."""
    pod = a_pod(asking({GPU: 8}), pods=1)
    return a_fleet(PodOwner(pod.ref, pod.kind, pod.templates * 2, pod.place))


@case()
def all_gpus_of_one_pod_without_efa() -> Fleet:
    return on_p5(asking({GPU: 8}), kind="Deployment")


@case()
def half_of_a_node() -> Fleet:
    return on_p5(asking({GPU: 4, EFA: 16}))


@case(f"{PART} @ {PODS}")
def half_of_the_gpus_and_all_interfaces() -> Fleet:
    return on_p5(asking({GPU: 4, EFA: 32}))


# devices-asked-as-limits


@case()
def the_same_requested_and_limited() -> Fleet:
    limits = {GPU: 8, EFA: "32", "memory": "2Gi"}
    return on_p5(asking(limits, {GPU: "8", EFA: 32, "memory": "1Gi"}))


@case(f"{LIMITS} @ {PODS}")
def requested_without_a_limit() -> Fleet:
    return on_p5(asking({GPU: 8}, {GPU: 8, EFA: 32}))


@case(f"{LIMITS} @ {PODS}")
def requested_otherwise_than_limited() -> Fleet:
    return on_p5(asking({GPU: 8}, {GPU: 4}), kind="Deployment")


# huge-pages-whole, huge-pages-within-node


def setting_aside(pages: int | None, *containers: Any) -> Fleet:
    """A pod beside nodes whose user data sets pages aside, or says nothing of them."""
    said = "#!/bin/bash\n" if pages is None else f"sysctl -w vm.nr_hugepages={pages}\n"
    return a_fleet(a_template(user_data=b64encode(said.encode()).decode()), a_pod(*containers))


@case(f"{WHOLE} @ {PODS}")
def huge_pages_without_a_unit() -> Fleet:
    return setting_aside(5128, asking({PAGES: "256"}))


@case(f"{WHOLE} @ {PODS}")
def a_part_of_a_huge_page() -> Fleet:
    return setting_aside(5128, asking({PAGES: "5Mi"}))


@case()
def as_many_huge_pages_as_set_aside() -> Fleet:
    return setting_aside(5128, asking({GPU: 8, EFA: 32, PAGES: "10256Mi"}))


@case(f"{ENOUGH} @ {PODS}")
def one_huge_page_more_than_set_aside() -> Fleet:
    return setting_aside(5128, asking({PAGES: "5130Mi"}), asking({PAGES: "5128Mi"}))


@case(f"{ENOUGH} @ {PODS}")
def huge_pages_of_nodes_that_set_none_aside() -> Fleet:
    return setting_aside(0, asking({PAGES: "5120Mi"}))


@case(unjudged=(f"{ENOUGH} @ {PODS}",))
def huge_pages_that_nobody_speaks_of() -> Fleet:
    return setting_aside(None, asking({PAGES: "5120Mi"}))


@case(unjudged=(f"{ENOUGH} @ {PODS}",))
def huge_pages_of_nodes_that_are_not_here() -> Fleet:
    return a_fleet(a_pod(asking({PAGES: "5120Mi"})), without=[NodeGroup])


@case(unjudged=(f"{ENOUGH} @ {PODS}",))
def huge_pages_of_nodes_of_which_some_say_nothing() -> Fleet:
    said = b64encode(b"sysctl -w vm.nr_hugepages=5128\n").decode()
    silent = (a_template("silent", "p4de.24xlarge"), a_group("silent"))
    return a_fleet(a_template(user_data=said), *silent, a_pod(asking({PAGES: "10258Mi"})))


@case()
def pages_of_a_size_that_nobody_can_read() -> Fleet:
    """Of them the API server says more."""
    return on_p5(asking({"hugepages-1-2Mi": "256", "hugepages-moon": "256"}))


# huge-pages-beside-memory, pod-fits-node


@case(f"{BESIDE} @ {PODS}")
def huge_pages_alone() -> Fleet:
    alone = {"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}}
    return setting_aside(5128, alone)


@case()
def huge_pages_beside_cpu() -> Fleet:
    return setting_aside(5128, {"name": "train", "resources": {"limits": {PAGES: "5120Mi", "cpu": "1"}}})


@case(f"{BESIDE} @ {PODS}")
def huge_pages_beside_memory_of_another_container() -> Fleet:
    alone = {"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}}
    return setting_aside(5128, asking({"cpu": "1"}), alone)


@case(
    f"{BESIDE} @ {PODS}",
    unjudged=tuple(f"{each} @ {PODS}" for each in (ALL, WITHIN, ENOUGH, TORUS, BESIDE, FITS, LIMITS)),
)
def huge_pages_alone_in_pods_after_some_not_yet_known() -> Fleet:
    alone = a_pod({"name": "train", "resources": {"limits": {PAGES: "5120Mi"}}})
    unseen = PodTemplate("spec", {"containers": [{"name": "train", "resources": {"limits": UNKNOWN}}]})
    said = b64encode(b"sysctl -w vm.nr_hugepages=5128\n").decode()
    return a_fleet(a_template(user_data=said), replace(alone, templates=(unseen, *alone.templates)))


@case()
def huge_pages_beside_requested_memory() -> Fleet:
    resources = {"limits": {PAGES: "5120Mi"}, "requests": {"memory": "1Gi"}}
    return setting_aside(5128, {"name": "train", "resources": resources})


@case(f"{FITS} @ {PODS}")
def all_memory_of_a_node() -> Fleet:
    return on_p5(asking({"memory": "2048Gi"}))


@case(f"{FITS} @ {PODS}")
def all_cpus_of_a_node_in_two_containers() -> Fleet:
    return on_p5(asking({"cpu": "96"}), asking({"cpu": "96"}))


@case()
def most_of_a_node() -> Fleet:
    return on_p5(asking({"cpu": "190", "memory": "1800Gi"}))


# infiniband-not-from-host


def mounting(*paths: str, **more: Any) -> Fleet:
    volumes = [{"name": f"volume-{index}", "hostPath": {"path": path}} for index, path in enumerate(paths)]
    return on_p5(
        asking({GPU: 8, EFA: 32}), volumes=[*volumes, {"name": "shm", "emptyDir": {"medium": "Memory"}}], **more
    )


@case(f"{HOST} @ {PODS}")
def device_files_from_the_node() -> Fleet:
    return mounting("/dev/infiniband")


@case(f"{HOST} @ {PODS}")
def one_device_file_from_the_node() -> Fleet:
    return mounting("/data", "/dev/infiniband/uverbs0")


@case()
def other_files_from_the_node() -> Fleet:
    return mounting("/dev/shm", "/dev/infiniband-of-mine")


@case()
def device_files_of_the_plugin_itself() -> Fleet:
    return mounting("/dev/infiniband", "/var/lib/kubelet/device-plugins", kind="DaemonSet")


# neuron-devices-connected


def on_trn1(devices: int, **more: Any) -> Fleet:
    return a_fleet(a_template(instance="trn1.32xlarge"), a_pod(asking({NEURON: devices}), kind="Pod", **more))


@case(f"{TORUS} @ {PODS}")
def two_devices_of_a_torus() -> Fleet:
    return on_trn1(2)


@case()
def four_devices_of_a_torus() -> Fleet:
    return on_trn1(4)


@case(f"{WITHIN} @ {PODS}")
def more_devices_than_the_torus_has() -> Fleet:
    return on_trn1(17)


@case()
def two_devices_of_a_ring() -> Fleet:
    return a_fleet(a_template(instance="inf2.48xlarge"), a_pod(asking({NEURON: 2}), kind="Pod"))


@case(unjudged=(f"{TORUS} @ {PODS}", f"{WITHIN} @ {PODS}"))
def two_devices_of_nodes_that_are_not_here() -> Fleet:
    return a_fleet(a_pod(asking({NEURON: 2}), kind="Pod"), without=[NodeGroup])


# p5-image-new-enough


def running(image: Any, instance: str = "p5.48xlarge") -> Fleet:
    container = asking({GPU: 8}, image=image)
    return a_fleet(a_template(instance=instance), a_pod(container, kind="Pod"))


@case(f"{IMAGE} @ {PODS}")
def an_image_of_older_days_on_p5() -> Fleet:
    return running(f"{NCCL}:cuda11.8.0-efa1.30.0-ofiv1.7.1-ncclv2.17.1-1-testsv2.13.8")


@case()
def an_image_of_older_days_on_p4d() -> Fleet:
    return running(f"{NCCL}:cuda11.8.0-efa1.30.0-ofiv1.7.1-ncclv2.17.1-1-testsv2.13.8", "p4d.24xlarge")


@case()
def an_image_of_today_on_p5() -> Fleet:
    return running(f"{NCCL}:cuda12.0.0-efa1.30.0-ofiv1.7.2-ncclv2.18.0-1-testsv2.13.8")


@case()
def an_image_that_names_the_release_alone_on_p5() -> Fleet:
    return running(f"{NCCL}:cuda12-efa1.30.0-ofiv1.7.2-ncclv2.18-testsv2.13.8")


@case(f"{IMAGE} @ {PODS}")
def an_image_that_names_an_older_release_alone_on_p5() -> Fleet:
    return running(f"{NCCL}:cuda11-efa1.30.0-ofiv1.7.2-ncclv2.18-testsv2.13.8")


@case(unjudged=(f"{IMAGE} @ {PODS}",))
def an_image_not_yet_known_on_p5() -> Fleet:
    return running(UNKNOWN)


@case()
def an_image_that_says_nothing_on_p5() -> Fleet:
    return running("ghcr.io/their/training:cuda11.8.0")


# p6-image-new-enough


@case(f"{IMAGE_OF_P6} @ {PODS}")
def an_image_of_p5_on_p6_b200() -> Fleet:
    return running(f"{NCCL}:cuda12.6.3-efa1.38.0-ofiv1.14.0-ncclv2.24.3-1-testsv2.13.12", "p6-b200.48xlarge")


@case()
def an_image_of_b200_on_p6_b200() -> Fleet:
    return running(f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4", "p6-b200.48xlarge")


@case(f"{IMAGE_OF_P6} @ {PODS}")
def an_image_of_b200_on_p6_b300() -> Fleet:
    return running(f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4", "p6-b300.48xlarge")


@case()
def an_image_of_today_on_p6_b300() -> Fleet:
    return running(NCCL_TESTS_IMAGE, "p6-b300.48xlarge")


@case(unjudged=(f"{IMAGE_OF_P6} @ {PODS}",))
def an_image_not_yet_known_on_p6_b200() -> Fleet:
    return running(UNKNOWN, "p6-b200.48xlarge")
