"""`muster addons`: what is installed on a cluster, in which order and why; and what its real charts give."""

import sys
from typing import Annotated

import typer

from muster.cli.addons_render import NONE_ON_SLURM, render
from muster.cli.default_command import WithDefault
from muster.cli.exits import WrongInput
from muster.cli.options import Json, Stack

app = typer.Typer(
    name="addons",
    cls=WithDefault,
    help="Show the add-ons of a stack in their order (`muster addons STACK`), or render them (`muster addons render`).",
    epilog="A stack that is named like one of these commands is meant by its file, as in Pulumi.render.yaml.",
    subcommand_metavar="[show|render] STACK",
    no_args_is_help=True,
)


@app.command("show")
def show(
    stack: Stack,
    *,
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Print the graph as Mermaid reads it, for a page or an issue.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the add-ons of a stack in order of installation: versions, what comes before each and why, what it serves.

    EKS's own add-ons are the beginning. `muster addons STACK` is the same. Needs no charts and no AWS account.
    """
    from addons.graph import graph
    from muster.cli import terminal
    from muster.cli.judging import described

    if mermaid and as_json:
        raise WrongInput("--mermaid and --json are two forms; give one of them")
    blueprint = described(stack, NONE_ON_SLURM)[1]
    entries = graph(blueprint)
    if as_json:
        from muster.cli.writers import addons_json

        terminal.write(addons_json.write(entries))
    elif mermaid:
        from muster.cli.writers import addons_mermaid

        terminal.write(addons_mermaid.write(entries))
    else:
        from muster.cli.writers import addons_text

        for part in addons_text.write(blueprint.stack, entries, terminal.style_of(sys.stdout)):
            terminal.write(part)


app.command("render")(render)
