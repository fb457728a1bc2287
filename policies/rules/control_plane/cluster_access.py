"""Access entries and the aws-auth ConfigMap."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from policies.engine.finding_text import and_list, quantity_text
from policies.engine.rule import Rule, Severity, Verdict, rule

_AT = "control-plane.existing.authentication"
_CONFIG_MAP = "CONFIG_MAP"
_BY_HAND = (
    "`kubectl describe configmap -n kube-system aws-auth` shows who is let in, and `kubectl edit configmap -n "
    "kube-system aws-auth` adds under mapRoles: `- {rolearn: arn:aws:iam::ACCOUNT:role/NODE-ROLE, username: "
    "'system:node:{{EC2PrivateDNSName}}', groups: ['system:bootstrappers', 'system:nodes']}`"
)


@rule(
    "access-entries-taken",
    title="A cluster whose access entries are off is asked for none",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="With authenticationMode CONFIG_MAP a cluster lets in whom its aws-auth ConfigMap lists, and refuses access "
    "entries: neither people nor self-managed nodes, which join by one, get in.",
    source="EKS user guide, Grant IAM users access to Kubernetes; EKS API, CreateAccessEntry",
    remedy="Switch the cluster to API_AND_CONFIG_MAP, or use managed groups.",
    facts=("hardware.md#R21",),
)
def access_entries_taken(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != _CONFIG_MAP:
        return
    off = f"{cluster.name} takes no access entries (authentication: config-map)"
    region = f" --region {fleet.region}" if fleet.region else ""
    switch = (
        f"`aws eks update-cluster-config --name {cluster.name}{region} --access-config "
        "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back; what aws-auth lists stays in), then "
        f"say {_AT.rpartition('.')[2]}: api-and-config-map"
    )
    if cluster.grants:
        got = f"{off}, and {quantity_text(len(cluster.grants), 'principal')} would get one"
        edit = "or remove it and list them in aws-auth (`kubectl edit configmap -n kube-system aws-auth`)"
        yield rule.finding(cluster.place, at="access", got=got, remedy=f"switch it: {switch}; {edit}")
    for group in fleet.of(NodeGroup):
        if not group.managed:
            yield rule.finding(
                group.place,
                at="self-managed",
                got=f"{off}, by which self-managed nodes join",
                remedy=f"switch it: {switch}; or make the group managed: EKS lists its role in aws-auth. For nodes "
                f"that are not Muster's: {_BY_HAND}",
            )


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
            got=f"EKS will list the roles of {and_list(managed)} in aws-auth of {cluster.name}, where another owner "
            "may "
            "take them out again",
            remedy=f"ask who writes aws-auth, or run `aws eks update-cluster-config --name {cluster.name} "
            "--access-config authenticationMode=API_AND_CONFIG_MAP`",
        )
