"""Flux: a Kustomization for each part, and below it a folder with a HelmRelease or with objects.

`dependsOn` orders objects of one kind only, and some parts are releases, others folders: so Kustomizations are ordered,
and each waits for what it applies (fluxcd.io, "Kustomization", Dependencies and Wait). Fields: the CRDs of
kustomize-controller, helm-controller and source-controller. A chart in a registry is an OCIRepository: a HelmRepository
of type `oci` is in maintenance mode ("Helm Repositories").
"""

from dataclasses import replace

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folder_of
from muster.addons.namespaces import namespace
from muster.addons.releases import DEFAULT_TIMEOUT, Release

_NAMESPACE = "flux-system"
_KEEP = ("kustomize.toolkit.fluxcd.io/prune", "disabled")
_LAYER = {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "operation": "copy"}
_RETRIED = {"remediation": {"retries": 3}}


def files(parts: tuple[Part, ...], target: Target) -> Files:
    """All files. The folder's own kustomization.yaml names only the Kustomizations: where there is none, Flux applies
    every file below the folder at once."""
    own = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["kustomizations.yaml"],
    }
    first = _namespaces(parts)
    every = (*first, *(each if each.after or not first else replace(each, after=(first[0].name,)) for each in parts))
    written: Files = {
        "kustomization.yaml": [own],
        "kustomizations.yaml": [_kustomization(each, target) for each in every],
    }
    for each in every:
        written |= folder_of(each, *_KEEP)
        if each.release:
            written[f"{each.name}/release.yaml"] = _release(each, each.release)
    return written


def _namespaces(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The namespaces of releases, as a part of its own: two parts may have releases in the same one."""
    names = sorted({each.namespace for each in parts if each.release and each.makes_namespace})
    made = {"namespaces.yaml": [namespace(each) for each in names]}
    return (Part("add-on-namespaces", "default", (), files=made),) if names else ()


def _kustomization(part: Part, target: Target) -> Json:
    timeout = (part.release.timeout if part.release else DEFAULT_TIMEOUT) + 60
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": part.name, "namespace": _NAMESPACE},
        "spec": {
            "interval": "1h",
            "retryInterval": "2m",
            "timeout": f"{timeout}s",
            "path": "./" + "/".join(each for each in (target.path.strip("/"), part.name) if each != "."),
            "prune": not part.kept,
            "wait": True,
            "sourceRef": {"kind": "GitRepository", "name": _NAMESPACE},
            **({"dependsOn": [{"name": each} for each in part.after]} if part.after else {}),
        },
    }


def _release(part: Part, made: Release) -> list[Json]:
    """The chart's source, and the release, which is in its own namespace: there Helm finds it."""
    metadata = {"name": made.name, "namespace": part.namespace}
    if made.in_registry:
        tag = made.version.replace("+", "_")  # a registry's tag has no plus sign (Helm, "Use OCI-based registries")
        kind, spec = "OCIRepository", {"url": made.address, "ref": {"tag": tag}, "layerSelector": _LAYER}
        # Flux then signs in with its own role (fluxcd.io, "OCI Repositories", Provider).
        spec |= {"provider": "aws"} if ".dkr.ecr." in made.repository else {}
        chart: Json = {"chartRef": {"kind": kind, "name": made.name}}
    else:
        kind, spec = "HelmRepository", {"url": made.repository}
        source = {"kind": kind, "name": made.name}
        chart = {"chart": {"spec": {"chart": made.chart, "version": made.version, "sourceRef": source}}}
    release = {
        "interval": "1h",
        "releaseName": made.name,
        "timeout": f"{made.timeout}s",
        **chart,
        "install": _RETRIED,
        "upgrade": _RETRIED,
        "values": dict(made.values),
    }
    return [
        {
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": kind,
            "metadata": metadata,
            "spec": {"interval": "1h", **spec},
        },
        {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata, "spec": release},
    ]
