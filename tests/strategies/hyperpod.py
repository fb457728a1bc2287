"""Random clusters on HyperPod. `legal_hyperpod()` builds only legal descriptions: what AWS takes, and no rule minds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.hardware.catalogue import Accelerator, hardware
from muster.hardware.hyperpod_types import ML, takes_training_plan
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES
from muster.size import Size
from muster.versions import EKS_ADDONS, EKS_CALENDAR
from tests.factories import AS_OF
from tests.strategies import ACCOUNT, REGIONS, USABLE, WORKERS, Described, file_systems, made_up
from tests.strategies.addons import described
from tests.strategies.facts import open_groups, subnets_of
from tests.strategies.groups import may_be_for
from tests.strategies.networks import name_subnets, training_zones, zone_ids
from tests.strategies.readings import zone_of
from tests.strategies.roles import iam

HYPERPOD = tuple(name for name in USABLE if hardware(name).hyperpod)
"""The types that HyperPod has."""

ACCELERATED = tuple(name for name in HYPERPOD if hardware(name).accelerator is not Accelerator.NONE)
"""The types that deep health checks are for."""

IN_PLANS = tuple(name for name in HYPERPOD if takes_training_plan(f"{ML}{name}"))
"""The types that training plans are sold of."""

NEWEST_KUBERNETES = (1, 35)
"""Of HyperPod."""


def key_of(region: str) -> str:
    """A KMS key of one's own."""
    return f"arn:aws:kms:{region}:{ACCOUNT}:key/0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"


SYSTEM_TYPES = ("c5n.18xlarge", "m5.8xlarge")
"""With room for operators' pods: a node has one interface's addresses for them."""

SCRIPTS = (
    "default",
    "none",
    {"default": {}},
    {"own": {"at": "s3://sagemaker-ours", "on-create": "setup.sh"}},
    {"own": {"at": "s3://sagemaker-ours/lifecycle/base/", "on-init-complete": "more.sh"}},
)

_THEIRS = ("setup.sh", "lifecycle/base/more.sh")
"""What is in the bucket of these."""

UPDATES = (
    {"schedule": "cron(0 3 ? * SUN *)"},
    {"schedule": "cron(30 22 15 * ? 2027)", "at-once": {"count": 1}, "wait-seconds": 3600},
    {"patching": "when-idle"},
    {"schedule": "cron(0 3 1 * ? *)", "at-once": {"percent": 25}},
    {"patching": "when-all-idle"},
)

MOST_NODES = 4
"""Of one group: five of them fit into one zone's subnet."""


@dataclass(frozen=True)
class _Around:
    """What groups are drawn into."""

    region: str
    zones: list[str]
    continuous: bool
    """Whether instances come one by one: minima, spot and keys of one's own need that."""


@st.composite
def legal_hyperpod(draw: st.DrawFn, *, facts: bool | None = None) -> Described:
    """A legal description, with facts or not; None leaves that to chance."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    joins = draw(st.booleans())
    created = not joins and draw(st.booleans())
    zones = [f"{region}{letter}" for letter in "abcd"[: draw(st.integers(2, 4))]]
    continuous = draw(st.booleans())
    around = _Around(region, zones, continuous)
    groups = {"system": _system(draw, around), WORKERS: _group(draw, around, 0)}
    for index in range(draw(st.integers(0, 2))):
        groups[f"group-{index}"] = _group(draw, around, index + 1)
    network = _network(draw, around, created=created)
    name_subnets(draw, network, ((group, zone_of(group)) for group in groups.values()))
    vpc = network.get("existing", {}).get("vpc")
    document: dict[str, Any] = {
        "backend": "hyperpod",
        "kubernetes": draw(st.sampled_from(_standing())),
        **(_joined(draw) if joins else _made(draw)),
        "network": network,
        "groups": groups,
        "storage": {
            **file_systems.storages(draw, training_zones(groups.values(), zones), vpc),
            **file_systems.efs(draw, vpc),
            **file_systems.buckets(draw),
        },
        "addons": _addons(draw, groups),
        "hyperpod": _cluster(draw, continuous=continuous),
    }
    if draw(st.booleans()) and "kueue" not in document["addons"]:
        document["addons"]["hyperpod-task-governance"] = {}
        document["hyperpod"]["task-governance"] = _governed(draw, groups)
    if draw(st.booleans()):
        document["access"] = [
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml-admins", "policy": "cluster-admin"},
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/team", "groups": ["team"], "jobs": draw(st.booleans())},
        ]
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research", "équipe": "entraînement 1"}
    own = "execution-role" not in document["hyperpod"]
    document |= iam(draw, *([] if joins else ["control-plane"]), policies=own)
    known = draw(st.booleans()) if facts is None else facts
    return Described(document, region, observed(document, region) if known else {})


def _standing() -> list[str]:
    """Versions in standard support that HyperPod takes, and for which Muster pins add-ons."""
    taken = (name for name in EKS_ADDONS if tuple(map(int, name.split("."))) <= NEWEST_KUBERNETES)
    return [name for name in taken if EKS_CALENDAR[name].standard_ends >= AS_OF]


def _made(draw: st.DrawFn) -> dict[str, Any]:
    """A control plane that Muster makes."""
    named = {"name": draw(_names())} if draw(st.booleans()) else {}
    return {
        "control-plane": "create",
        "api": draw(st.sampled_from(["private", {"public": ["198.51.100.0/24"]}])),
        **named,
    }


def _joined(draw: st.DrawFn) -> dict[str, Any]:
    """A control plane that exists, and takes access entries."""
    mode = draw(st.sampled_from(["api", "api-and-config-map"]))
    existing = {"name": draw(_names()), "security-group": made_up("sg", 1000), "authentication": mode}
    return {"control-plane": {"existing": existing}}


def _names() -> st.SearchStrategy[str]:
    """As long as they may be: a bucket's name, cut to what AWS takes, may end in any of their dashes."""
    short, long = r"[a-z][a-z0-9-]{0,20}[a-z0-9]", r"[a-z][a-z0-9]{20,23}[a-z0-9-]{2,14}[a-z0-9]"
    return st.one_of(st.from_regex(short, fullmatch=True), st.from_regex(long, fullmatch=True))


def _network(draw: st.DrawFn, around: _Around, *, created: bool) -> dict[str, Any]:
    """A network with room for the groups."""
    named: dict[str, Any] = {}
    if around.region in REGIONS_WITH_REFUSED_ZONES or draw(st.booleans()):
        named = {"zone-ids": dict(zip(around.zones, draw(st.permutations(zone_ids(around.region))), strict=False))}
    if created:
        base = draw(st.sampled_from(["10.0.0.0", "10.42.0.0", "192.168.0.0"]))
        return {"create": {"zones": around.zones, "cidr": f"{base}/16", **named}}
    private = {zone: made_up("subnet", number) for number, zone in enumerate(around.zones)}
    return {"existing": {"vpc": made_up("vpc", 0), "private": private, **named}}


def _system(draw: st.DrawFn, around: _Around) -> dict[str, Any]:
    """A group for ordinary pods: it is not checked for hours, and stands from the start."""
    group: dict[str, Any] = {
        "for": "system",
        "instance": draw(st.sampled_from(SYSTEM_TYPES)),
        "nodes": draw(st.integers(3, MOST_NODES)),
    }
    if draw(st.booleans()):
        group["zone"] = draw(st.sampled_from(around.zones))
    return _with_settings(draw, around, group)


def _group(draw: st.DrawFn, around: _Around, number: int) -> dict[str, Any]:
    planned = draw(st.booleans())
    instance = draw(st.sampled_from(IN_PLANS if planned else HYPERPOD))
    group: dict[str, Any] = {
        "for": draw(st.sampled_from(["training", "inference", "system"])),
        "instance": instance,
        "nodes": _nodes(draw, around),
    }
    assume(may_be_for(group["for"], instance))
    zone = draw(st.sampled_from(around.zones))
    if planned:
        group["capacity"] = {"training-plan": _plan(draw, around.region, zone, number, most_of(group))}
    elif draw(st.booleans()):
        spot = [{"spot": {"interruptions-accepted": True}}] if around.continuous else []
        group["capacity"] = draw(st.sampled_from(["on-demand", *spot]))
    if draw(st.booleans()) or (not planned and hardware(instance).max_efa):  # EFA stays in one zone
        group["zone"] = zone
    if draw(st.booleans()):
        group["security-groups"] = [made_up("sg", each) for each in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        group["labels"] = {"team": "research", "example.com/Cost.Center": "a_b.c-1"}
    if draw(st.booleans()):
        group["taints"] = {"team": draw(st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"]))}
    if draw(st.booleans()):
        room = hardware(instance).memory_mib // 2  # the rest is the kubelet's and the pods'
        group["huge-pages"] = draw(
            st.sampled_from([s for s in ("0MiB", "2GiB", "10256MiB") if Size.parse(s).mib <= room])
        )
    return _with_settings(draw, around, group)


def _nodes(draw: st.DrawFn, around: _Around) -> Any:
    """A number, or that and at least how many."""
    count = draw(st.integers(0, MOST_NODES))
    if not around.continuous or draw(st.booleans()):
        return draw(st.sampled_from([count, {"count": count}]))
    return {"count": count, "minimum": draw(st.integers(0, count))}


def most_of(group: Mapping[str, Any]) -> int:
    """The instances that a group asks for."""
    nodes = group["nodes"]
    return int(nodes["count"] if isinstance(nodes, dict) else nodes)


def _plan(draw: st.DrawFn, region: str, zone: str, number: int, nodes: int) -> dict[str, Any]:
    arn = f"arn:aws:sagemaker:{region}:{ACCOUNT}:training-plan/plan-{number}"
    return {"arn": arn, "zone": zone, "count": max(nodes, 1) + draw(st.integers(0, 3))}


def _with_settings(draw: st.DrawFn, around: _Around, group: dict[str, Any]) -> dict[str, Any]:
    """What only HyperPod's groups have."""
    machine = hardware(group["instance"])
    own: dict[str, Any] = {}
    key = key_of(around.region)
    if draw(st.booleans()):
        own["threads-per-core"] = draw(st.integers(1, min(machine.threads_per_core, 2)))
    if (
        group["instance"] in ACCELERATED
        and not group.keys() & {"taints"}
        and group["for"] != "system"
        and draw(st.booleans())
    ):
        every = ["instance-stress", "instance-connectivity"]
        own["deep-health-checks"] = draw(st.lists(st.sampled_from(every), unique=True))
    if draw(st.booleans()):
        size = draw(st.sampled_from(["1GiB", "500GiB", "16384GiB"]))
        own["volume"] = {"size": size, **({"key": key} if around.continuous and draw(st.booleans()) else {})}
    if around.continuous and draw(st.booleans()):
        own["root-volume-key"] = key
    if draw(st.booleans()):
        own["lifecycle"] = draw(st.sampled_from(SCRIPTS))
    if draw(st.booleans()):
        own["image"] = draw(st.sampled_from([{"release": "1.3.0"}, {"id": made_up("ami", 1)}]))
    if draw(st.booleans()):
        own["updates"] = draw(st.sampled_from(UPDATES))
    if machine.max_efa and draw(st.booleans()):
        own["interface"] = draw(st.sampled_from(["efa", "efa-only"]))
    return group | ({"hyperpod": own} if own or draw(st.booleans()) else {})


def _cluster(draw: st.DrawFn, *, continuous: bool) -> dict[str, Any]:
    """The HyperPod cluster's own block."""
    made: dict[str, Any] = {"provisioning": "continuous"} if continuous else {}
    if draw(st.booleans()):
        made["name"] = draw(st.from_regex(r"[a-zA-Z0-9](-{0,2}[a-zA-Z0-9]){0,20}", fullmatch=True))
    scales = continuous and draw(st.booleans())
    if scales:
        made["autoscaling"] = "karpenter"
        if draw(st.booleans()):
            made["cluster-role"] = f"arn:aws:iam::{ACCOUNT}:role/karpenter"
    elif draw(st.booleans()):
        made["node-recovery"] = draw(st.sampled_from(["automatic", "none"]))
    if draw(st.booleans()):
        made["execution-role"] = f"arn:aws:iam::{ACCOUNT}:role/teams/hyperpod-instances"
    if draw(st.booleans()):
        made["tiered-storage"] = {"memory-percent": draw(st.integers(1, 100))}
    if draw(st.booleans()):
        made["lifecycle"] = draw(st.sampled_from(SCRIPTS))
    if draw(st.booleans()):
        made["mlflow"] = draw(
            st.sampled_from(
                [
                    {},
                    {"serverless": True, "name": "team-a"},
                    {"size": "large", "register-models": True, "on-destroy": "delete"},
                ]
            )
        )
    return made


def _governed(draw: st.DrawFn, groups: Mapping[str, Any]) -> dict[str, Any]:
    """Quotas of teams, which together are not more than the first group has."""
    machine, nodes = hardware(groups[WORKERS]["instance"]), most_of(groups[WORKERS])
    devices = machine.accelerators * (nodes // 2)
    rest = draw(st.sampled_from([{"instances": nodes - nodes // 2}, {"vcpus": machine.vcpus * (nodes - nodes // 2)}]))
    first = {"accelerators": devices} if devices and draw(st.booleans()) else {"instances": nodes // 2}
    sharing = draw(
        st.sampled_from(
            [{}, {"sharing": "none"}, {"sharing": "lend"}, {"borrow-percent": 200}, {"borrow-limits": {"instances": 1}}]
        )
    )
    if "borrow-limits" in sharing:
        sharing = {"borrow-limits": {machine.instance: sharing["borrow-limits"]}}
    return {
        "teams": {
            "research": {"quota": {machine.instance: first}, **sharing},
            "product": {"quota": {machine.instance: rest}, "weight": 50, "preempt-own-jobs": draw(st.booleans())},
        },
        "priorities": draw(st.sampled_from([{}, {"training": 70, "inference": 90}])),
    }


_OTHERS = ("jobset", "kuberay-operator", "kueue", "mpi-operator")
"""Add-ons that go with anything."""


def _addons(draw: st.DrawFn, groups: Mapping[str, Any]) -> dict[str, Any]:
    """HyperPod's chart, the plugins of what the groups have, and perhaps some others."""
    machines = [hardware(group["instance"]) for group in groups.values()]
    offered = {each.resource_name for each in machines} | {"vpc.amazonaws.com/efa" for each in machines if each.max_efa}
    needed = [name for name, addon in CATALOGUE.items() if addon.serves in offered - {None}]
    others = draw(st.lists(st.sampled_from(_OTHERS), max_size=2, unique=True))
    return described(draw, ("hyperpod", *needed, *others))


def plan_of(group: Mapping[str, Any]) -> dict[str, Any] | None:
    """The training plan of a group, where it is on one."""
    capacity = group.get("capacity")
    return capacity.get("training-plan") if isinstance(capacity, dict) else None


def observed(document: Mapping[str, Any], region: str) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    (network,) = document["network"].values()
    zones = list(network.get("zones") or network["private"])
    groups = document["groups"].values()
    plane = document["control-plane"]
    existing = plane["existing"] if isinstance(plane, dict) else None
    carried = {id_ for group in groups for id_ in group.get("security-groups", ())}
    carried |= {existing["security-group"]} if existing else set()
    plans = [(group, plan) for group in groups if (plan := plan_of(group))]
    return {
        "subnets": subnets_of(network),
        "securityGroups": open_groups(network, carried),
        "clusters": {existing["name"]: _on(document["kubernetes"])} if existing else {},
        "hyperpodQuotas": {
            f"ml.{group['instance']} for {usage}": 1_000
            for group in groups
            for usage in ("cluster usage", "cluster spot usage")
        },
        "trainingPlans": {
            plan["arn"]: {
                "state": "Active",
                "instanceType": f"ml.{group['instance']}",
                "zone": plan["zone"],
                "totalInstances": plan["count"],
                "targets": ["hyperpod-cluster"],
            }
            for group, plan in plans
        },
        "buckets": {"sagemaker-ours": {"files": list(_THEIRS)}},
        "fileSystems": file_systems.file_system_facts(
            document["storage"], network.get("vpc"), training_zones(document["groups"].values(), zones)
        ),
        "zones": network.get("zone-ids") or dict(zip(zones, zone_ids(region), strict=False)),
    }


def _on(kubernetes: str) -> dict[str, Any]:
    """What is on an EKS cluster that exists, and waits for HyperPod."""
    return {"eksAddons": EKS_ADDONS[kubernetes], "hyperpodClusters": [], "hyperpodChart": False}
