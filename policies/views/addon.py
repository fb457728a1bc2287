"""Helm releases, manifests and EKS add-ons of Muster's installer as judged things."""

import json
from typing import Any

from addons.addon import Manifest
from addons.catalogue import CATALOGUE
from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, Place, Ref
from muster.fleet.resources.addon import Kind
from muster.fleet.resources.place import ADDON, KUBERNETES_ADDON
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References

RELEASE = "kubernetes:helm.sh/v3:Release"
CONFIG_FILE = "kubernetes:yaml/v2:ConfigFile"
DIRECTORY = "kubernetes:kustomize/v2:Directory"
_INSTALLER = "muster:addons:Addons$"


def is_ours(resource: Registration) -> bool:
    """Whether Muster's installer registered it; a release from elsewhere is none of ours."""
    return _INSTALLER in resource.urn


def addon(resource: Registration, _references: References) -> Addon | None:
    """Reads an add-on that Muster's installer registered."""
    if not is_ours(resource):
        return None
    read = {ADDON: _eks_addon, RELEASE: _release, CONFIG_FILE: _manifest, DIRECTORY: _directory}
    return read[resource.type](resource)


def _made(resource: Registration, version: Any, kind: Kind, chart: Any, values: Any) -> Addon:
    return Addon(Ref(KUBERNETES_ADDON, resource.name), version, Place(resource.urn), kind, chart, values)


def _release(resource: Registration) -> Addon:
    chart = resource.inputs.get("chart", UNKNOWN)
    name = chart if chart is UNKNOWN else str(chart).rpartition("/")[2]
    return _made(resource, resource.inputs.get("version"), Kind.CHART, name, resource.inputs.get("values", {}))


def _eks_addon(resource: Registration) -> Addon:
    given = resource.inputs.get("configurationValues")
    values = UNKNOWN if given is UNKNOWN else json.loads(given) if given else {}
    name = resource.inputs.get("addonName", UNKNOWN)
    return _made(resource, resource.inputs.get("addonVersion"), Kind.EKS_ADDON, name, values)


def _manifest(resource: Registration) -> Addon:
    return _made(resource, _version_in_address(resource), Kind.MANIFEST, resource.name, {})


def _directory(resource: Registration) -> Addon:
    """The folder of our own overlay is named by the add-on and its version."""
    folder = resource.inputs.get("directory", UNKNOWN)
    version = UNKNOWN if folder is UNKNOWN else str(folder).rpartition("/")[2].removeprefix(f"{resource.name}-")
    return _made(resource, version, Kind.MANIFEST, resource.name, {})


def _version_in_address(resource: Registration) -> str | UnknownType:
    """The version that stands in a manifest's address."""
    source = CATALOGUE[resource.name].source
    assert isinstance(source, Manifest)
    # The engine shows a pack no inputs of a remote component.
    address = resource.inputs.get("file", UNKNOWN)
    before, _, after = source.address.partition("{version}")
    return UNKNOWN if address is UNKNOWN else str(address).removeprefix(before).removesuffix(after)
