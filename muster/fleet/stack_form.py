"""What is wrong in a stack file around the description, and what no description alone can tell."""

from typing import Any

from muster.fleet.description import AddonsOf, form_of
from muster.fleet.description.identifiers import is_cluster_name
from muster.fleet.document import Document
from muster.fleet.dotted import Path_, dotted
from muster.fleet.finding import Finding
from muster.fleet.located import Located, a_fault, located_at, value_at
from muster.fleet.near_miss import did_you_mean
from muster.fleet.region_name import misspelt
from muster.fleet.stack_keys import CLUSTER_KEY, CLUSTER_PATH, ENGINE_KEYS, POLICIES_KEY, POLICIES_PATH, REGION_KEY

_OURS = frozenset({CLUSTER_KEY, POLICIES_KEY})
"""The keys of ours in a stack file."""

_EMPTY = f"'{POLICIES_KEY}' has no value"


def region_and_faults(document: Document) -> tuple[str, list[Located]]:
    """The Region, and the faults of everything around `muster:cluster`."""
    if not isinstance(document.data, dict):
        fault = a_fault("", "is not a stack file", "begin with config: and muster:cluster: below")
        return "", [located_at(document, (), fault)]
    faults = _unknown(document, (), document.data, ENGINE_KEYS)
    config = document.data.get("config")
    if not isinstance(config, dict):
        missing = a_fault("config", "'config' is missing or empty", f"write {CLUSTER_KEY} below config:")
        return "", [*faults, *([] if faults else [located_at(document, (), missing)])]
    ours = {key: value for key, value in config.items() if key.startswith("muster:")}
    faults += _unknown(document, ("config",), ours, _OURS)
    for root in (CLUSTER_PATH, POLICIES_PATH):
        faults += [
            located_at(document, path, finding) for path, finding in _secrets(value_at(document.data, root), root)
        ]
    if config.get(CLUSTER_KEY) is None and set(ours) <= _OURS:
        remedy = "describe the cluster below it (`muster schema` shows how)"
        faults.append(located_at(document, ("config",), a_fault(CLUSTER_KEY, f"'{CLUSTER_KEY}' is missing", remedy)))
    if POLICIES_KEY in config and config[POLICIES_KEY] is None:
        remedy = "name rules and their levels below it, or remove the key"
        faults.append(located_at(document, POLICIES_PATH, a_fault(POLICIES_KEY, _EMPTY, remedy)))
    region = config.get(REGION_KEY)
    if wrong := wrong_region(region):
        faults.append(located_at(document, ("config", REGION_KEY), wrong))
    return str(region or ""), faults


def wrong_region(region: object) -> Finding | None:
    """What is wrong with what stands as the Region; None where nothing is."""
    if region is None:
        return a_fault(REGION_KEY, f"'{REGION_KEY}' is missing", "add it, as in aws:region: us-west-2")
    wrong = misspelt(region)
    return a_fault(REGION_KEY, wrong, "write one, as in us-west-2") if wrong else None


def nameless(stack: str, given: Any) -> list[tuple[Path_, Finding]]:
    """A stack whose name cannot be a cluster's, and a description that gives no other, whatever else is wrong in it."""
    named = value_at(given, ("name",)) is not None or value_at(given, ("control-plane", "existing")) is not None
    if named or not isinstance(given, dict) or form_of(given) is AddonsOf or is_cluster_name(stack):
        return []
    got = f"the stack's name '{stack}' cannot be the cluster's"
    return [((), a_fault("name", got, "give the cluster one, as in name: p5 (lower case, digits, dashes, 40 at most)"))]


def _unknown(document: Document, path: Path_, block: dict[str, Any], known: frozenset[str]) -> list[Located]:
    """A fault for every key that is not known here."""
    return [
        located_at(
            document,
            (*path, key),
            a_fault(key, f"unknown key '{key}'{did_you_mean(key, known)}", f"keys here: {', '.join(sorted(known))}"),
        )
        for key in block
        if key not in known
    ]


def _secrets(data: Any, path: Path_) -> list[tuple[Path_, Finding]]:
    """Values that the engine has encrypted: only the engine can read them."""
    if isinstance(data, dict):
        if set(data) == {"secure"}:
            got, remedy = (
                "is encrypted (secure:)",
                "only the engine can read it; nothing here is secret, write it in plain",
            )
            return [(path, a_fault(dotted(path[2:]) or str(path[1]), got, remedy))]
        return [found for key, below in data.items() for found in _secrets(below, (*path, key))]
    if isinstance(data, list):
        return [found for index, below in enumerate(data) for found in _secrets(below, (*path, index))]
    return []
