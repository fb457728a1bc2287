"""One stack file: read, shaped, and every fault with its place in it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.contract import Cluster
from muster.fleet import described_outputs
from muster.fleet.blueprint import Blueprint
from muster.fleet.derive import derive
from muster.fleet.description import AddonsOf, AnyKubernetes, Description, SlurmCluster, form_of
from muster.fleet.description import together as keys_together
from muster.fleet.description.cluster import Suppression
from muster.fleet.description.identifiers import is_cluster_name
from muster.fleet.document import Document, Position, parse, read
from muster.fleet.dotted import Path_, dotted
from muster.fleet.facts import Facts
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.joining import Hand, Joined, installed_twice, join, paths, paths_of, together
from muster.fleet.near_miss import did_you_mean
from muster.fleet.region_name import misspelt
from muster.fleet.resources.fleet import PARALLELCLUSTER
from muster.fleet.shape import shape
from muster.fleet.slurm_blueprint import AnyBlueprint

CLUSTER_KEY = "muster:cluster"
POLICIES_KEY = "muster:policies"
REGION_KEY = "aws:region"
ACCOUNTS_KEY = "aws:allowedAccountIds"
CLUSTER_PATH: Path_ = ("config", CLUSTER_KEY)
POLICIES_PATH: Path_ = ("config", POLICIES_KEY)

ENGINE_KEYS = frozenset({"config", "encryptionsalt", "encryptedkey", "secretsprovider", "environment", "packages"})
"""What the engine itself keeps in a stack file; it writes `encryptionsalt` on its own."""


@dataclass(frozen=True, slots=True, order=True)
class Located:
    """A finding and the file, line and column it is about."""

    file: Path
    position: Position
    finding: Finding
    elsewhere: bool = False
    """The value judged is not the one in the file (`--config`, a secret, another `--config-file`): only its key path
    says where it is."""

    def __str__(self) -> str:
        """``stacks/Pulumi.p5-odcr.yaml:14:9``, or the key path of a value that does not stand in the file."""
        if self.elsewhere:
            where = self.finding.where
            path = where if where.startswith(POLICIES_KEY) else ".".join(filter(None, (CLUSTER_KEY, where)))
            return f"{path} (not the value in {self.file})"
        return f"{self.file}:{self.position.line}:{self.position.column}"


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
        asked = self.described.addons_of if isinstance(self.described, AddonsOf) else ""
        return (
            f"the cluster: {'; '.join(self.missing)}, and {self.facts_file} has no outputs "
            f"(write what `pulumi stack output --json --stack {asked}` prints there, below outputs)"
        )

    @property
    def allowed_accounts(self) -> tuple[str, ...]:
        """The accounts that the provider may deploy to: a list, or one in JSON, as `pulumi config set` writes it."""
        said = _below(self.document.data, ("config", ACCOUNTS_KEY))
        return tuple(re.findall(r"\b\d{12}\b", str(said or "")))

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
        return _place(self.document, self.given, Finding(dotted(path), SHAPE, Level.MANDATORY, "", ""), path)

    def place_in_policies(self, path: Path_, finding: Finding) -> Located:
        """Where a path of its `muster:policies` stands."""
        return _place(self.document, self.policies, finding, path, POLICIES_PATH)

    def with_faults(self, faults: Iterable[Located]) -> "StackFile":
        """The same with more faults; it then describes nothing."""
        every = tuple(sorted({*self.faults, *faults}))
        return replace(self, described=None if every else self.described, faults=every)

    def locate(self, finding: Finding) -> Located:
        """Where a rule's finding stands: the value at its path, or the nearest block around it, in the file of the
        stack that says it."""
        path = path_of(finding.where)
        if path[:1] == OF_FACTS and self.facts_document is not None:
            return _located(self.facts_document, path[1:], finding)
        owner = self._owner(path)
        return _place(owner.document, owner.given, finding, path)

    def _owner(self, path: Path_) -> "StackFile":
        """The stack whose description a path is of."""
        if path[:1] == ("addons",):
            depth = len(("addons", "charts", "release")) if path[1:2] == ("charts",) else len(("addons", "name"))
            said = (each for each in (self, *self._others) if _below(each.given, path[:depth]) is not None)
            return next(said, self)
        return self if path[:1] in _OWN else self._cluster or self


OF_FACTS: Path_ = ("facts",)
"""Where the places of findings begin that are about the facts beside a stack."""

_NOT_IN_OUTPUTS = "the cluster's outputs do not say what further stacks install on it"

_OWN = frozenset({("suppress",), ("chart-mirror",), ("image-mirror",), ("addons-of",), ("addons-in",)})
"""What each stack says of itself."""


def path_of(where: str) -> Path_:
    """The path that a dotted place names: ``access[0].policy`` -> ("access", 0, "policy"). Keys with dots cannot be
    told apart from steps; the nearest block that exists is found all the same."""
    steps: list[str | int] = []
    for part in where.split(".") if where else ():
        name, *indices = part.replace("]", "").split("[")
        steps += [name, *(int(index) for index in indices)]
    return tuple(steps)


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
    shaped += _nameless(stack, given)
    faults = [_place(document, given, finding, path) for path, finding in shaped]
    if wrong := _wrong_region(region):
        faults.append(_located(document, ("config", REGION_KEY), wrong))
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


def _alone(stack: str, file: Path, facts_file: Path) -> StackFile:
    """A stack file and the facts beside it."""
    return _of_document(stack, read(file), facts_file)


def _of_document(stack: str, document: Document, facts_file: Path, *, without_facts: bool = False) -> StackFile:
    faults = [Located(document.file, position, finding) for _, position, finding in document.faults]
    described, region = None, ""
    if document.values_at:
        region, found = _config(document)
        faults += found
        data = _below(document.data, CLUSTER_PATH)
        if data is not None:
            described, shaped = shape(form_of(data), data)
            shaped += _nameless(stack, data)
            faults += [_located(document, CLUSTER_PATH + path, finding) for path, finding in shaped]
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
        given=_below(document.data, CLUSTER_PATH),
        policies=_below(document.data, POLICIES_PATH),
    )


def _with_others(own: StackFile, file: Path, facts_file: Path, organization: str | None) -> StackFile:
    """A stack with the others of its cluster, and with their faults: what several say is judged as one."""
    folder = file.parent

    def read_stack(name: str) -> StackFile:
        return _alone(name, folder / f"Pulumi.{name}.yaml", facts_file.parent / f"{name}.json")

    hand = Hand(folder, organization, read_stack)
    joined = join(own, hand)
    others = (*((joined.cluster,) if joined.cluster else ()), *joined.beside)
    faults = {*own.faults, *(fault for other in others for fault in other.faults)}
    faults |= {_place(own.document, own.given, finding, path) for path, finding in joined.faults}
    if joined.cluster is not None:
        faults |= set(_of_regions(own, joined.cluster.region))
        faults |= set(_on_cluster(own, joined.cluster))
    elif isinstance(own.described, AnyKubernetes):
        faults |= {fault for other in joined.beside for fault in _on_cluster(other, own)}
    elif isinstance(own.described, AddonsOf) and own.facts and own.facts.outputs:
        faults |= set(_of_outputs(own, own.facts.outputs))
    return replace(
        own,
        described=None if faults else own.described,
        faults=tuple(sorted(faults)),
        joined=joined,
        missing=tuple(map(hand.missing, joined.absent)),
    )


def _on_cluster(own: StackFile, cluster: StackFile) -> Iterator[Located]:
    """What does not fit in add-ons for a cluster that is described, where both can be read by themselves."""
    if isinstance(own.described, AddonsOf) and isinstance(cluster.described, AnyKubernetes):
        yield from _misfits(own, cluster.given)


def _misfits(own: StackFile, cluster: Mapping[str, Any]) -> Iterator[Located]:
    for path, got, remedy in keys_together.faults_on(cluster, own.given):
        yield _place(own.document, own.given, _fault(dotted(path), got, remedy), path)


def known_by(own: StackFile, outputs: Cluster) -> StackFile:
    """A stack of add-ons whose cluster is what that one's stack exports, whatever the files say; with what does not
    fit as faults."""
    facts = (own.facts or Facts()).model_copy(update={"outputs": outputs})
    known = replace(own, facts=facts, joined=replace(own.joined, cluster=None, beside=()))
    faults = tuple(sorted({*own.faults, *_of_outputs(known, outputs)}))
    return replace(known, described=None if faults else own.described, faults=faults)


def _of_outputs(own: StackFile, outputs: Cluster) -> Iterator[Located]:
    """What does not fit in add-ons for a cluster that is known by its outputs."""
    assert own.described is not None
    _, faults = described_outputs.described(outputs)
    for _, finding in faults:
        got = f"what the cluster's stack exports is no cluster that this Muster knows: {finding.where}: {finding.got}"
        fault = _fault("addons-of", got, "use the muster of the version that deployed it")
        yield _place(own.document, own.given, fault, ("addons-of",))
    theirs = {("addons", name) for name in outputs.addons} | {("addons", "charts", name) for name in outputs.charts}
    for path in paths_of(own):
        if path in theirs:
            yield _place(own.document, own.given, installed_twice(path, "the cluster's own stack"), path)
    yield from _misfits(own, described_outputs.written(outputs))
    yield from _of_regions(own, outputs.region)


def _of_regions(own: StackFile, region: str) -> Iterator[Located]:
    """Add-ons in another Region than their cluster."""
    if region and own.region and region != own.region:
        got = f"the cluster is in {region}, and '{own.region}' is said here"
        yield _located(own.document, ("config", REGION_KEY), _fault(REGION_KEY, got, f"write aws:region: {region}"))


def _place(document: Document, given: Any, finding: Finding, path: Path_, root: Path_ = CLUSTER_PATH) -> Located:
    """A finding about a path of the description, in the file if the file says there what was judged."""
    while path and _below(given, path) is None:
        path = path[:-1]
    located = _located(document, root + path, finding)
    same = _below(document.data, root + path) == _below(given, path)
    return located if same else replace(located, elsewhere=True)


def _located(document: Document, path: Path_, finding: Finding) -> Located:
    """An unknown key, and one without a value, is shown at the key; everything else at the value."""
    at_key = finding.got.startswith("unknown key") or finding.got.endswith("has no value")
    position = document.position(path, key=at_key)
    return Located(document.file, position or Position(1, 1), finding)


def _below(data: Any, path: Path_) -> Any:
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


_OURS = frozenset({CLUSTER_KEY, POLICIES_KEY})
"""The keys of ours in a stack file."""

_EMPTY = f"'{POLICIES_KEY}' has no value"


def _config(document: Document) -> tuple[str, list[Located]]:
    """The Region, and the faults of everything around `muster:cluster`."""
    if not isinstance(document.data, dict):
        fault = _fault("", "is not a stack file", "begin with config: and muster:cluster: below")
        return "", [_located(document, (), fault)]
    faults = _unknown(document, (), document.data, ENGINE_KEYS)
    config = document.data.get("config")
    if not isinstance(config, dict):
        missing = _fault("config", "'config' is missing or empty", f"write {CLUSTER_KEY} below config:")
        return "", [*faults, *([] if faults else [_located(document, (), missing)])]
    ours = {key: value for key, value in config.items() if key.startswith("muster:")}
    faults += _unknown(document, ("config",), ours, _OURS)
    for root in (CLUSTER_PATH, POLICIES_PATH):
        faults += [_located(document, path, finding) for path, finding in _secrets(_below(document.data, root), root)]
    if config.get(CLUSTER_KEY) is None and set(ours) <= _OURS:
        remedy = "describe the cluster below it (`muster schema` shows how)"
        faults.append(_located(document, ("config",), _fault(CLUSTER_KEY, f"'{CLUSTER_KEY}' is missing", remedy)))
    if POLICIES_KEY in config and config[POLICIES_KEY] is None:
        remedy = "name rules and their levels below it, or remove the key"
        faults.append(_located(document, POLICIES_PATH, _fault(POLICIES_KEY, _EMPTY, remedy)))
    region = config.get(REGION_KEY)
    if wrong := _wrong_region(region):
        faults.append(_located(document, ("config", REGION_KEY), wrong))
    return str(region or ""), faults


def _wrong_region(region: object) -> Finding | None:
    if region is None:
        return _fault(REGION_KEY, f"'{REGION_KEY}' is missing", "add it, as in aws:region: us-west-2")
    wrong = misspelt(region)
    return _fault(REGION_KEY, wrong, "write one, as in us-west-2") if wrong else None


def _nameless(stack: str, given: Any) -> list[tuple[Path_, Finding]]:
    """A stack whose name cannot be a cluster's, and a description that gives no other, whatever else is wrong in it."""
    named = _below(given, ("name",)) is not None or _below(given, ("control-plane", "existing")) is not None
    if named or not isinstance(given, dict) or form_of(given) is AddonsOf or is_cluster_name(stack):
        return []
    got = f"the stack's name '{stack}' cannot be the cluster's"
    return [((), _fault("name", got, "give the cluster one, as in name: p5 (lower case, digits, dashes, 40 at most)"))]


def _unknown(document: Document, path: Path_, block: dict[str, Any], known: frozenset[str]) -> list[Located]:
    """A fault for every key that is not known here."""
    return [
        _located(
            document,
            (*path, key),
            _fault(key, f"unknown key '{key}'{did_you_mean(key, known)}", f"keys here: {', '.join(sorted(known))}"),
        )
        for key in block
        if key not in known
    ]


def _secrets(data: Any, path: Path_) -> list[tuple[Path_, Finding]]:
    """Values that the engine has encrypted: only the engine can read them."""
    if isinstance(data, dict):
        if set(data) == {"secure"}:
            got, remedy = (
                "is encrypted (secure:)",
                "only the engine can read it; nothing here is secret, write it in plain",
            )
            return [(path, _fault(dotted(path[2:]) or str(path[1]), got, remedy))]
        return [found for key, below in data.items() for found in _secrets(below, (*path, key))]
    if isinstance(data, list):
        return [found for index, below in enumerate(data) for found in _secrets(below, (*path, index))]
    return []


def _fault(where: str, got: str, remedy: str) -> Finding:
    return Finding(where, SHAPE, Level.MANDATORY, got, remedy)


_BACKEND_OF_OUTPUTS: Path_ = ("outputs", "backend")
_OUTPUTS_OF_SLURM = Finding(
    dotted(_BACKEND_OF_OUTPUTS),
    SHAPE,
    Level.MANDATORY,
    "these are the outputs of a cluster with Slurm, which has no Kubernetes",
    "name a stack on eks or hyperpod in addons-of, and write its outputs here",
)
"""Told by itself: everything that such outputs lack would follow."""


def load_facts(file: Path) -> tuple[Facts | None, Document | None, list[Located]]:
    """The facts beside the stack; a file that is not there is no fault."""
    if not file.exists():
        return None, None, []
    document = read(file)
    faults = [Located(document.file, position, finding) for _, position, finding in document.faults]
    if not document.values_at:
        return None, document, faults
    if _below(document.data, _BACKEND_OF_OUTPUTS) == PARALLELCLUSTER:
        return None, document, [*faults, _located(document, _BACKEND_OF_OUTPUTS, _OUTPUTS_OF_SLURM)]
    facts, shaped = shape(Facts, document.data)
    faults += [_located(document, path, finding) for path, finding in shaped]
    return facts, document, faults
