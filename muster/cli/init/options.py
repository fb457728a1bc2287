"""The options of `muster init`, and their validation."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from muster import terminal
from muster.cli.exits import WrongInput
from muster.cli.init.choices import FILE_SYSTEM, Additions


@dataclass(frozen=True, slots=True, kw_only=True)
class InitOptions:
    """The options."""

    stack: str
    """Empty if none was given."""
    beside: tuple[str, ...] = ()
    """Arguments after the name."""
    reservation: str | None
    capacity_block: str | None
    training_plan: str | None
    on_demand: bool = False
    source: str | None
    """`--from`."""
    file: Path | None = None
    """`--from-file`."""
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
    additions: Additions = field(default_factory=Additions)

    @property
    def asks_aws(self) -> bool:
        """Whether AWS is queried: not offline, and not for another tool's file, which has all the values."""
        return not self.offline and self.file is None

    @property
    def reserved(self) -> tuple[str, str] | None:
        """The kind of the given capacity, by its key, and its id."""
        named = {
            "reservation": self.reservation,
            "capacity-block": self.capacity_block,
            "training-plan": self.training_plan,
        }
        return next(((kind, each) for kind, each in named.items() if each is not None), None)


def validate_options(given: InitOptions) -> None:
    """Checks the options.

    Raises:
        WrongInput: there are errors; the message has all of them.
    """
    if faults := list(_faults(given)):
        raise WrongInput(*faults)


def _faults(given: InitOptions) -> Iterator[str]:
    without = list(_without_option(given))
    yield from without
    yield from _of_name(given)
    named = [given.reservation, given.capacity_block, given.training_plan, given.on_demand or None]
    if sum(each is not None for each in named) > 1:
        yield "--reservation, --capacity-block, --training-plan and --on-demand exclude each other; give only one"
    if not without and not any(named) and not (given.source or given.file or given.interactive):
        yield (
            "the capacity is not set; give --reservation cr-..., --capacity-block cr-..., --training-plan ARN, "
            "--on-demand, --from STACK, --from-file FILE, or --interactive"
        )
    if given.vpc is not None and given.new_vpc:
        yield "--vpc and --new-vpc exclude each other; give only one of them"
    yield from _of_form(given)
    yield from _of_mode(given)
    yield from _of_additions(given)
    yield from _of_source(given)
    yield from _of_file(given)


_ID = re.compile(r"(?:cr|vpc)-(?:[0-9a-f]{8}|[0-9a-f]{17})|arn:[^/]+:(?:training-plan|capacity-reservation)/.+")
"""The formats of ids. Such an argument is not a stack name, unless an option gives the capacity."""


def _words(given: InitOptions) -> tuple[list[str], list[str]]:
    """The arguments: names, and ids that belong to an option."""
    words = [each for each in (given.stack, *given.beside) if each]
    if not given.beside and given.reserved is not None:
        return words, []
    return [each for each in words if not _ID.fullmatch(each)], [each for each in words if _ID.fullmatch(each)]


def _without_option(given: InitOptions) -> Iterator[str]:
    for each in _words(given)[1]:
        if ":training-plan/" in each:
            yield f"{each} needs its option; give --training-plan {each}"
        elif each.startswith("vpc-"):
            yield f"{each} needs its option; give --vpc {each}"
        else:
            id_ = each.rpartition("/")[2]
            yield f"{each} needs its option; give --reservation {id_}, or --capacity-block {id_} for a Capacity Block"


def _of_name(given: InitOptions) -> Iterator[str]:
    from muster.config.identifiers import is_cluster_name

    names, _ = _words(given)
    if not names:
        option = f"--from-file {given.file}" if given.file else "--reservation cr-..."
        yield f"the new stack has no name; give a name first, as in `muster init p5-mine {option}`"
    elif len(names) > 1:
        yield f"a new stack has one name, but {len(names)} are given: {', '.join(names)}; options begin with --"
    elif not is_cluster_name(names[0]):
        yield (
            f"'{names[0]}' cannot be the name of the stack and of its cluster; use at most 40 lower-case letters, "
            "digits and dashes, beginning with a letter, as in p5-mine"
        )


def _of_form(given: InitOptions) -> Iterator[str]:
    """Ids and names in a format that AWS never uses."""
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
                yield f"{option}: '{value}' is a placeholder, which Muster cannot query; give your own id, or --offline"
    if given.region is not None and ZONE_NAME.fullmatch(given.region):
        yield f"--region: '{given.region}' is a zone; did you mean its Region, {region_of(given.region)}?"
    elif given.region is not None and not REGION.fullmatch(given.region):
        yield f"--region: '{given.region}' is not a Region; give one, as in us-west-2"
    elif given.region is not None and (wrong := region_problem(given.region)):
        yield f"--region: {wrong}"
    if given.zone is not None and not ZONE_NAME.fullmatch(given.zone):
        yield f"--zone: '{given.zone}' is not a zone; give its name, as in us-west-2a"


_HEX = re.compile(r"(?:^|[^0-9a-z])([0-9a-f]{17}|[0-9a-f]{8})$")


def _meant(option: str, value: str) -> str:
    """The text about a value in another known format; empty for an unknown format."""
    of_reservation = option in {"--reservation", "--capacity-block"}
    if of_reservation and ":training-plan/" in value:
        return f"'{value}' is the ARN of a training plan; give it with --training-plan"
    if of_reservation and ":resource-groups:" in value:
        return (
            f"'{value}' is a group of reservations; give one of its reservations, then set the group in the stack file"
        )
    if of_reservation and (digits := _HEX.search(value.lower())):
        return f"'{value}' is not a capacity reservation id; did you mean cr-{digits[1]}?"
    if option == "--training-plan" and (":capacity-reservation/" in value or value.startswith("cr-")):
        return f"'{value}' is a capacity reservation; give its id with --reservation or --capacity-block"
    return ""


def _of_mode(given: InitOptions) -> Iterator[str]:
    if given.interactive and given.offline:
        yield "--interactive needs AWS's answers, but --offline does not query AWS; give only one of them"
    elif given.interactive and not (sys.stdin.isatty() and terminal.is_error_terminal()):
        yield "--interactive needs a terminal, and there is none; give --reservation and other options instead"
    for option, value in (("--instance", given.instance), ("--zone", given.zone)):
        if value is not None and not given.offline and not given.on_demand and given.file is None:
            yield f"{option} is only for --on-demand and --offline, because AWS returns this value; leave it out"
    if given.on_demand and given.instance is None:
        yield "--on-demand needs the instance type; give --instance, as in p5.48xlarge"
    if given.on_demand and given.interactive:
        yield "--interactive asks for reserved capacity; give only one of --on-demand and --interactive"


def _of_additions(given: InitOptions) -> Iterator[str]:
    from muster.cli.init.additions import backend_problem, second_queue_problem, unknown_addition

    added = given.additions
    yield from filter(None, map(unknown_addition, added.names))
    if added.without_storage and FILE_SYSTEM in added.names:
        yield f"--no-storage and --with {FILE_SYSTEM} exclude each other; give only one of them"
    if given.source is not None and (added != Additions() or given.on_demand):
        yield "--from copies what the stack has; leave out --on-demand, --with, --no-storage and --second-queue"
    if added.second:
        yield from filter(None, [second_queue_problem(added.second, given.backend)])
    yield from filter(None, [backend_problem(added.names, given.backend)])


def _of_source(given: InitOptions) -> Iterator[str]:
    if given.group is not None and given.source is None:
        yield "--group is a group of the stack that --from copies; give --from, or leave out --group"
    if given.source is None or given.reserved is not None:
        return
    for option, value in (("--vpc", given.vpc), ("--new-vpc", given.new_vpc), ("--nodes", given.nodes)):
        if value:
            yield (
                f"{option} with --from also needs the capacity of the copy; give --reservation, --capacity-block or "
                "--training-plan, or change the value in the copied file"
            )


def _of_file(given: InitOptions) -> Iterator[str]:
    """Options beside `--from-file`, which takes all values but the Region from the file."""
    if given.file is None:
        return
    beside = {
        "--reservation": given.reservation,
        "--capacity-block": given.capacity_block,
        "--training-plan": given.training_plan,
        "--on-demand": given.on_demand,
        "--from": given.source,
        "--backend": given.backend,
        "--zone": given.zone,
        "--instance": given.instance,
        "--nodes": given.nodes,
        "--vpc": given.vpc,
        "--new-vpc": given.new_vpc,
        "--api-from": given.api_from,
        "--interactive": given.interactive,
        "--with": given.additions.names,
        "--no-storage": given.additions.without_storage,
        "--second-queue": given.additions.second,
    }
    if left := [option for option, value in beside.items() if value]:
        yield f"--from-file takes the values from the file; leave out {', '.join(left)}, and change the new file"
