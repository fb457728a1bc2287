"""`muster mirror`: the charts and images to copy for a cluster without internet access."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import Json, Stack

if TYPE_CHECKING:
    from muster.addons.context import AddonContext, Mirrors
    from muster.blueprint.kubernetes import Blueprint


_ON_SLURM = "it has no charts; `muster job --image` sets the image of a job"


def mirror(
    stack: Stack,
    *,
    script: Annotated[
        bool,
        typer.Option("--script", help="Print a shell script that copies with skopeo and helm."),
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="REGISTRY",
            help="Target registry. Default: the description's image-mirror and chart-mirror.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the charts and images that a cluster without internet access needs, with their copy targets.

    In the mirror, an image keeps its name without the name of the original registry; a chart keeps only its own name.
    With --to R, images go below R and charts below oci://R/charts. The command copies nothing.
    """
    from muster import terminal
    from muster.addons.charts.mirror import mirror_list
    from muster.addons.context import AddonContext
    from muster.cli.stacks import open_kubernetes
    from muster.cli.writers import mirror_list as writer

    if as_json and script:
        raise WrongInput("--json and --script are different output formats; give only one of them")
    blueprint = open_kubernetes(stack, lambda _: _ON_SLURM)[1]
    context = AddonContext.of_blueprint(blueprint)
    where = _where(to, context)
    if script and not (where.images or where.charts):
        raise WrongInput("the target is not set; give --to REGISTRY, or set image-mirror and chart-mirror")
    found = mirror_list(context, where, _job_images(blueprint))
    if script:
        terminal.write(writer.write_script(blueprint.stack, found, where))
    else:
        terminal.write((writer.write_json if as_json else writer.write_plain)(blueprint.stack, found))
    if found.clashes:
        for name, sources in found.clashes.items():
            terminal.complain(
                f"{name} would be the name of both {' and '.join(sources)}: copy one of them under another name"
            )
        raise typer.Exit(Exit.FINDINGS)


def _where(to: str | None, context: "AddonContext") -> "Mirrors":
    from pydantic import TypeAdapter, ValidationError

    from muster.addons.context import Mirrors
    from muster.config.description.addons import ImageRegistry

    if to is None:
        return context.mirrors
    try:
        registry: str = TypeAdapter(ImageRegistry).validate_python(to)
    except ValidationError as fault:
        problem = str(fault.errors()[0]["msg"]).removeprefix("Value error, ")
        raise WrongInput(f"--to: {problem}") from None
    return Mirrors(f"oci://{registry}/charts", registry)


def _job_images(blueprint: "Blueprint") -> Mapping[str, tuple[str, ...]]:
    """Job -> the original names of its images, for Muster's jobs that the cluster can run. Images that users build are
    already in their registry."""
    from muster.jobs.catalogue import JOBS, can_run
    from muster.jobs.images import IMAGES

    return {name: (job.image,) for name, job in JOBS.items() if job.image not in IMAGES and can_run(blueprint, job)}
