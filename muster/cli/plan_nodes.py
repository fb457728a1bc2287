"""A plan's nodes: what each group's nodes will offer."""

from typing import Any

from muster.fleet.blueprint import Blueprint

HEADS = ("group", "instance", "zone", "nodes", "pods", "offers", "allocatable")


def described(blueprint: Blueprint) -> list[dict[str, Any]]:
    """Every group, as `muster plan --json` prints it."""
    return [
        {
            "group": group.name,
            "instance": group.described.instance_type,
            "zone": ", ".join(blueprint.zones(group)),
            "count": {
                "min": group.described.nodes_now.min,
                "start": group.described.nodes_now.start,
                "max": group.described.nodes_now.max,
            },
            "pods": group.node.allocatable.pods,
            "offers": dict(group.node.offers),
            "allocatable": dict(group.node.allocatable_resources),
        }
        for group in blueprint.groups
    ]


def rows(blueprint: Blueprint) -> list[tuple[str, ...]]:
    """Every group, for people."""
    return [
        (
            each["group"],
            each["instance"],
            each["zone"],
            _count(each["count"]),
            str(each["pods"]),
            _amounts(each["offers"]) or "-",
            _amounts(each["allocatable"]),
        )
        for each in described(blueprint)
    ]


def _count(count: dict[str, int]) -> str:
    return (
        str(count["min"])
        if len(set(count.values())) == 1
        else f"{count['min']} to {count['max']}, {count['start']} at first"
    )


def _amounts(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in amounts.items())
