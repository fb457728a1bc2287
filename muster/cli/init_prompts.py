"""What `muster init --interactive` asks: on the terminal, by way of stderr, so that stdout stays what is printed."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from muster.cli.exits import WrongInput
from muster.cli.terminal import complain, one_line

if TYPE_CHECKING:
    from muster.fleet.new_stack.held import Held, Kind


def which_region() -> str:
    """The Region to ask in."""
    from muster.fleet.zones import REGION

    said: str = ask("Region, as in us-west-2", lambda said: said if REGION.fullmatch(said) else again(said, "a Region"))
    return said


def which_held(known: "Sequence[Held]", region: str, *, all_known: bool) -> "Held | str":
    """One of those that AWS shows; or the id or the ARN of one that it does not, where it did not show all.

    Raises:
        WrongInput: there is none.
    """
    if not known:
        if all_known:
            raise WrongInput(f"there is no reservation, Capacity Block or training plan in {region} for this account")
        named: str = ask("Id of the reservation or Capacity Block, or ARN of the training plan", _held_id)
        return named
    complain("What the stack is for:")
    for number, each in enumerate(known, start=1):
        free = f", {each.available} free" if each.available is not None else ""
        dates = f", {each.starts} to {each.ends}" if each.starts and each.ends and each.kind != "reservation" else ""
        what = f"{each.kind.words} {each.id}: {each.count} of {each.instance}{free}, in {each.place}{dates}"
        complain(one_line(f"  {number}. {what}"))
    usual = 1 if len(known) == 1 else None
    if all_known:
        return known[which_number("Which one", len(known), usual) - 1]

    def read(said: str) -> "Held | str":
        return known[int(said) - 1] if said.isdecimal() and 1 <= int(said) <= len(known) else _held_id(said)

    chosen: Held | str = ask("Which one, or the id or ARN of one that AWS did not show", read, usual)
    return chosen


def described_held(kind: "Kind | None", id: str, region: str) -> "Held":
    """What one holds whose id AWS says nothing of."""
    from muster.fleet.new_stack.held import Held, Kind, Source

    if kind is None:
        block = ask("A Capacity Block (y or n)", _yes, "n")
        kind = Kind.CAPACITY_BLOCK if block else Kind.RESERVATION
    instance = ask("Type of its instances, as in p5.48xlarge", _instance)
    zone = ask(f"Its zone, as in {region}a", lambda said: zone_in(said, region))
    count = which_number("How many instances it holds", _MOST)
    starts = ends = None
    if kind is Kind.CAPACITY_BLOCK:
        starts = ask("The day it starts, as in 2026-12-01", _day)
        ends = ask("The day it ends", _day)
    return Held(kind, id, instance, zone, count, starts=starts, ends=ends, source=Source.YOU)


_MOST = 10_000


def how_many(held: "Held", usual: int) -> int:
    """The number of nodes."""
    return which_number(f"How many nodes (1 to {held.count})", held.count, usual)


def which_networks() -> tuple[str, ...]:
    """The networks that the Kubernetes API is open to; none where they are filled in later."""
    from muster.fleet.description.identifiers import Cidr

    def read(said: str) -> tuple[str, ...]:
        return tuple(validated(each, Cidr) for each in said.replace(",", " ").split())

    said: tuple[str, ...] = ask("Networks you deploy from, as in 198.51.100.0/24 (later: leave it empty)", read, "")
    return said


def which_number(text: str, most: int, usual: int | None = None) -> int:
    """A number from 1 on."""

    def read(said: str) -> int:
        if said.isdecimal() and 1 <= int(said) <= most:
            return int(said)
        return again(said, f"a number from 1 to {most}")

    number: int = ask(text, read, usual)
    return number


def validated(said: str, form: Any) -> Any:
    """What is typed, as a form of the description's takes it."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(form).validate_python(said)
    except ValidationError as fault:
        raise typer.BadParameter(fault.errors()[0]["msg"].removeprefix("Value error, ")) from None


def filled_in(said: str, form: Any) -> str:
    """As `validated`, but for placeholders."""
    from muster.fleet.description.identifiers import is_placeholder

    value: str = validated(said, form)
    return again(said, "filled in") if is_placeholder(value) else value


def zone_in(said: str, region: str) -> str:
    """A zone of a Region, by name."""
    from muster.fleet.zones import ZONE_NAME, region_of

    return said if ZONE_NAME.fullmatch(said) and region_of(said) == region else again(said, f"a zone of {region}")


def _held_id(said: str) -> str:
    from muster.fleet.description.identifiers import ReservationId, TrainingPlanArn

    return filled_in(said, TrainingPlanArn if said.startswith("arn:") else ReservationId)


def _instance(said: str) -> str:
    from muster.fleet.hardware import UnknownInstance, hardware

    try:
        hardware(said)
    except UnknownInstance as fault:
        raise typer.BadParameter(str(fault)) from None
    return said


def _day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return again(said, "a day, as in 2026-12-01")


def _yes(said: str) -> bool:
    return said[:1].lower() == "y" if said[:1].lower() in {"y", "n"} else again(said, "y or n")


def again(said: str, what: str) -> NoReturn:
    """Has it asked once more."""
    raise typer.BadParameter(f"'{said}' is not {what}")


def ask(text: str, read: Callable[[str], Any], usual: Any = None) -> Any:
    """Asks until `read` takes the answer. Ctrl-C, and the end of what is typed, end the command."""
    try:
        shown = usual is not None and usual != ""
        return typer.prompt(
            text, default=None if usual is None else str(usual), value_proc=read, err=True, show_default=shown
        )
    except typer.Abort:
        raise KeyboardInterrupt from None
