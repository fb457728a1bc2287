"""Random clusters on HyperPod with Slurm: those on EKS, without what Kubernetes has."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from tests.hyperpod_strategies import WantedHyperPod, legal_hyperpod, zone_of
from tests.strategies import ACCOUNT, Described

_OF_THE_CLUSTER = ("node-recovery", "provisioning", "execution-role", "lifecycle")
_OF_A_GROUP = ("for", "instance", "nodes", "zone", "security-groups", "capacity", "hyperpod")
_PARTITIONS = ("training", "gpu-2", "A")


@st.composite
def legal_hyperpod_slurm(draw: st.DrawFn) -> Described:
    """A legal description."""
    drawn = draw(legal_hyperpod(WantedHyperPod(joins=False, teams=False)))
    given = drawn.document
    groups = {name: _group(draw, each) for name, each in given["groups"].items()}
    continuous = "provisioning" in given["hyperpod"]
    own = _without_muster_scripts({key: given["hyperpod"][key] for key in _OF_THE_CLUSTER if key in given["hyperpod"]})
    if not continuous and draw(st.booleans()):
        own["config-strategy"] = draw(st.sampled_from(["managed", "overwrite", "merge"]))
    document: dict[str, Any] = {
        "backend": "hyperpod-slurm",
        "network": given["network"],
        "controller": draw(st.sampled_from([{}, {"instance": "m5.8xlarge"}, {"name": "head-node"}])),
        "groups": groups,
        "hyperpod": own,
        "storage": _file_system(given["storage"], groups),
    }
    if draw(st.booleans()):
        document["login"] = {"instance": "m5.8xlarge", "nodes": draw(st.integers(1, 3))}
    if continuous and draw(st.booleans()):
        secret = f"arn:aws:secretsmanager:{drawn.region}:{ACCOUNT}:secret:slurm"
        document["accounting"] = {"endpoint": "jobs.example.com", "secret": secret}
    if "tags" in given:
        document["tags"] = given["tags"]
    return Described(document, drawn.region)


def _group(draw: st.DrawFn, given: Mapping[str, Any]) -> dict[str, Any]:
    made = {key: given[key] for key in _OF_A_GROUP if key in given}
    if isinstance(made.get("capacity"), dict) and "spot" in made["capacity"]:
        del made["capacity"]
    if "hyperpod" in made:
        made["hyperpod"] = _without_muster_scripts(made["hyperpod"])
    return {**made, "partition": draw(st.sampled_from(_PARTITIONS))}


def _without_muster_scripts(own: Mapping[str, Any]) -> dict[str, Any]:
    """Settings without Muster's lifecycle scripts, which are for EKS."""
    return {key: value for key, value in own.items() if key != "lifecycle" or value == "none" or "own" in value}


def _file_system(given: Mapping[str, Any], groups: Mapping[str, Any]) -> dict[str, Any]:
    """One file system at most, in the zone of the first group that trains."""
    zones = [zone_of(each) for each in groups.values() if each["for"] == "training"]
    listed = [(name, each) for name, each in given.items() if not zones or _zone(each) in (None, zones[0])]
    return dict(listed[:1])


def _zone(storage: Mapping[str, Any]) -> str | None:
    (block,) = storage.values()
    zone = block.get("zone")
    return str(zone) if zone else None
