"""What a GitOps tool applies: the releases that Pulumi would register, in their order, in the tool's own form.

Whoever has the CRDs of Argo CD and Flux compares the files with their schemas, too:

    MUSTER_CRDS=folder pytest tests/addons/test_gitops.py

with the folder's `*.yaml` from argo-cd's `manifests/crds` and the `config/crd/bases` of Flux's controllers.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addon_sheets import ADDONS, by_pulumi
from muster.addons.context import AddonContext, Volume
from muster.addons.gitops import WRITERS
from muster.addons.gitops.parts import Part, Target, parts
from muster.addons.releases import Release
from muster.config.description.addons import Addons
from muster.deploy import deploy
from muster.finding import WrongInput
from muster.fleet.resources.ref import LUSTRE
from muster.fleet.resources.storage import KINDS
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from muster.rehearsal.kubernetes.addons import InstalledAddons
from muster.verify.expected import expected_cluster
from tests.addons.contexts import NODES
from tests.strategies import Described, legal

TARGET = Target("research", "https://git.example.org/clusters.git", "clusters/research")
OWN = {"repository": "oci://charts.example.org/all/", "chart": "thing", "version": "1.0.0+a", "namespace": "things"}
EVERY: dict[str, Any] = {name: {} for name in ADDONS if not by_pulumi(name)}
MORE = {
    "volcano": {"queues": {"research": {"weight": 2}, "nlp": {"weight": 1, "parent": "research"}}},
    "kueue": {"queues": {"a": {"share": 50}, "b": {"namespace": "ml"}}},
    "charts": {"first": {**OWN, "before-addons": True}, "last": OWN},
}


def a_context(tool: str) -> AddonContext:
    """Everything that a GitOps tool can apply."""
    chosen = Addons.model_validate({**EVERY, **MORE, "installed-by": tool})
    nodes = tuple(each.with_drivers(chosen.chosen) for each in NODES)
    return AddonContext("research", "us-west-2", "1.35", nodes, chosen.chosen, chosen.charts)


def written(tool: str) -> tuple[tuple[Part, ...], Mapping[str, Any]]:
    """All parts, and the files of the tool."""
    made = parts(a_context(tool), tool)
    return made, WRITERS[tool](made, TARGET)


@pytest.mark.parametrize("tool", WRITERS)
def test_everything_is_there_once_and_after_what_it_comes_after(tool: str) -> None:
    made, files = written(tool)
    names = [each.name for each in made]
    assert len(set(names)) == len(names)
    assert {*EVERY, "first", "last"} == {each.partition(".")[0] for each in names}
    for number, each in enumerate(made):
        assert set(each.after) <= set(names[:number])
    assert names[0] == "first"
    assert names[-1] == "last"
    assert all(_in_order(tool, files, each) for each in made)


def _in_order(tool: str, files: Mapping[str, Any], part: Part) -> bool:
    """Whether the tool's own order has a part after all that it comes after."""
    if tool == "argo-cd":
        found = {each["metadata"]["name"]: each["metadata"] for each in files["applications.yaml"]}
        wave = {name: int(each["annotations"]["argocd.argoproj.io/sync-wave"]) for name, each in found.items()}
        return all(wave[each] < wave[part.name] for each in part.after)
    if tool == "flux":
        listed = {each["metadata"]["name"]: each["spec"] for each in files["kustomizations.yaml"]}
        return {each["name"] for each in listed[part.name].get("dependsOn", ())} >= set(part.after)
    (document,) = files["helmfile.yaml"]
    assert "{{" not in str([listed for name, listed in files.items() if "/templates/" in name])
    release = next(
        each for each in document["releases"] if part.name in (each["chart"].removeprefix("./"), *_files(each))
    )
    return len(release.get("needs", ())) == len(part.after)


def _files(release: Mapping[str, Any]) -> Iterator[str]:
    """The folders of a release's values."""
    return (each.partition("/")[0] for each in release.get("values", ()))


@settings(max_examples=5)
@given(legal(), st.sampled_from(sorted(WRITERS)))
def test_a_tool_applies_the_releases_that_pulumi_would_register(described: Described, tool: str) -> None:
    """Only who installs them differs: names, versions, values, namespaces, what `muster verify` expects, and what runs
    in rehearsals are the same."""
    with_pulumi = _installed(described, "pulumi")
    blueprint = with_pulumi.blueprint()
    recorded = record(
        lambda: deploy(blueprint),
        stack="random",
        region=described.region,
        existing_clusters=existing_clusters(blueprint),
    ).registrations
    releases = {each.name: each.inputs for each in recorded if each.type.endswith(":Release")}
    ours = {name: each for name, each in releases.items() if name not in ADDONS or not by_pulumi(name)}
    other = _installed(described, tool).blueprint()
    assert expected_cluster(other) == expected_cluster(blueprint)
    assert [each.objects for each in InstalledAddons.of(other).addons] == [
        each.objects for each in InstalledAddons.of(blueprint).addons
    ]
    context = AddonContext.of_blueprint(other)
    context = replace(context, volumes=tuple(map(_known, context.volumes)))
    theirs = {each.name: (each.namespace, each.release) for each in parts(context, tool) if each.release}
    assert theirs.keys() == ours.keys()
    for name, (namespace, release) in theirs.items():
        assert isinstance(release, Release)
        registered = ours[name]
        assert (namespace, release.name) == (registered["namespace"], registered["name"])
        assert (release.version, dict(release.values)) == (registered["version"], registered["values"])
        assert registered["chart"].rpartition("/")[2] == release.chart
        assert registered.get("timeout", 300) == release.timeout


def _known(volume: Volume) -> Volume:
    """With values in place of the words for what AWS sets."""
    texts = {each.name: getattr(volume, each.name) for each in fields(Volume)}
    return replace(volume, **{name: text.replace(" ", "-") for name, text in texts.items() if isinstance(text, str)})


def _installed(described: Described, by: str) -> Described:
    """The same cluster, whose add-ons and charts this tool installs."""
    addons = dict(described.document["addons"])
    for name in addons.keys() & ADDONS.keys():
        if not by_pulumi(name):
            addons[name] = {**addons[name], "installed-by": by}
    charts = {name: {**each, "installed-by": by} for name, each in addons.get("charts", {}).items()}
    return described.edit({"addons": {**addons, "charts": charts}})


def test_a_value_that_aws_sets_is_never_guessed() -> None:
    """A blueprint has words in its place, which would be a valid text."""
    words = {each.name: f"{each.name} of scratch" for each in fields(Volume)}
    unknown = Volume(**{**words, "kind": KINDS[LUSTRE]})
    chart = {**OWN, "values": {"at": "file_system of scratch"}, "installed-by": "flux"}
    charts = Addons.model_validate({"charts": {"mine": chart}}).charts
    context = replace(a_context("argo-cd"), charts=charts, volumes=(unknown,))
    with pytest.raises(WrongInput, match="file_system of scratch"):
        parts(context, "flux")


def _strict(schema: Any) -> Any:
    """The schema, which refuses keys that it does not name, as an API server does with `fieldValidation: Strict`."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    read = {key: _strict(each) for key, each in schema.items() if key != "properties"}
    if "properties" in schema:
        read["properties"] = {name: _strict(each) for name, each in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            read.setdefault("additionalProperties", False)
    return read


@pytest.mark.skipif("MUSTER_CRDS" not in os.environ, reason="set MUSTER_CRDS to a folder with the CRDs")
@pytest.mark.parametrize("tool", ["argo-cd", "flux"])
def test_the_schema_of_a_tool_takes_its_files(tool: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schemas: dict[tuple[str, str], Any] = {}
    for file in Path(os.environ["MUSTER_CRDS"]).glob("*.yaml"):
        spec = yaml.safe_load(file.read_text())["spec"]
        for version in spec.get("versions", ()):
            key = (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
            schemas[key] = _strict(version["schema"]["openAPIV3Schema"])
            schemas[key]["properties"]["metadata"] = {"type": "object"}
    of_tool = [each for listed in written(tool)[1].values() for each in listed if _is_of(tool, each)]
    assert of_tool
    for each in of_tool:
        jsonschema.validate(each, schemas[each["apiVersion"], each["kind"]])


def _is_of(tool: str, thing: Mapping[str, Any]) -> bool:
    group = {"argo-cd": "argoproj.io/", "flux": ".toolkit.fluxcd.io/"}[tool]
    return group in thing.get("apiVersion", "")
