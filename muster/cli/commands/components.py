"""`muster components`: the component plugin, for Pulumi."""

import sysconfig
from pathlib import Path

import typer

from muster import terminal
from muster.cli.findings import CONTRACT
from muster.cli.options import Json
from muster.cli.writers.json import dump
from muster.finding import WrongInput

app = typer.Typer(name="components", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _components() -> None:
    """Print where the component plugin is, for programs in other languages."""


@app.command("path")
def path(*, as_json: Json = False) -> None:
    """Print the file of the component plugin.

    `pulumi package add "$(muster components path)"` makes an SDK of the components, in the language of the program in
    the current folder.
    """
    plugin = Path(sysconfig.get_path("scripts"), "pulumi-resource-muster")
    if not plugin.is_file():
        raise WrongInput(f"there is no {plugin}; install Muster again")
    terminal.write(dump({"contract": CONTRACT, "path": str(plugin)}) if as_json else f"{plugin}\n")
