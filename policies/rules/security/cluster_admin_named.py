"""Who is administrator of a cluster."""

from collections.abc import Iterator

from muster.fleet.resources import AccessGrant, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_ADMIN = frozenset({"AmazonEKSClusterAdminPolicy", "cluster-admin"})
_EVERYBODY = frozenset(
    {
        "*",
        "system:anonymous",
        "system:authenticated",
        "system:serviceaccounts",
        "system:unauthenticated",
    }
)
"""Groups and users of Kubernetes that many, or all, are in."""


@rule(
    "cluster-admin-named",
    title="Administrators of a cluster are named, one by one",
    severity=Severity.CRITICAL,
    judges=AccessGrant,
    backends=("eks", "hyperpod"),
    why="Rights over the whole cluster for everybody who is logged in, for every pod, or for an account's root make "
    "each of them its owner: one job reads all secrets and ends everybody else's training.",
    source="Kubernetes, RBAC Good Practices; EKS best practices guide, Security, Identity and access management",
    remedy="Bind a role of IAM or a group of your own, and pods to what they need.",
    facts=("kubernetes#rbac-good-practices",),
)
def cluster_admin_named(grant: AccessGrant, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if grant.rights is not UNKNOWN and grant.rights not in _ADMIN:
        return
    if grant.who is UNKNOWN:
        yield rule.unjudged(grant.place, "who is made administrator of the cluster, not known before creation")
        return
    everybody = {each for each in grant.who if each in _EVERYBODY or each.endswith((":root", "*"))}
    if everybody and grant.rights is UNKNOWN:
        yield rule.unjudged(grant.place, f"the rights of {some(everybody)}, not known before creation")
    elif everybody:
        got = f"{some(everybody)} would be administrator of the cluster ({grant.rights})"
        yield rule.finding(grant.place, got, "name the role or the group that administers it, and nobody else")
