"""The stacks linked to a stack (`addons-of`, `addons-in`): a cluster and add-ons for it, described in several files."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from muster.config.description import cross_field as keys_together
from muster.config.description.addons import Addons, of_options
from muster.config.description.kubernetes_cluster import AddonsOf, KubernetesCluster
from muster.config.document import REGION_KEY, LocatedFinding, invalid_finding, locate_at
from muster.contract import Cluster
from muster.finding import Finding, KeyPath, dotted_path
from muster.message_text import did_you_mean
from muster.stack import cluster_outputs

if TYPE_CHECKING:
    from muster.stack.stack_file import StackFile

PROJECT = "muster"
"""The Pulumi project of Muster's stacks."""

Fault = tuple[KeyPath, Finding]
"""A path below `muster:cluster`, and the finding about its value."""


class LinkedStacks(NamedTuple):
    """The other stacks of a cluster whose files can be read, and the faults between them and this stack."""

    cluster: "StackFile | None" = None
    """For a stack with add-ons: the stack of the cluster. None where its file cannot be read."""
    beside: "tuple[StackFile, ...]" = ()
    """The other stacks with add-ons for the same cluster."""
    absent: tuple[str, ...] = ()
    """The full names of stacks whose files cannot be read."""
    faults: tuple[Fault, ...] = ()

    @property
    def every(self) -> "tuple[StackFile, ...]":
        """The stack of the cluster, if it is another one, and the other stacks with add-ons."""
        return (*((self.cluster,) if self.cluster else ()), *self.beside)


class StackLoader(NamedTuple):
    """Loads the stack files of one folder, which belong to one project and one organization."""

    folder: Path
    organization: str | None
    """None outside the engine, where it is unknown."""
    read: "Callable[[str], StackFile]"
    """Reads the stack of this name, without its linked stacks."""

    def find(self, full: str) -> "StackFile | None":
        """The stack of a full name (``organization/project/stack``); None where the folder does not have it."""
        organization, project, stack = full.split("/")
        ours = project == PROJECT and self.organization in (None, organization)
        return self.read(stack) if ours and (self.folder / f"Pulumi.{stack}.yaml").exists() else None

    def missing(self, full: str) -> str:
        """The reason why `find` returns None for this full name."""
        organization, project, stack = full.split("/")
        if project != PROJECT:
            return f"stack {full} belongs to another project"
        if self.organization not in (None, organization):
            return f"stack {full} belongs to another organization"
        known = [file.stem.removeprefix("Pulumi.") for file in sorted(self.folder.glob("Pulumi.*.yaml"))]
        return f"there is no {self.folder / f'Pulumi.{stack}.yaml'}{did_you_mean(stack, known)}"

    def names(self, full: str, stack: "StackFile") -> bool:
        """Whether a full name is that of a stack of the folder."""
        organization, project, name = full.split("/")
        return (project, name) == (PROJECT, stack.stack) and self.organization in (None, organization)


_ADDONS_OF: KeyPath = ("addons-of",)


def find_linked_stacks(own: "StackFile", hand: StackLoader) -> LinkedStacks:
    """The other stacks of the cluster, and the faults between them and this stack."""
    described = own.described
    if isinstance(described, KubernetesCluster):
        found = {full: hand.find(full) for full in described.addons_in}
        faults = [
            _fault(("addons-in", index), *wrong)
            for index, (full, each) in enumerate(found.items())
            if (wrong := _no_addons_for(own, full, each, hand))
        ]
        return _linked(own, None, found, faults)
    if not isinstance(described, AddonsOf):
        return LinkedStacks()
    full = described.addons_of
    cluster = None if hand.names(full, own) else hand.find(full)
    if wrong := _no_cluster_for(own, full, cluster, hand):
        return LinkedStacks(faults=(_fault(_ADDONS_OF, *wrong),))
    if cluster is None:
        return LinkedStacks(absent=(full,))
    others = cluster.described.addons_in if isinstance(cluster.described, KubernetesCluster) else ()
    return _linked(own, cluster, {each: hand.find(each) for each in others if not hand.names(each, own)}, [])


def _linked(
    own: "StackFile", cluster: "StackFile | None", found: "Mapping[str, StackFile | None]", faults: list[Fault]
) -> LinkedStacks:
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    linked = LinkedStacks(cluster, beside, tuple(full for full, each in found.items() if each is None))
    return linked._replace(faults=(*faults, *_of_two_owners(own, linked.every)))


def _no_cluster_for(
    own: "StackFile", full: str, cluster: "StackFile | None", hand: StackLoader
) -> tuple[str, str] | None:
    """Why a stack has no cluster for the add-ons of this one, and what to do; None if it has, or is not known."""
    described = cluster.described if cluster else None
    if hand.names(full, own):
        return f"{full} is this stack itself", "write the name of the stack that describes the cluster"
    if isinstance(described, AddonsOf):
        return f"{full} describes only add-ons, not a cluster", f"write addons-of: {described.addons_of}"
    if described is not None and not isinstance(described, KubernetesCluster):
        got = f"{full} describes a Slurm cluster, which has no Kubernetes"
        return got, "write the name of a stack on eks or hyperpod"
    return None


def _no_addons_for(own: "StackFile", full: str, other: "StackFile | None", hand: StackLoader) -> tuple[str, str] | None:
    """Why a stack has no add-ons for the cluster of this one, and what to do; None if it has, or is not known."""
    described, here = other.described if other else None, f".../{PROJECT}/{own.stack}"
    if hand.names(full, own):
        return f"{full} is this stack itself", "write the name of the stack that has the add-ons"
    if isinstance(described, KubernetesCluster):
        got = f"{full} describes another cluster, not add-ons for this one"
        return got, f"write the name of a stack with addons-of: {here}"
    if isinstance(described, AddonsOf) and not hand.names(described.addons_of, own):
        got = f"{full} has add-ons for {described.addons_of}, not for this stack"
        return got, f"write addons-of: {here} there, or remove it here"
    return None


def _of_two_owners(own: "StackFile", others: "tuple[StackFile, ...]") -> Iterator[Fault]:
    """A fault for each add-on that both this stack and another stack of the same cluster install."""
    for path in addon_paths_of(own):
        for other in others:
            if path in addon_paths_of(other):
                yield _installed_twice(path, f"stack {other.stack} ({other.place(path)})")


def _installed_twice(path: KeyPath, by: str) -> Fault:
    got = f"{by} also installs {path[-1]}"
    return _fault(path, got, "keep it in only one of the two stacks: each would undo the changes of the other")


def _fault(path: KeyPath, got: str, remedy: str) -> Fault:
    return path, invalid_finding(dotted_path(path), got, remedy)


def addon_paths_of(stack: "StackFile") -> tuple[KeyPath, ...]:
    """The paths of a stack's add-ons in its description."""
    described = stack.described
    return tuple(addon_paths(described.addons)) if isinstance(described, KubernetesCluster | AddonsOf) else ()


def addon_paths(addons: Addons) -> Iterator[KeyPath]:
    """The path of each add-on below `muster:cluster`."""
    yield from (("addons", name) for name in addons.chosen)
    yield from (("addons", "charts", release) for release in addons.charts)


def merge_addons(
    cluster: KubernetesCluster, own: KubernetesCluster | AddonsOf, others: tuple[KubernetesCluster | AddonsOf, ...]
) -> KubernetesCluster:
    """The cluster with the add-ons of all its stacks, and the mirrors of `own`."""
    every = [own.addons, *(each.addons for each in others)]
    named = of_options({name: options for addons in every for name, options in addons.chosen.items()})
    charts = {release: chart for addons in every for release, chart in addons.charts.items()}
    return cluster.model_copy(
        update={
            "addons": named.model_copy(update={"charts": charts}),
            "chart_mirror": own.chart_mirror,
            "image_mirror": own.image_mirror,
        }
    )


def addon_faults_on_cluster(own: "StackFile", cluster: "StackFile") -> Iterator[LocatedFinding]:
    """The faults of add-ons on the cluster of another stack file; none if either file itself has faults."""
    if isinstance(own.described, AddonsOf) and isinstance(cluster.described, KubernetesCluster):
        yield from _addon_faults(own, cluster.given)


def _addon_faults(own: "StackFile", cluster: Mapping[str, Any]) -> Iterator[LocatedFinding]:
    for path, got, remedy in keys_together.addon_faults(cluster, own.given):
        yield own.locate_fault(_fault(path, got, remedy))


def addon_faults_on_outputs(own: "StackFile", outputs: Cluster) -> Iterator[LocatedFinding]:
    """The faults of add-ons on a cluster that is known by its outputs."""
    assert own.described is not None
    _, faults = cluster_outputs.to_description(outputs)
    for _, finding in faults:
        got = f"this Muster cannot read the outputs of the cluster's stack: {finding.where}: {finding.got}"
        yield own.locate_fault(_fault(_ADDONS_OF, got, "use the Muster version that deployed the cluster"))
    theirs = {("addons", name) for name in outputs.addons} | {("addons", "charts", name) for name in outputs.charts}
    for path in addon_paths_of(own):
        if path in theirs:
            yield own.locate_fault(_installed_twice(path, "the stack of the cluster"))
    yield from _addon_faults(own, cluster_outputs.to_raw_description(outputs))
    yield from region_mismatch(own, outputs.region)


def region_mismatch(own: "StackFile", region: str) -> Iterator[LocatedFinding]:
    """A fault if the stack of add-ons is in another Region than its cluster."""
    if region and own.region and region != own.region:
        got = f"the cluster is in {region}, but this stack sets '{own.region}'"
        yield locate_at(
            own.document, ("config", REGION_KEY), invalid_finding(REGION_KEY, got, f"write aws:region: {region}")
        )
