"""Who writes the aws-auth ConfigMap of a cluster that exists."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some


@rule(
    "aws-auth-kept",
    title="Nobody else writes the whole aws-auth ConfigMap of a cluster that managed groups join by it",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    why="EKS lists a managed group's role in aws-auth. A tool that owns the whole ConfigMap (pulumi-eks, older modules "
    "of Terraform) takes the line out at its next run, and the nodes turn NotReady.",
    source="EKS user guide, auth-configmap and delete-managed-node-group; pulumi-eks#883",
    remedy="Switch the cluster to API_AND_CONFIG_MAP: then access entries count too.",
    facts=("hardware.md#R21",),
)
def aws_auth_kept(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != "CONFIG_MAP":
        return
    managed = [group.ref.name for group in fleet.of(NodeGroup) if group.managed]
    if managed:
        yield rule.finding(
            cluster.place,
            at="control-plane.existing.authentication",
            got=f"EKS will list the roles of {some(managed)} in aws-auth of {cluster.name}, where another owner may "
            "take them out again",
            remedy=f"ask who writes aws-auth, or run `aws eks update-cluster-config --name {cluster.name} "
            "--access-config authenticationMode=API_AND_CONFIG_MAP`",
        )
