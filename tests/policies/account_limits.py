"""What AWS says of an account, with defaults: a case shows only what matters."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.factories import described, facts

SEEN: dict[str, Any] = {"permissions": {"ec2:RunInstances": True}}
"""It may."""
YESTERDAY = {"observed": "2026-11-20T10:00:00Z"}
"""When a preflight asked: what it was not told is not evaluated."""
EVERY = {
    "L-417A185B": 1920,
    "L-0263D0A3": 5,
    "L-F678F1CE": 5,
    "L-A4707A72": 5,
    "L-FE5A380F": 5,
    "L-1194D53C": 100,
    "L-6D54EA21": 30,
    "L-8F1B9C74": 100800,
    "L-1216C47A": 640,
}
"""A quota of everything, as an account has them by default but for vCPUs."""
ACCOUNT = {"id": "222233334444", "partition": "aws", "region": "us-west-2"}
UNUSED = dict.fromkeys(EVERY, 0)


def said(**more: Any) -> Facts:
    """Room everywhere, and nobody else in the account but where it is said."""
    used = {**UNUSED, **more.pop("quotasUsed", {})}
    return facts(**{**SEEN, "quotas": EVERY, "quotasUsed": used, **more})


def untold(code: str) -> Facts:
    """As a preflight leaves it that was not told how much others use of one quota."""
    told = said(**YESTERDAY).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return facts(**{**told, "quotasUsed": {each: used for each, used in UNUSED.items() if each != code}})


def created(known: Facts | None, **edits: Any) -> Fleet:
    """The default description in a network of its own with a NAT gateway in each of two zones, on demand."""
    network = {"zones": ["us-west-2a", "us-west-2b"], "nat": "per-zone"}
    ids = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    on_demand = {"groups.workers.capacity": "on-demand", "groups.workers.zone": "us-west-2a"}
    return described(
        {"network": {"create": {**network, "zone-ids": ids}}, "groups.system.zone": "us-west-2b", **on_demand, **edits},
        facts=known,
    )
