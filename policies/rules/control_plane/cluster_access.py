"""Access entries and the aws-auth ConfigMap."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.policies.engine.finding_text import and_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.access_entries import CONFIG_MAP, switch_command

_AT = "control-plane.existing.authentication"


def access_entries_taken(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != CONFIG_MAP:
        return
    off = f"{cluster.name} does not accept access entries (authentication: config-map)"
    switch = f"run {switch_command(cluster.name, fleet.region)}"
    if cluster.place.described:
        switch += f" and set {_AT}: api-and-config-map"
    if cluster.grants:
        got = f"{off}, but the description grants access to {quantity_text(len(cluster.grants), 'principal')}"
        yield rule.finding(cluster, "access", got=got, change=(switch, "list them in aws-auth instead"))
    for group in fleet.of(NodeGroup):
        if group.pool is not None:
            if group.place.described:  # elsewhere, aws-auth may have their role
                got = f"{off}, which the nodes of Karpenter need to join"
                yield rule.finding(group, "provisioned-by", got=got, change=switch)
        elif not group.managed:
            got = f"{off}, which self-managed nodes need to join"
            yield rule.finding(group, "self-managed", got=got, change=(switch, "make the group managed"))


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
