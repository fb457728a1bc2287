"""Kubernetes RBAC for people who create jobs: of EKS's access policies, only one gives rights on custom resources."""

from collections.abc import Iterable, Iterator, Mapping

from muster.addons.addon import Json
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import runs_of, values_of
from muster.config.description.control_plane import Access

_NAME = "muster-jobs"
_RBAC = "rbac.authorization.k8s.io"
_VERSION = f"{_RBAC}/v1"
_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
_READS = ["get", "list", "watch"]
_QUEUES = {"kueue": ("kueue.x-k8s.io", ["localqueues", "workloads"])}
"""Add-on -> what its users read of it: the rules of Kueue's own role `kueue-batch-user-role` (kueue v0.18.6,
`config/components/rbac`)."""


def job_rights(access: Iterable[Access], context: AddonContext) -> Iterator[Json]:
    """The role of those who may create jobs, and a binding in each of their namespaces; nothing if nobody may."""
    groups: dict[str, set[str]] = {}
    for each in access:
        for namespace in (each.namespaces or ("",)) if each.jobs else ():
            groups.setdefault(namespace, set()).update(each.groups)
    if groups:
        yield {"apiVersion": _VERSION, "kind": "ClusterRole", "metadata": {"name": _NAME}, "rules": _rules(context)}
    for namespace, names in sorted(groups.items()):
        where: Mapping[str, str] = {"namespace": namespace} if namespace else {}
        yield {
            "apiVersion": _VERSION,
            "kind": "RoleBinding" if namespace else "ClusterRoleBinding",
            "metadata": {"name": _NAME, **where},
            "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": _NAME},
            "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": each} for each in sorted(names)],
        }


def _rules(context: AddonContext) -> list[Json]:
    """Rights on the jobs of Kubernetes and of the cluster's operators, and to read the queues of Kueue."""
    resources: dict[str, set[str]] = {"batch": {"jobs"}}
    for name in context.chosen:
        for kind in runs_of(CATALOGUE[name], values_of(CATALOGUE[name], context)):
            # The plural of each of these kinds ends in s: mpijobs, trainjobs, rayclusters.
            resources.setdefault(kind.api_version.partition("/")[0], set()).add(f"{kind.kind.lower()}s")
    rights = [(group, sorted(kinds), _VERBS) for group, kinds in sorted(resources.items())]
    rights += [(*_QUEUES[name], _READS) for name in context.chosen if name in _QUEUES]
    return [{"apiGroups": [group], "resources": kinds, "verbs": verbs} for group, kinds, verbs in rights]
