"""`muster init`: writes the file of a new stack from AWS's data about its instances."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.account import Profile
from muster.cli.commands.preflight import PrintIamPolicy
from muster.cli.exits import WrongInput
from muster.cli.init.choices import Additions
from muster.cli.init.options import InitOptions, validate_options
from muster.cli.options import AsOf, Json, Strict, _stacks, day
from muster.finding import OurBug

if TYPE_CHECKING:
    from muster.account.query_runner import QueryRunner
    from muster.cli.commands.preflight import Outcome
    from muster.cli.findings import StackReport
    from muster.cli.imported_file import ImportedFile
    from muster.cli.init.yaml_entries import Entries
    from muster.config.stack_file import StackFile
    from muster.terminal import Style

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("init", context_settings={"allow_extra_args": True})  # for ids that are given without their option
def init(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new stack.", show_default=False)] = "",
    *,
    reservation: Annotated[
        str | None,
        typer.Option("--reservation", metavar="cr-...", help="Use the instances of this capacity reservation."),
    ] = None,
    capacity_block: Annotated[
        str | None, typer.Option("--capacity-block", metavar="cr-...", help="Use the instances of this Capacity Block.")
    ] = None,
    training_plan: Annotated[
        str | None,
        typer.Option("--training-plan", metavar="ARN", help="Use the instances of this training plan, on HyperPod."),
    ] = None,
    on_demand: Annotated[
        bool, typer.Option("--on-demand", help="Use on-demand instances of --instance, without a reservation.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="STACK",
            help="Copy this stack and the comments that stay correct. The copy uses the given instances, zones and "
            "Region. Ids of the original account become placeholders.",
            autocompletion=_stacks,
        ),
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from-file",
            metavar="FILE",
            help="Bring over the cluster of another tool's file: a Terraform plan as JSON, a CloudFormation template, "
            "or a file of eksctl, ParallelCluster or HyperPod; - reads stdin.",
            show_default=False,
        ),
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="With --from: group that gets the instances.")
    ] = None,
    backend: Annotated[
        str | None,
        typer.Option(
            "--backend",
            metavar="NAME",
            help="Backend: eks, hyperpod, hyperpod-slurm, parallelcluster or pcs. Default: hyperpod for a training "
            "plan, else eks.",
        ),
    ] = None,
    region: Annotated[
        str | None, typer.Option("--region", metavar="REGION", help="Region. Default: the Region of the AWS session.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, metavar="N", help="Number of nodes. Default: all free instances.")
    ] = None,
    vpc: Annotated[
        str | None,
        typer.Option("--vpc", metavar="vpc-...", help="Existing VPC. Default: the VPC that fits, if only one fits."),
    ] = None,
    new_vpc: Annotated[bool, typer.Option("--new-vpc", help="Create a new VPC for the cluster.")] = False,
    api_from: Annotated[
        list[str] | None,
        typer.Option(
            "--api-from",
            metavar="CIDR",
            help="Network that may reach the Kubernetes API's public endpoint; repeatable.",
        ),
    ] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Ask on the terminal for values that no option gives. Default: no.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not query AWS: write the given values, and placeholders.")
    ] = False,
    instance: Annotated[
        str | None,
        typer.Option("--instance", metavar="TYPE", help="With --on-demand or --offline: type of the instances."),
    ] = None,
    zone: Annotated[
        str | None, typer.Option("--zone", metavar="ZONE", help="With --on-demand or --offline: zone of the instances.")
    ] = None,
    added: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="NAME,...",
            help="Add these add-ons, as in kueue,training-operator; fsx adds a file system of FSx for Lustre.",
            show_default=False,
        ),
    ] = None,
    no_storage: Annotated[
        bool,
        typer.Option("--no-storage", help="No file system. Default: one, if several nodes with EFA train together."),
    ] = False,
    second_queue: Annotated[
        str | None,
        typer.Option("--second-queue", metavar="TYPE", help="With Slurm: a second queue of on-demand nodes of TYPE."),
    ] = None,
    print_iam_policy: PrintIamPolicy = False,
    profile: Profile = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Write and check the stack file of a new cluster for your instances, with the facts from AWS.

    The command queries AWS for the type, zone, number and dates of the instances, and for a VPC that fits. Comments in
    the file state the reason for each choice. The command never overwrites a file, and changes nothing in AWS.
    """
    from muster import terminal
    from muster.cli.commands import preflight

    if print_iam_policy:
        preflight.print_init_policy()
        return
    given = InitOptions(
        stack=name,
        beside=tuple(context.args),
        reservation=reservation,
        capacity_block=capacity_block,
        training_plan=training_plan,
        on_demand=on_demand,
        source=source,
        file=from_file,
        group=group,
        backend=_backend(backend),
        region=region,
        zone=zone,
        instance=instance,
        nodes=nodes,
        vpc=vpc,
        new_vpc=new_vpc,
        api_from=tuple(api_from or ()),
        offline=offline,
        interactive=interactive,
        profile=profile,
        as_of=day(as_of),
        additions=Additions(
            names=tuple(
                dict.fromkeys(each.strip() for part in added or () for each in part.split(",") if each.strip())
            ),
            without_storage=no_storage,
            second=second_queue or "",
        ),
    )
    validate_options(given)
    made = _made(given)
    _keep(made)
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(_described(made)))
    else:
        terminal.complain(*_choices(made))
        terminal.write_lines(_readable(made, terminal.style()))
    if made.report.bugs:
        raise OurBug("; ".join(made.report.bugs))
    raise typer.Exit(made.outcome.exit(strict=strict) if made.outcome else made.report.exit(strict=strict))


def _backend(given: str | None) -> str | None:
    from muster import backends
    from muster.message_text import did_you_mean

    if given is not None and given not in backends.MODULES:
        known, meant = ", ".join(backends.MODULES), backends.meant_by(given)
        hint = f"; did you mean '{meant}'?" if meant else did_you_mean(given, backends.MODULES)
        raise WrongInput(f"--backend: '{given}' is not a backend{hint} (backends: {known})")
    return given


@dataclass(frozen=True, slots=True)
class _Made:
    """A new stack before it is written."""

    opened: "StackFile"
    text: str
    entries: "Entries"
    report: "StackReport"
    outcome: "Outcome | None"
    """The result of the preflight; None if AWS was not queried."""
    imported: "ImportedFile | None" = None
    """The file of another tool; None without `--from-file`."""

    @property
    def files(self) -> dict[Path, str]:
        """Path -> text of the files to write: the stack file, and the facts where AWS was queried."""
        from muster.cli import facts_file

        stack = {self.opened.document.file: self.text}
        return stack | ({self.opened.facts_file: facts_file.text(self.outcome.facts)} if self.outcome else {})


def _made(given: InitOptions) -> _Made:
    """The new stack, judged. No file is written.

    Raises:
        WrongInput: the stack exists; or it cannot be made.
    """
    from muster.cli import facts_file as facts
    from muster.cli.commands.preflight import query_account
    from muster.cli.init.selection import OFFLINE
    from muster.cli.stacks import find_project, judge_stack
    from muster.config import project
    from muster.config.stack_file import load_text

    root = find_project()
    file = project.display_path(project.stack_file(root, given.stack))
    facts_file = project.display_path(project.facts_file(root, given.stack))
    if faults := [already_exists(each) for each in (file, facts_file) if each.exists() or each.is_symlink()]:
        raise WrongInput(*faults)
    for each in (file, facts_file) if given.asks_aws else ():
        facts.require_writable(each)
    if given.file is not None:
        return _brought_over(given, given.file, file, facts_file)
    text, entries, ask = _text(given)
    opened = load_text(given.stack, text, file, facts_file)
    if opened.described is None:
        raise _unreadable(given, opened)
    if given.offline:
        return _Made(opened, text, entries, judge_stack(opened, given.as_of).report, None)
    outcome = _with_earlier(query_account(opened, given.as_of, given.profile, earlier=ask, instead=OFFLINE), ask)
    return _Made(opened, text, entries, outcome.report, outcome)


def _brought_over(given: InitOptions, source: Path, file: Path, facts_file: Path) -> _Made:
    """The new stack of another tool's file.

    Raises:
        WrongInput: the file cannot be read, or has no cluster that a description can have.
    """
    from muster.cli.imported_file import import_file
    from muster.cli.stacks import judge_stack
    from muster.config.stack_file import load_text

    imported = import_file(source, given.region)
    if imported.described.region is None:
        raise WrongInput(f"{imported.file.shown}: the file does not have a Region; give it with --region")
    text = imported.text()
    opened = load_text(given.stack, text, file, facts_file)
    if opened.described is None:
        raise _unreadable(given, opened)
    return _Made(opened, text, (), judge_stack(opened, given.as_of).report, None, imported)


def _with_earlier(outcome: "Outcome", ask: "QueryRunner | None") -> "Outcome":
    """The outcome of the preflight, with the unanswered queries of the choice before it."""
    known = {each.question.key for each in outcome.heard.unanswered}
    earlier = (each for key, each in (ask.answers if ask else {}).items() if not each.answered and key not in known)
    return replace(outcome, heard=replace(outcome.heard, unanswered=(*earlier, *outcome.heard.unanswered)))


def _text(given: InitOptions) -> "tuple[str, Entries, QueryRunner | None]":
    """The text of the file, its entries, and the runner of the queries; None where there were none."""
    if given.source is not None:
        from muster.cli.init.copy_stack import copy_stack

        made = copy_stack(given)
        return made.text, made.entries, made.ask
    from muster.cli.init.selection import choose
    from muster.cli.init.stack_document import stack_entries, stack_text

    chosen = choose(given)
    return stack_text(chosen.choices), stack_entries(chosen.choices), chosen.ask


def _unreadable(given: InitOptions, opened: "StackFile") -> Exception:
    """The exception for a new file with schema errors: `WrongInput` for a copy, whose original may not suit these
    instances; `OurBug` for a file that Muster composed."""
    faults = [f"{each.finding.where}: {each.finding.got}; {each.finding.remedy}" for each in opened.faults]
    if given.file is not None:
        return WrongInput(*(f"the description of {given.file} has an error: {each}" for each in faults))
    if given.source is None:
        return OurBug(f"the file that init would write has schema errors: {'; '.join(faults)}")
    return WrongInput(*(f"a copy of {given.source} with these values has an error: {each}" for each in faults))


def _keep(made: _Made) -> None:
    """Writes the files, all or none."""
    create_files(made.files)


def _reasons(made: _Made) -> Iterable[tuple[str, Any, str]]:
    from muster.cli.init.yaml_entries import reasons

    for path, value, why in reasons(made.entries):
        yield path.removeprefix("config.").removeprefix("muster:cluster."), value, why


def _choices(made: _Made) -> Iterator[str]:
    """One line for each choice with its reason, as in the comments of the file; or for each part that is left out."""
    yield from made.imported.notes() if made.imported else ()
    for path, value, why in _reasons(made):
        yield f"{path}{'' if value is None else f': {_shown(value)}'} ({why})"


def _readable(made: _Made, style: "Style") -> Iterator[str]:
    from muster.cli.commands.preflight import answers
    from muster.cli.writers import text

    if made.outcome:
        yield from answers(made.outcome, style)
        yield ""
    yield from text.stack_lines(made.report, style, f"`muster check {made.report.stack} -v`")
    yield f"Written: {', '.join(map(str, made.files))}"


def _shown(value: Any) -> str:
    from muster.cli.init.yaml_entries import Flow, yaml_flow

    return yaml_flow(Flow(value))


def _described(made: _Made) -> dict[str, Any]:
    from muster.cli.commands import preflight
    from muster.cli.facts_file import Saved
    from muster.cli.writers import json

    document = (
        preflight.described(made.outcome, saved=Saved(made.opened.facts_file))
        if made.outcome
        else json.stack(made.report)
    )
    return {
        "contract": 1,
        "file": str(made.opened.document.file),
        "chosen": [{"path": path, "value": value, "why": why} for path, value, why in _reasons(made)],
        **({"leftOut": made.imported.left_out_objects(), "assumed": made.imported.assumed()} if made.imported else {}),
        **document,
    }


def already_exists(file: Path) -> str:
    """The message that a file exists."""
    return f"{file} already exists, and init never overwrites a file; use another name, or move the file away"


def create_files(files: Mapping[Path, str]) -> None:
    """Writes files, all or none.

    Raises:
        WrongInput: one exists by now, or cannot be written.
    """
    kept: list[Path] = []
    folders = [each for each in dict.fromkeys(file.parent for file in files) if not each.exists()]
    try:
        for file, text in files.items():
            _create_file(file, text)
            kept.append(file)
    except BaseException:
        for file in kept:
            file.unlink(missing_ok=True)
        for folder in folders:
            with suppress(OSError):  # another process may have put a file there
                folder.rmdir()
        raise


def _create_file(file: Path, text: str) -> None:
    from muster import written_files

    try:
        written_files.make_folder(file.parent)
        written_files.create(file, text)
    except FileExistsError as fault:
        if file.parent.is_dir():
            raise WrongInput(already_exists(file)) from None
        raise WrongInput(f"{file} cannot be written: {file.parent} is not a folder") from fault
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
