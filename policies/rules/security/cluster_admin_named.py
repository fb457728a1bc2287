"""Who is administrator of a cluster."""

from collections.abc import Iterator

from muster.fleet.resources import AccessGrant, Fleet
from muster.fleet.resources.iam import SERVICE_ACCOUNT
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule

_ADMIN = frozenset({"AmazonEKSClusterAdminPolicy", "cluster-admin"})
_EVERYBODY = frozenset({"system:anonymous", "system:authenticated", "system:serviceaccounts", "system:unauthenticated"})
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
    everybody = {each for each in grant.who if _is_everybody(each)}
    if everybody and grant.rights is UNKNOWN:
        yield rule.unjudged(grant.place, f"the rights of {and_list(everybody)}, not known before creation")
    elif everybody:
        got = f"{and_list(everybody)} would be administrator of the cluster ({grant.rights})"
        yield rule.finding(grant.place, got, "name the role or the group that administers it, and nobody else")


def _is_everybody(who: str) -> bool:
    """Many at once: a group of all, an account, all pods of a namespace; or its default ServiceAccount, which every pod
    has that names none."""
    if who.startswith(SERVICE_ACCOUNT):
        return who.endswith(":default")
    return who in _EVERYBODY or who.endswith((":root", "*")) or who.startswith("system:serviceaccounts:")
