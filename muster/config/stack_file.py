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
from muster.config.description.kubernetes_cluster import AddonsOf, KubernetesCluster
from muster.config.description.root import Description, model_of
from muster.config.description.suppression import Suppression
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
from muster.config.stack_checks import (
    load_facts,
    misplaced_keys,
    name_faults,
    region_and_faults,
    region_faults,
    region_finding,
)
from muster.config.validation import validate
from muster.contract import Cluster
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path, parse_dotted_path
from muster.fleet.facts import Facts
from muster.message_text import did_you_mean

PROJECT = "muster"
"""The Pulumi project of Muster's stacks."""

Fault = tuple[KeyPath, Finding]
"""A path below `muster:cluster`, and the finding about its value."""


@dataclass(frozen=True, slots=True)
class LinkedStacks:
    """The other stacks of a cluster whose files can be read, and the faults between them and this stack."""

    cluster: "StackFile | None" = None
    """For a stack with add-ons: the stack of the cluster. None where its file cannot be read."""
    beside: "tuple[StackFile, ...]" = ()
    """The other stacks with add-ons for the same cluster."""
    absent: tuple[str, ...] = ()
    """The full names of stacks whose files cannot be read."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class StackLoader:
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


def find_linked_stacks(own: "StackFile", hand: StackLoader) -> LinkedStacks:
    """The other stacks of the cluster, and the faults between them and this stack."""
    if isinstance(own.described, AddonsOf):
        return _with_cluster(own, own.described, hand)
    if isinstance(own.described, KubernetesCluster) and own.described.addons_in:
        return _with_addons(own, own.described, hand)
    return LinkedStacks()


def _with_cluster(own: "StackFile", described: AddonsOf, hand: StackLoader) -> LinkedStacks:
    full = described.addons_of
    where: KeyPath = ("addons-of",)
    if _names_stack(full, own, hand):
        return LinkedStacks(faults=((where, _fault(where, f"{full} is this stack itself", _NAME_CLUSTER)),))
    cluster = hand.find(full)
    if cluster is None:
        return LinkedStacks(absent=(full,))
    if isinstance(cluster.described, AddonsOf):
        got, remedy = f"{full} describes only add-ons, not a cluster", f"write addons-of: {cluster.described.addons_of}"
        return LinkedStacks(faults=((where, _fault(where, got, remedy)),))
    if cluster.described is not None and not isinstance(cluster.described, KubernetesCluster):
        got, remedy = (
            f"{full} describes a Slurm cluster, which has no Kubernetes",
            "write the name of a stack on eks or hyperpod",
        )
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
            faults.append(
                (
                    where,
                    _fault(where, f"{full} is this stack itself", "write the name of the stack that has the add-ons"),
                )
            )
        elif each and isinstance(each.described, KubernetesCluster):
            got = f"{full} describes another cluster, not add-ons for this one"
            faults.append(
                (where, _fault(where, got, f"write the name of a stack with addons-of: .../{PROJECT}/{own.stack}"))
            )
        elif each and isinstance(each.described, AddonsOf) and not _names_stack(each.described.addons_of, own, hand):
            got = f"{full} has add-ons for {each.described.addons_of}, not for this stack"
            remedy = f"write addons-of: .../{PROJECT}/{own.stack} there, or remove it here"
            faults.append((where, _fault(where, got, remedy)))
    beside = tuple(each for each in found.values() if each and isinstance(each.described, AddonsOf))
    faults += _of_two_owners(own, beside)
    return LinkedStacks(None, beside, tuple(full for full, each in found.items() if each is None), tuple(faults))


_NAME_CLUSTER = "write the name of the stack that describes the cluster"


def _names_stack(full: str, own: "StackFile", hand: StackLoader) -> bool:
    organization, project, stack = full.split("/")
    return (project, stack) == (PROJECT, own.stack) and hand.organization in (None, organization)


def _of_two_owners(own: "StackFile", others: "tuple[StackFile, ...]") -> Iterator[Fault]:
    """A fault for each add-on that both this stack and another stack of the same cluster install."""
    for path in addon_paths_of(own):
        for other in others:
            if path in addon_paths_of(other):
                yield path, duplicate_addon(path, f"stack {other.stack} ({other.place(path)})")


def duplicate_addon(path: KeyPath, by: str) -> Finding:
    """The finding about an add-on that another stack of the same cluster also installs."""
    got = f"{by} also installs {path[-1]}"
    return _fault(path, got, "keep it in only one of the two stacks: each would undo the changes of the other")


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
    return Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy)


def addon_faults_on_cluster(own: "StackFile", cluster: "StackFile") -> Iterator[LocatedFinding]:
    """The faults of add-ons on the cluster of another stack file; none if either file itself has faults."""
    if isinstance(own.described, AddonsOf) and isinstance(cluster.described, KubernetesCluster):
        yield from _addon_faults(own, cluster.given)


def _addon_faults(own: "StackFile", cluster: Mapping[str, Any]) -> Iterator[LocatedFinding]:
    for path, got, remedy in keys_together.addon_faults(cluster, own.given):
        yield locate_given(own.document, own.given, invalid_finding(dotted_path(path), got, remedy), path)


def addon_faults_on_outputs(own: "StackFile", outputs: Cluster) -> Iterator[LocatedFinding]:
    """The faults of add-ons on a cluster that is known by its outputs."""
    assert own.described is not None
    _, faults = cluster_outputs.to_description(outputs)
    for _, finding in faults:
        got = f"this Muster cannot read the outputs of the cluster's stack: {finding.where}: {finding.got}"
        fault = invalid_finding("addons-of", got, "use the Muster version that deployed the cluster")
        yield locate_given(own.document, own.given, fault, ("addons-of",))
    theirs = {("addons", name) for name in outputs.addons} | {("addons", "charts", name) for name in outputs.charts}
    for path in addon_paths_of(own):
        if path in theirs:
            yield locate_given(own.document, own.given, duplicate_addon(path, "the stack of the cluster"), path)
    yield from _addon_faults(own, cluster_outputs.to_raw_description(outputs))
    yield from region_mismatch(own, outputs.region)


def region_mismatch(own: "StackFile", region: str) -> Iterator[LocatedFinding]:
    """A fault if the stack of add-ons is in another Region than its cluster."""
    if region and own.region and region != own.region:
        got = f"the cluster is in {region}, but this stack sets '{own.region}'"
        yield locate_at(
            own.document, ("config", REGION_KEY), invalid_finding(REGION_KEY, got, f"write aws:region: {region}")
        )


@dataclass(frozen=True, slots=True)
class StackFile:
    """The content of a stack file, or its faults. `described` is None exactly when there are faults."""

    stack: str
    document: Document
    described: Description | None
    region: str
    facts: Facts | None
    facts_document: Document | None
    facts_file: Path
    faults: tuple[LocatedFinding, ...]
    given: Any = None
    """The description's plain values that are validated: the file's, or those that the engine passes instead."""
    policies: Any = None
    """The plain values of `muster:policies`, from there, validated by `muster.policies.engine.configuration`."""
    joined: LinkedStacks = field(default_factory=LinkedStacks)
    """The other stacks of the same cluster."""
    missing: tuple[str, ...] = ()
    """The reason why each absent linked stack cannot be read."""

    @property
    def knows_cluster(self) -> bool:
        """Whether the cluster is known: from this file, from a linked stack's file, or from its outputs in the
        facts."""
        return self._cluster is not None or (self.facts is not None and self.facts.outputs is not None)

    @property
    def by_outputs(self) -> bool:
        """Whether the cluster is known by its outputs alone: then rules judge only the add-ons."""
        return self.knows_cluster and self._cluster is None

    @property
    def unknown_cluster(self) -> str:
        """What is missing where the cluster is not known, and how to provide it."""
        assert isinstance(self.described, AddonsOf), "every other stack describes its own cluster"
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
        """The suppressions of this stack."""
        return self.described.suppress if self.described else ()

    @property
    def suppress_of_others(self) -> tuple[Suppression, ...]:
        """The suppressions of the other stacks of the cluster."""
        return tuple(each for other in self._others for each in other.suppress)

    @property
    def _cluster(self) -> "StackFile | None":
        return self.joined.cluster if isinstance(self.described, AddonsOf) else self if self.described else None

    @property
    def _others(self) -> "tuple[StackFile, ...]":
        return (*((self.joined.cluster,) if self.joined.cluster else ()), *self.joined.beside)

    def derive(self) -> ClusterBlueprint:
        """The blueprint of the description. For add-ons on another stack's cluster: of that cluster with the add-ons.

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
        """The blueprint of the cluster with the add-ons of all its stacks."""
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
            raise ValueError(f"the outputs of {described.addons_of} do not describe a cluster")
        made = cluster_outputs.to_blueprint(outputs, merge_addons(known, described, (known,)), stack)
        elsewhere = {".".join(map(str, path[1:])): stack for path in addon_paths(known.addons)}
        return replace(made, stack=self.stack, elsewhere=elsewhere, absent=(_NOT_IN_OUTPUTS,))

    def place(self, path: KeyPath) -> LocatedFinding:
        """The position of a path of the description in the file; of a path that the file does not have, the key of the
        nearest block around it."""
        absent = value_at(self.given, path) is None
        finding = Finding(dotted_path(path), SCHEMA, Level.MANDATORY, "", "", about_key=absent)
        return locate_given(self.document, self.given, finding, path)

    def place_in_policies(self, path: KeyPath, finding: Finding) -> LocatedFinding:
        """The position of a path of `muster:policies` in the file."""
        return locate_given(self.document, self.policies, finding, path, POLICIES_PATH)

    def with_faults(self, faults: Iterable[LocatedFinding]) -> "StackFile":
        """This stack file with additional faults; `described` is None if there are any."""
        every = tuple(sorted({*self.faults, *faults}))
        return replace(self, described=None if every else self.described, faults=every)

    def locate(self, finding: Finding) -> LocatedFinding:
        """The position of a rule's finding: the value at its path, or the nearest block around it, in the file of the
        stack that sets the value."""
        path = parse_dotted_path(finding.where)
        if path[:1] == FACTS_PATH and self.facts_document is not None:
            return locate_at(self.facts_document, path[1:], finding)
        owner = self._owner(path)
        return locate_given(owner.document, owner.given, finding, path)

    def _owner(self, path: KeyPath) -> "StackFile":
        """The stack whose description has the path."""
        if path[:1] == ("addons",):
            depth = 3 if path[1:2] == ("charts",) else 2  # addons.charts.RELEASE, addons.NAME
            owners = (each for each in (self, *self._others) if value_at(each.given, path[:depth]) is not None)
            return next(owners, self)
        return self if path[:1] in _OWN else self._cluster or self


FACTS_PATH: KeyPath = ("facts",)
"""The prefix of the paths of findings about a stack's facts."""

_NOT_IN_OUTPUTS = "the outputs of the cluster do not list what other stacks install on it"

_OWN = frozenset({("suppress",), ("chart-mirror",), ("image-mirror",), ("addons-of",), ("addons-in",)})
"""The keys that each stack of a cluster sets for itself."""


def _project(file: Path) -> Path:
    """The root of the project of a stack file, which no link of the file and of its facts may leave."""
    return file.absolute().parent.parent


def _read(file: Path) -> Document:
    return read(file, inside=_project(file))


def load(stack: str, file: Path, facts_file: Path, *, without_facts: bool = False) -> StackFile:
    """Reads a stack file, its facts, and the other stacks of its cluster with their facts; the result has all faults.

    Args:
        stack: its name.
        file: the stack file.
        facts_file: the facts beside it.
        without_facts: whether the stack's facts are not read, because the caller queries AWS for new ones.
    """
    own = _of_document(stack, _read(file), facts_file, without_facts=without_facts)
    return _with_others(own, file, facts_file, None)


def load_text(stack: str, text: str, file: Path, facts_file: Path) -> StackFile:
    """`load` for a text that is not written to its file yet."""
    own = _of_document(stack, parse(text, file), facts_file)
    return _with_others(own, file, facts_file, None)


def load_values(
    stack: str,
    given: Any,
    region: str,
    file: Path,
    facts_file: Path,
    organization: str | None = None,
    policies: Any = None,
) -> StackFile:
    """Validates values that the engine passes. The stack's file gives only the positions of values that are equal in
    it.

    Args:
        stack: its name.
        given: what the engine has below `muster:cluster`.
        region: what it has as `aws:region`.
        file: the stack's file.
        facts_file: the facts beside it.
        organization: the engine's; the stack files of the folder belong to it.
        policies: what it has below `muster:policies`.
    """
    document = _read(file)
    described, shaped = validate(model_of(given), given)
    shaped += [*name_faults(stack, given), *region_faults(region, given)]
    faults = [locate_given(document, given, finding, path) for path, finding in shaped]
    if wrong := region_finding(region):
        faults.append(locate_at(document, ("config", REGION_KEY), wrong))
    facts, facts_document, facts_faults = load_facts(facts_file, _project(file))
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
    if document.is_read:
        region, found = region_and_faults(document)
        faults += found
        data = value_at(document.data, CLUSTER_PATH)
        if data is not None:
            described, shaped = validate(model_of(data), data)
            shaped += [*name_faults(stack, data), *region_faults(region, data)]
            unread = {path for path, _, _ in document.faults}
            unread |= {(*CLUSTER_PATH, path[-1]) for path in misplaced_keys(document.data)}
            faults += [
                locate_at(document, CLUSTER_PATH + path, finding)
                for path, finding in shaped
                if CLUSTER_PATH + path not in unread  # a value that is unreadable or elsewhere is not also missing
            ]
    facts, facts_document, facts_faults = (
        (None, None, []) if without_facts else load_facts(facts_file, _project(document.file))
    )
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
    """The stack with its linked stacks and their faults: the files of one cluster are validated together."""
    folder = file.parent

    def read_stack(name: str) -> StackFile:
        return _of_document(name, _read(folder / f"Pulumi.{name}.yaml"), facts_file.parent / f"{name}.json")

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
    """The stack of add-ons with its cluster from the outputs of the cluster's stack, not from files. What does not fit
    becomes faults."""
    facts = (own.facts or Facts()).model_copy(update={"outputs": outputs})
    known = replace(own, facts=facts, joined=replace(own.joined, cluster=None, beside=()))
    faults = tuple(sorted({*own.faults, *addon_faults_on_outputs(known, outputs)}))
    return replace(known, described=None if faults else own.described, faults=faults)
