"""Karpenter's NodePools and EC2NodeClasses (API v1), as the node groups and launch templates that Karpenter makes of
them; and the NodeClasses of EKS Auto Mode (EKS user guide, create-node-class), which runs Karpenter itself.

From `pkg/apis/v1/ec2nodeclass.go` and `pkg/providers` (amifamily, launchtemplate) of aws/karpenter-provider-aws, and
`pkg/apis/v1/nodepool.go` of kubernetes-sigs/karpenter. What Karpenter decides by the pods that wait is unknown: the EFA
interfaces of a class without `networkInterfaces`, and the number of nodes of a pool without `limits.nodes`.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from muster.blueprint.karpenter import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from muster.blueprint.labels import INSTANCE_TYPE, ZONE
from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityTarget,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    NodePool,
    Place,
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
from muster.policies.views.launch_templates import by_card_and_device
from muster.policies.views.node_groups import labels_of, taints_of
from muster.policies.views.references import (
    GROUPS,
    References,
    block,
    blocks,
    boolean,
    integer,
    text_list,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

_CLASS_KINDS = {"EC2NodeClass": EC2_NODE_CLASS, "NodeClass": NODE_CLASS}
"""The kinds of node classes that are read, and their types."""
_DEFAULT_KIND = "EC2NodeClass"
_RESERVED_TERMS = "capacityReservationSelectorTerms"
_CAPACITY = {RESERVED: "RESERVED", ON_DEMAND: "ON_DEMAND", SPOT: "SPOT"}
_DEFAULT_METADATA = {"httpTokens": "required", "httpPutResponseHopLimit": 1}


def node_pool(resource: Registration, references: References) -> NodeGroup[UnknownType] | None:
    """Reads a NodePool; None for one whose nodes another provider creates, such as HyperPod's managed Karpenter."""
    spec = block(resource.inputs, "spec")
    template = block(spec, "template")
    nodes = block(template, "spec")
    named = block(nodes, "nodeClassRef")
    if is_of_another_provider(resource):
        return None
    requirements = blocks(nodes.get("requirements"))
    kind = _CLASS_KINDS.get(named.get("kind", _DEFAULT_KIND))
    own = references.node_class(kind, named.get("name"))
    types = _allowed(requirements, INSTANCE_TYPE)
    capacity_types = _allowed(requirements, CAPACITY_TYPE)
    zones = _allowed(requirements, ZONE)
    replicas = integer(spec.get("replicas"))
    most = integer(block(spec, "limits").get("nodes")) if replicas is None else replicas
    return NodeGroup(
        ref=references.ref(resource),
        template=references.ref(own) if own else UNKNOWN,
        instance_types=UNKNOWN if types is UNKNOWN or not types else types,
        subnets=_subnets(own, references),
        ami_type=None,
        capacity_type=_capacity(capacity_types),
        nodes_min=0 if replicas is None else replicas,
        nodes_start=0 if replicas is None else replicas,
        nodes_max=UNKNOWN if most is None else most,
        disk_size=None,
        release_version=None,
        version=None,
        labels=labels_of(block(template, "metadata").get("labels")),
        taints=taints_of(nodes.get("taints"), {}),
        place=Place(resource.urn),
        managed=False,
        pool=NodePool(
            capacity_types=capacity_types,
            zones=zones,
            reservations=_reservations(own, references),
            expire_after=text_value(nodes.get("expireAfter")),
            consolidation=text_value(block(spec, "disruption").get("consolidationPolicy")),
            consolidate_after=text_value(block(spec, "disruption").get("consolidateAfter")),
            static=replicas is not None,
        ),
    )


def classes_of(pool: Registration, references: References) -> list[Registration] | None:
    """The node classes that have the name of a pool's; None if it is not known."""
    nodes = block(block(block(pool.inputs, "spec"), "template"), "spec")
    name = block(nodes, "nodeClassRef").get("name")
    found = [references.node_class(kind, name) for kind in _CLASS_KINDS.values()]
    return None if name is UNKNOWN else [each for each in found if each]


def is_of_another_provider(resource: Registration) -> bool:
    """Whether it is a NodePool whose nodes another provider than EC2 creates, such as HyperPod's managed Karpenter."""
    return resource.type == NODE_POOL and _class_kind(resource) not in (*_CLASS_KINDS, UNKNOWN)


def _class_kind(pool: Registration) -> Any:
    nodes = block(block(block(pool.inputs, "spec"), "template"), "spec")
    return block(nodes, "nodeClassRef").get("kind", _DEFAULT_KIND)


def name_of(resource: Registration) -> str | None | UnknownType:
    """The name of a Kubernetes object."""
    return text_value(block(resource.inputs, "metadata").get("name"))


def _allowed(requirements: list[Mapping[str, Any]] | UnknownType, label: str) -> tuple[str, ...] | UnknownType:
    """The values that requirements allow for a label, sorted: empty if none is about it, unknown if one uses another
    operator than In."""
    if requirements is UNKNOWN:
        return UNKNOWN
    about = [each for each in requirements if each.get("key") == label]
    if not about:
        return ()
    values = [text_list(each.get("values")) for each in about]
    if any(each.get("operator") != "In" for each in about) or any(each is UNKNOWN for each in values):
        return UNKNOWN
    common = set.intersection(*(set(each) for each in values if each is not UNKNOWN))
    return tuple(sorted(common)) or UNKNOWN


def _capacity(types: tuple[str, ...] | UnknownType) -> str | UnknownType:
    """The capacity type in the word of node groups; unknown if Karpenter chooses."""
    if types is UNKNOWN or len(types) != 1:
        return UNKNOWN
    return _CAPACITY.get(types[0], UNKNOWN)


def _terms(own: Registration | None, key: str) -> list[Any] | UnknownType:
    """The ids of selector terms; unknown if one selects by tags or names."""
    listed = blocks(block(own.inputs, "spec").get(key)) if own else UNKNOWN
    if listed is UNKNOWN or any(each.get("id") is None for each in listed):
        return UNKNOWN
    return [each["id"] for each in listed]


def _subnets(own: Registration | None, references: References) -> tuple[Reference, ...] | UnknownType:
    ids = _terms(own, "subnetSelectorTerms")
    return UNKNOWN if own is None or ids is UNKNOWN else references.several(ids, own, "spec", (SUBNET,))


def _reservations(own: Registration | None, references: References) -> tuple[Reference, ...] | UnknownType:
    ids = _terms(own, _RESERVED_TERMS)
    kinds = (CAPACITY_RESERVATION, CAPACITY_BLOCK)
    return UNKNOWN if own is None or ids is UNKNOWN else references.several(ids, own, "spec", kinds)


def _text_or_unknown(value: Any, default: str) -> str | UnknownType:
    """A text; the default if it is not set, and unknown if it is not a text."""
    text = text_value(value)
    return default if text is None else text


def node_class(
    resource: Registration, references: References, pools: Iterable[Registration]
) -> LaunchTemplate[UnknownType]:
    """Reads an EC2NodeClass."""
    spec = block(resource.inputs, "spec")
    options = spec.get("metadataOptions")
    metadata = block(spec, "metadataOptions") if options is not None else _DEFAULT_METADATA
    ids = _terms(resource, "securityGroupSelectorTerms")
    groups = UNKNOWN if ids is UNKNOWN else references.several(ids, resource, "spec", GROUPS)
    interfaces = _interfaces(spec, groups, references.named(ids, GROUPS))
    decided = _decided_by_pods(resource, pools)
    return LaunchTemplate(
        ref=references.ref(resource),
        instance=None,
        interfaces=UNKNOWN if decided and interfaces == () else interfaces,
        security_groups=groups if interfaces is UNKNOWN or not interfaces else (),
        target=_target(resource, references),
        market_type=None,
        placement_group=_placement_group(resource, spec, references),
        image=_image(spec),
        settings=frozenset(),
        place=Place(resource.urn),
        http_tokens=text_value(metadata.get("httpTokens", _DEFAULT_METADATA["httpTokens"])),
        hop_limit=integer(metadata.get("httpPutResponseHopLimit", _DEFAULT_METADATA["httpPutResponseHopLimit"])),
        user_data=_user_data(spec),
        max_pods=integer(block(spec, "kubelet").get("maxPods")),
        joins_kubernetes=True,
        depends_on=references.behind(resource, ("spec",), GROUPS),
    )


def auto_mode_node_class(
    resource: Registration,
    references: References,
    beside: Iterable[Registration],  # noqa: ARG001 - as of all views
) -> LaunchTemplate[UnknownType]:
    """Reads a NodeClass of EKS Auto Mode."""
    ids = _terms(resource, "securityGroupSelectorTerms")
    spec = block(resource.inputs, "spec")
    groups = UNKNOWN if ids is UNKNOWN else references.several(ids, resource, "spec", GROUPS)
    interfaces = _interfaces(block(spec, "advancedNetworking"), groups, references.named(ids, GROUPS))
    return auto_mode_template(
        references.ref(resource),
        groups if interfaces is UNKNOWN or not interfaces else (),
        _target(resource, references),
        Place(resource.urn),
        placement_group=_placement_group(resource, spec, references),
        interfaces=interfaces,
        depends_on=references.behind(resource, ("spec",), GROUPS),
    )


def _placement_group(
    resource: Registration, spec: Mapping[str, Any], references: References
) -> Reference | None | UnknownType:
    placement = block(spec, "placementGroupSelector")
    if placement.get("id") is not None:
        return text_value(placement.get("id"))
    return references.one(placement.get("name"), resource, "spec", (PLACEMENT_GROUP,))


def _target(resource: Registration, references: References) -> CapacityTarget[UnknownType]:
    """The one reservation of a class; unknown if it selects several, or selects them by tags."""
    selected = _reservations(resource, references)
    if selected is not UNKNOWN and len(selected) <= 1:
        return CapacityTarget(reservation=selected[0] if selected else None)
    return CapacityTarget(reservation=UNKNOWN)


def _decided_by_pods(resource: Registration, pools: Iterable[Registration]) -> bool:
    """Whether a type of the pools may have EFA interfaces: without `networkInterfaces`, Karpenter attaches them if pods
    request them."""
    own = [
        _allowed(blocks(nodes.get("requirements")), INSTANCE_TYPE)
        for each in pools
        for nodes in [block(block(block(each.inputs, "spec"), "template"), "spec")]
        if block(nodes, "nodeClassRef").get("name") == name_of(resource)
    ]
    return not own or any(types is UNKNOWN or not types or any(map(_may_have_efa, types)) for types in own)


def _may_have_efa(instance: str) -> bool:
    try:
        return hardware(instance).max_efa > 0
    except UnknownInstance:
        return True


def _interfaces(
    spec: Mapping[str, Any],
    groups: tuple[Reference, ...] | UnknownType,
    named: tuple[Reference, ...],
) -> tuple[NetworkInterface[UnknownType], ...] | UnknownType:
    listed = blocks(spec.get("networkInterfaces"))
    if listed is UNKNOWN:
        return UNKNOWN
    public = boolean(spec.get("associatePublicIPAddress"))
    found = [
        NetworkInterface(
            card=_index(each.get("networkCardIndex")),
            device=_index(each.get("deviceIndex")),
            type=_text_or_unknown(each.get("interfaceType"), InterfaceType.PLAIN.value),
            security_groups=groups,
            public_ip=None if each.get("interfaceType") == InterfaceType.EFA_ONLY else public,
            named=named,
        )
        for each in listed
    ]
    return tuple(sorted(found, key=by_card_and_device))


def _index(value: Any) -> int | UnknownType:
    number: int | None | UnknownType = integer(value)
    return 0 if number is None else number


def _image(spec: Mapping[str, Any]) -> str | UnknownType:
    """The image, as launch templates name it; unknown if Karpenter chooses among several."""
    listed = blocks(spec.get("amiSelectorTerms"))
    if listed is UNKNOWN or len(listed) != 1:
        return UNKNOWN
    id_, parameter = listed[0].get("id"), listed[0].get("ssmParameter")
    if isinstance(id_, str):
        return id_
    return f"{RESOLVED_BY_EC2}{parameter}" if isinstance(parameter, str) else UNKNOWN


def _user_data(spec: Mapping[str, Any]) -> str | None | UnknownType:
    """The user data in base64, as launch templates have it."""
    given = text_value(spec.get("userData"))
    return given if given is UNKNOWN or given is None else b64encode(given.encode()).decode()
