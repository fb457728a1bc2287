"""What a mirror must hold: all that a stack needs, each once, by one convention."""

from typing import Any

import pytest

from muster.addon_sheets import ADDONS
from muster.addons.addon import EksAddon
from muster.addons.catalogue import CATALOGUE
from muster.addons.charts.mirror import MirrorList, mirror_list
from muster.addons.context import AddonContext, Mirrors
from muster.addons.image_names import full_reference
from tests.addons.contexts import REQUIRED
from tests.factories import a_blueprint

TO = Mirrors("oci://r.example.org/charts", "r.example.org/m")
OTHER = {"repository": "https://charts.example.org", "chart": "thing", "version": "1.0.0+b", "namespace": "things"}
EVERY = {name: dict(REQUIRED.get(name, {})) for name in CATALOGUE}
DIGEST = "sha256:" + "0123456789abcdef" * 4


def of(edits: dict[str, Any] | None = None, to: Mirrors = TO, **more: Any) -> MirrorList:
    """The list of the default cluster with some edits."""
    return mirror_list(
        AddonContext.of_blueprint(a_blueprint({"addons.mpi-operator": {}, **(edits or {})})), to, **{"jobs": {}, **more}
    )


def test_every_image_of_every_pin_is_listed_and_goes_where_an_installation_looks() -> None:
    """Of the whole catalogue at once; no two are called alike."""
    found = of({"addons": EVERY})
    assert {each.source.partition("@")[0] for each in found.images} == {
        full_reference(image).partition("@")[0] for pin in ADDONS.values() for image in pin.images
    }
    assert all(each.destination == TO.image(each.source) for each in found.images)
    assert found.clashes == {}
    assert {each.addon for each in found.unknown} == {
        name for name, pin in ADDONS.items() if not pin.images and not isinstance(CATALOGUE[name].source, EksAddon)
    }
    assert all(each.users for each in found.copies)


@pytest.mark.parametrize(
    ("reference", "with_registry"),
    [
        ("alpine:3", "docker.io/library/alpine:3"),
        ("a/b", "docker.io/a/b"),
        ("localhost/a", "localhost/a"),
        ("r:5000/a", "r:5000/a"),
        ("quay.io/a/b@sha256:0", "quay.io/a/b@sha256:0"),
    ],
)
def test_an_image_without_a_registry_is_docker_hubs(reference: str, with_registry: str) -> None:
    """As container runtimes read it; in the mirror both spellings are one."""
    assert full_reference(reference) == with_registry
    assert TO.image(reference) == TO.image(with_registry)


def test_an_image_that_several_need_is_listed_once() -> None:
    """With all who need it, however they spell it; a digest that one of them names is known."""
    jobs = {"a": ["alpine:3"], "b": ["docker.io/library/alpine:3"], "c": [f"alpine:3@{DIGEST}"], "d": [f"a/b@{DIGEST}"]}
    found = {each.source: each for each in of(jobs=jobs).images}
    assert found["docker.io/library/alpine:3"].users == ("job a", "job b", "job c")
    assert found["docker.io/library/alpine:3"].digest == DIGEST
    # One without a tag has no other name than its digest.
    assert found[f"docker.io/a/b@{DIGEST}"].destination == f"r.example.org/m/a/b@{DIGEST}"


def test_images_of_another_version_than_the_pinned_one_are_unknown() -> None:
    """So are those of charts of the user's own; nothing of the pinned version is passed off for them."""
    edits = {"addons.nvidia-device-plugin.version": "0.19.3", "addons.charts": {"mine": OTHER}}
    found = of(edits)
    assert {each.addon for each in found.unknown} == {"nvidia-device-plugin", "charts.mine"}
    assert not any("nvidia/k8s-device-plugin" in each.source for each in found.images)
    assert ("thing", "1.0.0+b") in {(each.name, each.version) for each in found.charts}


def test_images_that_would_be_called_alike_are_told() -> None:
    """One convention for all registries can bring two together."""
    found = of(jobs={"a": ["quay.io/x/y:1"], "b": ["ghcr.io/x/y:1"]})
    assert found.clashes == {"r.example.org/m/x/y:1": ("ghcr.io/x/y:1", "quay.io/x/y:1")}


def test_what_the_machine_that_deploys_fetches_is_told_apart() -> None:
    """A manifest is no chart and no image."""
    (fetched,) = of().fetched
    assert (fetched.addon, fetched.kind) == ("mpi-operator", "manifest")
    assert fetched.address.startswith("https://raw.githubusercontent.com/kubeflow/mpi-operator/v0.8.2/")
    assert not any("raw.githubusercontent" in each.source for each in of().copies)
