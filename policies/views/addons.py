"""Helm releases, manifests and EKS add-ons as judged things: Muster's own, and those of foreign programs that rules
know.

An add-on of a foreign program is identified by its inputs alone. The engine gives no inputs for a release whose
kubeconfig is unknown: it is then an unknown chart.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Manifest, OwnObjects
from muster.addons.catalogue import CATALOGUE
from muster.addons.values import at
from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import ADDON, KUBERNETES_ADDON
from muster.policies.views.eks import eks_addon
from muster.policies.views.view import Properties, Reader, View, unknown
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


def addons(of: Properties) -> tuple[Addon[UnknownType], ...]:
    """Reads an add-on, or several from a group of manifests. From another program, only add-ons that rules know."""
    if is_ours(of.resource):
        return (_OURS[of.resource.type](of, ref=Ref(KUBERNETES_ADDON, of.resource.name)),)
    if of.resource.type in MANIFESTS:
        return tuple(_of_addresses(of))
    # SDKs that render charts themselves register the rendered objects, without inputs.
    return () if of.resource.type in CHARTS and "chart" not in of.values else (_chart(of),)


def _values(of: Properties) -> Any:
    """Helm reads files of values only when it runs."""
    return of.mapping("values") if of.raw("valueYamlFiles") in (None, []) else unknown()


_chart = View(Addon, version="version", chart=lambda of: _chart_name(of.needed("chart")), values=_values)


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


def _of_addresses(of: Properties) -> Iterator[Addon[UnknownType]]:
    """The add-on that a manifest installs, by its address, or one per address; unknown for an unknown address."""
    files = of.raw("files")
    if isinstance(files, list):
        for index, each in enumerate(files):
            yield from _of_address(of, each, Ref(of.ref.type, f"{of.ref.name}.files[{index}]"))
        return
    # The engine passes a pack no inputs of a remote component. SDKs that render themselves register the objects.
    unseen = not of.values and "/v2:" in of.resource.type
    yield from _of_address(of, UNKNOWN if unseen else of.raw("file|directory|files"), of.ref)


def _of_address(of: Properties, address: Any, ref: Ref) -> Iterator[Addon[UnknownType]]:
    if address is UNKNOWN:
        yield _manifest(of, ref=ref, version=UNKNOWN, chart=UNKNOWN)
    text = str(address)[:1024]
    for form, name in _INSTALLS:
        if form.search(text):
            version = _VERSION.search(text)
            yield _manifest(of, ref=ref, version=version[0] if version else None, chart=name)
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


def _eks_values(of: Properties) -> Any:
    given = of.get("configurationValues")
    return json.loads(given) if given else {}


def _version_of_folder(of: Properties) -> str:
    """Muster's overlay is in a folder with the name and version of the add-on."""
    return of.needed("directory").rpartition("/")[2].removeprefix(f"{of.resource.name}-")


def _version_in_address(of: Properties) -> str:
    """The version in a manifest's address; of a file, which can have any name, it is unknown. The engine passes a pack
    no inputs of a remote component."""
    found = CATALOGUE.get(of.resource.name)
    if found is None or not isinstance(found.source, Manifest):
        unknown()
    before, _, after = found.source.address.partition("{version}")
    return of.needed("file").removeprefix(before).removesuffix(after)


_MANIFEST: Mapping[str, Reader] = {"kind": lambda _: AddonKind.MANIFEST, "chart": lambda of: of.resource.name}
_manifest = View(Addon, **_MANIFEST)
_OURS: Mapping[str, View[Addon[UnknownType]]] = {
    RELEASE: View(Addon, version="version", chart=lambda of: of.needed("chart").rpartition("/")[2], values="values"),
    ADDON: View(
        Addon,
        version="addonVersion",
        kind=lambda _: AddonKind.EKS_ADDON,
        chart=lambda of: of.needed("addonName"),
        values=_eks_values,
    ),
    CONFIG_FILE: View(Addon, **_MANIFEST, version=_version_in_address),
    DIRECTORY: View(Addon, **_MANIFEST, version=_version_of_folder),
}

VIEWS: Mapping[str, Reader] = {
    ADDON: lambda of: addons(of) if is_ours(of.resource) else eks_addon(of),
    **dict.fromkeys((RELEASE, *CHARTS, *MANIFESTS), addons),
}
