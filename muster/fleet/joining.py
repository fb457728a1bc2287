"""Stacks that share a cluster: the cluster's own, and those with add-ons for it (`addons-of`, `addons-in`).

What each says is judged together, as one cluster; that takes their files. Where a file is elsewhere, that is said.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from muster.fleet.description import AddonsOf, AnyKubernetes, SlurmCluster
from muster.fleet.description.addons import Addons
from muster.fleet.dotted import Path_, dotted
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.near_miss import did_you_mean

if TYPE_CHECKING:
    from muster.fleet.stack_file import StackFile

PROJECT = "muster"
"""The project that stacks of ours are in."""

Fault = tuple[Path_, Finding]
"""A path below `muster:cluster`, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The other stacks of a cluster, as far as their files are at hand, and what does not fit together."""

    cluster: "StackFile | None" = None
    """Of a stack with add-ons: the cluster's own. None where it is not at hand."""
    beside: "tuple[StackFile, ...]" = ()
    """The other stacks with add-ons for the same cluster."""
    absent: tuple[str, ...] = ()
    """Full names of those whose files are not at hand."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """What is at hand: the stack files of one folder, which are of one project and one organization."""

    folder: Path
    organization: str | None
    """None where nobody knows: outside the engine."""
    read: "Callable[[str], StackFile]"
    """Reads the stack of a name, without its own others."""

    def find(self, full: str) -> "StackFile | None":
        """The stack of a full name."""
        organization, project, stack = full.split("/")
        ours = project == PROJECT and self.organization in (None, organization)
        return self.read(stack) if ours and (self.folder / f"Pulumi.{stack}.yaml").exists() else None

    def missing(self, full: str) -> str:
        """Why a stack is not at hand."""
        organization, project, stack = full.split("/")
        if project != PROJECT:
            return f"stack {full} is of another project"
        if self.organization not in (None, organization):
            return f"stack {full} is of another organization"
        known = [file.stem.removeprefix("Pulumi.") for file in sorted(self.folder.glob("Pulumi.*.yaml"))]
        return f"there is no {self.folder / f'Pulumi.{stack}.yaml'}{did_you_mean(stack, known)}"


def join(own: "StackFile", hand: Hand) -> Joined:
    """Finds the other stacks of a cluster, and what does not fit."""
    if isinstance(own.described, AddonsOf):
        return _with_cluster(own, own.described, hand)
    if isinstance(own.described, AnyKubernetes) and own.described.addons_in:
        return _with_addons(own, own.described, hand)
    return Joined()


def _with_cluster(own: "StackFile", described: AddonsOf, hand: Hand) -> Joined:
    full = described.addons_of
    where: Path_ = ("addons-of",)
    if _is(full, own, hand):
        return Joined(faults=((where, _fault(where, f"{full} is this very stack", _NAME_CLUSTER)),))
    cluster = hand.find(full)
    if cluster is None:
        return Joined(absent=(full,))
    if isinstance(cluster.described, AddonsOf):
        got, remedy = f"{full} has no cluster, only add-ons for one", f"write addons-of: {cluster.described.addons_of}"
        return Joined(faults=((where, _fault(where, got, remedy)),))
    if isinstance(cluster.described, SlurmCluster):
        got, remedy = f"{full} is a cluster with Slurm, which has no Kubernetes", "name a stack on eks or hyperpod"
        return Joined(faults=((where, _fault(where, got, remedy)),))
    others = [each for each in cluster.described.addons_in if not _is(each, own, hand)] if cluster.described else []
    found = {each: hand.find(each) for each in others}
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    return Joined(
        cluster,
        beside,
        tuple(full for full, each in found.items() if each is None),
        tuple(_of_two_owners(own, (cluster, *beside))),
    )


def _with_addons(own: "StackFile", described: AnyKubernetes, hand: Hand) -> Joined:
    found = {full: hand.find(full) for full in described.addons_in}
    faults: list[Fault] = []
    for index, (full, each) in enumerate(found.items()):
        where: Path_ = ("addons-in", index)
        if _is(full, own, hand):
            faults.append((where, _fault(where, f"{full} is this very stack", "name the stack that has the add-ons")))
        elif each and isinstance(each.described, AnyKubernetes):
            got = f"{full} describes a cluster of its own, and has no add-ons for this one"
            faults.append((where, _fault(where, got, f"name a stack with addons-of: .../{PROJECT}/{own.stack}")))
        elif each and isinstance(each.described, AddonsOf) and not _is(each.described.addons_of, own, hand):
            got = f"{full} has add-ons of {each.described.addons_of}, not of this stack"
            remedy = f"write addons-of: .../{PROJECT}/{own.stack} there, or remove it here"
            faults.append((where, _fault(where, got, remedy)))
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    faults += _of_two_owners(own, beside)
    return Joined(None, beside, tuple(full for full, each in found.items() if each is None), tuple(faults))


_NAME_CLUSTER = "name the stack that describes the cluster"


def _is(full: str, own: "StackFile", hand: Hand) -> bool:
    organization, project, stack = full.split("/")
    return (project, stack) == (PROJECT, own.stack) and hand.organization in (None, organization)


def _of_two_owners(own: "StackFile", others: "tuple[StackFile, ...]") -> Iterator[Fault]:
    """What this stack installs, and another one of the same cluster does, too."""
    for path in paths_of(own):
        for other in others:
            if path in paths_of(other):
                yield path, installed_twice(path, f"stack {other.stack} ({other.place(path)})")


def installed_twice(path: Path_, by: str) -> Finding:
    """The words for what another stack of the same cluster installs, too."""
    got = f"{path[-1]} is installed by {by}, too"
    return _fault(path, got, "keep it in one of the two stacks: each would undo what the other does")


def paths_of(stack: "StackFile") -> tuple[Path_, ...]:
    """Where the add-ons of a stack stand in its description."""
    described = stack.described
    return () if described is None or isinstance(described, SlurmCluster) else tuple(paths(described.addons))


def paths(addons: Addons) -> Iterator[Path_]:
    """Where each of them stands below `muster:cluster`."""
    yield from (("addons", name) for name in addons.chosen)
    yield from (("addons", "charts", release) for release in addons.charts)


def together(
    cluster: AnyKubernetes, own: AnyKubernetes | AddonsOf, others: tuple[AnyKubernetes | AddonsOf, ...]
) -> AnyKubernetes:
    """A cluster with the add-ons of all its stacks, and the mirrors of the one that is looked at."""
    every = [own.addons, *(each.addons for each in others)]
    named = {name: options for addons in every for name, options in _by_field(addons)}
    charts = {release: chart for addons in every for release, chart in addons.charts.items()}
    return cluster.model_copy(
        update={
            "addons": Addons().model_copy(update={**named, "charts": charts}),
            "chart_mirror": own.chart_mirror,
            "image_mirror": own.image_mirror,
        }
    )


def _by_field(addons: Addons) -> Iterator[tuple[str, object]]:
    for name in type(addons).model_fields:
        if name != "charts" and getattr(addons, name) is not None:
            yield name, getattr(addons, name)


def _fault(path: Path_, got: str, remedy: str) -> Finding:
    return Finding(dotted(path), SHAPE, Level.MANDATORY, got, remedy)
