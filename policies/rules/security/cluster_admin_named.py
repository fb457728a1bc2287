"""Administrators of a cluster."""

from collections.abc import Iterator

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import AccessGrant, Fleet
from muster.fleet.resources.iam import SERVICE_ACCOUNT
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN

_ADMIN = frozenset({"AmazonEKSClusterAdminPolicy", "cluster-admin"})
_BROAD_GROUPS = frozenset(
    {"system:anonymous", "system:authenticated", "system:serviceaccounts", "system:unauthenticated"}
)
"""Groups and users of Kubernetes that include many identities, or all."""


@rule(
    "cluster-admin-named",
    title="A cluster names each of its administrators",
    severity=Severity.CRITICAL,
    judges=AccessGrant,
    backends=ON_KUBERNETES,
    why="Administrator rights for every logged-in user, for every pod, or for an account's root let each of them "
    "control the whole cluster. One job can then read all secrets and stop the training of other teams.",
    source="Kubernetes, RBAC Good Practices; EKS best practices guide, Security, Identity and access management",
    remedy="Bind an IAM role or your own group, and give pods only the rights they need.",
    facts=("kubernetes#rbac-good-practices",),
)
def cluster_admin_named(grant: AccessGrant, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if grant.rights is not UNKNOWN and grant.rights not in _ADMIN:
        return
    if grant.who is UNKNOWN:
        yield rule.unjudged(
            grant.place, "the identity that becomes administrator of the cluster (known only after `pulumi up`)"
        )
        return
    broad = {each for each in grant.who if _is_broad(each)}
    if broad and grant.rights is UNKNOWN:
        yield rule.unjudged(grant.place, f"the rights of {and_list(broad)} (known only after `pulumi up`)")
    elif broad:
        role = singular_or_plural(broad, "becomes administrator", "become administrators")
        got = f"{and_list(broad)} {role} of the cluster ({grant.rights})"
        yield rule.finding(grant.place, got, "grant these rights only to the role or group of the administrators")


def _is_broad(who: str) -> bool:
    """Whether it stands for many identities: a group of all, an account, all pods of a namespace, or the default
    ServiceAccount of a namespace, which every pod has that names none."""
    if who.startswith(SERVICE_ACCOUNT):
        return who.endswith(":default")
    return who in _BROAD_GROUPS or who.endswith((":root", "*")) or who.startswith("system:serviceaccounts:")
