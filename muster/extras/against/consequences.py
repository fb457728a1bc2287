"""Texts on the consequences of changed resources for nodes, data and costs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.blueprint.kubernetes import Blueprint, minor_version
from muster.config.change_costs import cost_rank
from muster.config.description.base import Change
from muster.config.description.capacity import CapacityBlock, Reservation, ReservationGroup, TrainingPlan
from muster.extras.against.resource_changes import Operation, ResourceChange
from muster.fleet.resources.ref import COMPUTE_QUOTA, EC2_NODE_CLASS, NODE_CLASS, NODE_POOL

NODE_GROUP, OWN_GROUP = "aws:eks/nodeGroup:NodeGroup", "aws:autoscaling/group:Group"
CLUSTER, HYPERPOD, SLURM = "aws:eks/cluster:Cluster", "aws-native:sagemaker:Cluster", "aws:cloudformation/stack:Stack"
PCS, PCS_GROUP = "aws-native:index:ExtensionResource", "aws-native:pcs:ComputeNodeGroup"
BLOCK = "aws:ec2/capacityBlockReservation:CapacityBlockReservation"
KEY = "aws:kms/key:Key"

ROLLS = ("launchTemplate.version", "releaseVersion", "version")
"""Inputs of a managed node group. When one changes, EKS replaces the group's nodes one after the other."""

HOLDS: Mapping[str, tuple[str, str]] = {
    "aws:fsx/lustreFileSystem:LustreFileSystem": ("file system", "its files are lost"),
    "aws:ecr/repository:Repository": ("registry", "its images are lost"),
    "aws:cloudwatch/logGroup:LogGroup": ("log group", "its logs are lost"),
    "aws:s3/bucket:Bucket": ("bucket", "its objects are lost"),
    "aws:sagemaker/mlflowApp:MlflowApp": ("MLflow App", "its runs are lost"),
    "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer": ("MLflow server", "its runs are lost"),
}
"""Type of a resource that contains data -> its usual name, and what is lost with it."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """One effect of the changes, and its cost."""

    cost: Change
    text: str


@dataclass(frozen=True, slots=True)
class FieldCost:
    """A path of the description whose value changes, and the cost of the change."""

    path: tuple[str | int, ...]
    cost: str
    remark: str = ""
    """What to say about it, besides the cost; mostly empty."""


@dataclass(frozen=True, slots=True)
class BlueprintPair:
    """The blueprints of both sides; None if a side cannot be derived."""

    before: ClusterBlueprint | None
    after: ClusterBlueprint | None

    def nodes(self, group: str) -> str:
        """The number of nodes of a group as text: ``1 node``, ``1 to 3 nodes``. Before the change, if the group
        existed."""
        found = _group(self.before, group) or _group(self.after, group)
        assert found is not None, "every registered group is in a blueprint"
        count = found.described.nodes_now
        return _nodes(count.min, count.max)


def consequences(
    registered: Iterable[ResourceChange], described: Iterable[FieldCost], pair: BlueprintPair
) -> tuple[Consequence, ...]:
    """The distinct consequences, highest cost first."""
    changes, fields = list(registered), list(described)
    found = [*(each for change in changes for each in _of(change, pair)), *_of_keys(changes)]
    found += [*_of_addons(changes, pair), *_of_groups(fields, pair)]
    found += [Consequence(Change(each.cost), each.remark) for each in fields if each.remark]
    found += _fewer(pair)
    found += _renamed(pair)
    found += [_kept(change) for change in changes if change.kept]
    return tuple(dict.fromkeys(sorted(found, key=lambda each: (-cost_rank(each.cost), each.text))))


def _of(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    consequences_of = _BY_TYPE.get(change.type)
    if consequences_of is not None:
        yield from consequences_of(change, pair)
    elif change.type in HOLDS and change.operation in _ENDS and not change.stays:
        kind, lost = HOLDS[change.type]
        yield Consequence(_ENDS[change.operation], f"{change.operation}s the {kind} '{change.name}': {lost}")


_ENDS: Mapping[Operation, Change] = {Operation.REPLACE: Change.REPLACES, Operation.DELETE: Change.DELETES}


def _managed(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    nodes = pair.nodes(change.name)
    if change.operation is Operation.UPDATE and set(ROLLS) & set(change.inputs):
        yield Consequence(Change.DRAINS, f"drains and replaces {nodes} of group '{change.name}'")
    yield from _whole_group(change, nodes, pair)


def _self_managed(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    nodes = pair.nodes(change.name)
    if change.operation is Operation.UPDATE and "launchTemplate.version" in change.inputs:
        text = f"applies to nodes of group '{change.name}' that launch later; {_keep(nodes)}"
        yield Consequence(Change.NEXT_LAUNCH, text)
    yield from _whole_group(change, nodes, pair)


def _node_pool(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    if change.operation is Operation.UPDATE:
        nodes = pair.nodes(change.name)
        text = f"applies to nodes of group '{change.name}' that Karpenter creates later; {_keep(nodes)}"
        yield Consequence(Change.NEXT_LAUNCH, text)
    if change.type == NODE_POOL:
        yield from _whole_group(change, pair.nodes(change.name), pair)


def _whole_group(change: ResourceChange, nodes: str, pair: BlueprintPair) -> Iterator[Consequence]:
    match change.operation:
        case Operation.REPLACE:
            yield Consequence(
                Change.REPLACES, (f"replaces group '{change.name}': its {_go(nodes)}, and new nodes launch")
            )
        case Operation.DELETE:
            yield Consequence(Change.DELETES, f"deletes group '{change.name}': its {_go(nodes)}")
        case Operation.CREATE:
            new = _made(pair.after).get(change.name)
            if new is not None:  # it may have the name of a group that is deleted
                count = new.described.nodes_now
                nodes = _nodes(count.min, count.max)
            yield Consequence(Change.IN_PLACE, f"adds group '{new.name if new else change.name}': {nodes}")


def _cluster(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    if change.operation in _ENDS:
        text = f"{change.operation}s the EKS cluster: everything that runs on it stops"
        yield Consequence(_ENDS[change.operation], text)
        return
    if "version" in change.inputs and (refused := _refused_version(pair)):
        yield Consequence(Change.REFUSED, refused)
    if _auto_mode(pair.before) and not _auto_mode(pair.after):
        yield Consequence(Change.REFUSED, _NO_WAY_BACK)
    if any(path.startswith("encryptionConfig") for path in change.inputs):
        yield Consequence(Change.STAYS, "the EKS cluster keeps its KMS key, because EKS cannot change it")


_NO_WAY_BACK = (
    "`pulumi up` cannot turn EKS Auto Mode off (pulumi/pulumi-aws issue 5105): turn it off with the AWS CLI or in the "
    "console first, and run `pulumi refresh`"
)


def _auto_mode(blueprint: ClusterBlueprint | None) -> bool:
    return isinstance(blueprint, Blueprint) and blueprint.auto_mode


def _refused_version(pair: BlueprintPair) -> str:
    """Why EKS rejects the change of the Kubernetes version; empty if it does not. EKS updates by one minor version
    at a time, and never to an older one (EKS user guide, "Update existing cluster to new Kubernetes version"). The
    provider requests the version in its inputs."""
    if not isinstance(pair.before, Blueprint) or not isinstance(pair.after, Blueprint):
        return ""
    was, will_be = pair.before.control_plane.kubernetes, pair.after.control_plane.kubernetes
    if not isinstance(was, str) or not isinstance(will_be, str):  # an existing cluster whose version is unknown
        return ""
    step = minor_version(will_be) - minor_version(was)
    if step < 0:
        return f"EKS cannot downgrade from Kubernetes {was} to {will_be}; keep {was}, or create another cluster"
    if step > 1:
        major = will_be.partition(".")[0]
        return (
            f"EKS upgrades one minor version at a time, so not from Kubernetes {was} to {will_be}; "
            f"set {major}.{minor_version(was) + 1} first"
        )
    return ""


def _hyperpod(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    if change.operation in _ENDS:
        nodes = _all_nodes(pair.before)
        text = f"{change.operation}s the HyperPod cluster: its {_go(nodes)}, and everything that runs there stops"
        yield Consequence(_ENDS[change.operation], text)


def _slurm(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    if change.operation in _ENDS:
        text = f"{change.operation}s the cluster, with its head node, /home and /apps, and {_all_nodes(pair.before)}"
        yield Consequence(_ENDS[change.operation], text)


def _pcs(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    if change.operation in _ENDS:
        text = f"{change.operation}s the cluster, with its accounting records and {_all_nodes(pair.before)}"
        yield Consequence(_ENDS[change.operation], text)


def _pcs_group(change: ResourceChange, pair: BlueprintPair) -> Iterator[Consequence]:
    """A group of login nodes is in no queue, and its nodes are no workers."""
    login = not (_group(pair.before, change.name) or _group(pair.after, change.name))
    yield from _whole_group(change, "login nodes" if login else pair.nodes(change.name), pair)


def _quota(change: ResourceChange, _seen: BlueprintPair) -> Iterator[Consequence]:
    if change.operation in _ENDS:
        text = f"{change.operation}s the quota of team '{change.name}', from which its jobs run: let them end first"
        yield Consequence(_ENDS[change.operation], text)


def _block(change: ResourceChange, _seen: BlueprintPair) -> Iterator[Consequence]:
    if change.operation is Operation.CREATE:
        text = (
            f"buys the Capacity Block '{change.name}': AWS bills the full price immediately, and the purchase "
            "cannot be undone"
        )
        yield Consequence(Change.BUYS, text)
    elif change.operation is Operation.DELETE:
        yield Consequence(
            Change.IN_PLACE, (f"removes the Capacity Block '{change.name}' from the stack, without a refund")
        )


_BY_TYPE: Mapping[str, Callable[[ResourceChange, BlueprintPair], Iterator[Consequence]]] = {
    NODE_GROUP: _managed,
    OWN_GROUP: _self_managed,
    NODE_POOL: _node_pool,
    EC2_NODE_CLASS: _node_pool,
    NODE_CLASS: _node_pool,
    CLUSTER: _cluster,
    HYPERPOD: _hyperpod,
    SLURM: _slurm,
    PCS: _pcs,
    PCS_GROUP: _pcs_group,
    BLOCK: _block,
    COMPUTE_QUOTA: _quota,
}


def _of_keys(changes: Iterable[ResourceChange]) -> Iterator[Consequence]:
    """KMS keys that are deleted or replaced while their cluster remains. The cluster still needs its original key: its
    secrets are otherwise unreadable."""
    gone = [each for each in changes if each.type == KEY and each.operation in _ENDS]
    ended = any(each.type == CLUSTER and each.operation in _ENDS for each in changes)
    for each in () if ended else gone:
        text = (
            f"deletes the KMS key '{each.name}', but the cluster still needs this key for its secrets; do not change it"
        )
        yield Consequence(Change.DELETES, text)


INSTALLED = frozenset(
    {
        "aws:eks/addon:Addon",
        "kubernetes:helm.sh/v3:Release",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:yaml/v2:ConfigFile",
    }
)
"""The types of resources that represent add-ons."""

OFFERS: Mapping[str, str] = {
    "efa-device-plugin": "EFA",
    "neuron-device-plugin": "Neuron devices",
    "nvidia-device-plugin": "GPUs",
    "nvidia-dra-driver": "GPUs",
    "efa-dra-driver": "EFA",
}
"""Add-on -> the devices that it makes available on nodes."""


def _of_addons(changes: Iterable[ResourceChange], pair: BlueprintPair) -> Iterator[Consequence]:
    """Add-ons removed from a cluster that remains: those that AWS keeps installed, and those whose devices pods
    request."""
    if pair.before is None or pair.after is None or type(pair.before.described) is not type(pair.after.described):
        return
    gone = [each for each in changes if each.operation is Operation.DELETE]
    if any(each.type == CLUSTER for each in gone):
        return
    for each in (one for one in gone if one.type in INSTALLED):
        if each.stays:
            text = f"removes add-on '{each.name}' from the stack only: it stays on the cluster"
            yield Consequence(Change.STAYS, text)
        elif each.name in OFFERS:
            yield _without_offer(each.name, pair.after)


def _without_offer(gone: str, after: ClusterBlueprint) -> Consequence:
    """The consequence of an add-on that no longer offers devices. Neither a device plugin nor a DRA driver knows which
    devices the other one has assigned (docs/how-to/dra.md)."""
    devices, chosen = OFFERS[gone], after.described.addons.chosen if isinstance(after, Blueprint) else {}
    instead = next((name for name in chosen if name != gone and OFFERS.get(name) == devices), None)
    if instead is None:
        return Consequence(Change.DELETES, f"uninstalls add-on '{gone}': nodes no longer offer {devices}")
    return Consequence(
        Change.REPLACES,
        f"replaces add-on '{gone}' with '{instead}'. Let the jobs that use {devices} end first: '{instead}' also "
        f"offers the {devices} of running pods to other pods",
    )


def _kept(change: ResourceChange) -> Consequence:
    kept = f"'{change.name}' is protected (on-destroy: keep) and cannot be {_PAST[change.operation]}"
    return Consequence(Change.REFUSED, f"`pulumi up` fails before any change: {kept}")


_PAST = {Operation.REPLACE: "replaced", Operation.DELETE: "deleted"}


def _of_groups(described: Iterable[FieldCost], pair: BlueprintPair) -> Iterator[Consequence]:
    """For backends whose groups are inputs of one resource: consequences by the costs of the groups' changed fields."""
    if pair.before is None:
        return
    fields = list(described)
    sentences = backends.of(pair.before).change_costs.load().group_sentences
    if any(each.cost == Change.FLEET_STOP for each in fields):
        ending = f"the jobs on {_all_nodes(pair.before)} stop"
        yield Consequence(
            Change.FLEET_STOP, f"requires that you stop the compute fleet (`pcluster update-compute-fleet`): {ending}"
        )
    for each in fields:
        words = sentences.get(each.cost)
        name, nodes = _named_nodes(pair.before, each.path)
        if name and words:
            yield Consequence(
                Change(each.cost), words.format(group=name, nodes=nodes, go=_go(nodes), keep=_keep(nodes))
            )


def _named_nodes(blueprint: ClusterBlueprint, path: tuple[str | int, ...]) -> tuple[str, str]:
    """The name of the group that has the path, and its number of nodes as text; empty for a path of no group."""
    for service in blueprint.service_groups:
        if path[: len(service.path)] == service.path:
            return service.name, _nodes(service.nodes, service.nodes)
    name = _group_of(path) or ""
    group = _group(blueprint, name)
    if group is None:
        return "", ""
    count = group.described.nodes_now
    return name, _nodes(count.min, count.max)


def _fewer(pair: BlueprintPair) -> Iterator[Consequence]:
    """Groups that have fewer nodes than before, on backends that do not wait for what runs on them."""
    if pair.before is None or pair.after is None or pair.before.backend != pair.after.backend:
        return
    costs = backends.of(pair.before.described).change_costs.load()
    for each in pair.before.groups:
        other = _group(pair.after, each.name)
        if other is None:
            continue
        before, after = each.described.nodes_now, other.described.nodes_now
        if costs.fewer_nodes and after.max < before.max:
            sure = before.min == before.max and after.min == after.max
            taken = f"{'' if sure else 'up to '}{_nodes(before.max - after.max, before.max - after.max)}"
            yield Consequence(Change.DRAINS, costs.fewer_nodes.format(taken=taken, group=each.name))
    left = {(each.path, each.name): each.nodes for each in pair.after.service_groups}
    for one in pair.before.service_groups:
        fewer = one.nodes - left.get((one.path, one.name), one.nodes)
        if costs.fewer_service_nodes and fewer > 0:
            taken = _nodes(fewer, fewer)
            yield Consequence(Change.DRAINS, costs.fewer_service_nodes.format(taken=taken, group=one.name))


def _renamed(pair: BlueprintPair) -> Iterator[Consequence]:
    """Removed groups whose capacity a new group uses: the new group is created first, while the old one still uses the
    capacity."""
    before, after = _made(pair.before), _made(pair.after)
    for old in (each for name, each in before.items() if name not in after):
        ids = _capacity_ids(old)
        for new in (each for name, each in after.items() if name not in before and ids and _capacity_ids(each) == ids):
            text = (
                f"creates group '{new.name}' while group '{old.name}' still uses {', '.join(sorted(ids))}: its nodes "
                "have no capacity unless there is room for both; "
            )
            keep = (
                f"to keep the group, set was: {old.name} in it"
                if old.can_be_renamed and new.can_be_renamed
                else f"remove '{old.name}' first, and run `pulumi up` before you add '{new.name}'"
            )
            yield Consequence(Change.REPLACES, text + keep)


def _made(blueprint: ClusterBlueprint | None) -> dict[str, Group]:
    """The groups by the names with which they were created."""
    groups: Iterable[Group] = blueprint.groups if blueprint is not None else ()
    return {each.made_as: each for each in groups}


def _capacity_ids(group: Group) -> set[str]:
    """The ids or ARNs of a group's capacity: reservations, a block, a training plan."""
    match group.described.capacity.held:
        case Reservation(id=id_):
            return {id_}
        case ReservationGroup(arn=arn, create=members):
            return {arn} if arn else set(members or ())
        case CapacityBlock(id=id_, buy=buy):
            return {id_} if id_ else {buy.offering} if buy else set()
        case TrainingPlan(arn=arn):
            return {arn}
    return set()


def _group_of(path: tuple[str | int, ...]) -> str | None:
    """The name of the group in a path: ``groups.NAME...``, ``queues.NAME.groups.NAME...``."""
    below = path[2:] if path[:1] == ("queues",) else path
    return str(below[1]) if below[:1] == ("groups",) and len(below) > 1 else None


def _group(blueprint: ClusterBlueprint | None, name: str) -> Group | None:
    groups: Iterable[Group] = blueprint.groups if blueprint is not None else ()
    return next((each for each in groups if name in (each.name, each.made_as)), None)


def _all_nodes(blueprint: ClusterBlueprint | None) -> str:
    counts = [each.described.nodes_now for each in blueprint.groups] if blueprint is not None else []
    return _nodes(sum(each.min for each in counts), sum(each.max for each in counts))


def _keep(nodes: str) -> str:
    return f"running nodes keep the old value ({nodes})"


def _go(nodes: str) -> str:
    return f"{nodes} is terminated" if nodes.endswith("node") else f"{nodes} are terminated"


def _nodes(least: int, most: int) -> str:
    number = str(most) if least == most else f"{least} to {most}"
    return f"{number} node" if number == "1" else f"{number} nodes"
