"""`muster image`: the Dockerfile of a training image, and how it comes into the stack's registry."""

from typing import Annotated

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import _stacks


def _images(incomplete: str) -> list[str]:
    """Shell completion: the images there are."""
    from muster.jobs.images import IMAGES

    return [name for name in IMAGES if name.startswith(incomplete)]


def image(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The image; without one, the images there are.",
            autocompletion=_images,
            show_default=False,
        ),
    ] = None,
    *,
    stack: Annotated[
        str | None,
        typer.Option(
            "--stack",
            "-s",
            help="The stack whose registry it is for: says how to build and push it.",
            autocompletion=_stacks,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print the Dockerfile of a training image; stderr says how to build it and push it to a stack's registry.

    Stdout holds the Dockerfile and nothing else: muster image pytorch-fsdp | docker build --tag NAME -
    """
    from muster.cli import terminal
    from muster.jobs.images import IMAGES, UnknownImage, image_of

    if name is None:
        # As `muster job` does: stdout is on its way to docker.
        listed = "\n".join(f"  {each.name}: {each.title}" for each in IMAGES.values())
        raise WrongInput(f"name an image; there are:\n{listed}")
    try:
        chosen = image_of(name)
    except UnknownImage as fault:
        raise WrongInput(str(fault)) from None
    if stack is not None:
        terminal.complain(*_commands(stack, name))
    terminal.write(chosen.dockerfile)


def _commands(stack: str, name: str) -> tuple[str, ...]:
    """The commands that build and push the image.

    Raises:
        WrongInput: the stack does not exist, or has no registry.
    """
    from muster.cli.stacks import open_stacks
    from muster.jobs.images import build_commands, image_of

    opened = open_stacks([stack])[0]
    if opened.described is None:
        raise WrongInput(f"the description of stack '{stack}' has faults; `muster check {stack}` says which")
    blueprint = opened.derive()
    if blueprint.described.registry is None:
        raise WrongInput(f"stack '{stack}' has no registry; add `registry: {{}}` to its description")
    return build_commands(blueprint, image_of(name))
