"""Reads Karpenter's NodePools and EC2NodeClasses, beside the other Kubernetes objects of a file.

The views read them as node groups and launch templates (`muster.policies.views.karpenter`). What Karpenter decides by
the pods that wait is reported as not judged.
"""

from collections.abc import Collection, Mapping
from typing import Any

from muster.finding import Finding, KeyPath
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.message_text import closest_match, did_you_mean, show_value
from muster.plain_data import value_at
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program, object_type
from muster.sources.source import Gap, InputFile, Source
from muster.unknown import UNKNOWN

_FORMAT = "karpenter"
_KEY_OF_RULES = (
    ("imds-", "metadataOptions"),
    ("efa-", "networkInterfaces"),
    ("interface-", "networkInterfaces"),
    ("node-pool-", "template"),
)
"""The beginning of rules -> the key of the class or the pool that their findings are about."""
_POOL, _CLASS = "NodePool", "EC2NodeClass"
_KINDS = {_POOL: "karpenter.sh/v1", _CLASS: "karpenter.k8s.aws/v1"}
"""Kind -> its API version in Karpenter 1."""
_AUTO_MODES, _AUTO_MODES_API = "NodeClass", "eks.amazonaws.com/v1"
"""The node class of EKS Auto Mode."""
_OLD = {"Provisioner": _POOL, "AWSNodeTemplate": _CLASS}
"""A kind before Karpenter 0.32 -> its successor (upgrade guide)."""
_TYPE_LABEL = "node.kubernetes.io/instance-type"
_OF_POOL = "the instance types, zones and numbers of nodes, which Karpenter chooses by the pods that wait"


def read(file: InputFile) -> Source:
    """The Kubernetes objects of a file.

    Raises:
        InvalidFile: an object of Karpenter has a wrong form.
    """
    return _Reader(file).read()


class _Reader:
    """Reads one file."""

    def __init__(self, file: InputFile) -> None:
        self._file = file
        self._program = Program(_FORMAT, _FORMAT)
        self._gaps: list[Gap] = []
        self._paths: dict[str, int] = {}

    def read(self) -> Source:
        """The whole file."""
        objects = [
            (index, without_placeholders(each))
            for index, each in enumerate(self._file.documents)
            if isinstance(each, Mapping)
        ]
        classes: set[str] = set()
        pools: list[tuple[int, Mapping[str, Any]]] = []
        for index, each in objects:
            kind = self._kind(each, index)
            if kind in _OLD:
                self._gap(index, f"this object: Karpenter 1 does not know {kind}; write a {_OLD[kind]}")
                continue
            self._add_object(each, index)
            if kind == _CLASS:
                self._check_class(self._block(each, ("spec",), index), index)
                classes.add(_name(each, index))
            elif kind == _POOL:
                pools.append((index, each))
            elif each.get("kind") == _AUTO_MODES and each.get("apiVersion") == _AUTO_MODES_API:
                classes.add(_name(each, index))
        for index, pool in pools:
            self._check_pool(pool, index, classes)
        return Source(
            name=self._file.shown,
            registrations=self._program.registrations,
            gaps=tuple(dict.fromkeys(self._gaps)),
            place=self._place,
            label=self._label,
        )

    def _kind(self, value: Mapping[str, Any], index: int) -> str:
        """The kind of an object; empty for another project's.

        Raises:
            InvalidFile: it is nearly a kind of Karpenter.
        """
        kind, api = value.get("kind"), value.get("apiVersion")
        if not isinstance(kind, str) or not str(api).startswith("karpenter."):
            return ""
        if kind in _OLD:
            return kind
        near = closest_match(kind, _KINDS)
        if kind not in _KINDS and near:
            got = f"Karpenter does not know kind '{kind}'; did you mean '{near}'?"
            raise self._file.fault(("kind",), got, f"write {near}", index)
        if kind in _KINDS and api != _KINDS[kind]:
            self._gap(index, f"whether Karpenter knows {api}: Karpenter 1 has {_KINDS[kind]}")
        return kind

    def _block(self, value: Any, path: KeyPath, index: int) -> Mapping[str, Any]:
        """A block; empty if it is not set or unknown.

        Raises:
            InvalidFile: it is something else.
        """
        for step in path:
            found = value.get(step)
            if found is None or found is UNKNOWN:
                return {}
            if not isinstance(found, Mapping):
                got = f"{step} is {show_value(found)}, but Karpenter expects a block of keys"
                raise self._file.fault(path, got, "write a block of keys", index)
            value = found
        return value if isinstance(value, Mapping) else {}

    def _list(self, value: Mapping[str, Any], key: str, path: KeyPath, index: int) -> list[Any]:
        found = value.get(key)
        if found is None or found is UNKNOWN:
            return []
        if not isinstance(found, list):
            got = f"{key} is {show_value(found)}, but Karpenter expects a list"
            raise self._file.fault((*path, key), got, "write a list", index)
        return found

    def _add_object(self, value: Mapping[str, Any], index: int) -> None:
        """An object as it is: rules about pods judge it, and those of Karpenter are reported as not judged."""
        type_ = object_type(value)
        if type_ is None:
            if "kind" in value:
                self._gap(index, "this object, whose apiVersion or kind is no name")
            return
        inputs = {str(key): each for key, each in value.items() if key != "status"}
        name = f"{value['kind']} {_name(value, index)}"
        if self._program.urn(type_, name) in self._paths:
            name = f"{name} (document {index + 1})"
        self._paths[self._program.add(type_, name, inputs, at=self._file.position((), index))] = index

    def _check_pool(self, pool: Mapping[str, Any], index: int, classes: Collection[str]) -> None:
        """Checks the keys of a pool and its class, and records what is not judged of them."""
        path: KeyPath = ("spec", "template", "spec")
        spec = self._block(pool, path, index)
        named = self._block(spec, ("nodeClassRef",), index).get("name")
        self._gap(index, _OF_POOL)
        for each in _values(self._list(spec, "requirements", path, index), _TYPE_LABEL):
            self._check_type(each, index)
        if not isinstance(named, str) or named not in classes:
            hint = did_you_mean(named, classes) if isinstance(named, str) else ""
            self._gap(index, f"the node class of the pool, which is not in this file{hint}")

    def _check_class(self, spec: Mapping[str, Any], index: int) -> None:
        """Checks the keys of a class, and records what is not judged of it."""
        for key in ("metadataOptions", "kubelet", "placementGroupSelector"):
            if spec.get(key) is not UNKNOWN:
                self._block(spec, (key,), index)
        for key in ("subnetSelectorTerms", "securityGroupSelectorTerms"):
            self._list(spec, key, ("spec",), index)
        if not self._list(spec, "networkInterfaces", ("spec",), index):
            self._gap(index, "the EFA interfaces, which Karpenter attaches if pods request them")
        terms = self._list(spec, "capacityReservationSelectorTerms", ("spec",), index)
        ids = [each.get("id", UNKNOWN) if isinstance(each, Mapping) else UNKNOWN for each in terms]
        if len(ids) > 1 or UNKNOWN in ids:
            self._gap(index, "the reservations that capacityReservationSelectorTerms selects")

    def _check_type(self, instance: Any, index: int) -> None:
        """Records a type that Muster does not know."""
        try:
            if isinstance(instance, str):
                hardware(instance)
        except UnknownInstance:
            self._gap(index, f"the hardware of {instance}, which Muster does not know")

    def _gap(self, index: int, missing: str) -> None:
        self._gaps.append(Gap(self._shown(index), missing))

    def _label(self, urn: str) -> str:
        return self._shown(self._paths.get(urn, 0))

    def _shown(self, index: int) -> str:
        found = self._file.documents[index]
        kind = found.get("kind", "document") if isinstance(found, Mapping) else "document"
        return f"{kind} {_name(found, index)}"

    def _place(self, finding: Finding) -> Any:
        index = self._paths.get(finding.where, self._paths.get(finding.resource))
        if index is None:
            return None
        if finding.rule == "instance-type-catalogued" and (path := self._types_path(index)):
            return self._file.position(path, index)
        key = next((key for rules, key in _KEY_OF_RULES if finding.rule.startswith(rules)), None)
        return self._file.position(("spec", key) if key else ("spec",), index)

    def _types_path(self, index: int) -> KeyPath:
        """The requirement of a pool that lists its instance types; empty if there is none."""
        path = ("spec", "template", "spec", "requirements")
        listed = value_at(self._file.documents[index], *path)
        for number, each in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(each, Mapping) and each.get("key") == _TYPE_LABEL:
                return (*path, number, "values")
        return ()


def _name(value: Any, index: int) -> str:
    metadata = value.get("metadata") if isinstance(value, Mapping) else None
    found = metadata.get("name") if isinstance(metadata, Mapping) else None
    return found if isinstance(found, str) and found else f"in document {index + 1}"


def _values(requirements: list[Any], label: str) -> list[Any]:
    """The values that a requirement allows for a label; empty if none restricts it to a list."""
    for each in requirements:
        if isinstance(each, Mapping) and each.get("key") == label and each.get("operator") == "In":
            found = each.get("values")
            return list(found) if isinstance(found, list) else []
    return []
