"""Reads Karpenter's NodePools and EC2NodeClasses as the launch templates that Karpenter makes of them.

From pkg/apis/v1/ec2nodeclass.go and pkg/providers (amifamily, launchtemplate) of aws/karpenter-provider-aws. Karpenter
chooses instance types, zones and numbers of nodes by the pods that wait. So no node groups are registered: rules judge
the settings of the machines, and the objects themselves are reported as not judged.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import Finding, KeyPath
from muster.fleet.resources.fleet import may_train
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.message_text import closest_match, show_value
from muster.offline.gaps import Gap
from muster.sources.karpenter.words import KEY_OF_RULES, words
from muster.sources.placeholders import without_placeholders
from muster.sources.program import Program
from muster.sources.source import InputFile, Source
from muster.unknown import UNKNOWN

_FORMAT = "karpenter"
_POOL, _CLASS = "NodePool", "EC2NodeClass"
_KINDS = {_POOL: "karpenter.sh/v1", _CLASS: "karpenter.k8s.aws/v1"}
"""Kind -> its API version in Karpenter 1."""
_OLD = {"Provisioner": _POOL, "AWSNodeTemplate": _CLASS}
"""A kind before Karpenter 0.32 -> its successor (upgrade guide)."""
_CLASS_TAG = "karpenter.k8s.aws/ec2nodeclass"
"""The tag that Karpenter adds to each instance: the name of its class (Karpenter's documentation, NodeClasses)."""
_TYPE_LABEL, _CAPACITY_LABEL = "node.kubernetes.io/instance-type", "karpenter.sh/capacity-type"
_ROOT = {"al2": "/dev/xvda", "al2023": "/dev/xvda", "bottlerocket": "/dev/xvda"}
_ENCRYPTED = {"volumeType": "gp3", "encrypted": True}
"""The default volume (`DefaultEBS`), as far as rules read it."""
_DEFAULT_METADATA = {"httpTokens": "required", "httpPutResponseHopLimit": 1}
_OF_POOL = "the instance types, zones and numbers of nodes, which Karpenter chooses by the pods that wait"


def read(file: InputFile) -> Source:
    """The launch templates of a file's NodePools, and its other Kubernetes objects.

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
        classes: dict[str, tuple[int, Mapping[str, Any]]] = {}
        pools: list[tuple[int, Mapping[str, Any]]] = []
        for index, each in objects:
            kind = self._kind(each, index)
            if kind in _OLD:
                self._gap(index, f"this object: Karpenter 1 does not know {kind}; write a {_OLD[kind]}")
                continue
            self._add_object(each, index)
            if kind == _CLASS:
                classes[_name(each, index)] = (index, self._spec(each, index))
            elif kind == _POOL:
                pools.append((index, each))
        used = set()
        for index, pool in pools:
            used.add(self._add_pool(pool, index, classes))
        for name, (index, spec) in classes.items():
            if name not in used:
                self._add_template(name, spec, UNKNOWN, index)
        return Source(
            name=self._file.shown,
            registrations=self._program.registrations,
            gaps=tuple(dict.fromkeys(self._gaps)),
            place=self._place,
            label=self._label,
            words=words,
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

    def _spec(self, value: Mapping[str, Any], index: int) -> Mapping[str, Any]:
        return self._block(value, ("spec",), index)

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
        api, kind = str(value.get("apiVersion", "")), value.get("kind")
        if not isinstance(kind, str) or not api:
            return
        inputs = {str(key): each for key, each in value.items() if key != "status"}
        group = api if "/" in api else f"core/{api}"
        name = f"{kind} {_name(value, index)}"
        self._register(f"kubernetes:{group}:{kind}", name, inputs, index)

    def _register(self, type_: str, name: str, inputs: Mapping[str, Any], index: int, **more: Any) -> None:
        urn = self._program.urn(type_, name)
        if urn in self._paths:
            name = f"{name} (document {index + 1})"
            urn = self._program.urn(type_, name)
        self._paths[urn] = index
        self._program.add(type_, name, inputs, at=self._file.position((), index), **more)

    def _add_pool(
        self, pool: Mapping[str, Any], index: int, classes: Mapping[str, tuple[int, Mapping[str, Any]]]
    ) -> str:
        """The template of a pool's nodes. Returns the name of its class."""
        path: KeyPath = ("spec", "template", "spec")
        spec = self._block(pool, path, index)
        named = self._block(spec, ("nodeClassRef",), index).get("name")
        requirements = self._list(spec, "requirements", path, index)
        self._gap(index, _OF_POOL)
        types = _values(requirements, _TYPE_LABEL)
        for each in types:
            self._check_type(each, index)
        if not isinstance(named, str) or named not in classes:
            self._gap(index, "the EC2NodeClass of the pool, which is not in this file")
            return ""
        at, settings = classes[named]
        # Without `networkInterfaces`, the pods decide about EFA: rules about it must not judge the type.
        given = self._list(classes[named][1], "networkInterfaces", ("spec",), index)
        instance = types[0] if len(types) == 1 and given else UNKNOWN
        if types and not any(map(_may_train, types)):
            instance = types[0]
        capacity = _values(requirements, _CAPACITY_LABEL)
        self._add_template(f"{_name(pool, index)} on {named}", settings, instance, at, capacity)
        return named

    def _check_type(self, instance: Any, index: int) -> None:
        """Records a type that Muster does not know."""
        try:
            if isinstance(instance, str):
                hardware(instance)
        except UnknownInstance:
            self._gap(index, f"the hardware of {instance}, which Muster does not know")

    def _add_template(
        self, name: str, spec: Mapping[str, Any], instance: Any, index: int, capacity: list[Any] | None = None
    ) -> None:
        class_name = _name(self._file.documents[index], index)
        metadata = spec.get("metadataOptions")
        options = metadata if metadata is UNKNOWN else self._block(spec, ("metadataOptions",), index)
        terms = self._list(spec, "securityGroupSelectorTerms", ("spec",), index)
        groups = [each.get("id", UNKNOWN) if isinstance(each, Mapping) else UNKNOWN for each in terms]
        inputs = {
            "instanceType": instance,
            "imageId": UNKNOWN,
            "userData": UNKNOWN,
            "iamInstanceProfile": {"name": UNKNOWN},
            "metadataOptions": options if options is UNKNOWN else {**_DEFAULT_METADATA, **_known(options)},
            "blockDeviceMappings": self._volumes(spec, index),
            "tagSpecifications": [{"resourceType": "instance", "tags": {_CLASS_TAG: class_name}}],
            **self._interfaces(spec, groups, index),
            **self._capacity(spec, index),
        }
        if capacity == ["spot"]:
            inputs["instanceMarketOptions"] = {"marketType": "spot"}
        self._register(LAUNCH_TEMPLATE, name, inputs, index, id_=f"template of {name}")

    def _volumes(self, spec: Mapping[str, Any], index: int) -> Any:
        """The volumes; without them, Karpenter's own, which is encrypted."""
        if spec.get("blockDeviceMappings") is UNKNOWN:
            return UNKNOWN
        listed = self._list(spec, "blockDeviceMappings", ("spec",), index)
        if listed:
            return [_known(each) if isinstance(each, Mapping) else UNKNOWN for each in listed]
        device = _ROOT.get(_family(spec))
        return [{"deviceName": device, "ebs": _ENCRYPTED}] if device else UNKNOWN

    def _interfaces(self, spec: Mapping[str, Any], groups: list[Any], index: int) -> dict[str, Any]:
        """The interfaces of the class. Without them, Karpenter attaches EFA interfaces if pods request them."""
        listed = self._list(spec, "networkInterfaces", ("spec",), index)
        if not listed:
            self._gap(index, "the EFA interfaces, which Karpenter attaches if pods request them")
            return {"vpcSecurityGroupIds": groups or UNKNOWN}
        return {
            "networkInterfaces": [
                {**_known(each), "securityGroups": groups or UNKNOWN} if isinstance(each, Mapping) else UNKNOWN
                for each in listed
            ]
        }

    def _capacity(self, spec: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The reservations that a class selects: by id, if it is one."""
        terms = self._list(spec, "capacityReservationSelectorTerms", ("spec",), index)
        if not terms:
            return {}
        ids = [each.get("id", UNKNOWN) if isinstance(each, Mapping) else UNKNOWN for each in terms]
        if len(ids) > 1 or UNKNOWN in ids:
            self._gap(index, "the reservations that capacityReservationSelectorTerms selects")
            return {}
        return {"capacityReservationSpecification": {"capacityReservationTarget": {"capacityReservationId": ids[0]}}}

    def _gap(self, index: int, missing: str) -> None:
        found = self._file.documents[index]
        kind = found.get("kind", "document") if isinstance(found, Mapping) else "document"
        self._gaps.append(Gap(f"{kind} {_name(found, index)}", missing))

    def _label(self, urn: str) -> str:
        index = self._paths.get(urn, 0)
        found = self._file.documents[index]
        kind = found.get("kind", "document") if isinstance(found, Mapping) else "document"
        return f"{kind} {_name(found, index)}"

    def _place(self, finding: Finding) -> Any:
        index = self._paths.get(finding.where, self._paths.get(finding.resource))
        if index is None:
            return None
        key = next((key for rules, key in KEY_OF_RULES if finding.rule.startswith(rules)), None)
        return self._file.position(("spec", key) if key else ("spec",), index)


def _may_train(instance: Any) -> bool:
    """Whether a type may train. A type that Muster does not know may, unlike in `may_train` of the fleet: otherwise new
    types with accelerators would get no advice about security."""
    try:
        known = isinstance(instance, str) and hardware(instance)
    except UnknownInstance:
        known = False
    return not known or may_train(instance)


def _known(values: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): each for key, each in values.items() if each is not None}


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


def _family(spec: Mapping[str, Any]) -> str:
    """The image family: `amiFamily`, or the alias of a selector (`EC2NodeClass.AMIFamily`)."""
    given = spec.get("amiFamily")
    if isinstance(given, str):
        return given.lower()
    terms = spec.get("amiSelectorTerms")
    aliases: Iterator[str] = (
        each["alias"]
        for each in (terms if isinstance(terms, list) else [])
        if isinstance(each, Mapping) and isinstance(each.get("alias"), str)
    )
    return re.split("@", next(aliases, ""))[0].lower()
