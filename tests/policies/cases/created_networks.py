"""Networks that Muster makes: zones, room, addresses."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import described

TOLD = {"capacity": "on-demand", "zone": "us-west-2a"}


def created(*zones: str, cidr: str | None = None, **edits: Any) -> Fleet:
    """The default description in a network of its own, its workers on demand."""
    network = {"zones": list(zones or ("us-west-2a", "us-west-2b")), **({"cidr": cidr} if cidr else {})}
    edits = {f"groups.workers.{key}": value for key, value in {**TOLD, **edits}.items()}
    if edits.get("groups.workers.interfaces") == "plain":
        edits["addons"] = {"nvidia-device-plugin": {}}
    edits |= {"groups.system.zone": zones[-1] if zones else "us-west-2b"}
    ids = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    return described({"network": {"create": {**network, "zone-ids": ids}}, **edits})
