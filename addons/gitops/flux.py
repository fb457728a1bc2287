"""Flux: a Kustomization for each part, and below it a folder with a HelmRelease or with objects.

`dependsOn` orders objects of one kind only, and some parts are releases, others folders: so Kustomizations are ordered,
and each waits for what it applies (fluxcd.io, "Kustomization", Dependencies and Wait). Fields: the CRDs of
kustomize-controller, helm-controller and source-controller. A chart in a registry is an OCIRepository: a HelmRepository
of type `oci` is in maintenance mode ("Helm Repositories").
"""

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folders, thing
from muster.addons.releases import DEFAULT_TIMEOUT, Release

_NAMESPACE = "flux-system"
_LAYER = {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "operation": "copy"}
_RETRIED = {"remediation": {"retries": 3}}


def files(parts: tuple[Part, ...], target: Target) -> Files:
    """All files. The folder's own kustomization.yaml names only the Kustomizations: where there is none, Flux applies
    every file below the folder at once."""
    kind = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return {
        "kustomization.yaml": [{**kind, "resources": ["kustomizations.yaml"]}],
        "kustomizations.yaml": [_kustomization(each, target) for each in parts],
        **{f"{each.name}/release.yaml": _release(each, each.release) for each in parts if each.release},
        **folders(parts),
    }


def _kustomization(part: Part, target: Target) -> Json:
    spec = {
        "interval": "1h",
        "retryInterval": "2m",
        "timeout": f"{(part.release.timeout if part.release else DEFAULT_TIMEOUT) + 60}s",
        "path": f"./{target.folder(part.name)}",
        "prune": not part.kept,
        "wait": True,
        "sourceRef": {"kind": "GitRepository", "name": _NAMESPACE},
        "dependsOn": [{"name": each} for each in part.after],
    }
    return thing("kustomize.toolkit.fluxcd.io/v1/Kustomization", part.name, _NAMESPACE, spec)


def _release(part: Part, made: Release) -> list[Json]:
    """The chart's source, and the release, which Helm finds in its own namespace."""
    if made.in_registry:
        tag = made.version.replace("+", "_")  # a registry's tag has no plus sign (Helm, "Use OCI-based registries")
        kind, source = "OCIRepository", {"url": made.address, "ref": {"tag": tag}, "layerSelector": _LAYER}
        # Flux then signs in with its own role (fluxcd.io, "OCI Repositories", Provider).
        source |= {"provider": "aws"} if ".dkr.ecr." in made.repository else {}
        chart: Json = {"chartRef": {"kind": kind, "name": part.name}}
    else:
        kind, source = "HelmRepository", {"url": made.repository}
        there = {"kind": kind, "name": part.name}
        chart = {"chart": {"spec": {"chart": made.chart, "version": made.version, "sourceRef": there}}}
    spec = {
        "interval": "1h",
        "releaseName": made.name,
        "targetNamespace": part.namespace,
        "storageNamespace": part.namespace,
        "timeout": f"{made.timeout}s",
        **chart,
        "install": {"createNamespace": True, **_RETRIED},
        "upgrade": _RETRIED,
        "values": dict(made.values),
    }
    return [
        thing(f"source.toolkit.fluxcd.io/v1/{kind}", part.name, _NAMESPACE, {"interval": "1h", **source}),
        thing("helm.toolkit.fluxcd.io/v2/HelmRelease", part.name, _NAMESPACE, spec),
    ]
