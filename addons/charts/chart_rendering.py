"""Finds an add-on's chart in a folder, and renders it with values; notes state differences from what would be
installed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from muster.addons.addon import Addon, Chart, EksAddon, Kustomization, OwnObjects, Patched
from muster.addons.charts.helm import ChartFault, HelmError, NoChart, template
from muster.addons.charts.sources import FoundChart, chart_version, find, same
from muster.addons.manifest_patches import patched
from muster.addons.values import at

Json = dict[str, Any]

NOT_RUN = {
    "ValidatingWebhookConfiguration": "no controller runs to answer its webhooks",
    "MutatingWebhookConfiguration": "no controller runs to answer its webhooks",
    "APIService": "no program runs to serve its API",
}
"""Kinds of objects that do not work without the add-on's programs -> why."""

_HOOK = "helm.sh/hook"
_ON_INSTALL = {"pre-install", "post-install", "crd-install"}

_CLUSTER_WIDE = {
    *("Namespace", "Node", "PersistentVolume", "CustomResourceDefinition", "APIService"),
    *("ClusterRole", "ClusterRoleBinding", "PriorityClass", "RuntimeClass", "DeviceClass", "ResourceSlice"),
    *("StorageClass", "CSIDriver", "CSINode", "VolumeAttachment", "VolumeAttributesClass", "IngressClass"),
    *("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"),
    *("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
    *("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
    *("FlowSchema", "PriorityLevelConfiguration", "CertificateSigningRequest", "ClusterTrustBundle"),
    *("IPAddress", "ServiceCIDR"),
}
"""Kubernetes' kinds that are in no namespace. Of a custom kind its CRD has the scope."""

_WITH_SPEC = {"CustomResourceDefinition", "Deployment"}
"""Kinds whose specs are read here."""

_FIRST = (
    {"Namespace", "CustomResourceDefinition", "PriorityClass"},
    {"ServiceAccount", "Secret", "ConfigMap", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Service"},
)
"""Kinds that others need, in Helm's order."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects of an add-on."""

    everything: tuple[Json, ...]
    """All that an installation creates."""
    source: str
    """``chart nvidia-device-plugin 0.20.0 from charts/nvidia-device-plugin-0.20.0.tgz``."""
    version: str | None
    """The chart's; None where it is not known."""
    notes: tuple[str, ...] = ()
    """Differences from the version that would be installed."""

    @property
    def objects(self) -> tuple[Json, ...]:
        """The objects that work without the add-on's programs."""
        return tuple(each for each in self.everything if each["kind"] not in NOT_RUN)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The kinds of the others."""
        return tuple(each["kind"] for each in self.everything if each["kind"] in NOT_RUN)


def as_installed(documents: Iterable[Any], namespace: str) -> tuple[Json, ...]:
    """The objects that an installation creates, in its order: lists are unpacked, namespaces filled in, and hooks of
    tests, upgrades and deletions left out.

    Raises:
        ValueError: one of them is no Kubernetes object.
    """
    objects = [each for document in documents for each in _unpacked(document) if _is_installed(each)]
    wide = _CLUSTER_WIDE | set(_cluster_wide_kinds(objects))
    return tuple(
        each if each["kind"] in wide else _in_namespace(each, namespace) for each in sorted(objects, key=_order)
    )


def _order(manifest: Mapping[str, Any]) -> int:
    return next((number for number, kinds in enumerate(_FIRST) if manifest["kind"] in kinds), len(_FIRST))


def _unpacked(document: Any) -> Iterator[Json]:
    if document is None:
        return
    if fault := _fault(document):
        raise ValueError(fault)
    if _is_list(document):
        for item in document["items"]:
            yield from _unpacked(item)
    else:
        yield document


def _fault(document: Any) -> str | None:
    """Why it is no object; None where it is one. Only fields that are read here are checked."""
    if not isinstance(document, dict) or not isinstance(document.get("kind"), str) or "apiVersion" not in document:
        return f"not a Kubernetes object: {str(document)[:60]!r}"
    if _is_list(document):
        return None
    kind, metadata = document["kind"], document.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        return f"a {kind} without a name"
    if not isinstance(metadata.get("annotations") or {}, dict):
        return f"a {kind} whose annotations are not a map"
    if kind in _WITH_SPEC and not isinstance(document.get("spec"), dict):
        return f"a {kind} without a spec"
    return None


def _is_list(document: Json) -> bool:
    return document["kind"].endswith("List") and isinstance(document.get("items"), list)


def _is_installed(manifest: Mapping[str, Any]) -> bool:
    hooks = (manifest["metadata"].get("annotations") or {}).get(_HOOK)
    return hooks is None or not _ON_INSTALL.isdisjoint(each.strip() for each in str(hooks).split(","))


def _cluster_wide_kinds(objects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for each in objects:
        if each["kind"] == "CustomResourceDefinition" and each["spec"].get("scope") == "Cluster":
            yield str(at(each["spec"], "names", "kind"))


def _in_namespace(manifest: Json, namespace: str) -> Json:
    metadata = manifest["metadata"]
    return manifest if metadata.get("namespace") else {**manifest, "metadata": {**metadata, "namespace": namespace}}


_TEXT_IN_KUBERNETES = {"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value"}

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with it


class _Loader(_Base):  # type: ignore[misc]  # whichever there is
    yaml_implicit_resolvers = {  # noqa: RUF012  # yaml's own attribute, and its own type
        first: [(tag, form) for tag, form in resolvers if tag not in _TEXT_IN_KUBERNETES]
        for first, resolvers in _Base.yaml_implicit_resolvers.items()
    }


def documents(text: str) -> list[Any]:
    """All of them, empty ones as None.

    Raises:
        ValueError: no YAML; the message is one line.
    """
    try:
        return list(yaml.load_all(text, _Loader))  # a SafeLoader, as above
    except yaml.YAMLError as fault:
        raise ValueError(" ".join(str(fault).split())) from fault


@dataclass(frozen=True, slots=True)
class Charts:
    """The charts of one folder."""

    folder: Path

    @classmethod
    def at(cls, where: str) -> Self:
        """The folder that a user names.

        Raises:
            ChartFault: there is no such folder.
        """
        folder = Path(where).expanduser()
        if not where or not folder.is_dir():
            raise ChartFault(f"--charts '{where}': there is no such folder; give a folder with charts (`helm pull`)")
        return cls(folder)

    def rendered(self, addon: Addon, version: str, values: Mapping[str, Any], kubernetes: str) -> Rendered:
        """The objects that an installation of the add-on creates.

        Args:
            addon: one of Muster's add-ons.
            version: the version that would be installed. If the folder does not contain it, another version is used,
                with a note.
            values: for the chart (`muster.addons.values.values_of`); a manifest has none.
            kubernetes: ``1.35``.

        Raises:
            NoChart: the folder has none for this add-on.
            ChartFault: it cannot be rendered.
        """
        source = addon.source
        if isinstance(source, EksAddon):
            raise NoChart(f"{addon.name} is an EKS add-on, whose chart EKS does not publish")
        if isinstance(source, OwnObjects):
            raise NoChart(f"{addon.name} has no chart: Muster creates its objects")
        found = find(self.folder, addon, version)
        if isinstance(source, Chart):
            return _from_chart(addon, source.name, found, version, values, kubernetes)
        return _from_manifest(addon, source, found, version, values)


def _from_manifest(
    addon: Addon, manifest: Patched, found: FoundChart, version: str, values: Mapping[str, Any]
) -> Rendered:
    try:
        text = found.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ChartFault(f"{addon.name}: {found.path} cannot be read: {fault}") from fault
    objects = _objects(addon, text, found, "fetch it again")
    try:
        objects = patched(objects, manifest.patches_of(version, dict(values), str))
    except (LookupError, TypeError, ValueError) as fault:
        again = f"kubectl kustomize '{manifest.address_of('VERSION')}'"
        remedy = f"render its base again ({again})" if isinstance(manifest, Kustomization) else "fetch it again"
        raise ChartFault(f"{addon.name}: {found.path} does not match Muster's patches: {fault}; {remedy}") from fault
    notes = tuple(_other_version(addon, found.version, version))
    return Rendered(objects, _source("manifest", addon.name, found.version, found), found.version, notes)


def _from_chart(
    addon: Addon, chart: str, found: FoundChart, version: str, values: Mapping[str, Any], kubernetes: str
) -> Rendered:
    try:
        own = chart_version(found.path)
    except ValueError as fault:
        raise ChartFault(f"{addon.name}: {found.path} is not a chart: {fault}; fetch it again") from fault
    look = f"correct addons.{addon.name}.values in the stack file, or omit --charts to check simulated workloads"
    try:
        text = template(found.path, chart, addon.namespace, values, kubernetes)
    except HelmError as fault:
        raise ChartFault(f"{addon.name}: Helm cannot render {found.path}: {fault}; {look}") from fault
    notes = tuple(_other_version(addon, own, version))
    return Rendered(_objects(addon, text, found, look), _source("chart", chart, own, found), own, notes)


def _objects(addon: Addon, text: str, found: FoundChart, remedy: str) -> tuple[Json, ...]:
    try:
        return as_installed(documents(text), addon.namespace)
    except ValueError as fault:
        raise ChartFault(
            f"{addon.name}: the output of {found.path} is not valid for Kubernetes: {fault}; {remedy}"
        ) from fault


def _source(what: str, name: str, version: str | None, found: FoundChart) -> str:
    return " ".join(filter(None, (what, name, version, "from", str(found.path))))


def _other_version(addon: Addon, own: str | None, wanted: str) -> Iterator[str]:
    if own is None:
        yield f"{addon.name}: the version of the file is not known; Muster would install {wanted}"
    elif not same(own, wanted):
        yield f"{addon.name}: Muster checked version {own}, which it found; it would install {wanted}"
