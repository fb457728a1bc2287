"""A component of pulumi-eks while it is constructed: its arguments, its cluster, and the children that all components
have.

From pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK uses): `servicerole.ts`, `cluster/cluster.ts`.
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
    """Receives registrations."""

    preview: bool
    eks: "dict[str, ClusterCore]"

    def child(self, parent: str, type_: str, name: str, inputs: Mapping[str, Any], **more: Any) -> Registration:
        """Registers a resource below a component."""

    def known(self, urn: str) -> Registration | None:
        """The resource with a URN, which was registered or read."""

    def region_of(self, provider: str) -> str:
        """The Region of a provider."""

    def not_modelled(self, where: str, missing: str) -> None:
        """Records a gap."""


@dataclass(frozen=True, slots=True)
class ClusterCore:
    """The data about a cluster component that its node groups need."""

    urn: str
    args: Mapping[str, Any]
    uses: Mapping[str, tuple[str, ...]]
    """Argument -> the resources that it depends on."""
    vpc: Any
    subnets: Any
    cluster: Registration
    group: Registration | None
    """The security group of the control plane; None if EKS creates it."""
    node_group: Registration | None
    """The security group of the nodes."""
    profile: Registration | None
    access: tuple[str, ...]
    """The resources that node groups wait for."""

    def subnet_uses(self) -> tuple[str, ...]:
        """The resources that its subnets depend on."""
        names = ("subnetIds", "publicSubnetIds", "privateSubnetIds")
        return tuple(sorted({urn for name in names for urn in self.uses.get(name, ())}))


@dataclass(frozen=True, slots=True)
class ComponentResource:
    """A component while it is constructed."""

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
        """The explicit AWS provider; empty if there is none."""
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
        """Registers a child; `uses` maps each input to the URNs of the resources that it depends on."""
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

    def record_unread(self, handled: frozenset[str], given: Mapping[str, Any] | None = None) -> None:
        """Records a gap for each argument that is set but not read."""
        for name, value in (self.args if given is None else given).items():
            if name not in handled and is_set(value):
                self.monitor.not_modelled(self.urn, f"the effect of the argument {name}, which Muster does not model")

    def is_true(self, name: str) -> bool:
        """Whether an argument is true that creates children. An unknown argument counts as false, and is a gap."""
        value = self.args.get(name)
        if value is UNKNOWN:
            self.monitor.not_modelled(self.urn, f"the resources that depend on {name}, whose value is unknown")
            return False
        return bool(value)


def is_set(value: Any) -> bool:
    """Whether an argument has a value, as JavaScript tests it; unknown counts as a value."""
    return value is UNKNOWN or bool(value)


def value_or(value: Any, otherwise: Any) -> Any:
    """An argument, or its default if it is not set."""
    return value if is_set(value) else otherwise


def json_of(value: Any) -> Any:
    """A value as JSON; unknown if a part of it is unknown."""
    return UNKNOWN if has_unknown(value) else json.dumps(value)


def id_of(of: Registration) -> Any:
    """The id of a child; unknown in a preview."""
    return of.id


def registration_reference(of: Registration) -> dict[str, Any]:
    """The reference to a child resource in a component's outputs."""
    return resource_reference(of.urn, "" if of.id is UNKNOWN else of.id)


def service_role(
    making: ComponentResource, name: str, service: str, policies: Iterable[str], actions: list[str]
) -> Registration:
    """`ServiceRole`: a role with attached policies."""
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
    """Registers a rule of a security group; `source` is another group."""
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
    """The id of a security group; for a cluster, the id of the group that EKS creates for it."""
    if group.type != eks_component.CLUSTER:
        return id_of(group)
    network = group.outputs.get("vpcConfig", UNKNOWN)
    return network.get("clusterSecurityGroupId", UNKNOWN) if isinstance(network, Mapping) else UNKNOWN


def core_of(making: ComponentResource) -> ClusterCore | None:
    """The cluster of a node group, given as the component or as its `core`."""
    given = making.args.get("cluster")
    if isinstance(given, Mapping):
        found = making.monitor.known(str(given.get("cluster", "")))
        given = found.parent if found else None
    known = making.monitor.eks
    candidates = [given, *making.uses.get("cluster", ())]
    core = next((known[urn] for urn in candidates if isinstance(urn, str) and urn in known), None)
    if core is None:
        making.monitor.not_modelled(making.urn, "the cluster of this component, and so the resources that it creates")
    return core
