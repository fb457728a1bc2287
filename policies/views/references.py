"""Which resource a value names."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from muster.cloudformation.values import Budget
from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import Ref, Reference
from muster.fleet.resources.ref import (
    BUCKET,
    CLOUD_CONTROL,
    CLUSTER,
    DEFAULT_GROUP,
    EC2_NODE_CLASS,
    NODE_CLASS,
    SECURITY_GROUP,
)
from muster.plain_data import value_at
from muster.unknown import UNKNOWN, UnknownType

T = TypeVar("T")

EKS_COMPONENT = "eks:index:Cluster"
OWN_GROUPS = frozenset({SECURITY_GROUP, DEFAULT_GROUP})
"""Types of security groups whose rules are all in the program: a new group, or a VPC's default group that it adopts."""
GROUPS = frozenset({*OWN_GROUPS, CLUSTER})
"""Types that a security group's id may come from: a group, or a cluster with the group that EKS creates."""
NODE_CLASSES = frozenset({EC2_NODE_CLASS, NODE_CLASS})
BUCKETS = frozenset({BUCKET, "aws:s3/bucketV2:BucketV2"})
"""An S3 bucket, by the provider's two names for it."""


class References:
    """The resources of one program, found by the values that name them."""

    def __init__(self, registrations: Iterable[Registration]) -> None:
        self.budget = Budget()
        """What the functions of the program's templates may do."""
        self._read: dict[tuple[str, str], Any] = {}
        self._by_urn = {each.urn: each for each in registrations}
        alike = Counter(each.ref for each in self._by_urn.values())
        self._refs = {urn: each.ref if alike[each.ref] == 1 else _in_full(each) for urn, each in self._by_urn.items()}
        # No value names a component, which can register any output. A created resource comes before one that is only
        # read, and an id before an ARN and a name, which a program chooses.
        resources = sorted((each for each in self._by_urn.values() if each.custom), key=_is_read)
        self._by_value: dict[tuple[str, str], Ref] = {}
        for values in (_ids, _output_names, _names):
            for each in resources:
                for value in values(each):
                    if isinstance(value, str) and value:
                        self._by_value.setdefault((each.type, value), self.ref(each))
        self._clusters_of = {each.parent: self.ref(each) for each in resources if each.type == CLUSTER}
        self._by_ref = {ref: self._by_urn[urn] for urn, ref in self._refs.items()}
        self._node_classes: dict[tuple[str | None, object], Registration] = {}
        for each in resources:
            if each.type in NODE_CLASSES and isinstance(name := value_at(each.inputs, "metadata", "name"), str):
                self._node_classes.setdefault((each.type, name), each)

    def ref(self, resource: Registration) -> Ref:
        """The reference to a resource: by type and logical name, or by the name in its whole URN if two are equal (the
        same name below two components)."""
        return self._refs[resource.urn]

    def once(self, what: str, resource: Registration, read: Callable[[], T]) -> T:
        """What is read of a resource, which happens only once."""
        key = what, resource.urn
        if key not in self._read:
            self._read[key] = read()
        found: T = self._read[key]
        return found

    def resource(self, ref: object) -> Registration | None:
        """The resource of this program that a reference is to."""
        return self._by_ref.get(ref) if isinstance(ref, Ref) else None

    def node_class(self, kind: str | None, name: object) -> Registration | None:
        """Karpenter's node class of a type and name: pools have no other reference to it."""
        return self._node_classes.get((kind, name)) if isinstance(name, str) else None

    def before(self, resource: Registration) -> frozenset[Ref]:
        """The direct and indirect dependencies of a resource, as far as the program declares them."""
        found: set[str] = set()
        waiting = list(resource.dependencies)
        while waiting:
            urn = waiting.pop()
            if urn not in found:
                found.add(urn)
                known = self._by_urn.get(urn)
                waiting += known.dependencies if known else ()
        return frozenset(self._refs.get(urn) or Ref.of_urn(urn) for urn in found)

    def of(self, value: object, types: Iterable[str]) -> Reference | UnknownType:
        """The resource of these types that a known value names: by id, ARN or name. Else the value itself."""
        if value is UNKNOWN:
            return UNKNOWN
        text = str(value)
        return next((self._by_value[each, text] for each in sorted(types) if (each, text) in self._by_value), text)

    def behind(self, resource: Registration, properties: Iterable[str], types: Iterable[str]) -> frozenset[Ref]:
        """The resources of some types that properties depend on. A `pulumi_eks.Cluster` is read as its cluster."""
        urns = {urn for name in properties for urn in resource.property_dependencies.get(name, ())}
        refs = {self._ref(urn) for urn in urns}
        return frozenset(ref for ref in refs if ref and ref.type in types)

    def _ref(self, urn: str) -> Ref | None:
        found = self._by_urn.get(urn)
        if found and found.type == EKS_COMPONENT:
            return self._clusters_of.get(urn)
        if found and not found.custom:
            return None
        return self._refs.get(urn) or Ref.of_urn(urn)

    def named(self, values: object, types: Iterable[str]) -> tuple[Reference, ...]:
        """The resources that a list of ids names, as far as it is known, sorted."""
        found = {self.of(each, types) for each in values if each is not None} if isinstance(values, list) else set()
        return tuple(sorted((each for each in found if each is not UNKNOWN), key=str))


def _is_read(resource: Registration) -> bool:
    return bool(resource.options.get(EXISTING))


def _ids(resource: Registration) -> Iterator[object]:
    yield resource.id


def _output_names(resource: Registration) -> Iterator[object]:
    """The outputs by which other resources name a resource: its ARN, the name by which clients mount a file system, the
    ids of resources of PCS, whose id in Cloud Control is their ARN, and the security group that EKS creates."""
    yield from (resource.outputs.get(name) for name in ("arn", "awsId", "dnsName", "rootVolumeId"))
    if resource.type == CLOUD_CONTROL:
        yield value_at(resource.outputs, "outputs", "Id")
    if resource.type == CLUSTER:
        yield value_at(resource.outputs, "vpcConfig", "clusterSecurityGroupId")


def _names(resource: Registration) -> Iterator[object]:
    """The names of a resource, which can be known before it exists. A name is unique only within a type."""
    name = resource.inputs.get("name")
    yield name if isinstance(name, str) else resource.outputs.get("name")
    yield from (resource.outputs.get("bucket"), resource.inputs.get("keyName"))


def _in_full(resource: Registration) -> Ref:
    """A reference that no other resource of the program shares."""
    return Ref(resource.type, resource.urn.split("::", 2)[2])
