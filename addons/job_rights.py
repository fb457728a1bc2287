"""Kubernetes RBAC for people who create jobs: of EKS's access policies, only one gives rights on custom resources."""

from collections.abc import Iterable, Iterator, Mapping

from muster.addons.addon import Json
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import runs_of, values_of
from muster.addons.workload import JobKind
from muster.config.description.control_plane import Access

_NAME = "muster-jobs"
_RBAC = "rbac.authorization.k8s.io"
_VERSION = f"{_RBAC}/v1"
_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
_OF_KUBERNETES = JobKind("batch/v1", "Job")
_READS = ["get", "list", "watch"]
_QUEUES = {"kueue": ("kueue.x-k8s.io", ["localqueues", "workloads"])}
"""Add-on -> what its users read of it: the rules of Kueue's own role `kueue-batch-user-role` (kueue v0.18.6,
`config/components/rbac`)."""


def job_kinds(context: AddonContext) -> tuple[JobKind, ...]:
    """The kinds of jobs that the operators of a cluster run."""
    known = ((CATALOGUE[name], name) for name in context.chosen)
    return tuple(kind for addon, _ in known for kind in runs_of(addon, values_of(addon, context)))


def job_rights(access: Iterable[Access], context: AddonContext) -> tuple[Json, ...]:
    """The role of those who may create jobs, and its bindings; nothing if nobody may."""
    allowed = [each for each in access if each.jobs]
    return (_role(context), *_bindings(allowed)) if allowed else ()


def _role(context: AddonContext) -> Json:
    resources: dict[str, set[str]] = {}
    for each in (_OF_KUBERNETES, *job_kinds(context)):
        # The plural of each of these kinds ends in s: mpijobs, trainjobs, rayclusters.
        resources.setdefault(each.api_version.partition("/")[0], set()).add(f"{each.kind.lower()}s")
    rules = [_rule(group, sorted(kinds), _VERBS) for group, kinds in sorted(resources.items())]
    rules += [_rule(*_QUEUES[name], _READS) for name in context.chosen if name in _QUEUES]
    return {"apiVersion": _VERSION, "kind": "ClusterRole", "metadata": {"name": _NAME}, "rules": rules}


def _rule(group: str, resources: list[str], verbs: list[str]) -> Json:
    return {"apiGroups": [group], "resources": resources, "verbs": verbs}


def _bindings(allowed: list[Access]) -> Iterator[Json]:
    """A binding in each namespace, or one for all of them."""
    by_namespace: dict[str, set[str]] = {}
    for each in allowed:
        for namespace in each.namespaces or ("",):
            by_namespace.setdefault(namespace, set()).update(each.groups)
    for namespace, groups in sorted(by_namespace.items()):
        where: Mapping[str, str] = {"namespace": namespace} if namespace else {}
        yield {
            "apiVersion": _VERSION,
            "kind": "RoleBinding" if namespace else "ClusterRoleBinding",
            "metadata": {"name": _NAME, **where},
            "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": _NAME},
            "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": each} for each in sorted(groups)],
        }
