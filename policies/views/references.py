"""Which resource a value names: by its id where that is known, by the property's dependencies where it is not."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from muster.fleet.registration import Registration
from muster.fleet.resources import Among, Ref, Reference
from muster.fleet.resources.place import (
    AUTO_SCALING_GROUP,
    BUCKET,
    CLUSTER,
    DEFAULT_GROUP,
    KEY_PAIR,
    LAUNCH_TEMPLATE,
    PLACEMENT_GROUP,
    SECURITY_GROUP,
)
from muster.fleet.unknown import UNKNOWN, UnknownType

T = TypeVar("T")

EKS_COMPONENT = "eks:index:Cluster"
_AWS = ("aws:", "aws-native:")
"""Types of AWS's two providers: their resources alone have ARNs of their own."""
NAMED_BY_THEIR_NAME = frozenset({PLACEMENT_GROUP, LAUNCH_TEMPLATE, AUTO_SCALING_GROUP})
OWN_GROUPS = frozenset({SECURITY_GROUP, DEFAULT_GROUP})
"""A security group of which the program says all rules: one that it makes, or a VPC's default one that it takes."""
GROUPS = frozenset({*OWN_GROUPS, CLUSTER})
"""What can stand behind a security group's id: a group, or a cluster with the group EKS gives it."""
BUCKETS = frozenset({BUCKET, "aws:s3/bucketV2:BucketV2"})
"""An S3 bucket, by the provider's two names for it."""


class References:
    """The resources of one program, found by what names them."""

    def __init__(self, registrations: Iterable[Registration]) -> None:
        self._by_urn = {each.urn: each for each in registrations}
        alike = Counter(each.ref for each in self._by_urn.values())
        self._refs = {urn: each.ref if alike[each.ref] == 1 else _in_full(each) for urn, each in self._by_urn.items()}
        self._by_value: dict[str, Ref] = {}
        # A name is one among things of its type alone: a role and a launch template may share it.
        self._named: dict[tuple[str, str], Ref] = {}
        self._clusters_of: dict[str, Ref] = {}
        for each in self._by_urn.values():
            if each.custom and isinstance(each.id, str) and each.id and not each.type.startswith("pulumi:"):
                self._by_value[each.id] = self.ref(each)
            # A component may tell its cluster's ARN, too, and the engine says of none that it is one.
            arn = each.outputs.get("arn") if each.type.startswith(_AWS) else None
            if isinstance(arn, str):
                self._by_value[arn] = self.ref(each)
            bucket = each.outputs.get("bucket")
            if each.type in BUCKETS and isinstance(bucket, str):
                self._by_value[bucket] = self.ref(each)
            name = next(
                (said for said in (first(each.inputs, "name"), each.outputs.get("name")) if isinstance(said, str)), None
            )
            if each.custom and name:
                self._named[each.type, name] = self.ref(each)
            if each.type in NAMED_BY_THEIR_NAME and name:
                self._by_value[name] = self.ref(each)  # named by it, and known before it exists
            key = each.inputs.get("keyName")
            if each.type == KEY_PAIR and isinstance(key, str):
                self._by_value[key] = self.ref(each)
            if each.type == CLUSTER:
                self._clusters_of[each.parent] = self.ref(each)
                group = block(each.outputs, "vpcConfig").get("clusterSecurityGroupId")
                if isinstance(group, str):
                    self._by_value[group] = self.ref(each)

    def ref(self, resource: Registration) -> Ref:
        """How a resource is named here: by type and logical name, or by its whole URN's name where two are alike (the
        same name below two components)."""
        return self._refs[resource.urn]

    def before(self, resource: Registration) -> frozenset[Ref]:
        """Everything that the engine makes before a resource, as far as the program says so, directly or not."""
        found: set[str] = set()
        waiting = list(resource.dependencies)
        while waiting:
            urn = waiting.pop()
            if urn not in found:
                found.add(urn)
                known = self._by_urn.get(urn)
                waiting += known.dependencies if known else ()
        return frozenset(self._refs.get(urn) or Ref.of_urn(urn) for urn in found)

    def of(self, value: object, types: Iterable[str] = ()) -> Reference | UnknownType:
        """The resource of this program that a known value names, one of some types also by its name, else the value
        itself."""
        if value is UNKNOWN:
            return UNKNOWN
        text = str(value)
        by_name = (self._named[each, text] for each in types if (each, text) in self._named)
        found: Reference = self._by_value.get(text) or next(by_name, text)
        return found

    def behind(self, resource: Registration, properties: Iterable[str], types: Iterable[str]) -> frozenset[Ref]:
        """The resources of some types that properties are made of. A `pulumi_eks.Cluster` stands for its cluster."""
        urns = {urn for name in properties for urn in resource.property_dependencies.get(name, ())}
        refs = {self._ref(urn) for urn in urns}
        return frozenset(ref for ref in refs if ref and ref.type in types)

    def _ref(self, urn: str) -> Ref | None:
        found = self._by_urn.get(urn)
        if found and found.type == EKS_COMPONENT:
            return self._clusters_of.get(urn)
        return self._refs.get(urn) or Ref.of_urn(urn)

    def one(
        self, value: Any, resource: Registration, name: str, types: Iterable[str]
    ) -> Reference | None | UnknownType:
        """What one value names; an unknown one is what the property's only dependency of these types says."""
        if value is None or value is not UNKNOWN:
            return None if value is None else self.of(value, types)
        candidates = self.behind(resource, (name,), types)
        return next(iter(candidates)) if len(candidates) == 1 else UNKNOWN

    def several(
        self, values: object, resource: Registration, name: str, types: Iterable[str]
    ) -> tuple[Reference, ...] | UnknownType:
        """What a list of ids names, sorted.

        Unknown ones are resolved where their number leaves one answer only: a list without repetition, as long as the
        known names and the candidates that are left together.
        """
        if values is UNKNOWN:
            return UNKNOWN
        listed = values if isinstance(values, list) else [] if values is None else [values]
        named = (self.of(value, types) for value in listed if value is not None)
        known = {each for each in named if each is not UNKNOWN}
        unknown = sum(value is UNKNOWN for value in listed)
        left = self.behind(resource, (name,), types) - known
        if unknown and unknown != len(left):
            return UNKNOWN
        return tuple(sorted({*known, *(left if unknown else ())}, key=str))

    def named(self, values: object) -> tuple[Reference, ...]:
        """What a list of ids names as far as it is known, sorted."""
        found = {self.of(each) for each in values if each is not None} if isinstance(values, list) else set()
        return tuple(sorted((each for each in found if each is not UNKNOWN), key=str))

    def among(self, values: object, resource: Registration, name: str, types: Iterable[str]) -> Among | None:
        """What a list of ids, some of them unknown, has: so many, of the known names and what the property is made of.
        None where even the number is not known."""
        if not isinstance(values, list):
            return None
        known = {each for value in values if (each := self.of(value, types)) is not UNKNOWN}
        return Among(len(values), tuple(sorted({*known, *self.behind(resource, (name,), types)}, key=str)))


def _in_full(resource: Registration) -> Ref:
    """A reference that no other resource of the program shares."""
    return Ref(resource.type, resource.urn.split("::", 2)[2])


def whole(value: Any) -> Any:
    """A number, also where a program writes it as text (`"0"`); anything else that is no number is not known."""
    if value is None or value is UNKNOWN or isinstance(value, int):
        return value
    text = str(value)
    return int(text) if text.lstrip("-").isdigit() else UNKNOWN


def size(value: Any) -> int | UnknownType:
    """A number of nodes; one that is not given is as little known as one that is not yet known."""
    number = whole(value)
    return UNKNOWN if number is None or number is UNKNOWN else int(number)


def blocks(value: Any) -> list[Mapping[str, Any]] | UnknownType:
    """A list of blocks (a single block is a list of one); unknown as soon as one of them is."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if value is UNKNOWN or any(each is UNKNOWN for each in listed):
        return UNKNOWN
    return [each for each in listed if isinstance(each, Mapping)]


def texts(value: Any) -> tuple[str, ...] | UnknownType:
    """A list of texts (a single text is a list of one); unknown as soon as one of them is."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if value is UNKNOWN or any(each is UNKNOWN for each in listed):
        return UNKNOWN
    return tuple(str(each) for each in listed)


def known(listed: Sequence[T] | UnknownType) -> Sequence[T]:
    """What is listed; nothing of what is unknown."""
    return () if listed is UNKNOWN else listed


def flag(value: Any) -> bool | None | UnknownType:
    """A boolean that some properties spell as text (`associatePublicIpAddress: "false"`)."""
    if value is None or value is UNKNOWN or isinstance(value, bool):
        return value
    return str(value).lower() == "true"


def word(value: Any) -> str | None | UnknownType:
    """A text; what is none is not known."""
    return value if value is None or isinstance(value, str) else UNKNOWN


def block(inputs: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A nested block, empty where it is unset. Of an unknown block every key is unknown."""
    value = inputs.get(name)
    if isinstance(value, list):
        value = value[0] if value else None
    if value is UNKNOWN:
        return _AllUnknown()
    return value if isinstance(value, Mapping) else {}


def first(values: Mapping[str, Any], *names: str) -> Any:
    """The first of several properties that is set, known or not."""
    return next((values.get(name) for name in names if values.get(name) is not None), None)


class _AllUnknown(dict[str, Any]):
    """A block of which nothing is known."""

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002 - dict's own signature
        return UNKNOWN

    def __contains__(self, key: object) -> bool:
        return True
