"""`muster mirror`: the charts and images that a site without a way out copies for a stack."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import Json, Stack

if TYPE_CHECKING:
    from addons.charts.mirror import MirrorList
    from addons.context import AddonContext, Mirrors
    from muster.blueprint.kubernetes import Blueprint


_ON_SLURM = "it has no charts, and which images its jobs run is said to `muster job` (--image)"


class Form(StrEnum):
    """The format of the output."""

    PLAIN = "plain"
    SKOPEO = "skopeo"
    ORAS = "oras"
    JSON = "json"


def mirror(
    stack: Stack,
    *,
    form: Annotated[
        Form, typer.Option("--format", help="A list, a script for skopeo or oras (charts: with helm), or JSON.")
    ] = Form.PLAIN,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="REGISTRY",
            help="Where to; the description's image-mirror and chart-mirror without it.",
            show_default=False,
        ),
    ] = None,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="DIR",
            help="Add the images that real charts name: a folder, a mirror's address, or online.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List every chart and image to copy for a stack to work without a way out, from where and to where.

    An image is called in the mirror as in its own registry, without that registry's name; a chart by its name alone.
    With --to R images go below R, charts below oci://R/charts. Nothing is copied here.
    """
    from addons.charts.mirror import mirror_list
    from addons.context import AddonContext
    from muster.cli import terminal
    from muster.cli.stacks import open_kubernetes

    if as_json and form not in {Form.PLAIN, Form.JSON}:
        raise WrongInput(f"--json and --format {form} are two forms; give one of them")
    form = Form.JSON if as_json else form
    blueprint = open_kubernetes(stack, _ON_SLURM)[1]
    context = AddonContext.of_blueprint(blueprint)
    where = _where(to, context)
    if form in {Form.SKOPEO, Form.ORAS} and not (where.images or where.charts):
        raise WrongInput("say where to: give --to REGISTRY, or image-mirror and chart-mirror in the description")
    found = mirror_list(context, where, _job_images(blueprint), _rendered_images(context, charts))
    terminal.write(_written(form, blueprint.stack, found, where))
    if found.clashes:
        for name, sources in found.clashes.items():
            terminal.complain(f"{name} would be {' and '.join(sources)} at once: copy one of them under another name")
        raise typer.Exit(Exit.FINDINGS)


def _written(form: Form, stack: str, found: "MirrorList", where: "Mirrors") -> str:
    if form is Form.JSON:
        from muster.cli.writers import mirror_list

        return mirror_list.write_json(stack, found)
    if form is Form.PLAIN:
        from muster.cli.writers import mirror_list

        return mirror_list.write_plain(stack, found)
    from muster.cli.writers import mirror_list

    return mirror_list.write_script(stack, found, where, mirror_list.TOOLS[form.value])


def _where(to: str | None, context: "AddonContext") -> "Mirrors":
    from pydantic import TypeAdapter, ValidationError

    from addons.context import Mirrors
    from muster.config.description.addons import ImageRegistry

    if to is None:
        return context.mirrors
    try:
        registry: str = TypeAdapter(ImageRegistry).validate_python(to)
    except ValidationError as fault:
        said = str(fault.errors()[0]["msg"]).removeprefix("Value error, ")
        raise WrongInput(f"--to: {said}") from None
    return Mirrors(f"oci://{registry}/charts", registry)


def _job_images(blueprint: "Blueprint") -> Mapping[str, tuple[str, ...]]:
    """Job -> its images by their original names, for Muster's jobs that the cluster can run. Images that users build
    are in their registry already."""
    from muster.jobs.catalogue import JOBS, can_run

    return {name: job.images for name, job in JOBS.items() if job.images and can_run(blueprint, job)}


def _rendered_images(context: "AddonContext", charts: str | None) -> Mapping[str, tuple[str, ...]]:
    """The images by their original names, because the mirror may not have them yet."""
    if charts is None:
        return {}
    from dataclasses import replace

    from addons.charts.cluster_rendering import rendered
    from addons.context import Mirrors
    from muster.cli import terminal
    from muster.cli.commands.addons import charts_of

    place = charts_of(charts)
    assert place is not None
    with terminal.progress("rendering the add-ons"):
        every = rendered(replace(context, mirrors=Mirrors()), place)
    if broken := [each.broken for each in every if each.broken]:
        raise WrongInput("\n".join(broken))
    return {each.addon.name: each.images for each in every if each.is_checked}
