"""`muster preflight`: what the account says, before anything is paid for. It reads, and changes nothing in AWS."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.account import Profile
from muster.cli.exits import Exit, WrongInput
from muster.cli.iam_policy import PrintIamPolicy
from muster.cli.options import AsOf, Json, Stack, Strict, day

if TYPE_CHECKING:
    from muster.account.answer import Answer
    from muster.account.asking import Asker
    from muster.account.inquiring import Heard
    from muster.account.topic import Wanted
    from muster.cli.facts_file import Saved
    from muster.cli.report import StackReport
    from muster.cli.terminal import Style
    from muster.fleet.facts import Facts
    from muster.fleet.located import Located
    from muster.fleet.silence import Silence
    from muster.fleet.stack_file import StackFile


def preflight(
    stack: Stack,
    *,
    save: Annotated[
        bool, typer.Option("--save", help="Write stacks/facts/STACK.json: check, plan and the policy pack judge by it.")
    ] = False,
    print_iam_policy: PrintIamPolicy = False,
    profile: Profile = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Ask AWS about everything that a stack names or needs, and judge the stack by the answers. Read-only.

    Reservations, Capacity Blocks, training plans, offerings, quotas, subnets, security groups, versions, images, file
    systems, scripts, rights. What AWS does not answer is told, and never taken for fine.
    """
    from muster.cli import facts_file, iam_policy, terminal
    from muster.cli.opening import despite_facts, open_stacks

    if print_iam_policy:
        if save:
            raise WrongInput("--print-iam-policy asks nothing; leave --save away")
        iam_policy.of_preflight(open_stacks([stack])[0])
        return
    opened, broken = despite_facts(open_stacks([stack])[0])
    if as_json and opened.described is None:
        _unreadable(opened)
    if save:
        facts_file.ready(opened.facts_file)
    outcome = asked(opened, day(as_of), profile)
    saved = facts_file.save(opened.facts_file, outcome.facts, outcome.heard.open) if save else None
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(described(outcome, saved=saved, broken=broken)))
    else:
        terminal.write_lines(_readable(outcome, terminal.style_of(sys.stdout), saved, broken))
    raise typer.Exit(outcome.exit(strict=strict))


def _unreadable(opened: "StackFile") -> None:
    """There is nothing to ask about: says why, in the same form.

    Raises:
        typer.Exit: always.
    """
    from muster.account.inquiring import Heard
    from muster.cli import terminal
    from muster.cli.stack_report import faulty
    from muster.cli.writers.json import dump
    from muster.fleet.facts import Facts

    report = faulty(opened, opened.faults)
    nothing = Outcome(opened, Facts(), Heard(Facts(), (), ()), report, questions=0, calls=0)
    terminal.write(dump(described(nothing, saved=None)))
    raise typer.Exit(report.exit())


@dataclass(frozen=True, slots=True)
class Outcome:
    """What there is to print."""

    opened: "StackFile"
    facts: "Facts"
    heard: "Heard"
    report: "StackReport"
    questions: int
    calls: int

    def exit(self, *, strict: bool) -> Exit:
        """The exit code: as of a report, and to be strict is to want every answer, too."""
        code = self.report.exit(strict=strict)
        unjudged = strict and code is Exit.CLEAN and bool(self.heard.unanswered)
        return Exit.UNJUDGED if unjudged else code


def asked(
    opened: "StackFile",
    today: date,
    profile: str | None,
    *,
    earlier: "Asker | None" = None,
    ask_aws: bool = False,
    instead: str = "",
) -> Outcome:
    """Asks AWS about everything that a stack names or needs, and judges it by the answers.

    Args:
        opened: the stack.
        today: the day to judge by.
        profile: of ~/.aws/config; $AWS_PROFILE without.
        earlier: who asked before.
        ask_aws: whether AWS's own package is asked, too, where there is one for the backend: it takes seconds.
        instead: what else helps where there are no credentials.

    Raises:
        typer.Exit: the stack's files have faults of form; they are told.
        WrongInput: it has add-ons only; or there are no credentials.
    """
    from dataclasses import replace

    from muster.account.preflight import preflight as ask_all
    from muster.cli.account import asker, unanswered
    from muster.cli.judging import judge_stack
    from muster.words import counted

    wanted = wanted_of(opened)
    with asker(opened.region, profile, f"asking AWS about {opened.stack}", earlier=earlier, instead=instead) as ask:
        facts, heard = ask_all(wanted, ask, opened.facts)
        questions, calls = len(ask.answers), ask.calls
        if questions and not any(each.answered for each in ask.answers.values()):
            nothing = (
                f"AWS answered none of {counted(questions, 'question')}, so nothing is known and nothing is saved; "
                f"the first: {next(unanswered(heard.unanswered))}"
            )
            raise WrongInput("\n".join((nothing, *_advice(opened, heard))))
    silences = tuple(map(_silence, heard.unanswered))
    judged = judge_stack(replace(opened, facts=facts), today, ask_aws=ask_aws, silences=silences)
    return Outcome(opened, facts, heard, judged.report, questions, calls)


def _silence(answer: "Answer") -> "Silence":
    from muster.fleet.silence import Silence

    question, why = answer.question, answer.unanswered
    assert why is not None
    return Silence(f"{question.about} ({why.reason})", f"{question.about} {question.key}")


def wanted_of(opened: "StackFile") -> "Wanted":
    """What is asked about.

    Raises:
        typer.Exit: the stack's files have faults of form; they are told.
        WrongInput: it has add-ons only.
    """
    from muster import clock
    from muster.account.topic import Wanted
    from muster.cli.opening import description_of
    from muster.fleet.description import AddonsOf

    said = description_of(opened)
    if isinstance(said, AddonsOf):
        raise WrongInput(f"{opened.stack} has add-ons only; ask about the stack of its cluster ({said.addons_of})")
    return Wanted(opened.derive(), clock.now(), opened.allowed_accounts)


def _readable(outcome: Outcome, style: "Style", saved: "Saved | None", broken: "Sequence[Located]") -> Iterator[str]:
    from muster.cli import facts_file
    from muster.cli.stack_report import FACTS_FORM, found
    from muster.cli.terminal import one_line
    from muster.cli.writers import text

    yield from answers(outcome, style)
    yield ""
    yield from text.stack_lines(outcome.report, style)
    file = outcome.opened.facts_file
    if saved:
        yield from facts_file.lines(saved)
    elif broken:
        yield one_line(f"the facts in {file} were not read, for their form is wrong:")
        yield from text.findings((found(each, FACTS_FORM) for each in broken), style)
        yield one_line(f"--save writes the answers there, and keeps what is there now as {file}.old; or mend it")
    else:
        yield one_line(f"--save keeps the answers in {file}, for check, plan and the policy pack")


def answers(outcome: Outcome, style: "Style") -> Iterator[str]:
    """What AWS said, one line a thing; what it did not; and how much was asked."""
    from muster.cli.account import unanswered
    from muster.cli.terminal import one_line
    from muster.words import counted

    for line in outcome.heard.said:
        yield one_line(f"{line.about}: {line.words}")
    for missing in unanswered(outcome.heard.unanswered):
        yield style.warn(missing)
    open_ = len(outcome.heard.unanswered)
    yield (
        f"{counted(outcome.questions, 'question')}, {counted(outcome.calls, 'call')}: "
        f"{outcome.questions - open_} answered, {style.warn(f'{open_} not answered') if open_ else '0 not answered'}"
    )
    yield from map(one_line, _advice(outcome.opened, outcome.heard))


def _advice(opened: "StackFile", heard: "Heard") -> Iterator[str]:
    from muster.cli.silence import advice

    return advice(heard.unanswered, f"muster preflight {opened.stack} --print-iam-policy", opened.region)


def described(outcome: Outcome, *, saved: "Saved | None", broken: "Sequence[Located]" = ()) -> dict[str, Any]:
    """The same for programs."""
    from muster.account.answer import Reason
    from muster.cli import facts_file
    from muster.cli.silence import right
    from muster.cli.stack_report import FACTS_FORM, found
    from muster.cli.writers import json
    from muster.fleet.kept_facts import written

    return {
        "contract": 1,
        **json.stack(outcome.report),
        "questions": outcome.questions,
        "calls": outcome.calls,
        "said": [{"about": each.about, "words": each.words} for each in outcome.heard.said],
        "notAnswered": [
            {
                "about": each.question.about,
                "service": each.question.service,
                "operation": each.question.operation,
                "reason": each.unanswered.reason.value,
                "words": each.unanswered.words,
                "right": right(each) or None if each.unanswered.reason is Reason.DENIED else None,
            }
            for each in outcome.heard.unanswered
            if each.unanswered
        ],
        "facts": written(outcome.facts),
        "factsNotRead": [json.finding(found(each, FACTS_FORM)) for each in broken],
        "saved": str(saved.file) if saved else None,
        **facts_file.described(saved or facts_file.Saved(outcome.opened.facts_file)),
    }
