"""What `muster init --interactive` asks: on the terminal, by way of stderr, so that stdout stays what is printed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from muster.cli.exits import WrongInput
from muster.cli.terminal import complain, one_line

if TYPE_CHECKING:
    from muster.account.discovery.fitting import Need
    from muster.account.discovery.landscape import Landscape
    from muster.fleet.new_stack.held import Held
    from muster.fleet.new_stack.networks import AnyNetwork


def which_region() -> str:
    """The Region to ask in."""
    from muster.fleet.zones import REGION

    said: str = _prompt(
        "Region, as in us-west-2", lambda said: said if REGION.fullmatch(said) else _again(said, "a Region")
    )
    return said


def which_held(known: "Sequence[Held]", region: str) -> "Held":
    """One of those that AWS shows.

    Raises:
        WrongInput: there is none.
    """
    if not known:
        raise WrongInput(f"there is no reservation, Capacity Block or training plan in {region} for this account")
    complain("What the stack is for:")
    for number, each in enumerate(known, start=1):
        free = f", {each.available} free" if each.available is not None else ""
        dates = f", {each.starts} to {each.ends}" if each.starts and each.ends and each.kind != "reservation" else ""
        what = f"{each.kind.words} {each.id}: {each.count} of {each.instance}{free}, in {each.place}{dates}"
        complain(one_line(f"  {number}. {what}"))
    return known[_number("Which one", len(known), 1 if len(known) == 1 else None) - 1]


def which_network(seen: "Landscape", need: "Need") -> "AnyNetwork":
    """One of the VPCs that fit, or one to be made."""
    from muster.account.discovery.fitting import fits, planned

    judged = fits(seen.vpcs or (), need)
    fitting = [each.network for each in judged if each.network is not None]
    complain("Where it stands:")
    for number, network in enumerate(fitting, start=1):
        complain(one_line(f"  {number}. {network.vpc}: {'; '.join(network.why_subnets.values())}"))
    complain(f"  {len(fitting) + 1}. a new VPC")
    for each in judged:
        if each.network is None:
            complain(one_line(f"     {each.vpc} does not fit: {each.why_not}"))
    number = _number("Which one", len(fitting) + 1, 1 if len(fitting) == 1 else len(fitting) + 1)
    if number <= len(fitting):
        from dataclasses import replace

        return replace(fitting[number - 1], why="chosen by you")
    return planned(seen, need, "chosen by you")


def how_many(held: "Held", usual: int) -> int:
    """The number of nodes."""
    return _number(f"How many nodes (1 to {held.count})", held.count, usual)


def which_networks() -> tuple[str, ...]:
    """The networks that the Kubernetes API is open to; none where they are filled in later."""
    from pydantic import TypeAdapter, ValidationError

    from muster.fleet.description.identifiers import Cidr

    def read(said: str) -> tuple[str, ...]:
        try:
            return tuple(TypeAdapter(Cidr).validate_python(each) for each in said.replace(",", " ").split())
        except ValidationError as fault:
            raise typer.BadParameter(fault.errors()[0]["msg"].removeprefix("Value error, ")) from None

    said: tuple[str, ...] = _prompt("Networks you deploy from, as in 198.51.100.0/24 (later: leave it empty)", read, "")
    return said


def _number(text: str, most: int, usual: int | None) -> int:
    def read(said: str) -> int:
        if said.isdecimal() and 1 <= int(said) <= most:
            return int(said)
        return _again(said, f"a number from 1 to {most}")

    number: int = _prompt(text, read, usual)
    return number


def _again(said: str, what: str) -> NoReturn:
    raise typer.BadParameter(f"'{said}' is not {what}")


def _prompt(text: str, read: Any, usual: Any = None) -> Any:
    """Asks until the answer can be read. Ctrl-C, and the end of what is typed, end the command."""
    try:
        shown = usual is not None and usual != ""
        return typer.prompt(
            text, default=None if usual is None else str(usual), value_proc=read, err=True, show_default=shown
        )
    except typer.Abort:
        raise KeyboardInterrupt from None
