"""A helmfile: a release for each part, each after those that it `needs`.

Of a folder with a kustomization helmfile makes a chart, with kustomize (docs/advanced-features.md, "Deploy
Kustomizations with Helmfile"). It moves all that is in it to the namespace of the release, and to a folder with plain
manifests it adds a namespace where there is none, also of objects that are in none (seen with helmfile ecf604d and
chartify 0.28.2). So a kustomization's release is in the add-on's namespace, and Muster's objects are a chart.
"""

from muster.addons.addon import Json
from muster.addons.gitops.parts import OBJECTS, OVERLAY, Files, Part, Target, folders
from muster.addons.manifest_patches import deleted


def files(parts: tuple[Part, ...], _target: Target) -> Files:
    """All files. Values are in files of their own: helmfile may take braces in a helmfile for a template."""
    ids = {each.name: f"{each.namespace}/{each.release.name if each.release else each.name}" for each in parts}
    document: Json = {
        "helmDefaults": {"wait": True, "atomic": True, "createNamespace": True},
        "repositories": [
            {"name": each.name, "url": each.release.repository}
            for each in parts
            if each.release and not each.release.in_registry
        ],
        "releases": [
            {
                "name": ids[each.name].partition("/")[2],
                "namespace": each.namespace,
                **_chart(each),
                "needs": [ids[name] for name in each.after],
            }
            for each in parts
        ],
    }
    written: Files = {"helmfile.yaml": [document], **folders(parts)}
    for each in parts:
        folder = each.name
        if each.release:
            written[f"{folder}/values.yaml"] = [dict(each.release.values)]
        if OBJECTS in each.files:
            written[f"{folder}/Chart.yaml"] = [{"apiVersion": "v2", "name": folder, "version": "0.0.0"}]
            written[f"{folder}/templates/{OBJECTS}"] = written.pop(f"{folder}/{OBJECTS}")
        for over in each.files.get(OVERLAY, ()):
            # Helm makes the namespace first, and then refuses to take over another.
            patches = [*over["patches"], deleted("Namespace", each.namespace, "v1")]
            written[f"{folder}/{OVERLAY}"] = [{**over, "patches": patches}]
    return written


def _chart(part: Part) -> Json:
    if not (made := part.release):
        return {"chart": f"./{part.name}"}
    return {
        "chart": made.address if made.in_registry else f"{part.name}/{made.chart}",
        "version": made.version,
        "timeout": made.timeout,
        "values": [f"{part.name}/values.yaml"],
    }
