"""What to copy, as JSON."""

from typing import Any

from addons.mirror import Copy, List
from muster.cli.report import CONTRACT
from muster.cli.writers.json import dump


def write(stack: str, found: List) -> str:
    """All of it. A digest that nobody says is null."""
    return dump(
        {
            "contract": CONTRACT,
            "stack": stack,
            "charts": [_chart(each) for each in found.charts],
            "images": [_image(each) for each in found.images],
            "fetched": [{"addon": each.addon, "kind": each.kind, "address": each.address} for each in found.fetched],
            "eks": list(found.eks),
            "unknown": [{"addon": each.addon, "why": each.why} for each in found.unknown],
        }
    )


def _chart(each: Copy) -> dict[str, Any]:
    return {"name": each.name, "version": each.version, **_shared(each)}


def _image(each: Copy) -> dict[str, Any]:
    return _shared(each)


def _shared(each: Copy) -> dict[str, Any]:
    return {
        "source": each.source,
        "destination": each.destination,
        "digest": each.digest,
        "for": list(each.users),
    }
