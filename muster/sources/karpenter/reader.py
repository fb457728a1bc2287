"""Reads Kubernetes objects: Karpenter's NodePools and EC2NodeClasses, and those with pods in them.

The views read them as node groups and launch templates (`muster.policies.views.karpenter`). What Karpenter decides by
the pods that wait is reported as not judged.
"""

from collections.abc import Mapping
from typing import Any

from muster.edits import OF_FILE
from muster.finding import Finding, parse_dotted_path
from muster.message_text import closest_match
from muster.plain_data import as_list, value_at
from muster.position import Position
from muster.sources.keys import Checked, table_of
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program, object_type
from muster.sources.source import Gap, InputFile, InvalidFile, Source
from muster.sources.unknown_keys import UnknownKeys
from muster.unknown import UNKNOWN

_FORMAT = "karpenter"
_POOL, _CLASS = "NodePool", "EC2NodeClass"
_KINDS = {_POOL: "karpenter.sh/v1", _CLASS: "karpenter.k8s.aws/v1"}
"""Kind -> its API version in Karpenter 1."""
_OLD = {"Provisioner": _POOL, "AWSNodeTemplate": _CLASS}
"""A kind before Karpenter 0.32 -> its successor (upgrade guide)."""
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
        for index, each in objects:
            kind = self._kind(each, index)
            if kind in _OLD:
                self._gap(index, f"this object: Karpenter 1 does not know {kind}; write a {_OLD[kind]}")
                continue
            self._add_object(each, index)
            if kind == _CLASS:
                self._check_class(each.get("spec"), index)
            elif kind == _POOL:
                self._gap(index, _OF_POOL)
        return Source(
            name=self._file.shown,
            registrations=self._program.registrations,
            gaps=tuple(dict.fromkeys(self._gaps)),
            place=self._place,
            label=self._label,
            terms=OF_FILE,
            unknown_keys=tuple(fault for index, each in objects for fault in self._unknown_keys(each, index)),
        )

    def _unknown_keys(self, value: Mapping[str, Any], index: int) -> tuple[InvalidFile, ...]:
        """The keys that an object does not have: the API server refuses them, or drops them. An object of another
        project's kind may have any.

        Raises:
            InvalidFile: a block or a list of one of Karpenter's is something else.
        """
        block, blocks = f"{value.get('apiVersion')}.{value.get('kind')}", table_of(_FORMAT).blocks
        if block in blocks and block.startswith("karpenter."):
            return Checked(self._file, value, f"{_FORMAT}.{block}", "Karpenter", index).unknown_keys
        unknown = UnknownKeys(self._file, "Kubernetes", index)
        unknown.search(value, block, blocks)
        return tuple(unknown.faults())

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

    def _add_object(self, value: Mapping[str, Any], index: int) -> None:
        """An object as it is: rules about pods judge it, and those of Karpenter are reported as not judged."""
        type_ = object_type(value)
        if type_ is None:
            self._gap(index, "this object, whose apiVersion or kind is no name")
            return
        inputs = {str(key): each for key, each in value.items() if key != "status"}
        name = f"{value['kind']} {_name(value, index)}"
        if self._program.urn(type_, name) in self._paths:
            name = f"{name} (document {index + 1})"
        self._paths[self._program.add(type_, name, inputs, at=self._file.position((), index))] = index

    def _check_class(self, spec: Any, index: int) -> None:
        """Records what is not judged of a class."""
        if value_at(spec, "networkInterfaces") in (None, UNKNOWN, []):
            self._gap(index, "the EFA interfaces, which Karpenter attaches if pods request them")
        terms = as_list(value_at(spec, "capacityReservationSelectorTerms"))
        if len(terms) > 1 or any(value_at(each, "id") in (None, UNKNOWN) for each in terms):
            self._gap(index, "the reservations that capacityReservationSelectorTerms selects")

    def _gap(self, index: int, missing: str) -> None:
        self._gaps.append(Gap(self._shown(index), missing))

    def _label(self, urn: str) -> str:
        return self._shown(self._paths.get(urn, 0))

    def _shown(self, index: int) -> str:
        found = self._file.documents[index]
        return f"{value_at(found, 'kind') or 'document'} {_name(found, index)}"

    def _place(self, finding: Finding) -> Position | None:
        index = self._paths.get(finding.where, self._paths.get(finding.resource))
        path = finding.inside or ("spec", *parse_dotted_path(finding.property))
        return None if index is None else self._file.position(path, index)


def _name(value: Any, index: int) -> str:
    found = value_at(value, "metadata", "name")
    return found if isinstance(found, str) and found else f"in document {index + 1}"
