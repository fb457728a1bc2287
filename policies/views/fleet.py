"""All registered resources of a program as one fleet."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from muster.fleet.facts import Facts, SubnetFacts
from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet, Subnet
from muster.fleet.resources.fleet import Judged
from muster.fleet.resources.place import ADDON, CLUSTER, LAUNCH_TEMPLATE, NODE_GROUP, SECURITY_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.views.addon import CONFIG_FILE, RELEASE, addon
from policies.views.control_plane import control_plane, eks_addon
from policies.views.launch_template import launch_template
from policies.views.node_group import SUBNET, node_group
from policies.views.references import References
from policies.views.security_group import RULES, security_group

_VIEWS: Mapping[str, Callable[[Registration, References], Judged | None]] = {
    CLUSTER: control_plane,
    ADDON: eks_addon,
    LAUNCH_TEMPLATE: launch_template,
    NODE_GROUP: node_group,
    RELEASE: addon,
    CONFIG_FILE: addon,
}


def fleet_of(
    registrations: Iterable[Registration],
    *,
    facts: Facts | None = None,
    facts_file: str = "",
    region: str | None = None,
    as_of: date = date.min,
) -> Fleet:
    """What rules see of a program. Known and unknown (preview) values may be mixed."""
    listed = sorted(registrations, key=lambda each: each.urn)
    references = References(listed)
    rules = [each for each in listed if each.type in RULES]
    things: list[Judged] = []
    unreadable: dict[str, str] = {}
    for each in listed:
        try:
            seen = _view(each, references, rules)
        except Exception as bug:  # noqa: BLE001 - one odd resource must not blind the pack to all others
            unreadable[each.urn] = f"{type(bug).__name__}: {bug}"
        else:
            things += [seen] if seen else []
    subnets = {**_observed(facts), **_registered(listed)}
    return Fleet(tuple(things), subnets, facts, facts_file, region, as_of, unreadable)


def _view(resource: Registration, references: References, rules: list[Registration]) -> Judged | None:
    """A resource as a judged thing, None for one of which rules ask nothing."""
    if resource.type == SECURITY_GROUP:
        return security_group(resource, references, rules)
    view = _VIEWS.get(resource.type)
    return view(resource, references) if view else None


def _registered(listed: list[Registration]) -> Mapping[str, Subnet]:
    """The program's own subnets, by the name references to them go by."""
    return {
        str(each.ref): Subnet(
            id=str(each.ref),
            declared_zone=_known(each.inputs.get("availabilityZone")),
            zone_id=_known(each.inputs.get("availabilityZoneId")),
            map_public_ip=_known(each.inputs.get("mapPublicIpOnLaunch", False)),
        )
        for each in listed
        if each.type == SUBNET
    }


def _known(value: Any) -> Any:
    return None if value is UNKNOWN else value


def _observed(facts: Facts | None) -> Mapping[str, Subnet]:
    """The subnets that AWS was asked about."""
    known: Mapping[str, SubnetFacts] = facts.subnets if facts else {}
    return {
        id_: Subnet(id_, observed_zone=of.zone, zone_id=of.zone_id, map_public_ip=of.map_public_ip_on_launch)
        for id_, of in known.items()
    }


_ONLY_DESCRIBED = ("place", "purpose", "reservation", "zone")
"""What no resource carries, and the description knows."""


def described_by(registered: Fleet, blueprint: Fleet) -> Fleet:
    """A registered fleet with the origins of its blueprint: findings then name places in the user's file."""
    twins = {thing.ref: thing for thing in blueprint.objects}

    def origin(thing: Judged) -> Judged:
        twin = twins.get(thing.ref)
        if twin is None:
            return thing
        return replace(thing, **{name: getattr(twin, name) for name in _ONLY_DESCRIBED if hasattr(twin, name)})

    return replace(
        registered,
        objects=tuple(origin(thing) for thing in registered.objects),
        subnets=blueprint.subnets,
        facts=blueprint.facts,
        facts_file=blueprint.facts_file,
        region=blueprint.region,
        as_of=blueprint.as_of,
    )


def differences(registered: Fleet, blueprint: Fleet) -> tuple[str, ...]:
    """Where what was registered is not what was derived. Anything here is a bug of ours."""
    ours, theirs = ({thing.ref: thing for thing in fleet.objects} for fleet in (blueprint, registered))
    found = [f"{ref}: derived, but not registered" for ref in ours.keys() - theirs.keys()]
    found += [f"{ref}: registered, but not derived" for ref in theirs.keys() - ours.keys()]
    for ref in ours.keys() & theirs.keys():
        derived, made = ours[ref], theirs[ref]
        if derived != made:
            compared = (name for name, info in type(derived).__dataclass_fields__.items() if info.compare)
            found += [
                f"{ref}: {name} derived as {getattr(derived, name)!r}, registered as {getattr(made, name)!r}"
                for name in compared
                if getattr(derived, name) != getattr(made, name)
            ]
    return tuple(sorted(found))
