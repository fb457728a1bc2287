"""What `muster init` was given, and what of it cannot be."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from muster.cli.exits import WrongInput


@dataclass(frozen=True, slots=True, kw_only=True)
class InitOptions:
    """The options."""

    stack: str
    """Empty where none was given."""
    beside: tuple[str, ...] = ()
    """Arguments after the name."""
    reservation: str | None
    capacity_block: str | None
    training_plan: str | None
    source: str | None
    """`--from`."""
    group: str | None
    backend: str | None
    region: str | None
    zone: str | None
    instance: str | None
    nodes: int | None
    vpc: str | None
    new_vpc: bool
    api_from: tuple[str, ...]
    offline: bool
    interactive: bool
    profile: str | None
    as_of: date

    @property
    def reserved(self) -> tuple[str, str] | None:
        """The kind of capacity that was named, by its key, and its id."""
        named = {
            "reservation": self.reservation,
            "capacity-block": self.capacity_block,
            "training-plan": self.training_plan,
        }
        return next(((kind, each) for kind, each in named.items() if each is not None), None)


def validate_options(given: InitOptions) -> None:
    """Every fault of the options, at once.

    Raises:
        WrongInput: there is one.
    """
    if faults := list(_faults(given)):
        raise WrongInput("\n".join(faults))


def _faults(given: InitOptions) -> Iterator[str]:
    without = list(_without_option(given))
    yield from without
    yield from _of_name(given)
    named = [given.reservation, given.capacity_block, given.training_plan]
    if sum(each is not None for each in named) > 1:
        yield "--reservation, --capacity-block and --training-plan exclude each other; give one"
    if not without and not any(named) and given.source is None and not given.interactive:
        yield (
            "what the stack is for is not said; give --reservation cr-..., --capacity-block cr-..., "
            "--training-plan ARN or --from STACK, or --interactive, which asks"
        )
    if given.vpc is not None and given.new_vpc:
        yield "--vpc and --new-vpc exclude each other; give one"
    yield from _of_form(given)
    yield from _of_mode(given)
    yield from _of_source(given)


_ID = re.compile(r"(?:cr|vpc)-(?:[0-9a-f]{8}|[0-9a-f]{17})|arn:.+:(?:training-plan|capacity-reservation)/.+")
"""The forms of ids, which are not taken as stack names, except where an option gives the capacity."""


def _words(given: InitOptions) -> tuple[list[str], list[str]]:
    """The arguments: names, and ids that belong to an option."""
    words = [each for each in (given.stack, *given.beside) if each]
    if not given.beside and given.reserved is not None:
        return words, []
    return [each for each in words if not _ID.fullmatch(each)], [each for each in words if _ID.fullmatch(each)]


def _without_option(given: InitOptions) -> Iterator[str]:
    for each in _words(given)[1]:
        if ":training-plan/" in each:
            yield f"{each} stands without its option; give --training-plan {each}"
        elif each.startswith("vpc-"):
            yield f"{each} stands without its option; give --vpc {each}"
        else:
            id_ = each.rpartition("/")[2]
            yield f"{each} stands without its option; give --reservation {id_}, or --capacity-block {id_}, if it is one"


def _of_name(given: InitOptions) -> Iterator[str]:
    from muster.config.identifiers import is_cluster_name

    names, _ = _words(given)
    if not names:
        yield "the new stack has no name; give it one first, as in `muster init p5-mine --reservation cr-...`"
    elif len(names) > 1:
        yield f"a new stack has one name, and these are {len(names)}: {', '.join(names)}; options begin with --"
    elif not is_cluster_name(names[0]):
        yield (
            f"'{names[0]}' cannot be a stack's name, for its cluster has it: lower-case letters, digits and dashes, "
            "40 at most, a letter first, as in p5-mine"
        )


def _of_form(given: InitOptions) -> Iterator[str]:
    """Faults of ids and names whose form AWS never has."""
    from pydantic import TypeAdapter, ValidationError

    from muster.config.identifiers import Cidr, ReservationId, TrainingPlanArn, VpcId, is_placeholder
    from muster.config.stack_checks import region_problem
    from muster.hardware.zones import REGION, ZONE_NAME, region_of

    forms = [
        ("--reservation", given.reservation, ReservationId),
        ("--capacity-block", given.capacity_block, ReservationId),
        ("--training-plan", given.training_plan, TrainingPlanArn),
        ("--vpc", given.vpc, VpcId),
        *(("--api-from", each, Cidr) for each in given.api_from),
    ]
    for option, value, form in forms:
        if value is None:
            continue
        try:
            TypeAdapter(form).validate_python(value)
        except ValidationError as fault:
            yield f"{option}: {_meant(option, value) or fault.errors()[0]['msg'].removeprefix('Value error, ')}"
        else:
            if option != "--api-from" and not given.offline and is_placeholder(value):
                yield f"{option}: '{value}' is a placeholder, and AWS is asked; give your own, or --offline"
    if given.region is not None and ZONE_NAME.fullmatch(given.region):
        yield f"--region: '{given.region}' is a zone; did you mean its Region, {region_of(given.region)}?"
    elif given.region is not None and not REGION.fullmatch(given.region):
        yield f"--region: '{given.region}' is not a Region; write one, as in us-west-2"
    elif given.region is not None and (wrong := region_problem(given.region)):
        yield f"--region: {wrong}"
    if given.zone is not None and not ZONE_NAME.fullmatch(given.zone):
        yield f"--zone: '{given.zone}' is not a zone; write its name, as in us-west-2a"


_HEX = re.compile(r"(?:^|[^0-9a-z])([0-9a-f]{17}|[0-9a-f]{8})$")


def _meant(option: str, value: str) -> str:
    """The text about a value of another form; empty for an unknown form."""
    of_reservation = option in {"--reservation", "--capacity-block"}
    if of_reservation and ":training-plan/" in value:
        return f"'{value}' is a training plan's ARN; give it with --training-plan"
    if of_reservation and ":resource-groups:" in value:
        return f"'{value}' is a group of reservations; give one of them, and put the group in the file by hand"
    if of_reservation and (digits := _HEX.search(value.lower())):
        return f"'{value}' is not a capacity reservation id; did you mean cr-{digits[1]}?"
    if option == "--training-plan" and (":capacity-reservation/" in value or value.startswith("cr-")):
        return f"'{value}' is a capacity reservation; give its id with --reservation or --capacity-block"
    return ""


def _of_mode(given: InitOptions) -> Iterator[str]:
    if given.interactive and given.offline:
        yield "--interactive asks about what AWS shows, and --offline asks AWS nothing; give one of the two"
    elif given.interactive and not (sys.stdin.isatty() and sys.stderr.isatty()):
        yield "--interactive asks on a terminal, and there is none; give --reservation and other options instead"
    for option, value in (("--instance", given.instance), ("--zone", given.zone)):
        if value is not None and not given.offline:
            yield f"{option} is for --offline: AWS says it where it is asked; leave it away"


def _of_source(given: InitOptions) -> Iterator[str]:
    if given.group is not None and given.source is None:
        yield "--group names a group of the stack that --from copies; give --from, or leave it away"
    if given.source is None or given.reserved is not None:
        return
    for option, value in (("--vpc", given.vpc), ("--new-vpc", given.new_vpc), ("--nodes", given.nodes)):
        if value:
            yield (
                f"{option} beside --from needs the instances that the copy is for; give --reservation, "
                "--capacity-block or --training-plan, or change it in the file"
            )
