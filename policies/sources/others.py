"""Documents of other projects, and what sources say of Muster itself."""

from policies.sources.document import Document

_KUBERNETES = "https://kubernetes.io/docs"

OTHERS = (
    Document(
        ("Kubernetes API",),
        f"{_KUBERNETES}/reference/kubernetes-api/",
        f"{_KUBERNETES}/reference/kubernetes-api/workload-resources/pod-v1/#{{}}",
        {"NodeSelectorRequirement": "NodeSelectorRequirement", "PodSpec": "PodSpec"},
    ),
    Document(
        ("Kubernetes",),
        f"{_KUBERNETES}/home/",
        f"{_KUBERNETES}/{{}}/",
        {
            "Manage HugePages": "tasks/manage-hugepages/scheduling-hugepages",
            "Well-Known Labels": "reference/labels-annotations-taints",
        },
    ),
    Document(
        ("Kubernetes pkg/apis/core/validation",),
        "https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/apis/core/validation/validation.go",
    ),
    Document(("kubelet --node-labels",), f"{_KUBERNETES}/reference/command-line-tools-reference/kubelet/"),
    Document(("Karpenter NodeClass docs",), "https://karpenter.sh/docs/concepts/nodeclasses/"),
    Document(("Helm guide, values files",), "https://helm.sh/docs/chart_template_guide/values_files/"),
    Document(("Helm, ownership of resources",), "https://helm.sh/docs/helm/helm_install/"),
    Document(
        ("Pulumi Registry, aws.ec2.CapacityBlockReservation",),
        "https://www.pulumi.com/registry/packages/aws/api-docs/ec2/capacityblockreservation/",
    ),
    Document(
        ("botocore sagemaker 2017-07-24",),
        "https://github.com/boto/botocore/tree/1.44.5/botocore/data/sagemaker/2017-07-24",
    ),
    Document(("cert-manager, Supported Releases",), "https://cert-manager.io/docs/releases/"),
    Document(
        ("NVIDIA, Blackwell Compatibility Guide",),
        "https://docs.nvidia.com/cuda/archive/13.0.0/blackwell-compatibility-guide/index.html",
    ),
    Document(("etcd upgrade guide 3.6",), "https://etcd.io/docs/v3.6/upgrades/upgrade_3_6/"),
)
"""What other projects publish."""

OWN = (
    "addons/",
    "charts and manifests of the operators",
    "muster/versions.py",
    "quota codes as in public repositories",
    "the catalogue's capacity_block column",
    "the charts' templates",
)
"""What sources begin with where they speak of Muster's own tables, or of many places: words without an address. A rule
has another source beside them."""
