"""A helmfile: a release for each part, each after those that it `needs`.

Of a folder with a kustomization helmfile makes a chart, with kustomize (docs/advanced-features.md, "Deploy
Kustomizations with Helmfile"). It moves all that is in it to the namespace of the release, and to a folder with plain
manifests it adds a namespace where there is none, also of objects that are in none (seen with helmfile ecf604d and
chartify 0.28.2). So a kustomization's release is in the add-on's namespace, and Muster's objects are a chart.
"""

import re

from muster.addons.addon import Json
from muster.addons.gitops.parts import Files, Part, Target, folder_of
from muster.addons.manifest_patches import deleted
from muster.addons.releases import Release

_KEEP = ("helm.sh/resource-policy", "keep")
_OVERLAY, _OBJECTS = "kustomization.yaml", "objects.yaml"


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
        written |= {**folder_of(each, *_KEEP), **_more(each)}
    return written


def _more(part: Part) -> Files:
    """The values of a release; what makes a chart of objects; a kustomization without the namespace, which Helm makes
    first and then refuses to take over."""
    files = part.files or {}
    made: Files = {f"{part.name}/values.yaml": [dict(part.release.values)]} if part.release else {}
    if _OBJECTS in files:
        made[f"{part.name}/Chart.yaml"] = [{"apiVersion": "v2", "name": part.name, "version": "0.0.0"}]
        made[f"{part.name}/templates/{_OBJECTS}"] = f'{{{{ .Files.Get "{_OBJECTS}" }}}}\n'
    for each in files.get(_OVERLAY, ()):
        patches = [*each["patches"], deleted("Namespace", part.namespace, "v1")]
        made[f"{part.name}/{_OVERLAY}"] = [{**each, "patches": patches}]
    return made


def _name(part: Part) -> str:
    return f"{part.namespace}/{part.release.name if part.release else part.name}"


def _release(part: Part, needs: list[str]) -> Json:
    namespace, _, name = _name(part).partition("/")
    return {
        "name": name,
        "namespace": namespace,
        **(_chart(part, part.release) if part.release else {"chart": f"./{part.name}"}),
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
