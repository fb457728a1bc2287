"""The configuration that NVIDIA's device plugin reads when it starts."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint.gpu_sharing import Configurations, configurations_of
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.hardware.catalogue import Accelerator
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.finding_text import and_list, or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.device_plugins import labelled_node_kinds
from muster.policies.lookups.installed_addons import parts_of
from muster.unknown import UNKNOWN

_VERSION = "v1"


@rule(
    "device-plugin-configuration-valid",
    title="NVIDIA's device plugin can read its configuration",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="The plugin exits if its configuration is missing, is not YAML, or has a MIG strategy, a version or a number "
    "of replicas that it does not accept. Its nodes then offer no GPUs.",
    source="NVIDIA/k8s-device-plugin v0.20.0, README.md (migStrategy, Configuring the plugin) and api/config/v1",
    remedy="Write the configuration as in the plugin's README.",
    facts=("addons.md#surprises-14",),
)
def device_plugin_configuration_valid(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, _ = parts_of(addon)
    for part in (each for each in mine if each.what is PartKind.NVIDIA_PLUGIN):
        given = configurations_of(part.values)
        named = value_at(part.values, "config", "name")
        if isinstance(named, str) and named and not given.by_name:
            yield rule.unjudged(addon.place, f"the configuration of {part.name} in the ConfigMap {named}")
            continue
        for at, got, remedy in (*_strategies(part.values), *_chosen(given, fleet), *_texts(given)):
            yield rule.finding(addon.place, at=f"{part.at}.{at}", got=f"{part.name}: {got}", remedy=remedy)


Fault = tuple[str, str, str]
"""The place in the values, what was found, what to do."""


_STRATEGIES = {
    "migStrategy": ("none", "single", "mixed"),
    "deviceListStrategy": ("envvar", "volume-mounts", "cdi-annotations", "cdi-cri"),
    "deviceIDStrategy": ("uuid", "index"),
}
"""Value -> its words (k8s-device-plugin, `api/config/v1/consts.go`)."""
_FEWEST_REPLICAS = 2
"""`api/config/v1/replicas.go`: "number of replicas must be >= 2"."""


def _strategies(values: Any, below: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Values that the plugin does not know. Several strategies may be a list, or separated by commas."""
    for key, words in _STRATEGIES.items():
        given = value_at(values, *below, key)
        listed = given if isinstance(given, list) else str(given).split(",") if isinstance(given, str) else [given]
        for each in listed:
            if each not in (None, UNKNOWN, "", *words):
                yield ".".join((*below, key)), f"'{each}' is not a valid {key}", f"write {or_list(words)}"


def _chosen(given: Configurations, fleet: Fleet) -> Iterator[Fault]:
    """Names of configurations that do not exist: the default one's, and those that labels of nodes with GPUs select."""
    names = {given.default} if given.default else set()
    if given.by_name:
        spots = [each for each in labelled_node_kinds(fleet) if each.machine.accelerator is Accelerator.GPU]
        names |= {label for each in spots if (label := given.chosen_by(each.known_labels))}
    for name in sorted(names - given.by_name.keys()):
        there = and_list(sorted(given.by_name)) or "none"
        yield (
            given.at or "config.default",
            f"configuration '{name}' does not exist (existing configurations: {there})",
            f"add configuration '{name}', or choose another one",
        )


def _texts(given: Configurations) -> Iterator[Fault]:
    for name, text in given.by_name.items():
        at, parsed = f"{given.at}.{name}", given.parsed(name)
        if text is UNKNOWN:
            continue
        if not isinstance(text, str):
            yield at, "the configuration is not a string", f"write `{name}: |-` before it: the chart needs a string"
            continue
        if not isinstance(parsed, Mapping):
            yield at, "the configuration is not a YAML mapping", "begin it with `version: v1`"
            continue
        if (version := value_at(parsed, "version")) not in (None, UNKNOWN, _VERSION):
            yield at, f"the configuration has version '{version}'", f"write version: {_VERSION}"
        for below in (("flags",), ("flags", "plugin")):
            yield from ((at, got, remedy) for _, got, remedy in _strategies(parsed, below))
        for how in ("timeSlicing", "mps"):
            for each in mappings_at(parsed, "sharing", how, "resources"):
                replicas = each.get("replicas")
                if replicas is not UNKNOWN and not (type(replicas) is int and replicas >= _FEWEST_REPLICAS):
                    yield (
                        at,
                        f"{how} has replicas: {replicas!r}",
                        "write a whole number of at least 2, as in replicas: 4",
                    )
