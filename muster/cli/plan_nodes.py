"""A plan's nodes: what each group's nodes will offer."""

from typing import TYPE_CHECKING, Any

from muster.fleet.blueprint import Blueprint

if TYPE_CHECKING:
    from muster.fleet.blueprint import ClusterBlueprint, Group
    from muster.fleet.slurm_blueprint import AnyBlueprint

_OF_PODS = ("group", "instance", "zone", "nodes", "pods", "offers", "allocatable")
_NOT_KNOWN = "not known"
_OF_JOBS = ("queue", "group", "instance", "zone", "nodes", "offers", "for jobs")


def described(blueprint: "AnyBlueprint") -> list[dict[str, Any]]:
    """Every group, as `muster plan --json` prints it. Slurm's nodes have a queue, and no number of pods."""
    if isinstance(blueprint, Blueprint):
        return [
            {**_common(blueprint, group), "pods": group.node.allocatable.pods, **_amounts_of(group)}
            for group in blueprint.groups
        ]
    return [
        {**_common(blueprint, group), "pods": None, **_amounts_of(group), "queue": group.queue}
        for group in blueprint.groups
    ]


def _common(blueprint: "ClusterBlueprint", group: "Group") -> dict[str, Any]:
    count = group.described.nodes_now
    return {
        "group": group.name,
        "instance": group.described.instance_type,
        "zone": ", ".join(blueprint.zones(group)),
        "count": {"min": count.min, "start": count.start, "max": count.max},
    }


def _amounts_of(group: "Group") -> dict[str, Any]:
    return {"offers": dict(group.node.offers), "allocatable": dict(group.node.allocatable_resources)}


def heads(blueprint: "AnyBlueprint") -> tuple[str, ...]:
    """What the columns of `rows` are."""
    return _OF_PODS if isinstance(blueprint, Blueprint) else _OF_JOBS


def rows(blueprint: "AnyBlueprint") -> list[tuple[str, ...]]:
    """Every group, for people."""
    if isinstance(blueprint, Blueprint):
        return [(*_first(each), _pods(each), *_last(each)) for each in described(blueprint)]
    return [(each["queue"], *_first(each), *_last(each)) for each in described(blueprint)]


def _pods(each: dict[str, Any]) -> str:
    return _NOT_KNOWN if each["pods"] is None else str(each["pods"])


def _first(each: dict[str, Any]) -> tuple[str, ...]:
    return each["group"], each["instance"], each["zone"], _count(each["count"])


def _last(each: dict[str, Any]) -> tuple[str, ...]:
    left = each["allocatable"]
    return _amounts(each["offers"]) or "-", _amounts(left if "memory" in left else {**left, "memory": _NOT_KNOWN})


def _count(count: dict[str, int]) -> str:
    return (
        str(count["min"])
        if len(set(count.values())) == 1
        else f"{count['min']} to {count['max']}, {count['start']} at first"
    )


def _amounts(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in amounts.items())
