"""Judges programs of other teams: one that is run here, or what the engine saved of one. Files in, reports out."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from muster.cli.exits import WrongInput
from muster.cli.findings import ReportedFinding, StackReport, SuppressedFinding, Where
from muster.config.document import Position
from muster.config.project import display_path
from muster.finding import NOT_MODELLED, SCHEMA, Finding, Level, NotEvaluated
from muster.fleet.registration import Registration
from muster.foreign.project import PYTHON

if TYPE_CHECKING:
    from muster.cli.rule_selection import RuleSelection
    from muster.fleet.facts import Facts
    from muster.foreign.engine_files import EngineFile
    from muster.offline.gaps import Gap
    from muster.policies.engine.suppressions import Suppressed
    from muster.sources.formats import Format
    from muster.sources.source import InputFile

ENGINE = "pulumi"
"""The id of the format of the Pulumi engine's files."""

FACTS_KEY = "muster.facts of the --config file"
"""The place for facts about another team's account, in messages about a run without --config."""


_WITHHELD = (
    "the program runs on this machine, without your environment variables and your home folder. It can still use the "
    "network, the instance metadata, other files, and the processes that started Muster. Run a program that you do not "
    "trust in a container"
)
"""What a program that runs on this machine can access."""
_INSTALLS = "pip installs its packages for this run; their build code runs as you, with network access"


@dataclass(frozen=True, slots=True)
class ForeignProgram:
    """A program of another team, with the resources to judge."""

    stack: str
    file: str
    """The judged file; empty for a program."""
    registrations: tuple[Registration, ...]
    gaps: "tuple[Gap, ...]"
    region: str | None
    about: str = ""
    """The file that reports name: the project file of a program, or the judged file."""
    language: str = ""
    """The runtime of a program that ran here; empty for a file."""
    place: "Callable[[Finding], Position | None]" = field(default=lambda _: None)
    """The place of a finding in the judged file; None if it has none."""
    label: Callable[[str], str | None] = field(default=lambda _: None)
    """The resource of a URN, as reports name it; None for Pulumi's type and name."""
    words: Callable[[str], str] = field(default=lambda text: text)
    """A text of a finding in the words of the judged file."""
    is_of_pulumi: bool = True


def judge_program(
    folder: Path,
    stack: str | None,
    ask: "Callable[[], RuleSelection]",
    as_of: date,
    *,
    python: Path | None = None,
    seconds: float = 0.0,
    install: bool = False,
) -> StackReport:
    """Runs a program and judges what it registers.

    Args:
        folder: the folder of its project.
        stack: the stack whose configuration it gets; None is the only stack.
        ask: returns the rules and the facts. It is called while the program imports its SDKs, which takes seconds.
        as_of: the date that the rules use.
        python: the interpreter; None is the project's own.
        seconds: the time limit in seconds; 0 is the default limit.
        install: whether to install its packages for this run.

    Raises:
        WrongInput: the program cannot be run, or did not end normally.
        OurBug: the offline monitor failed on a registration.
    """
    # gRPC logs a line about a child process that has ended; it means nothing to a user.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from muster import terminal
    from muster.foreign.program import TIMEOUT_SECONDS, run_program
    from muster.foreign.project import CannotBeRead, open_project

    try:
        project = open_project(folder)
        name = project.choose(stack)
        if project.language == PYTHON:
            terminal.complain(f"{project.name}/{name}: {_WITHHELD}")
            if install:
                terminal.complain(f"{project.name}/{name}: {_INSTALLS}")
        ran = run_program(
            project,
            name,
            python=python,
            seconds=seconds or TIMEOUT_SECONDS,
            known=lambda: _known(ask()),
            install=install,
        )
    except CannotBeRead as fault:
        raise WrongInput(str(fault)) from None
    terminal.complain(f"{project.name}/{name}: run by {ran.interpreter}")
    if not project.stacks():
        missing = f"no Pulumi.{name}.yaml in {project.stacks_folder}"
        terminal.complain(f"{project.name}/{name}: {missing}: it runs without a stack configuration")
    if ran.printed:
        lines = f"{ran.printed} line{'' if ran.printed == 1 else 's'}"
        terminal.complain(f"{project.name}/{name}: it printed {lines}, which Muster does not show")
    for complaint in ran.complaints:
        terminal.complain(f"{project.name}/{name}: message of the program: {complaint}")
    about = str(project.file)
    seen = ForeignProgram(name, "", ran.registrations, ran.gaps, ran.region, about, project.language)
    return _judge(seen, ask(), as_of)


def _known(how: "RuleSelection") -> "tuple[Facts | None, str | None]":
    # Meanwhile, the rule engine is imported.
    from muster.policies.engine.judgement import judge  # noqa: F401
    from muster.policies.views import fleet_of  # noqa: F401

    return how.facts, how.configuration.region


def judge_file(file: Path, how: "RuleSelection", as_of: date) -> StackReport:
    """Judges a saved plan, state or preview; ``-`` is stdin.

    Raises:
        WrongInput: the file is none of these.
    """
    from muster.foreign.engine_files import file_noun, read_engine_file
    from muster.foreign.project import CannotBeRead

    try:
        found = read_engine_file(file)
    except CannotBeRead as fault:
        raise WrongInput(str(fault)) from None
    return _judge_engine_file(found, str(file_noun(file)), how, as_of)


def _judge_engine_file(found: "EngineFile", shown: str, how: "RuleSelection", as_of: date) -> StackReport:
    from muster import terminal

    if found.own:
        terminal.complain(
            f"{shown}: this is a plan of Muster, without the facts of the account; check the stack itself: "
            f"`muster check {found.own}`"
        )
    seen = ForeignProgram(found.stack, shown, found.registrations, found.gaps, found.region, shown)
    return _judge(seen, how, as_of)


def judge_sources(
    sources: "Iterable[tuple[InputFile, Format]]", how: "RuleSelection", as_of: date
) -> list[StackReport]:
    """The reports of files of other tools. A template that another of them nests is judged only there."""
    nested: set[Path] = set()
    reports = []
    for file, format_ in sources:
        reports.append((file.path, judge_source(file, format_, how, as_of, nested)))
    return [report for path, report in reports if path.resolve() not in nested]


def judge_source(
    file: "InputFile", format_: "Format", how: "RuleSelection", as_of: date, nested: set[Path] | None = None
) -> StackReport:
    """Judges a file of another tool. A file with an error is a report that says so, beside those of other files.

    Args:
        file: the file.
        format_: its format.
        how: the rules and their configuration.
        as_of: the date that the rules use.
        nested: a set to collect the paths of the files that this file also reads.
    """
    from muster import terminal
    from muster.foreign.engine_files import parse_engine_file
    from muster.foreign.project import CannotBeRead
    from muster.sources.source import InvalidFile

    try:
        if format_.id == ENGINE:
            engine_file = parse_engine_file(file.text, file.documents[0], file.path)
            return _judge_engine_file(engine_file, file.shown, how, as_of)
        source = format_.read(file)
    except InvalidFile as fault:
        return _unreadable(file, fault.position, fault.got, fault.remedy)
    except CannotBeRead as fault:
        return _unreadable(file, Position(1, 1), str(fault).removeprefix(f"{file.shown}:").lstrip("1: "), "")
    if nested is not None:
        nested.update(source.nested)
    for note in source.notes:
        terminal.complain(f"{file.shown}: {note}")
    seen = ForeignProgram(
        source.name,
        file.shown,
        source.registrations,
        source.gaps,
        source.region,
        file.shown,
        place=source.place,
        label=source.label,
        words=source.words,
        is_of_pulumi=False,
    )
    return _judge(seen, how, as_of)


def _unreadable(file: "InputFile", at: Position, got: str, remedy: str) -> StackReport:
    place = Where(file.shown, at.line, at.column, "")
    found = ReportedFinding(place, SCHEMA, Level.MANDATORY, "", got, remedy, "")
    return StackReport(file.shown, project=file.shown, findings=(found,), readable=False, file=file.shown)


_NOT_YET = "known only after `pulumi up`"
_NOT_IN_FILE = "not in the file"
"""What a rule says of an unknown value: in a preview of Pulumi, and in a file of another tool."""


def _of_file(each: NotEvaluated, seen: ForeignProgram) -> NotEvaluated:
    """What a rule could not evaluate, in the words of the file."""
    missing = seen.words(each.missing.replace(_NOT_YET, _NOT_IN_FILE).replace("this program", "this file"))
    resource = seen.label(each.resource) if each.resource.startswith("urn:") else None
    return replace(each, missing=missing, resource=each.resource if resource is None else resource)


def _judge(seen: ForeignProgram, how: "RuleSelection", as_of: date) -> StackReport:
    """The report of the program. The rules run once for each Region, on the resources with their Regions: most rules
    handle one Region only. A resource that no view can read, and a rule that raises, are bugs in the report; the other
    results are still in it."""
    from muster.cli.stacks import crash_list
    from muster.foreign.resource_regions import region_by_urn
    from muster.policies.engine.judgement import judge
    from muster.policies.views import fleet_of, unread_lines

    configuration = how.configuration
    where = region_by_urn(seen.registrations, seen.region or configuration.region)
    judged: dict[str, int] = {}
    findings: set[Finding] = set()
    unjudged: set[NotEvaluated] = {NotEvaluated(NOT_MODELLED, each.where, each.missing) for each in seen.gaps}
    unjudged |= set(unread_lines(seen.registrations))
    suppressed: set[Suppressed] = set()
    crashes = crash_list()
    unreadable: dict[str, str] = {}
    objects = 0
    for region in sorted({*where.values()} or {None}, key=str):
        fleet = fleet_of(
            seen.registrations,
            facts=configuration.facts,
            facts_file=configuration.facts_file or FACTS_KEY,
            region=region,
            as_of=as_of,
        )
        unreadable |= fleet.unreadable
        judgement = judge(fleet, rules=how.rules, suppressions_of_others=configuration.suppress, crashes=crashes)
        judged, objects = {**judged, **judgement.judged}, len(fleet.objects)
        findings |= set(_there(judgement.findings, where, region))
        unjudged |= {each for each in judgement.not_evaluated if where.get(each.resource, region) == region}
        suppressed |= {each for each in judgement.suppressed if where.get(each.finding.resource, region) == region}
    places = _Places(seen, {rule.id: rule.source for rule in how.rules})
    return StackReport(
        stack=seen.stack,
        # Two files may have clusters of the same name: a baseline distinguishes them by their paths.
        project=_project(seen.registrations) if seen.is_of_pulumi else seen.file,
        file=seen.about,
        judged=judged,
        objects=objects,
        findings=tuple(sorted(map(places.found, findings))),
        not_evaluated=tuple(sorted(unjudged if seen.is_of_pulumi else {_of_file(each, seen) for each in unjudged})),
        suppressed=tuple(sorted(map(places.silenced, suppressed))),
        bugs=tuple(
            dict.fromkeys(
                (*(f"{urn} could not be read: {why}" for urn, why in unreadable.items()), *map(str, crashes or ()))
            )
        ),
    )


def _project(registrations: Iterable[Registration]) -> str:
    """The project, read from a URN."""
    return next((each.urn.split("::")[1] for each in registrations if each.urn.count("::") > 1), "")


def _there(findings: Iterable[Finding], where: Mapping[str, str | None], region: str | None) -> Iterable[Finding]:
    return (each for each in findings if where.get(each.resource, region) == region)


_PROPERTY = re.compile(r"(?<![\w./-])[a-z]+(?:[A-Z][a-z0-9]*)+(?:\.[a-z]\w*)*")
"""A property with the engine's name: ``vpcConfig.subnetIds``."""
_IN_SNAKE_CASE = ("aws:", "aws-native:", "eks:")
"""The packages whose properties have other names in Python. Values of charts and manifests keep theirs."""


class _Places:
    """Findings about a program, in its own words: the lines that register its resources, and names of its language."""

    def __init__(self, seen: ForeignProgram, sources: Mapping[str, str]) -> None:
        self._seen, self._sources = seen, sources
        self._registered = {each.urn: each for each in seen.registrations}

    def found(self, finding: Finding) -> ReportedFinding:
        """A finding at its place."""
        at = self._seen.place(finding)
        return ReportedFinding(
            self._where(finding.where) if self._seen.is_of_pulumi else self._in_file(at, finding.where),
            finding.rule,
            finding.level,
            finding.resource,
            self._in_its_language(self._seen.words(finding.got), finding.where),
            self._in_its_language(self._seen.words(finding.remedy), finding.where),
            self._sources.get(finding.rule, ""),
        )

    def silenced(self, each: "Suppressed") -> SuppressedFinding:
        """A suppressed finding at its place."""
        finding = each.finding
        return SuppressedFinding(
            finding.rule, finding.resource, each.reason, each.until, each.by.at, self.found(finding)
        )

    def _in_file(self, at: Position | None, urn: str) -> Where:
        label = self._seen.label(urn) if urn.startswith("urn:") else None
        return Where(self._seen.file, at.line if at else 0, at.column if at else 0, urn, label)

    def _where(self, urn: str) -> Where:
        """The line that registers a resource, or the nearest of its parents that has one."""
        each = self._registered.get(urn)
        while each is not None and each.source is None:
            each = self._registered.get(each.parent)
        if each is None or each.source is None:
            return Where(self._seen.file if urn else self._seen.about, 0, 0, urn)
        file, line = each.source
        return Where(str(display_path(Path(file))), line, 1, urn)

    def _in_its_language(self, text: str, urn: str) -> str:
        """Python has ``vpc_config.subnet_ids`` where the engine has ``vpcConfig.subnetIds``."""
        each = self._registered.get(urn)
        if self._seen.language != PYTHON or each is None or not each.type.startswith(_IN_SNAKE_CASE):
            return text
        return _PROPERTY.sub(lambda name: re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name[0]), text)
