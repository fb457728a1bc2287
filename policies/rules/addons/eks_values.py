"""The values of EKS add-ons, by the schemas that are public."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from muster.edits import Remedy, set_to
from muster.fleet.resources import EksAddon, Fleet
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean, show_value
from muster.plain_data import scalar_text
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import stored

_TYPES: Mapping[str, tuple[type, str]] = {
    "text": (str, "text, in quotes"),
    "boolean": (bool, "true or false"),
    "integer": (int, "a whole number"),
    "block": (Mapping, "a block"),
    "list": (list, "a list"),
}


@cache
def _keys(addon: str) -> Mapping[str, str]:
    """The keys of an add-on's public schema, as paths -> their types; none if no schema is public."""
    rows = read_table("eks_addon_values.csv", "muster.addons.catalogue")
    return {row["key"]: row["type"] for row in rows if row["addon"] == addon}


def eks_addon_values_fit(addon: EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(addon, "values", True) and _keys(str(stored(addon, "name", ""))):
        yield from _wrong(addon, addon.values, "", rule)


def _wrong(addon: EksAddon, values: Mapping[str, Any], above: str, rule: Rule) -> Iterator[Verdict]:
    """Findings about the values of one block, and of those below it."""
    keys = _keys(str(addon.name))
    for name, value in ((str(key), value) for key, value in values.items()):
        path = f"{above}{name}"
        kind = keys.get(path)
        if kind is None:
            beside = [each.removeprefix(above) for each in keys if each.rpartition(".")[0] == above.rstrip(".")]
            got = f"the public schema of {addon.name} has no {path}{did_you_mean(name, beside)}"
            version = f" --addon-version {addon.version}" if addon.version else ""
            change = f"compare with `aws eks describe-addon-configuration --addon-name {addon.name}{version}`"
            yield rule.advice.finding(addon, f"values.{path}", got=got, change=change)
        elif not _is(value, kind):
            wanted = _TYPES[kind][1]
            got = f"{path} is {show_value(value)}, but the schema of {addon.name} wants {wanted}"
            is_scalar = kind == "text" and isinstance(value, bool | int | float)
            remedy: Remedy = set_to(scalar_text(value)) if is_scalar else f"write {wanted}"
            yield rule.finding(addon, f"values.{path}", got=got, change=remedy)
        elif any(each.startswith(f"{path}.") for each in keys):
            yield from _wrong(addon, value, f"{path}.", rule)


def _is(value: Any, kind: str) -> bool:
    """Whether a value has a type of the schema. To Python, a boolean is also a number."""
    return isinstance(value, _TYPES[kind][0]) and (kind != "integer" or not isinstance(value, bool))
