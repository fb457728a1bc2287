"""Facts of EKS clusters that exist, and of Kubernetes versions."""

from pydantic import StrictBool

from muster.fleet.description.identifiers import SecurityGroupId, VpcId
from muster.fleet.facts.fact import EXISTS, Fact, Moment, a_fact


class ClusterFacts(Fact):
    """What EKS says of a cluster that groups join, and SageMaker of the HyperPod clusters on it."""

    exists: StrictBool | None = a_fact(EXISTS)
    version: str | None = a_fact("Its Kubernetes version, as in 1.35")
    vpc: VpcId | None = a_fact("The VPC that it is in")
    security_group: SecurityGroupId | None = a_fact("The group that EKS made for it: vpcConfig.clusterSecurityGroupId")
    authentication: str | None = a_fact("accessConfig.authenticationMode, as in API_AND_CONFIG_MAP")
    state: str | None = a_fact("status, as in ACTIVE")
    eks_addons: dict[str, str] | None = a_fact("EKS add-on -> version, as in vpc-cni -> v1.23.1-eksbuild.1")
    hyperpod_clusters: tuple[str, ...] | None = a_fact(
        "The HyperPod clusters on it, by name (`aws sagemaker describe-cluster`: Orchestrator.Eks.ClusterArn); one of "
        "this stack's name is its own"
    )
    hyperpod_chart: StrictBool | None = a_fact("HyperPod's chart is installed on it (`helm list -A`)")


class KubernetesVersionFacts(Fact):
    """What EKS says of one Kubernetes version (`DescribeClusterVersions`)."""

    offered: StrictBool | None = a_fact("Whether new clusters may have it")
    end_of_standard: Moment | None = a_fact("endOfStandardSupportDate")
    end_of_extended: Moment | None = a_fact("endOfExtendedSupportDate")
