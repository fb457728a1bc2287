"""`muster policies`: the policy pack, for Pulumi."""

import typer

from muster.cli.options import Json

app = typer.Typer(name="policies", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _policies() -> None:
    """Print where the policy pack is, for `pulumi preview --policy-pack`."""


@app.command("path")
def path(*, as_json: Json = False) -> None:
    """Print the folder of the policy pack.

    `pulumi preview --policy-pack "$(muster policies path)"` evaluates the rules on what a program registers. Run it in
    the folder of the program: in a project of Muster, the pack then also reads the stack's file and its facts. The
    folder is in the cache. Pulumi starts the pack with the Python of this `muster`.
    """
    from muster import terminal
    from muster.cli.findings import CONTRACT
    from muster.cli.pack_folder import pack_folder
    from muster.cli.writers.json import dump

    folder = str(pack_folder())
    terminal.write(dump({"contract": CONTRACT, "path": folder}) if as_json else f"{folder}\n")
