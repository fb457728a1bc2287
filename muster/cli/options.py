"""Arguments and options that several commands share."""

from datetime import date
from typing import Annotated

import typer

from muster.clock import today
from muster.finding import WrongInput
from muster.terminal import text_of


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a date; use the format 2026-11-21") from None


def _stacks() -> list[str]:
    """Shell completion: the stacks of the current project, without names that a shell must not show."""
    from muster.cli.stacks import known_stacks

    try:
        return [name for name in known_stacks() if text_of([name]) == f"{name}\n"]
    except WrongInput:
        return []


Stack = Annotated[
    str,
    typer.Argument(metavar="STACK", help="Stack: its name, or the path of its file.", autocompletion=_stacks),
]

Group = Annotated[str | None, typer.Option("--group", help="Node group of the workers. Default: the group that fits.")]

Nodes = Annotated[
    int | None,
    typer.Option(
        "--nodes", min=1, help="Number of workers, one per node. Default: the group's initial number of nodes."
    ),
]

Queue = Annotated[
    str | None,
    typer.Option("--queue", help="Queue of a job of Muster; on Slurm, its partition. Required if several queues fit."),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print details: sources, rules that were not evaluated, placeholders.")
]

Strict = Annotated[bool, typer.Option("--strict", help="Exit with code 4 if Muster could not evaluate a rule.")]

AsOf = Annotated[
    date | None,
    typer.Option(
        "--as-of",
        parser=_date,
        metavar="DATE",
        help="Date that the rules use for support calendars and end dates. Default: today.",
    ),
]


def day(as_of: date | None) -> date:
    """The date that the rules use: the given date, else today.

    Raises:
        WrongInput: MUSTER_AS_OF is not a date.
    """
    return as_of or today()
