"""Helm releases, manifests and EKS add-ons as judged things: Muster's own, and those of foreign programs that rules
know.

An add-on of a foreign program is identified by its inputs alone. The engine gives no inputs for a release whose
kubeconfig is unknown: it is then an unknown chart.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from muster.addons.addon import Manifest, OwnObjects
from muster.addons.catalogue import CATALOGUE
from muster.addons.values import at
from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import ADDON, KUBERNETES_ADDON
from muster.policies.views.references import References, first_set
from muster.unknown import UNKNOWN, UnknownType

RELEASE = "kubernetes:helm.sh/v3:Release"
CONFIG_FILE = "kubernetes:yaml/v2:ConfigFile"
DIRECTORY = "kubernetes:kustomize/v2:Directory"
CHARTS = ("kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v4:Chart")
MANIFESTS = (
    *(CONFIG_FILE, "kubernetes:yaml:ConfigFile"),
    *("kubernetes:yaml/v2:ConfigGroup", "kubernetes:yaml:ConfigGroup"),
    *(DIRECTORY, "kubernetes:kustomize:Directory"),
)
DEPLOYMENT = "kubernetes:apps/v1:Deployment"
_INSTALLER = "muster:addons:Addons$"


def is_ours(resource: Registration) -> bool:
    """Whether Muster's installer registered it."""
    return _INSTALLER in resource.urn


def addons(resource: Registration, references: References) -> tuple[Addon[UnknownType], ...]:
    """Reads an add-on, or several from a group of manifests. From another program, only add-ons that rules know."""
    if not is_ours(resource):
        return tuple(_of_others(resource, references.ref(resource)))
    read = {ADDON: _eks_addon, RELEASE: _release, CONFIG_FILE: _manifest, DIRECTORY: _directory}
    return (read[resource.type](resource),)


def _of_others(resource: Registration, ref: Ref) -> Iterator[Addon[UnknownType]]:
    """A release, a chart or manifests that another program registers."""
    if resource.type in MANIFESTS:
        yield from _of_addresses(resource, ref)
        return
    inputs = resource.inputs
    if resource.type in CHARTS and "chart" not in inputs:
        return  # SDKs that render charts themselves register the rendered objects, without inputs
    chart = inputs.get("chart", UNKNOWN)
    name = chart if chart is UNKNOWN else _chart_name(str(chart))
    # Helm reads files of values only when it runs.
    values = inputs.get("values") if inputs.get("valueYamlFiles") in (None, []) else UNKNOWN
    yield Addon(
        ref, inputs.get("version"), Place(resource.urn), AddonKind.CHART, name, {} if values is None else values
    )


def _chart_name(chart: str) -> str:
    """The name of a chart by its address, its path, or its archive's: ``oci://registry/charts/kueue`` -> ``kueue``."""
    last = chart.rstrip("/").rpartition("/")[2].removesuffix(".tgz")
    return _OF_VERSION.sub("", last) if chart.endswith(".tgz") else last


_OF_VERSION = re.compile(r"-v?\d+(\.\d+)+(?:[-+].*|\Z)", re.DOTALL)
"""The version at the end of an archive's name."""
_OVERLAY = r"\bmanifests/(?:base|overlays)\b(?!/crds)"
_OF_RELEASE = r"(?:\breleases/.*/manifests[^/]*\.ya?ml|\bconfig/default\b)"
_INSTALLS = tuple(
    (re.compile(form, re.IGNORECASE), name)  # pattern: on an address of at most 1,024 characters
    for form, name in (
        (rf"kubeflow/mpi-operator[/.].*(?:\bdeploy/|{_OVERLAY})", "mpi-operator"),
        (rf"kubeflow/training-operator[/.].*{_OVERLAY}", "training-operator"),
        (rf"kubeflow/trainer[/.].*{_OVERLAY}.*ref=v1\.", "training-operator"),
        (rf"kubernetes-sigs/kueue[/.].*{_OF_RELEASE}", "kueue"),
        (rf"kubernetes-sigs/jobset[/.].*{_OF_RELEASE}", "jobset"),
        (
            r"nvidia/k8s-device-plugin\b.*/(?:static|v[\d.]+)/nvidia-device-plugin[\w-]*\.ya?ml",
            "nvidia-device-plugin",
        ),
        (r"aws-samples/aws-efa-eks/.*\bmanifest/efa-k8s-device-plugin\.ya?ml", "aws-efa-k8s-device-plugin"),
    )
)
"""Pattern of the addresses of projects' manifests -> add-on. Their repositories also have examples, which do not
match."""
_VERSION = re.compile(r"v\d+\.\d+\.\d+")


def _of_addresses(resource: Registration, ref: Ref) -> Iterator[Addon[UnknownType]]:
    """The add-on that a manifest installs, by its address, or one per address; unknown for an unknown address."""
    files = resource.inputs.get("files")
    if isinstance(files, list):
        for index, each in enumerate(files):
            yield from _of_address(each, resource, Ref(ref.type, f"{ref.name}.files[{index}]"))
        return
    # The engine passes a pack no inputs of a remote component. SDKs that render themselves register the objects.
    unseen = not resource.inputs and "/v2:" in resource.type
    yield from _of_address(
        UNKNOWN if unseen else first_set(resource.inputs, "file", "directory", "files"), resource, ref
    )


def _of_address(address: Any, resource: Registration, ref: Ref) -> Iterator[Addon[UnknownType]]:
    place = Place(resource.urn)
    if address is UNKNOWN:
        yield Addon(ref, UNKNOWN, place, AddonKind.MANIFEST, UNKNOWN, {})
    text = str(address)[:1024]
    for form, name in _INSTALLS:
        if form.search(text):
            version = _VERSION.search(text)
            yield Addon(ref, version[0] if version else None, place, AddonKind.MANIFEST, name, {})
            return


def of_own_objects(resource: Registration) -> Addon[UnknownType] | None:
    """Reads an add-on that consists only of objects that Muster itself writes: its version is its image's tag."""
    if resource.type != DEPLOYMENT or not is_ours(resource):
        return None
    for name, each in CATALOGUE.items():
        if isinstance(each.source, OwnObjects) and resource.name.startswith(f"{name}-deployment-"):
            image = at(resource.inputs, "spec", "template", "spec", "containers")[0]["image"]
            version = image if image is UNKNOWN else str(image).rpartition(":")[2]
            return Addon(Ref(KUBERNETES_ADDON, name), version, Place(resource.urn), AddonKind.MANIFEST, name, {})
    return None


def _made(resource: Registration, version: Any, kind: AddonKind, chart: Any, values: Any) -> Addon[UnknownType]:
    return Addon(Ref(KUBERNETES_ADDON, resource.name), version, Place(resource.urn), kind, chart, values)


def _release(resource: Registration) -> Addon[UnknownType]:
    chart = resource.inputs.get("chart", UNKNOWN)
    name = chart if chart is UNKNOWN else str(chart).rpartition("/")[2]
    return _made(resource, resource.inputs.get("version"), AddonKind.CHART, name, resource.inputs.get("values", {}))


def _eks_addon(resource: Registration) -> Addon[UnknownType]:
    given = resource.inputs.get("configurationValues")
    values = UNKNOWN if given is UNKNOWN else json.loads(given) if given else {}
    name = resource.inputs.get("addonName", UNKNOWN)
    return _made(resource, resource.inputs.get("addonVersion"), AddonKind.EKS_ADDON, name, values)


def _manifest(resource: Registration) -> Addon[UnknownType]:
    return _made(resource, _version_in_address(resource), AddonKind.MANIFEST, resource.name, {})


def _directory(resource: Registration) -> Addon[UnknownType]:
    """Reads Muster's overlay, whose folder has the name and version of the add-on."""
    folder = resource.inputs.get("directory", UNKNOWN)
    version = UNKNOWN if folder is UNKNOWN else str(folder).rpartition("/")[2].removeprefix(f"{resource.name}-")
    return _made(resource, version, AddonKind.MANIFEST, resource.name, {})


def _version_in_address(resource: Registration) -> str | UnknownType:
    """The version in a manifest's address."""
    known = CATALOGUE.get(resource.name)
    if known is None or not isinstance(known.source, Manifest):
        return UNKNOWN  # a file can have any name there
    # The engine passes a pack no inputs of a remote component.
    address = resource.inputs.get("file", UNKNOWN)
    before, _, after = known.source.address.partition("{version}")
    return UNKNOWN if address is UNKNOWN else str(address).removeprefix(before).removesuffix(after)
