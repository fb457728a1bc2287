"""Our patches come to the same here as in kustomize."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.addon_sheets import ADDONS
from muster.addons import overlay
from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.training_operator import schemes
from muster.addons.context import GroupNodes
from muster.addons.manifest_patches import added, deleted, patched
from muster.config.description.addons import ManifestOptions
from muster.fleet.resources import Taint
from muster.versions import TRAINING_OPERATOR_IMAGES
from tests.addons.contexts import a_context

TRAINING = CATALOGUE["training-operator"]
SYSTEM = GroupNodes(
    "system", "c5.2xlarge", frozenset(), frozenset({Taint("system", "only", "NoExecute")}), purpose="system"
)


def a_crd(name: str) -> dict[str, Any]:
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name}}


def a_deployment(name: str, **spec: Any) -> dict[str, Any]:
    template = {"spec": {"containers": [{"name": name, "image": "example.org/a:v1", "command": ["/manager"]}], **spec}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": {"template": template}}


BASE = (a_crd("mpijobs.kubeflow.org"), a_crd("pytorchjobs.kubeflow.org"), a_deployment("training-operator"))
"""What there is of the real base that the patches are for."""


def the_patches(version: str | None = None, *nodes: GroupNodes) -> tuple[dict[str, Any], ...]:
    context = a_context(*nodes, training_operator=ManifestOptions(version=version))
    return TRAINING.source.patches(TRAINING.source.values(context))


def test_the_crd_of_mpi_jobs_is_left_out_and_the_others_are_told() -> None:
    """The MPI operator's is another version; without a word the operator would look for it, and not start."""
    made = patched(BASE, the_patches(None, SYSTEM))
    assert [each["metadata"]["name"] for each in made] == ["pytorchjobs.kubeflow.org", "training-operator"]
    pod = made[-1]["spec"]["template"]["spec"]
    assert pod["containers"][0]["args"] == [
        f"--enable-scheme={each}" for each in ("pytorchjob", "tfjob", "xgboostjob", "paddlejob", "jaxjob")
    ]
    assert pod["tolerations"] == [{"key": "system", "operator": "Equal", "value": "only", "effect": "NoExecute"}]
    assert "tolerations" not in patched(BASE, the_patches())[-1]["spec"]["template"]["spec"]
    assert "args" not in BASE[-1]["spec"]["template"]["spec"]["containers"][0], "what was given stays as it was"


@pytest.mark.parametrize("version", ["v1.7.0", "v1.8.0", "v1.8.1", "v1.9.0", "v1.9.4", "v1.10.0", "1.8.1"])
def test_schemes_are_those_of_the_version(version: str) -> None:
    """It ends at once on one that it does not know; 1.9 took JAXJob in and MXJob out."""
    older = version.removeprefix("v").startswith(("1.7", "1.8"))
    assert set(schemes(version)) == {
        *("pytorchjob", "tfjob", "xgboostjob", "paddlejob"),
        "mxjob" if older else "jaxjob",
    }


def test_the_overlay_names_the_base_of_the_version_and_its_image() -> None:
    """Of a version whose image nobody wrote down the base's own stays."""
    context = a_context(training_operator=ManifestOptions())
    for version in (*TRAINING_OPERATOR_IMAGES, "v1.9.0"):
        said = overlay.document(TRAINING.source, version, context)
        assert said["resources"] == [
            f"https://github.com/kubeflow/trainer//manifests/overlays/standalone?ref={version}"
        ]
        images = [each for each in said["patches"] if "/containers/0/image" in each["patch"]]
        assert len(images) == (version in TRAINING_OPERATOR_IMAGES)
    assert ADDONS["training-operator"].version in TRAINING_OPERATOR_IMAGES


def test_what_a_patch_is_for_must_be_there() -> None:
    """As in kustomize: nobody is told that all is well with another base."""
    with pytest.raises(ValueError, match="there is no CustomResourceDefinition a to remove"):
        patched(BASE, [deleted("CustomResourceDefinition", "a", "v1")])
    with pytest.raises(ValueError, match="there is no Deployment a to change"):
        patched(BASE, [added("Deployment", "a", {"/spec/replicas": 2})])


POINTERS = {
    "/spec/replicas": 2,
    "/metadata/annotations": {"a.b/c": "d"},
    "/spec/template/spec/containers/0/args": ["--a", "--b=c"],
    "/spec/template/spec/tolerations": [{"operator": "Exists"}],
}


@pytest.mark.skipif(not shutil.which("kubectl"), reason="no kubectl on PATH, which has kustomize in it")
def test_kustomize_makes_the_same_of_them(tmp_path: Path) -> None:
    """Of every form of patch that is written, and of the training operator's."""
    patches = (*the_patches(None, SYSTEM), added("Deployment", "other", POINTERS))
    base = (*BASE, a_deployment("other", tolerations=[{"key": "a"}]))
    (tmp_path / "base.yaml").write_text(yaml.safe_dump_all(base))
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump({"resources": ["base.yaml"], "patches": list(patches)}))
    ran = subprocess.run(["kubectl", "kustomize", str(tmp_path)], capture_output=True, text=True, check=True)
    theirs = {each["metadata"]["name"]: each for each in yaml.safe_load_all(ran.stdout)}
    assert {each["metadata"]["name"]: each for each in patched(base, patches)} == theirs
