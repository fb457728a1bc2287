"""The failures that people reported, by the number that rules cite (`docs/facts/pains.md#N`), and their reports."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pain:
    """A reported failure."""

    what: str
    reported: tuple[str, ...] = ()
    """Threads on GitHub: ``OWNER/NAME#NUMBER``."""
    read_in: str = ""
    """The address of a page that describes the failure, if there is no report."""

    @property
    def links(self) -> str:
        """The threads, or the page, as links."""
        threads = ", ".join(f"[{each}](https://github.com/{each.replace('#', '/issues/')})" for each in self.reported)
        return threads or f"[documentation]({self.read_in})"


PAINS: Mapping[str, Pain] = {
    "pains.md#1": Pain(
        "EFA added a placement group, and only 11 of 16 reserved nodes started (fixed only for managed groups)",
        ("eksctl-io/eksctl#7949", "eksctl-io/eksctl#8220"),
    ),
    "pains.md#2": Pain(
        "the placement group of the module replaced that of the user: insufficient capacity",
        (
            "terraform-aws-modules/terraform-aws-eks#3730",
            "terraform-aws-modules/terraform-aws-eks#3661",
            "terraform-aws-modules/terraform-aws-eks#3699",
            "terraform-aws-modules/terraform-aws-eks#3588",
        ),
    ),
    "pains.md#3": Pain(
        "a key of a reservation in the wrong case was ignored: on-demand nodes, while AWS billed the reservation",
        ("eksctl-io/eksctl#8542", "eksctl-io/eksctl#8320", "eksctl-io/eksctl#7906"),
    ),
    "pains.md#4": Pain(
        "no tool compares the zone and count of a reservation with its group",
        ("modelplaneai/modelplane#184", "modelplaneai/modelplane#113"),
    ),
    "pains.md#5": Pain(
        "without capacity, the node group ends in CREATE_FAILED",
        ("aws/containers-roadmap#2204", "aws/containers-roadmap#2326"),
    ),
    "pains.md#6": Pain(
        "EFA traffic needs a rule with the security group itself as its target: 0.0.0.0/0 does not cover it",
        ("gardener/gardener-extension-provider-aws#1832", "aws/aws-ofi-nccl#663"),
    ),
    "pains.md#7": Pain(
        "if one attached security group lacks that rule, the EFA check of HyperPod fails",
        ("awslabs/awsome-distributed-ai#259",),
    ),
    "pains.md#8": Pain(
        "HyperPod rolls back with empty logs: the zone lacks the type, the quota is too low, or a script fails",
        (
            "awslabs/awsome-distributed-ai#204",
            "awslabs/awsome-distributed-ai#198",
            "awslabs/awsome-distributed-ai#186",
            "awslabs/awsome-distributed-ai#188",
        ),
    ),
    "pains.md#9": Pain(
        "the job runs over TCP: its pods requested no EFA interfaces, or one of four",
        (
            "skypilot-org/skypilot#10055",
            "skypilot-org/skypilot#8391",
            "NVIDIA/aicr#2275",
            "NVIDIA/aicr#2276",
            "awslabs/ai-on-sagemaker-hyperpod#134",
        ),
    ),
    "pains.md#10": Pain(
        "the EFA plugin crashes on nodes without EFA, and before 0.5.10 counts 10 interfaces on p6-b200",
        ("aws/sagemaker-hyperpod-cli#367", "aws/sagemaker-hyperpod-cli#282", "aws/eks-charts#1239"),
    ),
    "pains.md#11": Pain(
        "NVIDIA's plugin 0.19.0 to 0.19.2, or a host's /dev/infiniband, takes EFA away from the pods",
        ("NVIDIA/k8s-device-plugin#1692", "aws-samples/aws-do-eks#63"),
    ),
    "pains.md#12": Pain(
        "interfaces counted as network cards, and device index 2, which EC2 refuses",
        (
            "eksctl-io/eksctl#8685",
            "eksctl-io/eksctl#8692",
            "eksctl-io/eksctl#7520",
            "terraform-aws-modules/terraform-aws-eks#2654",
            "terraform-aws-modules/terraform-aws-eks#3653",
        ),
    ),
    "pains.md#13": Pain(
        "two operators, one with MPIJob v1 and one with v2beta1",
        ("kubeflow/trainer#1930", "kubeflow/trainer#1972", "kubeflow/trainer#1777", "kubernetes-sigs/kueue#13035"),
    ),
    "pains.md#14": Pain(
        "closed ports of Lustre, two subnets for one file system, file systems created until the subnet was full",
        (
            "kubernetes-sigs/aws-fsx-csi-driver#32",
            "kubernetes-sigs/aws-fsx-csi-driver#47",
            "kubernetes-sigs/aws-fsx-csi-driver#433",
        ),
    ),
    "pains.md#15": Pain(
        "a size or throughput that Lustre does not support, which only AWS refuses",
        ("hashicorp/terraform-provider-aws#24341", "hashicorp/terraform-provider-aws#39462"),
    ),
    "pains.md#16": Pain(
        "ParallelCluster's validators: too strict, too lax, or wrong about a group of reservations; since 3.15 "
        "even EFA on one card has two interfaces, and so no public IP",
        (
            "aws/aws-parallelcluster#3590",
            "aws/aws-parallelcluster#4061",
            "aws/aws-parallelcluster#4342",
            "aws/aws-parallelcluster#7252",
            "aws/aws-parallelcluster#7457",
            "aws/aws-parallelcluster#7465",
        ),
    ),
    "pains.md#17": Pain(
        "several Capacity Blocks of one type in one zone, of which Karpenter used one (until September 2025)",
        ("aws/karpenter-provider-aws#8514",),
    ),
    "pains.md#18": Pain(
        "the tool cannot choose the zone, and has no component for EFA",
        ("pulumi/pulumi-eks#95", "pulumi/pulumi-eks#1593", "awslabs/cdk-eks-blueprints#1237"),
    ),
    "pains.md#19": Pain(
        "an instance that allows 14 pods, too few for the add-ons; a zone id that exists in only one Region",
        ("awslabs/ai-on-sagemaker-hyperpod#142",),
    ),
    "pains.md#20": Pain(
        "huge pages without a unit, and an image that allocated none",
        ("aws-neuron/aws-neuron-sdk#109", "awslabs/amazon-eks-ami#2367"),
    ),
    "pains.md#21": Pain(
        "the subnet of a launch template conflicts with that of the group, and a zone lacks the type",
        ("aws-samples/aws-efa-eks#19", "awslabs/data-on-eks#421"),
    ),
    "pains.md#22": Pain("five conditions that switch EFA off without an error", ("NVIDIA/nvcf#1349",)),
    "pains.md#trap-1": Pain(
        "a Python policy that reads a value that is unknown in a preview is skipped with a notice",
        ("pulumi/pulumi#22248", "pulumi/pulumi#3950", "pulumi/pulumi-policy#218"),
    ),
    "pains.md#trap-2": Pain(
        "`destroy` does not return a Capacity Block that a program bought",
        read_in="https://www.pulumi.com/registry/packages/aws/api-docs/ec2/capacityblockreservation/",
    ),
}
"""Every reported failure."""

_HEAD = """# Reported failures

Generated from `tools/rules_pages/pains.py`. People reported these failures when they built such clusters. A rule cites
an entry by its number (`pains.md#4`). The list of rules shows
[what prevents each](../rules/README.md#what-people-ran-into-and-what-prevents-it). Threads were read in November 2026.

| | failure | reported in |
|---|---|---|
"""


def page() -> str:
    """`docs/facts/pains.md`: a row with an anchor for each failure."""
    rows = [(fact.partition("#")[2], pain) for fact, pain in PAINS.items()]
    return _HEAD + "".join(f'| <a id="{number}"></a>{number} | {pain.what} | {pain.links} |\n' for number, pain in rows)
