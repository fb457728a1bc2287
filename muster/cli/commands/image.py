"""`muster image`: the Dockerfile of a training image, and how to push the image to the stack's registry."""

from typing import Annotated

import typer

from muster import terminal
from muster.cli.options import _stacks
from muster.finding import WrongInput


def _images() -> list[str]:
    """Shell completion: Muster's images."""
    from muster.jobs.images import IMAGES

    return list(IMAGES)


def image(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Image. If you give none, the command lists the images.",
            autocompletion=_images,
        ),
    ] = None,
    *,
    stack: Annotated[
        str | None,
        typer.Option(
            "--stack",
            "-s",
            help="Stack with the registry for the image. Prints the build and push commands on stderr.",
            autocompletion=_stacks,
        ),
    ] = None,
) -> None:
    """Print the Dockerfile of a training image, and on stderr the commands that build and push it.

    Stdout contains only the Dockerfile: muster image pytorch-fsdp | docker build --tag NAME -
    """
    from muster.jobs.images import IMAGES, image_of

    if name is None:
        # To stderr, as in `muster job`: stdout goes to docker.
        listed = (f"  {each.name}: {each.title}" for each in IMAGES.values())
        raise WrongInput("give an image; the images are:", *listed)
    chosen = image_of(name)
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
        raise WrongInput(f"the description of stack '{stack}' has errors; run `muster check {stack}` to list them")
    blueprint = opened.derive()
    if blueprint.described.registry is None:
        raise WrongInput(f"stack '{stack}' has no registry; add `registry: {{}}` to its description")
    return build_commands(blueprint, image_of(name))
