"""The options that select and configure the rules of one run: `--config`, `--select`, `--ignore`, and the baselines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal
from muster.cli.findings import Report, StackReport
from muster.cli.outputs import STDOUT
from muster.finding import WrongInput

if TYPE_CHECKING:
    from muster.cli.baseline import Baseline
    from muster.policies.engine.configuration import Configuration

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="File with levels, options and suppressions of rules, in the format of Pulumi's --policy-pack-config, as "
        "JSON or YAML.",
    ),
]

Pack = Annotated[
    list[Path] | None,
    typer.Option("--pack", metavar="DIR", help="Folder with rules of your own, which Muster also evaluates."),
]

Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="RULE,...",
        help="Evaluate only these rules: ids, globs (efa-*), topics (capacity/*), backends, facts (rules.md#24).",
    ),
]

Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="RULE,...",
        help=("Do not evaluate these rules; same format as --select."),
    ),
]

BaselineFile = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help=("File with known findings. They are counted, but not reported."),
    ),
]

WriteBaseline = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline",
        metavar="FILE",
        help=("Write the current findings to this file, for --baseline."),
    ),
]


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """The rules of a run, as its options select and configure them, and its baseline."""

    configuration: "Configuration"
    baseline: "Baseline | None" = None
    write_to: Path | None = None

    def report(
        self,
        told: Iterable[StackReport],
        as_of: date,
        *,
        strict: bool = False,
    ) -> Report:
        """The report of a run: the stacks, compared with the baseline, and the findings about the configuration's own
        suppressions.

        Raises:
            WrongInput: the file of `--write-baseline` cannot be written; or no rule was evaluated on any stack.
        """
        every = tuple(told)
        _warn_of_no_rules(every)
        bugs = dict.fromkeys(f"{each.stack}: {bug}" if len(every) > 1 else bug for each in every for bug in each.bugs)
        compared, about = self._compared(every), self.about_suppressions(every, as_of)
        return Report((*compared, *about), strict, tuple(bugs))

    def _compared(self, every: tuple[StackReport, ...]) -> tuple[StackReport, ...]:
        """The reports, compared with the baseline. Writes the file of `--write-baseline`."""
        if self.write_to is None:
            return self.baseline.of(every) if self.baseline else every
        from muster.cli import baseline

        terminal.complain(f"{self.write_to}: {baseline.write(self.write_to, every)}")
        return baseline.load(self.write_to).of(every)

    def about_suppressions(self, reports: Sequence[StackReport], as_of: date) -> tuple[StackReport, ...]:
        """The findings about the configuration's own suppressions, as one report; empty without findings.

        It needs the reports of all stacks: a suppression without a finding in one may cover a finding in another. So it
        is also empty if Muster crashed on a stack, or if no stack could be read."""
        judged = any(report.readable for report in reports) and not any(report.crashed for report in reports)
        if not self.configuration.suppress or not judged:
            return ()
        from muster.cli.stacks import reported_finding
        from muster.policies.engine.catalogue import all_rules
        from muster.policies.engine.suppressions import about

        silenced = {
            (each.found.rule, each.at, each.reason, each.until) for report in reports for each in report.suppressed
        }
        used = {
            each
            for each in self.configuration.suppress
            if (each.rule, each.at, each.reason, each.until) in silenced or _of_another(each.at, reports)
        }
        wrong = about(
            self.configuration.suppress,
            used,
            (),
            as_of,
            at="muster.suppress",
            known={rule.id for rule in all_rules()},
            evaluated={rule.id for rule in self.configuration.rules},
        )
        reported = tuple(sorted(reported_finding(self.configuration.locate(each), "") for each in wrong))
        assert self.configuration.document is not None
        return (StackReport(str(self.configuration.document.file), findings=reported),) if reported else ()


def _warn_of_no_rules(reports: Sequence[StackReport]) -> None:
    """Warns on stderr about each stack on which no rule was evaluated.

    Raises:
        WrongInput: no rule was evaluated on any stack.
    """
    unjudged = [
        each.stack for each in reports if each.readable and not (each.judged or each.not_evaluated or each.bugs)
    ]
    if not unjudged:
        return
    if len(unjudged) == len(reports):
        raise WrongInput(
            f"Muster evaluated no rules on {', '.join(unjudged)}: --select, --ignore, --config and muster:policies "
            "leave no rule that applies to such a cluster; select at least one"
        )
    terminal.complain(
        *((f"{each}: Muster evaluated no rules: no selected rule applies to such a cluster") for each in unjudged)
    )


def _of_another(at: str, reports: Sequence[StackReport]) -> bool:
    """Whether a suppression's URN is of a stack that this run did not check. Several stacks may share a
    configuration."""
    parts = at.split("::", maxsplit=1)[0].removeprefix("urn:pulumi:")
    return at.startswith("urn:pulumi:") and parts not in {report.stack for report in reports}


def use_packs(folders: Iterable[Path]) -> None:
    """Makes the rules of these folders rules of the run.

    Raises:
        WrongInput: a folder has faults; the message has all of them.
    """
    from muster.policies.engine.rule_index import OWN

    if not (folders or OWN):
        return
    from muster.policies.engine.packs import use

    use(folders)


def select_rules(
    config: Path | None = None,
    select: list[str] | None = None,
    ignore: list[str] | None = None,
    baseline: Path | None = None,
    write_baseline: Path | None = None,
    pack: list[Path] | None = None,
) -> RuleSelection:
    """The selection that the options of a run describe.

    Raises:
        WrongInput: a file has errors, or a name matches no rule; the message has all of them. Or no rule is left.
    """
    from muster.policies.engine.catalogue import all_rules, selection
    from muster.policies.engine.configuration import Configuration, read

    if baseline and write_baseline:
        raise WrongInput(
            "give either --baseline or --write-baseline, not both: the written file becomes the baseline of later runs"
        )
    for option, file in (("--baseline", baseline), ("--write-baseline", write_baseline)):
        if str(file) == STDOUT:
            raise WrongInput(f"{option} needs a file, which the next run reads, not {STDOUT}")
    use_packs(pack or ())
    made = read(config) if config else Configuration()
    made = replace(made, selection=selection(select or (), ignore or ()))
    if not made.selection.of(all_rules()):
        raise WrongInput("--ignore excludes every rule of --select, so no rule is left; change one of the two options")
    if made.document and not made.document.data:
        terminal.complain(f"{config} is empty, so it configures no rules")
    if select and made.disabled:
        terminal.complain(
            f"{config} disables these rules, so Muster does not evaluate them: {', '.join(made.disabled)}"
        )
    if not baseline:
        return RuleSelection(made, write_to=write_baseline)
    from muster.cli.baseline import load

    return RuleSelection(made, load(baseline))
