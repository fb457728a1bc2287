"""Karpenter's NodePools and EC2NodeClasses (API v1), as the node groups and launch templates that Karpenter makes of
them; and the NodeClasses of EKS Auto Mode (EKS user guide, create-node-class), which runs Karpenter itself.

From `pkg/apis/v1/ec2nodeclass.go` and `pkg/providers` (amifamily, launchtemplate) of aws/karpenter-provider-aws, and
`pkg/apis/v1/nodepool.go` of kubernetes-sigs/karpenter. What Karpenter decides by the pods that wait is unknown: the EFA
interfaces of a class without `networkInterfaces`, and the number of nodes of a pool without `limits.nodes`.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from muster.blueprint.karpenter import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from muster.blueprint.labels import INSTANCE_TYPE, ZONE
from muster.blueprint.node_settings import settings_in
from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityTarget,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    NodePool,
    Reference,
    auto_mode_template,
)
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    EC2_NODE_CLASS,
    NODE_CLASS,
    NODE_POOL,
    PLACEMENT_GROUP,
    SUBNET,
)
from muster.hardware.ami import RESOLVED_BY_EC2
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.interfaces import InterfaceType
from muster.plain_data import value_at
from muster.policies.views.eks import labels, taints
from muster.policies.views.launch_templates import by_card_and_device, devices, interface
from muster.policies.views.references import GROUPS, References
from muster.policies.views.view import Properties, Reader, View, known, unknown
from muster.scheduling.requirements import Operator, Requirement
from muster.unknown import UNKNOWN, UnknownType, if_known
from muster.whole_number import whole_number

_DEFAULT_KIND, _AUTO_MODE_KIND = "EC2NodeClass", "NodeClass"
_CLASS_KINDS = {_DEFAULT_KIND: EC2_NODE_CLASS, _AUTO_MODE_KIND: NODE_CLASS}
"""The kinds of node classes that are read, and their types."""
_CAPACITY = {RESERVED: "RESERVED", ON_DEMAND: "ON_DEMAND", SPOT: "SPOT"}
_NODES = "spec.template.spec"
_CLASS = f"{_NODES}.nodeClassRef"


def node_pool(of: Properties) -> NodeGroup[UnknownType] | None:
    """Reads a NodePool; None for one whose nodes another provider creates, such as HyperPod's managed Karpenter."""
    return None if is_of_another_provider(of.resource) else _node_pool(of)


def is_of_another_provider(resource: Registration) -> bool:
    """Whether it is a NodePool whose nodes another provider than EC2 creates, such as HyperPod's managed Karpenter."""
    kind = value_at(resource.inputs, *_CLASS.split("."), "kind")
    return resource.type == NODE_POOL and kind not in (None, UNKNOWN, *_CLASS_KINDS)


def classes_of(pool: Registration, references: References) -> list[Registration] | None:
    """The node classes that have the name of a pool's; None if it is not known."""
    name = Properties(pool, references).raw(f"{_CLASS}.name")
    found = [references.node_class(kind, name) for kind in _CLASS_KINDS.values()]
    return None if name is UNKNOWN else [each for each in found if each]


def _class_of(pool: Properties) -> Properties:
    """The node class of a pool; unknown if the program does not have it."""
    kind = _CLASS_KINDS.get(pool.get(f"{_CLASS}.kind", _DEFAULT_KIND))
    own = pool.references.node_class(kind, pool.get(f"{_CLASS}.name"))
    return Properties(known(own or UNKNOWN), pool.references)


def _allowed(of: Properties, label: str) -> tuple[str, ...]:
    """The values that requirements allow for a label, sorted: empty if none is about it, unknown if one uses another
    operator than In, or if it is not known what one is about."""
    about = [each for each in of.blocks(f"{_NODES}.requirements") if each.get("key") == label]
    if any(each.raw("operator") != "In" for each in about):
        unknown()
    values = [set(each.texts("values")) for each in about]
    return tuple(sorted(set.intersection(*values))) or unknown() if values else ()


_ALIASES = {
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": INSTANCE_TYPE,
    "failure-domain.beta.kubernetes.io/zone": ZONE,
}
"""Older names of labels, which Karpenter reads as the newer ones (`NormalizedLabels`)."""
_INCLUSIVE = {"Gte": (Operator.GREATER_THAN, -1), "Lte": (Operator.LESS_THAN, 1)}


def _requirement(of: Properties) -> Requirement:
    operator, key, values = of.needed("operator"), of.needed("key"), of.texts("values")
    if operator in _INCLUSIVE:
        operator, more = _INCLUSIVE[operator]
        number = whole_number(next(iter(values), None))
        values = unknown() if number is None else (str(number + more),)
    return Requirement(_ALIASES.get(key, key), operator, values)


def _capacity_type(of: Properties) -> str:
    """The capacity type in the word of node groups; unknown if Karpenter chooses."""
    types = _allowed(of, CAPACITY_TYPE)
    return _CAPACITY[types[0]] if len(types) == 1 and types[0] in _CAPACITY else unknown()


def _ids(of: Properties, path: str) -> list[Any]:
    """The ids of selector terms; unknown if one selects by tags or names."""
    ids = [each.raw("id") for each in of.blocks(path)]
    return unknown() if None in ids else ids


def _selected(path: str, *types: str) -> Callable[[Properties], tuple[Reference, ...]]:
    return lambda of: of.resources(_ids(of, path), path, *types)


_GROUP_TERMS = "spec.securityGroupSelectorTerms"
_groups = _selected(_GROUP_TERMS, *GROUPS)
_reservations = _selected("spec.capacityReservationSelectorTerms", CAPACITY_RESERVATION, CAPACITY_BLOCK)
_subnets = _selected("spec.subnetSelectorTerms", SUBNET)

_pool = View(
    NodePool,
    capacity_types=lambda of: _allowed(of, CAPACITY_TYPE),
    reservations=lambda of: _reservations(_class_of(of)),
    expire_after=f"{_NODES}.expireAfter",
    consolidation="spec.disruption.consolidationPolicy",
    consolidate_after="spec.disruption.consolidateAfter",
    static=lambda of: of.raw("spec.replicas") is not None,
    of_auto_mode=lambda of: of.get(f"{_CLASS}.kind", _DEFAULT_KIND) == _AUTO_MODE_KIND,
    requirements=lambda of: tuple(
        if_known(partial(_requirement, each), UNKNOWN) for each in of.blocks(f"{_NODES}.requirements")
    ),
)
_node_pool = View(
    NodeGroup,
    template=lambda of: _class_of(of).ref,
    instance_types=lambda of: _allowed(of, INSTANCE_TYPE) or unknown(),
    subnets=lambda of: _subnets(_class_of(of)),
    capacity_type=_capacity_type,
    nodes_min=lambda of: of.integer("spec.replicas") or 0,
    nodes_start=lambda of: of.integer("spec.replicas") or 0,
    nodes_max=lambda of: of.integer("spec.replicas|spec.limits.nodes"),
    labels=labels("spec.template.metadata.labels"),
    taints=taints(f"{_NODES}.taints", {}),
    managed=lambda _: False,
    pool=_pool,
)


def _placement_group(of: Properties) -> Reference | None:
    id_ = of.text("spec.placementGroupSelector.id")
    return id_ if id_ is not None else of.one("spec.placementGroupSelector.name", PLACEMENT_GROUP)


def _target(of: Properties) -> CapacityTarget[UnknownType]:
    """The one reservation of a class; unknown if it selects several, or selects them by tags."""
    selected = if_known(lambda: _reservations(of), (UNKNOWN, UNKNOWN))
    return CapacityTarget(reservation=UNKNOWN if len(selected) > 1 else selected[0] if selected else None)


def _decided_by_pods(of: Properties) -> bool:
    """Whether a type of the pools may have EFA interfaces: without `networkInterfaces`, Karpenter attaches them if pods
    request them."""
    name = if_known(lambda: of.text("metadata.name"), UNKNOWN)
    own = [
        if_known(partial(_allowed, pool, INSTANCE_TYPE), ())
        for pool in of.others()
        if pool.raw(f"{_CLASS}.name") == name
    ]
    return not own or any(not types or any(map(_may_have_efa, types)) for types in own)


def _may_have_efa(instance: str) -> bool:
    try:
        return hardware(instance).max_efa > 0
    except UnknownInstance:
        return True


def _interfaces(of: Properties, settings: str) -> tuple[NetworkInterface[UnknownType], ...]:
    """The interfaces of a class, by the block with its settings for them."""
    public = if_known(lambda: of.boolean(f"{settings}.associatePublicIPAddress"), UNKNOWN)
    of_all = {
        "security_groups": if_known(lambda: _groups(of), UNKNOWN),
        "named": of.references.named(if_known(lambda: _ids(of, _GROUP_TERMS)), GROUPS),
    }
    found = (
        interface(each, **of_all, public_ip=None if each.raw("interfaceType") == InterfaceType.EFA_ONLY else public)
        for each in of.blocks(f"{settings}.networkInterfaces")
    )
    return tuple(sorted(found, key=by_card_and_device))


def _own_groups(of: Properties, settings: str) -> tuple[Reference, ...]:
    """The groups of a template without interfaces."""
    return () if of.known_blocks(f"{settings}.networkInterfaces") else _groups(of)


def _image(of: Properties) -> str:
    """The image, as launch templates name it; unknown if Karpenter chooses among several."""
    terms = of.blocks("spec.amiSelectorTerms")
    id_, parameter = (terms[0].raw(name) if len(terms) == 1 else None for name in ("id", "ssmParameter"))
    if isinstance(id_, str):
        return id_
    return f"{RESOLVED_BY_EC2}{parameter}" if isinstance(parameter, str) else unknown()


def _user_data(of: Properties) -> str | None:
    """The user data in base64, as launch templates have it."""
    given = of.text("spec.userData")
    return None if given is None else b64encode(given.encode()).decode()


_COMMON: Mapping[str, Any] = {
    "target": _target,
    "placement_group": _placement_group,
    "settings": lambda _: frozenset(),
    "depends_on": lambda of: of.behind(("spec",), *GROUPS),
}

node_class = View(
    LaunchTemplate,
    interfaces=lambda of: _interfaces(of, "spec") or (unknown() if _decided_by_pods(of) else ()),
    security_groups=lambda of: _own_groups(of, "spec"),
    image=_image,
    http_tokens=lambda of: of.text("spec.metadataOptions.httpTokens") or "required",
    hop_limit=lambda of: of.integer("spec.metadataOptions.httpPutResponseHopLimit") or 1,
    user_data=_user_data,
    max_pods="spec.kubelet.maxPods",
    kubelet="spec.kubelet",
    proxied=lambda of: settings_in(of.text("spec.userData") or "").proxied,
    devices=devices("spec.blockDeviceMappings"),
    joins_kubernetes=lambda _: True,
    **_COMMON,
)
_auto_mode = View(
    LaunchTemplate,
    interfaces=lambda of: _interfaces(of, "spec.advancedNetworking"),
    security_groups=lambda of: _own_groups(of, "spec.advancedNetworking"),
    **_COMMON,
)


def auto_mode_node_class(of: Properties) -> LaunchTemplate[UnknownType]:
    """Reads a NodeClass of EKS Auto Mode."""
    seen = _auto_mode(of)
    return auto_mode_template(
        seen.ref,
        seen.security_groups,
        seen.target,
        seen.place,
        placement_group=seen.placement_group,
        interfaces=seen.interfaces,
        depends_on=seen.depends_on,
    )


VIEWS: Mapping[str, Reader] = {NODE_POOL: node_pool, NODE_CLASS: auto_mode_node_class, EC2_NODE_CLASS: node_class}
BESIDE = {EC2_NODE_CLASS: {NODE_POOL: ""}}
