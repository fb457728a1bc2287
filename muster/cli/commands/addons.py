"""`muster addons`: the add-ons of a stack in their order, and `muster addons render`: their charts, rendered and
judged."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from muster.cli.exits import WrongInput
from muster.cli.options import Json, Stack, Strict, _stacks
from muster.finding import OurBug
from muster.message_text import closest_match

if TYPE_CHECKING:
    from muster.addons.charts import Charts
    from muster.addons.charts.cluster_rendering import OwnedFault, Rendering
    from muster.blueprint.kubernetes import Blueprint
    from muster.cli.findings import StackReport
    from muster.config.stack_file import StackFile


def render(
    stack: Stack,
    *,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="DIR",
            help="Source of the Helm charts: a folder, the address of a mirror, or online.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write the rendered objects to this new folder, one file per add-on.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    strict: Strict = False,
) -> None:
    """Render the add-ons of a stack, and check on which groups their pods run. Needs no AWS account.

    Helm renders the charts with Muster's values: the `helm` program, else its library. Each plugin must run on exactly
    the groups that it serves. At least one group must be able to run each Deployment, Job and hook. The report lists
    the add-ons that were not rendered, and does not check them.
    """
    from muster import terminal
    from muster.cli.stacks import open_kubernetes

    opened, blueprint = open_kubernetes(stack, lambda slurm: slurm.install)
    place = charts_of(charts)
    folder = _empty(out)
    rendering = _rendered(blueprint, place)
    if broken := [each for each in rendering.faults if _is_input(each)]:
        raise WrongInput(*(each.fault.got for each in broken))
    report = _report(opened, rendering)
    if folder is not None:
        _write(folder, rendering)
    if as_json:
        from muster.cli.writers import rendered_addons

        terminal.write(rendered_addons.write_json(rendering, report))
    else:
        from muster.cli.writers import rendered_addons

        for part in rendered_addons.write_table(rendering, report, terminal.style()):
            terminal.write(part)
    _ours(rendering)
    raise typer.Exit(report.exit(strict=strict))


def charts_of(where: str | None) -> "Charts | None":
    """The charts of `--charts`; None if the option is not given."""
    from muster.addons.charts import ChartFault, Charts

    if where is None:
        return None
    if not where:
        raise WrongInput("--charts is empty; give a folder with charts, the address of a mirror, or online")
    if Path(where).expanduser().is_file():
        raise WrongInput(f"--charts '{where}' is a file; give the folder that contains it")
    try:
        return Charts.at(where)
    except ChartFault as fault:
        raise WrongInput(str(fault)) from None


def _empty(out: Path | None) -> Path | None:
    """The folder of `--out`, created if it is missing. A folder with files is an error, so that none is overwritten."""
    from muster import written_files

    if out is None:
        return None
    folder = out.expanduser()
    if folder.exists() and not folder.is_dir():
        raise WrongInput(f"--out '{out}' is a file; give a folder")
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(f"--out '{out}' is not empty, and Muster overwrites no files; give a new folder")
        written_files.make_folder(folder)
    except OSError as fault:
        raise WrongInput(f"--out '{out}' cannot be used: {fault.strerror}; give another folder") from None
    return folder


def _rendered(blueprint: "Blueprint", charts: "Charts | None") -> "Rendering":
    from muster import terminal
    from muster.addons.charts.cluster_rendering import render as rendered
    from muster.addons.context import AddonContext
    from muster.rehearsal.kubernetes.nodes import planned_nodes

    # One node per zone: the result depends on the zones of a group, not on its number of nodes.
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    with terminal.progress("rendering the add-ons"):
        return rendered(AddonContext.of_blueprint(blueprint), planned_nodes(blueprint, counts), charts)


def _is_input(each: "OwnedFault") -> bool:
    """Whether the value of --charts is the cause: no description can render the chart."""
    from muster.addons.charts.cluster_rendering import FaultOwner
    from muster.addons.charts.placement import RENDERS

    return each.owner is FaultOwner.CHARTS and each.fault.check == RENDERS


def _report(opened: "StackFile", rendering: "Rendering") -> "StackReport":
    """The report: findings at the lines of the description that cause them, and charts that were not evaluated."""
    from muster.addons.charts.placement import CHECKS, RENDERS
    from muster.cli.findings import StackReport
    from muster.cli.stacks import reported_finding
    from muster.finding import Finding, Level, NotEvaluated

    findings = []
    for each in rendering.faults:
        fault = each.fault
        finding = Finding(each.path, fault.check, Level.MANDATORY, fault.got, _remedy(each), f"addons.{fault.addon}")
        findings.append(reported_finding(opened.locate(finding), CHECKS[fault.check].source))
    unjudged = tuple(NotEvaluated(RENDERS, each.place, each.missing) for each in rendering.addons if each.is_open)
    return StackReport(opened.stack, findings=tuple(sorted(findings)), not_evaluated=unjudged)


def _remedy(each: "OwnedFault") -> str:
    from muster.addons.charts.cluster_rendering import FaultOwner

    fault = each.fault
    if each.owner is FaultOwner.OURS:
        return "this is a bug in Muster: please report it"
    if each.owner is FaultOwner.CHARTS:
        return (
            f"{fault.remedy}; Muster's values do not match this version of the chart, so use the version of the add-on"
        )
    return f"{fault.remedy}: change {each.path}.values, or remove {each.path}.version if it is another version"


def _write(folder: Path, rendering: "Rendering") -> None:
    import yaml

    from muster import written_files

    for each in rendering.addons:
        if each.objects:
            file = folder / f"{each.addon.name}.yaml"
            try:
                written_files.create(file, yaml.safe_dump_all(each.objects, sort_keys=False))
            except OSError as fault:
                raise WrongInput(f"--out: '{file}' cannot be written: {fault.strerror}") from None


def _ours(rendering: "Rendering") -> None:
    """Raises if Muster's own values cause a fault. No description can correct it."""
    from muster.addons.charts.cluster_rendering import FaultOwner

    if wrong := [each.fault for each in rendering.faults if each.owner is FaultOwner.OURS]:
        faults = "; ".join(f"{fault.addon}: {fault.got}" for fault in wrong)
        raise OurBug(f"with Muster's own values, {faults}")


class DefaultCommandGroup(TyperGroup):
    """The first command of the group is the default; its first argument is a stack.

    A stack with the name of a command must be given as a file, or after the name of the default command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Inserts the default command where the arguments name none."""
        return super().parse_args(ctx, [self._default, *args] if args and self._is_meant(args[0]) else args)

    @property
    def _default(self) -> str:
        return next(iter(self.commands))

    def _is_meant(self, word: str) -> bool:
        if word in self.commands or word in {"--help", "-h"}:
            return False
        # A misspelt command is reported as one, unless there is a stack of that name.
        return closest_match(word, self.commands) is None or word in _stacks(word)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Commands, and the default one's stacks."""
        argument = self.commands[self._default].params[0]
        return [*super().shell_complete(ctx, incomplete), *argument.shell_complete(ctx, incomplete)]


app = typer.Typer(
    name="addons",
    cls=DefaultCommandGroup,
    add_completion=False,
    help="Show the add-ons of a stack in order of installation (`muster addons STACK`), or render them\n"
    "(`muster addons render STACK`).",
    epilog="If a stack has the name of one of these commands, give its file, for example Pulumi.render.yaml.",
    subcommand_metavar="[show|render] STACK",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("show")
def show(
    stack: Stack,
    *,
    as_json: Json = False,
) -> None:
    """Show the add-ons of a stack in order of installation: versions, dependencies with reasons, groups served.

    The list begins with EKS's own add-ons. `muster addons STACK` is the same command. Needs no charts and no AWS
    account.
    """
    from muster import terminal
    from muster.addons.installation_order import graph
    from muster.cli.stacks import open_kubernetes
    from muster.cli.writers import addon_graph

    blueprint = open_kubernetes(stack, lambda slurm: slurm.install)[1]
    entries = graph(blueprint)
    if as_json:
        terminal.write(addon_graph.write_json(entries))
    else:
        for part in addon_graph.write_table(blueprint.stack, entries, terminal.style()):
            terminal.write(part)


app.command("render")(render)
