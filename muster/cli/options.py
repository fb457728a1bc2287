"""Arguments and options that several commands share."""

from datetime import date
from typing import Annotated

import typer

from muster.cli.exits import WrongInput
from muster.clock import today


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a date; write one as in 2026-11-21") from None


def _stacks(incomplete: str) -> list[str]:
    """Shell completion: the stacks of the project around us, none outside of one."""
    from muster.cli.exits import WrongInput
    from muster.cli.stacks import known_stacks

    try:
        return [name for name in known_stacks() if name.startswith(incomplete)]
    except WrongInput:
        return []


Stack = Annotated[
    str, typer.Argument(metavar="STACK", help="A stack, by name or file.", autocompletion=_stacks, show_default=False)
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]

Strict = Annotated[bool, typer.Option("--strict", help="Exit 4 where a rule could not be evaluated.")]

AsOf = Annotated[
    date | None,
    typer.Option(
        "--as-of",
        parser=_date,
        metavar="DATE",
        help="The day to judge by (support calendars, end dates); today without it.",
        show_default=False,
    ),
]


def day(as_of: date | None) -> date:
    """The day to judge by: the one given, else today.

    Raises:
        WrongInput: MUSTER_AS_OF is not a date.
    """
    try:
        return as_of or today()
    except ValueError as fault:
        raise WrongInput(str(fault)) from None
