"""`muster init`: writes the file of a new stack from its capacity, or from another tool's file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal, written_files
from muster.cli.account import Profile, advice, open_account
from muster.cli.options import AsOf, Json, Strict, day
from muster.cli.writers import text as lines
from muster.cli.writers.json import dump, stack
from muster.finding import OurBug, WrongInput
from muster.message_text import did_you_mean

if TYPE_CHECKING:
    from muster.cli.new_stack import Capacity, CapacityKind

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("init")
def init(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new stack.")],
    *,
    reservation: Annotated[
        str | None,
        typer.Option("--reservation", metavar="cr-...", help="Use the instances of this capacity reservation."),
    ] = None,
    capacity_block: Annotated[
        str | None, typer.Option("--capacity-block", metavar="cr-...", help="Use the instances of this Capacity Block.")
    ] = None,
    training_plan: Annotated[
        str | None,
        typer.Option("--training-plan", metavar="ARN", help="Use the instances of this training plan, on HyperPod."),
    ] = None,
    on_demand: Annotated[
        bool, typer.Option("--on-demand", help="Use on-demand instances of --instance, without a reservation.")
    ] = False,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from-file",
            metavar="FILE",
            help="Bring over the cluster of another tool's file: a Terraform plan as JSON, a CloudFormation template, "
            "or a file of eksctl, ParallelCluster or HyperPod; - reads stdin.",
        ),
    ] = None,
    backend: Annotated[
        str | None,
        typer.Option(
            "--backend",
            metavar="NAME",
            help="Backend: eks, hyperpod, hyperpod-slurm, parallelcluster or pcs. Default: hyperpod for a training "
            "plan, else eks.",
        ),
    ] = None,
    region: Annotated[
        str | None, typer.Option("--region", metavar="REGION", help="Region. Default: the Region of the AWS session.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, metavar="N", help="Number of nodes. Default: all free instances.")
    ] = None,
    vpc: Annotated[
        str | None, typer.Option("--vpc", metavar="vpc-...", help="Existing VPC. Default: the stack creates a VPC.")
    ] = None,
    api_from: Annotated[
        list[str] | None,
        typer.Option(
            "--api-from",
            metavar="CIDR",
            help="Network that may reach the Kubernetes API's public endpoint; repeatable.",
        ),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not query AWS about the capacity: use --instance, --zone and --nodes.")
    ] = False,
    instance: Annotated[
        str | None,
        typer.Option("--instance", metavar="TYPE", help="With --on-demand or --offline: type of the instances."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(
            "--zone", metavar="ZONE", help="With --on-demand or --offline: zone of the instances. Default: zone a."
        ),
    ] = None,
    profile: Profile = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Write and check the stack file of a new cluster for your instances.

    The command queries AWS for the type, zone, number and dates of reserved instances. Comments in the file tell what
    to replace. The command never overwrites a file, and changes nothing in AWS.
    """
    from muster.cli.imported_file import import_file
    from muster.cli.new_stack import CapacityKind
    from muster.cli.stacks import judge_stack
    from muster.stack import project
    from muster.stack.stack_file import load

    ids = {
        CapacityKind.RESERVATION: reservation,
        CapacityKind.CAPACITY_BLOCK: capacity_block,
        CapacityKind.TRAINING_PLAN: training_plan,
        CapacityKind.ON_DEMAND: "" if on_demand else None,
    }
    given = _Given(
        name=name,
        ids={kind: id_ for kind, id_ in ids.items() if id_ is not None},
        from_file=from_file,
        backend=backend,
        region=region,
        nodes=nodes,
        vpc=vpc,
        api_from=tuple(api_from or ()),
        offline=offline,
        instance=instance,
        zone=zone,
        profile=profile,
        as_of=day(as_of),
    )
    if faults := list(_faults(given)):
        raise WrongInput(*faults)
    root = project.root()
    file = project.display_path(project.stack_file(root, name))
    if file.exists() or file.is_symlink():
        raise WrongInput(f"{file} already exists, and init never overwrites a file; use another name, or move it away")
    imported = import_file(from_file, region) if from_file else None
    if imported and imported.described.region is None:
        raise WrongInput(f"{imported.file.shown}: the file does not have a Region; give it with --region")
    text = imported.text() if imported else _text(given)
    opened = load(name, file, project.display_path(project.facts_file(root, name)), text=text)
    if opened.described is None:  # for example, a type that the backend does not offer
        faults = [f"{each.finding.where}: {each.finding.got}; {each.finding.remedy}" for each in opened.faults]
        source = from_file or "these options"
        raise WrongInput(*(f"the description of {source} has an error: {each}" for each in faults))
    report = judge_stack(opened, given.as_of).report
    try:
        written_files.make_folder(file.parent)
        written_files.create(file, text)
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
    if as_json:
        terminal.write(
            dump({"contract": 1, "file": str(file), **(imported.described_json() if imported else {}), **stack(report)})
        )
    else:
        terminal.complain(*(imported.notes() if imported else ()))
        terminal.write_lines(lines.stack_lines(report, terminal.style(), f"`muster check {name} -v`"))
        terminal.write_lines([f"Written: {file}"])
    if report.bugs:
        raise OurBug("; ".join(report.bugs))
    raise typer.Exit(report.exit(strict=strict))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """The options."""

    name: str
    ids: "Mapping[CapacityKind, str]"
    """The kinds of capacity that are given, with their ids. Valid options have one, or `from_file`."""
    from_file: Path | None
    backend: str | None
    region: str | None
    nodes: int | None
    vpc: str | None
    api_from: tuple[str, ...]
    offline: bool
    instance: str | None
    zone: str | None
    profile: str | None
    as_of: date

    @property
    def capacity(self) -> "tuple[CapacityKind, str]":
        """The kind of the capacity, and its id."""
        return next(iter(self.ids.items()))

    @property
    def asks_aws(self) -> bool:
        """Whether AWS is queried about the capacity."""
        return not self.offline and any(self.ids.values())


def _faults(given: _Given) -> Iterator[str]:
    """What is wrong in the options. What the new file shows is left to its validation."""
    from muster import backends
    from muster.config.identifiers import is_cluster_name

    if not is_cluster_name(given.name):
        yield (
            f"'{given.name}' cannot be the name of the stack and of its cluster; use at most 40 lower-case letters, "
            "digits and dashes, beginning with a letter, as in p5-mine"
        )
    if len(given.ids) + (given.from_file is not None) != 1:
        yield "give one of --reservation, --capacity-block, --training-plan, --on-demand and --from-file"
    if given.backend is not None and given.backend not in backends.RECORDS:
        hint, known = did_you_mean(given.backend, backends.RECORDS), ", ".join(backends.RECORDS)
        yield f"--backend: '{given.backend}' is not a backend{hint} (backends: {known})"
    yield from (wrong for kind, id_ in given.ids.items() if (wrong := _wrong_id(kind, id_)))
    values = {"--instance": given.instance, "--zone": given.zone}
    if given.from_file:
        others = {"--backend": given.backend, "--nodes": given.nodes, "--vpc": given.vpc, "--api-from": given.api_from}
        if left := [option for option, value in (values | others).items() if value]:
            yield f"--from-file takes the values from the file; leave out {', '.join(left)}, and change the new file"
    elif given.asks_aws and (left := [option for option, value in values.items() if value]):
        yield f"AWS returns the type and zone of the capacity; leave out {', '.join(left)}, or add --offline"
    elif not given.asks_aws and given.instance is None:
        yield "Muster does not query AWS for the instance type; give --instance, as in p5.48xlarge"


def _wrong_id(kind: "CapacityKind", id_: str) -> str:
    from pydantic import TypeAdapter, ValidationError

    from muster.cli.new_stack import CapacityKind
    from muster.config.identifiers import ReservationId, TrainingPlanArn

    if kind is CapacityKind.ON_DEMAND:
        return ""
    try:
        TypeAdapter(TrainingPlanArn if kind is CapacityKind.TRAINING_PLAN else ReservationId).validate_python(id_)
    except ValidationError as fault:
        return f"--{kind}: {fault.errors()[0]['msg'].removeprefix('Value error, ')}"
    return ""


def _text(given: _Given) -> str:
    """The text of the file.

    Raises:
        WrongInput: the capacity cannot be used.
    """
    from muster.cli.new_stack import CapacityKind, NewStack
    from muster.hardware.catalogue import UnknownInstance

    kind, _ = given.capacity
    backend = given.backend or ("hyperpod" if kind is CapacityKind.TRAINING_PLAN else "eks")
    capacity = _capacity(given, _region(given))
    free = capacity.free if capacity.free and capacity.free < capacity.count else capacity.count
    nodes = given.nodes or free
    if nodes > capacity.count:
        raise WrongInput(f"--nodes is {nodes}, but the capacity holds {capacity.count}; give at most {capacity.count}")
    stack = NewStack(
        name=given.name,
        backend=backend,
        capacity=capacity,
        nodes=nodes,
        vpc=given.vpc,
        api_from=given.api_from,
        as_of=given.as_of,
    )
    try:
        return stack.text()
    except UnknownInstance as fault:
        raise WrongInput(str(fault)) from None


def _region(given: _Given) -> str:
    """The Region: of the option, of the training plan or of the session.

    Raises:
        WrongInput: none is set, it is none of AWS, or the option and the training plan differ.
    """
    from muster.account.query_runner import default_region
    from muster.cli.new_stack import CapacityKind
    from muster.stack.stack_checks import region_problem

    kind, id_ = given.capacity
    own = id_.split(":")[3] if kind is CapacityKind.TRAINING_PLAN else None
    if own and given.region and own != given.region:
        raise WrongInput(f"--region is {given.region}, but the training plan is in {own}; leave out --region")
    region = own or given.region or default_region(given.profile)
    if not region:
        raise WrongInput("the Region is not set; give --region, or set AWS_REGION or the profile's region")
    if wrong := region_problem(region):
        raise WrongInput(wrong)
    return region


def _capacity(given: _Given, region: str) -> "Capacity":
    """The capacity, from AWS or from the options.

    Raises:
        WrongInput: AWS does not answer, or no stack can use the capacity.
    """
    from muster.account.query import explain_no_answer
    from muster.cli.new_stack import assumed_capacity, capacity_query, read_capacity

    kind, id_ = given.capacity
    if not given.asks_aws:
        assert given.instance is not None, "the options were checked"
        zone = given.zone or f"{region}a"
        if not zone.startswith(region):
            raise WrongInput(f"--zone {zone} is not in {region}; give a zone of {region}, or another --region")
        return assumed_capacity(kind, id_, given.instance, zone, given.nodes or 1, given.as_of)
    instead = "; or give --offline, which does not query AWS"
    with open_account(region, given.profile, "querying AWS", instead=instead) as ask:
        (answer,) = ask([capacity_query(kind, id_)])
    if not answer.answered and not answer.absent:
        policy = f"muster preflight {given.name} --print-iam-policy"
        raise WrongInput(f"{explain_no_answer(answer)}{instead}", *advice([answer], policy, region))
    return read_capacity(kind, id_, answer, given.as_of)
