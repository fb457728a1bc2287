"""Applications of Argo CD: one for each part, in waves, and one that applies them.

Fields: argo-cd `manifests/crds/application-crd.yaml`. Its user guide, "Helm": an OCI registry is written without its
scheme; "Sync Options": server-side apply takes CRDs that are too large for an annotation, and a dry run fails while a
CRD is missing. A wave waits for the one before only if `argocd-cm` has the health check of Applications ("Resource
Health", "Argocd App"); without it, `retry` brings every Application to the same end.
"""

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folders, thing
from muster.addons.releases import OCI
from muster.plain_data import merged

_NAMESPACE = "argocd"
_HERE = "in-cluster"
"""Argo CD's name of the cluster on which it runs."""
_FINALIZER = "resources-finalizer.argocd.argoproj.io"
_POLICY = {
    "automated": {"prune": True, "selfHeal": True},
    "retry": {"limit": -1, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"}},
    "syncOptions": [
        "CreateNamespace=true",
        "ServerSideApply=true",
        "SkipDryRunOnMissingResource=true",
        "RespectIgnoreDifferences=true",
    ],
}
_IGNORED = [
    {
        "group": "admissionregistration.k8s.io",
        "kind": kind,
        "jqPathExpressions": [".webhooks[]?.clientConfig.caBundle"],
    }
    for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
]
"""Operators write the certificate of their webhooks themselves."""


def files(parts: tuple[Part, ...], target: Target) -> Files:
    """All files."""
    waves: dict[str, int] = {}
    for each in parts:
        waves[each.name] = 1 + max((waves[name] for name in each.after), default=-1)
    listed = {**_folder(target), "directory": {"include": "applications.yaml"}}
    root = _application(f"{target.destination or target.name}-add-ons", listed, _HERE, _NAMESPACE)
    below = [_of_part(each, waves[each.name], target) for each in parts]
    return {"root.yaml": [root], "applications.yaml": below, **folders(parts)}


def _of_part(part: Part, wave: int, target: Target) -> Json:
    prefix = f"{target.destination}-" if target.destination else ""
    annotations = {"argocd.argoproj.io/sync-wave": str(wave)}
    own = {"annotations": annotations, **({} if part.kept else {"finalizers": [_FINALIZER]})}
    made = _application(prefix + part.name, _source(part, target), target.destination or _HERE, part.namespace)
    return merged(made, {"metadata": own})


def _application(name: str, source: Json, cluster: str, namespace: str) -> Json:
    there = {"name": cluster, "namespace": namespace}
    spec = {"project": "default", "source": source, "destination": there, "syncPolicy": _POLICY}
    return thing("argoproj.io/v1alpha1/Application", name, _NAMESPACE, {**spec, "ignoreDifferences": _IGNORED})


def _source(part: Part, target: Target) -> Json:
    if not (made := part.release):
        return _folder(target, part.name)
    return {
        "repoURL": made.repository.removeprefix(OCI),
        "chart": made.chart,
        "targetRevision": made.version,
        "helm": {"releaseName": made.name, "valuesObject": dict(made.values)},
    }


def _folder(target: Target, name: str = "") -> Json:
    return {"repoURL": target.repository, "targetRevision": "HEAD", "path": target.folder(name)}
