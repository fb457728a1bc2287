"""One component of pulumi-eks that is being made: its arguments, the cluster it is for, and the children that all make.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives): `servicerole.ts`, `cluster/cluster.ts`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any, Protocol

from muster.fleet.registration import Registration
from muster.offline import eks_component
from muster.offline.invokes import InvokeAccount
from muster.unknown import UNKNOWN, has_unknown
from muster.wire import resource_reference


class Monitor(Protocol):
    """What takes registrations."""

    preview: bool
    eks: "dict[str, ClusterCore]"

    def child(self, parent: str, type_: str, name: str, inputs: Mapping[str, Any], **more: Any) -> Registration:
        """Registers a resource below a component."""

    def known(self, urn: str) -> Registration | None:
        """The resource with a URN, registered or read."""

    def region_of(self, provider: str) -> str:
        """A provider's Region."""

    def not_modelled(self, where: str, missing: str) -> None:
        """Records a gap."""


@dataclass(frozen=True, slots=True)
class ClusterCore:
    """The data of a cluster component that its node groups need."""

    urn: str
    args: Mapping[str, Any]
    uses: Mapping[str, tuple[str, ...]]
    """Argument -> the resources it is made of."""
    vpc: Any
    subnets: Any
    cluster: Registration
    group: Registration | None
    """The control plane's own security group; EKS's where there is none."""
    node_group: Registration | None
    """The nodes' security group."""
    profile: Registration | None
    access: tuple[str, ...]
    """What node groups wait for."""

    def subnet_uses(self) -> tuple[str, ...]:
        """What its subnets are made of."""
        names = ("subnetIds", "publicSubnetIds", "privateSubnetIds")
        return tuple(sorted({urn for name in names for urn in self.uses.get(name, ())}))


@dataclass(frozen=True, slots=True)
class ComponentResource:
    """One component that is being made."""

    monitor: Monitor
    request: Any
    urn: str
    args: Mapping[str, Any]
    uses: Mapping[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        below = self.request.propertyDependencies
        object.__setattr__(self, "uses", {key: tuple(sorted(each.urns)) for key, each in below.items() if each.urns})

    @property
    def name(self) -> str:
        """The component's."""
        return str(self.request.name)

    @property
    def provider(self) -> str:
        """The explicit AWS provider, empty where there is none."""
        return str(self.request.providers.get("aws", ""))

    def child(
        self,
        type_: str,
        name: str,
        inputs: Mapping[str, Any],
        uses: Mapping[str, Iterable[str]] | None = None,
        *,
        parent: str = "",
        custom: bool = True,
        after: Iterable[str] = (),
    ) -> Registration:
        """Registers a child; `uses` maps each input to the URNs of the resources that it is made of."""
        made_of = {key: tuple(sorted(set(urns))) for key, urns in (uses or {}).items() if key in inputs}
        made_of = {key: urns for key, urns in made_of.items() if urns}
        waits = {urn for urns in made_of.values() for urn in urns} | set(after)
        options = {"provider": self.provider} if self.provider and type_.startswith("aws:") else {}
        given = {key: value for key, value in inputs.items() if value is not None}
        return self.monitor.child(
            parent or self.urn,
            type_,
            name,
            given,
            custom=custom,
            dependencies=tuple(sorted(waits)),
            property_dependencies=made_of,
            options=options,
        )

    def untold(self, handled: frozenset[str], given: Mapping[str, Any] | None = None) -> None:
        """Records a gap for each argument that is set and not read."""
        for name, value in (self.args if given is None else given).items():
            if name not in handled and is_set(value):
                self.monitor.not_modelled(self.urn, f"what {name} adds to it is not modelled")

    def is_true(self, name: str) -> bool:
        """Whether an argument that decides about children is true. An unknown one counts as false, and is a gap."""
        value = self.args.get(name)
        if value is UNKNOWN:
            self.monitor.not_modelled(self.urn, f"what it makes by {name}, which is unknown, is not seen")
            return False
        return bool(value)


def is_set(value: Any) -> bool:
    """Whether an argument has a value, as JavaScript tests it; an unknown one has."""
    return value is UNKNOWN or bool(value)


def value_or(value: Any, otherwise: Any) -> Any:
    """An argument, or what the component takes without it."""
    return value if is_set(value) else otherwise


def json_of(value: Any) -> Any:
    """A value as JSON, unknown where a part of it is."""
    return UNKNOWN if has_unknown(value) else json.dumps(value)


def id_of(of: Registration) -> Any:
    """A child's id, unknown in a preview."""
    return of.id


def registration_reference(of: Registration) -> dict[str, Any]:
    """The reference to a child resource in a component's outputs."""
    return resource_reference(of.urn, "" if of.id is UNKNOWN else of.id)


def service_role(
    making: ComponentResource, name: str, service: str, policies: Iterable[str], actions: list[str]
) -> Registration:
    """`ServiceRole`: a role, and its policies attached."""
    below = making.child("eks:index:ServiceRole", name, {}, custom=False)
    statement = {"Action": actions, "Effect": "Allow", "Principal": {"Service": [service]}}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))
    inputs = {"assumeRolePolicy": policy, "tags": making.args.get("tags")}
    role = making.child("aws:iam/role:Role", f"{name}-role", inputs, {}, parent=below.urn)
    region = making.monitor.region_of(making.provider)
    for each in policies:
        digest = sha1(f"arn:aws:iam::aws:policy/{each}".encode(), usedforsecurity=False).hexdigest()[:8]
        arn = f"arn:{InvokeAccount(region).partition}:iam::aws:policy/{each}"
        making.child(
            "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
            f"{name}-{digest}",
            {"policyArn": arn, "role": role.outputs.get("name", UNKNOWN)},
            {"role": [role.urn]},
            parent=below.urn,
        )
    return role


def security_group_rule(making: ComponentResource, name: str, group: Registration | Any, **inputs: Any) -> Registration:
    """A rule of a security group; `source` is another group."""
    source = inputs.pop("source", None)
    of = group.urn if isinstance(group, Registration) else ""
    uses = {"securityGroupId": [of] if of else []}
    if source is not None:
        inputs["sourceSecurityGroupId"] = group_id(source)
        uses["sourceSecurityGroupId"] = [source.urn]
    return making.child(
        "aws:ec2/securityGroupRule:SecurityGroupRule", name, {**inputs, "securityGroupId": group_id(group)}, uses
    )


def group_id(group: Registration) -> Any:
    """A security group's id; of a cluster the group that EKS makes for it."""
    if group.type != eks_component.CLUSTER:
        return id_of(group)
    network = group.outputs.get("vpcConfig", UNKNOWN)
    return network.get("clusterSecurityGroupId", UNKNOWN) if isinstance(network, Mapping) else UNKNOWN


def core_of(making: ComponentResource) -> ClusterCore | None:
    """The cluster that a node group is for: the component, or its `core`."""
    given = making.args.get("cluster")
    if isinstance(given, Mapping):
        found = making.monitor.known(str(given.get("cluster", "")))
        given = found.parent if found else None
    known = making.monitor.eks
    candidates = [given, *making.uses.get("cluster", ())]
    core = next((known[urn] for urn in candidates if isinstance(urn, str) and urn in known), None)
    if core is None:
        making.monitor.not_modelled(making.urn, "which cluster it is for is not known, so nothing it makes is seen")
    return core
