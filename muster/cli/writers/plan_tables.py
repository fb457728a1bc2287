"""A plan's resources as a tree by component, and its nodes as a table."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.tree import Tree

from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import ref
from muster.message_text import count_noun
from muster.plain_data import to_plain
from muster.terminal import visible

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint

_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"

_FOLDED_CHILDREN = frozenset({"muster:infra:Role"})
"""Components that are one line: a role with its policies, as every node group and many add-ons have one."""
_FOLDED_SIBLINGS = frozenset(
    {
        "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    }
)
"""Resources that are one line with their number where there are several."""


def resource_tree(title: str, registrations: Iterable[Registration], *, whole: bool = False) -> Tree:
    """The tree; a resource whose parent is not registered hangs below the stack.

    Args:
        title: the root.
        registrations: the resources.
        whole: whether roles and rules of security groups are listed one by one.
    """
    below: dict[str, list[Registration]] = {}
    known = {each.urn: each for each in registrations}
    bought = frozenset(each.id for each in known.values() if each.type == ref.CAPACITY_BLOCK)
    for each in known.values():
        parent = each.parent if each.parent in known and not _is_stack(known[each.parent]) else ""
        if not _is_stack(each):
            below.setdefault(parent, []).append(each)
    root = Tree(visible(title), guide_style="dim")
    pending = [(root, each) for each in below.get("", [])]
    while pending:
        branch, each = pending.pop(0)
        children = below.get(each.urn, [])
        if not whole and each.type in _FOLDED_CHILDREN:
            branch.add(visible(_with_policies(each, children)))
            continue
        leaf = branch.add(visible(label(each, bought)))
        folded = [] if whole else [kind for kind in sorted(_FOLDED_SIBLINGS) if _number(children, kind) > 1]
        pending = [(leaf, child) for child in children if child.type not in folded] + pending
        for kind in folded:
            leaf.add(f"{_number(children, kind)} x {kind}")
    return root


def _number(children: Iterable[Registration], kind: str) -> int:
    return sum(child.type == kind for child in children)


def _with_policies(role: Registration, children: Iterable[Registration]) -> str:
    """``muster:infra:Role workers (AmazonEKSWorkerNodePolicy, 1 inline policy)``."""
    names = [_short(_at(child.inputs, "policyArn")) for child in children if child.type == _ATTACHMENT]
    if inline := _number(children, "aws:iam/rolePolicy:RolePolicy"):
        names.append(count_noun(inline, "inline policy", "inline policies"))
    return f"{role.type} {role.name}" + (f" ({', '.join(names)})" if names else "")


def _is_stack(each: Registration) -> bool:
    return each.type == "pulumi:pulumi:Stack"


def label(each: Registration, bought: Container[Any] = ()) -> str:
    """``aws:eks/cluster:Cluster cluster (1.35)``.

    Capacity Blocks that are to be bought (`bought`, by id) have no id yet: the id that the offline monitor made up is
    not shown, because it does not exist in AWS.
    """
    values = (_at(each.inputs, path) for path in _SHOWN.get(each.type, ()))
    details = [_short(value) for value in values if value and value not in bought and value not in each.name]
    return f"{each.type} {each.name}" + (f" ({', '.join(details)})" if details else "")


def _short(value: str) -> str:
    """The name of a policy without its ARN; any other value unchanged."""
    return value.rpartition("/")[2] if value.startswith("arn:") and "policy/" in value else value


def resource_counts(registrations: Iterable[Registration]) -> list[tuple[str, str]]:
    """How many resources of each type, components left out: they cost nothing and create nothing."""
    counted = Counter(each.type for each in registrations if each.custom and not each.options.get(EXISTING))
    return [(kind, str(count)) for kind, count in sorted(counted.items())]


def _at(inputs: Any, path: str) -> str:
    """The value at a dotted path as text; empty where there is none."""
    for step in path.split("."):
        if not isinstance(inputs, Mapping):
            break
        inputs = inputs.get(step)
    value = to_plain(inputs)
    return (
        ""
        if value is None or isinstance(value, dict)
        else ", ".join(map(str, value))
        if isinstance(value, list)
        else str(value)
    )


_SHOWN: Mapping[str, tuple[str, ...]] = {
    ref.CLUSTER: ("version",),
    ref.LAUNCH_TEMPLATE: (
        "instanceType",
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
        "placement.groupName",
    ),
    ref.NODE_GROUP: ("amiType",),
    ref.PLACEMENT_GROUP: ("strategy",),
    ref.ADDON: ("addonVersion",),
    ref.SECURITY_GROUP: ("description",),
    ref.CLOUDFORMATION_STACK: ("templateUrl",),
    ref.KEY_PAIR: ("keyName",),
    ref.LUSTRE: ("deploymentType", "storageCapacity"),
    ref.EFS: ("throughputMode",),
    ref.OPENZFS: ("deploymentType", "storageCapacity"),
    ref.DATA_ASSOCIATION: ("dataRepositoryPath",),
    "aws:eks/accessEntry:AccessEntry": ("principalArn",),
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": ("policyArn",),
    _ATTACHMENT: ("policyArn",),
    "kubernetes:helm.sh/v3:Release": ("chart", "version", "namespace"),
}
"""Type -> the paths of its inputs that the tree shows."""


_HEADS = ("group", "instance", "zone", "nodes")
_NOT_KNOWN = "not known"


def nodes_json(blueprint: "ClusterBlueprint") -> list[dict[str, Any]]:
    """Every group, as `muster plan --json` prints it. Slurm's nodes have a queue, and no number of pods."""
    listed = []
    for group in blueprint.groups:
        count = group.described.nodes_now
        made = {
            "group": group.name,
            "instance": group.described.instance_type,
            "zone": ", ".join(blueprint.zones(group)),
            "count": {"min": count.min, "start": count.start, "max": count.max},
            "pods": group.node.allocatable.pods if blueprint.on_kubernetes else None,
            "offers": dict(group.node.offers),
            "allocatable": dict(group.node.allocatable_resources),
        }
        if blueprint.on_kubernetes:
            listed.append({**made, "claims": dict(group.node.claims)})
        else:
            listed.append({**made, "queue": group.queue})
    return listed


LOGIN_HEADS = ("pool", "instance", "zone", "nodes")
"""The headers of the columns of login nodes."""


def login_json(blueprint: "ClusterBlueprint") -> list[dict[str, Any]]:
    """Every pool of login nodes, as `muster plan --json` prints it."""
    return [
        {
            "pool": each.name,
            "instance": each.instance,
            "zone": ", ".join(blueprint.subnets[str(subnet)].zone or "" for subnet in each.subnets),
            "count": each.count,
        }
        for each in blueprint.login_pools
    ]


def node_heads(blueprint: "ClusterBlueprint") -> tuple[str, ...]:
    """The headers of the columns of `node_rows`."""
    if blueprint.on_kubernetes:
        return (*_HEADS, "pods", "offers", "allocatable")
    return ("queue", *_HEADS, "offers", "for jobs")


def node_rows(blueprint: "ClusterBlueprint") -> Iterator[tuple[str, ...]]:
    """Every group, for people."""
    for each in nodes_json(blueprint):
        claims = [f"{_amounts({name: number})} to claim" for name, number in each.get("claims", {}).items()]
        offers = ", ".join(filter(None, (_amounts(each["offers"]), *claims))) or "-"
        left = _amounts({**each["allocatable"], "memory": each["allocatable"].get("memory", _NOT_KNOWN)})
        first = each["group"], each["instance"], each["zone"], _count(each["count"])
        if "queue" in each:
            yield each["queue"], *first, offers, left
        else:
            yield *first, _NOT_KNOWN if each["pods"] is None else str(each["pods"]), offers, left


def _count(count: dict[str, int]) -> str:
    if len(set(count.values())) == 1:
        return str(count["min"])
    return f"{count['min']} to {count['max']}, {count['start']} at first"


def _amounts(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in amounts.items())
