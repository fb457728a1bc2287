"""The values of custom slurm.conf settings, and which values exclude each other."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, ParallelCluster, Queue
from muster.hardware.tables import read_table
from muster.message_text import closest_match
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule

_LOOKUPS = "muster.policies.lookups"


@rule(
    "slurm-settings-values",
    title="Slurm settings have values that Slurm accepts",
    judges=ParallelCluster | Queue | ComputeResource,
    backends=("parallelcluster",),
    why="The controller does not start with an invalid number, a plugin that does not exist, or a word that it does "
    "not know. ParallelCluster does not check the values, so the cluster's creation fails after half an hour.",
    source=("https://github.com/SchedMD/slurm/blob/slurm-25.11/src/common/read_config.c",),
    remedy="Use a value that slurm.conf(5) lists.",
    facts=("rules.md#61",),
)
def slurm_settings_values(
    thing: ParallelCluster | Queue | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = "cluster" if isinstance(thing, ParallelCluster) else "partition" if isinstance(thing, Queue) else "node"
    at = "slurm.settings" if isinstance(thing, ParallelCluster) else ""
    more_plugins = _may_have_more_plugins(thing, fleet)
    for key, written in thing.slurm_values:
        value = _read(written)
        if not value:
            continue
        number = _number_fault(of, key, value)
        found = number or (
            of == "cluster" and (_plugin_fault(key, value, more_plugins=more_plugins) or _word_fault(key, value))
        )
        if found:
            got, remedy = found
            yield (rule if number else rule.advice).finding(
                thing.place, at=f"{at}.{key}" if at else "", got=got, remedy=remedy
            )


@rule(
    "slurm-settings-together",
    title="Slurm settings do not exclude each other",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The controller does not start with such a pair of settings. ParallelCluster does not check the values, so the "
    "cluster's creation fails after half an hour.",
    source=("https://github.com/SchedMD/slurm/blob/slurm-25.11/src/common/read_config.c",),
    remedy="Change one of the two settings. slurm.conf(5) lists the values.",
    facts=("rules.md#61",),
)
def slurm_settings_together(cluster: ParallelCluster, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    written = {key.lower(): (key, _read(value)) for key, value in cluster.slurm_values}
    values = {key: value for key, (_, value) in written.items() if value}
    for parameter, got, remedy in _exclusions(values):
        yield rule.finding(cluster.place, at=f"slurm.settings.{written[parameter][0]}", got=got, remedy=remedy)


def _exclusions(values: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The parameter in small letters, what is wrong, and the remedy."""
    yield from _preemption(values)
    if {"usepss", "noshared"} <= _listed(values, "jobacctgatherparams"):
        yield "jobacctgatherparams", "JobAcctGatherParams has both UsePSS and NoShared", "keep only one of the two"
    flags = _listed(values, "prologflags")
    if "nohold" in flags and flags & {"contain", "x11"}:
        yield "prologflags", "PrologFlags has NoHold together with Contain or X11", "remove NoHold"
    network = _listed(values, "communicationparameters")
    if "disableipv4" in network and "enableipv6" not in network:
        yield (
            "communicationparameters",
            "CommunicationParameters turns IPv4 off, but IPv6 is not on",
            "remove DisableIPv4",
        )
    first, last = (_number(values.get(key, "")) for key in ("firstjobid", "maxjobid"))
    if first is not None and last is not None and first > last:
        yield "firstjobid", f"FirstJobId {first} is above MaxJobId {last}", "set a smaller FirstJobId"
    reset = values.get("priorityusageresetperiod", "none").lower()
    if _number(values.get("prioritydecayhalflife", "")) == 0 and reset == "none":
        got = "PriorityDecayHalfLife is 0, but PriorityUsageResetPeriod is not set"
        yield "prioritydecayhalflife", got, "set PriorityUsageResetPeriod, or set PriorityDecayHalfLife to more than 0"


_CHANGES_PREEMPTION = frozenset({"gang", "within", "priority"})
"""Words of PreemptMode that alone turn no preemption on."""


def _preemption(values: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    modes = _listed(values, "preemptmode")
    if modes - {each.lower() for each in _words()["preemptmode"]}:
        return  # slurm-settings-values reports the word
    kind = values.get("preempttype", "preempt/none").lower()
    preempts = bool(modes - _CHANGES_PREEMPTION - {"off"})
    if "suspend" in modes and "gang" not in modes:
        yield "preemptmode", "PreemptMode has SUSPEND without GANG", "set PreemptMode: SUSPEND,GANG"
    if preempts and kind == "preempt/none":
        remedy = "set PreemptType to preempt/partition_prio or preempt/qos"
        yield "preemptmode", f"PreemptMode is {values['preemptmode']}, but PreemptType is {kind}", remedy
    if not preempts and "priority" not in modes and kind in {"preempt/partition_prio", "preempt/qos"}:
        remedy = "set PreemptMode to REQUEUE, CANCEL or SUSPEND,GANG"
        yield "preempttype", f"PreemptType is {kind}, but PreemptMode is {values.get('preemptmode', 'not set')}", remedy


def _listed(values: Mapping[str, str], parameter: str) -> set[str]:
    """The words of a list, in small letters."""
    return {each for each in values.get(parameter, "").lower().split(",") if each}


def _number(value: str) -> int | None:
    number = _NUMBER.fullmatch(value)
    return _amount(number) if number else None


_VALUE = re.compile(r'\s*("([^"]*)"|\S+)')


def _read(written: str) -> str:
    """The value that Slurm reads: without quotes, and without a comment or other settings behind it."""
    found = _VALUE.match(written.partition("#")[0])
    return "" if found is None else found[1] if found[2] is None else found[2]


_NUMBER = re.compile(r"\s*\+?(0[xX][0-9a-fA-F]{1,24}|0[0-7]{0,24}|[1-9][0-9]{0,24})([kK]?)")
_WIDTHS = {"uint16": 16, "uint32": 32, "uint64": 64}
_NO_LIMIT = frozenset({"unlimited", "infinite"})
_BOOLEANS = frozenset({"yes", "up", "true", "1", "no", "down", "false", "0"})


def _number_fault(of: str, key: str, value: str) -> tuple[str, str] | None:
    kind = _types(of).get(key.lower(), "")
    if kind == "boolean" and value.lower() not in _BOOLEANS:
        return f"{key} is '{value}', but Slurm accepts only yes or no", f"set {key} to yes or no"
    width = _WIDTHS.get(kind)
    if width is None or value.lower() in _NO_LIMIT:
        return None
    most = 2**width - 1
    remedy = f"set {key} to a whole number from 0 to {most}, or to UNLIMITED"
    number = _NUMBER.fullmatch(value)
    if number is None or (number[2] and width == _WIDTHS["uint16"]):
        return f"{key} is '{value}', which Slurm does not accept as a number", remedy
    if _amount(number) > most:
        return f"{key} is {value}, but Slurm accepts at most {most}", remedy
    if key.lower() in _AT_LEAST_ONE and _amount(number) == 0:
        return f"{key} is {value}, but Slurm accepts at least 1", f"set {key} to a whole number from 1 to {most}"
    return None


_AT_LEAST_ONE = frozenset({"firstjobid", "maxjobcount", "maxstepcount"})
"""slurmctld exits at once if one of these is 0."""


def _amount(number: re.Match[str]) -> int:
    return _as_integer(number[1]) * (1024 if number[2] else 1)


def _as_integer(digits: str) -> int:
    """As C reads it: 010 is 8, and 0x10 is 16."""
    if digits.lower().startswith("0x"):
        return int(digits, 16)  # number: in a base of C; at most 25 digits
    return int(digits, 8 if digits.startswith("0") else 10)  # number: in a base of C; at most 25 digits


_OF_PLUGINS = re.compile(r".*(types?|plugins?)")
_PLUGIN = re.compile(r"(?P<type>\w+)/(?P<name>[\w.-]+)")


def _plugin_fault(key: str, value: str, *, more_plugins: bool) -> tuple[str, str] | None:
    """A plugin that does not exist. If other plugins may be installed, only a name close to one of Slurm's plugins."""
    if not _OF_PLUGINS.fullmatch(key.lower()):
        return None
    for each in value.split(","):
        plugin = _PLUGIN.fullmatch(each)
        names = _plugins().get(plugin["type"], []) if plugin else []
        if plugin is None or not names or plugin["name"] in names or plugin["name"] == "none":
            continue
        near = closest_match(plugin["name"], names)
        if near or not more_plugins:
            listed = or_list(f"{plugin['type']}/{name}" for name in ([near] if near else names))
            return f"{key} is '{each}', but Slurm has no such plugin", f"replace '{each}' with {listed}"
    return None


def _may_have_more_plugins(thing: ParallelCluster | Queue | ComputeResource, fleet: Fleet) -> bool:
    """Whether plugins beside Slurm's own may be on the head node: in its image, or in a folder that a setting names."""
    images = [*(each.image for each in fleet.of(ParallelCluster)), *(each.image for each in fleet.of(HeadNode))]
    return any(each is not None for each in images) or any(key.lower() == "plugindir" for key, _ in thing.slurm_values)


_ONE_WORD = frozenset({"enforcepartlimits"})
_DIGIT = re.compile(r"[0-9].*")
_LEVELS = re.compile(r".*debug")
"""These also accept numbers."""


def _word_fault(key: str, value: str) -> tuple[str, str] | None:
    known = _words().get(key.lower())
    if known is None or (_LEVELS.fullmatch(key.lower()) and _DIGIT.fullmatch(value)):
        return None
    single = key.lower() in _ONE_WORD or _LEVELS.fullmatch(key.lower())
    of_slurm = {each.lower(): each for each in known}
    for each in [value] if single else filter(None, value.split(",")):
        if each.lower() not in of_slurm:
            near = closest_match(each.lower(), of_slurm)
            remedy = f"replace '{each}' with {of_slurm[near] if near else or_list(known)}"
            return f"{key} has the value '{each}', which Slurm does not know", remedy
    return None


@cache
def _types(of: str) -> Mapping[str, str]:
    """The types of parameters, by their names in small letters; "" of text."""
    return {
        row["parameter"].lower(): row["type"] for row in read_table("slurm_parameters.csv", _LOOKUPS) if row["of"] == of
    }


@cache
def _plugins() -> Mapping[str, list[str]]:
    """Type -> the names of its plugins."""
    found = defaultdict(list)
    for row in read_table("slurm_plugins.csv", _LOOKUPS):
        found[row["type"]].append(row["name"])
    return found


@cache
def _words() -> Mapping[str, list[str]]:
    """Parameter, in small letters -> the words that Slurm knows."""
    found = defaultdict(list)
    for row in read_table("slurm_words.csv", _LOOKUPS):
        found[row["parameter"].lower()].append(row["word"])
    return found
