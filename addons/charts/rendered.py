"""What came out of a chart or a manifest, ready for an API server."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from addons.values import at

Json = dict[str, Any]

_NOT_RUN = {
    "ValidatingWebhookConfiguration": "its webhooks are answered by a controller that does not run",
    "MutatingWebhookConfiguration": "its webhooks are answered by a controller that does not run",
    "APIService": "its API is served by a program that does not run",
}

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
"""Kubernetes' own kinds that are in no namespace. A custom kind's CRD says it of that kind."""

_WITH_SPEC = {"CustomResourceDefinition", "Deployment"}
"""Whose specs are read here."""

_FIRST = (
    {"Namespace", "CustomResourceDefinition", "PriorityClass"},
    {"ServiceAccount", "Secret", "ConfigMap", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Service"},
)
"""What others need when they are made, as Helm orders them."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An object that a control plane without the add-on's programs cannot do with."""

    kind: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects of an add-on."""

    everything: tuple[Json, ...]
    """All that an installation puts on a cluster."""
    source: str
    """``chart nvidia-device-plugin 0.20.0 from charts/nvidia-device-plugin-0.20.0.tgz``."""
    version: str | None
    """Its own; None where nothing says so."""
    notes: tuple[str, ...] = ()
    """In what it is not the one that was asked for."""

    @property
    def objects(self) -> tuple[Json, ...]:
        """What runs without the add-on's programs: everything but what is left out."""
        return tuple(each for each in self.everything if each["kind"] not in _NOT_RUN)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The rest, each with the reason."""
        return tuple(
            LeftOut(each["kind"], each["metadata"]["name"], _NOT_RUN[each["kind"]])
            for each in self.everything
            if each["kind"] in _NOT_RUN
        )


def installed(documents: Iterable[Any], namespace: str) -> tuple[Json, ...]:
    """What an installation makes of the documents: lists unpacked, namespaces filled in, no tests, in its order.

    Hooks that run at the installation belong to it; those of tests, upgrades and deletions are not there after it.

    Raises:
        ValueError: one of them is no Kubernetes object.
    """
    objects = [each for document in documents for each in _unpacked(document) if _is_installed(each)]
    wide = _CLUSTER_WIDE | set(_cluster_wide_kinds(objects))
    return tuple(
        each if each["kind"] in wide else _in_namespace(each, namespace) for each in sorted(objects, key=_turn)
    )


def _turn(manifest: Mapping[str, Any]) -> int:
    return next((turn for turn, kinds in enumerate(_FIRST) if manifest["kind"] in kinds), len(_FIRST))


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
    """Why it is no object; None where it is one, as far as it is read here. The rest is the API server's to judge."""
    if not isinstance(document, dict) or not isinstance(document.get("kind"), str) or "apiVersion" not in document:
        return f"no Kubernetes object: {str(document)[:60]!r}"
    if _is_list(document):
        return None
    kind, metadata = document["kind"], document.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        return f"a {kind} without a name"
    if not isinstance(metadata.get("annotations") or {}, dict):
        return f"a {kind} with annotations that are no map"
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
