"""The etcd that TorchX's rendezvous uses."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind, release_of
from muster.policies.lookups.installed_addons import parts_of

_GONE = (3, 6)
_FLAG = re.compile(r"""(?<![a-z])enable[-_]v2["']?(?:\s*[=:]\s*["']?(?P<said>\w+))?""", re.IGNORECASE)
"""A flag of the program, an environment variable, or a line of its configuration file."""
_ON = frozenset({"1", "t", "true"})


def etcd_speaks_v2(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what is PartKind.ETCD and _for_torchx(each)):
        if release_of(part, part.version) >= _GONE:
            at = "version" if addon.kind is not AddonKind.CHART else part.at
            got = f"{part.name} runs etcd {part.version}, which does not have the v2 API that TorchX's rendezvous uses"
            yield rule.finding(addon, at, got=got, change="use v3.5.x, started with --enable-v2=true")


def _for_torchx(part: AddonPart) -> bool:
    """Whether an etcd is for TorchX: Muster's own add-on is, a chart's is if it sets the flag."""
    addon = part.addon
    return isinstance(addon, Addon) and (addon.kind is not AddonKind.CHART or any(_asks_v2(part.values)))


def _asks_v2(value: Any) -> Iterator[bool]:
    """Whether each setting of the v2 API, anywhere in the values, turns it on."""
    if isinstance(value, Mapping):
        if isinstance(name := value.get("name"), str) and _FLAG.search(name):
            yield _is_on(value_at(value, "value"))
        for key, each in value.items():
            if _FLAG.fullmatch(str(key).removeprefix("ETCD_")):
                yield _is_on(each)
            elif key != "name":
                yield from _asks_v2(each)
    elif isinstance(value, list):
        for each in value:
            yield from _asks_v2(each)
    elif isinstance(value, str):
        yield from (_is_on(found["said"] or True) for found in _FLAG.finditer(value))


def _is_on(switch: object) -> bool:
    return str(switch).lower() in _ON
