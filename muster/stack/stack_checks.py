"""Checks of a stack file around its description: its keys, the Region, secrets, and the file of facts beside it."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from muster import backends
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.root import model_of
from muster.config.document import (
    CLUSTER_KEY,
    CLUSTER_PATH,
    ENGINE_KEYS,
    POLICIES_KEY,
    POLICIES_PATH,
    REGION_KEY,
    Document,
    LocatedFinding,
    invalid_finding,
    locate_at,
    read,
    value_at,
)
from muster.config.identifiers import S3_FORM, is_cluster_name, names_bucket
from muster.config.validation import validate
from muster.finding import Finding, KeyPath, dotted_path
from muster.fleet.facts import Facts
from muster.hardware.offerings import region_of_zone_id, regions
from muster.hardware.zones import OTHER_PARTITIONS, REGION, partition_of
from muster.message_text import closest_match, did_you_mean
from muster.plain_data import parts_of, texts_in

_DIRECTIONS = frozenset(
    {"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "central"}
)
"""The last word of every Region's name (AWS General Reference, Regions and endpoints)."""


def region_problem(name: object) -> str:
    """What is wrong with a Region's name, in words; empty if nothing is."""
    known = (*regions(), *OTHER_PARTITIONS)
    if name in known:
        return ""
    if not isinstance(name, str):
        return f"'{name}' is not a Region"
    if meant := [each for each in known if sorted(each) == sorted(name)]:
        return f"'{name}' is not a Region; did you mean '{meant[0]}'?"
    if REGION.fullmatch(name) and name.split("-")[-2] in _DIRECTIONS:
        return ""
    return f"'{name}' is not a Region{did_you_mean(name, known)}"


_OURS = frozenset({CLUSTER_KEY, POLICIES_KEY})
"""Muster's keys in a stack file."""

_EMPTY = f"'{POLICIES_KEY}' has no value"


def region_and_faults(document: Document) -> tuple[str, list[LocatedFinding]]:
    """The Region, and the faults of everything around `muster:cluster`."""
    if not isinstance(document.data, dict):
        fault = invalid_finding("", "this is not a stack file", "write config:, and below it muster:cluster:")
        return "", [locate_at(document, (), fault)]
    faults = _unknown(document, (), document.data, ENGINE_KEYS)
    faults += [_misplaced(document, path) for path in misplaced_keys(document.data)]
    config = document.data.get("config")
    if not isinstance(config, dict):
        missing = invalid_finding("config", "'config' is missing or empty", f"write {CLUSTER_KEY} below config:")
        return "", [*faults, *([] if faults else [locate_at(document, (), missing)])]
    ours = {key: value for key, value in config.items() if key.startswith("muster:")}
    faults += _unknown(document, ("config",), ours, _OURS)
    for root in (CLUSTER_PATH, POLICIES_PATH):
        faults += [
            locate_at(document, path, finding) for path, finding in _secrets(value_at(document.data, root), root)
        ]
    if config.get(CLUSTER_KEY) is None and set(ours) <= _OURS:
        remedy = "add it, with the description of the cluster below it (`muster schema` prints the schema)"
        near = closest_match(CLUSTER_KEY, [key for key in config if key not in _OURS])
        got = f"'{CLUSTER_KEY}' is missing" + (f"; '{near}' is nearly its name" if near else "")
        missing = invalid_finding(CLUSTER_KEY, got, remedy)
        faults.append(locate_at(document, ("config",), missing))
    if POLICIES_KEY in config and config[POLICIES_KEY] is None:
        remedy = "list rules with their levels below it, or remove the key"
        faults.append(locate_at(document, POLICIES_PATH, invalid_finding(POLICIES_KEY, _EMPTY, remedy, about_key=True)))
    region = config.get(REGION_KEY)
    if wrong := region_finding(region):
        faults.append(locate_at(document, ("config", REGION_KEY), wrong))
    return str(region or ""), faults


@cache
def _description_keys() -> frozenset[str]:
    """The keys of every kind of description, at its top level. This loads the models of all backends."""
    models: list[type[BaseModel]] = [AddonsOf, *(each.description.load() for each in backends.RECORDS.values())]
    return frozenset(info.alias or name for model in models for name, info in model.model_fields.items())


def misplaced_keys(data: Any) -> list[KeyPath]:
    """The paths of keys of the description that are not below `muster:cluster`."""
    blocks: list[tuple[KeyPath, Any]] = [((), data), (("config",), value_at(data, ("config",)))]
    bare = ((*path, key) for path, block in blocks if isinstance(block, dict) for key in block if ":" not in str(key))
    return [path for path in bare if path[-1] not in ENGINE_KEYS and path[-1] in _description_keys()]


def _misplaced(document: Document, path: KeyPath) -> LocatedFinding:
    """A fault for a key of the description that is not below `muster:cluster`."""
    key = str(path[-1])
    remedy = f"move its lines below {CLUSTER_KEY}:, and indent them like the other keys there"
    fault = invalid_finding(key, f"key '{key}' belongs below {CLUSTER_KEY}", remedy, about_key=True)
    return locate_at(document, path, fault)


def region_finding(region: object) -> Finding | None:
    """The finding about an invalid Region; None where it is valid."""
    if region is None:
        return invalid_finding(REGION_KEY, f"'{REGION_KEY}' is missing", "add it, as in aws:region: us-west-2")
    wrong = region_problem(region)
    return invalid_finding(REGION_KEY, wrong, "write the name of a Region, as in us-west-2") if wrong else None


def name_faults(stack: str, given: Any) -> list[tuple[KeyPath, Finding]]:
    """A stack whose name is not a valid cluster name, with a description that sets no other name, whatever else is
    wrong in it."""
    named = value_at(given, ("name",)) is not None or value_at(given, ("control-plane", "existing")) is not None
    if named or not isinstance(given, dict) or model_of(given) is AddonsOf or is_cluster_name(stack):
        return []
    got = f"'{stack}', the name of the stack, is not a valid cluster name"
    remedy = "add a name for the cluster, as in name: p5 (lower-case letters, digits and dashes, at most 40 characters)"
    return [((), invalid_finding("name", got, remedy))]


_ARN = re.compile(r"arn:(?P<partition>[^:]+):(?P<service>[^:]+):(?P<region>[^:]*):.+")


def region_faults(region: str, given: Any) -> list[tuple[KeyPath, Finding]]:
    """ARNs of another partition, and KMS keys and zone ids of another Region. EKS, FSx and EBS only use keys of the
    same Region (EKS API, `EncryptionConfig`; FSx API, `KmsKeyId`; EBS guide, "How EBS encryption works"). Rules judge
    the Region of other ARNs."""
    if not isinstance(given, dict) or not region or backends.described_by(model_of(given)) is None:
        return []
    judged = {key: value for key, value in given.items() if key not in ("tags", "addons", "suppress")}
    # An argument of a script may be the ARN of anything.
    texts = ((path, text) for path, text in texts_in(judged) if "arguments" not in path)
    found = [(path, *fault) for path, text in texts if (fault := _arn_fault(region, text))]
    found += _zone_id_faults(region, given)
    found += _bucket_faults(region, given)
    return [(path, invalid_finding(dotted_path(path), got, remedy)) for path, got, remedy in found]


def _arn_fault(region: str, text: str) -> tuple[str, str] | None:
    arn = _ARN.fullmatch(text)
    if arn is None:
        return None
    if arn["partition"] != partition_of(region):
        got = f"the ARN is of partition {arn['partition']}, but {region} is in partition {partition_of(region)}"
        return got, f"write an ARN that begins with arn:{partition_of(region)}:"
    if arn["service"] == "kms" and arn["region"] != region:
        got = f"the KMS key is in {arn['region']}, but the cluster is in {region}"
        return got, f"write the ARN of a key in {region}"
    return None


def _zone_id_faults(region: str, given: Any) -> list[tuple[KeyPath, str, str]]:
    paths = [("network", kind, "zone-ids") for kind in ("existing", "create")]
    return [
        (
            (*path, zone),
            f"{id_} is a zone of {other}, but the cluster is in {region}",
            f"write the zone id that `aws ec2 describe-availability-zones --region {region}` prints",
        )
        for path in paths
        for zone, id_ in _entries(value_at(given, path), str)
        if (other := region_of_zone_id(id_)) not in {None, region}
    ]


_OLD_BUCKETS = "us-east-1"
"""Regions where buckets created before 2018-03-01 may have capitals, underscores and more than 63 characters (S3 user
guide, "General purpose bucket naming rules")."""


def _bucket_faults(region: str, given: Any) -> list[tuple[KeyPath, str, str]]:
    """Names that no bucket of the Region has, of links that import, as a link does without `import`: FSx imports from
    its own Region only (FSx for Lustre user guide, "Automatically import updates")."""
    storage = value_at(given, ("storage",))
    links = [
        (("storage", name, "lustre", "data", path, "s3"), link)
        for name in (storage if isinstance(storage, dict) else ())
        for path, link in _entries(value_at(given, ("storage", name, "lustre", "data")), dict)
    ]
    return [
        (
            path,
            f"'{link['s3']}' does not contain a bucket name that S3 allows in {region}",
            "write a bucket name of 3 to 63 lower-case letters, digits, dashes and dots",
        )
        for path, link in links
        if region != _OLD_BUCKETS and link.get("import") != [] and isinstance(link.get("s3"), str)
        if re.fullmatch(S3_FORM, link["s3"]) and not names_bucket(link["s3"])
    ]


def _entries(value: Any, kind: type) -> Iterable[tuple[str, Any]]:
    return ((key, each) for key, each in value.items() if isinstance(each, kind)) if isinstance(value, dict) else ()


def _unknown(document: Document, path: KeyPath, block: dict[str, Any], known: frozenset[str]) -> list[LocatedFinding]:
    """A fault for every key that is not known here."""
    remedy = f"valid keys: {', '.join(sorted(known))}"
    return [
        locate_at(
            document,
            (*path, key),
            invalid_finding(key, f"unknown key '{key}'{did_you_mean(key, known)}", remedy, about_key=True),
        )
        for key in block
        if key not in known and (path or key not in _description_keys())
    ]


def _secrets(data: Any, path: KeyPath) -> list[tuple[KeyPath, Finding]]:
    """Values that the engine has encrypted: only the engine can read them."""
    if isinstance(data, dict) and set(data) == {"secure"}:
        got = "the value is encrypted (secure:), and only the Pulumi engine can read it"
        remedy = "write it in plain text: no value here is secret"
        return [(path, invalid_finding(dotted_path(path[2:]) or str(path[1]), got, remedy))]
    return [found for step, below in parts_of(data) for found in _secrets(below, (*path, step))]


def load_facts(file: Path, project: Path) -> tuple[Facts | None, Document | None, list[LocatedFinding]]:
    """The facts beside a stack (``stacks/facts/STACK.json``); a missing file is not a fault. No link may leave the
    project."""
    if not file.exists():
        return None, None, []
    document = read(file, inside=project)
    faults = [LocatedFinding(document.file, position, finding) for _, position, finding in document.faults]
    if not document.is_read:
        return None, document, faults
    facts, shaped = validate(Facts, document.data)
    faults += [locate_at(document, path, finding) for path, finding in shaped]
    return facts, document, faults
