"""What is wrong with the example programs of other teams: every rule that finds something, and where."""

from tests.stack_files import ROOT

EXAMPLES = ROOT / "examples"

_EKS = "urn:pulumi:dev::llm-pretraining::"
_COMPONENT = "urn:pulumi:dev::finetuning::"
_HYPERPOD = "urn:pulumi:dev::research-hyperpod::"
_GROUP = "aws:eks/nodeGroup:NodeGroup::workers"
_OF_CLUSTER = "eks:index:Cluster$aws:eks/cluster:Cluster::finetuning-eksCluster"
_OF_GROUP = "eks:index:ManagedNodeGroup$aws:ec2/launchTemplate:LaunchTemplate::workers-launchTemplate"

FINDS: dict[str, set[tuple[str, str]]] = {
    "foreign-eks": {
        ("addon-supports-kubernetes", f"{_EKS}aws:eks/addon:Addon::vpc-cni"),
        ("efa-security-groups-allow-themselves", f"{_EKS}aws:ec2/securityGroup:SecurityGroup::efa"),
        ("imds-out-of-pods", f"{_EKS}aws:ec2/launchTemplate:LaunchTemplate::workers"),
        ("node-template-reaches-control-plane", f"{_EKS}{_GROUP}"),
        ("reservation-covers-nodes", f"{_EKS}{_GROUP}"),
        ("reservation-zone-matches-subnet", f"{_EKS}{_GROUP}"),
    },
    "foreign-eks-component": {
        ("api-not-open-to-all", f"{_COMPONENT}{_OF_CLUSTER}"),
        ("devices-within-instance", f"{_COMPONENT}kubernetes:batch/v1:Job::finetune"),
        ("gpu-operator-leaves-the-image", f"{_COMPONENT}kubernetes:helm.sh/v3:Release::gpu-operator"),
        ("imds-out-of-pods", f"{_COMPONENT}{_OF_GROUP}"),
        ("one-plugin-per-device", f"{_COMPONENT}kubernetes:helm.sh/v3:Release::nvidia-device-plugin"),
        ("plugin-reaches-its-nodes", f"{_COMPONENT}kubernetes:helm.sh/v3:Release::aws-efa-k8s-device-plugin"),
    },
    "foreign-hyperpod": {
        ("efa-single-zone", f"{_HYPERPOD}aws-native:sagemaker:Cluster::research"),
        ("hyperpod-authentication-mode", f"{_HYPERPOD}aws:eks/cluster:Cluster::research"),
        ("hyperpod-chart-before-cluster", f"{_HYPERPOD}aws-native:sagemaker:Cluster::research"),
        ("hyperpod-security-groups-allow-themselves", f"{_HYPERPOD}aws:ec2/securityGroup:SecurityGroup::nodes"),
        ("lifecycle-source-prefix", f"{_HYPERPOD}aws:s3/bucket:Bucket::scripts"),
        ("node-template-reaches-control-plane", f"{_HYPERPOD}aws-native:sagemaker:Cluster::research"),
    },
}
"""Example -> (rule, URN), exact."""
