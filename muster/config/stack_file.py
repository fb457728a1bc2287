"""One stack file with the stacks linked to it (`addons-of`, `addons-in`): read, validated, every fault with its
position."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.blueprint.kubernetes import Blueprint
from muster.config import cluster_outputs
from muster.config.description import cross_field as keys_together
from muster.config.description.addons import Addons
from muster.config.description.cluster import Suppression
from muster.config.description.kubernetes_cluster import AddonsOf, KubernetesCluster
from muster.config.description.root import Description, model_of
from muster.config.document import (
    ACCOUNTS_KEY,
    CLUSTER_PATH,
    POLICIES_PATH,
    REGION_KEY,
    Document,
    LocatedFinding,
    invalid_finding,
    locate_at,
    locate_given,
    parse,
    read,
    value_at,
)
from muster.config.stack_checks import load_facts, name_faults, region_and_faults, region_finding
from muster.config.validation import validate
from muster.contract import Cluster
from muster.finding import SHAPE, Finding, KeyPath, Level, dotted_path, parse_dotted_path
from muster.fleet.facts import Facts
from muster.message_text import did_you_mean

PROJECT = "muster"
"""The project that stacks of ours are in."""

Fault = tuple[KeyPath, Finding]
"""A path below `muster:cluster`, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class LinkedStacks:
    """The other stacks of a cluster, as far as their files are at hand, and what does not fit together."""

    cluster: "StackFile | None" = None
    """Of a stack with add-ons: the cluster's own. None where it is not at hand."""
    beside: "tuple[StackFile, ...]" = ()
    """The other stacks with add-ons for the same cluster."""
    absent: tuple[str, ...] = ()
    """Full names of those whose files are not at hand."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class StackLoader:
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


def find_linked_stacks(own: "StackFile", hand: StackLoader) -> LinkedStacks:
    """Finds the other stacks of a cluster, and what does not fit."""
    if isinstance(own.described, AddonsOf):
        return _with_cluster(own, own.described, hand)
    if isinstance(own.described, KubernetesCluster) and own.described.addons_in:
        return _with_addons(own, own.described, hand)
    return LinkedStacks()


def _with_cluster(own: "StackFile", described: AddonsOf, hand: StackLoader) -> LinkedStacks:
    full = described.addons_of
    where: KeyPath = ("addons-of",)
    if _names_stack(full, own, hand):
        return LinkedStacks(faults=((where, _fault(where, f"{full} is this very stack", _NAME_CLUSTER)),))
    cluster = hand.find(full)
    if cluster is None:
        return LinkedStacks(absent=(full,))
    if isinstance(cluster.described, AddonsOf):
        got, remedy = f"{full} has no cluster, only add-ons for one", f"write addons-of: {cluster.described.addons_of}"
        return LinkedStacks(faults=((where, _fault(where, got, remedy)),))
    if cluster.described is not None and not isinstance(cluster.described, KubernetesCluster):
        got, remedy = f"{full} is a cluster with Slurm, which has no Kubernetes", "name a stack on eks or hyperpod"
        return LinkedStacks(faults=((where, _fault(where, got, remedy)),))
    others = (
        [each for each in cluster.described.addons_in if not _names_stack(each, own, hand)] if cluster.described else []
    )
    found = {each: hand.find(each) for each in others}
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    return LinkedStacks(
        cluster,
        beside,
        tuple(full for full, each in found.items() if each is None),
        tuple(_of_two_owners(own, (cluster, *beside))),
    )


def _with_addons(own: "StackFile", described: KubernetesCluster, hand: StackLoader) -> LinkedStacks:
    found = {full: hand.find(full) for full in described.addons_in}
    faults: list[Fault] = []
    for index, (full, each) in enumerate(found.items()):
        where: KeyPath = ("addons-in", index)
        if _names_stack(full, own, hand):
            faults.append((where, _fault(where, f"{full} is this very stack", "name the stack that has the add-ons")))
        elif each and isinstance(each.described, KubernetesCluster):
            got = f"{full} describes a cluster of its own, and has no add-ons for this one"
            faults.append((where, _fault(where, got, f"name a stack with addons-of: .../{PROJECT}/{own.stack}")))
        elif each and isinstance(each.described, AddonsOf) and not _names_stack(each.described.addons_of, own, hand):
            got = f"{full} has add-ons of {each.described.addons_of}, not of this stack"
            remedy = f"write addons-of: .../{PROJECT}/{own.stack} there, or remove it here"
            faults.append((where, _fault(where, got, remedy)))
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    faults += _of_two_owners(own, beside)
    return LinkedStacks(None, beside, tuple(full for full, each in found.items() if each is None), tuple(faults))


_NAME_CLUSTER = "name the stack that describes the cluster"


def _names_stack(full: str, own: "StackFile", hand: StackLoader) -> bool:
    organization, project, stack = full.split("/")
    return (project, stack) == (PROJECT, own.stack) and hand.organization in (None, organization)


def _of_two_owners(own: "StackFile", others: "tuple[StackFile, ...]") -> Iterator[Fault]:
    """What this stack installs, and another one of the same cluster does, too."""
    for path in addon_paths_of(own):
        for other in others:
            if path in addon_paths_of(other):
                yield path, duplicate_addon(path, f"stack {other.stack} ({other.place(path)})")


def duplicate_addon(path: KeyPath, by: str) -> Finding:
    """The words for what another stack of the same cluster installs, too."""
    got = f"{path[-1]} is installed by {by}, too"
    return _fault(path, got, "keep it in one of the two stacks: each would undo what the other does")


def addon_paths_of(stack: "StackFile") -> tuple[KeyPath, ...]:
    """Where the add-ons of a stack stand in its description."""
    described = stack.described
    return tuple(addon_paths(described.addons)) if isinstance(described, KubernetesCluster | AddonsOf) else ()


def addon_paths(addons: Addons) -> Iterator[KeyPath]:
    """Where each of them stands below `muster:cluster`."""
    yield from (("addons", name) for name in addons.chosen)
    yield from (("addons", "charts", release) for release in addons.charts)


def merge_addons(
    cluster: KubernetesCluster, own: KubernetesCluster | AddonsOf, others: tuple[KubernetesCluster | AddonsOf, ...]
) -> KubernetesCluster:
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


def _fault(path: KeyPath, got: str, remedy: str) -> Finding:
    return Finding(dotted_path(path), SHAPE, Level.MANDATORY, got, remedy)


def addon_faults_on_cluster(own: "StackFile", cluster: "StackFile") -> Iterator[LocatedFinding]:
    """What does not fit in add-ons for a cluster that is described, where both can be read by themselves."""
    if isinstance(own.described, AddonsOf) and isinstance(cluster.described, KubernetesCluster):
        yield from _addon_faults(own, cluster.given)


def _addon_faults(own: "StackFile", cluster: Mapping[str, Any]) -> Iterator[LocatedFinding]:
    for path, got, remedy in keys_together.addon_faults(cluster, own.given):
        yield locate_given(own.document, own.given, invalid_finding(dotted_path(path), got, remedy), path)


def addon_faults_on_outputs(own: "StackFile", outputs: Cluster) -> Iterator[LocatedFinding]:
    """What does not fit in add-ons for a cluster that is known by its outputs."""
    assert own.described is not None
    _, faults = cluster_outputs.to_description(outputs)
    for _, finding in faults:
        got = f"what the cluster's stack exports is no cluster that this Muster knows: {finding.where}: {finding.got}"
        fault = invalid_finding("addons-of", got, "use the muster of the version that deployed it")
        yield locate_given(own.document, own.given, fault, ("addons-of",))
    theirs = {("addons", name) for name in outputs.addons} | {("addons", "charts", name) for name in outputs.charts}
    for path in addon_paths_of(own):
        if path in theirs:
            yield locate_given(own.document, own.given, duplicate_addon(path, "the cluster's own stack"), path)
    yield from _addon_faults(own, cluster_outputs.to_raw_description(outputs))
    yield from region_mismatch(own, outputs.region)


def region_mismatch(own: "StackFile", region: str) -> Iterator[LocatedFinding]:
    """Add-ons in another Region than their cluster."""
    if region and own.region and region != own.region:
        got = f"the cluster is in {region}, and '{own.region}' is said here"
        yield locate_at(
            own.document, ("config", REGION_KEY), invalid_finding(REGION_KEY, got, f"write aws:region: {region}")
        )


@dataclass(frozen=True, slots=True)
class StackFile:
    """What a stack file says, or why it cannot be read. `described` is None exactly when there are faults."""

    stack: str
    document: Document
    described: Description | None
    region: str
    facts: Facts | None
    facts_document: Document | None
    facts_file: Path
    faults: tuple[LocatedFinding, ...]
    given: Any = None
    """The description's plain values as they are judged: the file's, or what the engine hands over instead."""
    policies: Any = None
    """The plain values of `muster:policies`, likewise. Rules give them a form (`policies.engine.configuration`)."""
    joined: LinkedStacks = field(default_factory=LinkedStacks)
    """The other stacks of its cluster."""
    missing: tuple[str, ...] = ()
    """Why those are not at hand that are not, and what would help."""

    @property
    def knows_cluster(self) -> bool:
        """Whether its cluster is known: described here, in a file at hand, or by its outputs in the facts."""
        return self._cluster is not None or (self.facts is not None and self.facts.outputs is not None)

    @property
    def by_outputs(self) -> bool:
        """Whether its cluster is known by its outputs alone: then only what is about add-ons is judged here."""
        return self.knows_cluster and self._cluster is None

    @property
    def unknown_cluster(self) -> str:
        """What is missing where the cluster is not known, and how to give it."""
        assert isinstance(self.described, AddonsOf), "every other stack describes its own"
        return (
            f"the cluster: {'; '.join(self.missing)}, and {self.facts_file} has no outputs "
            f"(write what `pulumi stack output --json --stack {self.described.addons_of}` prints there, below outputs)"
        )

    @property
    def allowed_accounts(self) -> tuple[str, ...]:
        """The accounts that the provider may deploy to: a list, or one in JSON, as `pulumi config set` writes it."""
        return tuple(re.findall(r"\b\d{12}\b", str(value_at(self.document.data, ("config", ACCOUNTS_KEY)))))

    @property
    def suppress(self) -> tuple[Suppression, ...]:
        """What this stack takes the blame for."""
        return self.described.suppress if self.described else ()

    @property
    def suppress_of_others(self) -> tuple[Suppression, ...]:
        """What the other stacks of its cluster take the blame for."""
        return tuple(each for other in self._others for each in other.suppress)

    @property
    def _cluster(self) -> "StackFile | None":
        return self.joined.cluster if isinstance(self.described, AddonsOf) else self if self.described else None

    @property
    def _others(self) -> "tuple[StackFile, ...]":
        return (*((self.joined.cluster,) if self.joined.cluster else ()), *self.joined.beside)

    def derive(self) -> ClusterBlueprint:
        """The blueprint of what it describes; of add-ons for the cluster of another stack, that cluster with them.

        Raises:
            ValueError: it has shape faults, or its cluster is not known (`knows_cluster`).
        """
        if self.described is None:
            raise ValueError(f"{self.document.file} has faults")
        if self.by_outputs and isinstance(self.described, AddonsOf):
            return self._on_outputs(self.described)
        cluster = self._cluster
        if cluster is None or cluster.described is None or isinstance(cluster.described, AddonsOf):
            raise ValueError(f"the cluster of {self.document.file} is not known")
        if isinstance(cluster.described, KubernetesCluster):
            return self._with_addons(cluster, cluster.described)
        return derive(cluster.described, cluster.stack, cluster.region, cluster.facts, str(cluster.facts_file))

    def _with_addons(self, cluster: "StackFile", known: KubernetesCluster) -> Blueprint:
        """With what all stacks of the cluster install on it."""
        own = self.described
        assert isinstance(own, KubernetesCluster | AddonsOf)
        others = tuple(
            each.described for each in self._others if isinstance(each.described, KubernetesCluster | AddonsOf)
        )
        described = merge_addons(known, own, others) if others else known
        made = derive(described, cluster.stack, cluster.region, cluster.facts, str(cluster.facts_file))
        elsewhere = {
            ".".join(map(str, path[1:])): other.stack for other in self._others for path in addon_paths_of(other)
        }
        return replace(made, stack=self.stack, elsewhere=elsewhere, absent=self.missing)

    def _on_outputs(self, described: AddonsOf) -> Blueprint:
        assert self.facts is not None
        assert self.facts.outputs is not None
        outputs, stack = self.facts.outputs, described.addons_of.rpartition("/")[2]
        known, _ = cluster_outputs.to_description(outputs)
        if known is None:
            raise ValueError(f"the outputs of {described.addons_of} are no cluster's")
        made = cluster_outputs.to_blueprint(outputs, merge_addons(known, described, (known,)), stack)
        elsewhere = {".".join(map(str, path[1:])): stack for path in addon_paths(known.addons)}
        return replace(made, stack=self.stack, elsewhere=elsewhere, absent=(_NOT_IN_OUTPUTS,))

    def place(self, path: KeyPath) -> LocatedFinding:
        """Where a path of its description stands."""
        return locate_given(self.document, self.given, Finding(dotted_path(path), SHAPE, Level.MANDATORY, "", ""), path)

    def place_in_policies(self, path: KeyPath, finding: Finding) -> LocatedFinding:
        """Where a path of its `muster:policies` stands."""
        return locate_given(self.document, self.policies, finding, path, POLICIES_PATH)

    def with_faults(self, faults: Iterable[LocatedFinding]) -> "StackFile":
        """The same with more faults; it then describes nothing."""
        every = tuple(sorted({*self.faults, *faults}))
        return replace(self, described=None if every else self.described, faults=every)

    def locate(self, finding: Finding) -> LocatedFinding:
        """Where a rule's finding stands: the value at its path, or the nearest block around it, in the file of the
        stack that says it."""
        path = parse_dotted_path(finding.where)
        if path[:1] == FACTS_PATH and self.facts_document is not None:
            return locate_at(self.facts_document, path[1:], finding)
        owner = self._owner(path)
        return locate_given(owner.document, owner.given, finding, path)

    def _owner(self, path: KeyPath) -> "StackFile":
        """The stack whose description a path is of."""
        if path[:1] == ("addons",):
            depth = 3 if path[1:2] == ("charts",) else 2  # addons.charts.RELEASE, addons.NAME
            said = (each for each in (self, *self._others) if value_at(each.given, path[:depth]) is not None)
            return next(said, self)
        return self if path[:1] in _OWN else self._cluster or self


FACTS_PATH: KeyPath = ("facts",)
"""Where the places of findings begin that are about the facts beside a stack."""

_NOT_IN_OUTPUTS = "the cluster's outputs do not say what further stacks install on it"

_OWN = frozenset({("suppress",), ("chart-mirror",), ("image-mirror",), ("addons-of",), ("addons-in",)})
"""What each stack says of itself."""


def load(stack: str, file: Path, facts_file: Path, *, without_facts: bool = False) -> StackFile:
    """Reads a stack file, the facts beside it, and those of the other stacks of its cluster, with all faults of all.

    Args:
        stack: its name.
        file: the stack file.
        facts_file: the facts beside it.
        without_facts: whether they are left unread, for who asks AWS anew.
    """
    own = _of_document(stack, read(file), facts_file, without_facts=without_facts)
    return _with_others(own, file, facts_file, None)


def load_text(stack: str, text: str, file: Path, facts_file: Path) -> StackFile:
    """The same of a text that is not in its file yet."""
    return _with_others(_of_document(stack, parse(text, file), facts_file), file, facts_file, None)


def load_values(
    stack: str,
    given: Any,
    region: str,
    file: Path,
    facts_file: Path,
    organization: str | None = None,
    policies: Any = None,
) -> StackFile:
    """Shapes values that the engine hands over; the stack's file only lends their positions, where it says the same.

    Args:
        stack: its name.
        given: what the engine has below `muster:cluster`.
        region: what it has as `aws:region`.
        file: the stack's file.
        facts_file: the facts beside it.
        organization: the engine's; files at hand are of stacks in it.
        policies: what it has below `muster:policies`.
    """
    document = read(file)
    described, shaped = validate(model_of(given), given)
    shaped += name_faults(stack, given)
    faults = [locate_given(document, given, finding, path) for path, finding in shaped]
    if wrong := region_finding(region):
        faults.append(locate_at(document, ("config", REGION_KEY), wrong))
    facts, facts_document, facts_faults = load_facts(facts_file)
    own = StackFile(
        stack=stack,
        document=document,
        described=None if faults or facts_faults else described,
        region=region,
        facts=facts,
        facts_document=facts_document,
        facts_file=facts_file,
        faults=tuple(sorted({*faults, *facts_faults})),
        given=given,
        policies=policies,
    )
    return _with_others(own, file, facts_file, organization)


def _of_document(stack: str, document: Document, facts_file: Path, *, without_facts: bool = False) -> StackFile:
    faults = [LocatedFinding(document.file, position, finding) for _, position, finding in document.faults]
    described, region = None, ""
    if document.values_at:
        region, found = region_and_faults(document)
        faults += found
        data = value_at(document.data, CLUSTER_PATH)
        if data is not None:
            described, shaped = validate(model_of(data), data)
            shaped += name_faults(stack, data)
            unread = {path for path, _, _ in document.faults}
            faults += [
                locate_at(document, CLUSTER_PATH + path, finding)
                for path, finding in shaped
                if CLUSTER_PATH + path not in unread  # what cannot be read is not told as missing as well
            ]
    facts, facts_document, facts_faults = (None, None, []) if without_facts else load_facts(facts_file)
    faults += facts_faults
    return StackFile(
        stack=stack,
        document=document,
        described=None if faults else described,
        region=region,
        facts=facts,
        facts_document=facts_document,
        facts_file=facts_file,
        faults=tuple(sorted(set(faults))),
        given=value_at(document.data, CLUSTER_PATH),
        policies=value_at(document.data, POLICIES_PATH),
    )


def _with_others(own: StackFile, file: Path, facts_file: Path, organization: str | None) -> StackFile:
    """A stack with the others of its cluster, and with their faults: what several say is judged as one."""
    folder = file.parent

    def read_stack(name: str) -> StackFile:
        return _of_document(name, read(folder / f"Pulumi.{name}.yaml"), facts_file.parent / f"{name}.json")

    hand = StackLoader(folder, organization, read_stack)
    joined = find_linked_stacks(own, hand)
    others = (*((joined.cluster,) if joined.cluster else ()), *joined.beside)
    faults = {*own.faults, *(fault for other in others for fault in other.faults)}
    faults |= {locate_given(own.document, own.given, finding, path) for path, finding in joined.faults}
    if joined.cluster is not None:
        faults |= set(region_mismatch(own, joined.cluster.region))
        faults |= set(addon_faults_on_cluster(own, joined.cluster))
    elif isinstance(own.described, KubernetesCluster):
        faults |= {fault for other in joined.beside for fault in addon_faults_on_cluster(other, own)}
    elif isinstance(own.described, AddonsOf) and own.facts and own.facts.outputs:
        faults |= set(addon_faults_on_outputs(own, own.facts.outputs))
    return replace(
        own,
        described=None if faults else own.described,
        faults=tuple(sorted(faults)),
        joined=joined,
        missing=tuple(map(hand.missing, joined.absent)),
    )


def with_outputs(own: StackFile, outputs: Cluster) -> StackFile:
    """A stack of add-ons whose cluster is what that one's stack exports, whatever the files say; with what does not
    fit as faults."""
    facts = (own.facts or Facts()).model_copy(update={"outputs": outputs})
    known = replace(own, facts=facts, joined=replace(own.joined, cluster=None, beside=()))
    faults = tuple(sorted({*own.faults, *addon_faults_on_outputs(known, outputs)}))
    return replace(known, described=None if faults else own.described, faults=faults)
