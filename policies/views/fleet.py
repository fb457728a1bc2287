"""All registered resources of a program as one fleet."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import date
from functools import partial
from typing import Any

from muster.config.description.kubernetes_cluster import AddonsOf
from muster.fleet.facts import Facts, SubnetFacts
from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import (
    Addon,
    ControlPlane,
    CountedResource,
    FileSystem,
    Fleet,
    LustreFileSystem,
    Place,
    SharedFileSystem,
    Subnet,
)
from muster.fleet.resources.ec2 import COUNTED
from muster.fleet.resources.fleet import Judged
from muster.fleet.resources.ref import NAT_GATEWAY, SUBNET, VPC
from muster.hardware.subnet_plan import usable_addresses
from muster.policies.views import (
    addons,
    capacity,
    eks,
    iam,
    karpenter,
    launch_templates,
    lustre,
    nfs,
    parallelcluster,
    pcs,
    pods,
    sagemaker,
    security_groups,
)
from muster.policies.views.beside import RelatedResources
from muster.policies.views.pods import KUBERNETES, pod_owners
from muster.policies.views.references import References
from muster.policies.views.view import Properties, Reader, View, one
from muster.stack.stack_file import StackFile
from muster.unknown import UNKNOWN, if_known

_MODULES = (
    addons,
    capacity,
    eks,
    iam,
    karpenter,
    launch_templates,
    lustre,
    nfs,
    parallelcluster,
    pcs,
    pods,
    sagemaker,
    security_groups,
)
_COUNTED: dict[str, Reader] = {
    **dict.fromkeys(COUNTED, View(CountedResource)),
    NAT_GATEWAY: View(CountedResource, subnet=one("subnetId", SUBNET)),
    VPC: View(CountedResource, cidr="cidrBlock"),
}
_VIEWS: Mapping[str, Reader] = ChainMap(_COUNTED, *(each.VIEWS for each in _MODULES))
"""Type -> the view of it: one thing, several, or None for a resource that no rule judges."""

_BESIDE: Mapping[str, Mapping[str, str]] = ChainMap(*(getattr(each, "BESIDE", {}) for each in _MODULES))
"""Type -> the types of other resources that configure it, which its view reads with it -> the properties that name it
there, with ``|`` between; empty where any such resource may configure it."""

_COMPONENTS = frozenset({*addons.CHARTS, *addons.MANIFESTS})
"""The components that views read."""

READ = frozenset({iam.POLICY, SUBNET, *_VIEWS}).union(*_BESIDE.values())
"""The types that some view reads. Kubernetes objects with pods are found by their structure, whatever their type."""


def fleet_of(
    registrations: Iterable[Registration],
    *,
    facts: Facts | None = None,
    facts_file: str = "",
    region: str | None = None,
    as_of: date = date.min,
) -> Fleet:
    """The fleet of a program. Known and unknown (preview) values may be mixed."""
    listed = sorted(registrations, key=lambda each: each.urn)
    references = References(listed)
    # A program can give its own component any type: that of a plugin, or of a group.
    listed = [each for each in listed if each.custom or each.type in _COMPONENTS]
    beside: dict[str, RelatedResources] = {}
    for kind, naming in _BESIDE.items():
        whose = [each for each, theirs in _BESIDE.items() if theirs == naming]
        beside[kind] = beside.get(whose[0]) or RelatedResources(listed, references, whose, naming)
    things: list[Judged] = []
    unreadable: dict[str, str] = {}
    for each in listed:
        try:
            seen = _view(each, references, beside)
        except Exception as bug:  # noqa: BLE001 - one malformed resource must not hide all others from the pack
            unreadable[each.urn] = f"{type(bug).__name__}: {bug}"
        else:
            # To rules, an unknown value is an empty slot: `Judged` has known values alone.
            things += seen if isinstance(seen, tuple) else [seen] if seen else []
    observed = _observed(facts)
    subnets = {**observed, **_registered(listed, references, observed, facts)}
    return Fleet(tuple(things), subnets, facts, facts_file, region, as_of, unreadable)


def _view(resource: Registration, references: References, beside: Mapping[str, RelatedResources]) -> Any:
    """The judged thing or things of a resource; None for a resource that no rule judges."""
    view = _VIEWS.get(resource.type) or (_object if resource.type.startswith(KUBERNETES) else None)
    others = beside[resource.type].of(references.ref(resource)) if resource.type in beside else []
    return view(Properties(resource, references, others)) if view else None


def _object(of: Properties) -> Any:
    return addons.of_own_objects(of.resource) or pod_owners(of)


def _registered(
    listed: list[Registration], references: References, observed: Mapping[str, Subnet], facts: Facts | None
) -> Mapping[str, Subnet]:
    """The program's own subnets, by the name of references to them. For an existing one, also what AWS was queried
    about."""
    subnets = [Properties(each, references) for each in listed if each.type == SUBNET]
    ids = facts.zone_ids if facts else {}
    return {
        str(each.resource.ref): _existing(each, observed)
        if each.resource.options.get(EXISTING)
        else _created(each, ids)
        for each in subnets
    }


def _created(subnet: Properties, ids: Mapping[str, str]) -> Subnet:
    zone, id_ = (if_known(partial(subnet.text, name)) for name in ("availabilityZone", "availabilityZoneId"))
    return Subnet(
        id=str(subnet.resource.ref),
        place=Place(subnet.resource.urn),
        declared_zone=zone,
        observed_zone=next((name for name, each in ids.items() if each == id_), None),
        zone_id=id_ or ids.get(zone or ""),
        declared_zone_id=id_,
        map_public_ip=if_known(lambda: subnet.boolean("mapPublicIpOnLaunch") or False),
        free_addresses=_addresses(subnet.raw("cidrBlock")),
        created=True,
        cidr=if_known(lambda: subnet.text("cidrBlock")),
    )


def _existing(subnet: Properties, observed: Mapping[str, Subnet]) -> Subnet:
    id_ = str(subnet.resource.id)
    known = observed.get(id_) or Subnet(id_)
    public = if_known(lambda: subnet.boolean("mapPublicIpOnLaunch"))
    return replace(
        known,
        place=Place(subnet.resource.urn),
        declared_zone=if_known(lambda: subnet.text("availabilityZone")),
        map_public_ip=public if known.map_public_ip is None else known.map_public_ip,
    )


def _addresses(cidr: Any) -> int | None:
    """The number of usable addresses of a new subnet, without those that AWS reserves. None for an unknown or invalid
    CIDR."""
    try:
        return usable_addresses(cidr) if isinstance(cidr, str) else None
    except ValueError:
        return None


def _observed(facts: Facts | None) -> Mapping[str, Subnet]:
    """The subnets that AWS was queried about."""
    known: Mapping[str, SubnetFacts] = facts.subnets if facts else {}
    return {
        id_: Subnet(
            id_,
            observed_zone=of.zone,
            zone_id=of.zone_id,
            map_public_ip=of.map_public_ip_on_launch,
            free_addresses=of.free_addresses,
        )
        for id_, of in known.items()
    }


_ONLY_DESCRIBED = (
    "place",
    "apart",
    "before_addons",
    "derived",
    "purpose",
    "capacity",
    "scaled_by",
    "zone",
    "named_subnets",
    "zones",
    "vpc",
    "family",
    "huge_pages",
    "pods",
    "timed_at",
    "login",
)
"""Fields that no resource has, and only the description states."""


def described_by(registered: Fleet, blueprint: Fleet) -> Fleet:
    """A registered fleet with the origins of its blueprint: findings then name places in the user's file."""
    twins = {thing.ref: thing for thing in blueprint.objects}

    def origin(thing: Judged) -> Judged:
        twin = twins.get(thing.ref)
        if twin is None:
            return thing
        return replace(
            thing, **{each.name: getattr(twin, each.name) for each in fields(twin) if each.name in _ONLY_DESCRIBED}
        )

    # Existing resources are not registered: the description states them.
    existing: list[Judged] = [plane for plane in blueprint.of(ControlPlane) if plane.existing]
    stored: list[FileSystem] = [*blueprint.of(LustreFileSystem), *blueprint.of(SharedFileSystem)]
    existing += [each for each in stored if each.existing]
    # Add-ons of other stacks are in their registrations, and those that a GitOps tool applies in its files.
    existing += [each for each in blueprint.of(Addon) if each.installed_by or each.controller]
    return replace(
        registered,
        objects=(*(origin(thing) for thing in registered.objects), *existing),
        subnets={id_: _described_subnet(twin, registered) for id_, twin in blueprint.subnets.items()},
        facts=blueprint.facts,
        facts_file=blueprint.facts_file,
        region=blueprint.region,
        as_of=blueprint.as_of,
        absent=blueprint.absent,
        named=blueprint.named,
        # A program may register more than the description has; it is judged by the rules for the described cluster.
        backend=blueprint.backend,
    )


def _described_subnet(twin: Subnet, registered: Fleet) -> Subnet:
    """A subnet that the program creates, as registered; an existing one, as described."""
    made = registered.subnets.get(twin.id)
    if made is None or not made.created:
        return replace(twin, created=False)
    of_twin = ("declared_at", "zone_id", "declared_zone_id", "public", "place")
    return replace(made, **{name: getattr(twin, name) for name in of_twin})


def _agrees(derived: object, made: object) -> bool:
    """Whether a derived value is the registered one. The blueprint does not know what only creation gives: the address
    of a cluster in user data, the ARN of a role in the values of an add-on."""
    if derived is UNKNOWN or derived == made:
        return True
    if not (isinstance(derived, Mapping) and isinstance(made, Mapping)):
        return False
    return derived.keys() == made.keys() and all(_agrees(derived[key], made[key]) for key in derived)


def differences(registered: Fleet, blueprint: Fleet) -> tuple[str, ...]:
    """The differences between what was registered and what was derived. Each one is a bug in Muster.

    Things that no blueprint has (`WITNESSED`) are not compared.
    """
    ours, theirs = ({thing.ref: thing for thing in fleet.derivable} for fleet in (blueprint, registered))
    found = [f"{ref}: derived, but not registered" for ref in ours.keys() - theirs.keys()]
    found += [f"{ref}: registered, but not derived" for ref in theirs.keys() - ours.keys()]
    for ref in ours.keys() & theirs.keys():
        derived, made = ours[ref], theirs[ref]
        if derived != made:
            compared = (name for name, info in type(derived).__dataclass_fields__.items() if info.compare)
            found += [
                f"{ref}: {name} derived as {getattr(derived, name)!r}, registered as {getattr(made, name)!r}"
                for name in compared
                if not _agrees(getattr(derived, name), getattr(made, name))
            ]
    found += [
        f"subnet {id_}: derived as {derived!r}, registered as {registered.subnets.get(id_)!r}"
        for id_, derived in blueprint.subnets.items()
        if registered.subnets.get(id_) != derived
    ]
    return tuple(sorted(found))


def with_description(opened: StackFile, derived: Fleet, seen: Fleet) -> Fleet:
    """The registered fleet of a stack, with the places of its file.

    Args:
        opened: the stack.
        derived: the fleet that it describes.
        seen: the fleet that its program registers.
    """
    return addons_on(derived, seen) if isinstance(opened.described, AddonsOf) else described_by(seen, derived)


def addons_on(derived: Fleet, seen: Fleet) -> Fleet:
    """The add-ons that a stack of add-ons registers, on the cluster that it only describes."""
    described = {each.ref: each for each in derived.of(Addon)}
    theirs = tuple(
        each for each in derived.objects if not isinstance(each, Addon) or each.installed_by or each.controller
    )
    own = tuple(
        replace(each, place=twin.place, apart=twin.apart, before_addons=twin.before_addons)
        if (twin := described.get(each.ref))
        else each
        for each in seen.of(Addon)
    )
    return replace(derived, objects=(*theirs, *own, *seen.witnessed), unreadable=seen.unreadable)
