"""Access entries and the aws-auth ConfigMap."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.access_entries import CONFIG_MAP, switch_command

_AT = "control-plane.existing.authentication"


@rule(
    "access-entries-taken",
    title="Access entries are only for a cluster that accepts them",
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="With CONFIG_MAP, a cluster authenticates only the identities in its aws-auth ConfigMap, and rejects access "
    "entries. Then neither people nor self-managed nodes, which join by an access entry, have access. The switch to "
    "API_AND_CONFIG_MAP takes minutes and cannot be undone; aws-auth stays valid.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/grant-k8s-access.html",
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAccessEntry.html",
    ),
    remedy="Switch the cluster to API_AND_CONFIG_MAP, or use managed groups, whose role EKS lists in aws-auth. For "
    "nodes that Muster does not create, add their role: `kubectl describe configmap -n kube-system aws-auth` prints "
    "the identities that have access. With `kubectl edit configmap -n kube-system aws-auth`, add under mapRoles: "
    "`- {rolearn: arn:aws:iam::ACCOUNT:role/NODE-ROLE, username: 'system:node:{{EC2PrivateDNSName}}', "
    "groups: ['system:bootstrappers', 'system:nodes']}`.",
    facts=("hardware.md#R21",),
)
def access_entries_taken(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != CONFIG_MAP:
        return
    off = f"{cluster.name} does not accept access entries (authentication: config-map)"
    switch = f"run {switch_command(cluster.name, fleet.region)}"
    if cluster.place.described:
        switch += f" and set {_AT}: api-and-config-map"
    if cluster.grants:
        got = f"{off}, but the description grants access to {count_noun(len(cluster.grants), 'principal')}"
        yield rule.finding(cluster, "access", got=got, change=(switch, "list them in aws-auth instead"))
    for group in fleet.of(NodeGroup):
        if group.pool is not None:
            if group.place.described:  # elsewhere, aws-auth may have their role
                got = f"{off}, which the nodes of Karpenter need to join"
                yield rule.finding(group, "provisioned-by", got=got, change=switch)
        elif not group.managed:
            got = f"{off}, which self-managed nodes need to join"
            yield rule.finding(group, "self-managed", got=got, change=(switch, "make the group managed"))


@rule(
    "aws-auth-kept",
    title="No other tool overwrites the aws-auth ConfigMap by which managed groups join a cluster",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    why="EKS lists a managed group's role in aws-auth. A tool that owns the whole ConfigMap (pulumi-eks, older "
    "Terraform modules) removes the line at its next run, and the nodes become NotReady.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html",
        "https://github.com/pulumi/pulumi-eks/issues/883",
    ),
    remedy="Switch the cluster to API_AND_CONFIG_MAP: then access entries also count.",
    facts=("hardware.md#R21",),
)
def aws_auth_kept(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != CONFIG_MAP:
        return
    managed = [group.ref.name for group in fleet.of(NodeGroup) if group.managed]
    if managed:
        yield rule.finding(
            cluster,
            _AT,
            got=f"EKS adds the roles of {and_list(managed)} to aws-auth of {cluster.name}, where another tool may "
            "remove them",
            change=("ask who writes aws-auth", f"run {switch_command(cluster.name, fleet.region)}"),
        )
