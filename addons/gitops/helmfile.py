"""A helmfile: a release for each part, each after those that it `needs`.

helmfile makes a chart of a folder with manifests or a kustomization (docs/advanced-features.md, "Deploy Kustomizations
with Helmfile"), for which it runs kustomize or kubectl. Names of releases are prefixed with their namespaces in `needs`
(docs/writing-helmfile.md).
"""

import re

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folder_of
from muster.addons.releases import Release

_KEEP = ("helm.sh/resource-policy", "keep")


def files(parts: tuple[Part, ...], _target: Target) -> Files:
    """All files. Values are in files of their own: helmfile may take braces in a helmfile for a template."""
    names = {each.name: _name(each) for each in parts}
    indexes = {each.release.repository for each in parts if each.release and not each.release.in_registry}
    document: Json = {
        "helmDefaults": {"wait": True, "atomic": True, "createNamespace": True},
        "repositories": [{"name": _slug(each), "url": each} for each in sorted(indexes)],
        "releases": [_release(each, [names[name] for name in each.after]) for each in parts],
    }
    written: Files = {"helmfile.yaml": [{key: value for key, value in document.items() if value}]}
    for each in parts:
        written |= folder_of(each, *_KEEP)
        if each.release:
            written[f"{each.name}/values.yaml"] = [dict(each.release.values)]
    return written


def _name(part: Part) -> str:
    return f"{part.namespace}/{part.release.name}" if part.release else f"default/{part.name}"


def _release(part: Part, needs: list[str]) -> Json:
    namespace, _, name = _name(part).partition("/")
    return {
        "name": name,
        "namespace": namespace,
        # A manifest may have its namespace in it, which Helm refuses to take over from itself.
        **(_chart(part, part.release) if part.release else {"chart": f"./{part.name}", "createNamespace": False}),
        **({"needs": needs} if needs else {}),
    }


def _chart(part: Part, made: Release) -> Json:
    return {
        "chart": made.address if made.in_registry else f"{_slug(made.repository)}/{made.chart}",
        "version": made.version,
        "timeout": made.timeout,
        "values": [f"{part.name}/values.yaml"],
    }


def _slug(address: str) -> str:
    """The name of a repository, which helmfile needs."""
    return re.sub(r"[^a-z0-9]+", "-", address.partition("://")[2].lower()).strip("-")
