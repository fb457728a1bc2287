"""Access entries against the authentication mode of a cluster that exists."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from policies.rule import Rule, Verdict, rule
from policies.words import number

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
        got = f"{off}, and {number(len(cluster.grants), 'principal')} would get one"
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
