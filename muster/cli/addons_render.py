"""`muster addons render`: what the add-ons' real charts give with our values, and where it lands."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import OurBug, WrongInput
from muster.cli.options import Json, Stack, Strict

if TYPE_CHECKING:
    from addons.charts import Charts
    from addons.rendering import Blamed, Rendering
    from muster.cli.report import StackReport
    from muster.fleet.blueprint import Blueprint
    from muster.fleet.stack_file import StackFile

NONE_ON_SLURM = "software comes by post-install, or in an image (`muster pcluster image`)"
"""What to do with a cluster that takes no add-ons."""


def render(
    stack: Stack,
    *,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="DIR",
            help="Where the charts are: a folder, a mirror's address, or online.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write what was rendered, a file an add-on.", show_default=False),
    ] = None,
    as_json: Json = False,
    strict: Strict = False,
) -> None:
    """Render the add-ons of a stack with our values, and judge on which groups their pods land. Needs no AWS account.

    Charts are rendered by Helm (its program, else its library). Each plugin must land on the groups that it serves and
    nowhere else; every Deployment, Job and hook must have a group. What was not rendered is named and not judged.
    """
    from muster.cli import terminal
    from muster.cli.judging import described

    opened, blueprint = described(stack, NONE_ON_SLURM)
    place = place_of_charts(charts)
    folder = _empty(out)
    rendering = _rendered(blueprint, place)
    if broken := [each for each in rendering.faults if _is_input(each)]:
        raise WrongInput("\n".join(each.fault.got for each in broken))
    report = _report(opened, rendering)
    if folder is not None:
        _write(folder, rendering)
    if as_json:
        from muster.cli.writers import rendering_json

        terminal.write(rendering_json.write(rendering, report))
    else:
        from muster.cli.writers import rendering_text

        for part in rendering_text.write(rendering, report, terminal.style_of(sys.stdout)):
            terminal.write(part)
    _ours(rendering)
    raise typer.Exit(report.exit(strict=strict))


def place_of_charts(where: str | None) -> "Charts | None":
    """What --charts names; None where it is not given."""
    from addons.charts import ChartFault, Charts

    if where is None:
        return None
    if not where:
        raise WrongInput("--charts is empty; give a folder with charts, the address of a mirror, or online")
    if Path(where).expanduser().is_file():
        raise WrongInput(f"--charts '{where}' is a file; give the folder that it is in")
    try:
        return Charts.at(where)
    except ChartFault as fault:
        raise WrongInput(str(fault)) from None


def _empty(out: Path | None) -> Path | None:
    """Before anything is rendered: nobody's files are written over."""
    if out is None:
        return None
    folder = out.expanduser()
    if folder.exists() and not folder.is_dir():
        raise WrongInput(f"--out '{out}' is a file; name a folder")
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(f"--out '{out}' is not empty; name a new folder, nothing is written over")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise WrongInput(f"--out '{out}' cannot be used: {fault.strerror}; name another folder") from None
    return folder


def _rendered(blueprint: "Blueprint", charts: "Charts | None") -> "Rendering":
    from addons.rendering import render as rendered
    from addons.site import Site
    from muster.cli import terminal
    from muster.rehearsal.nodes import planned

    # One node a zone: a group is where its nodes are, however many it starts with.
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    with terminal.progress("rendering the add-ons"):
        return rendered(Site.of_blueprint(blueprint), planned(blueprint, counts), charts)


def _is_input(each: "Blamed") -> bool:
    """A chart that cannot be rendered whatever the description says: what was given to --charts is wrong."""
    from addons.checks import RENDERS
    from addons.rendering import Whose

    return each.whose is Whose.CHARTS and each.fault.check == RENDERS


def _report(opened: "StackFile", rendering: "Rendering") -> "StackReport":
    """What is wrong, at the line of the description that brings it about; and what nobody looked at."""
    from addons.checks import CHECKS, RENDERS
    from muster.cli.report import StackReport
    from muster.cli.stack_report import found
    from muster.fleet.finding import Finding, Level, NotEvaluated

    findings = []
    for each in rendering.faults:
        fault = each.fault
        finding = Finding(each.path, fault.check, Level.MANDATORY, fault.got, _remedy(each), f"addons.{fault.addon}")
        findings.append(found(opened.locate(finding), CHECKS[fault.check].source))
    unjudged = tuple(NotEvaluated(RENDERS, each.place, each.missing) for each in rendering.addons if each.is_open)
    return StackReport(opened.stack, findings=tuple(sorted(findings)), not_evaluated=unjudged)


def _remedy(each: "Blamed") -> str:
    from addons.rendering import Whose

    fault, name = each.fault, each.fault.addon
    if each.whose is Whose.OURS:
        return "a bug in Muster: please report it"
    if each.whose is Whose.CHARTS:
        return f"{fault.remedy}; this chart is not the version that Muster's values are for, or has none for it"
    if each.path.endswith(".version"):
        return f"{fault.remedy}; Muster's values are for another version: leave addons.{name}.version out"
    if ".values" in each.path:
        return f"{fault.remedy}: change {each.path}, or leave it out"
    return f"{fault.remedy}: add to {each.path}.values"


def _write(folder: Path, rendering: "Rendering") -> None:
    import yaml

    for each in rendering.addons:
        if each.objects:
            file = folder / f"{each.addon.name}.yaml"
            try:
                file.write_text(yaml.safe_dump_all(each.objects, sort_keys=False), encoding="utf-8")
            except OSError as fault:
                raise WrongInput(f"--out: '{file}' cannot be written: {fault.strerror}") from None


def _ours(rendering: "Rendering") -> None:
    """Our own values land wrong: no description mends that."""
    from addons.rendering import Whose

    if wrong := [each.fault for each in rendering.faults if each.whose is Whose.OURS]:
        said = "; ".join(f"{fault.addon}: {fault.got}" for fault in wrong)
        raise OurBug(f"with Muster's own values, {said}")
