"""`muster preflight`: queries AWS about a stack before its deployment. Also `--print-iam-policy`: the IAM policy for
these queries."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import clock, terminal, written_files
from muster.cli.account import Profile, advice, missing_right, open_account, unanswered_lines
from muster.cli.exits import Exit
from muster.cli.options import AsOf, Json, Stack, Strict, day
from muster.cli.writers import json as writer
from muster.cli.writers import text
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.account.preflight import PreflightResult
    from muster.cli.findings import StackReport
    from muster.config.document import LocatedFinding
    from muster.fleet.facts import Facts
    from muster.fleet.facts_merge import KeptFact
    from muster.stack.stack_file import StackFile
    from muster.terminal import Style

PrintIamPolicy = Annotated[
    bool,
    typer.Option("--print-iam-policy", help="Print the IAM policy for the queries of any stack. Do not query AWS."),
]


def preflight(
    stack: Stack,
    *,
    save: Annotated[
        bool,
        typer.Option(
            "--save", help="Save the answers as facts in stacks/facts/STACK.json, for later checks and plans."
        ),
    ] = False,
    print_iam_policy: PrintIamPolicy = False,
    profile: Profile = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Query AWS about everything that a stack uses, and check the stack against the answers. Read-only.

    The queries are about reservations, Capacity Blocks, training plans, offerings, quotas, subnets, security groups,
    versions, images, file systems, scripts and permissions. The report lists each query that AWS did not answer. Such a
    query never counts as passed.
    """
    from muster.account.preflight import iam_policy
    from muster.cli.stacks import open_stacks, without_faulty_facts

    if print_iam_policy:
        if save:
            raise WrongInput("--print-iam-policy does not query AWS, so there is nothing to save; leave out --save")
        terminal.write(dump(iam_policy()))
        return
    opened, broken = without_faulty_facts(open_stacks([stack])[0])
    if save:
        require_writable(opened.facts_file)
    outcome = query_account(opened, day(as_of), profile)
    where = opened.facts_file, opened.project
    saved = save_facts(*where, outcome.facts, outcome.heard.open) if save else None
    if as_json:
        terminal.write(dump(described(outcome, saved=saved, broken=broken)))
    else:
        terminal.write_lines(_readable(outcome, terminal.style(), saved, broken))
    raise typer.Exit(outcome.exit(strict=strict))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a preflight, with the report of the rules."""

    opened: "StackFile"
    facts: "Facts"
    heard: "PreflightResult"
    report: "StackReport"
    questions: int

    def exit(self, *, strict: bool) -> Exit:
        """The report's exit code; with `strict`, a query that AWS did not answer counts as not evaluated."""
        code = self.report.exit(strict=strict)
        unjudged = strict and code is Exit.CLEAN and bool(self.heard.unanswered)
        return Exit.UNJUDGED if unjudged else code


def query_account(opened: "StackFile", today: date, profile: str | None) -> Outcome:
    """Queries AWS about everything that a stack uses, and evaluates the rules with the answers.

    Args:
        opened: the stack.
        today: the date that the rules use.
        profile: a profile of ~/.aws/config; None for $AWS_PROFILE.

    Raises:
        typer.Exit: the stack's files have schema errors; they are on stderr.
        WrongInput: it has add-ons only; or there are no credentials.
    """
    from muster.account.preflight import preflight as ask_all
    from muster.account.topic import PreflightRequest
    from muster.cli.stacks import judge_stack, require_description
    from muster.config.description.kubernetes_cluster import AddonsOf

    description = require_description(opened)
    if isinstance(description, AddonsOf):
        raise WrongInput(f"{opened.stack} has only add-ons; use the stack of its cluster, {description.addons_of}")
    wanted = PreflightRequest(opened.derive(), clock.now())
    with open_account(opened.region, profile, f"querying AWS about {opened.stack}") as ask:
        facts, heard = ask_all(wanted, ask, opened.facts)
        questions = len(ask.answers)
        if questions and not any(each.answered for each in ask.answers.values()):
            nothing = (
                f"AWS answered none of {count_noun(questions, 'query', 'queries')}, so Muster saves no facts; the "
                f"first query without an answer: {next(unanswered_lines(heard.unanswered))}"
            )
            raise WrongInput(nothing, *_advice(opened, heard))
    judged = judge_stack(replace(opened, facts=facts), today, unanswered=len(heard.unanswered))
    return Outcome(opened, facts, heard, judged.report, questions)


def _readable(
    outcome: Outcome, style: "Style", saved: "Saved | None", broken: "Sequence[LocatedFinding]"
) -> Iterator[str]:
    from muster.cli.stacks import FACTS_FORM, reported_finding

    yield from _facts_lines(outcome.heard.facts)
    yield from map(style.warn, unanswered_lines(outcome.heard.unanswered))
    open_ = len(outcome.heard.unanswered)
    yield (
        f"{count_noun(outcome.questions, 'query', 'queries')}: "
        f"{outcome.questions - open_} answered, {style.warn(f'{open_} not answered') if open_ else '0 not answered'}"
    )
    yield from _advice(outcome.opened, outcome.heard)
    yield ""
    yield from text.stack_lines(outcome.report, style, f"`muster check {outcome.report.argument} -v`")
    file = outcome.opened.facts_file
    if saved:
        yield from saved_lines(saved)
    elif broken:
        yield f"Muster ignored the facts in {file}, because the file has schema errors:"
        yield from text.findings((reported_finding(each, FACTS_FORM) for each in broken), style)
        yield f"fix the file, or replace it with --save, which keeps the current file as {file}.old"
    else:
        yield f"to use these answers in check, plan and the policy pack, save them with --save (in {file})"


def _facts_lines(facts: "Facts") -> Iterator[str]:
    """A line for each resource, by the keys of the file of facts."""
    from muster.fleet.facts_merge import facts_document

    for section, known in facts_document(facts).items():
        if not isinstance(known, dict):
            continue
        of_things = {id_: each for id_, each in known.items() if isinstance(each, dict)}
        for id_, each in of_things.items():
            yield f"{section} {id_}: {_values(each)}"
        if values := {key: each for key, each in known.items() if key not in of_things}:
            yield f"{section}: {_values(values)}"


def _values(known: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {each if isinstance(each, str) else json.dumps(each)}" for key, each in known.items())


def _advice(opened: "StackFile", result: "PreflightResult") -> Iterator[str]:
    return advice(result.unanswered, f"muster preflight {opened.stack} --print-iam-policy", opened.region)


def described(outcome: Outcome, *, saved: "Saved | None", broken: "Sequence[LocatedFinding]" = ()) -> dict[str, Any]:
    """The result of a preflight as JSON data."""
    from muster.cli.stacks import FACTS_FORM, reported_finding
    from muster.fleet.facts_merge import facts_document, to_json_pointer

    kept = [(each.path, each.observed) for each in saved.kept] if saved else []
    return {
        "contract": 1,
        **writer.stack(outcome.report),
        "questions": outcome.questions,
        "notAnswered": [
            {
                "about": each.question.about,
                "service": each.question.service,
                "operation": each.question.operation,
                "reason": each.unanswered.reason.value,
                "words": each.unanswered.words,
                "right": missing_right(each) or None,
            }
            for each in outcome.heard.unanswered
            if each.unanswered
        ],
        "facts": facts_document(outcome.facts),
        "factsNotRead": [writer.finding(reported_finding(each, FACTS_FORM)) for each in broken],
        "saved": str(saved.file) if saved else None,
        "kept": {to_json_pointer(path): at and at.isoformat() for path, at in kept},
        "copy": str(saved.copy) if saved and saved.copy else None,
    }


_MOST = 10
"""The largest number of values in the list; `--json` has all of them."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of saving facts, apart from the answers."""

    file: Path
    kept: "tuple[KeptFact, ...]" = ()
    """Saved facts that were kept because AWS did not answer their queries."""
    copy: Path | None = None
    """The new name of the previous file, if its facts could not be merged with the answers."""
    why: str = ""
    """Why they could not be merged."""


def require_writable(file: Path) -> None:
    """Checks, before any query to AWS, that the file of facts can be written.

    Raises:
        WrongInput: the file cannot be written.
    """
    try:
        written_files.require_writable(file)
    except OSError as fault:
        raise WrongInput(f"{_cannot(file, fault)}; Muster did not query AWS") from None


def save_facts(file: Path, project: Path, facts: "Facts", open_: Collection[str]) -> Saved:
    """Writes AWS's answers, and keeps the saved facts whose queries AWS did not answer (`muster.fleet.facts_merge`).

    An existing file that has errors, or is of another account or Region, is kept under another name.

    Args:
        file: the file of facts.
        project: the root of its project.
        facts: AWS's answers.
        open_: the sections about which AWS did not answer a query.

    Raises:
        WrongInput: the file cannot be written; the existing file is unchanged.
    """
    from muster.fleet.facts_merge import facts_document, merge_facts, other_account
    from muster.stack.stack_checks import load_facts

    old, _, faults = load_facts(file, project)
    other = other_account(old, facts) if old else ""
    why = f"it has errors, the first at {faults[0]}: {faults[0].finding.got}" if faults else ""
    why = f"it is of {other}" if other else why
    merged, kept = merge_facts(old, facts, open_) if old and not why else (facts, ())
    try:
        written_files.make_folder(file.parent)
        copy = written_files.write(file, dump({"contract": 1, **facts_document(merged)}), keep=bool(why))
    except OSError as fault:
        raise WrongInput(_cannot(file, fault)) from None
    return Saved(file, kept, copy, why)


def saved_lines(saved: Saved) -> Iterator[str]:
    """Lines for a terminal about the file and the facts that were kept in it."""
    yield f"saved: {saved.file}"
    if saved.copy:
        yield f"    the previous file is kept as {saved.copy}: {saved.why}"
    if saved.kept:
        yield f"    {count_noun(len(saved.kept), 'value')} kept from the previous file, because AWS did not answer:"
        yield from (f"        {each}" for each in saved.kept[:_MOST])
    if len(saved.kept) > _MOST:
        yield f"        and {len(saved.kept) - _MOST} more"


def _cannot(file: Path, fault: OSError) -> str:
    why = f"{file.parent} is not a folder" if isinstance(fault, NotADirectoryError) else fault.strerror
    return f"{file} cannot be written: {why}"
