"""Random clusters on ParallelCluster. `legal_slurm()` builds only legal descriptions: AWS takes them, no rule minds.

The queue `train` holds the group `workers`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.config.description.node_group import Purpose
from muster.fleet.resources.ec2 import GENERIC, POOL
from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.subnet_plan import MAX_ZONES
from muster.policies.rules.capacity.capacity_blocks import may_sell_blocks
from muster.versions import PARALLELCLUSTER
from tests.factories import AS_OF
from tests.hardware_types import CLUSTER_TYPES
from tests.strategies import (
    ACCOUNT,
    IN_BLOCKS,
    NOT_HELD,
    REGIONS,
    WORKERS,
    Described,
    Kind,
    bought,
    file_systems,
    kind_of,
    made_up,
)
from tests.strategies.capacity import not_held
from tests.strategies.facts import QUOTAS, open_groups, reservation_of, subnets_of
from tests.strategies.networks import name_subnets
from tests.strategies.readings import held_by, most_of
from tests.strategies.roles import POLICIES, iam

QUEUE = "train"
"""The queue of the workers."""

USABLE = tuple(name for name in CLUSTER_TYPES if hardware(name).architecture == "x86_64")
"""The types that a group can be of: the head node's architecture."""

BEFORE_TURING = ("p3dn.24xlarge",)
"""Those whose GPUs the driver in ParallelCluster's own images does not know."""

HEADS = ("c5.2xlarge", "m5.2xlarge", "m5.8xlarge")
"""Types of head nodes: the smallest has the 16 GiB that any fleet wants at most."""

OF_PARALLELCLUSTER = ("alinux2023", "ubuntu2204", "ubuntu2404", "rhel8", "rhel9")
"""Operating systems that ParallelCluster publishes images of."""

OF_ONES_OWN = ("rocky8", "rocky9")
"""Those that want an image of one's own."""

RHEL = ("rhel8", "rhel9")
"""Those whose reservations are of another platform than Linux/UNIX."""

ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0000000000000000000000000000000000000000000 ml@example.com"

MOST_NODES = 8
"""Of one group: all of them fit into one zone's subnet."""

FAST = {"size": "40GiB", "iops": 16000, "throughput": 1000}
VOLUMES = {
    "scratch": {"ebs": {**FAST, "raid": {"level": 0, "volumes": 5}, "on-destroy": "delete"}},
    "models": {"ebs": {"type": "io2", "iops": 256000, "size": "1TiB"}},
    "archive": {"existing-ebs": {"id": "vol-0123456789abcdef0"}},
}

SECRET = "arn:aws:secretsmanager:{region}:{account}:secret:slurm-Ab12Cd"


@dataclass(frozen=True)
class _Around:
    """What queues are drawn into."""

    region: str
    zones: list[str]
    os: str
    names: Iterator[int]
    """Numbers for ids that are made up."""

    @property
    def number(self) -> int:
        """The next one."""
        return next(self.names)


@st.composite
def legal_slurm(draw: st.DrawFn, *, facts: bool | None = None) -> Described:
    """A legal description, with facts or not; None leaves that to chance."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    created = draw(st.booleans())
    count = draw(st.integers(1, min(4, MAX_ZONES)))
    os, image = _os(draw)
    named = os.get("os", "alinux2023")
    around = _Around(region, [f"{region}{letter}" for letter in "abcd"[:count]], named, iter(range(1, 1000)))
    queues = {QUEUE: _queue(draw, around, [WORKERS, *_more(draw, "near")])}
    for index in range(draw(st.integers(0, 2))):
        name = f"queue-{index}"
        queues[name] = _queue(draw, around, [f"{name}-0", *_more(draw, f"{name}-more")])
    if {each["instance"] for queue in queues.values() for each in queue["groups"].values()} & set(BEFORE_TURING):
        image = {"image": made_up("ami", 1)}
    network = _network(draw, around, created=created)
    unzoned = (each for each in queues.values() if "zones" not in each)
    name_subnets(draw, network, ((each, zone_of(each, around.zones)) for each in unzoned))
    document: dict[str, Any] = {
        "backend": "parallelcluster",
        "version": PARALLELCLUSTER,
        **os,
        **image,
        "network": network,
        "head": _head(draw, around, network),
        "queues": queues,
        **_settings(draw, region, named),
    }
    if len(queues) > 1:
        document["slurm"] = {**document.get("slurm", {}), "default-queue": draw(st.sampled_from(sorted(queues)))}
    vpc = network.get("existing", {}).get("vpc")
    document["storage"] = file_systems.storages(draw, training_zones(queues, around.zones), vpc)
    document["storage"] |= file_systems.efs(draw, vpc)
    document["storage"] |= draw(st.sampled_from([{}, VOLUMES]))
    if pools := _login_nodes(draw, around, network, document["head"]):
        document["login-nodes"] = pools
    roles = ["provider", "lambda-functions", *([] if document.get("s3") else ["head", "nodes", "login"])]
    document |= iam(draw, *roles, path="/parallelcluster/ml/", policies=False)
    if "head" not in document.get("iam", {}).get("roles", ()):
        document["head"]["policies"] = draw(st.lists(st.sampled_from(POLICIES), unique=True))
    known = draw(st.booleans()) if facts is None else facts
    return Described(document, region, observed(document, region) if known else {})


def groups_of(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """All groups by name."""
    return {name: group for queue in document["queues"].values() for name, group in queue["groups"].items()}


def zone_of(queue: Mapping[str, Any], zones: list[str]) -> str:
    """The zone of a queue: said, its capacity's, or the first."""
    held = next((each for each in map(held_by, queue["groups"].values()) if each), None)
    return str(queue.get("zones", [None])[0] or (held and held["zone"]) or zones[0])


def _more(draw: st.DrawFn, name: str) -> list[str]:
    return [name] if draw(st.booleans()) else []


def _os(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """The operating system, and an image of one's own where ParallelCluster has none or somebody wants one."""
    os = draw(st.sampled_from([*OF_PARALLELCLUSTER, *OF_ONES_OWN]))
    own = os in OF_ONES_OWN or draw(st.booleans())
    said = {} if os == "alinux2023" and draw(st.booleans()) else {"os": os}
    return said, {"image": made_up("ami", 1)} if own else {}


def _network(draw: st.DrawFn, around: _Around, *, created: bool) -> dict[str, Any]:
    """A network with room for everybody."""
    zone_ids: dict[str, Any] = {}
    if draw(st.booleans()):
        ids = [f"{REGIONS[around.region]}-az{number}" for number in range(1, 5)]
        zone_ids = {"zone-ids": dict(zip(around.zones, draw(st.permutations(ids)), strict=False))}
    if created:
        base = draw(st.sampled_from(["10.0.0.0", "10.42.0.0", "192.168.0.0"]))
        return {"create": {"zones": around.zones, "cidr": f"{base}/16", **zone_ids}}
    private = {zone: made_up("subnet", number) for number, zone in enumerate(around.zones)}
    public = {zone: made_up("subnet", 100 + number) for number, zone in enumerate(around.zones)}
    public_too = {"public": public} if draw(st.booleans()) else {}
    return {"existing": {"vpc": made_up("vpc", 0), "private": private, **public_too, **zone_ids}}


def _head(draw: st.DrawFn, around: _Around, network: Mapping[str, Any]) -> dict[str, Any]:
    """The head node."""
    made: dict[str, Any] = {}
    if draw(st.booleans()):
        made["instance"] = draw(st.sampled_from(HEADS))
    if draw(st.booleans()):
        made["zone"] = draw(st.sampled_from(around.zones))
    if ("create" in network or "public" in network["existing"]) and draw(st.booleans()):
        made["subnets"] = "public"
    if draw(st.booleans()):
        apps = draw(st.sampled_from(["6GiB", "16TiB", FAST]))
        made |= {"root": draw(st.sampled_from(["100GiB", FAST])), "apps": apps}
    if draw(st.booleans()):
        made["update-scripts"] = [{"at": "s3://ml-updates/updated.sh", "arguments": ["--quick"]}]
    login = draw(st.sampled_from([None, "ssm", {"key-pair": "ml-admins"}, {"public-key": ED25519}]))
    if login is not None:
        made["login"] = login
    if isinstance(login, dict):
        made["ssh-from"] = draw(st.sampled_from(["198.51.100.0/24", "8.8.8.0/24"]))
    if draw(st.booleans()):
        made["security-groups"] = [made_up("sg", 7)]
    return made


LOGIN_SCRIPTS = {"scripts": [{"at": "https://example.com/log-in.sh", "arguments": ["--quick"]}]}
"""Login nodes can read no scripts in S3."""


def _login_nodes(
    draw: st.DrawFn, around: _Around, network: Mapping[str, Any], head: Mapping[str, Any]
) -> dict[str, Any]:
    """Up to two pools of login nodes."""
    pools: dict[str, Any] = {}
    for name in draw(st.sampled_from([(), ("login",), ("login", "notebooks")])):
        made: dict[str, Any] = {"instance": draw(st.sampled_from(HEADS))}
        if draw(st.booleans()):
            made["nodes"] = draw(st.integers(0, 3))
        if draw(st.booleans()):
            made["zone"] = draw(st.sampled_from(around.zones))
        if ("create" in network or "public" in network["existing"]) and draw(st.booleans()):
            made["subnets"] = "public"
        if isinstance(head.get("login"), dict):
            made["ssh-from"] = draw(st.sampled_from(["198.51.100.0/24", "8.8.8.0/24"]))
        if draw(st.booleans()):
            made["grace-minutes"] = draw(st.sampled_from([3, 10, 120]))
        if draw(st.booleans()):
            made["security-groups"] = [made_up("sg", 9)]
        if draw(st.booleans()):
            made["post-install"] = {**LOGIN_SCRIPTS, "timeout-minutes": draw(st.sampled_from([35, 60]))}
        pools[name] = made
    return pools


def _queue(draw: st.DrawFn, around: _Around, names: list[str]) -> dict[str, Any]:
    """A queue in one zone, whose groups are of one kind of capacity."""
    kind = draw(st.sampled_from(list(Kind)))
    zone = draw(st.sampled_from(around.zones))
    made: dict[str, Any] = {"groups": {name: _group(draw, around, kind, zone) for name in names}}
    if kind in NOT_HELD or draw(st.booleans()):
        made["zones"] = [zone]
    if kind is not Kind.CAPACITY_BLOCK and draw(st.booleans()):
        made["allocation"] = "price-capacity-optimized" if kind is Kind.SPOT else "prioritized"
    if draw(st.booleans()):
        made["exclusive"] = draw(st.booleans())
    if draw(st.booleans()):
        made["root"] = draw(st.sampled_from(["100GiB", "16TiB", FAST]))
    if draw(st.booleans()):
        made["security-groups"] = [made_up("sg", 8)]
    if draw(st.booleans()):
        made["post-install"] = draw(_post_install(around.os, "docker"))  # Pyxis is switched on by the head node
    return made


def _group(draw: st.DrawFn, around: _Around, kind: Kind, zone: str) -> dict[str, Any]:
    """A compute resource."""
    types = [
        each
        for each in USABLE
        if kind is not Kind.CAPACITY_BLOCK or (each in IN_BLOCKS and may_sell_blocks(each, around.region))
    ]
    if kind is Kind.SPOT:
        types = [each for each in types if hardware(each).spot]
    assume(types)
    group: dict[str, Any] = {
        "for": draw(st.sampled_from(["training", "inference"])),
        "instance": draw(st.sampled_from(types)),
        "nodes": _nodes(draw, kind),
    }
    machine = hardware(group["instance"])
    said = draw(st.sampled_from([None, bool(machine.max_efa), False]))
    if said is not None:
        group["efa"] = said
    if kind in NOT_HELD and (others := [each for each in types if each != group["instance"] and _alike(machine, each)]):
        group |= draw(st.sampled_from([{}, {"alternatives": others[:2]}]))
    group |= _capacity(draw, around, kind, group, zone)
    if draw(st.booleans()):
        group["threads-per-core"] = draw(st.integers(1, min(2, machine.threads_per_core)))
    if draw(st.booleans()):
        group["memory"] = f"{draw(st.sampled_from([1024, machine.memory_mib // 2, machine.memory_mib]))}MiB"
    return group


def _alike(machine: Hardware, other: str) -> bool:
    """Whether ParallelCluster takes two types in one compute resource, and EFA for both."""
    numbers = attrgetter("vcpus", "threads_per_core", "accelerator", "accelerators", "max_efa", "memory_mib")
    return bool(numbers(machine) == numbers(hardware(other)))


def _nodes(draw: st.DrawFn, kind: Kind) -> Any:
    """A number, or two in order; of a Capacity Block always the same."""
    most = draw(st.integers(1, MOST_NODES))
    if kind is Kind.CAPACITY_BLOCK or draw(st.booleans()):
        return draw(st.sampled_from([most, {"min": most, "max": most}]))
    return {"min": draw(st.integers(0, most - 1)), "max": most}


def _capacity(draw: st.DrawFn, around: _Around, kind: Kind, group: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """The group's `capacity`, or nothing where it says nothing."""
    if kind in NOT_HELD:
        return not_held(draw, kind, group)
    number = around.number
    holds = {"zone": zone, "count": most_of(group) + draw(st.integers(0, 3))}
    if kind is Kind.CAPACITY_BLOCK:
        return {"capacity": {kind: {**holds, **_block(draw, number)}}}
    by = draw(st.sampled_from(["aws", "you"]))
    holds["provided-by"] = by
    if by == "you" and draw(st.booleans()):
        holds["placement-group"] = draw(st.sampled_from(["pg-made-before", "none"]))
    if kind is Kind.RESERVATION:
        return {"capacity": {kind: {"id": made_up("cr", number), **holds}}}
    there = {"arn": f"arn:aws:resource-groups:{around.region}:{ACCOUNT}:group/reserved-{number}"}
    of = f"arn:aws:ec2:{around.region}:{ACCOUNT}:capacity-reservation/{made_up('cr', 1000 + number)}"
    return {"capacity": {kind: {**draw(st.sampled_from([there, {"create": [of]}])), **holds}}}


def _block(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A Capacity Block that exists, or one to buy."""
    begun = draw(st.booleans())
    days = draw(st.sampled_from([1, 14, 21, 182]))
    ago = draw(st.integers(0, days - 1)) if begun else -draw(st.integers(1, 56))
    starts = AS_OF - timedelta(days=ago)
    buys = not begun and draw(st.booleans())
    return {
        **({"buy": bought(number)} if buys else {"id": made_up("cr", number)}),
        "starts": starts.isoformat(),
        "ends": (starts + timedelta(days=days)).isoformat(),
    }


WITH_DOCKER = ("alinux2023", "ubuntu2204", "ubuntu2404")
"""Operating systems that AWS's own scripts install Docker on."""


def _post_install(os: str, *software: str) -> st.SearchStrategy[dict[str, Any]]:
    """Software that AWS's scripts install, scripts of one's own, or both."""
    installed = {"install": list(software)}
    own = {
        "scripts": [
            {"at": "s3://ml-scripts/nodes/set-up.sh", "arguments": ["--quick", "4"]},
            {"at": "https://example.com/set-up.sh"},
            {"at": "s3://ml-scripts/nodes/start.sh", "at-start": True},
        ]
    }
    by_aws = [installed, {**installed, **own, "timeout-minutes": 45}, {"install": ["docker"]}]
    return st.sampled_from([own, *(by_aws if os in WITH_DOCKER else ())])


def _settings(draw: st.DrawFn, region: str, os: str) -> dict[str, Any]:
    """What the whole cluster has."""
    made = _accounting(draw, region)
    if draw(st.booleans()):
        made["post-install"] = draw(_post_install(os, "docker", "pyxis"))
    if draw(st.booleans()):
        made["slurm"] = {
            "idle-minutes": draw(st.sampled_from([-1, 10, 60])),
            "on-update": draw(st.sampled_from(["drain", "terminate"])),
            "memory-scheduling": draw(st.booleans()),
            "scaling": draw(st.sampled_from(["all-or-nothing", "greedy-all-or-nothing", "best-effort"])),
            "settings": draw(st.sampled_from([{}, {"JobCompType": "jobcomp/filetxt", "MaxJobCount": 20000}])),
        }
    if draw(st.booleans()):
        made["s3"] = {"s3://ml-datasets": "read", "s3://ml-checkpoints/team-a": "write"}
    if draw(st.booleans()):
        made["s3-bucket"] = "ml-parallelcluster"
    if draw(st.booleans()):
        made["logs"] = {"retention-days": draw(st.sampled_from([1, 180, 3653])), "on-destroy": "delete"}
    if draw(st.booleans()):
        made["monitoring"] = {"detailed": draw(st.booleans()), "dashboard": draw(st.booleans())}
    if draw(st.booleans()):
        made["registry"] = {}
    if draw(st.booleans()):
        made |= {"on-failure": "keep", "on-destroy": draw(st.sampled_from(["keep", "delete"]))}
    if draw(st.booleans()):
        made["tags"] = {"cost-center": "research", "équipe": "entraînement 1"}
    return made


def _accounting(draw: st.DrawFn, region: str) -> dict[str, Any]:
    """A name, and a database for accounting; a name is shorter beside one."""
    made: dict[str, Any] = {}
    if draw(st.booleans()):
        made["name"] = draw(st.from_regex(r"[a-z][a-z0-9-]{0,37}[a-z0-9]", fullmatch=True))
    if draw(st.booleans()):
        made["accounting"] = {
            "server": draw(st.sampled_from(["slurm.example.com", "slurm.example.com:3307"])),
            "user": "slurm",
            "password-secret": SECRET.format(region=region, account=ACCOUNT),
            **({"database": "slurm_acct"} if draw(st.booleans()) else {}),
        }
    return made


def training_zones(queues: Mapping[str, Any], zones: list[str]) -> set[str]:
    """The zones that a file system may be in: those of the queues that train, all where nobody does."""
    training = [
        zone_of(queue, zones)
        for queue in queues.values()
        if any(group["for"] == Purpose.TRAINING for group in queue["groups"].values())
    ]
    return set(training) or set(zones)


def observed(document: Mapping[str, Any], region: str) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    (network,) = document["network"].values()
    zones = list(network.get("zones") or network["private"])
    groups = groups_of(document)
    rhel = document.get("os") in RHEL
    nodes = [document.get("head", {}), *document["queues"].values(), *document.get("login-nodes", {}).values()]
    carried = {id_ for each in nodes for id_ in each.get("security-groups", ())}
    ids = [f"{REGIONS[region]}-az{number}" for number in range(1, 5)]
    return {
        "subnets": subnets_of(network),
        "securityGroups": open_groups(network, carried),
        "reservations": {id_: said for group in groups.values() for id_, said in _reservations(group, rhel=rhel)},
        "reservationGroups": {
            held["arn"]: {
                "configurations": [POOL, GENERIC],
                "reservations": [id_ for id_, _ in _reservations(group, rhel=rhel)],
            }
            for group in groups.values()
            if (held := held_by(group)) and "arn" in held
        },
        "fileSystems": file_systems.file_system_facts(
            document.get("storage", {}), network.get("vpc"), training_zones(document["queues"], zones)
        ),
        "zones": network.get("zone-ids") or dict(zip(zones, ids, strict=False)),
        "images": _images(document),
        "keyPairs": {"ml-admins": {"exists": True}},
        "quotas": {**QUOTAS},
    }


def _images(document: Mapping[str, Any]) -> dict[str, Any]:
    """What AWS says of an image of one's own, built as it should be."""
    built = {"parallelclusterVersion": PARALLELCLUSTER, "os": document.get("os", "alinux2023")}
    return {document["image"]: built} if "image" in document else {}


def _reservations(group: Mapping[str, Any], *, rhel: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """What AWS says of the reservations that a group is on; of a block that is still to be bought, nothing."""
    kind, held = kind_of(group), held_by(group)
    if held is None or "buy" in held:
        return
    waits = kind is Kind.CAPACITY_BLOCK and held["starts"] > AS_OF.isoformat()
    said = reservation_of(group, waits=waits, platform="Red Hat Enterprise Linux" if rhel else "Linux/UNIX")
    if "arn" in held:
        yield f"cr-{held['arn'].rpartition('-')[2]:0>17}", said
    elif "create" in held:
        (arn,) = held["create"]
        yield arn.rpartition("/")[2], said
    else:
        yield held["id"], said
