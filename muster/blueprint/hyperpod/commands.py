"""What a person types and looks up to see into a HyperPod cluster. Pure.

Sources: awslabs/ai-on-sagemaker-hyperpod b13e484, `01-ssm-login.md` (the session's target), "Introducing Amazon EKS
support in Amazon SageMaker HyperPod" (AWS blog; log group and streams), SageMaker guide (`list-cluster-nodes`,
"Manually quarantine, replace, or reboot a node").
"""

from collections.abc import Mapping

REPLACE_NODES = "aws sagemaker batch-replace-cluster-nodes"
"""The command that replaces nodes. The guide also has a label, and states that the label needs automatic node recovery.
Neither the guide nor the API's reference states that for the command, so Muster uses it if node recovery is off."""

LOG_STREAMS: Mapping[str, str] = {
    "lifecycle": "LifecycleConfig/GROUP/INSTANCE",
    "deepHealthChecks": "DeepHealthCheckResults/STREAM",
    "healthMonitoring": "SagemakerHealthMonitoringAgent/GROUP/INSTANCE",
}
"""The source of logs -> its streams. HyperPod creates the log group, with the cluster's id in its name."""


def log_group(name: str, id_: str) -> str:
    """The CloudWatch log group of a HyperPod cluster."""
    return f"/aws/sagemaker/Clusters/{name}/{id_}"


def session(id_: str, group: str, region: str) -> str:
    """The command for a shell on a node. INSTANCE is the node's id, which follows ``hyperpod-`` in its name."""
    return f"aws ssm start-session --region {region} --target sagemaker-cluster:{id_}_{group}-INSTANCE"


def list_nodes(name: str, region: str) -> str:
    """The command that lists the nodes with their instance ids."""
    return f"aws sagemaker list-cluster-nodes --region {region} --cluster-name {name}"


def id_of(arn: str) -> str:
    """The cluster's id: the last part of its ARN."""
    return arn.rpartition("/")[2]
