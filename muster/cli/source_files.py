"""The files of other tools that a user gives, in place of stacks: which arguments they are, their formats, and their
judgement. Files in, reports out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from muster import terminal, user_files
from muster.cli.findings import ReportedFinding, StackReport, SuppressedFinding, Where
from muster.finding import NOT_MODELLED, SCHEMA, Finding, Level, NotEvaluated, WrongInput
from muster.message_text import count_noun
from muster.position import Position

if TYPE_CHECKING:
    from muster.cli.rule_selection import RuleSelection
    from muster.fleet.registration import Registration
    from muster.fleet.resources import Fleet
    from muster.policies.engine.rule import Rule
    from muster.policies.engine.suppressions import Suppressed
    from muster.sources.formats import Format
    from muster.sources.linked_files import File, Links
    from muster.sources.source import InputFile, Source

_MOST_NAMED = 5
"""Files that are skipped with their names."""


def split_arguments(arguments: Iterable[str]) -> tuple[list[str], list[Path]]:
    """The names and files of stacks, and the paths of other files and folders."""
    listed = list(dict.fromkeys(arguments))
    paths = [each for each in listed if _is_source(each)]
    return [each for each in listed if each not in paths], [Path(each) for each in paths]


def _is_source(argument: str) -> bool:
    """Whether an argument is the path of a file or a folder, and not a stack.

    A file `Pulumi.NAME.yaml` is a stack. A word without a slash or a suffix is a stack if one has this name.
    """
    path = Path(argument)
    if argument == user_files.STDIN:
        return True
    if not argument or path.name.startswith("Pulumi."):
        return False
    try:
        if not path.exists():
            return path.suffix in _SUFFIXES and not _in_project()
        return "/" in argument or bool(path.suffix) or not _is_stack(argument)
    except (OSError, ValueError):  # a name that no file can have
        return False


_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".template", ".tf", ".tfplan", ".tfstate"})


def _is_stack(name: str) -> bool:
    from muster.stack import project

    return _in_project() and project.has_stack(project.root(), name)


def _in_project() -> bool:
    from muster.stack import project

    try:
        project.root()
    except project.NoProject:
        return False
    return True


def open_sources(paths: Iterable[Path], *, skip_unknown: bool = False) -> "list[tuple[InputFile, Format]]":
    """The files at some paths with their formats. A folder is searched, and its files of other formats are skipped.

    Args:
        paths: files and folders; ``-`` is stdin.
        skip_unknown: whether to skip also given files that have no known format, or cannot be read and show no sign of
            one.

    Raises:
        WrongInput: a file cannot be read, or has no known format; a folder has no file of a known format. The message
            has every such path.
    """
    from muster.sources.recognition import (
        MAKE_A_PLAN,
        Patch,
        UnknownFormat,
        looks_known,
        open_file,
        recognize,
        require_whole,
    )
    from muster.sources.source import CannotBeRead

    found: list[tuple[InputFile, Format]] = []
    faults: list[str] = []
    skipped: list[str] = []
    opened: set[Path] = set()
    for path in paths:
        skips = skip_unknown or path.is_dir()
        before = len(found)
        inside, code = _files_at(path, faults)
        for each in _first(inside, opened):
            try:
                require_whole(each)
                file = open_file(each, path if path.is_dir() else None)
                found.append((file, recognize(file)))
            except UnknownFormat as fault:
                faults += [] if skips else [str(fault)]
            except CannotBeRead as fault:
                wrong = not skips or (looks_known(each) and not isinstance(fault, Patch))
                (faults if wrong else skipped).append(str(fault))
        if code:
            skipped.append(f"{path}: {count_noun(code, 'file')} of Terraform code: {MAKE_A_PLAN}")
        if path.is_dir() and len(found) == before and not (skip_unknown or faults):
            what = MAKE_A_PLAN if code else _to_check(path)
            faults.append(f"{path}: no file in this folder has a known format; {what}")
    for told in skipped[:_MOST_NAMED]:
        terminal.complain(f"{told} (skipped)")
    if len(skipped) > _MOST_NAMED:
        terminal.complain(f"{count_noun(len(skipped) - _MOST_NAMED, 'more file')} cannot be read (skipped)")
    if faults:
        raise WrongInput(*faults)
    return found


def _first(files: Iterable[Path], opened: set[Path]) -> Iterator[Path]:
    """The files that are not opened yet, under whatever name."""
    for each in files:
        if each.resolve() not in opened:
            opened.add(each.resolve())
            yield each


def _to_check(folder: Path) -> str:
    from muster.sources.recognition import known_formats

    of_stacks = f"`muster check {folder}/Pulumi.*.yaml` checks stacks"
    return of_stacks if any(folder.glob("Pulumi.*.yaml")) else f"Muster reads: {known_formats()}"


def _files_at(path: Path, faults: list[str]) -> tuple[list[Path], int]:
    from muster.sources.recognition import files_in
    from muster.sources.source import CannotBeRead

    try:
        return files_in(path)
    except CannotBeRead as fault:
        faults.append(str(fault))
        return [], 0


FACTS_KEY = "muster.facts of the --config file"
"""The place for facts about another team's account, in messages about a run without --config."""


def judge_sources(
    sources: "Iterable[tuple[InputFile, Format]]", how: "RuleSelection", as_of: date, clusters: "Sequence[Fleet]" = ()
) -> list[StackReport]:
    """The reports of files of other tools: all of them are read before one is judged. A template that another of them
    nests is judged only there. A file with an error is a report that says so, beside those of other files.

    Args:
        sources: the files with their formats.
        how: the rules and their configuration.
        as_of: the date that the rules use.
        clusters: described clusters: the pods of manifests are judged on each. Without one, on the nodes of their file.
    """
    from muster.policies.views.pods import RUNTIMES
    from muster.policies.views.references import NODE_CLASSES
    from muster.sources.linked_files import File, link
    from muster.sources.source import CannotBeRead, InvalidFile

    reports: dict[Path, StackReport] = {}
    files: list[File] = []
    formats: list[Format] = []
    for file, format_ in sources:
        try:
            read = File(file.path, file.shown, format_.read(file))
        except InvalidFile as fault:
            reports[file.path] = _unreadable(file, fault.position, fault.got, fault.remedy)
        except CannotBeRead as fault:
            got = str(fault).removeprefix(f"{file.shown}:").lstrip("1: ")
            reports[file.path] = _unreadable(file, Position(1, 1), got, "")
        else:
            reports[file.path] = StackReport("")  # its place in the order
            files.append(read)
            formats.append(format_)
    nested = {path for each in files for path in each.source.nested}
    for each, format_, links in zip(files, formats, link(files, (*NODE_CLASSES, *RUNTIMES)), strict=True):
        if each.path.resolve() in nested:
            continue
        for note in each.source.notes:
            terminal.complain(f"{each.shown}: {note}")
        on = clusters if format_.is_of_kubernetes else ()
        reports[each.path] = _judge(each, links, how, as_of, on, is_of_pulumi=format_.id == "pulumi")
    return [report for path, report in reports.items() if path.resolve() not in nested]


def judge_manifest(where: str, text: str, cluster: "Fleet", as_of: date) -> StackReport:
    """The report of a manifest that is already read, whose pods are for a described cluster.

    Args:
        where: the file; ``-`` for stdin.
        text: its text.
        cluster: the cluster.
        as_of: the date that the rules use.
    """
    from muster.cli.rule_selection import select_rules
    from muster.sources.recognition import recognize
    from muster.sources.source import InputFile
    from muster.yaml_text import load_all

    file = InputFile(Path(where), text, tuple(load_all(text, template=True)), is_json=False)
    (report,) = judge_sources([(file, recognize(file))], select_rules(), as_of, [cluster])
    return report


def _unreadable(file: "InputFile", at: Position, got: str, remedy: str) -> StackReport:
    found = _of_form(file.shown, at, Level.MANDATORY, got, remedy)
    return StackReport(file.shown, project=file.shown, findings=(found,), readable=False, file=file.shown)


def _of_form(file: str, at: Position, level: Level, got: str, remedy: str) -> ReportedFinding:
    return ReportedFinding(Where(file, at.line, at.column, ""), SCHEMA, level, "", got, remedy, "")


def _of_file(each: NotEvaluated, seen: "Source") -> NotEvaluated:
    """What a rule could not evaluate, with the resource as the file names it."""
    resource = seen.label(each.resource) if each.resource.startswith("urn:") else None
    return each if resource is None else replace(each, resource=resource)


def _judge(
    read: "File", links: "Links", how: "RuleSelection", as_of: date, clusters: "Sequence[Fleet]", *, is_of_pulumi: bool
) -> StackReport:
    """The report of a file. The rules run once for each Region, on the resources with their Regions: most rules
    handle one Region only. They also see the resources of other files that belong to those of this one, whose own
    report has the results about them. A resource that no view can read, and a rule that raises, are bugs in the report;
    the other results are still in it."""
    from muster.cli.stacks import crash_list
    from muster.policies.engine.judgement import judge
    from muster.policies.views import fleet_of, unread_lines
    from muster.sources.registrations import region_by_urn

    seen, file, configuration = read.source, read.shown, how.configuration
    others = {each.urn for each in links.beside}
    where = region_by_urn(seen.registrations, seen.region or configuration.region)
    judged: dict[str, int] = {}
    findings: set[Finding] = set()
    unjudged: set[NotEvaluated] = {
        NotEvaluated(NOT_MODELLED, each.where, each.missing) for each in (*seen.gaps, *links.gaps)
    }
    unjudged |= set(unread_lines(seen.registrations))
    suppressed: set[Suppressed] = set()
    crashes = crash_list()
    unreadable: dict[str, str] = {}
    objects = 0
    for region in sorted({*where.values()} or {None}, key=str):
        fleet = fleet_of(
            (*seen.registrations, *links.beside),
            facts=configuration.facts,
            facts_file=configuration.facts_file or FACTS_KEY,
            region=region,
            as_of=as_of,
        )
        fleet = replace(fleet, terms=seen.terms)
        unreadable |= fleet.unreadable
        objects = len(fleet.objects)
        here = {**where, **dict.fromkeys(others, _ELSEWHERE)}
        for part, rules in _on(clusters, fleet, configuration.rules):
            judgement = judge(part, rules=rules, suppressions_of_others=configuration.suppress, crashes=crashes)
            judged |= judgement.judged
            findings |= {each for each in judgement.findings if here.get(each.resource, region) == region}
            unjudged |= {each for each in judgement.not_evaluated if here.get(each.resource, region) == region}
            suppressed |= {each for each in judgement.suppressed if here.get(each.finding.resource, region) == region}
    of_form = (
        _of_form(file, each.position, each.level, each.got, each.remedy) for each in (*seen.unknown_keys, *links.advice)
    )
    places = _Places(seen, file, {rule.id: rule.source[0] for rule in configuration.rules})
    return StackReport(
        stack=seen.name,
        # Two files may have clusters of the same name: a baseline distinguishes them by their paths.
        project=_project(seen.registrations) if is_of_pulumi else file,
        file=file,
        judged=judged,
        objects=objects,
        findings=tuple(sorted((*of_form, *map(places.found, findings)))),
        not_evaluated=tuple(sorted(unjudged if is_of_pulumi else {_of_file(each, seen) for each in unjudged})),
        suppressed=tuple(
            sorted(
                SuppressedFinding(places.found(each.finding), each.reason, each.until, each.by.at)
                for each in suppressed
            )
        ),
        bugs=tuple(
            dict.fromkeys(
                (*(f"{urn} could not be read: {why}" for urn, why in unreadable.items()), *map(str, crashes or ()))
            )
        ),
    )


def _on(
    clusters: "Sequence[Fleet]", fleet: "Fleet", rules: "Sequence[Rule]"
) -> "Iterator[tuple[Fleet, Sequence[Rule]]]":
    """What is judged by which rules: the pods of a file on each described cluster, which has none itself, and all else
    by itself."""
    from muster.fleet.resources import PodOwner

    of_pods = [each for each in rules if clusters and each.kinds == (PodOwner,)]
    yield fleet, [each for each in rules if each not in of_pods]
    for cluster in clusters:
        yield replace(cluster, objects=(*cluster.objects, *fleet.of(PodOwner)), terms=fleet.terms), of_pods


def _project(registrations: "Iterable[Registration]") -> str:
    """The project, read from a URN."""
    return next((each.urn.split("::")[1] for each in registrations if each.urn.count("::") > 1), "")


_ELSEWHERE = "of another file"


class _Places:
    """Findings at their places: the line of a file, or of the program that registers a resource."""

    def __init__(self, seen: "Source", file: str, sources: Mapping[str, str]) -> None:
        self._seen, self._file, self._sources = seen, file, sources
        self._registered = {each.urn: each for each in seen.registrations}

    def found(self, finding: Finding) -> ReportedFinding:
        """A finding at its place."""
        return ReportedFinding(
            self._where(finding),
            finding.rule,
            finding.level,
            finding.resource,
            finding.got,
            finding.remedy,
            self._sources.get(finding.rule, ""),
            finding.changes,
        )

    def _where(self, finding: Finding) -> Where:
        """The line that registers a resource, or the nearest of its parents that has one; else its place in the
        file."""
        urn = finding.where
        each = self._registered.get(urn)
        while each is not None and each.source is None:
            each = self._registered.get(each.parent)
        if each is not None and each.source is not None:
            return Where(each.source[0], each.source[1], 1, urn)
        at = self._seen.place(finding) or Position(0, 0)
        return Where(self._file, at.line, at.column, urn, self._seen.label(urn) if urn.startswith("urn:") else None)
