"""One stack file: read, shaped, and every fault with its place in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.contract import Cluster
from muster.fleet import described_outputs
from muster.fleet.blueprint import Blueprint
from muster.fleet.derive import derive
from muster.fleet.description import AddonsOf, AnyKubernetes, Description, SlurmCluster, form_of
from muster.fleet.description.cluster import Suppression
from muster.fleet.document import Document, parse, read
from muster.fleet.dotted import Path_, dotted, path_of
from muster.fleet.facts import Facts
from muster.fleet.facts_beside import load_facts
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.joining import Hand, Joined, join, paths, paths_of, together
from muster.fleet.located import Located, located_at, placed, value_at
from muster.fleet.shape import shape
from muster.fleet.slurm_blueprint import AnyBlueprint
from muster.fleet.stack_form import nameless, region_and_faults, wrong_region
from muster.fleet.stack_keys import ACCOUNTS_KEY, CLUSTER_PATH, POLICIES_PATH, REGION_KEY
from muster.fleet.stack_misfits import of_outputs, of_regions, on_cluster


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
    faults: tuple[Located, ...]
    given: Any = None
    """The description's plain values as they are judged: the file's, or what the engine hands over instead."""
    policies: Any = None
    """The plain values of `muster:policies`, likewise. Rules give them a form (`policies.configuration`)."""
    joined: Joined = field(default_factory=Joined)
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

    def derive(self) -> AnyBlueprint:
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
        if isinstance(cluster.described, SlurmCluster):
            return derive(cluster.described, cluster.stack, cluster.region, cluster.facts, str(cluster.facts_file))
        return self._on_kubernetes(cluster, cluster.described)

    def _on_kubernetes(self, cluster: "StackFile", known: AnyKubernetes) -> Blueprint:
        """With what all stacks of the cluster install on it."""
        own = self.described
        assert isinstance(own, AnyKubernetes | AddonsOf)
        others = tuple(each.described for each in self._others if isinstance(each.described, AnyKubernetes | AddonsOf))
        described = together(known, own, others) if others else known
        made = derive(described, cluster.stack, cluster.region, cluster.facts, str(cluster.facts_file))
        elsewhere = {".".join(map(str, path[1:])): other.stack for other in self._others for path in paths_of(other)}
        return replace(made, stack=self.stack, elsewhere=elsewhere, absent=self.missing)

    def _on_outputs(self, described: AddonsOf) -> Blueprint:
        assert self.facts is not None
        assert self.facts.outputs is not None
        outputs, stack = self.facts.outputs, described.addons_of.rpartition("/")[2]
        known, _ = described_outputs.described(outputs)
        if known is None:
            raise ValueError(f"the outputs of {described.addons_of} are no cluster's")
        made = described_outputs.blueprint(outputs, together(known, described, (known,)), stack)
        elsewhere = {".".join(map(str, path[1:])): stack for path in paths(known.addons)}
        return replace(made, stack=self.stack, elsewhere=elsewhere, absent=(_NOT_IN_OUTPUTS,))

    def place(self, path: Path_) -> Located:
        """Where a path of its description stands."""
        return placed(self.document, self.given, Finding(dotted(path), SHAPE, Level.MANDATORY, "", ""), path)

    def place_in_policies(self, path: Path_, finding: Finding) -> Located:
        """Where a path of its `muster:policies` stands."""
        return placed(self.document, self.policies, finding, path, POLICIES_PATH)

    def with_faults(self, faults: Iterable[Located]) -> "StackFile":
        """The same with more faults; it then describes nothing."""
        every = tuple(sorted({*self.faults, *faults}))
        return replace(self, described=None if every else self.described, faults=every)

    def locate(self, finding: Finding) -> Located:
        """Where a rule's finding stands: the value at its path, or the nearest block around it, in the file of the
        stack that says it."""
        path = path_of(finding.where)
        if path[:1] == OF_FACTS and self.facts_document is not None:
            return located_at(self.facts_document, path[1:], finding)
        owner = self._owner(path)
        return placed(owner.document, owner.given, finding, path)

    def _owner(self, path: Path_) -> "StackFile":
        """The stack whose description a path is of."""
        if path[:1] == ("addons",):
            depth = 3 if path[1:2] == ("charts",) else 2  # addons.charts.RELEASE, addons.NAME
            said = (each for each in (self, *self._others) if value_at(each.given, path[:depth]) is not None)
            return next(said, self)
        return self if path[:1] in _OWN else self._cluster or self


OF_FACTS: Path_ = ("facts",)
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
    described, shaped = shape(form_of(given), given)
    shaped += nameless(stack, given)
    faults = [placed(document, given, finding, path) for path, finding in shaped]
    if wrong := wrong_region(region):
        faults.append(located_at(document, ("config", REGION_KEY), wrong))
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
    faults = [Located(document.file, position, finding) for _, position, finding in document.faults]
    described, region = None, ""
    if document.values_at:
        region, found = region_and_faults(document)
        faults += found
        data = value_at(document.data, CLUSTER_PATH)
        if data is not None:
            described, shaped = shape(form_of(data), data)
            shaped += nameless(stack, data)
            unread = {path for path, _, _ in document.faults}
            faults += [
                located_at(document, CLUSTER_PATH + path, finding)
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

    hand = Hand(folder, organization, read_stack)
    joined = join(own, hand)
    others = (*((joined.cluster,) if joined.cluster else ()), *joined.beside)
    faults = {*own.faults, *(fault for other in others for fault in other.faults)}
    faults |= {placed(own.document, own.given, finding, path) for path, finding in joined.faults}
    if joined.cluster is not None:
        faults |= set(of_regions(own, joined.cluster.region))
        faults |= set(on_cluster(own, joined.cluster))
    elif isinstance(own.described, AnyKubernetes):
        faults |= {fault for other in joined.beside for fault in on_cluster(other, own)}
    elif isinstance(own.described, AddonsOf) and own.facts and own.facts.outputs:
        faults |= set(of_outputs(own, own.facts.outputs))
    return replace(
        own,
        described=None if faults else own.described,
        faults=tuple(sorted(faults)),
        joined=joined,
        missing=tuple(map(hand.missing, joined.absent)),
    )


def known_by(own: StackFile, outputs: Cluster) -> StackFile:
    """A stack of add-ons whose cluster is what that one's stack exports, whatever the files say; with what does not
    fit as faults."""
    facts = (own.facts or Facts()).model_copy(update={"outputs": outputs})
    known = replace(own, facts=facts, joined=replace(own.joined, cluster=None, beside=()))
    faults = tuple(sorted({*own.faults, *of_outputs(known, outputs)}))
    return replace(known, described=None if faults else own.described, faults=faults)
