"""The words of the rules about pods: what was found, what to do."""

from tests.policies.words.said import all_missed, all_said, said

POD = "spec.template.spec"

WORDS = [
    (
        "pods.one_huge_page_more_than_set_aside",
        "huge-pages-within-node",
        f"{POD} asks 10258Mi of hugepages-2Mi; nodes of workers set 10256Mi of hugepages-2Mi aside",
        "ask for 10256Mi of hugepages-2Mi at most, or set more aside in user data",
    ),
    (
        "pods.huge_pages_of_nodes_that_set_none_aside",
        "huge-pages-within-node",
        f"{POD} asks 5Gi of hugepages-2Mi; nodes of workers set 0 of hugepages-2Mi aside",
        "set pages aside in user data (vm.nr_hugepages)",
    ),
    (
        "pods.one_gpu_more_than_a_node_has",
        "devices-within-instance",
        f"{POD} asks 9 nvidia.com/gpu; a node of workers (p5.48xlarge) has 8",
        "ask for 8 at most, with more pods",
    ),
    (
        "pods.more_gpus_than_the_first_of_two_kinds_of_nodes_has",
        "devices-within-instance",
        f"{POD} asks 9 nvidia.com/gpu; a node of p4de.24xlarge (p4de.24xlarge) has 8",
        "ask for 8 at most, with more pods",
    ),
    (
        "pods.more_gpus_than_the_second_of_two_kinds_of_nodes_has",
        "devices-within-instance",
        f"{POD} asks 9 nvidia.com/gpu; a node of p4de.24xlarge (p4de.24xlarge) has 8",
        "ask for 8 at most, with more pods",
    ),
    (
        "pods.another_kind_of_accelerator",
        "devices-within-instance",
        f"{POD} asks 1 aws.amazon.com/neuron; a node of workers (p5.48xlarge) has 0",
        "ask for nodes that have aws.amazon.com/neuron",
    ),
    (
        "pods.devices_of_two_kinds_of_nodes_together",
        "devices-within-instance",
        (
            f"{POD} asks 1 aws.amazon.com/neuron and 8 nvidia.com/gpu, which no node has together; a node of "
            "p4de.24xlarge (p4de.24xlarge) has 0 aws.amazon.com/neuron"
        ),
        "ask for what a p4de.24xlarge has, or for nodes that have all of it",
    ),
    (
        "pods.memory_of_a_node_without_the_devices",
        "pod-fits-node",
        f"{POD} asks 614400Mi of memory; the kubelet leaves 524033Mi of a trn1.32xlarge",
        "ask for less than 524033Mi, which the node's daemons share",
    ),
    (
        "pods.cpus_of_one_node_and_memory_of_another",
        "pod-fits-node",
        (
            f"{POD} asks 100000m of cpu and 614400Mi of memory, which no node has together; the kubelet leaves 95690m "
            "of cpu of a p4de.24xlarge"
        ),
        "ask for less than 95690m of cpu, or for nodes that have both",
    ),
    (
        "pods.all_gpus_and_one_interface",
        "whole-node-asks-all-efa",
        f"{POD} asks 8 nvidia.com/gpu, all of a node of workers, and 1 of its 32 EFA interfaces",
        "write vpc.amazonaws.com/efa: 32 under its limits",
    ),
    (
        "pods.half_of_the_gpus_and_all_interfaces",
        "part-of-node-asks-part-of-efa",
        f"{POD} asks 4 of 8 nvidia.com/gpu of a node of workers, and all 32 EFA interfaces",
        "write vpc.amazonaws.com/efa: 16 under its limits",
    ),
    (
        "pods.requested_without_a_limit",
        "devices-asked-as-limits",
        f"{POD}.containers[0] requests 32 vpc.amazonaws.com/efa with no limit",
        "write vpc.amazonaws.com/efa: 32 under limits, too",
    ),
    (
        "pods.huge_pages_without_a_unit",
        "huge-pages-whole",
        f"{POD}.containers[0] says hugepages-2Mi: 256 under limits, 256 bytes: not a multiple of the page's 2097152",
        "write hugepages-2Mi: 256Mi if MiB are meant, 512Mi if pages are",
    ),
    (
        "pods.a_part_of_a_huge_page",
        "huge-pages-whole",
        (
            f"{POD}.containers[0] says hugepages-2Mi: 5Mi under limits, 5242880 bytes: "
            "not a multiple of the page's 2097152"
        ),
        "write a multiple of 2Mi, as in 4Mi",
    ),
    (
        "pods.huge_pages_alone",
        "huge-pages-beside-memory",
        f"{POD}.containers[0] asks hugepages-2Mi, and neither CPU nor memory",
        "ask for memory, too, as in memory: 32000Mi",
    ),
    (
        "pods.all_cpus_of_a_node_in_two_containers",
        "pod-fits-node",
        f"{POD} asks 192000m of cpu; the kubelet leaves 191450m of a p5.48xlarge",
        "ask for less than 191450m, which the node's daemons share",
    ),
    (
        "pods.one_device_file_from_the_node",
        "infiniband-not-from-host",
        f"{POD} mounts /dev/infiniband/uverbs0 of its node (volume volume-1)",
        "remove the volume, and ask for vpc.amazonaws.com/efa under resources.limits",
    ),
    (
        "pods.two_devices_of_a_torus",
        "neuron-devices-connected",
        f"{POD} asks 2 aws.amazon.com/neuron of a trn1.32xlarge",
        "ask for 1 or 4",
    ),
]


test_words = all_said(WORDS)


test_words_for_what_is_missing = all_missed(
    [
        (
            "pods.huge_pages_of_nodes_of_which_some_say_nothing",
            "huge-pages-within-node",
            "how many huge pages the nodes of silent have",
        ),
        (
            "pods.huge_pages_that_nobody_speaks_of",
            "huge-pages-within-node",
            "how many huge pages the nodes of workers have",
        ),
        (
            "pods.huge_pages_of_nodes_that_are_not_here",
            "huge-pages-within-node",
            f"how many huge pages the nodes of {POD} have",
        ),
        (
            "pods.interfaces_not_yet_known",
            "devices-within-instance",
            "how many vpc.amazonaws.com/efa the nodes of workers have",
        ),
        ("pods.devices_of_nodes_that_are_not_here", "devices-within-instance", f"the nodes that {POD} is for"),
    ]
)


def test_an_old_image_is_told_all_that_is_old_in_it() -> None:
    """Each by its own name, as NVIDIA and AWS call it."""
    found = {got for got, _ in said("pods.an_image_of_older_days_on_p5", "p5-image-new-enough")}
    run = f"{POD}.containers[0] runs"
    assert found == {f"{run} {what} on p5" for what in ("CUDA 11.8.0", "NCCL 2.17.1", "aws-ofi-nccl 1.7.1")}
