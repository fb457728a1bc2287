"""Helm releases and manifests of Muster's catalogue as judged things."""

from addons.addon import Manifest
from addons.catalogue import CATALOGUE
from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, Place, Ref
from muster.fleet.resources.place import KUBERNETES_ADDON
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References

RELEASE = "kubernetes:helm.sh/v3:Release"
CONFIG_FILE = "kubernetes:yaml/v2:ConfigFile"
_INSTALLER = "muster:addons:Addons$"


def addon(resource: Registration, _references: References) -> Addon | None:
    """Reads an add-on that Muster's installer registered; a release from elsewhere is none of ours."""
    if _INSTALLER not in resource.urn:
        return None
    source = CATALOGUE[resource.name].source
    version = _version_in(resource, source) if isinstance(source, Manifest) else resource.inputs.get("version")
    return Addon(Ref(KUBERNETES_ADDON, resource.name), version, Place(resource.urn))


def _version_in(resource: Registration, manifest: Manifest) -> str | UnknownType:
    """The version that stands in a manifest's address."""
    # The engine shows a pack no inputs of a remote component.
    address = resource.inputs.get("file", UNKNOWN)
    before, _, after = manifest.address.partition("{version}")
    return UNKNOWN if address is UNKNOWN else str(address).removeprefix(before).removesuffix(after)
