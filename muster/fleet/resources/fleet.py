"""All resources that rules judge, and the facts of the account."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import PurePath
from typing import Any, TypeVar

from muster.config.description.base import EKS, HYPERPOD, HYPERPOD_SLURM, PARALLELCLUSTER, PCS
from muster.config.placeholders import is_placeholder
from muster.edits import PULUMI, Terms
from muster.fleet.facts import ClusterFacts, Facts, FileSystemFacts, ImageFacts, ReservationFacts
from muster.fleet.resource_references import ResourceKind, ResourceReference, resource_exists
from muster.fleet.resources.ec2 import (
    CapacityBlockPurchase,
    CapacityReservation,
    CountedResource,
    LaunchTemplate,
    NodeRole,
    PlacementGroup,
    ReservationGroup,
    SecurityGroup,
)
from muster.fleet.resources.eks import (
    AccessEntry,
    AccessPolicyGrant,
    Addon,
    ControlPlane,
    EksAddon,
    NodeGroup,
    PodOwner,
)
from muster.fleet.resources.hyperpod import (
    HyperPodCluster,
    InstanceGroup,
    LifecycleBundle,
    SlurmHyperPodCluster,
    TrackingServer,
)
from muster.fleet.resources.parallelcluster import (
    ClosedTemplate,
    ComputeResource,
    HeadNode,
    LoginPool,
    ParallelCluster,
    Queue,
)
from muster.fleet.resources.pcs import ComputeNodeGroup, PcsCluster, PcsQueue
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.fleet.resources.storage import LustreFileSystem, SharedFileSystem
from muster.fleet.resources.task_governance import ComputeQuota
from muster.fleet.stack_uses import StackUses
from muster.hardware.catalogue import Hardware, UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.hardware.zones import ZONE_ID
from muster.message_text import count_noun
from muster.unknown import UNKNOWN, NotKnown, UnknownType, if_known, stored

_NAME = re.compile(r"[\w./:-]+")
"""An id or a placeholder in a text."""

Judged = (
    AccessEntry
    | AccessPolicyGrant
    | Addon
    | CapacityBlockPurchase
    | CapacityReservation
    | ClosedTemplate
    | ComputeNodeGroup
    | ComputeQuota
    | ComputeResource
    | ControlPlane
    | CountedResource
    | EksAddon
    | HeadNode
    | HyperPodCluster
    | InstanceGroup
    | LaunchTemplate
    | LifecycleBundle
    | LoginPool
    | LustreFileSystem
    | NodeGroup
    | NodeRole
    | ParallelCluster
    | PcsCluster
    | PcsQueue
    | PlacementGroup
    | PodOwner
    | Queue
    | ReservationGroup
    | SecurityGroup
    | SharedFileSystem
    | SlurmHyperPodCluster
    | TrackingServer
)
T = TypeVar("T", bound=Judged)
F = TypeVar("F")

PROGRAM_ONLY = (NodeRole,)
"""Resources of which a blueprint has only what the description says, or none: the rest is read from what a program
registers."""

AnyGroup = NodeGroup | InstanceGroup | ComputeResource | ComputeNodeGroup
"""A group of nodes, whichever service runs it."""

WholeCluster = ControlPlane | ParallelCluster | PcsCluster | SlurmHyperPodCluster
"""What stands for a cluster as a whole, whichever service runs it. Rules about its network and its account judge it."""

KubernetesGroup = NodeGroup | InstanceGroup
"""A group of nodes of Kubernetes: pods land on no other."""

Ec2Group = NodeGroup | ComputeResource | ComputeNodeGroup
"""A group whose instances the account launches itself: from reservations and Capacity Blocks of EC2."""

TemplateGroup = NodeGroup | ComputeNodeGroup
"""A group whose instances EC2 launches from a launch template of the account."""

_OF_STACKS = ("stacks", "facts")
"""The folder of what preflights write: facts that a configuration names are another team's."""

_BACKEND_RESOURCES: Mapping[str, tuple[type[Judged], ...]] = {
    HYPERPOD: (ComputeQuota,),  # quotas are for clusters with EKS
    PARALLELCLUSTER: (ParallelCluster, ClosedTemplate),
    PCS: (PcsCluster, ComputeNodeGroup),
}
"""Backend -> things that are only there."""


@dataclass(frozen=True, slots=True)
class Subnet:
    """What is known of a subnet, from the description and from AWS."""

    id: str
    declared_at: str = ""
    """Where the description names it: ``network.existing.private.us-west-2a``."""
    declared_zone: str | None = None
    observed_zone: str | None = None
    zone_id: str | None = None
    """By AWS's answer, else as declared."""
    declared_zone_id: str | None = None
    public: bool = False
    """Whether the description lists it as public."""
    map_public_ip: bool | None = None
    free_addresses: int | None = None
    """Addresses that instances and pods can still have."""
    created: bool = False
    """Whether the program makes it."""
    cidr: str | None = None
    """Its addresses, of one that the program makes."""
    place: Place | None = field(default=None, compare=False)
    """The resource of a program."""

    @property
    def zone(self) -> str | None:
        """The declared zone before the observed one: `subnet-zone-as-declared` reports where the two differ, once. An
        id in the place of a name, which that rule reports too, is none."""
        is_id = self.declared_zone and ZONE_ID.fullmatch(self.declared_zone)
        return self.observed_zone if is_id else self.declared_zone or self.observed_zone


@dataclass(frozen=True)
class Fleet:
    """The judged things of one program, by type."""

    objects: tuple[Judged, ...]
    subnets: Mapping[str, Subnet] = field(default_factory=dict)
    facts: Facts | None = None
    facts_file: str = ""
    """Where facts of this stack are looked for, to be named where one is missing."""
    region: str | None = None
    as_of: date = date.min
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """URN -> why a resource could not be read. This is a bug in Muster, and never counts as a pass."""
    unanswered: int | None = None
    """The number of queries that AWS did not answer in this run; None where it was not queried."""
    absent: tuple[str, ...] = ()
    """Why stacks that have more add-ons for the cluster are not known."""
    backend: str | None = None
    """The description's; None of another program."""
    named: tuple[ResourceReference, ...] = ()
    """What the description names of the account; nothing of another program."""
    terms: Terms = PULUMI
    """How the document names properties."""
    allowed_accounts: tuple[str, ...] = ()
    """The accounts that the stack may be deployed to (`aws:allowedAccountIds`); empty where it lists none."""
    uses: StackUses = field(default_factory=StackUses)
    """What the stack takes of its account, if it is judged beside others."""
    beside: tuple[StackUses, ...] = ()
    """What the other stacks of the run take."""

    @cached_property
    def backends(self) -> frozenset[str]:
        """Whose nodes these are: the description's, else what is there. A program may have nodes of several; one
        without any is taken for EKS's."""
        if self.backend is not None:
            return frozenset({self.backend})
        others = {name for name, kinds in _BACKEND_RESOURCES.items() if any(map(self.of, kinds))}
        clusters = self.of(HyperPodCluster)
        others |= {HYPERPOD_SLURM if isinstance(each, SlurmHyperPodCluster) else HYPERPOD for each in clusters}
        if self.of(InstanceGroup) and not clusters:
            others.add(HYPERPOD)
        # A template of which nothing is known may make a cluster, beside whatever else there is.
        surely = others if self.of(ParallelCluster) else others - {PARALLELCLUSTER}
        eks = {EKS} if not surely or self.of(NodeGroup) or self._templates_of_eks else set[str]()
        return frozenset(others | eks)

    @property
    def _templates_of_eks(self) -> bool:
        """Whether a launch template may be of nodes of EKS: one that no compute node group of PCS has. A program with
        such groups and without a cluster of EKS has no template for EKS."""
        of_pcs = {stored(group, "template") for group in self.of(ComputeNodeGroup)}
        if of_pcs and not self.of(ControlPlane):
            return False
        return any(template.ref not in of_pcs for template in self.of(LaunchTemplate))

    @cached_property
    def groups(self) -> tuple[AnyGroup, ...]:
        """All groups of nodes."""
        return (*self.kubernetes_groups, *self.of(ComputeResource), *self.of(ComputeNodeGroup))

    @cached_property
    def _by_first_subnet(self) -> Mapping[str, list[tuple[int, AnyGroup]]]:
        """A rule looks up the groups beside every group."""
        found: dict[str, list[tuple[int, AnyGroup]]] = {}
        for index, group in enumerate(self.groups):
            if subnets := stored(group, "subnets", ()):
                found.setdefault(str(subnets[0]), []).append((index, group))
        return found

    def groups_beginning_in(self, subnets: Iterable[str]) -> tuple[AnyGroup, ...]:
        """The groups whose first subnet is one of these, in the order of `groups`."""
        found = [each for subnet in subnets for each in self._by_first_subnet.get(subnet, ())]
        return tuple(group for _, group in sorted(found, key=lambda each: each[0]))

    @cached_property
    def has_training(self) -> bool:
        """Whether a program has a training cluster: HyperPod, ParallelCluster, reserved capacity, nodes with
        accelerators or EFA, or nodes of a type that is not known. A cluster without node groups may have them
        elsewhere."""
        kinds = (HyperPodCluster, ParallelCluster, PcsCluster, CapacityReservation, CapacityBlockPurchase)
        if any(map(self.of, kinds)) or (self.of(ControlPlane) and not self.groups):
            return True
        templates = self.of(LaunchTemplate)
        used = {if_known(lambda: self.instance_of(group), UNKNOWN) for group in self.groups}
        used |= {stored(each, "instance") for each in templates}
        return any(map(may_train, used)) or any(each.efa_interfaces for each in templates)

    @cached_property
    def kubernetes_groups(self) -> tuple[KubernetesGroup, ...]:
        """All groups of nodes that pods can be on."""
        return (*self.of(NodeGroup), *self.of(InstanceGroup))

    @cached_property
    def ec2_groups(self) -> tuple[Ec2Group, ...]:
        """All groups whose instances the account launches itself."""
        return (*self.of(NodeGroup), *self.of(ComputeResource), *self.of(ComputeNodeGroup))

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """All resources of one type. Rules call this for each resource: without the cache, a thousand resources need a
        million comparisons."""
        if kind not in self._by_kind:
            self._by_kind[kind] = tuple(thing for thing in self.objects if isinstance(thing, kind))
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> dict[type, tuple[Any, ...]]:
        return {}

    def having(self, kind: type[T], field: str, value: object) -> Sequence[T]:
        """All resources of one type whose field has this value. Rules look for those that are alike: a search for each
        resource would need a million comparisons for a thousand resources."""
        if (kind, field) not in self._by_field:
            index: dict[object, list[Any]] = {}
            for each in self.of(kind):
                index.setdefault(stored(each, field), []).append(each)
            self._by_field[kind, field] = index
        return self._by_field[kind, field].get(value, ())

    @cached_property
    def _by_field(self) -> dict[tuple[type, str], dict[object, list[Any]]]:
        return {}

    @cached_property
    def derivable(self) -> tuple[Judged, ...]:
        """Everything that a blueprint also has."""
        return tuple(thing for thing in self.objects if not isinstance(thing, PROGRAM_ONLY))

    @cached_property
    def witnessed(self) -> tuple[Judged, ...]:
        """Everything that no blueprint has."""
        return tuple(thing for thing in self.objects if isinstance(thing, PROGRAM_ONLY))

    @cached_property
    def _by_ref(self) -> Mapping[Reference, Judged]:
        return {thing.ref: thing for thing in self.objects}

    def find(self, kind: type[T], ref: object) -> T | None:
        """The thing that a reference names, None where it is not of this program."""
        thing = self._by_ref.get(ref) if isinstance(ref, Reference) else None
        return thing if isinstance(thing, kind) else None

    def template_of(self, group: TemplateGroup) -> LaunchTemplate | None:
        """The launch template of a node group, None where it has none or one from elsewhere."""
        return self.find(LaunchTemplate, group.template)

    def groups_of(self, template: LaunchTemplate) -> Iterator[TemplateGroup]:
        """The node groups launched from a template."""
        return iter(self._by_template.get(template.ref, ()))

    @cached_property
    def _by_template(self) -> Mapping[Ref, list[TemplateGroup]]:
        """A dozen rules look up the groups of every template."""
        found: dict[Ref, list[TemplateGroup]] = {}
        groups: tuple[TemplateGroup, ...] = (*self.of(NodeGroup), *self.of(ComputeNodeGroup))
        for group in groups:
            template = stored(group, "template")
            if isinstance(template, Ref):
                found.setdefault(template, []).append(group)
        return found

    def instance_of(self, group: AnyGroup) -> str | None:
        """The instance type of a group, by EC2's name: the first of its list, or its template's."""
        if group.instance_types:
            return group.instance_types[0].removeprefix(ML)
        template = self.template_of(group) if isinstance(group, TemplateGroup) else None
        return template.instance if template else None

    def hardware_of(self, template: LaunchTemplate) -> Hardware:
        """The catalog row for a template: by its instance type, otherwise by the types of its groups. The types that a
        self-managed group lists have precedence over the template's. Of several types, the one with the fewest network
        cards and EFA interfaces, because the template must fit all of them.

        Raises:
            NotKnown: no type is known, or one of them is not in the catalog.
        """
        groups = list(self.groups_of(template))
        named = {each for group in groups for each in group.instance_types}
        elsewhere = bool(groups) and all(group.instance_types and not group.managed for group in groups)
        if not elsewhere and template.instance is not None:
            named.add(template.instance)
        if not named:
            raise NotKnown("the instance type")
        return min(map(machine, sorted(named)), key=lambda each: (each.network_cards, each.max_efa))

    def zones_of(self, subnets: tuple[Reference, ...]) -> frozenset[str] | None:
        """The zones of subnets, None as soon as one of them is not known."""
        zones = [self.subnets[subnet].zone if subnet in self.subnets else None for subnet in map(str, subnets)]
        return None if None in zones else frozenset(zone for zone in zones if zone)

    def subnets_of(self, references: tuple[Reference, ...]) -> tuple[Subnet, ...]:
        """What is known of subnets."""
        return tuple(self.subnets.get(str(each), Subnet(str(each))) for each in references)

    def gone(self, kind: ResourceKind, id: object) -> bool:
        """Whether the description names the resource, and AWS does not have it: only `named-things-exist` judges it."""
        return (kind, id) in self._gone

    @cached_property
    def _gone(self) -> frozenset[tuple[ResourceKind, object]]:
        found = [each for each in self.named if resource_exists(each, self.facts) is False]
        blocks = {(ResourceKind.RESERVATION, each.id) for each in found if each.kind is ResourceKind.CAPACITY_BLOCK}
        return frozenset({(each.kind, each.id) for each in found} | blocks)

    def reservation_facts(self, reservation: str) -> ReservationFacts | None:
        """AWS's facts of a reservation."""
        return self.facts.reservations.get(reservation) if self.facts else None

    def file_system_facts(self, id: str | None) -> FileSystemFacts:
        """AWS's facts of a file system; none where it was not queried."""
        return self.facts.file_systems.get(id or "", FileSystemFacts()) if self.facts else FileSystemFacts()

    def cluster_facts(self, name: str | None) -> ClusterFacts:
        """AWS's facts of an existing EKS cluster; none where it was not queried."""
        return self.facts.clusters.get(name or "", ClusterFacts()) if self.facts else ClusterFacts()

    def image_facts(self, id: str) -> ImageFacts | None:
        """AWS's facts of a custom AMI."""
        return self.facts.images.get(id) if self.facts else None

    def need(self, fact: F | None, what: str) -> F:
        """A fact of the account.

        Raises:
            NotKnown: it is missing; with how to get it.
        """
        if fact is None:
            raise NotKnown(self.missing(what))
        return fact

    def missing(self, what: str) -> str:
        """The text for a missing fact, and how to get it."""
        open_ = [*dict.fromkeys(name for each in _NAME.findall(what) if is_placeholder(name := each.rstrip(".:")))]
        query = f"run `{self.preflight}` to query AWS" if self.preflight and self.unanswered is None else ""
        if open_:
            noun = "placeholder" if len(open_) == 1 else "placeholders"
            return f"{what} (replace the {noun} {' and '.join(open_)}{f'; then {query}' if query else ''})"
        if self.unanswered:
            return f"{what} (AWS did not answer {count_noun(self.unanswered, 'query', 'queries')})"
        where = f" in {self.facts_file}" if self.facts_file else ""
        return f"{what}{where} ({query or '`muster schema facts` prints the format of facts'})"

    @property
    def preflight(self) -> str:
        """The command that queries AWS for the facts of this stack; empty for another team's."""
        file = PurePath(self.facts_file)
        if file.parts[-3:-1] == _OF_STACKS:
            return f"muster preflight {file.stem} --save"
        beside = self.backend is not None and file.parent.name == _OF_STACKS[1]  # of a stack file in another folder
        return f"muster preflight {file.parent.parent / f'Pulumi.{file.stem}.yaml'} --save" if beside else ""


def machine(instance: str) -> Hardware:
    """The catalog row of a type.

    Raises:
        NotKnown: the catalog does not have it.
    """
    try:
        return hardware(instance)
    except UnknownInstance:
        raise NotKnown(f"the hardware of {instance}, which Muster does not know") from None


def may_train(instance: str | UnknownType | None) -> bool:
    """Whether a type has accelerators or EFA, as far as Muster knows it; a type that is not known yet may."""
    if instance is None:
        return False
    if instance is UNKNOWN:
        return True
    found = if_known(lambda: machine(instance.removeprefix(ML)))
    return found is not None and (found.accelerators > 0 or found.max_efa > 0)
