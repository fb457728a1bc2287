"""The values, objects and roles of every add-on on one cluster: `tests/golden/addons.txt`, which `make goldens` writes.
Each add-on is there alone; then all together, where the values of some depend on others."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import yaml

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Mirrors, Volume
from muster.addons.values import known_values
from muster.config.description.addons import Options
from muster.fleet.resources.ref import EFS, LUSTRE, MOUNTED_BUCKET, OPENZFS
from muster.fleet.resources.storage import KINDS
from muster.plain_data import to_plain
from tests.addons.contexts import NODES, said_of

FILE = Path("tests/golden/addons.txt")

OF_HYPERPOD = GroupNodes("hyperpod", "ml.p5.48xlarge", frozenset({"nvidia.com/gpu"}), frozenset())
VOLUMES = (
    Volume("scratch", KINDS[LUSTRE], "fs-1", "fs-1.example.org", "abc", "4800Gi"),
    Volume("shared", KINDS[EFS], "fs-2", "fs-2.example.org", "", None),
    Volume("code", KINDS[OPENZFS], "fs-3", "fs-3.example.org", "fsx", "64Gi"),
    Volume("images", KINDS[MOUNTED_BUCKET], "images", "", "imagenet", None, writes=False),
    Volume("results", KINDS[MOUNTED_BUCKET], "results", "", "", None),
)

MORE: dict[str, dict[str, Any]] = {
    "fsx-csi-driver": {"namespace": "ml"},
    "s3-csi-driver": {"buckets": ["data"]},
    "dcgm-exporter": {"service_monitor": True},
    "volcano": {"queues": {"research": {"weight": 2}}},
    "kueue": {"queues": {"a": {"share": 50}, "b": {"namespace": "ml"}}},
}
"""Options that show more of an add-on."""


def _context(chosen: dict[str, Options], *more: GroupNodes, mirror: str | None = None) -> AddonContext:
    nodes = tuple(each.with_drivers(chosen) for each in (*more, *NODES))
    made = AddonContext("research", "us-west-2", "1.35", nodes, chosen, volumes=VOLUMES)
    return replace(made, mirrors=Mirrors(images=mirror))


def _of(name: str, context: AddonContext) -> dict[str, Any]:
    addon = CATALOGUE[name]
    found = {"values": to_plain(known_values(addon, context)), "objects": list(addon.objects(context))}
    found["permissions"] = [asdict(each) for each in addon.permissions(context)]
    return {key: value for key, value in found.items() if value}


def printed() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each case and what the add-on has in it."""
    for name in CATALOGUE:
        plain = _of(name, _context({name: said_of(name)}))
        yield name, plain
        for title, context in (
            ("with options", _context({name: said_of(name, **MORE.get(name, {}))})),
            ("with a mirror", _context({name: said_of(name)}, mirror="mirror.example.org/all")),
            ("with all others", _context({each: said_of(each) for each in CATALOGUE}, OF_HYPERPOD)),
        ):
            if (other := _of(name, context)) != plain:
                yield f"{name}, {title}", other


def page() -> str:
    """The golden file."""
    return "".join(f"==== {title}\n{yaml.safe_dump(_plain(found), sort_keys=False)}" for title, found in printed())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
