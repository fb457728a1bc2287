"""Builds registrations for the resources of a file, as if a Pulumi program had registered them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from muster.finding import Finding
from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources.ref import Ref
from muster.plain_data import value_at
from muster.position import Position
from muster.sources.source import InputFile
from muster.unknown import UNKNOWN

_API = re.compile(r"[\w.-]+/v\w+|v\d\w*")
_KIND = re.compile(r"[A-Z]\w*")


def object_type(manifest: Any) -> str | None:
    """Pulumi's type of a Kubernetes object: ``kubernetes:apps/v1:Deployment``. None for what is no object."""
    api, kind = (value_at(manifest, key) for key in ("apiVersion", "kind"))
    if not isinstance(api, str) or not isinstance(kind, str) or not _API.fullmatch(api) or not _KIND.fullmatch(kind):
        return None
    return f"kubernetes:{api if '/' in api else f'core/{api}'}:{kind}"


class Program:
    """The resources of one file. Each has a URN, and the place in the file where it begins."""

    def __init__(self, stack: str, project: str) -> None:
        """Creates an empty program.

        Args:
            stack: the stack's name in URNs.
            project: the project's name in URNs: the format's id.
        """
        self._stack, self._project = stack, project
        self._registered: dict[str, Registration] = {}
        self._places: dict[str, Position] = {}

    def urn(self, type_: str, name: str) -> str:
        """The URN of a resource. `name` is its name in reports: the address in Terraform, the logical id in
        CloudFormation."""
        return f"urn:pulumi:{self._stack}::{self._project}::{type_}::{name}"

    def add(
        self,
        type_: str,
        name: str,
        inputs: Mapping[str, Any],
        *,
        at: Position | None = None,
        id_: Any = UNKNOWN,
        outputs: Mapping[str, Any] | None = None,
        uses: Mapping[str, tuple[str, ...]] | None = None,
        region: str | None = None,
        existing: bool = False,
    ) -> str:
        """Adds a resource and returns its URN.

        Args:
            type_: Pulumi's type token (``aws:eks/nodeGroup:NodeGroup``).
            name: its name, unique within its type.
            inputs: its inputs with Pulumi's names (camelCase); `UNKNOWN` for a value that the file does not have.
            at: the position in the file where the resource begins.
            id_: its id. Another resource that has this id as a value refers to this resource.
            outputs: its outputs, beside the inputs: ``arn``.
            uses: top-level input -> URNs of the resources that its unknown values come from.
            region: its Region, if it is not the default of the file.
            existing: whether the file only names it, and does not create it.
        """
        urn = self.urn(type_, name)
        used = {key: tuple(sorted(urns)) for key, urns in (uses or {}).items() if urns}
        with_region = {**inputs, "region": region} if region else inputs
        self._registered[urn] = Registration(
            urn=urn,
            type=type_,
            name=name,
            inputs=with_region,
            id=id_,
            outputs={**with_region, **(outputs or {})},
            dependencies=tuple(sorted({each for urns in used.values() for each in urns})),
            property_dependencies=used,
            options={EXISTING: True} if existing else {},
        )
        if at:
            self._places[urn] = at
        return urn

    @property
    def registrations(self) -> tuple[Registration, ...]:
        """The resources, sorted by URN."""
        return tuple(sorted(self._registered.values(), key=lambda each: each.urn))

    def place(self, finding: Finding) -> Position | None:
        """Where the resource of a finding begins."""
        return self._places.get(finding.where) or self._places.get(finding.resource)

    @staticmethod
    def name_of(urn: str) -> str:
        """The name of a resource in reports."""
        return Ref.of_urn(urn).name


def source_name(file: InputFile) -> str:
    """The file's name without its suffix (``.template.json`` for CloudFormation), with the characters that a URN may
    have."""
    return re.sub(r"[^\w.-]+", "-", file.path.stem.removesuffix(".template")).strip("-.") or "cluster"


_AWS = ("aws:", "aws-native:")
_PROVIDERS = ("pulumi:providers:aws", "pulumi:providers:aws-native")


def region_by_urn(registrations: Iterable[Registration], otherwise: str | None) -> Mapping[str, str | None]:
    """URN -> Region. Resources of other providers get the Region that most AWS resources have.

    Args:
        registrations: the whole program.
        otherwise: the Region of the default provider; None if it is not set.
    """
    listed = list(registrations)
    named = {each.urn: each.inputs.get("region") for each in listed if each.type in _PROVIDERS}
    found: dict[str, str | None] = {}
    for each in listed:
        if each.type.startswith(_AWS):
            provider = named.get(str(each.options.get("provider", "")).rpartition("::")[0])
            candidates = (each.inputs.get("region"), provider, otherwise)
            found[each.urn] = next((one for one in candidates if isinstance(one, str) and one), None)
    counted = Counter(found.values())
    usual = max(counted, key=lambda region: (counted[region], region or "")) if counted else otherwise
    return {each.urn: found.get(each.urn, usual) for each in listed}
