"""Applications of Argo CD: one for each part, in waves, and one that applies them.

Fields: argo-cd `manifests/crds/application-crd.yaml`. Its user guide, "Helm": an OCI registry is written without its
scheme; "Sync Options": server-side apply takes CRDs that are too large for an annotation, and a dry run fails while a
CRD is missing. A wave waits for the one before only if `argocd-cm` has the health check of Applications ("Resource
Health", "Argocd App"); without it, `retry` brings every Application to the same end.
"""

from typing import Any

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folder_of
from muster.addons.releases import OCI

HEALTH = "https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app"

_NAMESPACE = "argocd"
_VERSION = "argoproj.io/v1alpha1"
_FINALIZER = "resources-finalizer.argocd.argoproj.io"
_KEEP = ("argocd.argoproj.io/sync-options", "Prune=false,Delete=false")
_RETRY = {"limit": -1, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"}}
_AUTHORITY = {
    "group": "admissionregistration.k8s.io",
    "jqPathExpressions": [".webhooks[]?.clientConfig.caBundle"],
}
"""Operators write the certificate of their webhooks themselves."""


def files(parts: tuple[Part, ...], target: Target) -> Files:
    """All files."""
    prefix = f"{target.destination}-" if target.destination else ""
    waves: dict[str, int] = {}
    for each in parts:
        waves[each.name] = 1 + max((waves[name] for name in each.after), default=-1)
    written: Files = {"applications.yaml": [_application(each, prefix, waves[each.name], target) for each in parts]}
    for each in parts:
        written |= folder_of(each, *_KEEP)
    source = {**_folder(target, "."), "directory": {"include": "applications.yaml"}}
    here = {"server": "https://kubernetes.default.svc", "namespace": _NAMESPACE}
    return {"root.yaml": [_made(f"{target.destination or target.name}-add-ons", source, here, {})], **written}


def _application(part: Part, prefix: str, wave: int, target: Target) -> Json:
    there = {"name": target.destination} if target.destination else {"server": "https://kubernetes.default.svc"}
    options = ["ServerSideApply=true", "SkipDryRunOnMissingResource=true", "RespectIgnoreDifferences=true"]
    if part.makes_namespace:
        options.insert(0, "CreateNamespace=true")
    metadata: Json = {"annotations": {"argocd.argoproj.io/sync-wave": str(wave)}}
    if not part.kept:
        metadata["finalizers"] = [_FINALIZER]
    made = _made(f"{prefix}{part.name}", _source(part, target), {**there, "namespace": part.namespace}, metadata)
    made["spec"]["syncPolicy"]["syncOptions"] = options
    kinds = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
    made["spec"]["ignoreDifferences"] = [{"kind": kind, **_AUTHORITY} for kind in kinds]
    return made


def _made(name: str, source: Json, destination: Json, metadata: Json) -> Json:
    policy: dict[str, Any] = {"automated": {"prune": True, "selfHeal": True}, "retry": _RETRY}
    return {
        "apiVersion": _VERSION,
        "kind": "Application",
        "metadata": {"name": name, "namespace": _NAMESPACE, **metadata},
        "spec": {"project": "default", "source": source, "destination": destination, "syncPolicy": policy},
    }


def _source(part: Part, target: Target) -> Json:
    if not (made := part.release):
        return _folder(target, part.name)
    return {
        "repoURL": made.repository.removeprefix(OCI),
        "chart": made.chart,
        "targetRevision": made.version,
        "helm": {"releaseName": made.name, "valuesObject": dict(made.values)},
    }


def _folder(target: Target, name: str) -> Json:
    path = "/".join(each for each in (target.path.strip("/"), name) if each != ".") or "."
    return {"repoURL": target.repository, "targetRevision": "HEAD", "path": path}
