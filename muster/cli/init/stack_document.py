"""The text of a new stack's file, for each backend, and the number of addresses that it needs."""

from dataclasses import replace
from datetime import date

from muster.addons.catalogue.nvidia_dra_driver import ONLY_COMPUTE_DOMAINS
from muster.addresses import schema_address
from muster.blueprint.derive.cluster import derive
from muster.blueprint.node import Node, SlurmNode
from muster.cli.init.additions import (
    SECOND_NODES,
    addon_entries,
    default_queue_entries,
    second_queue_entries,
    storage_entries,
)
from muster.cli.init.choices import (
    DOCUMENTATION_NETWORK,
    AnyNetwork,
    Backend,
    CapacityKind,
    CapacitySource,
    Choices,
    ExistingNetwork,
    NewNetwork,
    ReservedCapacity,
)
from muster.cli.init.yaml_entries import Entries, Entry, Flow, comment_lines, plain_values, yaml_lines
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.pcs_nodes import ClusterSize
from muster.config.description.root import Description, model_of
from muster.config.identifiers import PLACEHOLDER
from muster.config.validation import validate
from muster.finding import Finding
from muster.hardware.catalogue import Accelerator, Incomplete, hardware
from muster.hardware.default_types import (
    EKS_SYSTEM_NODES,
    HYPERPOD_CONTROLLER,
    HYPERPOD_SYSTEM_NODES,
    PCS_LOGIN_NODES,
    PCS_LOGIN_NODES_ARM,
)
from muster.hardware.interfaces import InterfaceType
from muster.hardware.ultraservers import EKS_DRAINS_MINUTES_BEFORE, ends_minutes_before, has_nvlink, ultraservers_of
from muster.hardware.zones import LOCAL_ZONE, REGIONS_WITH_REFUSED_ZONES
from muster.message_text import count_noun
from muster.versions import ADDONS, EKS_ADDONS, EKS_CALENDAR, HYPERPOD_KUBERNETES, PARALLELCLUSTER, PCS_SLURM


def kubernetes_version(as_of: date) -> tuple[str, str]:
    """The Kubernetes version, and the reason.

    It is the newest version that all of Muster's add-ons and HyperPod support, so that a later add-on needs no other
    version. If standard support of all these versions has ended, it is the newest with pinned EKS add-ons.
    """
    ranges = [HYPERPOD_KUBERNETES, *(pin.kubernetes for pin in ADDONS.values())]
    standing = [each for each in EKS_ADDONS if as_of <= EKS_CALENDAR[each].standard_ends]
    fitting = [each for each in standing if all(_within(each, *between) for between in ranges)]
    version = max(fitting or standing or EKS_ADDONS, key=_number)
    why = f"in standard support until {EKS_CALENDAR[version].standard_ends}"
    return version, f"{why}; the newest version that every add-on supports" if version in fitting else why


def _within(version: str, first: str, last: str | None) -> bool:
    return _number(first) <= _number(version) and (last is None or _number(version) <= _number(last))


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def worker_entries(choices: Choices) -> Entries:
    """Purpose, type, number and capacity."""
    reserved = choices.reserved
    first = (
        Entry("for", "training"),
        Entry("instance", reserved.instance, why_instance(reserved)),
        Entry("nodes", choices.nodes, choices.why_nodes),
    )
    if reserved.kind is not CapacityKind.ON_DEMAND:
        return (*first, Entry("capacity", (Entry(reserved.kind.value, capacity_entries(reserved)),)))
    zone = Entry("zone", reserved.zone, _why_zone(reserved))
    of_queue = choices.backend is Backend.PARALLELCLUSTER
    return (*first, *(() if of_queue else (zone,)), Entry("capacity", "on-demand"))


def _why_zone(reserved: ReservedCapacity) -> str:
    """The reason for the zone of on-demand instances: EFA does not leave a zone."""
    how = f"a zone that offers {reserved.instance}" if reserved.source is CapacitySource.AWS else reserved.why("--zone")
    return f"{how}; EFA traffic does not leave a zone" if hardware(reserved.instance).max_efa else how


def why_instance(reserved: ReservedCapacity) -> str:
    """The reason for the workers' type."""
    if reserved.source is CapacitySource.NOBODY or reserved.kind is CapacityKind.ON_DEMAND:
        return reserved.why("--instance") if "--instance" in reserved.typed else "assumed: Muster did not query AWS"
    return f"the type of {reserved.name}" if reserved.source is CapacitySource.AWS else reserved.source.value


def capacity_entries(reserved: ReservedCapacity) -> Entries:
    """The description of a reservation, a Capacity Block or a training plan."""
    shared = f", shared by account {reserved.owner}" if reserved.owner else ""
    if reserved.source is not CapacitySource.AWS:
        why = f"{reserved.why('--zone')}: the workers' subnet must also be in this zone"
    else:
        why = f"{reserved.name} is in {reserved.place}{shared}, so the workers' subnet must also be in this zone"
    count = "" if reserved.source is CapacitySource.AWS else f"{reserved.why('--nodes')}: "
    common = (
        Entry("arn" if reserved.kind is CapacityKind.TRAINING_PLAN else "id", reserved.id),
        Entry("zone", reserved.zone, why),
        Entry("count", reserved.count, f"{count}all instances that it holds"),
    )
    return (*common, *_OF_KIND[reserved.kind](reserved))


def _reservation(reserved: ReservedCapacity) -> Entries:
    if reserved.source is not CapacitySource.AWS:
        return (Entry("provided-by", "aws", "aws or you; with you, also set placement-group"),)
    you = Entry("provided-by", "you")
    if reserved.placement_group:
        return you, Entry("placement-group", reserved.placement_group, f"the placement group of {reserved.name}")
    why = f"AWS reports no placement group of {reserved.name}; a reservation that AWS sets up for you also has none"
    return you, Entry("placement-group", NO_PLACEMENT_GROUP, why)


def _block(reserved: ReservedCapacity) -> Entries:
    assert reserved.starts is not None, "a Capacity Block has a start date"
    assert reserved.ends is not None, "a Capacity Block has an end date"
    assumed = {CapacitySource.NOBODY: "assumed: set the real date", CapacitySource.YOU: reserved.source.value}.get(
        reserved.source, ""
    )
    begun = (
        "it has started"
        if reserved.begun
        else ("after it starts, set it to true and run `pulumi up`; no nodes until then")
    )
    return (
        Entry("starts", reserved.starts.isoformat(), assumed),
        Entry("ends", reserved.ends.isoformat(), assumed or "at 11:30 UTC; EKS removes the nodes before"),
        Entry("active", reserved.begun, begun),
    )


def _plan(reserved: ReservedCapacity) -> Entries:
    """The largest UltraServer type of which the plan holds whole ones."""
    types = [each for each in ultraservers_of(reserved.instance) if each.whole(reserved.count)]
    if not types:
        return ()
    return (Entry("ultraserver", types[-1].name, f"assumed: it has {types[-1].instances} instances"),)


_OF_KIND = {
    CapacityKind.RESERVATION: _reservation,
    CapacityKind.CAPACITY_BLOCK: _block,
    CapacityKind.TRAINING_PLAN: _plan,
}


FOR_SLURM = "for a head node or login nodes with `subnets: public`"
_FOR_PODS = "for internet-facing load balancers"


def network_entry(network: AnyNetwork, region: str, why_public: str = _FOR_PODS) -> Entry:
    """An existing VPC, or a new one.

    Args:
        network: the network.
        region: its Region.
        why_public: the purpose of the public subnets of an existing VPC.
    """
    if isinstance(network, ExistingNetwork):
        return Entry("network", (Entry("existing", (*_existing(network, why_public), *_zone_ids(network, region))),))
    return Entry("network", (Entry("create", (*_created(network), *_zone_ids(network, region))),), network.why)


def _existing(network: ExistingNetwork, why_public: str) -> Entries:
    subnets = tuple(Entry(zone, subnet, network.why_subnets.get(zone, "")) for zone, subnet in network.private.items())
    public = tuple(Entry(zone, subnet) for zone, subnet in network.public.items())
    of_public = (Entry("public", public, why_public),) if public else ()
    return Entry("vpc", network.vpc, network.why), Entry("private", subnets), *of_public


def _created(network: NewNetwork) -> Entries:
    return (
        Entry("cidr", network.cidr, network.why_cidr),
        Entry("zones", Flow(list(network.zones)), network.why_zones),
    )


def _zone_ids(network: AnyNetwork, region: str) -> Entries:
    """The zone ids, in Regions where EKS does not support control planes in one zone, which has only an id."""
    known = {each: network.zone_ids[each] for each in network.zones if each in network.zone_ids}
    if region not in REGIONS_WITH_REFUSED_ZONES or not known:
        return ()
    return (Entry("zone-ids", Flow(known), "EKS does not support control planes in one zone of this Region"),)


SYSTEM_INSTANCE = {Backend.EKS: EKS_SYSTEM_NODES, Backend.HYPERPOD: HYPERPOD_SYSTEM_NODES}

_NOTHING = Flow({})
_CHARTS = "oci://registry.example.com/charts"
"""A documentation domain (RFC 2606): AWS publishes no package of HyperPod's chart."""


def kubernetes_entries(choices: Choices) -> Entries:
    """The keys of `muster:cluster`."""
    version, why = kubernetes_version(choices.as_of)
    return (
        Entry("backend", choices.backend.value),
        Entry("kubernetes", version, why),
        Entry("control-plane", "create", "the identity that deploys it is its administrator; add others below access"),
        _api(choices),
        network_entry(choices.network, choices.region),
        Entry("groups", (_system(choices), Entry("workers", _kubernetes_workers(choices)))),
        *storage_entries(choices),
        Entry("addons", (*(addons := _addons(choices)), *addon_entries(choices, addons))),
    )


def _kubernetes_workers(choices: Choices) -> Entries:
    """The entries of the workers. EKS ends a managed group too late for some UltraServers."""
    purpose, *rest = worker_entries(choices)
    minutes = ends_minutes_before(choices.reserved.instance) or 0
    block = choices.reserved.kind is CapacityKind.CAPACITY_BLOCK
    why = (
        f"its instances must end {minutes} minutes before the block; EKS scales a managed group down "
        f"{EKS_DRAINS_MINUTES_BEFORE} minutes before"
    )
    own = (Entry("self-managed", value=True, why=why),) if block and minutes > EKS_DRAINS_MINUTES_BEFORE else ()
    return (purpose, *own, *rest, *_disks(choices))


def _api(choices: Choices) -> Entry:
    why = "" if choices.api_from else "set the network that you deploy from; nodes use the private endpoint"
    return Entry("api", Flow({"public": list(choices.api_from or (DOCUMENTATION_NETWORK,))}), why)


def _system(choices: Choices) -> Entry:
    of_hyperpod = choices.backend is Backend.HYPERPOD
    return Entry(
        "system",
        (
            Entry("for", "system"),
            Entry("instance", SYSTEM_INSTANCE[choices.backend]),
            Entry("nodes", 2, "each runs at most 14 pods") if of_hyperpod else Entry("nodes", 1),
            *_system_zone(choices),
            *((Entry("hyperpod", Flow({"threads-per-core": 2, "volume": {"size": "100GiB"}})),) if of_hyperpod else ()),
        ),
        "CoreDNS, operators, job launchers",
    )


def _system_zone(choices: Choices) -> Entries:
    if not choices.system_zone:
        return ()
    local = LOCAL_ZONE.fullmatch(choices.reserved.zone)
    why = "a zone of the Region" if local else f"the other zone does not offer {SYSTEM_INSTANCE[choices.backend]}"
    return (Entry("zone", choices.system_zone, why),)


def _disks(choices: Choices) -> Entries:
    machine = hardware(choices.reserved.instance)
    if choices.backend is Backend.HYPERPOD or not machine.nvme_gb:
        return ()
    return (
        Entry("local-storage", "raid0", (f"its NVMe disks ({machine.nvme_disks} GB) store images and files of pods")),
    )


_LABELS_EVERY_NODE = {"enabled": True, "worker": {"tolerations": [{"operator": "Exists"}]}}


def _addons(choices: Choices) -> Entries:
    machine = hardware(choices.reserved.instance)
    chosen = []
    if choices.backend is Backend.HYPERPOD:
        repository = Flow({"repository": _CHARTS})
        chosen.append(
            Entry(
                "hyperpod", repository, ("set the repository of your package of HyperPod's chart; AWS publishes none")
            )
        )
    nvlink = has_nvlink(machine.instance)
    if machine.accelerator is Accelerator.GPU:
        labels = Flow({"gfd": {"enabled": True}, "nfd": _LABELS_EVERY_NODE})
        values: Flow | Entries = (Entry("values", labels),) if nvlink else _NOTHING
        chosen.append(Entry("nvidia-device-plugin", values, f"{machine.accelerators} GPUs on each node"))
    if nvlink:
        only = Flow({"values": ONLY_COMPUTE_DOMAINS})
        chosen.append(Entry("nvidia-dra-driver", only, "for ComputeDomains: GPUs stay with the device plugin"))
    if machine.accelerator is Accelerator.NEURON:
        why = f"{machine.accelerators} Neuron devices on each node"
        chosen.append(Entry("neuron-device-plugin", _NOTHING, why))
    if machine.max_efa:
        chosen.append(Entry("efa-device-plugin", _NOTHING, f"{machine.enough_efa} EFA interfaces on each node"))
    if machine.accelerator is Accelerator.NEURON:
        chosen.append(Entry("volcano", _NOTHING, "starts all pods of a job or none; TorchX needs it"))
    else:
        example = "" if machine.architecture == "arm64" else ", such as `muster job nccl-tests`"
        chosen.append(Entry("mpi-operator", _NOTHING, f"runs MPIJobs{example}"))
    return tuple(chosen)


def slurm_entries(choices: Choices) -> Entries:
    """The keys of `muster:cluster`."""
    return (
        Entry("backend", choices.backend.value),
        Entry("version", PARALLELCLUSTER, "permanent: another version needs a new cluster"),
        *_software(choices),
        network_entry(choices.network, choices.region, FOR_SLURM),
        Entry("head", (Entry("login", "ssm", "sessions of AWS Systems Manager, without an open port or a key"),)),
        Entry("queues", (Entry("compute", _queue(choices)), *second_queue_entries(choices))),
        *((Entry("slurm", default),) if (default := default_queue_entries(choices, "compute")) else ()),
        *storage_entries(choices),
    )


def pcs_entries(choices: Choices) -> Entries:
    """The keys of `muster:cluster`."""
    of_arm = hardware(choices.reserved.instance).architecture == "arm64"
    login = PCS_LOGIN_NODES_ARM if of_arm else PCS_LOGIN_NODES
    return (
        Entry("backend", choices.backend.value),
        _size(choices),
        Entry("slurm", (Entry("version", PCS_SLURM[-1]), *default_queue_entries(choices, "compute"))),
        Entry("image", f"ami-{PLACEHOLDER}", f"set your image, with the PCS agent and Slurm {PCS_SLURM[-1]}"),
        network_entry(choices.network, choices.region, FOR_SLURM),
        Entry("login-nodes", (Entry("login", (Entry("instance", login),)),), "sessions of Systems Manager"),
        Entry(
            "queues",
            (
                Entry("compute", (Entry("groups", (Entry("workers", _workers(choices)),)),)),
                *second_queue_entries(choices),
            ),
        ),
        *storage_entries(choices),
    )


def hyperpod_slurm_entries(choices: Choices) -> Entries:
    """The keys of `muster:cluster`."""
    network = choices.network
    if isinstance(network, ExistingNetwork):
        network = replace(network, public={})  # all nodes of HyperPod are in private subnets
    purpose, *rest = worker_entries(choices)
    partition = Entry("partition", "training", "all nodes are also in partition dev, the default")
    return (
        Entry("backend", choices.backend.value),
        network_entry(network, choices.region),
        Entry("controller", (Entry("instance", HYPERPOD_CONTROLLER),), "runs Slurm's controller"),
        Entry("login", (Entry("instance", HYPERPOD_CONTROLLER), Entry("nodes", 1)), "sessions of Systems Manager"),
        Entry("groups", (Entry("workers", (purpose, partition, *rest)),)),
        *storage_entries(choices),
    )


def _size(choices: Choices) -> Entry:
    """The smallest size for all nodes; the largest for more, which the description refuses."""
    nodes = choices.nodes + 1 + (SECOND_NODES if choices.additions.second else 0)
    size = next((each for each in ClusterSize if each.nodes >= nodes), ClusterSize.LARGE)
    return Entry("size", size.value, f"permanent: at most {size.nodes} nodes and {size.jobs} jobs")


def _queue(choices: Choices) -> Entries:
    """The queue of the workers. It states its zone where their capacity does not."""
    groups = Entry("groups", (Entry("workers", _workers(choices)),))
    if choices.reserved.kind is not CapacityKind.ON_DEMAND:
        return (groups,)
    return Entry("zones", Flow([choices.reserved.zone]), _why_zone(choices.reserved)), groups


def _workers(choices: Choices) -> Entries:
    """The entries of the workers without `active`: Slurm starts no nodes before a block begins."""
    return tuple(_without_active(each) for each in worker_entries(choices))


def _without_active(entry: Entry) -> Entry:
    if not isinstance(entry.value, tuple):
        return entry
    return Entry(entry.key, tuple(_without_active(each) for each in entry.value if each.key != "active"), entry.why)


def _software(choices: Choices) -> Entries:
    """ParallelCluster's images have NVIDIA's driver, but not Neuron's."""
    if hardware(choices.reserved.instance).accelerator is not Accelerator.NEURON:
        return (Entry("os", "alinux2023"),)
    how = f"set your image with Neuron's driver, which ParallelCluster's lack: `muster pcluster image {choices.stack}`"
    return Entry("os", "ubuntu2404", "the operating system of the image"), Entry("image", f"ami-{PLACEHOLDER}", how)


_SCHEMA = f"# yaml-language-server: $schema={schema_address('stack')}"

_ON = {
    Backend.EKS: "on EKS",
    Backend.HYPERPOD: "on HyperPod",
    Backend.HYPERPOD_SLURM: "with Slurm on HyperPod",
    Backend.PARALLELCLUSTER: "with Slurm on ParallelCluster",
    Backend.PCS: "with Slurm on AWS PCS",
}


def stack_entries(choices: Choices) -> Entries:
    """The whole file."""
    of_slurm = {
        Backend.HYPERPOD_SLURM: hyperpod_slurm_entries,
        Backend.PARALLELCLUSTER: slurm_entries,
        Backend.PCS: pcs_entries,
    }
    cluster = of_slurm.get(choices.backend, kubernetes_entries)(choices)
    return (
        Entry("config", (Entry("aws:region", choices.region, choices.why_region), Entry("muster:cluster", cluster))),
    )


def stack_text(choices: Choices) -> str:
    """The text of the file."""
    reserved = choices.reserved
    head = (
        f"{count_noun(choices.nodes, reserved.instance, reserved.instance)} {_from(reserved)}, "
        f"{_ON[choices.backend]}. Written by `muster init`; {_origin(choices)}"
    )
    return "\n".join([_SCHEMA, *comment_lines(head), *yaml_lines(stack_entries(choices))]) + "\n"


def _from(reserved: ReservedCapacity) -> str:
    return "on demand" if reserved.kind is CapacityKind.ON_DEMAND else f"on a {reserved.kind.words}"


def _origin(choices: Choices) -> str:
    account = f" account {choices.account}" if choices.account else ""
    of_aws = choices.reserved.kind is CapacityKind.ON_DEMAND and choices.account
    if choices.reserved.source is CapacitySource.AWS or of_aws:
        return f"values from AWS{account} on {choices.as_of}."
    if choices.reserved.source is CapacitySource.YOU:
        return (
            f"values entered by you on {choices.as_of}, because AWS did not return them{account and f' for{account}'}."
        )
    return "Muster did not query AWS."


CONTROL_PLANE_ADDRESSES = 16
"""Addresses that EKS recommends in each subnet of a control plane (EKS user guide, "network requirements"). Without a
control plane, they are for the head node and file systems."""


def describe(choices: Choices) -> tuple[Description | None, list[Finding]]:
    """The description of the choices, or all schema errors, such as a type that no group can have."""
    data = plain_values(stack_entries(choices))["config"]["muster:cluster"]
    made, faults = validate(model_of(data), data)
    return made, [finding for _, finding in faults]


def address_count(choices: Choices) -> int:
    """The addresses of all nodes with all of their pods, and of the control plane, as if all were in one subnet. If no
    source gives a type's numbers, it counts one for each interface that certainly has an address.

    Raises:
        ValueError: the choices do not make a valid description.
    """
    made, faults = describe(choices)
    if made is None or isinstance(made, AddonsOf):
        raise ValueError("; ".join(each.got for each in faults))
    blueprint = derive(made, choices.stack, choices.region)
    return CONTROL_PLANE_ADDRESSES + sum(_most(each.node) * each.described.nodes.max for each in blueprint.groups)


def _most(node: Node | SlurmNode) -> int:
    try:
        return node.addresses.most
    except Incomplete:
        return sum(slot.type is not InterfaceType.EFA_ONLY for slot in node.slots)
