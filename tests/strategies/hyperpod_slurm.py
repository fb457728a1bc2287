"""Random Slurm clusters on HyperPod. `legal_hyperpod_slurm()` builds only legal descriptions: what AWS takes, and no
rule minds."""

from typing import Any

from hypothesis import strategies as st

from muster.hardware.catalogue import hardware
from muster.hardware.hyperpod_types import ML
from tests.strategies import ACCOUNT, REGIONS, WORKERS, Described, file_systems, made_up
from tests.strategies.facts import open_groups, subnets_of
from tests.strategies.groups import may_be_for
from tests.strategies.hyperpod import HYPERPOD, IN_PLANS, UPDATES, key_of
from tests.strategies.networks import name_subnets, zone_ids
from tests.strategies.readings import zone_of
from tests.strategies.roles import iam

SCRIPTS = (
    "none",
    {"own": {"at": "s3://sagemaker-ours", "on-create": "setup.sh"}},
    {"own": {"at": "s3://sagemaker-ours/lifecycle/base/", "on-init-complete": "more.sh"}},
)
MOST_NODES = 4
"""Of one group: they fit into one zone's subnet."""


@st.composite
def legal_hyperpod_slurm(draw: st.DrawFn) -> Described:
    """A legal description: all nodes are in one zone, as Lustre and EFA want it."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    zones = [f"{region}{letter}" for letter in "abcd"[: draw(st.integers(2, 4))]]
    zone = draw(st.sampled_from(zones))
    continuous = draw(st.booleans())
    groups = {
        name: _group(draw, zone, number, continuous=continuous)
        for number, name in enumerate([WORKERS, "group-1", "group-2"][: draw(st.integers(1, 3))])
    }
    network = _network(draw, zones, region)
    name_subnets(draw, network, ((group, zone_of(group)) for group in groups.values()))
    vpc = network.get("existing", {}).get("vpc")
    storages = file_systems.storages(draw, {zone}, vpc)
    of_lustre = [name for name in storages if name != "code"][:1]
    document: dict[str, Any] = {
        "backend": "hyperpod-slurm",
        "network": network,
        "zone": zone,
        "groups": groups,
        "storage": {name: storages[name] for name in (*of_lustre, "code") if name in storages},
        "hyperpod": _cluster(draw, continuous=continuous),
    }
    if draw(st.booleans()):
        document["controller"] = _with_settings(draw, region, {"instance": "m5.8xlarge"}, continuous=continuous)
    if draw(st.booleans()):
        login = {"name": "sign-in", "instance": "m5.2xlarge", "nodes": draw(st.integers(0, 2))}
        document["login"] = _with_settings(draw, region, login, continuous=continuous)
    if continuous and draw(st.booleans()):
        document["accounting"] = {
            "endpoint": "db.example.com",
            "secret": f"arn:aws:secretsmanager:{region}:{ACCOUNT}:secret:slurm-AbCdEf",
            **draw(st.sampled_from([{}, {"port": 3307, "database": "slurm_acct"}])),
        }
    if "code" not in storages and draw(st.booleans()):
        document["home"] = {"id": made_up("fs", 7)}
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research"}
    document |= iam(draw, policies="execution-role" not in document["hyperpod"])
    return Described(document, region, _observed(document, region) if draw(st.booleans()) else {})


def _network(draw: st.DrawFn, zones: list[str], region: str) -> dict[str, Any]:
    named = {"zone-ids": dict(zip(zones, zone_ids(region), strict=False))}
    if draw(st.booleans()):
        return {"create": {"zones": zones, "cidr": "10.0.0.0/16", **named}}
    private = {zone: made_up("subnet", number) for number, zone in enumerate(zones)}
    return {"existing": {"vpc": made_up("vpc", 0), "private": private, **named}}


def _group(draw: st.DrawFn, zone: str, number: int, *, continuous: bool) -> dict[str, Any]:
    planned = draw(st.booleans())
    purpose = draw(st.sampled_from(["training", "inference", "system"]))
    instance = draw(
        st.sampled_from([each for each in (IN_PLANS if planned else HYPERPOD) if may_be_for(purpose, each)])
    )
    count = draw(st.integers(0, MOST_NODES))
    group: dict[str, Any] = {
        "for": purpose,
        "partition": draw(st.sampled_from(["train", "batch-2", "P1"])),
        "instance": instance,
        "nodes": {"count": count, "minimum": draw(st.integers(0, count))} if continuous else count,
    }
    if planned:
        arn = f"arn:aws:sagemaker:{zone[:-1]}:{ACCOUNT}:training-plan/plan-{number}"
        group["capacity"] = {"training-plan": {"arn": arn, "zone": zone, "count": max(count, 1)}}
    if draw(st.booleans()):
        group["security-groups"] = [made_up("sg", each) for each in range(draw(st.integers(1, 3)))]
    return _with_settings(draw, zone[:-1], group, continuous=continuous)


def _with_settings(draw: st.DrawFn, region: str, group: dict[str, Any], *, continuous: bool) -> dict[str, Any]:
    machine = hardware(group["instance"])
    own: dict[str, Any] = {}
    if draw(st.booleans()):
        own["threads-per-core"] = draw(st.integers(1, min(machine.threads_per_core, 2)))
    if draw(st.booleans()):
        key = {"key": key_of(region)} if continuous and draw(st.booleans()) else {}
        own["volume"] = {"size": draw(st.sampled_from(["1GiB", "500GiB", "16384GiB"])), **key}
    if continuous and draw(st.booleans()):
        own["root-volume-key"] = key_of(region)
    if draw(st.booleans()):
        own["lifecycle"] = draw(st.sampled_from(SCRIPTS))
    if draw(st.booleans()):
        own["image"] = draw(st.sampled_from([{"release": "1.3.0"}, {"id": made_up("ami", 1)}]))
    if draw(st.booleans()):
        own["updates"] = draw(st.sampled_from(UPDATES))
    if machine.max_efa and draw(st.booleans()):
        own["interface"] = draw(st.sampled_from(["efa", "efa-only"]))
    return group | ({"hyperpod": own} if own else {})


def _cluster(draw: st.DrawFn, *, continuous: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"provisioning": "continuous"} if continuous else {}
    if not continuous and draw(st.booleans()):
        made["config-strategy"] = draw(st.sampled_from(["managed", "overwrite", "merge"]))
    if draw(st.booleans()):
        made["node-recovery"] = draw(st.sampled_from(["automatic", "none"]))
    if draw(st.booleans()):
        made["execution-role"] = f"arn:aws:iam::{ACCOUNT}:role/teams/hyperpod-instances"
    if draw(st.booleans()):
        made["lifecycle"] = draw(st.sampled_from(SCRIPTS))
    return made


def _observed(document: dict[str, Any], region: str) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    (network,) = document["network"].values()
    groups = document["groups"].values()
    nodes = [*groups, document.get("controller", {"instance": "m5.4xlarge"}), document.get("login")]
    carried = {id_ for group in groups for id_ in group.get("security-groups", ())}
    plans = [(group, group["capacity"]["training-plan"]) for group in groups if "capacity" in group]
    return {
        "subnets": subnets_of(network),
        "securityGroups": open_groups(network, carried),
        "hyperpodQuotas": {f"{ML}{each['instance']} for cluster usage": 1_000 for each in nodes if each},
        "trainingPlans": {
            plan["arn"]: {
                "state": "Active",
                "instanceType": f"{ML}{group['instance']}",
                "zone": plan["zone"],
                "totalInstances": plan["count"],
                "targets": ["hyperpod-cluster"],
            }
            for group, plan in plans
        },
        "buckets": {"sagemaker-ours": {"files": ["setup.sh", "lifecycle/base/more.sh"]}},
        "fileSystems": file_systems.file_system_facts(document["storage"], network.get("vpc"), {document["zone"]}),
        "zones": network["zone-ids"],
    }
