"""One stack file with the stacks linked to it (`addons-of`, `addons-in`): read, validated, every fault with its
position."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.kubernetes_cluster import AddonsOf, KubernetesCluster
from muster.config.description.node_boot import PROJECT
from muster.config.description.root import Description, model_of
from muster.config.description.suppression import Suppression
from muster.config.document import (
    ACCOUNTS_KEY,
    CLUSTER_PATH,
    POLICIES_PATH,
    REGION_KEY,
    Document,
    LocatedFinding,
    locate_at,
    locate_given,
    parse,
    read,
    value_at,
)
from muster.config.validation import validate
from muster.contract import Cluster
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path, parse_dotted_path
from muster.fleet.facts import Facts
from muster.position import Position
from muster.stack import cluster_outputs
from muster.stack.linked_stacks import (
    Fault,
    LinkedStacks,
    StackLoader,
    addon_faults_on_cluster,
    addon_faults_on_outputs,
    addon_paths,
    addon_paths_of,
    find_linked_stacks,
    merge_addons,
    region_mismatch,
)
from muster.stack.stack_checks import (
    load_facts,
    misplaced_keys,
    name_faults,
    region_and_faults,
    region_faults,
    region_finding,
)


@dataclass(frozen=True, slots=True)
class StackFile:
    """The content of a stack file, or its faults. `described` is None exactly when there are faults."""

    stack: str
    document: Document
    described: Description | None
    region: str
    facts_file: Path
    given: Any = None
    """The description's plain values that are validated: the file's, or those that the engine passes instead."""
    policies: Any = None
    """The plain values of `muster:policies`, from there, validated by `muster.policies.engine.configuration`."""
    faults: tuple[LocatedFinding, ...] = ()
    facts: Facts | None = None
    facts_document: Document | None = None
    joined: LinkedStacks = field(default_factory=LinkedStacks)
    """The other stacks of the same cluster."""
    missing: tuple[str, ...] = ()
    """The reason why each absent linked stack cannot be read."""
    beside: "tuple[StackFile, ...]" = ()
    """The stacks that are judged in the same run."""
    sources: Mapping[str, tuple[Path, int]] = field(default_factory=dict)
    """URN -> the file and the line of the program that register a resource, where a run of it is known."""

    @property
    def knows_cluster(self) -> bool:
        """Whether the cluster is known: from this file, from a linked stack's file, or from its outputs in the
        facts."""
        return self._cluster is not None or (self.facts is not None and self.facts.outputs is not None)

    @property
    def project(self) -> Path:
        """The folder that its files may not leave: the root of its project; elsewhere, the folder of its file."""
        return _project(self.document.file)

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
        return tuple(each for other in self.joined.every for each in other.suppress)

    @property
    def _cluster(self) -> "StackFile | None":
        return self.joined.cluster if isinstance(self.described, AddonsOf) else self if self.described else None

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
            each.described for each in self.joined.every if isinstance(each.described, KubernetesCluster | AddonsOf)
        )
        described = merge_addons(known, own, others) if others else known
        made = derive(described, cluster.stack, cluster.region, cluster.facts, str(cluster.facts_file))
        elsewhere = {
            ".".join(map(str, path[1:])): other.stack for other in self.joined.every for path in addon_paths_of(other)
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

    def locate_fault(self, fault: Fault) -> LocatedFinding:
        """The position of a fault of the description in the file."""
        path, finding = fault
        return locate_given(self.document, self.given, finding, path)

    def place_in_policies(self, path: KeyPath, finding: Finding) -> LocatedFinding:
        """The position of a path of `muster:policies` in the file."""
        return locate_given(self.document, self.policies, finding, path, POLICIES_PATH)

    def with_facts(self) -> "StackFile":
        """This stack file with the facts beside it, and their faults."""
        facts, document, faults = load_facts(self.facts_file, self.project)
        return replace(self, facts=facts, facts_document=document).with_faults(faults)

    def with_faults(self, faults: Iterable[LocatedFinding]) -> "StackFile":
        """This stack file with additional faults; `described` is None if there are any."""
        every = tuple(sorted({*self.faults, *faults}))
        return replace(self, described=None if every else self.described, faults=every)

    def locate(self, finding: Finding) -> LocatedFinding:
        """The position of a rule's finding: the value at its path, or the nearest block around it, in the file of the
        stack that sets the value."""
        if finding.where in self.sources:
            file, line = self.sources[finding.where]
            return LocatedFinding(file, Position(line, 1), finding)
        path = parse_dotted_path(finding.where)
        if path[:1] == FACTS_PATH and self.facts_document is not None:
            return locate_at(self.facts_document, path[1:], finding)
        owner = self._owner(path)
        return locate_given(owner.document, owner.given, finding, path)

    def _owner(self, path: KeyPath) -> "StackFile":
        """The stack whose description has the path."""
        if path[:1] == ("addons",):
            depth = 3 if path[1:2] == ("charts",) else 2  # addons.charts.RELEASE, addons.NAME
            owners = (each for each in (self, *self.joined.every) if value_at(each.given, path[:depth]) is not None)
            return next(owners, self)
        return self if path[:1] in _OWN else self._cluster or self


FACTS_PATH: KeyPath = ("facts",)
"""The prefix of the paths of findings about a stack's facts."""

_NOT_IN_OUTPUTS = "the outputs of the cluster do not list what other stacks install on it"

_OWN = frozenset({("suppress",), ("chart-mirror",), ("image-mirror",), ("addons-of",), ("addons-in",)})
"""The keys that each stack of a cluster sets for itself."""


def is_of_project(folder: Path) -> bool:
    """Whether a folder of stack files is the one of a project: stacks/ beside Pulumi.yaml."""
    return folder.name == "stacks" and (folder.parent / "Pulumi.yaml").is_file()


def _project(file: Path) -> Path:
    """The folder that no link of a stack file and of its facts may leave: of a file in stacks/, the project's root."""
    folder = file.absolute().parent
    return folder.parent if folder.name == "stacks" else folder


def _validate(data: Any, file: Path) -> tuple[Description | None, list[tuple[KeyPath, Finding]]]:
    """The description with the scripts of its project, or its faults."""
    return validate(model_of(data), data, {PROJECT: _project(file)})


def _read(file: Path) -> Document:
    return read(file, inside=_project(file))


def load(
    stack: str, file: Path, facts_file: Path, *, text: str | None = None, without_facts: bool = False
) -> StackFile:
    """Reads a stack file, its facts, and the other stacks of its cluster with their facts; the result has all faults.

    Args:
        stack: its name.
        file: the stack file.
        facts_file: the facts beside it.
        text: the text of the stack file, where it is not written yet.
        without_facts: whether the stack's facts are not read, because the caller queries AWS for new ones.
    """
    document = _read(file) if text is None else parse(text, file)
    return _with_others(_of_document(stack, document, facts_file, without_facts=without_facts), None)


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
    described, shaped = _validate(given, file)
    shaped += [*name_faults(stack, given), *region_faults(region, given)]
    faults = [locate_given(document, given, finding, path) for path, finding in shaped]
    if wrong := region_finding(region):
        faults.append(locate_at(document, ("config", REGION_KEY), wrong))
    own = StackFile(stack, document, described, region, facts_file, given, policies).with_facts().with_faults(faults)
    return _with_others(own, organization)


def _of_document(stack: str, document: Document, facts_file: Path, *, without_facts: bool = False) -> StackFile:
    faults = [LocatedFinding(document.file, position, finding) for _, position, finding in document.faults]
    described, region = None, ""
    if document.is_read:
        region, found = region_and_faults(document)
        faults += found
        data = value_at(document.data, CLUSTER_PATH)
        if data is not None:
            described, shaped = _validate(data, document.file)
            shaped += [*name_faults(stack, data), *region_faults(region, data)]
            unread = {path for path, _, _ in document.faults}
            unread |= {(*CLUSTER_PATH, path[-1]) for path in misplaced_keys(document.data)}
            faults += [
                locate_at(document, CLUSTER_PATH + path, finding)
                for path, finding in shaped
                if CLUSTER_PATH + path not in unread  # a value that is unreadable or elsewhere is not also missing
            ]
    given, policies = value_at(document.data, CLUSTER_PATH), value_at(document.data, POLICIES_PATH)
    own = StackFile(stack, document, described, region, facts_file, given, policies).with_faults(faults)
    return own if without_facts else own.with_facts()


def _with_others(own: StackFile, organization: str | None) -> StackFile:
    """The stack with its linked stacks and their faults: the files of one cluster are validated together."""
    folder = own.document.file.parent

    def read_stack(name: str) -> StackFile:
        return _of_document(name, _read(folder / f"Pulumi.{name}.yaml"), own.facts_file.parent / f"{name}.json")

    hand = StackLoader(folder, organization, read_stack)
    joined = find_linked_stacks(own, hand)
    faults = {fault for other in joined.every for fault in other.faults}
    faults |= {own.locate_fault(fault) for fault in joined.faults}
    if joined.cluster is not None:
        faults |= set(region_mismatch(own, joined.cluster.region))
        faults |= set(addon_faults_on_cluster(own, joined.cluster))
    elif isinstance(own.described, KubernetesCluster):
        faults |= {fault for other in joined.beside for fault in addon_faults_on_cluster(other, own)}
    elif isinstance(own.described, AddonsOf) and own.facts and own.facts.outputs:
        faults |= set(addon_faults_on_outputs(own, own.facts.outputs))
    return replace(own, joined=joined, missing=tuple(map(hand.missing, joined.absent))).with_faults(faults)


def with_outputs(own: StackFile, outputs: Cluster) -> StackFile:
    """The stack of add-ons with its cluster from the outputs of the cluster's stack, not from files. What does not fit
    becomes faults."""
    facts = (own.facts or Facts()).model_copy(update={"outputs": outputs})
    known = replace(own, facts=facts, joined=own.joined._replace(cluster=None, beside=()))
    return known.with_faults(addon_faults_on_outputs(known, outputs))
