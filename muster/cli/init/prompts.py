"""The prompts of `muster init --interactive`. They go to stderr, because stdout has the output of the command."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NoReturn

import typer

from muster.cli.exits import WrongInput
from muster.cli.init.account_networks import AccountNetworks
from muster.cli.init.choices import AnyNetwork, CapacityKind, CapacitySource, ExistingNetwork, ReservedCapacity
from muster.cli.init.network_choice import NetworkNeeds, plan_network, rank_vpcs
from muster.config.identifiers import Cidr, ReservationId, SubnetId, TrainingPlanArn, VpcId, is_placeholder
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.zones import REGION, ZONE_NAME, region_of
from muster.terminal import complain, visible


def prompt_region() -> str:
    """Prompts for the Region."""
    answer: str = prompt(
        "Region, for example us-west-2",
        lambda answer: answer if REGION.fullmatch(answer) else reject_answer(answer, "a Region"),
    )
    return answer


def prompt_capacity(known: Sequence[ReservedCapacity], region: str, *, all_known: bool) -> ReservedCapacity | str:
    """Prompts for one of the listed items; or for an id or ARN, if AWS did not list all.

    Raises:
        WrongInput: there are no items.
    """
    if not known:
        if all_known:
            raise WrongInput(f"this account has no reservation, Capacity Block or training plan in {region}")
        named: str = prompt("Id of the reservation or Capacity Block, or ARN of the training plan", _parse_capacity_id)
        return named
    complain("Which reserved capacity should the stack use?")
    for number, each in enumerate(known, start=1):
        free = f", {each.available} free" if each.available is not None else ""
        dates = f", {each.starts} to {each.ends}" if each.starts and each.ends and each.kind != "reservation" else ""
        what = f"{each.kind.words} {each.id}: {each.count} of {each.instance}{free}, in {each.place}{dates}"
        complain(f"  {number}. {what}")
    usual = 1 if len(known) == 1 else None
    if all_known:
        return known[prompt_number("Which one", len(known), usual) - 1]

    def read(answer: str) -> ReservedCapacity | str:
        return (
            known[int(answer) - 1]
            if answer.isdecimal() and 1 <= int(answer) <= len(known)
            else _parse_capacity_id(answer)
        )

    chosen: ReservedCapacity | str = prompt(("Number, or the id or ARN of capacity that AWS did not list"), read, usual)
    return chosen


def prompt_capacity_details(kind: CapacityKind | None, id: str, region: str) -> ReservedCapacity:
    """Prompts for the details of capacity that AWS does not describe."""
    if kind is None:
        block = prompt("Is it a Capacity Block (y or n)", _yes, "n")
        kind = CapacityKind.CAPACITY_BLOCK if block else CapacityKind.RESERVATION
    instance = prompt("Type of its instances, for example p5.48xlarge", _instance)
    zone = prompt(f"Its zone, for example {region}a", lambda answer: parse_zone(answer, region))
    count = prompt_number("Number of its instances", _MOST)
    starts = ends = None
    if kind is CapacityKind.CAPACITY_BLOCK:
        starts = prompt("Start date, for example 2026-12-01", _day)
        ends = prompt("End date", _day)
    return ReservedCapacity(kind, id, instance, zone, count, starts=starts, ends=ends, source=CapacitySource.YOU)


_MOST = 10_000


def prompt_node_count(reserved: ReservedCapacity, usual: int) -> int:
    """The number of nodes."""
    return prompt_number(f"Number of nodes (1 to {reserved.count})", reserved.count, usual)


def prompt_api_networks() -> tuple[str, ...]:
    """The networks that may reach the Kubernetes API; none if the user sets them later."""

    def read(answer: str) -> tuple[str, ...]:
        return tuple(parse_as(each, Cidr) for each in answer.replace(",", " ").split())

    answer: tuple[str, ...] = prompt(
        "Networks that you deploy from, for example 198.51.100.0/24 (leave it empty to set them later)", read, ""
    )
    return answer


def prompt_number(text: str, most: int, usual: int | None = None) -> int:
    """A number from 1 on."""

    def read(answer: str) -> int:
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer)
        return reject_answer(answer, f"a number from 1 to {most}")

    number: int = prompt(text, read, usual)
    return number


def parse_as(answer: str, form: Any) -> Any:
    """The answer to a prompt, validated as a type of the description."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(form).validate_python(answer)
    except ValidationError as fault:
        raise typer.BadParameter(fault.errors()[0]["msg"].removeprefix("Value error, ")) from None


def parse_filled_in(answer: str, form: Any) -> str:
    """Like `parse_as`, but rejects placeholders."""
    value: str = parse_as(answer, form)
    return reject_answer(answer, "filled in") if is_placeholder(value) else value


def parse_zone(answer: str, region: str) -> str:
    """A zone of a Region, by name."""
    return (
        answer
        if ZONE_NAME.fullmatch(answer) and region_of(answer) == region
        else reject_answer(answer, f"a zone of {region}")
    )


def _parse_capacity_id(answer: str) -> str:
    return parse_filled_in(answer, TrainingPlanArn if answer.startswith("arn:") else ReservationId)


def _instance(answer: str) -> str:
    try:
        hardware(answer)
    except UnknownInstance as fault:
        raise typer.BadParameter(str(fault)) from None
    return answer


def _day(answer: str) -> date:
    try:
        return date.fromisoformat(answer)
    except ValueError:
        return reject_answer(answer, "a date, such as 2026-12-01")


def _yes(answer: str) -> bool:
    return answer[:1].lower() == "y" if answer[:1].lower() in {"y", "n"} else reject_answer(answer, "y or n")


def reject_answer(answer: str, what: str) -> NoReturn:
    """Makes `prompt` repeat the prompt."""
    raise typer.BadParameter(visible(f"'{answer}' is not {what}"))


def prompt(text: str, read: Callable[[str], Any], usual: Any = None) -> Any:
    """Prompts until `read` accepts the answer. Ctrl-C, and the end of stdin, end the command."""
    try:
        shown = usual is not None and usual != ""
        return typer.prompt(
            visible(text), default=None if usual is None else str(usual), value_proc=read, err=True, show_default=shown
        )
    except typer.Abort:
        raise KeyboardInterrupt from None


def prompt_network(seen: AccountNetworks, need: NetworkNeeds) -> AnyNetwork:
    """Prompts for a VPC that fits, a new one, or, if it is unknown which fit, one whose ids the user types."""
    if seen.vpcs is None:
        return _prompt_ids(seen, need, new=True)
    judged = rank_vpcs(seen.vpcs, need)
    fitting = [each.network for each in judged if each.network is not None]
    open_ = any(not each.known for each in judged)
    complain("Which network should the cluster use?")
    for number, network in enumerate(fitting, start=1):
        complain(f"  {number}. {network.vpc}: {'; '.join(network.why_subnets.values())}")
    complain(f"  {len(fitting) + 1}. a new VPC")
    if open_:
        complain(f"  {len(fitting) + 2}. another VPC, whose ids you enter")
    for each in judged:
        if each.network is None:
            does_not = "does not fit" if each.known else "may fit"
            complain(f"     {each.vpc} {does_not}: {each.why_not}")
    usual = 1 if len(fitting) == 1 else len(fitting) + 1
    number = prompt_number("Number", len(fitting) + 1 + open_, usual)
    if number <= len(fitting):
        return replace(fitting[number - 1], why="chosen by you")
    return (
        _prompt_ids(seen, need, new=False) if number > len(fitting) + 1 else plan_network(seen, need, "chosen by you")
    )


def _prompt_ids(seen: AccountNetworks, need: NetworkNeeds, *, new: bool) -> AnyNetwork:
    """A VPC and its private subnets by their ids; with `new`, a new VPC for an empty answer."""
    usual = plan_network(seen, need, "chosen by you")
    otherwise = " (leave it empty for a new VPC)" if new else ""

    def read(answer: str) -> str:
        return "" if new and not answer.strip() else parse_filled_in(answer, VpcId)

    vpc = prompt(f"VPC, for example vpc-0123456789abcdef0{otherwise}", read, "" if new else None)
    if not vpc:
        return usual
    private: dict[str, str] = {}
    for zone in usual.zones:
        where = zone
        if private:

            def another(answer: str) -> str:
                if answer in private:
                    raise typer.BadParameter(f"{answer} already has a subnet; give another zone of {need.region}")
                return parse_zone(answer, need.region)

            where = prompt("Zone of another private subnet, which EKS needs", another, zone)
        private[where] = prompt(f"Private subnet in {where}", lambda answer: parse_filled_in(answer, SubnetId))
    ids = {each: seen.zones[each] for each in private if each in seen.zones}
    why = dict.fromkeys(private, "entered by you: AWS did not return its routes and free addresses")
    return ExistingNetwork(vpc, private, why="entered by you", why_subnets=why, zone_ids=ids)
